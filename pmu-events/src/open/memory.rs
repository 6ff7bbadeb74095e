//! Mappings of memory and of files.

use core::ptr::{self, NonNull};
use std::io;
use std::os::fd::RawFd;

pub(crate) fn page_size() -> usize {
    // SAFETY: the call asks for a number and touches no memory.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// Maps the beginning of a file, or memory that is 0.
pub(crate) fn map(
    length: usize,
    rights: libc::c_int,
    flags: libc::c_int,
    file: RawFd,
) -> io::Result<NonNull<u8>> {
    // SAFETY: the kernel chooses a place where nothing is, so that no memory of ours changes.
    let place = unsafe { libc::mmap(ptr::null_mut(), length, rights, flags, file, 0) };
    if place == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // The kernel gives nobody the address 0 unasked.
    NonNull::new(place.cast()).ok_or_else(|| io::ErrorKind::AddrNotAvailable.into())
}

/// # Safety
///
/// The place comes from [`map`] in this process, with this length, and nothing refers to it any
/// more.
pub(crate) unsafe fn unmap(place: NonNull<u8>, length: usize) {
    // SAFETY: the caller says that the mapping is ours, and how long it is. It can only fail for
    // want of memory; then it stays.
    unsafe { libc::munmap(place.as_ptr().cast(), length) };
}
