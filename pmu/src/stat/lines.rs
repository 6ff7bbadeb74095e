//! The lines of the output: the events that each shows, and its name.

use std::collections::BTreeSet;

use pmu_events::__private::instances;
use pmu_events::event_list::Tool;
use pmu_events::open::{
    Counters, EventReading, LackingInstance, Outcome, Reading, SetEvent, Sum, Target,
};
use pmu_events::resolve::{Clock, Missing, Resolved};

use crate::stat::aggregation::{Unit, Units};
use crate::stat::derived::{self, Known, Meaning};
use crate::stat::shown_unit;

/// One event as it is shown: a merge of several PMUs if those are merged.
pub(crate) struct Line {
    /// Its indices in the set; none for an event that no PMU has.
    places: Vec<usize>,
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) scale: f64,
    meaning: Meaning,
    core: u64,
    /// The event, of which all others are instances.
    resolved: Option<Resolved>,
    /// Where it was counted, if not everywhere.
    pub(crate) cgroup: Option<String>,
}

/// The contents of one line.
pub(crate) struct Shown {
    /// The unit that it shows, if there are several.
    pub(crate) unit: Option<Unit>,
    pub(crate) outcome: Outcome,
    /// The number of counts in it.
    pub(crate) parts: usize,
    /// What it lacks.
    pub(crate) lacking: Vec<LackingInstance>,
}

/// `missing` are events that are not in the set but are shown nevertheless, in
/// each of their control groups; `is_merged` is whether instances of a PMU share
/// a line.
pub(crate) fn of_set(
    counters: &Counters,
    missing: (&[Missing], &[Option<String>]),
    cgroups: &[Option<String>],
    is_merged: bool,
) -> Vec<Line> {
    let events = counters.events();
    let cgroup = |n: usize| cgroups.get(n).and_then(Option::as_ref);
    let merged = match is_merged {
        true => merged(events.len(), cgroup, |n| &events[n]),
        false => (0..events.len()).map(|n| vec![n]).collect(),
    };
    let line = |places: Vec<usize>| {
        // An instance may be missing.
        let known = places.iter().find(|&&n| events[n].resolved().is_some());
        let event = &events[known.copied().unwrap_or(places[0])];
        let name = event.name();
        let Some(first) = event.resolved() else {
            let cgroup = cgroup(places[0]).cloned();
            return Line { places, cgroup, ..Line::without_event(&name) };
        };
        let of_group = (0..events.len()).filter(|&n| cgroup(n) == cgroup(places[0]));
        let is_one_of_several = places.len() == 1
            && of_group
                .filter_map(|n| events[n].resolved())
                .filter(|other| (other.event(), other.name()) == (first.event(), first.name()))
                .count()
                > 1;
        let (scale, unit) = shown_unit::of(first);
        Line {
            name: if is_one_of_several { on_pmu(&name, first) } else { name.into_owned() },
            unit: unit.to_owned(),
            scale,
            meaning: Meaning::of(first),
            core: derived::core(first),
            resolved: Some(first.clone()),
            cgroup: cgroup(places[0]).cloned(),
            places,
        }
    };
    let (missing, missing_in) = missing;
    let of_missing = missing_in.iter().flat_map(|cgroup| {
        let in_group = |missing: &Missing| Line {
            cgroup: cgroup.clone(),
            ..Line::without_event(missing.name())
        };
        missing.iter().map(in_group)
    });
    merged.into_iter().map(line).chain(of_missing).collect()
}

/// The instances of each event; each control group has instances of its own.
fn merged<'e>(
    count: usize,
    cgroup: impl Fn(usize) -> Option<&'e String>,
    event: impl Fn(usize) -> &'e SetEvent,
) -> Vec<Vec<usize>> {
    let groups: BTreeSet<Option<&String>> = (0..count).map(&cgroup).collect();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for group in groups {
        let own: Vec<usize> = (0..count).filter(|&n| cgroup(n) == group).collect();
        let instances = instances(own.iter().map(|&n| event(n)));
        all.extend(instances.into_iter().map(|list| list.iter().map(|&n| own[n]).collect()));
    }
    all.sort();
    all
}

