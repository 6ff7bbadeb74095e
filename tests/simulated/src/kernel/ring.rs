//! The buffer that a program has mapped, as the kernel writes it
//! (`kernel/events/ring_buffer.c`).

use core::ptr;
use core::sync::atomic::{AtomicU64, Ordering};

/// `data_head` and `data_tail` of `struct perf_event_mmap_page`.
const HEAD: usize = 1024;
const TAIL: usize = 1032;
/// `data_offset` and `data_size`
const OFFSET: usize = 1040;
const SIZE: usize = 1048;

/// A page that describes the buffer, and the data behind it.
#[derive(Debug)]
pub(super) struct Ring {
    /// The address of the page.
    base: usize,
    page: usize,
    /// Of the data, in bytes.
    size: usize,
    /// Where the head was when a reader was last woken.
    woken: u64,
    /// How many records it had no room for since the last one.
    pub(super) lost: u64,
}

impl Ring {
    /// # Safety
    ///
    /// So many bytes are mapped there, can be written, and stay until the value is dropped.
    pub(super) unsafe fn new(base: usize, page: usize, length: usize) -> Self {
        let ring = Ring { base, page, size: length - page, woken: 0, lost: 0 };
        ring.word(OFFSET).store(page as u64, Ordering::Relaxed);
        ring.word(SIZE).store(ring.size as u64, Ordering::Relaxed);
        ring
    }

    pub(super) fn base(&self) -> usize {
        self.base
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        let place = ptr::with_exposed_provenance_mut(self.base + offset);
        // SAFETY: the page is mapped, and the offset is a multiple of 8 within it.
        unsafe { AtomicU64::from_ptr(place) }
    }

    /// Whether there is room for so many bytes: the kernel never overwrites what was not read
    /// (`__perf_output_begin`).
    pub(super) fn has_room(&self, length: usize) -> bool {
        let head = self.word(HEAD).load(Ordering::Relaxed);
        let used = head.wrapping_sub(self.word(TAIL).load(Ordering::Acquire));
        used + length as u64 <= self.size as u64
    }

    /// Writes a record for which there is room.
    pub(super) fn write(&mut self, record: &[u8]) {
        let head = self.word(HEAD).load(Ordering::Relaxed);
        let from = head as usize & (self.size - 1);
        let first = record.len().min(self.size - from);
        let data = self.base + self.page;
        for (place, bytes) in [(data + from, &record[..first]), (data, &record[first..])] {
            let place = ptr::with_exposed_provenance_mut::<u8>(place);
            // SAFETY: both parts lie within the data, and the program leaves alone what is
            // behind the head.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) };
        }
        self.word(HEAD).store(head + record.len() as u64, Ordering::Release);
    }

    /// Whether a reader is to be woken: half of the buffer has been written since the last time.
    pub(super) fn wakes(&mut self) -> bool {
        let head = self.word(HEAD).load(Ordering::Relaxed);
        let is_due = head - self.woken > self.size as u64 / 2;
        if is_due {
            self.woken = head;
        }
        is_due
    }
}
