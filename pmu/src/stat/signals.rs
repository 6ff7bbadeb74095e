//! Signals that are waited for instead of interrupting.

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

/// The signal state that the command would have had without this program.
#[derive(Clone, Copy)]
pub(crate) struct Inherited {
    blocked: libc::sigset_t,
    ignores_child: bool,
}

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
    /// Blocks the signals that would end the program, and the one that says that
    /// the command may have ended, until they are waited for. Must be called
    /// while there is one thread: later threads inherit the mask.
    ///
    /// Signals that `nohup` or `env --ignore-signal` ignore stay ignored. Shells
    /// ignore SIGINT for background commands (POSIX, Shell Command Language,
    /// 2.11), and `kill -INT` is how scripts end a counter; so SIGINT is honoured
    /// there, too, unless it comes from a terminal.
    pub(crate) fn hold() -> Self {
        let mut set = MaybeUninit::uninit();
        let mut blocked = MaybeUninit::uninit();
        let ends = [libc::SIGTERM, libc::SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        let ignores_child = is_ignored(libc::SIGCHLD);
        // SAFETY: `sigemptyset` makes it a set, to which the others add, and
        // `pthread_sigmask` writes the other.
        let (set, blocked) = unsafe {
            // Otherwise the kernel would neither report a command's end nor keep
            // its status: `wait(2)`.
            if ignores_child {
                libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            }
            libc::sigemptyset(set.as_mut_ptr());
            for signal in ends.chain([libc::SIGINT, libc::SIGCHLD]) {
                libc::sigaddset(set.as_mut_ptr(), signal);
            }
            let set = set.assume_init();
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, blocked.as_mut_ptr());
            (set, blocked.assume_init())
        };
        let inherited = Inherited { blocked, ignores_child };
        Signals { set, ignores_interrupt: is_ignored(libc::SIGINT), inherited }
    }

    pub(crate) fn inherited(&self) -> Inherited {
        self.inherited
    }

    /// The next signal; `None` if the time is over, or something else arrived.
    pub(crate) fn wait(&self, longest: Duration) -> Option<Signal> {
        let time = libc::timespec {
            tv_sec: longest.as_secs().try_into().unwrap_or(libc::time_t::MAX),
            tv_nsec: longest.subsec_nanos().into(),
        };
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
