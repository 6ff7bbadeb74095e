//! What happens before and after each run (`run_perf_stat` in `tools/perf/builtin-stat.c`).

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use crate::stat::args::Hooks;
use crate::stat::failure::Failure;
use crate::stat::signals::{Inherited, Signals};

impl Hooks {
    pub(crate) fn before(&self, signals: &Signals) -> Result<(), Failure> {
        if let Some(command) = &self.pre {
            shell("--pre", command, signals.inherited())?;
        }
        if self.sync {
            // SAFETY: it has no arguments and cannot fail.
            unsafe { libc::sync() };
        }
        Ok(())
    }

    /// After a command that succeeded.
    pub(crate) fn after(&self, signals: &Signals) -> Result<(), Failure> {
        self.post.as_deref().map_or(Ok(()), |command| shell("--post", command, signals.inherited()))
    }
}

/// As `system(3)` does.
fn shell(option: &str, command: &str, inherited: Inherited) -> Result<(), Failure> {
    let mut shell = Command::new("/bin/sh");
    let restore = move || {
        // SAFETY: this is the one thread of a forked process.
        unsafe { inherited.restore() };
        Ok(())
    };
    // SAFETY: between fork and exec it makes only system calls.
    unsafe { shell.pre_exec(restore) };
    let why = match shell.arg("-c").arg(command).status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => format!("/bin/sh cannot be run: {error}"),
    };
    Err(Failure::Cannot(format!("`{option} {command}`: {why}")))
}
