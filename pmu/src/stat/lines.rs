//! The lines of the output: the events that each shows, and its name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Index;

use pmu_events::__private::instances;
use pmu_events::open::{
    Cgroup, Count, Counters, EventReading, LackingInstance, Outcome, Reading, SetEvent, Sum,
    Target, Total,
};
use pmu_events::perf_type;
use pmu_events::resolve::{AnswerId, Clock, Missing, Resolution, Resolved};

use crate::perf_data::reader;
use crate::stat::aggregation::{Unit, Units, is_tool_everywhere};
use crate::stat::copies::PlanCopy;
use crate::stat::derived::{self, Context, Known, Meaning};
use crate::stat::shown_unit;

/// All lines of the output, in their order.
#[derive(Default)]
pub(crate) struct Lines {
    all: Vec<Line>,
}

/// The identity of a line. That of an event is the same in each run of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineId(pub(in crate::stat) usize);

/// An event of a file of counts.
pub(crate) struct Recorded {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) scale: f64,
    meaning: Meaning,
    core: u64,
    context: Context,
}

/// What an event of a file has counted in a round.
pub(crate) struct Gained {
    pub(crate) counts: Vec<(Target, Count)>,
    /// Whether it was enabled at any time before the end of the round.
    pub(crate) was_enabled: bool,
}

impl Recorded {
    pub(crate) fn of(event: &reader::Event) -> Self {
        const OF_PROGRAM: [&str; 3] = ["duration_time", "user_time", "system_time"];
        /// `PERF_COUNT_SW_CPU_CLOCK` and `PERF_COUNT_SW_TASK_CLOCK`
        const OF_KERNEL: [u64; 2] = [0, 1];
        let clock = match (event.kind, event.config) {
            _ if OF_PROGRAM.contains(&&*event.name) => Some(Clock::Program),
            (perf_type::SOFTWARE, config) if OF_KERNEL.contains(&config) => Some(Clock::Kernel),
            _ => None,
        };
        let of_counter = || Meaning::of_counter(event.kind, event.config);
        Recorded {
            name: event.name.clone(),
            unit: String::new(),
            scale: 1.0,
            meaning: clock.map_or_else(of_counter, Meaning::Measured),
            core: derived::core_of_counter(event.kind, event.config),
            context: Context::of_flags(event.flags),
        }
    }
}

impl Lines {
    pub(crate) fn ids(&self) -> impl Iterator<Item = LineId> + use<> {
        (0..self.all.len()).map(LineId)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Line> {
        self.all.iter()
    }

    /// Has all show what was counted while an event had a counter.
    pub(crate) fn leave_unscaled(&mut self) {
        self.all.iter_mut().for_each(|line| line.is_scaled = false);
    }

    /// Those of the events of a file.
    pub(crate) fn of_recorded(events: &[Recorded]) -> Self {
        let line = |event: &Recorded| Line {
            unit: event.unit.clone(),
            scale: event.scale,
            meaning: event.meaning,
            core: event.core,
            context: event.context,
            ..Line::without_event(&event.name, Shows::Answers(Vec::new()), None)
        };
        Lines { all: events.iter().map(line).collect() }
    }

    /// The lines that show any of some events.
    pub(crate) fn of(&self, shown: &Shows) -> Vec<LineId> {
        let is_it = |id: &LineId| match (&self[*id].shows, shown) {
            (Shows::Answers(own), Shows::Answers(wanted)) => {
                own.iter().any(|id| wanted.contains(id))
            }
            (own, wanted) => own == wanted,
        };
        self.ids().filter(is_it).collect()
    }
}

impl Index<LineId> for Lines {
    type Output = Line;

    fn index(&self, LineId(id): LineId) -> &Line {
        &self.all[id]
    }
}

/// The events that a line or a metric shows.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// One event: its instances on all PMUs that have it.
    Answers(Vec<AnswerId>),
    /// An event of metrics that no PMU has.
    Missing(MissingId),
}