/// The name with its PMU (`uniquify_event_name` in
/// `tools/perf/util/stat-display.c`).
fn on_pmu(name: &str, resolved: &Resolved) -> String {
    let Some(pmu) = resolved.pmu().filter(|pmu| !name.starts_with(pmu.name())) else {
        return name.into();
    };
    match (name.find('/'), name.split_once(':')) {
        (Some(slash), _) => format!("{}{}", pmu.name(), &name[slash..]),
        (None, Some((event, modifiers))) => format!("{}/{event}/{modifiers}", pmu.name()),
        (None, None) => format!("{}/{name}/", pmu.name()),
    }
}

impl Line {
    /// A count of the event as a number.
    pub(crate) fn number(&self, count: u64) -> f64 {
        self.resolved.as_ref().map_or(count as f64, |resolved| resolved.number(count))
    }

    /// The line of an event that this machine does not have.
    fn without_event(name: &str) -> Line {
        Line {
            places: Vec::new(),
            name: name.into(),
            unit: String::new(),
            scale: 1.0,
            meaning: Meaning::Other,
            core: 0,
            resolved: None,
            cgroup: None,
        }
    }

    /// The meaning of its number.
    pub(crate) fn known(&self, value: f64) -> Known {
        Known { meaning: self.meaning, core: self.core, value }
    }

    /// Whether no PMU has its event.
    pub(crate) fn is_missing(&self) -> bool {
        self.places.is_empty()
    }

    pub(crate) fn shows_any_of(&self, places: &[usize]) -> bool {
        self.places.iter().any(|place| places.contains(place))
    }

    /// The clock, if its number is a time.
    pub(crate) fn clock(&self) -> Option<Clock> {
        match self.meaning {
            Meaning::Measured(clock) => Some(clock),
            _ => None,
        }
    }

    /// Whether it is the same for each CPU: the elapsed time, or a number of the machine.
    pub(crate) fn is_everywhere(&self) -> bool {
        let tool = self.resolved.as_ref().and_then(|resolved| resolved.tool());
        tool.is_some_and(|tool| !matches!(tool, Tool::UserTime | Tool::SystemTime))
    }

    /// The number of PMUs that it sums.
    pub(crate) fn sources(&self) -> usize {
        self.places.len()
    }

    /// Its rows: one, or one for each unit.
    pub(crate) fn shown(&self, reading: &Reading, units: &Units) -> Vec<Shown> {
        let events: Vec<&EventReading> =
            self.places.iter().map(|&place| &reading.events()[place]).collect();
        let unit_of = |target: Target| match target {
            Target::Cpu(cpu) => units.get(&cpu).copied(),
            _ => None,
        };
        // A unit whose counts are all lacking is shown as well.
        let targets = events.iter().flat_map(|event| {
            let parts = event.parts().iter().map(|part| part.target());
            parts.chain(event.lacks().iter().map(|lack| lack.target()))
        });
        let found: BTreeSet<Unit> = targets.filter_map(unit_of).collect();
        if found.is_empty() {
            // A missing event, or one that belongs to no CPU, is shown once.
            return vec![Shown::of(None, events.iter().copied())];
        }
        let on = |unit: Unit| {
            let is_its = |target| unit_of(target) == Some(unit);
            let own = |event: &&EventReading| {
                let mut event = EventReading::clone(event);
                let parts = event.parts().iter().filter(|part| is_its(part.target()));
                let lacks = event.lacks().iter().filter(|lack| is_its(lack.target()));
                let (parts, lacks) = (parts.copied().collect(), lacks.cloned().collect());
                event.set_counts(parts, lacks);
                event
            };
            let has_its = |event: &&&EventReading| {
                event.parts().iter().any(|part| is_its(part.target()))
                    || event.lacks().iter().any(|lack| is_its(lack.target()))
            };
            // Another instance may belong to another unit; one that is missing, to any.
            let is_missing = |event: &&&EventReading| event.event().refusal().is_some();
            let own: Vec<EventReading> = events
                .iter()
                .filter(|event| has_its(event) || is_missing(event))
                .map(own)
                .collect();
            Shown::of(Some(unit), own.iter())
        };
        found.into_iter().map(on).collect()
    }
}

