//! What there is to name on a machine.

use pmu_events::System;
use pmu_events::sysfs::Pmu;

/// What there is to name on a machine.
#[derive(Debug)]
pub struct Vocabulary {
    pub(super) pmus: Vec<PmuWords>,
}

#[derive(Debug)]
pub(super) struct PmuWords {
    /// The PMU's name, and others that may mean it.
    pub(super) names: Vec<String>,
    /// Its terms, each with the largest value.
    pub(super) formats: Vec<(String, u64)>,
    /// Its events: of sysfs and of tables.
    pub(super) events: Vec<String>,
    pub(super) type_: u32,
}

impl Vocabulary {
    /// The words of a machine.
    #[must_use]
    pub fn of(system: &System) -> Self {
        let pmus = system.sysfs().pmus().iter();
        let pmus = pmus.map(|pmu| PmuWords::of(pmu, system)).collect();
        Vocabulary { pmus }
    }
}

impl PmuWords {
    fn of(pmu: &Pmu, system: &System) -> Self {
        let name = pmu.name();
        let mut names = vec![name.to_owned(), name.to_owned(), name.to_owned()];
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
        if base != name {
            let digits = &name[base.len()..];
            names.push(base.trim_end_matches('_').to_owned());
            names.extend(["?", "*", "[0-1]", "[!0]", "9"].map(|end| format!("{base}{end}")));
            names.push(format!("{base}{}{digits}", &digits[..1]));
        }
        if let Some(short) = name.strip_prefix("uncore_") {
            names.push(short.to_owned());
            names.push(short.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').to_owned());
        }
        names.push(format!("{}*", &name[..name.len().div_ceil(2)]));
        names.extend(pmu.alias_name().map(str::to_owned));
        let formats = pmu.formats().map(|(term, format)| (term.to_owned(), format.max())).collect();
        let mut events: Vec<String> = pmu.event_names().map(str::to_owned).collect();
        // So that those of sysfs are not lost among the table's.
        let own = events.clone();
        if let Ok(model) = system.model() {
            for table in model.pmus() {
                let is_its =
                    if table.is_core() { pmu.is_core() } else { pmu.is_of_unit(table.name()) };
                events.extend(table.events().filter(|_| is_its).map(|event| event.name().into()));
            }
        }
        if let Some(identifier) = pmu.identifier() {
            let trees = system.trees().iter();
            let sys = trees.flat_map(|tree| tree.sys_events(name, identifier));
            events.extend(sys.map(|event| event.name().to_owned()));
        }
        for _ in 0..if own.is_empty() { 0 } else { events.len() / own.len() / 2 } {
            events.extend(own.iter().cloned());
        }
        PmuWords { names, formats, events, type_: pmu.type_().unwrap_or_default() }
    }
}
