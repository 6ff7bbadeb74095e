//! The command: started, but held back until its counters are open.

use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::stat::signals::Signals;

/// A process that waits for permission to become the command.
pub(crate) struct Waiting {
    id: u32,
    leave: PipeWriter,
    /// `spawn` returns when the command runs, or fails to.
    starter: JoinHandle<io::Result<Child>>,
}

/// A process that has become the command.
pub(crate) struct Running {
    id: libc::pid_t,
}

/// How the command ended.
pub(crate) struct End {
    /// Its exit status, or 128 plus the signal.
    pub(crate) code: u8,
    /// The signal that ended it.
    pub(crate) signal: Option<i32>,
    pub(crate) user: Duration,
    pub(crate) system: Duration,
}

impl Waiting {
    /// An error is one of this program: whether the command can be run is known
    /// only by [`go`](Self::go).
    pub(crate) fn start(command: &[OsString], signals: Signals) -> io::Result<Waiting> {
        let (mut ids, mut id_writer) = io::pipe()?;
        let (mut leave_reader, leave) = io::pipe()?;
        let mut starting = Command::new(&command[0]);
        starting.args(&command[1..]);
        let writing_end = leave.as_raw_fd();
        let inherited = signals.inherited();
        let wait = move || {
            // SAFETY: this is the one thread of a forked process.
            unsafe { inherited.restore() };
            wait_for_leave(&mut id_writer, &mut leave_reader, writing_end);
            Ok(())
        };
        // SAFETY: between fork and exec it makes only system calls, without
        // heap or locks.
        unsafe { starting.pre_exec(wait) };
        let starter = thread::spawn(move || {
            // They are for the thread that waits for them.
            signals.hold();
            starting.spawn()
        });
        let mut id = [0; 4];
        match ids.read_exact(&mut id) {
            Ok(()) => Ok(Waiting { id: u32::from_ne_bytes(id), leave, starter }),
            // It ended before it wrote anything.
            Err(error) => {
                drop(leave);
                match started(starter) {
                    Err(why) => Err(why),
                    Ok(mut child) => child.wait().and(Err(error)),
                }
            }
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Lets it become the command. An error says why that failed.
    pub(crate) fn go(mut self) -> io::Result<Running> {
        // Nobody listens if someone has ended it; its status says so.
        let _ = self.leave.write_all(&[1]);
        let child = started(self.starter)?;
        Ok(Running { id: child.id() as libc::pid_t })
    }

    /// Ends it instead.
    pub(crate) fn give_up(self) {
        let Waiting { leave, starter, .. } = self;
        drop(leave);
        let _ = started(starter).and_then(|mut child| child.wait());
    }
}

fn started(starter: JoinHandle<io::Result<Child>>) -> io::Result<Child> {
    starter.join().map_err(|_| io::Error::other("it cannot be started"))?
}

/// Runs in the new process. Returns if it may become the command, and ends it if
/// nobody is left who could allow it.
fn wait_for_leave(ids: &mut PipeWriter, leave: &mut PipeReader, writing_end: RawFd) {
    // Otherwise it would wait for itself, with no other writer left.
    // SAFETY: this process has a copy of its own, which nothing else uses.
    unsafe { libc::close(writing_end) };
    // SAFETY: it has no arguments and cannot fail.
    let id = unsafe { libc::getpid() };
    let may_go = ids.write_all(&id.to_ne_bytes()).and_then(|()| leave.read_exact(&mut [0]));
    if may_go.is_err() {
        // An error would be reported to the program that started it, which may be gone:
        // the standard library aborts with a message then.
        // SAFETY: it takes a number, and runs nothing of the forked program.
        unsafe { libc::_exit(1) };
    }
}

impl Running {
    /// Whether it has ended; its `/proc` files can still be read then.
    pub(crate) fn has_ended(&self) -> bool {
        let mut about = MaybeUninit::<libc::siginfo_t>::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: zeros are a `siginfo_t`, and stay where nothing has ended.
        unsafe {
            let id = self.id as libc::id_t;
            libc::waitid(libc::P_PID, id, about.as_mut_ptr(), flags) != 0
                || about.assume_init().si_pid() != 0
        }
    }

    pub(crate) fn send(&self, signal: i32) {
        // SAFETY: it takes numbers; the process has not been waited for.
        unsafe { libc::kill(self.id, signal) };
    }

    /// Waits for its end.
    pub(crate) fn end(self) -> End {
        let mut status = 0;
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: both are written; zeros are a `rusage`.
        let usage = unsafe {
            while libc::wait4(self.id, &raw mut status, 0, usage.as_mut_ptr()) < 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
            usage.assume_init()
        };
        let signal = libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status));
        let code = match signal {
            Some(signal) => 128 + signal,
            None => libc::WEXITSTATUS(status),
        };
        let duration = |time: libc::timeval| {
            Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
        };
        let code = u8::try_from(code).unwrap_or(u8::MAX);
        End { code, signal, user: duration(usage.ru_utime), system: duration(usage.ru_stime) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever has no such child, because somebody else has waited for it, does not wait
    /// forever.
    #[test]
    fn the_end_of_nobody() {
        let mut child = Command::new("true").spawn().expect("it runs");
        let id = child.id() as libc::pid_t;
        child.wait().expect("it is a child");
        let end = Running { id }.end();
        assert_eq!((end.code, end.user, end.system), (0, Duration::ZERO, Duration::ZERO));
    }
}
