//! What happens before and after each run (`run_perf_stat` in `tools/perf/builtin-stat.c`).

use std::process::Command;

use crate::stat::args::Hooks;
use crate::stat::failure::Failure;

impl Hooks {
    pub(crate) fn before(&self) -> Result<(), Failure> {
        if let Some(command) = &self.pre {
            shell("--pre", command)?;
        }
        if self.sync {
            // SAFETY: it has no arguments and cannot fail.
            unsafe { libc::sync() };
        }
        Ok(())
    }

    /// After a command that succeeded.
    pub(crate) fn after(&self) -> Result<(), Failure> {
        self.post.as_deref().map_or(Ok(()), |command| shell("--post", command))
    }
}

/// As `system(3)` does.
fn shell(option: &str, command: &str) -> Result<(), Failure> {
    let why = match Command::new("/bin/sh").arg("-c").arg(command).status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => format!("/bin/sh cannot be run: {error}"),
    };
    Err(Failure::Cannot(format!("`{option} {command}`: {why}")))
}
