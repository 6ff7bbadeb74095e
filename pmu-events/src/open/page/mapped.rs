//! Pages that the kernel maps, and the instructions that read counters: the `unsafe` of reads
//! without a system call.

use core::arch::asm;
use core::ptr::NonNull;
use core::slice;
use core::sync::atomic::{self, AtomicU32, AtomicU64, Ordering};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::vec::Vec;

use super::protocol::{self, Page, Slot, Times};
use crate::open::memory::{map, page_size, unmap};
use crate::open::{Counter, Owner};

/// The mapped pages of a group, the leader's first.
#[derive(Debug)]
pub(in crate::open) struct Pages {
    owner: Arc<Owner>,
    pages: Vec<Mapped>,
}

/// A mapped page.
#[derive(Debug)]
struct Mapped(NonNull<u8>);

// SAFETY: the page belongs to the value, is only loaded from, as atomics, and stays until the
// value is dropped, on whatever thread.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl Pages {
    /// Maps the pages of counters of `owner`; `None` if one of them cannot be mapped, such as
    /// when the user may not lock more memory (`perf_event_mlock_kb`).
    pub(in crate::open) fn map<'c>(
        owner: &Arc<Owner>,
        counters: impl Iterator<Item = &'c Counter>,
    ) -> Option<Self> {
        Pages::of_files(owner, counters.map(Counter::as_raw_fd))
    }

    fn of_files(owner: &Arc<Owner>, files: impl Iterator<Item = RawFd>) -> Option<Self> {
        // What was mapped before one that cannot be is unmapped with it.
        let mut mapped = Pages { owner: owner.clone(), pages: Vec::new() };
        for file in files {
            let page = map(page_size(), libc::PROT_READ, libc::MAP_SHARED, file).ok()?;
            mapped.pages.push(Mapped(page));
        }
        Some(mapped)
    }

    /// Reads the counters without a system call, and returns a slot for each of them; `None` if the
    /// kernel must be asked. There may be more slots, of larger groups.
    #[inline(never)]
    pub(in crate::open) fn read<'s>(
        &self,
        slots: &'s mut Vec<Slot>,
    ) -> Option<(&'s [Slot], Times)> {
        if !self.owner.is_here() {
            return None;
        }
        if slots.len() < self.pages.len() {
            self.make_room(slots);
        }
        let slots = &mut slots[..self.pages.len()];
        let times = protocol::read(&self.pages, slots)?;
        Some((slots, times))
    }

    /// Reads the counter of a group of one.
    #[inline(never)]
    pub(in crate::open) fn read_alone(&self) -> Option<(Slot, Times)> {
        let [page] = self.pages.as_slice() else { return None };
        if !self.owner.is_here() {
            return None;
        }
        let mut slots = [Slot::default()];
        let times = protocol::read(slice::from_ref(page), &mut slots)?;
        Some((slots[0], times))
    }

    #[cold]
    #[inline(never)]
    fn make_room(&self, slots: &mut Vec<Slot>) {
        slots.resize(self.pages.len(), Slot::default());
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if !self.owner.is_process() {
            return;
        }
        for Mapped(page) in self.pages.drain(..) {
            // SAFETY: it comes from `map` in this process, as was just asked, and nothing else
            // refers to it.
            unsafe { unmap(page, page_size()) };
        }
    }
}

impl Page for Mapped {
    #[inline]
    fn load_u32(&self, offset: usize) -> u32 {
        debug_assert!(offset.is_multiple_of(4) && offset < 1024);
        // SAFETY: a page is longer than `offset`, which is one of `layout` and so a multiple of
        // 4, and it stays until `self` is dropped. This process only loads from it, and a
        // relaxed load of this size is one of memory that may be read alone.
        let field = unsafe { AtomicU32::from_ptr(self.0.as_ptr().add(offset).cast()) };
        field.load(Ordering::Relaxed)
    }

    #[inline]
    fn load_u64(&self, offset: usize) -> u64 {
        debug_assert!(offset.is_multiple_of(8) && offset < 1024);
        // SAFETY: as above, with a multiple of 8.
        let field = unsafe { AtomicU64::from_ptr(self.0.as_ptr().add(offset).cast()) };
        field.load(Ordering::Relaxed)
    }

