//! Long output page by page, by the program that the user has chosen
//! (`setup_pager` in `tools/lib/subcmd/pager.c`).

use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A pager, which begins when there is something to show.
pub(crate) struct Pager {
    command: OsString,
    running: Option<Running>,
}

struct Running {
    child: Child,
    /// What the signals of the keyboard did before.
    before: Vec<(libc::c_int, libc::sighandler_t)>,
}

impl Pager {
    /// The pager of the environment, unless the user wants none.
    pub(crate) fn of_environment() -> Option<Self> {
        let is_there = |path: &&str| Path::new(path).exists();
        let chosen = ["PERF_PAGER", "PAGER"].iter().find_map(env::var_os);
        let command = chosen.or_else(|| {
            let installed = ["/usr/bin/pager", "/usr/bin/less"].into_iter().find(is_there);
            installed.map(OsString::from)
        })?;
        let is_meant = !command.is_empty() && command != "cat";
        is_meant.then_some(Pager { command, running: None })
    }

    fn start(&mut self) -> io::Result<&mut Running> {
        if self.running.is_none() {
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(&self.command).stdin(Stdio::piped());
            if env::var_os("LESS").is_none() {
                // One screen is shown as it is, colours are, lines are cut, and what was shown
                // stays.
                shell.env("LESS", "FRSX");
            }
            let child = shell.spawn()?;
            // Pagers take an interrupt for a request to stop reading; the output goes on until they
            // end.
            let keys = [libc::SIGINT, libc::SIGQUIT];
            // SAFETY: a signal that is ignored runs no code.
            let ignore = |key| (key, unsafe { libc::signal(key, libc::SIG_IGN) });
            let before = keys.map(ignore).to_vec();
            self.running = Some(Running { child, before });
        }
        self.running.as_mut().ok_or_else(|| ErrorKind::BrokenPipe.into())
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.start()?.child.stdin {
            Some(pipe) => pipe.write(bytes),
            None => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Pager {
    /// Waits until the user has seen enough.
    fn drop(&mut self) {
        if let Some(Running { mut child, before }) = self.running.take() {
            drop(child.stdin.take());
            let _ = child.wait();
            for (key, action) in before {
                // SAFETY: the action is the one that the kernel had for the signal.
                unsafe { libc::signal(key, action) };
            }
        }
    }
}
