//! Whose a mapping is: that of a process, of which its children have no copy.

use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::Arc;

use super::memory::{map, page_size, unmap};

/// The thread that the kernel counts, in the process into which it mapped pages.
///
/// On another thread the counters would be those of another task. In a child process the
/// pages are not mapped (`VM_DONTCOPY` in `perf_mmap`), and something else may be there.
#[derive(Debug)]
pub(crate) struct Owner {
    /// A byte that is 1 here and 0 in child processes.
    mark: NonNull<u8>,
    thread: usize,
}

// SAFETY: `mark` points to memory that belongs to the value, is only loaded from once it is
// shared, as an atomic, and stays until the value is dropped, on whatever thread.
unsafe impl Send for Owner {}
// SAFETY: as above.
unsafe impl Sync for Owner {}

std::thread_local! {
    static THREAD: u8 = const { 0 };
}

/// A number that no other living thread has: where its own storage is. A thread that gets the
/// number of one that has ended finds the events of that one without counters.
#[inline]
fn this_thread() -> usize {
    THREAD.with(|own| ptr::from_ref(own).addr())
}

impl Owner {
    /// This thread; `None` before Linux 4.14, which cannot mark child processes.
    pub(crate) fn new() -> Option<Arc<Self>> {
        let (rights, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let mark = map(page_size(), rights, flags, -1).ok()?;
        // From here on, dropping it unmaps the page.
        let owner = Owner { mark, thread: this_thread() };
        // SAFETY: the page was just mapped and has this length; the request changes what a
        // child process finds in it, and nothing here.
        let wiped =
            unsafe { libc::madvise(mark.as_ptr().cast(), page_size(), libc::MADV_WIPEONFORK) };
        if wiped != 0 {
            return None;
        }
        // SAFETY: the page was just mapped to be written, and nobody else knows it.
        unsafe { mark.write(1) };
        Some(Arc::new(owner))
    }

    /// Whether this is the process in which the value was made, and not a child of it.
    #[inline]
    pub(crate) fn is_process(&self) -> bool {
        // SAFETY: the page stays until the value is dropped, is aligned for a byte, and nobody
        // writes while it is shared; the kernel wipes that of a child before the child runs.
        let mark = unsafe { AtomicU8::from_ptr(self.mark.as_ptr()) };
        mark.load(Ordering::Relaxed) == 1
    }

    /// Whether this is also the thread.
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")),
        allow(dead_code)
    )]
    #[inline]
    pub(super) fn is_here(&self) -> bool {
        self.thread == this_thread() && self.is_process()
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // SAFETY: it comes from `new`; a child process has inherited it; nothing else refers to
        // it.
        unsafe { unmap(self.mark, page_size()) };
    }
}
