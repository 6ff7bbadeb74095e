//! The names that a formula may use.

use std::collections::HashMap;

use pmu_events_core::pmu::DEFAULT_CORE;

use crate::assemble::{Item, Table};

/// Names that every Linux has, without a table: perf's tool events, generic
/// hardware, cache and software events (`perf_event_open(2)`).
const EVERYWHERE: &[&str] = &[
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
const SYSFS: &[(&[&str], &[&str])] = &[
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

/// What a name in a formula is.
pub(super) enum Meaning<'n> {
    /// A metric of the model, by its name in lower case. perf asks for metrics
    /// first.
    Metric(&'n str),
    /// An event of the model, as the tree spells it.
    Event(&'n str),
    /// An event that the tree need not know.
    Elsewhere,
    Unknown,
}

pub(super) struct Names<'t> {
    /// Each by its name in lower case.
    events: HashMap<&'t str, &'t Item<'t>>,
    metrics: HashMap<&'t str, &'t Item<'t>>,
    table: &'t Table<'t>,
}

impl<'t> Names<'t> {
    pub(super) fn of(table: &'t Table<'t>) -> Self {
        fn by_key<'t>(items: &'t [Item<'t>]) -> HashMap<&'t str, &'t Item<'t>> {
            items.iter().map(|item| (item.key.as_str(), item)).collect()
        }
        Names { events: by_key(&table.events), metrics: by_key(&table.metrics), table }
    }

    /// What a name without its escapes is. `own` is the metric whose value the
    /// formula is: an event of that name is not itself.
    pub(super) fn meaning(&self, name: &str, own: Option<&str>) -> Meaning<'t> {
        let lower = name.to_ascii_lowercase();
        let event = self.events.get(lower.as_str());
        if let Some((&key, _)) = self.metrics.get_key_value(lower.as_str())
            && (event.is_none() || own != Some(key))
        {
            return Meaning::Metric(key);
        }
        if let Some(item) = event {
            return Meaning::Event(spelling(item));
        }
        if self.is_elsewhere(&lower) { Meaning::Elsewhere } else { Meaning::Unknown }
    }

    /// Whether an event is one of the core PMU, which every machine of the
    /// model has.
    pub(super) fn is_of_core(&self, name: &str) -> bool {
        let item = self.events.get(name.to_ascii_lowercase().as_str());
        item.is_some_and(|item| item.entry.pmu == DEFAULT_CORE)
    }

    fn is_elsewhere(&self, lower: &str) -> bool {
        if lower.contains('?') {
            return true;
        }
        let Some((pmu, event)) = lower.split_once('@') else {
            // Modifiers stand behind a colon.
            let name = lower.split_once(':').map_or(lower, |(name, _)| name);
            return EVERYWHERE.contains(&name)
                || SYSFS.iter().any(|(_, events)| events.contains(&name))
                || self.events.contains_key(name);
        };
        // With terms, the event is spelt out. Without, a PMU whose events are
        // known must have it; what others have only the system knows.
        let name = event.split([',', '@']).next().unwrap_or_default();
        let is_spelt_out = name.is_empty() || name.contains('=');
        let of_pmu = SYSFS.iter().find(|(pmus, _)| pmus.contains(&pmu));
        is_spelt_out
            || self.events.contains_key(name)
            || EVERYWHERE.contains(&name)
            || of_pmu.is_none_or(|(_, events)| events.contains(&name))
    }

    /// All names as they are written, in an order that does not change.
    pub(super) fn spelt(&self) -> impl Iterator<Item = &'t str> {
        let items = self.table.events.iter().chain(&self.table.metrics);
        let names = items.flat_map(|item| [&item.entry.name, &item.entry.metric.name]);
        let provided = EVERYWHERE.iter().chain(SYSFS.iter().flat_map(|(_, events)| *events));
        names.flatten().map(|name| &*name.text).chain(provided.copied())
    }
}

fn spelling<'t>(item: &'t Item<'t>) -> &'t str {
    item.entry.name.as_ref().map_or(&item.key, |name| &name.text)
}
