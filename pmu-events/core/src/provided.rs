//! Names of events that no tree has to have: perf's and the kernel's own, and
//! those that a driver describes in sysfs.
//!
//! A formula of a tree may use them. What a driver offers depends on the
//! machine: that a name is here says that some machine has it.

use crate::event_list::generic_names;
use crate::name;

/// Events that kernel drivers describe in sysfs and no tree repeats, by the
/// PMU that has them (`arch/x86/events/intel/core.c`, `cstate.c`, `msr.c`,
/// `rapl.c`).
const BY_DRIVER: &[(&[&str], &[&str])] = &[
    (
        &["cpu", "cpu_core", "cpu_atom"],
        &[
            "slots",
            "topdown-retiring",
            "topdown-bad-spec",
            "topdown-fe-bound",
            "topdown-be-bound",
            "topdown-heavy-ops",
            "topdown-br-mispredict",
            "topdown-fetch-lat",
            "topdown-mem-bound",
            "topdown-total-slots",
            "topdown-slots-issued",
            "topdown-slots-retired",
            "topdown-fetch-bubbles",
            "topdown-recovery-bubbles",
            "mem-loads",
            "mem-loads-aux",
            "mem-stores",
            "cycles-t",
            "cycles-ct",
            "tx-start",
            "tx-abort",
            "tx-conflict",
            "tx-capacity",
            "el-start",
            "el-abort",
        ],
    ),
    (&["msr"], &["tsc", "aperf", "mperf", "pperf", "smi", "ptsc", "irperf", "cpu_thermal_margin"]),
    (&["cstate_core"], &["c1-residency", "c3-residency", "c6-residency", "c7-residency"]),
    (
        &["cstate_pkg"],
        &[
            "c2-residency",
            "c3-residency",
            "c6-residency",
            "c7-residency",
            "c8-residency",
            "c9-residency",
            "c10-residency",
        ],
    ),
    (&["cstate_module"], &["c6-residency"]),
    (&["power"], &["energy-cores", "energy-pkg", "energy-ram", "energy-gpu", "energy-psys"]),
];

/// The events that the driver of a PMU describes in sysfs; `None` for a PMU of
/// which nothing is known here.
///
/// ```
/// use pmu_events::provided;
/// assert!(provided::by_driver("msr").is_some_and(|events| events.contains(&"tsc")));
/// assert_eq!(provided::by_driver("arm_cmn_0"), None);
/// ```
#[must_use]
pub fn by_driver(pmu: &str) -> Option<&'static [&'static str]> {
    BY_DRIVER.iter().find(|(pmus, _)| pmus.contains(&pmu)).map(|(_, events)| *events)
}

/// Whether Linux or perf itself has an event of this name, in any letter case.
///
/// ```
/// use pmu_events::provided::is_generic;
/// assert!(is_generic("cycles") && is_generic("L1-icache-load-misses"));
/// assert!(!is_generic("slots"));
/// ```
#[must_use]
pub fn is_generic(name: &str) -> bool {
    generic_names().any(|known| name::eq(known, name))
}

/// Whether Linux, perf or the driver of any PMU has an event of this name; that
/// of a driver's is in lower case.
///
/// ```
/// use pmu_events::provided::is_anywhere;
/// assert!(is_anywhere("duration_time") && is_anywhere("slots"));
/// assert!(!is_anywhere("inst_retired.any"));
/// ```
#[must_use]
pub fn is_anywhere(name: &str) -> bool {
    is_generic(name) || BY_DRIVER.iter().any(|(_, events)| events.contains(&name))
}

/// All names; one that several PMUs have comes more than once.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_drivers = BY_DRIVER.iter().flat_map(|(_, events)| *events);
    generic_names().chain(of_drivers.copied())
}
