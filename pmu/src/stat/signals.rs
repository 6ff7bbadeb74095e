//! Signals that are waited for instead of interrupting.

use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

/// The signal state that the command would have had without this program.
#[derive(Clone, Copy)]
pub(crate) struct Inherited {
    blocked: libc::sigset_t,
    ignores_child: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Signals {
    set: libc::sigset_t,
    ignores_interrupt: bool,
    inherited: Inherited,
}

pub(crate) struct Signal {
    pub(crate) number: i32,
    /// Whether a process sent it, to this one only; a signal from a terminal
    /// also reaches the command.
    pub(crate) is_from_process: bool,
}

impl Signals {
    /// The signals that would end the program, and the one that says that the command
    /// may have ended. They still do what they did before, until they are
    /// [held](Self::hold).
    ///
    /// Signals that `nohup` or `env --ignore-signal` ignore stay ignored. Shells
    /// ignore SIGINT for background commands (POSIX, Shell Command Language,
    /// 2.11), and `kill -INT` is how scripts end a counter; so SIGINT is honoured
    /// there, too, unless it comes from a terminal.
    pub(crate) fn new() -> Self {
        let mut blocked = MaybeUninit::uninit();
        let ends = [libc::SIGTERM, libc::SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        let ignores_child = is_ignored(libc::SIGCHLD);
        let ignores_interrupt = is_ignored(libc::SIGINT);
        let set: Vec<libc::c_int> = ends.chain([libc::SIGINT, libc::SIGCHLD]).collect();
        // SAFETY: `pthread_sigmask` only writes the mask.
        let blocked = unsafe {
            // Otherwise the kernel would neither report a command's end nor keep
            // its status: `wait(2)`.
            if ignores_child {
                libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), blocked.as_mut_ptr());
            blocked.assume_init()
        };
        if ignores_interrupt {
            // What is ignored and not blocked would be lost, and with it the request of
            // a script that is faster than the start.
            block(&set_of(&[libc::SIGINT]));
        }
        let inherited = Inherited { blocked, ignores_child };
        Signals { set: set_of(&set), ignores_interrupt, inherited }
    }

    /// Blocks the signals until they are waited for: from now on there are counts to
    /// show, or a command that outlives the program. Before that, a signal ends the
    /// program as any other.
    pub(crate) fn hold(&self) {
        block(&self.set);
    }

    pub(crate) fn inherited(&self) -> Inherited {
        self.inherited
    }

    /// A file that can be read when there is a signal to wait for.
    pub(crate) fn file(&self) -> io::Result<OwnedFd> {
        // SAFETY: it takes a set; the file is nobody else's.
        match unsafe { libc::signalfd(-1, &raw const self.set, libc::SFD_CLOEXEC) } {
            ..0 => Err(io::Error::last_os_error()),
            // SAFETY: as above.
            file => Ok(unsafe { OwnedFd::from_raw_fd(file) }),
        }
    }

