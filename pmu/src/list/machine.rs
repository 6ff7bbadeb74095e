//! What a machine has in addition to the tables: the generic events, those that
//! the drivers of its PMUs name, and tracepoints.

use std::collections::BTreeSet;
use std::path::Path;

use pmu_events::__private::pmu;
use pmu_events::event_list::Tool;
use pmu_events::expr::Machine as _;
use pmu_events::sysfs::{Alias, Tracepoint};
use pmu_events::{Event, Model, Scope, System};

use crate::failure::with_sources;
use crate::list::search::Pattern;
use crate::trees::Table;

/// The part of it that is listed.
#[derive(Default)]
pub(crate) struct Machine<'s> {
    /// By topic.
    pub(crate) generic: Vec<Event>,
    pub(crate) of_drivers: Vec<OfDriver<'s>>,
    /// By system.
    pub(crate) tracepoints: Vec<&'s Tracepoint>,
    /// Why there are no tracepoints.
    pub(crate) untraceable: Option<String>,
}

/// An event of a PMU's driver, once for all instances of the PMU.
pub(crate) struct OfDriver<'s> {
    /// Without the number of the instance.
    pub(crate) pmu: &'s str,
    pub(crate) alias: &'s Alias,
}

impl Machine<'_> {
    pub(crate) fn len(&self) -> usize {
        self.generic.len() + self.of_drivers.len() + self.tracepoints.len()
    }
}

/// As in perf, a table's events hide a driver's events of the same name.
pub(crate) fn search<'s>(
    system: &'s System,
    patterns: &[Pattern],
    tables: &[Table],
) -> Machine<'s> {
    let sysfs = system.sysfs();
    let values = system.machine(&Scope::AllCpus);
    let any =
        |matches: &dyn Fn(&Pattern) -> bool| patterns.is_empty() || patterns.iter().any(matches);
    let has_cores = sysfs.core_pmus().next().is_some();
    let is_here = |event: &Event| match event.pmu() {
        pmu::DEFAULT_CORE => has_cores,
        "tool" => {
            let has = |tool: Tool| tool.is_time() || values.literal(tool).is_finite();
            event.name().parse::<Tool>().is_ok_and(has)
        }
        _ => true,
    };
    let common = system.common();
    let mut generic: Vec<Event> = common
        .iter()
        .flat_map(|model| model.events())
        .filter(|event| is_here(event) && any(&|pattern| pattern.matches_event(*event)))
        .collect();
    generic.sort_by_key(|event| event.topic());
    let mut found = Machine { generic, ..Machine::default() };

    let mut seen = BTreeSet::new();
    let drivers = if wants_drm(sysfs.root(), patterns) { system.drm_pmus() } else { &[] };
    for pmu in sysfs.pmus().iter().chain(drivers) {
        let base = pmu::base_name(pmu.name());
        let is_of_table = |name: &str| {
            let mut named = tables.iter().flat_map(|table| table.model.events_named(name));
            named.any(|event| pmu.is_of_unit(event.pmu()))
        };
        for alias in pmu.events() {
            let name = alias.name();
            if any(&|pattern| pattern.matches_of_driver(base, name))
                && seen.insert((base, name))
                && !is_of_table(name)
            {
                found.of_drivers.push(OfDriver { pmu: base, alias });
            }
        }
    }
    found.of_drivers.sort_by_key(|one| (one.pmu, one.alias.name()));

    let tracing = sysfs.tracing();
    match tracing.systems() {
        Ok(systems) => {
            for system in systems {
                // A directory that cannot be read hides only its own events.
                let all = tracing.of_system(system).unwrap_or_default();
                let matching = |one: &&Tracepoint| any(&|p| p.matches_tracepoint(one.name()));
                found.tracepoints.extend(all.iter().filter(matching));
            }
        }
        Err(problem) => found.untraceable = Some(with_sources(problem)),
    }
    found
}

/// Whether no core with a table of its architecture has an event of it.
pub(crate) fn lacks(system: &System, table: Model, event: Event) -> bool {
    let cores = system.sysfs().core_pmus().filter(|pmu| system.model_of(pmu) == Some(table));
    let mut answers = cores.map(|pmu| system.has_event(pmu, event)).peekable();
    answers.peek().is_some() && answers.all(|answer| answer == Some(false))
}

/// Finding the PMUs of graphics drivers takes a look at all processes, which are those of
/// this machine.
fn wants_drm(sysfs: &Path, patterns: &[Pattern]) -> bool {
    let may_be_drm = |pattern: &Pattern| pattern.as_str().starts_with("drm");
    let is_asked_for = patterns.is_empty() || patterns.iter().any(may_be_drm);
    is_asked_for && sysfs == Path::new("/sys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_of_this_machine() {
        let cases: [(&str, &[&str], bool); 6] = [
            ("/sys", &[], true),
            ("/sys", &["cycles", "drm-engine"], true),
            ("/sys", &["cycles"], false),
            ("/recorded", &[], false),
            ("/recorded", &["drm-engine"], false),
            ("/recorded", &["cycles"], false),
        ];
        for (sysfs, words, expected) in cases {
            let patterns: Vec<_> = words.iter().map(|&word| Pattern::new(word.into())).collect();
            assert_eq!(wants_drm(Path::new(sysfs), &patterns), expected, "{sysfs} {words:?}");
        }
    }
}
