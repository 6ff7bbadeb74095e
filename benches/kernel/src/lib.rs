//! The x86 tree of a kernel, and nothing else: what is measured is what this
//! costs.

#![no_std]
// Warnings about slips in the kernel's tree.
#![allow(deprecated)]

#[cfg(not(any(feature = "names", feature = "growth")))]
pmu_events::pmu_events!("$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/x86");

#[cfg(feature = "names")]
pmu_events::pmu_events!(
    "$PMU_EVENTS_KERNEL/tools/perf/pmu-events/arch/x86",
    text = none,
    metrics = false,
);

#[cfg(feature = "growth")]
include!(env!("PMU_EVENTS_GROWTH"));
