//! The functions of the C library behind those of the same name here.

use core::ffi::{CStr, c_char, c_int, c_long, c_ulong, c_void};
use core::mem::transmute;
use std::sync::LazyLock;

type Syscall =
    unsafe extern "C" fn(c_long, c_long, c_long, c_long, c_long, c_long, c_long) -> c_long;
type Open = unsafe extern "C" fn(*const c_char, c_int, libc::mode_t) -> c_int;
type Read = unsafe extern "C" fn(c_int, *mut c_void, usize) -> isize;
type Ioctl = unsafe extern "C" fn(c_int, c_ulong, c_ulong) -> c_int;
type Close = unsafe extern "C" fn(c_int) -> c_int;
type ClockGettime = unsafe extern "C" fn(c_int, *mut libc::timespec) -> c_int;
type Getrusage = unsafe extern "C" fn(c_int, *mut libc::rusage) -> c_int;
type Gettid = unsafe extern "C" fn() -> c_int;
type Sigtimedwait = unsafe extern "C" fn(
    *const libc::sigset_t,
    *mut libc::siginfo_t,
    *const libc::timespec,
) -> c_int;
type Waitid =
    unsafe extern "C" fn(libc::idtype_t, libc::id_t, *mut libc::siginfo_t, c_int) -> c_int;
type Mmap =
    unsafe extern "C" fn(*mut c_void, usize, c_int, c_int, c_int, libc::off_t) -> *mut c_void;
type Munmap = unsafe extern "C" fn(*mut c_void, usize) -> c_int;
type Poll = unsafe extern "C" fn(*mut libc::pollfd, libc::nfds_t, c_int) -> c_int;
type GetAffinity = unsafe extern "C" fn(libc::pid_t, usize, *mut libc::cpu_set_t) -> c_int;
type SetAffinity = unsafe extern "C" fn(libc::pid_t, usize, *const libc::cpu_set_t) -> c_int;

pub(super) struct Real {
    pub(super) syscall: Syscall,
    pub(super) open64: Open,
    pub(super) read: Read,
    pub(super) ioctl: Ioctl,
    pub(super) close: Close,
    pub(super) clock_gettime: ClockGettime,
    pub(super) getrusage: Getrusage,
    pub(super) gettid: Gettid,
    pub(super) sigtimedwait: Sigtimedwait,
    pub(super) waitid: Waitid,
    pub(super) mmap: Mmap,
    pub(super) munmap: Munmap,
    pub(super) poll: Poll,
    pub(super) sched_getaffinity: GetAffinity,
    pub(super) sched_setaffinity: SetAffinity,
}

pub(super) static REAL: LazyLock<Real> = LazyLock::new(|| {
    // SAFETY: each is a function of the C library with this signature; a variadic one is
    // called with integers alone, which all calling conventions of Linux pass alike.
    unsafe {
        Real {
            syscall: transmute::<*mut c_void, Syscall>(next(c"syscall")),
            open64: transmute::<*mut c_void, Open>(next(c"open64")),
            read: transmute::<*mut c_void, Read>(next(c"read")),
            ioctl: transmute::<*mut c_void, Ioctl>(next(c"ioctl")),
            close: transmute::<*mut c_void, Close>(next(c"close")),
            clock_gettime: transmute::<*mut c_void, ClockGettime>(next(c"clock_gettime")),
            getrusage: transmute::<*mut c_void, Getrusage>(next(c"getrusage")),
            gettid: transmute::<*mut c_void, Gettid>(next(c"gettid")),
            sigtimedwait: transmute::<*mut c_void, Sigtimedwait>(next(c"sigtimedwait")),
            waitid: transmute::<*mut c_void, Waitid>(next(c"waitid")),
            mmap: transmute::<*mut c_void, Mmap>(next(c"mmap")),
            munmap: transmute::<*mut c_void, Munmap>(next(c"munmap")),
            poll: transmute::<*mut c_void, Poll>(next(c"poll")),
            sched_getaffinity: transmute::<*mut c_void, GetAffinity>(next(c"sched_getaffinity")),
            sched_setaffinity: transmute::<*mut c_void, SetAffinity>(next(c"sched_setaffinity")),
        }
    }
});

fn next(name: &CStr) -> *mut c_void {
    // SAFETY: the name ends with NUL.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    if found.is_null() {
        // Whoever called needs the answer; there is none.
        std::process::abort();
    }
    found
}
