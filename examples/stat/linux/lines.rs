//! The lines of the output: which events one shows, and what it is called.

use pmu_events::open::{self, Counters, Outcome, Reading, Target};
use pmu_events::resolve::Resolved;

use crate::linux::args::Args;
use crate::linux::derived::{self, Known, Meaning};

/// One event as it is shown: of several PMUs, where those are merged.
pub(crate) struct Line {
    /// Its places in the set.
    places: Vec<usize>,
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) scale: f64,
    meaning: Meaning,
    core: u64,
}

/// What one line shows.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    /// The CPU, where each is shown for itself.
    pub(crate) cpu: Option<u32>,
    pub(crate) outcome: Outcome,
}

pub(crate) fn of_set(counters: &Counters<'_>, args: &Args) -> Vec<Line> {
    let events = counters.events();
    let resolved: Vec<Resolved<'_>> = events.iter().map(|event| *event.resolved()).collect();
    let merged = match args.no_merge {
        false => open::instances(&resolved),
        true => (0..resolved.len()).map(|n| vec![n]).collect(),
    };
    let line = |places: Vec<usize>| {
        let first = &resolved[places[0]];
        let name = events[places[0]].name();
        let is_one_of_several = places.len() == 1
            && resolved
                .iter()
                .filter(|other| (other.event, other.name) == (first.event, first.name))
                .count()
                > 1;
        Line {
            name: if is_one_of_several { on_pmu(&name, first) } else { name.into_owned() },
            unit: first.unit.into(),
            scale: first.scale,
            meaning: Meaning::of(first),
            core: derived::core(first),
            places,
        }
    };
    merged.into_iter().map(line).collect()
}

/// The name with its PMU (`uniquify_event_name` in
/// `tools/perf/util/stat-display.c`).
fn on_pmu(name: &str, resolved: &Resolved<'_>) -> String {
    let Some(pmu) = resolved.pmu.filter(|pmu| !name.starts_with(pmu.name())) else {
        return name.into();
    };
    match (name.find('/'), name.split_once(':')) {
        (Some(slash), _) => format!("{}{}", pmu.name(), &name[slash..]),
        (None, Some((event, modifiers))) => format!("{}/{event}/{modifiers}", pmu.name()),
        (None, None) => format!("{}/{name}/", pmu.name()),
    }
}

impl Line {
    /// What a number of it says.
    pub(crate) fn known(&self, value: f64) -> Known {
        Known { meaning: self.meaning, core: self.core, value }
    }

    /// What it shows: once, or for each CPU.
    pub(crate) fn shown(&self, reading: &Reading, args: &Args) -> Vec<Shown> {
        let events = || self.places.iter().map(|&place| &reading.events[place]);
        if !args.no_aggr {
            let outcome = events().map(|event| event.outcome()).reduce(Outcome::and);
            return outcome.map(|outcome| Shown { cpu: None, outcome }).into_iter().collect();
        }
        let mut cpus: Vec<u32> = events()
            .flat_map(|event| &event.parts)
            .filter_map(|part| match part.target {
                Target::Cpu(cpu) => Some(cpu),
                _ => None,
            })
            .collect();
        cpus.sort_unstable();
        cpus.dedup();
        if cpus.is_empty() {
            // What is not there, or is no CPU's, is shown once.
            let outcome = events().map(|event| event.outcome()).reduce(Outcome::and);
            return outcome.map(|outcome| Shown { cpu: None, outcome }).into_iter().collect();
        }
        let on = |cpu: u32| {
            let outcomes = events().map(|event| {
                let mut event = event.clone();
                event.parts.retain(|part| part.target == Target::Cpu(cpu));
                event.outcome()
            });
            let outcome = outcomes.reduce(Outcome::and)?;
            Some(Shown { cpu: Some(cpu), outcome })
        };
        cpus.into_iter().filter_map(on).collect()
    }
}
