//! Descriptors that a user names by their numbers.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};

use crate::error::{Error, ErrorKind};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Need {
    Read,
    Write,
}

/// A copy of a descriptor, which neither closes that one nor reaches programs that are started.
pub(crate) fn copy_of(number: i32, need: Need) -> Result<File, Error> {
    let message = |what: &str| format!("descriptor {number} is not open{what}");
    // SAFETY: it takes numbers, and only asks.
    let flags = unsafe { libc::fcntl(number, libc::F_GETFL) };
    if flags < 0 {
        let error = io::Error::last_os_error();
        return Err(Error::of_system(ErrorKind::Descriptor, message(""), error));
    }
    match (need, flags & libc::O_ACCMODE) {
        (Need::Read, libc::O_WRONLY) => {
            return Err(Error::new(ErrorKind::Descriptor, message(" for reading")));
        }
        (Need::Write, libc::O_RDONLY) => {
            return Err(Error::new(ErrorKind::Descriptor, message(" for writing")));
        }
        _ => {}
    }
    // SAFETY: it takes numbers; the new descriptor is nobody else's.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) };
    if copy < 0 {
        let error = io::Error::last_os_error();
        let message = format!("descriptor {number} cannot be copied");
        return Err(Error::of_system(ErrorKind::Descriptor, message, error));
    }
    // SAFETY: as above.
    Ok(unsafe { File::from_raw_fd(copy) })
}

/// Whether reading returns where nothing has been written yet.
pub(crate) fn is_non_blocking(file: &File) -> bool {
    // SAFETY: the descriptor is open; it only asks.
    let flags = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETFL) };
    flags >= 0 && flags & libc::O_NONBLOCK != 0
}
