//! Waiting until a descriptor can be read or written.

use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind};

pub(crate) const READ: libc::c_short = libc::POLLIN;
pub(crate) const WRITE: libc::c_short = libc::POLLOUT;
/// Whether the other end is gone is always told.
pub(crate) const GONE: libc::c_short = 0;

/// What is waited for.
pub(crate) fn watched(file: &impl AsFd, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd: file.as_fd().as_raw_fd(), events, revents: 0 }
}

/// Whether something has happened before the time is over; without a time, waits for ever.
pub(crate) fn wait(all: &mut [libc::pollfd], until: Option<Instant>) -> Result<bool, Error> {
    loop {
        let milliseconds = match until {
            None => -1,
            Some(until) => rounded_up(until.saturating_duration_since(Instant::now())),
        };
        // SAFETY: the pointer and the number are those of the slice.
        let ready =
            unsafe { libc::poll(all.as_mut_ptr(), all.len() as libc::nfds_t, milliseconds) };
        if ready >= 0 {
            return Ok(ready > 0);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(Error::of_system(ErrorKind::Io, "descriptors cannot be waited for", error));
        }
    }
}

/// Less than a millisecond is not nothing.
fn rounded_up(time: Duration) -> libc::c_int {
    let milliseconds = time.as_nanos().div_ceil(1_000_000);
    libc::c_int::try_from(milliseconds).unwrap_or(libc::c_int::MAX)
}
