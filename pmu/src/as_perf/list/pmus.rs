//! The events of the machine's PMUs: those that tables and drivers name, and the forms of
//! any other.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt::Write as _;

use pmu_events::__private::{name, pmu, scale};
use pmu_events::sysfs::{Alias, Pmu};
use pmu_events::term::Terms;
use pmu_events::{Event, System};

use super::entry::{self, Entry};

/// What perf takes for the PMU of the cores where sysfs has none.
pub(super) const PLACEHOLDER: &str = "cpu";

/// PMUs that record without an event, by name or by what the name begins with
/// (`selectable` in `tools/perf/arch`).
const SELECTABLE: [&str; 4] = ["intel_pt", "intel_bts", "cs_etm", "cpum_cf"];
const SELECTABLE_KINDS: [&str; 3] = ["arm_spe_", "hisi_ptt", "pai_"];

const KIND: &str = "Kernel PMU event";
const RAW: &str = "Raw event descriptor";

/// Whether instances of a PMU are listed as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instances {
    AsOne,
    Each,
}

impl Instances {
    /// The PMUs to list, those of cores first, in parts that are listed as one.
    fn of(self, system: &System) -> Vec<Vec<&Pmu>> {
        let mut pmus: Vec<&Pmu> = system.sysfs().pmus().iter().collect();
        pmus.sort_by(|a, b| {
            b.is_core().cmp(&a.is_core()).then_with(|| pmu::cmp(a.name(), b.name()))
        });
        let is_same = |a: &&Pmu, b: &&Pmu| {
            self == Instances::AsOne
                && a.is_core() == b.is_core()
                && pmu::base_name(a.name()) == pmu::base_name(b.name())
        };
        pmus.chunk_by(is_same).map(<[&Pmu]>::to_vec).collect()
    }

    /// The name under which a PMU is listed.
    fn name<'n>(self, pmu: &Pmu, name: &'n str) -> &'n str {
        match self {
            Instances::AsOne if !pmu.is_core() => pmu::base_name(name),
            _ => name,
        }
    }
}

/// The events of PMUs, in perf's order.
pub(super) fn events(system: &System, instances: Instances) -> Vec<Entry> {
    let mut entries = Vec::new();
    for part in instances.of(system) {
        // The first event of a name wins; instances can have different ones.
        let mut seen = HashSet::new();
        for pmu in part {
            let of_pmu = of_pmu(system, pmu, instances, &mut seen);
            entries.extend(of_pmu.into_iter().map(|entry| (pmu.is_core(), entry)));
        }
    }
    entries.sort_by(|(a_is_core, a), (b_is_core, b)| in_order(a, *a_is_core, b, *b_is_core));
    let mut entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
    // Instances that are listed each have the same events of a table.
    entries.dedup_by(|a, b| a.name == b.name && a.pmu == b.pmu);
    entries
}

/// `cmp_sevent` in `tools/perf/util/pmus.c`.
fn in_order(a: &Entry, a_is_core: bool, b: &Entry, b_is_core: bool) -> Ordering {
    fn key(entry: &Entry) -> (bool, &str) {
        (entry.brief.is_some(), entry.topic.as_deref().unwrap_or_default())
    }
    key(a)
        .cmp(&key(b))
        .then(b_is_core.cmp(&a_is_core))
        .then_with(|| a.pmu.cmp(&b.pmu))
        .then_with(|| a.name.cmp(&b.name))
}

/// Those of the tables of system PMUs, of the driver, and of the CPU's table.
fn of_pmu(
    system: &System,
    pmu: &Pmu,
    instances: Instances,
    seen: &mut HashSet<String>,
) -> Vec<Entry> {
    let mut is_new = |name: &str| seen.insert(name.to_ascii_lowercase());
    let mut entries = Vec::new();
    if let Some(identifier) = pmu.identifier() {
        let events = system.trees().iter().flat_map(|tree| tree.sys_events(pmu.name(), identifier));
        let events = events.filter(|event| is_new(event.name()));
        entries.extend(events.map(|event| of_table(event, pmu, instances)));
    }
    let tables = system.model_of(pmu).into_iter().flat_map(|model| model.pmus());
    let encoding = system.encoding();
    let of_cpu: Vec<Event> = tables
        .filter(|table| pmu.is_of_unit(table.name()))
        .flat_map(|table| table.events())
        .map(|event| event.with_encoding(encoding))
        .collect();
    for alias in pmu.events() {
        if is_new(alias.name()) {
            let same = of_cpu.iter().find(|event| name::eq(event.name(), alias.name()));
            entries.push(of_driver(alias, same.copied(), pmu, instances));
        }
    }
    let rest = of_cpu.into_iter().filter(|event| is_new(event.name()));
    entries.extend(rest.map(|event| of_table(event, pmu, instances)));
    let is_kind = |kind: &&str| pmu.name().starts_with(*kind);
    if SELECTABLE.contains(&pmu.name()) || SELECTABLE_KINDS.iter().any(is_kind) {
        let name = format!("{}//", pmu.name());
        entries.push(Entry { pmu: Some(pmu.name().into()), ..Entry::of_kind(KIND, name) });
    }
    entries
}

