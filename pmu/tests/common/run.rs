//! The command, in an environment that says nothing.

use std::process::{Command, Output, Stdio};

#[cfg(unix)]
mod signals;

pub const PMU: &str = env!("CARGO_BIN_EXE_pmu");

pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// What the environment of the tests says must not matter, nor which signals they ignore.
pub fn command() -> Command {
    let mut command = Command::new(PMU);
    for variable in ["PERF_CPUID", "SYSFS_PATH", "PROCFS_PATH", "COLUMNS", "NO_COLOR", "TERM"] {
        command.env_remove(variable);
    }
    #[cfg(unix)]
    signals::ignoring(&mut command, &[]);
    command.stdin(Stdio::null());
    command
}

pub fn finish(command: &mut Command) -> Run {
    let Output { status, stdout, stderr } = command.output().expect("pmu runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}
