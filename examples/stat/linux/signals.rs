//! Signals that are waited for, instead of interrupting.

use std::mem::MaybeUninit;
use std::ptr;
use std::time::Duration;

/// What ends the program, and what says that the command may have ended.
const SIGNALS: [libc::c_int; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGCHLD];

pub(crate) struct Signals {
    set: libc::sigset_t,
}

pub(crate) struct Signal {
    pub(crate) number: i32,
    /// Whether a process sent it, to this one alone; what a terminal sends, the
    /// command gets, too.
    pub(crate) is_from_process: bool,
}

impl Signals {
    /// Holds them back until they are waited for. To be called while there is
    /// one thread: later ones have it from the first.
    pub(crate) fn hold() -> Self {
        let mut set = MaybeUninit::uninit();
        // SAFETY: `sigemptyset` makes it a set, to which the others add.
        let set = unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            for signal in SIGNALS {
                libc::sigaddset(set.as_mut_ptr(), signal);
            }
            let set = set.assume_init();
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, ptr::null_mut());
            set
        };
        Signals { set }
    }

    /// The next signal; none if the time is over, or something else came.
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
        (number > 0).then_some(Signal { number, is_from_process: about.si_code <= 0 })
    }
}

/// Lets a program that is about to start get all signals.
///
/// # Safety
///
/// For the one thread of a forked process.
pub(crate) unsafe fn release_all() {
    let mut none = MaybeUninit::uninit();
    // SAFETY: both are safe to call after a fork.
    unsafe {
        libc::sigemptyset(none.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
    }
}
