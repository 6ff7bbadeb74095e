//! `pmu stat`, as tests run it: on a CPU for which a table is made. On any other, each output
//! has a note about that (`later_cpus` tests the notes).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::rights::{self, Rights, rights};

mod signals;

pub use signals::ignoring;

pub const PMU: &str = env!("CARGO_BIN_EXE_pmu");

/// Software can be counted, whatever CPU it stands for.
const CPUID: &str = "GenuineIntel-6-8F-4";

pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub elapsed: Duration,
}

pub fn command() -> Command {
    of_program(Path::new(PMU))
}

/// The program may be a copy.
pub fn of_program(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("stat");
    command.env_remove("SYSFS_PATH").env("PERF_CPUID", CPUID).stdin(Stdio::null());
    ignoring(&mut command, &[]);
    command
}

pub fn run(arguments: &[&str]) -> Run {
    finish(command().args(arguments))
}

pub fn finish(command: &mut Command) -> Run {
    let start = Instant::now();
    let Output { status, stdout, stderr } = command.output().expect("stat runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    let elapsed = start.elapsed();
    Run { code: status.code(), out: text(stdout), err: text(stderr), elapsed }
}

/// A run that has to be permitted to count. Where nobody may, it must say so;
/// there is nothing else to be seen of it then.
#[track_caller]
pub fn counted(arguments: &[&str]) -> Option<Run> {
    let run = run(arguments);
    if rights() > Rights::Nothing {
        return Some(run);
    }
    assert_refused(&run);
    None
}

/// That it says what this machine forbids.
#[track_caller]
pub fn assert_refused(run: &Run) {
    if rights::has_no_counters() {
        assert!(run.err.contains("not supported"), "{}", run.err);
    } else {
        assert_eq!((run.code, run.out.as_str()), (Some(125), ""), "{}", run.err);
        assert!(run.err.starts_with("pmu stat: `"), "{}", run.err);
        assert!(run.err.contains("`: not permitted"), "{}", run.err);
    }
}

/// The objects of `--json`, without what is said of a delay or of control.
pub fn objects(text: &str) -> Vec<Value> {
    text.lines().filter(|line| !line.starts_with("Event")).map(object).collect()
}

fn object(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))
}

pub fn number(value: &Value) -> f64 {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value}"))
}

/// What a run shows in intervals, and how long it took. Its command naps until
/// enough has been shown, however long that takes under load.
#[track_caller]
pub fn in_intervals(
    arguments: &[&str],
    mut is_enough: impl FnMut(&Value) -> bool,
) -> (Vec<Value>, Duration) {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mark = scratch.join(format!("stat-enough-{:?}", std::thread::current().id()));
    // What an earlier run may have left.
    let _ = std::fs::remove_file(&mark);
    let start = Instant::now();
    let naps = "while [ ! -e \"$0\" ]; do sleep 0.01; done";
    let mut child = command()
        .args(["--json"].iter().chain(arguments).chain(&["sh", "-c", naps]))
        .arg(&mark)
        .stderr(Stdio::piped())
        .spawn()
        .expect("stat runs");
    let err = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut all = Vec::new();
    for line in err.lines() {
        let object = object(&line.expect("the output is UTF-8"));
        if is_enough(&object) {
            std::fs::write(&mark, "").expect("the scratch directory can be written");
        }
        all.push(object);
    }
    let status = child.wait().expect("it is a child");
    std::fs::remove_file(&mark).expect("it was written");
    assert_eq!(status.code(), Some(0), "{arguments:?}");
    (all, start.elapsed())
}