/// The identity of an event that the metrics of a plan lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissingId {
    /// Which copy of the plan: each is in another control group.
    pub(crate) copy: usize,
    /// Its index among the plan's missing events.
    pub(crate) event: usize,
}

/// One event as it is shown: a merge of several PMUs if those are merged.
pub(crate) struct Line {
    shows: Shows,
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) scale: f64,
    /// Whether it shows estimates of what was multiplexed.
    is_scaled: bool,
    meaning: Meaning,
    core: u64,
    context: Context,
    /// The name with its PMU, as perf writes it where instances are shown separately.
    pub(crate) name_on_pmu: String,
    /// The event, of which all others are instances.
    resolved: Option<Resolved>,
    /// Where it was counted, if not everywhere.
    pub(crate) cgroup: Option<Cgroup>,
}

/// The contents of one line.
#[derive(Clone)]
pub(crate) struct Shown {
    /// The unit that it shows, if there are several.
    pub(crate) unit: Option<Unit>,
    pub(crate) outcome: Outcome,
    /// The number of counts in it.
    pub(crate) parts: usize,
    /// What it lacks.
    pub(crate) lacking: Vec<LackingInstance>,
}

/// What shares a line.
#[derive(Clone, Copy)]
pub(crate) struct Merging {
    /// Whether instances of a PMU do.
    pub(crate) is_merged: bool,
    /// Whether the same event of several kinds of cores does.
    pub(crate) merges_cores: bool,
}

/// `missing` are the events that metrics lack: they are not in the set, but are shown
/// nevertheless, for each copy of the plan.
pub(crate) fn of_set(
    counters: &Counters,
    resolved: &Resolution,
    copies: &[PlanCopy],
    missing: &[Missing],
    merging: Merging,
) -> Lines {
    let events: Vec<Counted<'_>> = counters
        .ids()
        .zip(counters.events())
        .map(|(id, event)| Counted { id, event: event.as_ref() })
        .collect();
    let mut merged = match merging.is_merged {
        true => merged(&events),
        false => events.iter().map(|&event| vec![event]).collect(),
    };
    if merging.merges_cores {
        merged = of_all_cores(merged);
    }
    let groups = groups(resolved);
    let line = |instances: Vec<Counted<'_>>| {
        // An instance may be missing.
        let known = instances.iter().find(|one| one.event.resolved().is_some());
        let event = known.unwrap_or(&instances[0]).event;
        let (name, cgroup) = (event.name(), event.cgroup().cloned());
        let shows = Shows::Answers(instances.iter().map(|one| one.id).collect());
        let Some(first) = event.resolved() else {
            return Line::without_event(&name, shows, cgroup);
        };
        let of_group = events.iter().filter(|other| other.event.cgroup() == event.cgroup());
        let is_one_of_several = instances.len() == 1
            && of_group
                .filter_map(|other| other.event.resolved())
                .filter(|other| (other.event(), other.name()) == (first.event(), first.name()))
                .count()
                > 1;
        let (scale, unit) = shown_unit::of(first);
        Line {
            shows,
            name: if is_one_of_several { on_pmu(&name, first) } else { name.into_owned() },
            unit: unit.to_owned(),
            scale,
            is_scaled: true,
            meaning: Meaning::of(first),
            core: derived::core(first),
            context: Context::new(first.settings(), groups.get(&instances[0].id).copied()),
            name_on_pmu: name_on_pmu(first),
            resolved: Some(first.clone()),
            cgroup,
        }
    };
    let of_missing = copies.iter().enumerate().flat_map(|(copy, of_copy)| {
        missing.iter().enumerate().map(move |(event, missing)| {
            let shows = Shows::Missing(MissingId { copy, event });
            Line::without_event(missing.name(), shows, of_copy.cgroup.clone())
        })
    });
    Lines { all: merged.into_iter().map(line).chain(of_missing).collect() }
}

/// An event of a set.
#[derive(Clone, Copy)]
struct Counted<'c> {
    id: AnswerId,
    event: &'c SetEvent,
}

