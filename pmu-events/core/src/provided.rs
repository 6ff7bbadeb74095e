//! Names of events that no tree has to have: perf's and the kernel's own, and
//! those that a driver describes in sysfs.
//!
//! A formula of a tree may use them. What a driver offers depends on the
//! machine: that a name is here says that some machine has it.

/// Names that every Linux has, without a table: perf's tool events, generic
/// hardware, cache and software events (`perf_event_open(2)`).
pub const EVERYWHERE: &[&str] = &[
    "duration_time",
    "user_time",
    "system_time",
    "cycles",
    "cpu-cycles",
    "instructions",
    "branches",
    "branch-instructions",
    "branch-misses",
    "cache-references",
    "cache-misses",
    "bus-cycles",
    "ref-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "cpu-clock",
    "task-clock",
    "context-switches",
    "cs",
    "cpu-migrations",
    "migrations",
    "page-faults",
    "faults",
    "minor-faults",
    "major-faults",
    "alignment-faults",
    "emulation-faults",
];

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

/// Whether Linux, perf or the driver of any PMU has an event of this name, in
/// lower case.
///
/// ```
/// use pmu_events::provided::is_anywhere;
/// assert!(is_anywhere("duration_time") && is_anywhere("slots"));
/// assert!(!is_anywhere("inst_retired.any"));
/// ```
#[must_use]
pub fn is_anywhere(name: &str) -> bool {
    names().any(|known| known == name)
}

/// All names; one that several PMUs have comes more than once.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_drivers = BY_DRIVER.iter().flat_map(|(_, events)| *events);
    EVERYWHERE.iter().chain(of_drivers).copied()
}