    #[inline]
    fn fence(&self) {
        atomic::fence(Ordering::Acquire);
    }

    #[inline]
    fn counter(&self, number: u32) -> Option<u64> {
        counter(number)
    }

    #[inline]
    fn clock(&self) -> u64 {
        clock()
    }
}

/// RDPMC; the number of a fixed counter has bit 30. With bit 29 it is that of
/// `PERF_METRICS`, whose four parts are no count (`x86_pmu_event_idx`).
#[cfg(target_arch = "x86_64")]
#[inline]
fn counter(number: u32) -> Option<u64> {
    if number & 1 << 29 != 0 {
        return None;
    }
    let (low, high): (u64, u64);
    // SAFETY: the instruction writes these two registers and no memory. Where the kernel does
    // not allow it, it raises a signal and has no effect. Without `nomem`, no load moves across.
    unsafe {
        asm!("rdpmc", in("ecx") number, out("rax") low, out("rdx") high,
            options(nostack, preserves_flags));
    }
    Some(high << 32 | low)
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn clock() -> u64 {
    // SAFETY: every x86-64 has the instruction, which touches no memory.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// A `match` over numbers, because the number of a register is part of the instruction.
#[cfg(any(target_arch = "aarch64", target_arch = "riscv64"))]
macro_rules! register {
    ($number:expr, $before:literal, $after:literal, [$($n:literal)*]) => {
        match $number {
            $($n => {
                let value: u64;
                // SAFETY: the instruction writes one register and no memory. Where the kernel
                // does not allow it, it raises a signal and has no effect. Without `nomem`, no
                // load moves across.
                unsafe {
                    asm!(concat!($before, $n, $after), out(reg) value,
                        options(nostack, preserves_flags));
                }
                Some(value)
            })*
            _ => None,
        }
    };
}

/// The event counters, and the cycle counter as number 31 (`armv8pmu_user_event_idx`).
#[cfg(target_arch = "aarch64")]
#[inline]
fn counter(number: u32) -> Option<u64> {
    if number == 31 {
        let value: u64;
        // SAFETY: as for the others, in `register`.
        unsafe {
            asm!("mrs {}, pmccntr_el0", out(reg) value, options(nostack, preserves_flags));
        }
        return Some(value);
    }
    register!(number, "mrs {}, pmevcntr", "_el0", [
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
    ])
}

#[cfg(target_arch = "aarch64")]
#[inline]
fn clock() -> u64 {
    let value: u64;
    // SAFETY: Linux lets programs read this register, as its vDSO does. It writes one register
    // and no memory.
    unsafe { asm!("mrs {}, cntvct_el0", out(reg) value, options(nostack, preserves_flags)) };
    value
}

/// `cycle`, `time`, `instret` and `hpmcounter3` to `hpmcounter31`, whose numbers begin at
/// 0xc00 (`pmu_sbi_csr_index`); `time` counts no event.
#[cfg(target_arch = "riscv64")]
#[inline]
fn counter(number: u32) -> Option<u64> {
    register!(number, "csrr {}, 0xc00 + ", "", [
        0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    ])
}

#[cfg(target_arch = "riscv64")]
#[inline]
fn clock() -> u64 {
    let value: u64;
    // SAFETY: Linux lets programs read this register, as its vDSO does. It writes one register
    // and no memory.
    unsafe { asm!("rdtime {}", out(reg) value, options(nostack, preserves_flags)) };
    value
}

#[cfg(test)]
mod tests {
    use super::super::layout;
    use super::*;
    use core::ptr;
    use std::fs::File;
    use std::io::{Read, Write};
    use std::os::fd::FromRawFd;
    use std::thread;

    /// A file that can be mapped like that of a counter.
    fn file(fields: &[(usize, u64)]) -> File {
        let mut page = std::vec![0; page_size()];
        for &(offset, word) in fields {
            page[offset..offset + 8].copy_from_slice(&word.to_le_bytes());
        }
        // SAFETY: the name ends with NUL, and the descriptor is new and nobody else's.
        let mut file = unsafe { File::from_raw_fd(libc::memfd_create(c"page".as_ptr(), 0)) };
        file.write_all(&page).unwrap();
        file
    }

    fn pages(owner: &Arc<Owner>, files: &[&File]) -> Option<Pages> {
        Pages::of_files(owner, files.iter().map(|file| file.as_raw_fd()))
    }

    #[test]
    fn fields_of_pages() {
        let owner = Owner::new().unwrap();
        let one = file(&[(layout::SEQUENCE, 0x7_0000_0004), (layout::OFFSET, u64::MAX - 1)]);
        let two = file(&[(layout::TIME_MASK, 5)]);
        let pages = pages(&owner, &[&one, &two]).unwrap();
        let [one, two] = &pages.pages[..] else { panic!("{pages:?}") };
        assert_eq!((one.load_u32(layout::SEQUENCE), one.load_u32(layout::INDEX)), (4, 7));
        assert_eq!(
            (one.load_u64(layout::OFFSET), two.load_u64(layout::TIME_MASK)),
            (u64::MAX - 1, 5)
        );
        // They have no counters.
        assert_eq!(pages.read(&mut Vec::new()), None);
    }

    /// A counter that no instruction reads is refused, not asked for.
    #[test]
    fn counters_that_there_are_not() {
        for number in [1 << 29, 1 << 29 | 1, u32::MAX] {
            assert_eq!(counter(number), None, "{number:#x}");
        }
    }

    /// If one page cannot be mapped, none stays mapped.
    #[test]
    fn files_that_cannot_be_mapped() {
        let owner = Owner::new().unwrap();
        let (page, null) = (file(&[]), File::open("/dev/null").unwrap());
        assert!(pages(&owner, &[&page, &null]).is_none());
        assert!(pages(&owner, &[&page]).is_some());
        assert_eq!(Arc::strong_count(&owner), 1);
    }

    /// Only the thread whose counters they are may read them.
    #[test]
    fn other_threads() {
        let owner = Owner::new().unwrap();
        let pages = pages(&owner, &[&file(&[])]).unwrap();
        assert!(owner.is_here());
        thread::scope(|scope| {
            let is_there = scope.spawn(|| (owner.is_here(), owner.is_process())).join().unwrap();
            assert_eq!(is_there, (false, true));
        });
        // Wherever they are dropped.
        thread::spawn(move || drop(pages)).join().unwrap();
    }

    /// A child process neither reads them nor unmaps what may be in their place.
    #[test]
    fn child_processes() {
        let owner = Owner::new().unwrap();
        let pages = pages(&owner, &[&file(&[(layout::OFFSET, 9)])]).unwrap();
        let mut ends = [0; 2];
        // SAFETY: it writes two descriptors.
        assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
        // SAFETY: the child runs on alone, with an allocator that survives `fork` (as glibc's and
        // musl's do), and ends without running what other threads have begun.
        match unsafe { libc::fork() } {
            0 => {
                let was_there = owner.is_process() || owner.is_here();
                // Unlike the page of a counter, that of a file is still there.
                let page = pages.pages[0].0;
                drop(pages);
                let kept = Mapped(page).load_u64(layout::OFFSET) == 9;
                let answer = [u8::from(was_there), u8::from(kept)];
                // SAFETY: the buffer has this length; the process ends without running anything.
                unsafe {
                    libc::write(ends[1], answer.as_ptr().cast(), answer.len());
                    libc::_exit(0);
                }
            }
            child => {
                assert!(child > 0);
                // SAFETY: this descriptor is of the pipe, and closed nowhere else.
                unsafe { libc::close(ends[1]) };
                // SAFETY: as above.
                let mut answers = unsafe { File::from_raw_fd(ends[0]) };
                let mut answer = Vec::new();
                answers.read_to_end(&mut answer).unwrap();
                // SAFETY: the child is ours; its status is not asked for.
                unsafe { libc::waitpid(child, ptr::null_mut(), 0) };
                assert_eq!(answer, [0, 1]);
                assert!(owner.is_here());
            }
        }
    }
}
