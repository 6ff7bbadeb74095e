//! The signals of a command, which must not be those that the tests were started with.

use std::os::unix::process::CommandExt;
use std::process::Command;

/// Exactly these signals are ignored.
pub fn ignoring(command: &mut Command, ignored: &'static [i32]) {
    let set = move || {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGCHLD] {
            let action = if ignored.contains(&signal) { libc::SIG_IGN } else { libc::SIG_DFL };
            // SAFETY: it takes numbers, and may be called after a fork.
            unsafe { libc::signal(signal, action) };
        }
        // What hangs ends this way, instead of the test never.
        // SAFETY: as above.
        unsafe { libc::alarm(300) };
        Ok(())
    };
    // SAFETY: between fork and exec it makes only system calls.
    unsafe { command.pre_exec(set) };
}
