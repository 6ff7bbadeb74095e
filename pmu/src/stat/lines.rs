//! The lines of the output: the events that each shows, and its name.

use std::collections::BTreeSet;

use pmu_events::event::{CountUnit, Quantity};
use pmu_events::open::{self, Counters, Outcome, Part, Reading, Target};
use pmu_events::resolve::{Missing, Resolved};

use crate::stat::aggregation::{Unit, Units};
use crate::stat::derived::{self, Known, Meaning};

/// One event as it is shown: a merge of several PMUs if those are merged.
pub(crate) struct Line {
    /// Its indices in the set; none for an event that no PMU has.
    places: Vec<usize>,
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) scale: f64,
    meaning: Meaning,
    core: u64,
    /// Where it was counted, if not everywhere.
    pub(crate) cgroup: Option<String>,
}

/// The contents of one line.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    /// The unit that it shows, if there are several.
    pub(crate) unit: Option<Unit>,
    pub(crate) outcome: Outcome,
    /// The number of counts in it.
    pub(crate) parts: usize,
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
        true => merged(events.len(), cgroup, |n| events[n].resolved()),
        false => (0..events.len()).map(|n| vec![n]).collect(),
    };
    let line = |places: Vec<usize>| {
        let event = &events[places[0]];
        let name = event.name();
        let Some(first) = event.resolved() else {
            let cgroup = cgroup(places[0]).cloned();
            return Line { places, cgroup, ..Line::without_event(&name) };
        };
        let of_group = (0..events.len()).filter(|&n| cgroup(n) == cgroup(places[0]));
        let is_one_of_several = places.len() == 1
            && of_group
                .filter_map(|n| events[n].resolved())
                .filter(|other| (other.event, other.name()) == (first.event, first.name()))
                .count()
                > 1;
        let own = own_unit(first);
        Line {
            name: if is_one_of_several { on_pmu(&name, first) } else { name.into_owned() },
            unit: own.map_or_else(|| first.unit().to_owned(), |unit| unit_of(unit).to_owned()),
            scale: own.map_or(first.scale, CountUnit::factor),
            meaning: Meaning::of(first),
            core: derived::core(first),
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

/// What one count of an event stands for, where neither its table's scale unit nor the
/// driver says so.
pub(crate) fn own_unit(resolved: &Resolved) -> Option<CountUnit> {
    if resolved.scale != 1.0 || !resolved.unit().is_empty() {
        return None;
    }
    let event = resolved.table_event().filter(|event| event.scale_unit().is_none())?;
    event.count_unit().filter(|unit| !unit.is_one())
}

/// The unit of a count that was multiplied, as perf's scale units write it.
fn unit_of(unit: CountUnit) -> &'static str {
    match unit.quantity {
        Quantity::Occurrences => "",
        other => other.name(),
    }
}

/// The instances of each event; each control group has instances of its own.
fn merged<'e>(
    count: usize,
    cgroup: impl Fn(usize) -> Option<&'e String>,
    resolved: impl Fn(usize) -> Option<&'e Resolved>,
) -> Vec<Vec<usize>> {
    let groups: BTreeSet<Option<&String>> = (0..count).map(&cgroup).collect();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for group in groups {
        let is_in = |n: usize| cgroup(n) == group;
        let instances =
            open::instances((0..count).map(|n| if is_in(n) { resolved(n) } else { None }));
        all.extend(instances.into_iter().filter(|places| is_in(places[0])));
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
    /// The line of an event that this machine does not have.
    fn without_event(name: &str) -> Line {
        Line {
            places: Vec::new(),
            name: name.into(),
            unit: String::new(),
            scale: 1.0,
            meaning: Meaning::Other,
            core: 0,
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

    /// The factor of a count in metrics: for them times are seconds
    /// (`prepare_metric` in `tools/perf/util/stat-shadow.c`), and all else is
    /// not scaled.
    pub(crate) fn metric_scale(&self) -> f64 {
        if self.meaning == Meaning::Time { 1e-9 } else { 1.0 }
    }

    /// The number of PMUs that it sums.
    pub(crate) fn sources(&self) -> usize {
        self.places.len()
    }

    /// Its rows: one, or one for each unit.
    pub(crate) fn shown(&self, reading: &Reading, units: &Units) -> Vec<Shown> {
        let events = || self.places.iter().map(|&place| &reading.events[place]);
        let once = || {
            let outcome = events().map(|event| event.outcome()).reduce(Outcome::and);
            let outcome = outcome.unwrap_or(Outcome::NotSupported);
            let parts = events().map(|event| event.parts.len()).sum();
            vec![Shown { unit: None, outcome, parts }]
        };
        let unit_of = |part: &Part| match part.target {
            Target::Cpu(cpu) => units.get(&cpu).copied(),
            _ => None,
        };
        let found: BTreeSet<Unit> =
            events().flat_map(|event| &event.parts).filter_map(unit_of).collect();
        if found.is_empty() {
            // A missing event, or one that belongs to no CPU, is shown once.
            return once();
        }
        let on = |unit: Unit| {
            let outcomes = events().map(|event| {
                let mut event = event.clone();
                event.parts.retain(|part| unit_of(part) == Some(unit));
                event.outcome()
            });
            let outcome = outcomes.reduce(Outcome::and)?;
            let is_its = |part: &&Part| unit_of(part) == Some(unit);
            let parts = events().flat_map(|event| &event.parts).filter(is_its).count();
            Some(Shown { unit: Some(unit), outcome, parts })
        };
        found.into_iter().filter_map(on).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pmu_events::System;
    use pmu_events::open::{Count, EventReading, SetEvent};

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
        let cgroups = |names: &[&str]| -> Vec<Option<String>> {
            names.iter().map(|name| Some(name.to_string())).collect()
        };
        let of = |cgroups: &[Option<String>]| {
            merged(all.len(), |n| cgroups.get(n).and_then(Option::as_ref), |n| Some(&all[n]))
        };
        let each = cgroups(&["b", "b", "b", "a", "a", "a"]);
        assert_eq!(of(&each), [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
        let last = cgroups(&["a"; 3]);
        assert_eq!(of(&last), [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
        std::fs::remove_dir_all(root).unwrap();
    }

    /// Two sockets of two CPUs each, the last of which is not counted.
    #[test]
    fn units_have_the_sum_of_their_cpus() {
        let line = Line {
            places: vec![0],
            name: "cycles".into(),
            unit: String::new(),
            scale: 1.0,
            meaning: Meaning::Cycles,
            core: 0,
            cgroup: None,
        };
        let part = |(cpu, &value): (usize, &u64)| Part {
            target: Target::Cpu(cpu as u32),
            count: Count::new(value, 10, 10),
        };
        let parts = [1, 20, 300].iter().enumerate().map(part).collect();
        let cycles = System::at("/nonexistent").require("cycles").unwrap();
        let mut event = EventReading::new(SetEvent::new(cycles[0].clone()));
        event.parts = parts;
        let reading = Reading { events: vec![event] };
        let shown = |units: &[(u32, Unit)]| -> Vec<(Option<Unit>, Option<u64>, usize)> {
            let units: Units = units.iter().copied().collect();
            let value = |shown: &Shown| shown.outcome.total().map(|total| total.value);
            let all = line.shown(&reading, &units);
            all.iter().map(|shown| (shown.unit, value(shown), shown.parts)).collect()
        };
        let [one, two] = [Unit::Socket(0), Unit::Socket(1)];
        let cpus = [(0, one), (1, one), (2, two), (3, two)];
        assert_eq!(shown(&cpus), [(Some(one), Some(21), 2), (Some(two), Some(300), 1)]);
        assert_eq!(shown(&[]), [(None, Some(321), 3)]);
    }
}