fn of_table(event: Event, pmu: &Pmu, instances: Instances) -> Entry {
    let unit = match event.pmu() {
        pmu::DEFAULT_CORE => pmu.name(),
        unit => unit,
    };
    let (factor, of) = event.scale_unit().map_or((1.0, ""), scale::split);
    let entry = Entry {
        topic: Some(event.topic().into()),
        pmu: Some(unit.into()),
        scale_unit: entry::scale_unit(factor, of),
        is_deprecated: event.is_deprecated(),
        encoding: Some(entry::encoding(instances.name(pmu, unit), event.event_string())),
        // As jevents writes the names of tables.
        ..Entry::of_kind(KIND, event.name().to_ascii_lowercase())
    };
    let mut entry = described(entry, event, pmu, event.event_string(), instances);
    // For a table's event, but not for a driver's that a table describes.
    entry.long = entry.long.or_else(|| entry.brief.clone());
    entry
}

/// An event of a driver, about which a table may know more.
fn of_driver(alias: &Alias, same: Option<Event>, pmu: &Pmu, instances: Instances) -> Entry {
    let terms = same.map_or(alias.terms(), |event| event.event_string());
    let entry = Entry {
        pmu: Some(pmu.name().into()),
        encoding: Some(entry::encoding(instances.name(pmu, pmu.name()), terms)),
        ..Entry::of_kind(KIND, alias.name())
    };
    let Some(event) = same else {
        return named(entry, pmu, alias.terms(), instances);
    };
    // perf reads the driver's files only then.
    let of_driver = (alias.scale().unwrap_or(1.0), alias.unit().unwrap_or_default());
    let (factor, unit) = event.scale_unit().map_or(of_driver, scale::split);
    let entry = Entry {
        topic: Some(event.topic().into()),
        scale_unit: entry::scale_unit(factor, unit),
        ..entry
    };
    described(entry, event, pmu, terms, instances)
}

fn described(
    mut entry: Entry,
    event: Event,
    pmu: &Pmu,
    terms: &str,
    instances: Instances,
) -> Entry {
    entry.brief = event.perf_description().map(|text| text.to_string());
    entry.long = event.perf_long_description().map(|text| text.to_string());
    if entry.brief.is_some() { entry } else { named(entry, pmu, terms, instances) }
}

/// An event without a description goes by its PMU, and shows which terms it demands.
fn named(mut entry: Entry, pmu: &Pmu, terms: &str, instances: Instances) -> Entry {
    let mut whole = format!("{}/{}", instances.name(pmu, pmu.name()), entry.name);
    let texts = Terms::new(terms).filter(|term| term.value().is_some() && term.number().is_none());
    for term in texts {
        let _ = write!(whole, ",{}={}", term.name(), term.value().unwrap_or_default());
    }
    whole.push('/');
    match pmu.is_core() {
        true => entry.alias = Some(whole),
        false => entry.name = whole,
    }
    entry
}

/// How any other event of a PMU is written.
pub(super) fn raw(system: &System, instances: Instances) -> Vec<Entry> {
    let pmus: Vec<&Pmu> = instances.of(system).iter().map(|part| part[0]).collect();
    let mut entries = Vec::new();
    if !pmus.iter().any(|pmu| pmu.is_core()) {
        entries.push(form(PLACEHOLDER, Vec::new(), true));
    }
    for pmu in pmus {
        let formats = pmu.formats().map(|(name, format)| match format.width() {
            0 | 1 => name.to_owned(),
            2..=8 => format!("{name}=0..{}", format.max()),
            _ => format!("{name}=0..{:#x}", format.max()),
        });
        entries.push(form(pmu::base_name(pmu.name()), formats.collect(), pmu.is_core()));
    }
    entries
}

/// perf's own terms that every event of a core takes, beside those of the PMU.
const OF_CORES: [&str; 20] = [
    "config=0..0xffffffffffffffff",
    "config1=0..0xffffffffffffffff",
    "config2=0..0xffffffffffffffff",
    "config3=0..0xffffffffffffffff",
    "name=string",
    "period=number",
    "freq=number",
    "branch_type=(u|k|hv|any|...)",
    "time",
    "call-graph=(fp|dwarf|lbr)",
    "stack-size=number",
    "max-stack=number",
    "nr=number",
    "inherit",
    "no-inherit",
    "overwrite",
    "no-overwrite",
    "percore",
    "aux-output",
    "aux-sample-size=number",
];

/// The name has the first three terms, the encoding all.
fn form(pmu: &str, mut terms: Vec<String>, is_core: bool) -> Entry {
    const SHOWN: usize = 3;
    if is_core {
        terms.extend(OF_CORES.map(String::from));
    }
    let short = terms[..terms.len().min(SHOWN)].join(",");
    let more = if terms.len() > SHOWN { ",.../modifier" } else { "/modifier" };
    Entry {
        encoding: Some(format!("{pmu}/{}/modifier", terms.join(","))),
        ..Entry::of_kind(RAW, format!("{pmu}/{short}{more}"))
    }
}

/// How events are written that belong to no PMU of sysfs.
pub(super) fn numbered() -> Entry {
    Entry::of_kind(RAW, "rNNN")
}

pub(super) fn breakpoint() -> Entry {
    Entry::of_kind("Hardware breakpoint", "mem:<addr>[/len][:access]")
}
