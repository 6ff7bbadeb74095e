//! perf's answers: a process that `perf/answers.c` is the source of.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use pmu_events::sysfs::Sysfs;

use crate::root_of;

/// Builds the program that answers as perf of a version does, unless it is there.
///
/// # Panics
///
/// When it cannot be built.
#[must_use]
pub fn program_of(version: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let build = Command::new(here.join("perf/build"))
        .arg(root_of(version))
        .arg(here.join("../../target/kernel/perf").join(version))
        .output()
        .unwrap_or_else(|error| panic!("perf/build cannot be run: {error}"));
    let errors = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "perf of {version} cannot be built:\n{errors}");
    PathBuf::from(String::from_utf8_lossy(&build.stdout).trim_end())
}

/// perf on one machine. Where a question kills it, the next is asked of a new
/// one.
#[derive(Debug)]
pub struct Perf {
    program: PathBuf,
    sysfs: PathBuf,
    cpuid: &'static str,
    pmus: Vec<String>,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// The lines of an answer.
pub type Answer = Vec<String>;

impl Perf {
    /// perf with a made-up sysfs and CPUID.
    ///
    /// It reads the PMUs in our order: to `pmu_name_cmp` names of which one
    /// begins the other (`uncore_imc`, `uncore_imc_free_running`) are equal, so
    /// that otherwise instances come in the order of the directory.
    #[must_use]
    pub fn on(program: &Path, sysfs: &Sysfs, cpuid: &'static str) -> Self {
        let pmus = sysfs.pmus().iter().map(|pmu| pmu.name().to_owned()).collect();
        let (program, sysfs) = (program.into(), sysfs.root().into());
        Perf { program, sysfs, cpuid, pmus, running: None }
    }

    fn start(&self) -> Running {
        let mut process = Command::new(&self.program)
            .env("SYSFS_PATH", &self.sysfs)
            .env("PERF_CPUID", self.cpuid)
            // What perf reads of its user has no say here.
            .env("HOME", "/nonexistent")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{} cannot be run: {error}", self.program.display()));
        let questions = process.stdin.take().expect("it is a pipe");
        let answers = BufReader::new(process.stdout.take().expect("it is a pipe"));
        let mut running = Running { process, questions, answers };
        for pmu in &self.pmus {
            let read = running.ask(&format!("pmu\t{pmu}"));
            assert!(read.is_some(), "perf cannot read the PMU {pmu}");
        }
        running
    }

    /// The answer to a question; `None` where perf dies of it.
    pub fn ask(&mut self, question: &str) -> Option<Answer> {
        assert!(!question.contains('\n'), "a question is a line: {question:?}");
        let mut running = self.running.take().unwrap_or_else(|| self.start());
        let answer = running.ask(question);
        match answer {
            Some(_) => self.running = Some(running),
            None => running.end(),
        }
        answer
    }

    /// The same of a perf that was asked nothing before: some answers depend on
    /// what it has read already.
    pub fn ask_anew(&mut self, question: &str) -> Option<Answer> {
        if let Some(running) = self.running.take() {
            running.end();
        }
        self.ask(question)
    }
}

impl Drop for Perf {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }
}

impl Running {
    fn ask(&mut self, question: &str) -> Option<Answer> {
        writeln!(self.questions, "{question}").ok()?;
        self.questions.flush().ok()?;
        let mut lines = Vec::new();
        loop {
            let mut line = Vec::new();
            if self.answers.read_until(b'\n', &mut line).ok()? == 0 {
                return None;
            }
            let line = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
            if line == "." {
                return Some(lines);
            }
            lines.push(line);
        }
    }

    fn end(self) {
        let Running { mut process, questions, answers } = self;
        drop((questions, answers));
        let _ = process.wait();
    }
}
