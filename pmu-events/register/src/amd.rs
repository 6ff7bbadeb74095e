//! Registers of AMD cores (AMD64 APM, volume 2, 13.2.1 “Performance Counters”;
//! used the same way in `arch/x86/events/amd/core.c`).
//!
//! Use it on AMD's cores.

use super::{Control, Error, Fault, Write, is_core};
use pmu_events_core::event::CounterConstraint;
use pmu_events_core::{Event, builtin};

/// `PerfEvtSel0` of the extended set (core counters 0 to 5); add 2 *n* for
/// counter *n*.
///
/// `PerfCtr`*n* is the register after it.
pub const PERF_EVT_SEL0: u32 = 0xc001_0200;
/// `PerfEvtSel0` of the set that every AMD64 core has (counters 0 to 3).
pub const LEGACY_PERF_EVT_SEL0: u32 = 0xc001_0000;

/// The bits that an event may set: event select 7:0 and 11:8 (bits 32 to 35),
/// unit mask, edge, invert, counter mask.
const SELECTOR: u64 = 0xf_ff84_ffff;

/// Returns the value of `PerfEvtSel` for a config word.
///
/// Both host and guest are counted; bits 40 (`GuestOnly`) and 41 (`HostOnly`) are
/// left to a hypervisor.
///
/// ```
/// use pmu_events::register::{Control, amd};
/// assert_eq!(amd::selector(0x1_0000_00c2, Control::COUNT), Ok(0x1_0043_00c2));
/// ```
///
/// # Errors
///
/// Returns [`ErrorKind::Reserved`](super::ErrorKind::Reserved) if the word sets bits that do not belong to
/// an event.
pub const fn selector(config: u64, control: Control) -> Result<u64, Error> {
    super::selector(config, SELECTOR, control)
}

/// Returns the write that makes counter *n* of the extended set count an event.
///
/// Cores with version 2 of performance monitoring also require the counter to
/// be started with `PerfCntrGlobalCtl` (`0xc0000301`).
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::register::{Control, amd};
///
/// let event = x86::AMDZEN5.events().find(|event| event.pmu() == "default_core").unwrap();
/// let write = amd::program(event, 2, Control::COUNT)?;
/// assert_eq!(write.register(), 0xc001_0204);
/// # Ok::<(), pmu_events::register::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the event does not belong to a core, if the counter
/// cannot count it, or if it cannot be encoded.
pub const fn program(event: Event, n: u8, control: Control) -> Result<Write, Error> {
    if !is_core(event) {
        return Err(Error::new(Fault::NotCore));
    }
    if n >= 6 {
        return Err(Error::new(Fault::NoSuchCounter));
    }
    match event.counters() {
        CounterConstraint::General(set) if !set.contains(n) => {
            return Err(Error::new(Fault::Counters(event.counters())));
        }
        _ => {}
    }
    let config = match super::words(event, builtin::AMD) {
        Ok(words) => words.config(),
        Err(error) => return Err(error),
    };
    match selector(config, control) {
        Ok(selector) => Ok(Write::whole(PERF_EVT_SEL0 + 2 * n as u32, selector)),
        Err(error) => Err(error),
    }
}
