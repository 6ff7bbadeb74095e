//! The kinds of counters, and why some are not known.

use core::fmt;

use crate::schedule::Pool;
use pmu_events_ebb::power::Generation;

/// Whether the threads of a core share its counters.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::planner::{CoreState, Smt, Supply};
///
/// let general = |smt| {
///     let state = CoreState::new(smt);
///     let supply = Supply::of(x86::SKYLAKEX, "default_core", state).unwrap();
///     supply.pool().unwrap().general().len()
/// };
/// assert_eq!((general(Smt::On), general(Smt::Absent)), (4, 8));
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Smt {
    /// Several threads of a core are online. This is the default, because it leaves the
    /// fewest counters.
    #[default]
    On,
    /// One thread of each core is online; the others keep their counters.
    Off,
    /// The cores have one thread each, or the firmware has switched the others off. Only
    /// then do Intel's cores up to Cascade Lake give one thread all eight counters (Intel
    /// SDM, volume 3, “Architectural Performance Monitoring”: the number in `CPUID` leaf
    /// 0Ah).
    Absent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// General and fixed counters.
    Pool(Pool, Rules),
    /// POWER's six, by the fields of the events' codes.
    Power(Generation),
    /// Each event has a counter of its own.
    Each,
}

/// Whose rules say which counters of a pool an event may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// Those that the tree states, and those of Intel's driver.
    Intel,
    Amd,
    Arm,
    /// Each event takes the first free counter of its own in the order of the group, and no
    /// other event moves for it (`m1_pmu_get_event_idx` in `drivers/perf/apple_m1_cpu_pmu.c`).
    Apple,
    /// Any event on any counter.
    Plain,
}

/// The error for a PMU whose counters no source states.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::planner::{CoreState, Supply};
///
/// let unstated = Supply::of(x86::SKYLAKEX, "no_such_pmu", CoreState::default()).unwrap_err();
/// println!("{}", unstated.reason());
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unstated {
    reason: &'static str,
}

impl Unstated {
    pub(super) const fn because(reason: &'static str) -> Self {
        Unstated { reason }
    }

    /// Returns why nothing is known.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.reason
    }
}

impl fmt::Display for Unstated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the counters are not known: {}", self.reason)
    }
}

impl fmt::Debug for Unstated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Unstated {}

/// Intel's fixed counters, by the hardware's numbers.
pub(super) const FIXED_INSTRUCTIONS: u8 = 0;
pub(super) const FIXED_CYCLES: u8 = 1;
pub(super) const FIXED_REFERENCE: u8 = 2;
pub(super) const FIXED_SLOTS: u8 = 3;
