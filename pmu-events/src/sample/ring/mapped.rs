//! The buffer that the kernel writes records into: all of the `unsafe` that sampling needs.

use core::ptr::NonNull;
use core::slice;
use core::sync::atomic::{AtomicU64, Ordering};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::Arc;
use std::time::Duration;
use std::vec::Vec;

use super::Ready;
use crate::open::memory::{map, page_size, unmap};
use crate::open::{Counter, Owner};

/// `data_head` and `data_tail` of `struct perf_event_mmap_page`.
const HEAD: usize = 1024;
const TAIL: usize = 1032;

/// A mapped buffer: a page that describes it, and the data, whose length is a power of two.
///
/// The kernel writes records at the head, and never where there is something between tail and
/// head (`__perf_output_begin` in `kernel/events/ring_buffer.c`, which drops the record
/// instead). So these bytes belong to the program until it moves the tail, which takes `&mut`.
#[derive(Debug)]
pub(in crate::sample) struct Mapped {
    place: NonNull<u8>,
    /// Of the data, in bytes.
    size: usize,
    owner: Arc<Owner>,
}

// SAFETY: the mapping belongs to the value and stays until it is dropped, on whatever thread;
// what the kernel changes in it is loaded as an atomic.
unsafe impl Send for Mapped {}
// SAFETY: as above; only `&mut self` lets the kernel write where `&self` may read.
unsafe impl Sync for Mapped {}

impl Mapped {
    /// Maps the buffer of a counter, with so many pages of data: a power of two.
    pub(in crate::sample) fn new(
        counter: &Counter,
        pages: usize,
        owner: &Arc<Owner>,
    ) -> io::Result<Self> {
        debug_assert!(pages.is_power_of_two());
        let size = pages.checked_mul(page_size()).filter(|&size| size < isize::MAX as usize / 2);
        let size = size.ok_or(io::ErrorKind::InvalidInput)?;
        // Written to, so that the kernel heeds the tail and overwrites nothing.
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        let place = map(page_size() + size, rights, libc::MAP_SHARED, counter.as_raw_fd())?;
        Ok(Mapped { place, size, owner: owner.clone() })
    }

    fn position(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: the page is longer than the offset, a multiple of 8, and stays until `self`
        // is dropped. Kernel and program only load and store this word as a whole.
        unsafe { AtomicU64::from_ptr(self.place.as_ptr().add(offset).cast()) }
    }

    /// Returns the bytes that are ready, in one piece or two; `None` if the kernel says that there
    /// are more than the buffer holds, which it never does.
    pub(in crate::sample) fn ready(&self) -> Option<Ready<'_>> {
        // In a child process nothing is mapped here, or something else.
        if !self.owner.is_process() {
            return Some([&[], &[]]);
        }
        // Acquires what the kernel wrote before it moved the head
        // (`perf_output_put_handle`).
        let head = self.position(HEAD).load(Ordering::Acquire);
        // Only this program writes it.
        let tail = self.position(TAIL).load(Ordering::Relaxed);
        let length = usize::try_from(head.wrapping_sub(tail)).ok()?;
        if length > self.size {
            return None;
        }
        let from = tail as usize & (self.size - 1);
        let first = length.min(self.size - from);
        // SAFETY: the data begin behind the page and are `size` bytes long; `from + first` is not
        // more than that, nor is `length - first`, which is at their beginning. The bytes are
        // between tail and head, where the kernel does not write until the tail moves, for which
        // `release` needs the exclusive borrow that ends these. Any byte is a valid `u8`.
        unsafe {
            let data = self.place.as_ptr().add(page_size());
            Some([
                slice::from_raw_parts(data.add(from), first),
                slice::from_raw_parts(data, length - first),
            ])
        }
    }

    /// Gives so many of the ready bytes back to the kernel.
    pub(in crate::sample) fn release(&mut self, length: usize) {
        let Some([first, second]) = self.ready() else {
            return self.skip();
        };
        let length = length.min(first.len() + second.len());
        if length > 0 {
            let tail = self.position(TAIL);
            let end = tail.load(Ordering::Relaxed).wrapping_add(length as u64);
            // Releases the loads from what the kernel may now overwrite.
            tail.store(end, Ordering::Release);
        }
    }

    /// Gives everything back.
    fn skip(&mut self) {
        let head = self.position(HEAD).load(Ordering::Acquire);
        self.position(TAIL).store(head, Ordering::Release);
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        if self.owner.is_process() {
            // SAFETY: it comes from `map` in this process, as was just asked, with this length,
            // and nothing borrows from it any more.
            unsafe { unmap(self.place, page_size() + self.size) };
        }
    }
}

/// Waits until one of the files has something to read; returns for each whether it has, and
/// whether its other end is gone.
pub(in crate::sample) fn wait(
    files: &[BorrowedFd<'_>],
    longest: Option<Duration>,
) -> io::Result<Vec<(bool, bool)>> {
    let of = |file: &BorrowedFd<'_>| libc::pollfd {
        fd: file.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    let mut polled: Vec<libc::pollfd> = files.iter().map(of).collect();
    // Rounded up, so that a short time is not none.
    let milliseconds = longest.map_or(-1, |longest| {
        i32::try_from(longest.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX)
    });
    // SAFETY: the pointer and the number are those of the vector.
    let ready =
        unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, milliseconds) };
    if ready < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
        polled.iter_mut().for_each(|file| file.revents = 0);
    }
    let has = |file: &libc::pollfd, events| file.revents & events != 0;
    let ended = libc::POLLHUP | libc::POLLERR | libc::POLLNVAL;
    Ok(polled.iter().map(|file| (has(file, libc::POLLIN), has(file, ended))).collect())
}
