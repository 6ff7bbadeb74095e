//! Reading the counters of a group without a system call.
//!
//! The kernel describes each counter in a page: which one it is, what must be added to its
//! value, and since when it counts. It changes the page whenever the event gets or loses a
//! counter, and then counts a sequence number up, before and after. A reader takes the number,
//! the fields and the counter, and the number again: if both are even and equal, all of them
//! belong together. In a group, this must hold for all pages at once.
//!
//! This module knows neither memory nor instructions, so the same code runs on pages that the
//! kernel maps, on recorded ones, and in a model checker (`tests/reads`).

use super::layout;

/// The page of an event, and the CPU that counts it.
pub(super) trait Page {
    /// Loads 32 bits, in one piece.
    fn load_u32(&self, offset: usize) -> u32;

    /// Loads 64 bits, in one piece.
    fn load_u64(&self, offset: usize) -> u64;

    /// Keeps the loads before it from those after it (acquire).
    fn fence(&self);

    /// Reads a counter by its number; `None` if no instruction does that.
    fn counter(&self, number: u32) -> Option<u64>;

    /// Reads the clock whose ticks the page converts.
    fn clock(&self) -> u64;
}

/// What is read of one event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) value: u64,
    sequence: u32,
}

/// For how long a group was enabled, and had its counters, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) enabled: u64,
    pub(crate) running: u64,
}

/// Why there is no count.
enum Stop {
    /// The page changed meanwhile.
    Changed,
    /// Only the kernel can tell the count.
    Refused,
}

/// How often a read is tried: each change is a switch of tasks or of counters, so few of them
/// follow each other at once.
pub(super) const ATTEMPTS: usize = 8;

/// Reads the events of a group, the leader's page first, and returns the leader's times, as
/// `perf_read_group` in `kernel/events/core.c` does. `None` if the kernel must be asked: an
/// event has no counter, or none that an instruction reads, or the pages kept changing.
#[inline(always)]
pub(super) fn read<P: Page>(pages: &[P], slots: &mut [Slot]) -> Option<Times> {
    for _ in 0..ATTEMPTS {
        match attempt(pages, slots) {
            Ok(times) => return Some(times),
            Err(Stop::Changed) => {}
            Err(Stop::Refused) => return None,
        }
    }
    None
}

/// Part of each reader: for a group of one, nothing of its loops is left.
#[inline(always)]
fn attempt<P: Page>(pages: &[P], slots: &mut [Slot]) -> Result<Times, Stop> {
    let leader = pages.first().ok_or(Stop::Refused)?;
    let slots = slots.get_mut(..pages.len()).ok_or(Stop::Refused)?;
    for (page, slot) in pages.iter().zip(&mut *slots) {
        slot.sequence = page.load_u32(layout::SEQUENCE);
        if !slot.sequence.is_multiple_of(2) {
            return Err(Stop::Changed);
        }
    }
    leader.fence();
    for (page, slot) in pages.iter().zip(&mut *slots) {
        slot.value = value(page).ok_or(Stop::Refused)?;
    }
    let times = times(leader).ok_or(Stop::Refused)?;
    leader.fence();
    for (page, slot) in pages.iter().zip(&*slots) {
        if page.load_u32(layout::SEQUENCE) != slot.sequence {
            return Err(Stop::Changed);
        }
    }
    Ok(times)
}

/// The count of an event that has a counter. Without one, the page does not tell: the offset
/// of an event that the kernel counts in software, or reads itself, is not up to date.
#[inline(always)]
fn value(page: &impl Page) -> Option<u64> {
    let number = page.load_u32(layout::INDEX).checked_sub(1)?;
    let has = page.load_u64(layout::CAPABILITIES) & layout::NEEDED;
    let width = page.load_u64(layout::CONVERSION) & 0xffff;
    if has != layout::NEEDED || !(1..=64).contains(&width) {
        return None;
    }
    // The bits above the width are the sign: a counter may have started below 0, to overflow
    // in time.
    let unused = 64 - width;
    let counted = (page.counter(number)? << unused).cast_signed() >> unused;
    Some(page.load_u64(layout::OFFSET).wrapping_add_signed(counted))
}

/// The times until now of an event that has a counter: what the clock has gone on since the
/// kernel changed the page belongs to both.
#[inline(always)]
fn times(page: &impl Page) -> Option<Times> {
    let mut clock = page.clock();
    if page.load_u64(layout::CAPABILITIES) & layout::SHORT_CLOCK != 0 {
        let cycles = page.load_u64(layout::TIME_CYCLES);
        clock = cycles.wrapping_add(clock.wrapping_sub(cycles) & page.load_u64(layout::TIME_MASK));
    }
    let conversion = page.load_u64(layout::CONVERSION);
    let (shift, factor) = (conversion >> 16 & 0xffff, conversion >> 32);
    if shift >= 64 {
        return None;
    }
    // Of the number of nanoseconds, 64 bits; the offset brings it to the kernel's clock.
    let product = u128::from(clock) * u128::from(factor);
    let (low, high) = (product as u64, (product >> 64) as u64);
    let converted = low >> shift | high << 1 << (63 - shift);
    let since = page.load_u64(layout::TIME_OFFSET).wrapping_add(converted);
    // A clock that is behind the kernel's does not tell.
    if since.cast_signed() < 0 {
        return None;
    }
    Some(Times {
        enabled: page.load_u64(layout::TIME_ENABLED).wrapping_add(since),
        running: page.load_u64(layout::TIME_RUNNING).wrapping_add(since),
    })
}
