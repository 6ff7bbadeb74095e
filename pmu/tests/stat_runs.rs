//! When `pmu stat` runs what, and whom it counts, where perf has rules for it. What it counts here needs
//! no system call, so that every machine may.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)] // As above.
#[path = "common/stat.rs"]
mod stat;

const COUNTED: [&str; 2] = ["-e", "duration_time"];

fn scratch(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("runs-{name}"));
    let _ = fs::remove_file(&path);
    path.to_str().expect("the scratch directory's name is UTF-8").into()
}

fn send(child: &Child, signal: i32) {
    // SAFETY: it takes numbers; the process has not been waited for.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
}

/// Each run is shown when it has ended, until somebody ends that: one after the other, as a program
/// reads them that calibrates itself.
#[test]
fn repeated_forever() {
    let mut command = stat::command();
    command.args(COUNTED).args(["-j", "-r", "0", "true"]).stderr(Stdio::piped());
    let mut child = command.spawn().expect("stat runs");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    for _ in 0..5 {
        let line = lines.next().expect("it goes on").expect("it is text");
        let [object] = &stat::objects(&line)[..] else { panic!("{line}") };
        assert!(object.get("variance").is_none(), "each stands for itself: {line}");
        assert!(stat::number(&object["counter-value"]) > 0.0, "{line}");
    }
    send(&child, libc::SIGINT);
    let rest: Vec<String> = lines.map(|line| line.expect("it is text")).collect();
    assert!(rest.iter().all(|line| line.starts_with('{')), "{rest:?}");
    child.wait().expect("it is a child");
}

/// Around each run, as long as the command succeeds.
#[test]
fn hooks() {
    let path = scratch("hooks");
    let [pre, post] = ["pre", "post"].map(|word| format!("echo {word} >> '{path}'"));
    let work = |status: u8| format!("echo work >> '{path}'; exit {status}");
    let cases = [("2", 0, "pre work post pre work post ", 0), ("1", 3, "pre work ", 3)];
    for (times, status, expected, code) in cases {
        let _ = fs::remove_file(&path);
        let work = work(status);
        let hooks = ["-S", "--pre", &pre, "--post", &post, "-r", times, "sh", "-c", &work];
        let run = stat::run(&[&COUNTED[..], &hooks].concat());
        assert_eq!(run.code, Some(code), "{}", run.err);
        let done = fs::read_to_string(&path).expect("it is written").replace('\n', " ");
        assert_eq!(done, expected);
    }
    // Without the first, nothing runs; without the last, counts are shown nevertheless.
    let _ = fs::remove_file(&path);
    let run = stat::run(&[&COUNTED[..], &["--pre", "false", "touch", &path]].concat());
    assert_eq!((run.code, Path::new(&path).exists()), (Some(125), false), "{}", run.err);
    assert_eq!(run.err, "pmu stat: `--pre false`: exit status: 1\n");
    let run = stat::run(&[&COUNTED[..], &["-j", "--post", "kill $$", "true"]].concat());
    assert_eq!(run.code, Some(125), "{}", run.err);
    assert!(run.err.starts_with('{'), "{}", run.err);
    assert!(run.err.ends_with("pmu stat: `--post kill $$`: signal: 15 (SIGTERM)\n"), "{}", run.err);
}

/// Tasks override CPUs, and processes override threads.
#[test]
fn targets_that_exclude_each_other() {
    let me = std::process::id().to_string();
    let cases: [(&[&str], &str, &str); 4] = [
        (&["-p", &me, "-a"], "`-p` and `-t` override `-a`", "process id"),
        (&["-t", &me, "-C", "0"], "`-p` and `-t` override `-C`", "thread id"),
        (&["-p", &me, "-t", "1"], "`-p` overrides `-t`", "process id"),
        (&["-p", "1", "-p", &me], "", "process id"),
    ];
    for (target, note, counted) in cases {
        let run = stat::run(&[&COUNTED[..], target, &["true"]].concat());
        assert_eq!(run.code, Some(0), "{target:?}: {}", run.err);
        let note =
            if note.is_empty() { String::new() } else { format!("pmu stat: note: {note}\n") };
        let shown = format!("{note}\n Performance counter stats for {counted} '{me}'");
        assert!(run.err.starts_with(&shown), "{target:?}: {}", run.err);
    }
}

/// Without a command and a target, all CPUs are counted until an interrupt.
#[test]
fn nobody_in_particular() {
    let mut command = stat::command();
    command.args(COUNTED).args(["-I", "20"]).stderr(Stdio::piped());
    let mut child = command.spawn().expect("stat runs");
    let mut err = BufReader::new(child.stderr.take().expect("it is piped"));
    err.read_line(&mut String::new()).expect("it is text");
    send(&child, libc::SIGINT);
    let mut rest = String::new();
    err.read_to_string(&mut rest).expect("it is text");
    assert_eq!(child.wait().expect("it is a child").code(), Some(128 + libc::SIGINT), "{rest}");
    assert!(rest.contains("duration_time"), "{rest}");
}

/// The command lines of tools, with an event that every machine has: JMH's perfnorm profiler, and what
/// it runs first to see whether perf will do; rustc-perf; gungraun, without control.
#[test]
fn command_lines_of_tools() {
    let cases: [(&[&str], &str); 5] = [
        (&["--log-fd", "2", "--field-separator", ",", "echo", "1"], ",ns,duration_time,"),
        (
            &["--log-fd", "2", "--field-separator", ",", "--interval-print", "50", "sleep", "0.12"],
            ",ns,duration_time,",
        ),
        (
            &["--log-fd", "2", "--field-separator", ",", "--detailed", "--detailed", "true"],
            ",ns,duration_time,",
        ),
        (&["-x;", "true"], ";ns;duration_time;"),
        (&["--no-big-num", "-j", "-r", "1", "true"], "\"event\" : \"duration_time\""),
    ];
    for (arguments, expected) in cases {
        let run = stat::run(&[&COUNTED[..], arguments].concat());
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
    }
}

/// What tools write: abbreviated, negated, twice.
#[test]
fn options_as_perf_has_them() {
    let cases: [(&[&str], i32); 5] = [
        (&["--time", "60000", "true"], 0),
        (&["--delay=5", "--no-delay", "--interval-p", "10", "true"], 0),
        (&["-r", "9", "-r", "1", "--no-inherit", "--inherit", "true"], 0),
        (&["-I", "0", "--interval-count", "0", "--timeout", "0", "-D", "0", "true"], 0),
        (&["--no-null", "--no-verbose", "-i", "false"], 1),
    ];
    for (arguments, code) in cases {
        let run = stat::run(&[&COUNTED[..], arguments].concat());
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.err);
        assert!(run.err.contains("duration_time"), "{arguments:?}: {}", run.err);
        assert!(!run.err.contains("Events disabled"), "{arguments:?}: {}", run.err);
    }
}