/// The instances of each event; each control group has instances of its own.
fn merged<'c>(events: &[Counted<'c>]) -> Vec<Vec<Counted<'c>>> {
    let mut groups: Vec<(Option<&Cgroup>, Vec<Counted<'c>>)> = Vec::new();
    for &one in events {
        match groups.iter_mut().find(|(cgroup, _)| *cgroup == one.event.cgroup()) {
            Some((_, own)) => own.push(one),
            None => groups.push((one.event.cgroup(), vec![one])),
        }
    }
    let mut all: Vec<Vec<Counted<'c>>> = Vec::new();
    for (_, own) in groups {
        let instances = instances(own.iter().map(|one| one.event));
        all.extend(instances.into_iter().map(|list| list.into_iter().map(|n| own[n]).collect()));
    }
    all.sort_by_key(|instances| instances.first().map(|one| one.id));
    all
}

/// The same event of all kinds of cores together (`evsel__merge_stats` in
/// `tools/perf/util/stat.c`).
fn of_all_cores<'c>(lines: Vec<Vec<Counted<'c>>>) -> Vec<Vec<Counted<'c>>> {
    let core = |line: &[Counted<'c>]| {
        let event = line.first()?.event;
        let resolved = event.resolved()?;
        let is_of_core =
            derived::core(resolved) != 0 || resolved.pmu().is_some_and(|pmu| pmu.is_core());
        is_of_core.then(|| (event.cgroup(), resolved.event(), resolved.name()))
    };
    let mut all: Vec<(_, Vec<Counted<'_>>)> = Vec::new();
    for line in lines {
        let key = core(&line);
        match all.iter_mut().find(|(other, _)| key.is_some() && *other == key) {
            Some((_, other)) => other.extend(line),
            None => all.push((key, line)),
        }
    }
    all.into_iter().map(|(_, line)| line).collect()
}

/// The numbers of the groups that have several members.
fn groups(resolved: &Resolution) -> BTreeMap<AnswerId, usize> {
    let numbers = resolved.groups().enumerate().flat_map(|(number, members)| {
        std::iter::repeat_n((members.len() > 1).then_some(number), members.len())
    });
    let known = resolved.ids().zip(resolved.answers()).filter(|(_, answer)| answer.is_ok());
    known.zip(numbers).filter_map(|((id, _), number)| Some((id, number?))).collect()
}

