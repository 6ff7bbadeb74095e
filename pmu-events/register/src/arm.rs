//! Registers of Arm cores with PMUv3 (Arm Architecture Reference Manual for
//! A-profile, `PMEVTYPER<n>_EL0` and `PMCCFILTR_EL0`; used the same way in
//! `drivers/perf/arm_pmuv3.c`).
//!
//! Use it on Arm's cores with PMUv3.

use super::{Error, Fault, is_core};
use pmu_events_core::format::{Format, Word, Words};
use pmu_events_core::{Event, builtin};

/// The exception levels at which to count, in Non-secure state if there are two.
///
/// The bits for Secure state, EL3 and other threads (`NSK`, `NSU`, `M`, `MT`,
/// `SH`) stay zero, so that those follow these levels.
///
/// ```
/// use pmu_events::register::arm::{ExceptionLevels, cycle_filter};
///
/// assert_ne!(cycle_filter(ExceptionLevels::EL0), cycle_filter(ExceptionLevels::ALL));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExceptionLevels {
    el0: bool,
    el1: bool,
    el2: bool,
}

impl ExceptionLevels {
    /// Every level.
    pub const ALL: ExceptionLevels = ExceptionLevels { el0: true, el1: true, el2: true };
    /// Applications only.
    pub const EL0: ExceptionLevels = ExceptionLevels { el0: true, el1: false, el2: false };

    /// Sets whether applications are counted: bit 30 (`U`) is set if not.
    #[must_use]
    pub const fn with_el0(self, el0: bool) -> Self {
        ExceptionLevels { el0, ..self }
    }

    /// Sets whether the operating system is counted: bit 31 (`P`) is set if not.
    #[must_use]
    pub const fn with_el1(self, el1: bool) -> Self {
        ExceptionLevels { el1, ..self }
    }

    /// Sets whether the hypervisor is counted: bit 27 (`NSH`) is set if so.
    #[must_use]
    pub const fn with_el2(self, el2: bool) -> Self {
        ExceptionLevels { el2, ..self }
    }

    const fn bits(self) -> u64 {
        (!self.el1 as u64) << 31 | (!self.el0 as u64) << 30 | (self.el2 as u64) << 27
    }
}

/// Returns the value of `PMEVTYPER<n>_EL0` for an event: bits 15:0 are its
/// number, 63:61 and 43:32 the threshold if one is set (`FEAT_PMUv3_TH`).
///
/// ```
/// use pmu_events::register::arm::{ExceptionLevels, event_type};
/// use pmu_events::{Event, arch::arm64};
///
/// const EVENT: Event = arm64::ARM_NEOVERSE_N1.require("L1D_CACHE_REFILL");
/// const REFILL: u64 = match event_type(EVENT, ExceptionLevels::EL0) {
///     Ok(value) => value,
///     Err(_) => panic!(),
/// };
/// assert_eq!(REFILL, 0x8000_0003);
/// ```
///
/// # Errors
///
/// Returns an error if the event does not belong to a core or cannot be
/// encoded.
pub const fn event_type(event: Event, filter: ExceptionLevels) -> Result<u64, Error> {
    if !is_core(event) {
        return Err(Error::new(Fault::NotCore));
    }
    match super::words(event, builtin::ARMV8_PMUV3) {
        Ok(words) => event_type_of(words, filter),
        Err(error) => Err(error),
    }
}

/// Returns the value of `PMEVTYPER<n>_EL0` for config words in the layout of
/// [`builtin::ARMV8_PMUV3`].
///
/// ```
/// use pmu_events::format::{Word, Words};
/// use pmu_events::register::arm::{ExceptionLevels, event_type_of};
/// // threshold=5, threshold_compare=2
/// let words = Words::new(0x11).with(Word::Config1, 0xb0);
/// assert_eq!(event_type_of(words, ExceptionLevels::ALL), Ok(0x8000_0005_0800_0011));
/// ```
///
/// # Errors
///
/// Returns [`ErrorKind::Reserved`](super::ErrorKind::Reserved) if `config` is not just an event number.
pub const fn event_type_of(words: Words, filter: ExceptionLevels) -> Result<u64, Error> {
    let (config, config1) = (words.config(), words.get(Word::Config1));
    if config > 0xffff {
        return Err(Error::new(Fault::Reserved(config & !0xffff)));
    }
    let threshold = THRESHOLD.gather(config1);
    // TC: the comparison, above the bit that counts its changes.
    let control = COMPARE.gather(config1) << 1 | COUNT.gather(config1);
    let threshold = match threshold {
        0 => 0,
        _ => control << 61 | threshold << 32,
    };
    Ok(config | threshold | filter.bits())
}

/// Returns the value of `PMCCFILTR_EL0` for the cycle counter, which has no
/// event to select.
///
/// ```
/// use pmu_events::register::arm::{ExceptionLevels, cycle_filter};
/// assert_eq!(cycle_filter(ExceptionLevels::EL0), 0x8000_0000);
/// ```
#[must_use]
pub const fn cycle_filter(filter: ExceptionLevels) -> u64 {
    filter.bits()
}

const COUNT: Format = field("threshold_count");
const COMPARE: Format = field("threshold_compare");
const THRESHOLD: Format = field("threshold");

const fn field(name: &str) -> Format {
    builtin::ARMV8_PMUV3.find(name).expect("a field of the format")
}
