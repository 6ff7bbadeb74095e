//! Whole processes: how long they take, how much memory, how many system calls.

use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub struct Side {
    pub name: &'static str,
    pub program: PathBuf,
}

impl Side {
    pub fn stat(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("stat").env("LC_ALL", "C").stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

pub struct Ended {
    pub time: Duration,
    pub peak_kilobytes: i64,
}

pub fn ended(side: &Side, arguments: &[&str]) -> Ended {
    let mut command = side.stat();
    command.args(arguments).stderr(Stdio::null());
    let start = Instant::now();
    // `wait4` waits for it, and says what it used.
    #[allow(clippy::zombie_processes)]
    let child = command.spawn().expect("it runs");
    let (mut status, mut usage) = (0, MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the process is a child that nobody else waits for; zeros are a `rusage`.
    let usage = unsafe {
        libc::wait4(child.id() as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr());
        usage.assume_init()
    };
    let time = start.elapsed();
    assert_eq!(status, 0, "{}: {arguments:?}", side.name);
    Ended { time, peak_kilobytes: usage.ru_maxrss as i64 }
}

/// The system calls of a program and its children, as strace counts them.
pub fn calls(side: &Side, arguments: &[&str], scratch: &Path) -> usize {
    let trace = scratch.join("trace");
    let status = Command::new("strace")
        .args(["-f", "-qq", "-e", "signal=none", "-o"])
        .arg(&trace)
        .arg(&side.program)
        .arg("stat")
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("strace runs").success(), "{}: {arguments:?}", side.name);
    let text = std::fs::read_to_string(trace).expect("strace has written it");
    // The second half of a call that another process interrupted is no other call.
    text.lines().filter(|line| !line.contains(" resumed>")).count()
}