/// The name where each instance has a line (`uniquify_event_name` in
/// `tools/perf/util/stat-display.c`).
fn name_on_pmu(resolved: &Resolved) -> String {
    let name = resolved.name();
    let pmu = match (resolved.pmu(), resolved.type_()) {
        (Some(pmu), _) => pmu.name(),
        (None, perf_type::SOFTWARE) if resolved.tool().is_none() => "software",
        (None, perf_type::TRACEPOINT) => "tracepoint",
        (None, perf_type::BREAKPOINT) => "breakpoint",
        _ => return name.into(),
    };
    match name.find('/') {
        _ if name.starts_with(pmu) => name.into(),
        Some(slash) => format!("{pmu}{}", &name[slash..]),
        None => format!("{name} [{pmu}]"),
    }
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
    fn without_event(name: &str, shows: Shows, cgroup: Option<Cgroup>) -> Line {
        Line {
            shows,
            name: name.into(),
            unit: String::new(),
            scale: 1.0,
            is_scaled: true,
            meaning: Meaning::Other,
            core: 0,
            context: Context::default(),
            name_on_pmu: name.into(),
            resolved: None,
            cgroup,
        }
    }

    /// The meaning of its number.
    pub(crate) fn known(&self, value: f64) -> Known {
        Known { meaning: self.meaning, core: self.core, context: self.context, value }
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
        tool.is_some_and(is_tool_everywhere)
    }

    /// Whether the program measures it, and no counter.
    pub(crate) fn is_of_program(&self) -> bool {
        self.resolved.as_ref().is_some_and(|resolved| resolved.tool().is_some())
    }

    fn answers(&self) -> &[AnswerId] {
        match &self.shows {
            Shows::Answers(answers) => answers,
            Shows::Missing(_) => &[],
        }
    }

    /// Its rows from counts of a file: one, or one for each unit.
    pub(crate) fn of_counts(&self, gained: &Gained, units: &Units) -> Vec<Shown> {
        let mut of_units: BTreeMap<Option<Unit>, Vec<Count>> = BTreeMap::new();
        for &(target, count) in &gained.counts {
            of_units.entry(units.of(target)).or_default().push(count);
        }
        if of_units.is_empty() {
            of_units.insert(None, Vec::new());
        }
        let shown = |(unit, counts): (Option<Unit>, Vec<Count>)| Shown {
            unit,
            outcome: outcome(&counts, gained.was_enabled, self.is_scaled),
            parts: counts.len(),
            lacking: Vec::new(),
        };
        of_units.into_iter().map(shown).collect()
    }

    /// The number of PMUs that it sums.
    pub(crate) fn sources(&self) -> usize {
        self.answers().len()
    }

    /// Its rows: one, or one for each unit.
    pub(crate) fn shown(&self, reading: &Reading, units: &Units) -> Vec<Shown> {
        let events: Vec<&EventReading> =
            self.answers().iter().filter_map(|&id| reading.of(id)).collect();
        // A unit whose counts are all lacking is shown as well.
        let targets = events.iter().flat_map(|event| {
            let parts = event.parts().iter().map(|part| part.target());
            parts.chain(event.lacks().iter().map(|lack| lack.target()))
        });
        let found: BTreeSet<Unit> = targets.filter_map(|target| units.of(target)).collect();
        if found.is_empty() {
            let only = Shown::of(None, events.iter().copied(), self.is_scaled);
            // What belongs to no unit is shown once; what none has, for each.
            let lacking: BTreeSet<Unit> = match only.outcome.known() {
                None if !self.is_everywhere() => units.all().collect(),
                _ => BTreeSet::new(),
            };
            if lacking.is_empty() {
                return vec![only];
            }
            let of_unit = |unit| Shown { unit: Some(unit), ..only.clone() };
            return lacking.into_iter().map(of_unit).collect();
        }
        let on = |unit: Unit| {
            let is_its = |target| units.of(target) == Some(unit);
            let has_its = |event: &&&EventReading| {
                event.parts().iter().any(|part| is_its(part.target()))
                    || event.lacks().iter().any(|lack| is_its(lack.target()))
            };
            // Another instance may belong to another unit; one that is missing, to any.
            let is_missing = |event: &&&EventReading| event.event().refusal().is_some();
            let own: Vec<EventReading> = events
                .iter()
                .filter(|event| has_its(event) || is_missing(event))
                .map(|event| units.part_of_event(event, unit))
                .collect();
            Shown::of(Some(unit), own.iter(), self.is_scaled)
        };
        found.into_iter().map(on).collect()
    }
}

impl Shown {
    fn of<'r>(
        unit: Option<Unit>,
        events: impl Iterator<Item = &'r EventReading>,
        is_scaled: bool,
    ) -> Self {
        let sum = Sum::of(events);
        let parts = sum.instances().iter().map(|event| event.parts().len()).sum();
        let outcome = match is_scaled {
            true => sum.outcome(),
            false => unscaled(&sum),
        };
        let lacking = match outcome {
            Outcome::Partial(_) => sum.lacking(),
            _ => Vec::new(),
        };
        Shown { unit, outcome, parts, lacking }
    }
}

/// The sum with what was counted, in place of the estimates.
fn unscaled(sum: &Sum<'_>) -> Outcome {
    let counts = sum.instances().iter().flat_map(|event| event.parts()).map(|part| part.count());
    let value = counts.fold(0_u64, |value, count| value.wrapping_add(count.value()));
    let total = |total: Total| Total::new(value, total.time_enabled(), total.time_running());
    match sum.outcome() {
        Outcome::Counted(estimate) => Outcome::Counted(total(estimate)),
        Outcome::Partial(estimate) => Outcome::Partial(total(estimate)),
        other => other,
    }
}