    /// The next signal; `None` if the time is over, or something else arrived.
    pub(crate) fn wait(&self, longest: Duration) -> Option<Signal> {
        let time = timespec(longest);
        let mut about = MaybeUninit::<libc::siginfo_t>::zeroed();
        // SAFETY: all three are what they should be; zeros are a `siginfo_t`.
        let (number, about) = unsafe {
            let number =
                libc::sigtimedwait(&raw const self.set, about.as_mut_ptr(), &raw const time);
            (number, about.assume_init())
        };
        let is_from_process = about.si_code <= 0;
        let is_ignored = number == libc::SIGINT && self.ignores_interrupt && !is_from_process;
        (number > 0 && !is_ignored).then_some(Signal { number, is_from_process })
    }
}

/// Waits until one of the files can be read or its other end is gone, and tells which are.
pub(crate) fn readable(files: [BorrowedFd<'_>; 2], longest: Duration) -> io::Result<[bool; 2]> {
    let watched = |file: BorrowedFd<'_>| libc::pollfd {
        fd: file.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    let mut files = files.map(watched);
    let time = timespec(longest);
    // SAFETY: the pointers are those of the array, of a time, and none of a set.
    let ready = unsafe {
        libc::ppoll(files.as_mut_ptr(), files.len() as libc::nfds_t, &raw const time, ptr::null())
    };
    match io::Error::last_os_error() {
        error if ready < 0 && error.kind() != io::ErrorKind::Interrupted => Err(error),
        _ if ready < 0 => Ok([false; 2]),
        _ => Ok(files.map(|file| file.revents != 0)),
    }
}

fn timespec(time: Duration) -> libc::timespec {
    libc::timespec {
        // Of a type that has 32 bits in some C libraries, and whose name some of them deprecate.
        tv_sec: time.as_secs().try_into().unwrap_or(i32::MAX.into()),
        tv_nsec: time.subsec_nanos().into(),
    }
}

fn set_of(signals: &[libc::c_int]) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` makes it a set, to which the others are added.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for &signal in signals {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

/// Blocks signals in this thread, and in those that it starts from now on.
fn block(set: &libc::sigset_t) {
    // SAFETY: it takes a set.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const *set, ptr::null_mut()) };
}

fn is_ignored(signal: libc::c_int) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: it only asks; zeros are a `sigaction`.
    unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

impl Inherited {
    /// For a program that is about to start.
    ///
    /// # Safety
    ///
    /// For the one thread of a forked process.
    pub(crate) unsafe fn restore(self) {
        // SAFETY: both are safe to call after a fork.
        unsafe {
            if self.ignores_child {
                libc::signal(libc::SIGCHLD, libc::SIG_IGN);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.blocked, ptr::null_mut());
        }
    }
}

/// What a signal is called.
pub(crate) fn description(signal: i32) -> String {
    // SAFETY: it takes a number, and returns a text or nothing. No other thread asks.
    let text = unsafe { libc::strsignal(signal) };
    if text.is_null() {
        return format!("signal {signal}");
    }
    // SAFETY: the text stays until the next call.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The status of a process of its own that does this.
    fn status_of(run: impl Fn() -> i32) -> i32 {
        // SAFETY: the new process has one thread, which ends in `run` or after it.
        unsafe {
            let process = libc::fork();
            if process == 0 {
                for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
                    libc::signal(signal, libc::SIG_DFL);
                }
                libc::_exit(run());
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(process, &raw mut status, 0), process);
            status
        }
    }

    fn raise(signal: i32) {
        // SAFETY: it takes a number.
        unsafe { libc::raise(signal) };
    }

    /// A signal ends the program until counting starts, and is waited for from then on.
    #[test]
    fn signals_are_held_while_something_is_counted() {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let before = status_of(|| {
                let _signals = Signals::new();
                raise(signal);
                0
            });
            assert!(libc::WIFSIGNALED(before) && libc::WTERMSIG(before) == signal, "{before:#x}");
            let after = status_of(|| {
                let signals = Signals::new();
                signals.hold();
                raise(signal);
                signals.wait(Duration::ZERO).map_or(0, |signal| signal.number)
            });
            assert!(libc::WIFEXITED(after) && libc::WEXITSTATUS(after) == signal, "{after:#x}");
        }
    }

    /// What a script sends to a program in the background arrives, however early.
    #[test]
    fn an_ignored_interrupt_is_kept_from_the_beginning() {
        let status = status_of(|| {
            // SAFETY: it takes numbers.
            unsafe { libc::signal(libc::SIGINT, libc::SIG_IGN) };
            let signals = Signals::new();
            // SAFETY: as above; unlike `raise`, it is from a process.
            unsafe { libc::kill(libc::getpid(), libc::SIGINT) };
            signals.hold();
            signals.wait(Duration::ZERO).map_or(0, |signal| signal.number)
        });
        assert!(
            libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == libc::SIGINT,
            "{status:#x}"
        );
    }
}
