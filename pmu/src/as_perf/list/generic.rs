//! Generic events: those that the kernel numbers, of which this one supports some, and
//! those that perf measures itself.

use std::collections::BTreeMap;

use pmu_events::__private::event_list::{EventKind, generic_named, generic_names};
use pmu_events::event_list::Tool;
use pmu_events::format::Words;
use pmu_events::open::{Attr, Counter, Flag, Target};
use pmu_events::{System, perf_type};

use super::entry::Entry;
use super::pmus::PLACEHOLDER;

pub(super) fn hardware() -> Vec<Entry> {
    numbered(perf_type::HARDWARE, "Hardware event", |kind| match kind {
        EventKind::Hardware(event) => Some(event.config()),
        _ => None,
    })
}

pub(super) fn software() -> Vec<Entry> {
    numbered(perf_type::SOFTWARE, "Software event", |kind| match kind {
        EventKind::Software(event) => Some(event.config()),
        _ => None,
    })
}

/// Events that have a number, by name. Of two names, the second is an alias.
fn numbered(
    type_: u32,
    kind: &'static str,
    config: impl Fn(EventKind<'static>) -> Option<u64>,
) -> Vec<Entry> {
    let mut names: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for name in generic_names() {
        if let Some(config) = generic_named(name).and_then(&config) {
            names.entry(config).or_default().push(name);
        }
    }
    names.retain(|&config, _| is_supported(type_, config));
    let mut entries: Vec<Entry> = names
        .into_values()
        .map(|names| Entry {
            alias: names.get(1).map(|&alias| alias.into()),
            ..Entry::of_kind(kind, names[0])
        })
        .collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    entries
}

/// The times that perf 6.12 knows. Constants of the machine came later, as events of
/// metrics.
pub(super) fn tools() -> Vec<Entry> {
    let entry = |tool: &Tool| Entry {
        topic: Some("tool".into()),
        ..Entry::of_kind("Tool event", tool.name())
    };
    Tool::ALL.iter().filter(|tool| tool.is_time()).map(entry).collect()
}

/// The cache events of each core PMU, in the kernel's order of units, operations and
/// results.
pub(super) fn caches(system: &System) -> Vec<Entry> {
    let cores: Vec<(&str, u64)> = system
        .sysfs()
        .core_pmus()
        .map(|pmu| (pmu.name(), u64::from(pmu.type_().unwrap_or_default())))
        .collect();
    // The kernel takes the type of a PMU in the upper half of a generic event's config
    // where several PMUs have generic events.
    let is_extended = cores.len() > 1
        && cores.iter().all(|&(_, type_)| is_supported(perf_type::HARDWARE, type_ << u32::BITS));
    let cores = if cores.is_empty() { vec![(PLACEHOLDER, 0)] } else { cores };
    let mut events: Vec<(u64, &str)> = generic_names()
        .filter_map(|name| match generic_named(name) {
            Some(EventKind::Cache { event, .. }) => Some((event.config(), name)),
            _ => None,
        })
        .collect();
    events.sort_by_key(|(config, _)| [config & 0xff, config >> 8 & 0xff, config >> 16]);
    let mut entries = Vec::new();
    for (pmu, type_) in cores {
        for &(config, name) in &events {
            let config = if is_extended { config | type_ << u32::BITS } else { config };
            if is_supported(perf_type::CACHE, config) {
                entries.push(Entry {
                    topic: Some("cache".into()),
                    pmu: Some(pmu.into()),
                    alias: Some(format!("{pmu}/{name}/")),
                    ..Entry::of_kind("Hardware cache event", name)
                });
            }
        }
    }
    entries
}

/// Whether the kernel opens an event for this thread: as it is, without the kernel where
/// users may not count it, and without guests, which some PMUs of Arm demand.
fn is_supported(type_: u32, config: u64) -> bool {
    let plain = Attr::new(type_, Words::new(config)).with(Flag::Disabled, true);
    let of_user = plain.with(Flag::ExcludeKernel, true);
    [plain, of_user, of_user.with(Flag::ExcludeGuest, true)]
        .iter()
        .any(|attr| Counter::open(attr, Target::ThisThread, None).is_ok())
}
