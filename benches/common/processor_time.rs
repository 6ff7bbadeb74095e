//! The time that the processor has spent on this thread, in user and kernel mode.

use std::time::Duration;

pub fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "Linux has this clock");
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}
