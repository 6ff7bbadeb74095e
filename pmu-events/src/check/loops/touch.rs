//! The first touch of memory.
//!
//! The memory comes from the kernel, not from the program's allocator: some allocators write zeros
//! into new memory themselves, and keep memory that was touched before.

/// Writes once into each page of memory that was just mapped.
#[cfg(target_os = "linux")]
pub(super) fn touch(pages: usize) {
    use crate::open::memory::{map, unmap};

    /// Of no architecture that Linux supports is a page smaller.
    const PAGE: usize = 4096;
    let length = pages * PAGE;
    let (rights, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // Without memory, there are no faults, which the check says.
    let Ok(place) = map(length, rights, flags, -1) else { return };
    for page in 0..pages {
        // SAFETY: the byte is within the mapping, which is writable and which nothing else refers to.
        unsafe { place.add(page * PAGE).write_volatile(1) };
    }
    // SAFETY: the mapping is the one above, and has this length.
    unsafe { unmap(place, length) };
}

/// Does nothing: nothing counts it.
#[cfg(not(target_os = "linux"))]
pub(super) fn touch(_pages: usize) {}
