//! PMU names in event trees.
//!
//! Use it to tell the events of cores from those of other PMUs.

pub(crate) mod instance;
pub(crate) mod units;

pub(crate) use instance::{is_of_unit, matches};

/// The PMU of events whose JSON names no unit: whichever core PMU the machine
/// has (`cpu`, `cpum_cf`, `armv8_pmuv3_0`, …).
pub const DEFAULT_CORE: &str = "default_core";

/// Whether a PMU of an event tree counts events of a core: the default core PMU,
/// those of hybrid CPUs, and s390's (`is_pmu_core` in `tools/perf/util/pmu.c`).
///
/// Their events are found first.
///
/// ```
/// use pmu_events::pmu;
/// assert!(pmu::is_core("cpu_atom"));
/// assert!(!pmu::is_core("uncore_imc"));
/// ```
#[must_use]
pub const fn is_core(pmu: &str) -> bool {
    matches!(
        pmu.as_bytes(),
        b"default_core" | b"cpu" | b"cpu_core" | b"cpu_atom" | b"cpu_lowpower" | b"cpum_cf"
    )
}

#[cfg(test)]
mod tests;
