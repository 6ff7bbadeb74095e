//! Whether this process is a child that `fork` made: its counters are still those of the parent.

/// Knows the process in which it was made.
#[derive(Debug)]
pub(super) struct ForkMark {
    #[cfg(target_os = "linux")]
    page: Option<page::Page>,
    process: u32,
}

impl ForkMark {
    pub(super) fn new() -> Self {
        ForkMark {
            #[cfg(target_os = "linux")]
            page: page::Page::new(),
            process: std::process::id(),
        }
    }

    pub(super) fn is_in_child(&self) -> bool {
        // A system call at the beginning and end of each region would be counted.
        #[cfg(target_os = "linux")]
        if let Some(page) = &self.page {
            return page.is_wiped();
        }
        std::process::id() != self.process
    }
}

#[cfg(target_os = "linux")]
mod page {
    use core::ptr::{self, NonNull};
    use core::sync::atomic::{AtomicU8, Ordering};

    /// A page that a child finds empty (`MADV_WIPEONFORK`, since Linux 4.14).
    #[derive(Debug)]
    pub(super) struct Page {
        first: NonNull<AtomicU8>,
        size: usize,
    }

    // SAFETY: the page belongs to the value, and is only accessed by an atomic.
    unsafe impl Send for Page {}
    // SAFETY: as above.
    unsafe impl Sync for Page {}

    impl Page {
        pub(super) fn new() -> Option<Self> {
            // SAFETY: it only returns a number.
            let size = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            // SAFETY: a new mapping, where the kernel has room.
            let at = unsafe { libc::mmap(ptr::null_mut(), size, access, kind, -1, 0) };
            if at == libc::MAP_FAILED {
                return None;
            }
            let page = Page { first: NonNull::new(at.cast())?, size };
            // SAFETY: the whole mapping, which is private and anonymous.
            if unsafe { libc::madvise(at, size, libc::MADV_WIPEONFORK) } != 0 {
                return None;
            }
            page.first().store(1, Ordering::Relaxed);
            Some(page)
        }

        fn first(&self) -> &AtomicU8 {
            // SAFETY: the mapping is as long as the value, and any byte is a valid `AtomicU8`.
            unsafe { self.first.as_ref() }
        }

        pub(super) fn is_wiped(&self) -> bool {
            self.first().load(Ordering::Relaxed) == 0
        }
    }

    impl Drop for Page {
        fn drop(&mut self) {
            // SAFETY: the mapping of `new`, to which nothing refers any more.
            unsafe { libc::munmap(self.first.as_ptr().cast(), self.size) };
        }
    }
}