impl Shown {
    fn of<'r>(unit: Option<Unit>, events: impl Iterator<Item = &'r EventReading>) -> Self {
        let sum = Sum::of(events);
        let parts = sum.instances().iter().map(|event| event.parts().len()).sum();
        let outcome = sum.outcome();
        let lacking = match outcome {
            Outcome::Partial(_) => sum.lacking(),
            _ => Vec::new(),
        };
        Shown { unit, outcome, parts, lacking }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pmu_events::__private::set_event;
    use pmu_events::System;
    use pmu_events::open::{Count, Lack, Part};

    /// Instances are one line, but not those of different control groups.
    #[test]
    fn instances_of_each_control_group() {
        let root = std::env::temp_dir().join(format!("pmu-lines-{}", std::process::id()));
        for (number, kind) in [(0, "20"), (1, "21")] {
            let pmu = root.join(format!("bus/event_source/devices/uncore_imc_{number}"));
            std::fs::create_dir_all(pmu.join("format")).unwrap();
            std::fs::write(pmu.join("type"), kind).unwrap();
            std::fs::write(pmu.join("format/event"), "config:0-7").unwrap();
        }
        let system = System::at(&root).without_tables();
        let mut all = system.resolve("uncore_imc/event=1/,cs").unwrap();
        all.append(system.resolve("uncore_imc/event=1/,cs").unwrap());
        let all: Vec<SetEvent> = all.into_iter().map(set_event).collect();
        let cgroups = |names: &[&str]| -> Vec<Option<String>> {
            names.iter().map(|name| Some(name.to_string())).collect()
        };
        let of = |cgroups: &[Option<String>]| {
            merged(all.len(), |n| cgroups.get(n).and_then(Option::as_ref), |n| &all[n])
        };
        let each = cgroups(&["b", "b", "b", "a", "a", "a"]);
        assert_eq!(of(&each), [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
        let last = cgroups(&["a"; 3]);
        assert_eq!(of(&last), [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
        std::fs::remove_dir_all(root).unwrap();
    }

    /// Two sockets of two CPUs each, the last of which is not counted, or has no count.
    #[test]
    fn units_have_the_sum_of_their_cpus() {
        let line = Line {
            places: vec![0],
            name: "cycles".into(),
            unit: String::new(),
            scale: 1.0,
            meaning: Meaning::Cycles,
            core: 0,
            resolved: None,
            cgroup: None,
        };
        let part = |(cpu, &value): (usize, &u64)| {
            Part::new(Target::Cpu(cpu as u32), Count::new(value, 10, 10))
        };
        let parts = [1, 20, 300].iter().enumerate().map(part).collect();
        let cycles = System::at("/nonexistent").require("cycles").unwrap();
        let event = EventReading::with_parts(set_event(cycles[0].clone()), parts);
        let reading = Reading::new(vec![event]);
        let shown = |units: &[(u32, Unit)]| -> Vec<(Option<Unit>, Option<u64>, usize)> {
            let units: Units = units.iter().copied().collect();
            let value = |shown: &Shown| shown.outcome.total().map(|total| total.value());
            let all = line.shown(&reading, &units);
            all.iter().map(|shown| (shown.unit, value(shown), shown.parts)).collect()
        };
        let [one, two] = [Unit::Socket(0), Unit::Socket(1)];
        let cpus = [(0, one), (1, one), (2, two), (3, two)];
        assert_eq!(shown(&cpus), [(Some(one), Some(21), 2), (Some(two), Some(300), 1)]);
        assert_eq!(shown(&[]), [(None, Some(321), 3)]);

        // Neither count of the second socket can be read.
        let mut lacking = reading.clone();
        let why = System::at("/nonexistent").open("{").unwrap_err();
        let lacks = [2, 3].map(|cpu| Lack::new(Target::Cpu(cpu), why.clone()));
        let counted = reading.events()[0].parts()[..2].to_vec();
        lacking.events_mut()[0].set_counts(counted, lacks.to_vec());
        let all = line.shown(&lacking, &cpus.into_iter().collect());
        let outcomes: Vec<_> = all.iter().map(|shown| (shown.unit, shown.outcome)).collect();
        let [(first, counted), (second, failed)] = outcomes[..] else { panic!("{outcomes:?}") };
        assert_eq!((first, second, failed), (Some(one), Some(two), Outcome::Failed));
        assert_eq!(counted.total().map(|total| total.value()), Some(21));
    }
}