/// The sum of counts, each of which is estimated if it was multiplexed, as that of a reading is.
fn outcome(counts: &[Count], was_enabled: bool, is_scaled: bool) -> Outcome {
    if counts.is_empty() {
        return Outcome::NotSupported;
    }
    let is_starved = |count: &&Count| count.time_enabled() > 0 && count.time_running() == 0;
    let starved = counts.iter().filter(is_starved).count();
    if starved == counts.len() || !was_enabled {
        return Outcome::NotCounted;
    }
    let sum = |of: fn(&Count) -> u64| counts.iter().map(of).fold(0, u64::wrapping_add);
    let value = match is_scaled {
        true => sum(|count| count.estimate().unwrap_or(0)),
        false => sum(|count| count.value()),
    };
    let (enabled, running) = (sum(|one| one.time_enabled()), sum(|one| one.time_running()));
    let total = Total::new(value, enabled, running);
    if starved > 0 { Outcome::Partial(total) } else { Outcome::Counted(total) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pmu_events::__private::set_event;
    use pmu_events::System;
    use pmu_events::open::{Count, Lack, Part, Target};
    use pmu_events::resolve::Resolution;

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
        let of = |groups: [Option<&str>; 2]| -> Vec<Vec<usize>> {
            let mut all = Resolution::empty(&system);
            for name in groups {
                let events = system.resolve("uncore_imc/event=1/,cs").unwrap();
                all.append(match name {
                    Some(name) => {
                        let path = root.join(name);
                        std::fs::create_dir_all(&path).unwrap();
                        events.in_cgroup(&Cgroup::open(path).unwrap())
                    }
                    None => events,
                });
            }
            let ids: Vec<AnswerId> = all.ids().collect();
            let all: Vec<SetEvent> = all.into_iter().map(set_event).collect();
            let counted = ids.iter().zip(&all).map(|(&id, event)| Counted { id, event });
            let place = |one: &Counted<'_>| ids.iter().position(|id| *id == one.id).unwrap();
            let merged = merged(&counted.collect::<Vec<_>>());
            merged.iter().map(|list| list.iter().map(place).collect()).collect()
        };
        assert_eq!(of([Some("b"), Some("a")]), [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
        assert_eq!(of([Some("a"), None]), [vec![0, 1], vec![2], vec![3, 4], vec![5]]);
        std::fs::remove_dir_all(root).unwrap();
    }

    /// Two sockets of two CPUs each, the last of which is not counted, or has no count.
    #[test]
    fn units_have_the_sum_of_their_cpus() {
        let cycles = System::at("/nonexistent").require("cycles").unwrap();
        let line = Line {
            shows: Shows::Answers(cycles.ids().collect()),
            name: "cycles".into(),
            unit: String::new(),
            scale: 1.0,
            is_scaled: true,
            meaning: Meaning::Cycles,
            core: 0,
            context: Context::default(),
            name_on_pmu: "cycles".into(),
            resolved: None,
            cgroup: None,
        };
        let part = |(cpu, &value): (usize, &u64)| {
            Part::new(Target::Cpu(cpu as u32), Count::new(value, 10, 10))
        };
        let parts = [1, 20, 300].iter().enumerate().map(part).collect();
        let event = EventReading::with_parts(set_event(cycles[0].clone()), parts);
        let reading = Reading::new(vec![event]);
        let shown = |units: &[(u32, Unit)]| -> Vec<(Option<Unit>, Option<u64>, usize)> {
            let units = Units::of_cpus(units.iter().copied());
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
        let all = line.shown(&lacking, &Units::of_cpus(cpus));
        let outcomes: Vec<_> = all.iter().map(|shown| (shown.unit, shown.outcome)).collect();
        let [(first, counted), (second, failed)] = outcomes[..] else { panic!("{outcomes:?}") };
        assert_eq!((first, second, failed), (Some(one), Some(two), Outcome::Failed));
        assert_eq!(counted.total().map(|total| total.value()), Some(21));
    }
}
