//! `pmu report` and `pmu script` of recordings that are damaged: they end by themselves, in little
//! memory, with an answer or one sentence. The fuzz target `recordings` has more time for it.
#![cfg(target_os = "linux")]

use std::fs;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[path = "../../fuzz/src/command_lines.rs"]
mod command_lines;
#[path = "../../tests/common/damaged.rs"]
mod damaged;
#[path = "common/run.rs"]
#[allow(dead_code)]
mod run;

use command_lines::{REPORTS, SCRIPTS};
use run::{Run, command, finish};

/// What is at the border of something: of lengths, kinds and flags.
const BYTES: &[u8] = b"\0\x01\x02\x07\x08\x09\x10\x45\x50\x7f\x80\xfe\xff";

#[test]
fn answers_to_damaged_recordings() {
    const COPIES: usize = 300;
    /// How many command lines read each file.
    const ASKED: usize = 3;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/recordings");
    let seeds = damaged::seeds(&corpus);
    let lines: Vec<(&str, &str)> = SCRIPTS
        .iter()
        .map(|words| ("script", *words))
        .chain(REPORTS.iter().map(|words| ("report", *words)))
        .collect();
    // Seeds are asked everything, others take turns.
    let all: Vec<(Vec<u8>, Vec<(&str, &str)>)> = seeds
        .iter()
        .map(|seed| (seed.clone(), lines.clone()))
        .chain(damaged::copies(&seeds, BYTES, COPIES).enumerate().map(|(n, data)| {
            let asked = (0..ASKED).map(|turn| lines[(n * ASKED + turn) % lines.len()]);
            (data, asked.collect())
        }))
        .collect();
    let directory = std::env::temp_dir().join(format!("pmu-damaged-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("it can be made");
    let (next, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for n in 0..threads {
            let (directory, all, next, answered) = (&directory, &all, &next, &answered);
            scope.spawn(move || {
                let file = directory.join(n.to_string());
                while let Some((data, asked)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    fs::write(&file, data).expect("it can be written");
                    for (name, words) in asked {
                        // Paths in a file must not lead to the programs of this machine.
                        let mut command = command();
                        command.arg(name).arg("--input").arg(&file).arg("--symfs").arg(directory);
                        let run = finish(limited(&mut command).args(words.split_whitespace()));
                        let what = data.escape_ascii();
                        hold(&run, &file)
                            .unwrap_or_else(|why| panic!("{name} {words}: {why}: {what}"));
                        answered.fetch_add(usize::from(run.code == Some(0)), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let _ = fs::remove_dir_all(&directory);
    // Most files still say something.
    let answered = answered.into_inner();
    assert!(answered > COPIES, "{answered}");
}

/// In little time and memory.
fn limited(command: &mut Command) -> &mut Command {
    const MEMORY: u64 = 1 << 30;
    const SECONDS: u64 = 10;
    let limit = |what, most| {
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: it reads the limit.
        match unsafe { libc::setrlimit(what, &raw const limit) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    let limits = move || {
        limit(libc::RLIMIT_AS, MEMORY)?;
        limit(libc::RLIMIT_CPU, SECONDS)
    };
    // SAFETY: both are system calls.
    unsafe { command.pre_exec(limits) }
}

/// There is an answer, or a sentence.
fn hold(run: &Run, file: &Path) -> Result<(), String> {
    let lines = run.err.lines();
    if lines.clone().any(|line| !line.starts_with("pmu ") || line.len() > 1000) {
        return Err(run.err.clone());
    }
    // Parts of the recording need the times of its samples.
    let says = |line: &str| line.contains(&*file.to_string_lossy()) || line.contains("`--time ");
    match run.code {
        Some(0) => Ok(()),
        Some(1) if lines.clone().any(says) => Ok(()),
        other => Err(format!("{other:?}: {}", run.err)),
    }
}
