//! How `pmu stat` ends: by signals that were ignored or not when it began,
//! and where nothing can be written. What it counts here needs no system call,
//! so that every machine may.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)] // As above.
#[path = "common/stat.rs"]
mod stat;

const SIGNALS: [i32; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGCHLD];

fn stat(ignored: &'static [i32], arguments: &[&str]) -> Command {
    let mut command = stat::command();
    command.args(["-e", "duration_time"]).args(arguments).stderr(Stdio::piped());
    stat::ignoring(&mut command, ignored);
    command
}

fn send(child: &Child, signal: i32) {
    let id = libc::pid_t::try_from(child.id()).expect("the kernel gave it");
    // SAFETY: it takes numbers; the process has not been waited for.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

/// The lines of standard error.
fn lines(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let err = BufReader::new(child.stderr.take().expect("it is piped"));
    err.lines().map(|line| line.expect("the output is UTF-8"))
}

/// Without a command: it is over at once, or it goes on as if nothing had come.
#[test]
fn signals_without_a_command() {
    use libc::{SIGHUP, SIGINT, SIGTERM};
    let cases: [(&'static [i32], i32, bool); 7] = [
        (&[], SIGINT, true),
        (&[], SIGTERM, true),
        (&[], SIGHUP, true),
        // As `nohup` does.
        (&[SIGHUP], SIGHUP, false),
        (&[SIGTERM], SIGTERM, false),
        // As shells do for what is in the background.
        (&[SIGINT], SIGINT, true),
        (&[SIGINT, SIGHUP], SIGTERM, true),
    ];
    for (ignored, signal, is_the_end) in cases {
        let mut child = stat(ignored, &["-a", "-I", "10"]).spawn().expect("stat runs");
        let mut lines = lines(&mut child);
        // It shows a head and a line: it has begun to wait for signals.
        lines.by_ref().take(2).for_each(drop);
        send(&child, signal);
        let mut last = signal;
        if !is_the_end {
            assert_eq!(lines.by_ref().take(20).count(), 20, "{ignored:?} {signal}");
            assert_eq!(child.try_wait().expect("it is a child"), None, "{ignored:?} {signal}");
            last = SIGINT;
            send(&child, last);
        }
        lines.for_each(drop);
        let status = child.wait().expect("it is a child");
        assert_eq!(status.code(), Some(128 + last), "{ignored:?} {signal}: {status}");
    }
}

/// With one, the signal is the command's, and a second one ends it.
#[test]
fn signals_with_a_command() {
    const READY: [&str; 3] = ["sh", "-c", "echo ready; exec sleep 600"];
    let cases: [(&'static [i32], &[i32], i32); 4] = [
        (&[], &[libc::SIGINT], 128 + libc::SIGINT),
        (&[], &[libc::SIGHUP], 128 + libc::SIGHUP),
        (&[libc::SIGCHLD], &[libc::SIGTERM], 128 + libc::SIGTERM),
        // The command ignores it as well.
        (&[libc::SIGINT], &[libc::SIGINT, libc::SIGINT], 128 + libc::SIGKILL),
    ];
    for (ignored, signals, code) in cases {
        let mut command = stat(ignored, &READY);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("stat runs");
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        let ready = out.lines().next().map(|line| line.expect("the output is UTF-8"));
        assert_eq!(ready.as_deref(), Some("ready"));
        let status = loop {
            // Of two that are the same, the second is lost until the first has
            // been taken.
            signals.iter().for_each(|&signal| send(&child, signal));
            if signals.len() == 1 {
                break child.wait().expect("it is a child");
            }
            if let Some(status) = child.try_wait().expect("it is a child") {
                break status;
            }
            std::thread::yield_now();
        };
        assert_eq!(status.code(), Some(code), "{ignored:?} {signals:?}: {status}");
        let shown: Vec<String> = lines(&mut child).collect();
        assert!(shown.iter().any(|line| line.contains("duration_time")), "{shown:?}");
    }
}

/// The kernel does not report the end of children to a process that ignores SIGCHLD.
#[test]
fn an_ignored_sigchld() {
    let cases: [(&'static [i32], &[&str], &str); 3] = [
        (&[libc::SIGCHLD], &["sh", "-c", "exit 7"], ""),
        (&[libc::SIGCHLD], &["-r", "3", "sh", "-c", "exit 7"], "(3 runs)"),
        (&[], &["sh", "-c", "exit 7"], ""),
    ];
    for (ignored, arguments, shown) in cases {
        let output = stat(ignored, arguments).output().expect("stat runs");
        let err = String::from_utf8(output.stderr).expect("the output is UTF-8");
        assert_eq!(output.status.code(), Some(7), "{arguments:?} {err}");
        assert!(err.contains("duration_time") && err.contains(shown), "{err}");
    }
}

/// The command has what it would have without `stat`.
#[test]
fn what_the_command_inherits() {
    let cases: [&'static [i32]; 4] =
        [&[], &[libc::SIGCHLD], &[libc::SIGINT, libc::SIGHUP], &SIGNALS];
    for ignored in cases {
        let output = stat(ignored, &["cat", "/proc/self/status"]).output().expect("stat runs");
        let out = String::from_utf8(output.stdout).expect("the output is UTF-8");
        let bits = |field: &str| {
            let line = out.lines().find_map(|line| line.strip_prefix(field));
            u64::from_str_radix(line.expect("Linux shows it").trim(), 16).expect("it is a number")
        };
        let of =
            |signals: &[i32]| signals.iter().fold(0, |bits, signal| bits | 1_u64 << (signal - 1));
        assert_eq!(bits("SigIgn:") & of(&SIGNALS), of(ignored), "{ignored:?}");
        assert_eq!(bits("SigBlk:"), 0, "{ignored:?}");
    }
}

/// Where the counts go.
enum Output {
    /// A full disk.
    Full,
    /// A pipe from which nobody reads.
    Unread,
}

/// Runs it where it cannot write; gives its status, and whether a command had
/// ended by then.
fn unwritable(output: &Output, arguments: &[&str], mark: &Path) -> (ExitStatus, String, bool) {
    // What an earlier run may have left.
    let _ = fs::remove_file(mark);
    let mut command = stat(&[], &[]);
    if let Output::Full = output {
        command.args(["-o", "/dev/full"]);
    }
    let mut child = command.args(arguments).spawn().expect("stat runs");
    let mut err = String::new();
    let mut pipe = child.stderr.take().expect("it is piped");
    match output {
        Output::Full => drop(pipe.read_to_string(&mut err).expect("it can be read")),
        Output::Unread => drop(pipe),
    }
    let status = child.wait().expect("it is a child");
    (status, err, mark.exists())
}

#[test]
fn output_that_cannot_be_written() {
    let mark = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stat-has-run");
    let path = mark.to_str().expect("the scratch directory's name is UTF-8");
    // Its standard error would be the pipe, too.
    let work = format!("sleep 0.2; echo > '{path}'; exit 5");
    let command = ["sh", "-c", &work];
    let full = "pmu stat: cannot write: No space left on device (os error 28)\n";
    let late = format!("Events disabled\nEvents enabled\n{full}");
    let cases: [(&[&str], Output, i32, &str); 6] = [
        (&["-I", "10"], Output::Full, 125, full),
        (&["-I", "10"], Output::Unread, 5, ""),
        (&["-I", "10", "-D", "10"], Output::Full, 125, &late),
        // What is shown only at the end.
        (&["-I", "100000"], Output::Unread, 5, ""),
        (&[], Output::Full, 125, full),
        (&[], Output::Unread, 5, ""),
    ];
    for (arguments, output, code, message) in cases {
        let (status, err, has_run) = unwritable(&output, &[arguments, &command].concat(), &mark);
        assert_eq!((status.code(), err.as_str()), (Some(code), message), "{arguments:?}");
        assert!(has_run, "{arguments:?}: the command was waited for");
    }
    // Nothing is left to do without a command.
    let all = ["-a", "-I", "10"];
    let (status, err, _) = unwritable(&Output::Full, &all, &mark);
    assert_eq!((status.code(), err.as_str()), (Some(125), full));
    let (status, ..) = unwritable(&Output::Unread, &all, &mark);
    assert_eq!(status.code(), Some(0));
}

/// Whether a process has a child, which may be a zombie.
fn has_child(parent: u32) -> bool {
    let is_child = |process: &fs::DirEntry| {
        // The name of the program, in parentheses, may have any character.
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let behind = stat.rsplit_once(") ").map_or("", |(_, behind)| behind);
        behind.split(' ').nth(1) == Some(&parent.to_string())
    };
    let processes = fs::read_dir("/proc").expect("it is mounted");
    processes.filter_map(Result::ok).any(|process| is_child(&process))
}

/// The process that would become the command ends with `stat`, in silence.
#[test]
fn killed_before_the_command_starts() {
    let (mut reader, mut writer) = io::pipe().expect("a pipe opens");
    // SAFETY: it takes numbers; the pipe is open.
    let size = unsafe { libc::fcntl(writer.as_raw_fd(), libc::F_GETPIPE_SZ) };
    let filled = vec![b'.'; usize::try_from(size).expect("it has a size")];
    writer.write_all(&filled).expect("there is room");
    // With `-v`, it says how the events are open before it releases the command, and
    // waits for ever where nobody reads that.
    let mut child = stat(&[], &["-v", "true"]).stderr(writer).spawn().expect("stat runs");
    while !has_child(child.id()) {
        assert_eq!(child.try_wait().expect("it is a child"), None);
        std::thread::yield_now();
    }
    child.kill().expect("it has not been waited for");
    let status = child.wait().expect("it is a child");
    let mut said = Vec::new();
    reader.read_to_end(&mut said).expect("the last writer has ended");
    let said = String::from_utf8_lossy(&said[filled.len()..]).into_owned();
    assert_eq!((status.code(), said.as_str()), (None, ""), "{status}");
}

/// A command that was never tried is not what fails.
#[test]
fn too_few_files() {
    let refused = "pmu stat: cannot start a process for `true`: Too many open files (os error \
                   24); `ulimit -n` raises the limit\n";
    let cases: [(libc::rlim_t, i32, &str); 6] = [
        (4, 125, refused),
        (5, 125, refused),
        (6, 125, refused),
        (7, 125, refused),
        (8, 125, refused),
        (64, 0, ""),
    ];
    for (most, code, message) in cases {
        let mut command = stat(&[], &["true"]);
        let limit = move || {
            // What these tests were started with must not matter.
            // SAFETY: both take numbers or a limit, and may be called after a fork.
            unsafe {
                for file in 3..1024 {
                    libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC);
                }
                let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
                match libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) {
                    0 => Ok(()),
                    _ => Err(io::Error::last_os_error()),
                }
            }
        };
        // SAFETY: between fork and exec it makes only system calls.
        unsafe { command.pre_exec(limit) };
        let output = command.output().expect("stat runs");
        let err = String::from_utf8(output.stderr).expect("the output is UTF-8");
        let shown = if code == 0 { "" } else { &err };
        assert_eq!((output.status.code(), shown), (Some(code), message), "{most}: {err}");
    }
}
