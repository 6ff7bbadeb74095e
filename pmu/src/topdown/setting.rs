//! What every pass counts, and counting one.

use std::cell::RefCell;
use std::time::Duration;

use pmu_events::measure::{Plan, Request};
use pmu_events::metric::Latencies;
use pmu_events::open::Cgroup;
use pmu_events::resolve::{AnswerId, Resolution};
use pmu_events::{Metric, Scope};

use super::places::{Counts, Place};
use super::utilization::{self, CpuTimes, Utilization};
use crate::stat::args::{RunArgs, Subject};
use crate::stat::{Asked, Bound, Failure, Interval, Level, PlanCopy, Signals, Units, Wanted};
use crate::stat::{events, run, scope};
use crate::system::System;

/// What every pass counts.
pub(crate) struct Setting<'s> {
    pub(crate) system: &'s System,
    pub(crate) run: &'s RunArgs,
    /// What has a tree of its own.
    pub(crate) level: Level,
    /// `None` is everything.
    pub(crate) cgroups: Vec<Option<Cgroup>>,
    /// Which code is counted, as events say it: all of it, that of users, or the kernel.
    pub(crate) modifiers: &'static str,
    /// What formulas take for `EVENT:R`.
    pub(crate) latencies: Latencies,
    /// Whether they are sampled meanwhile.
    pub(crate) samples_latencies: bool,
}

/// What was counted in a pass, or in an interval of one.
pub(crate) struct Part {
    pub(crate) counts: Counts,
    /// How much of the time something ran in each place, if it is known.
    utilizations: Vec<(Place, Utilization)>,
    /// How many intervals were before it.
    pub(crate) number: u64,
    /// Its end, after the start.
    pub(crate) end: Duration,
    /// The retirement latencies that were sampled.
    pub(crate) latencies: Latencies,
}

impl Part {
    pub(crate) fn utilization(&self, place: &Place) -> Option<Utilization> {
        let found = self.utilizations.iter().find(|(own, _)| own == place);
        found.map(|&(_, utilization)| utilization)
    }
}

/// A pass.
pub(crate) struct Pass {
    /// What was counted in all of it.
    pub(crate) whole: Part,
    /// The names of events that the CPU lacks.
    pub(crate) lacking: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// The status of the program if this pass is the last.
    pub(crate) ends: Option<u8>,
}

impl Setting<'_> {
    pub(crate) fn scope(&self) -> Scope {
        scope(&self.run.subject)
    }

    pub(crate) fn plan(&self, metrics: &[Metric]) -> Plan {
        Plan::new(self.requests(metrics), self.system, &self.scope())
    }

    pub(crate) fn plan_in_fewest_passes(&self, metrics: &[Metric]) -> Plan {
        Plan::in_fewest_passes(self.requests(metrics), self.system, &self.scope())
    }

    fn requests(&self, metrics: &[Metric]) -> impl Iterator<Item = Request> {
        let request = |&metric: &Metric| {
            Request::from(metric)
                .without_threshold()
                .with_latencies(self.latencies.clone())
                .with_modifiers(self.modifiers)
        };
        let mut cgroups = self.cgroups.iter();
        let has_tasks = cgroups.any(|cgroup| self.is_of_tasks(&Place::of_cgroup(cgroup.as_ref())));
        let used = if has_tasks { utilization::request(self.system) } else { None };
        metrics.iter().map(request).chain(used)
    }

    /// Whether the CPU time of a place is that of tasks. The clock of whole CPUs always runs; the
    /// root of the control groups has those that idle, too.
    fn is_of_tasks(&self, place: &Place) -> bool {
        let is_below_root = |name: &String| !name.trim_matches('/').is_empty();
        !self.run.subject.is_cpus() || place.cgroup.as_ref().is_some_and(is_below_root)
    }

    /// Counts what a plan has, which is a pass of the whole. If nothing of the tree can be
    /// counted in the first pass, nothing runs.
    pub(crate) fn count(
        &self,
        plan: &Plan,
        whole: &Plan,
        is_first: bool,
        signals: &Signals,
        show: &mut dyn FnMut(&Part) -> Result<(), Failure>,
    ) -> Result<Pass, Failure> {
        let mut resolved = Resolution::empty(self.system);
        let copies = PlanCopy::in_each(&self.cgroups, plan, &mut resolved);
        let metrics = Bound::new(plan, &copies);
        let of_tree: Vec<AnswerId> = copies.iter().flat_map(|copy| of_tree(plan, copy)).collect();
        let asked = Asked {
            resolved: &resolved,
            copies: &copies,
            missing: whole.missing(),
            level: self.level,
            is_merged: true,
            merges_cores: false,
            must_count: if is_first { &of_tree } else { &[] },
            latencies: &if self.samples_latencies { Wanted::of(plan) } else { Wanted::default() },
        };
        let start = CpuTimes::now(self.system);
        let last = RefCell::new(start.clone());
        let part = |reading: &_, units: &Units, (number, end), latencies, before: &CpuTimes| {
            let counts = Counts::new(plan, reading, &self.cgroups, units);
            let now = CpuTimes::now(self.system);
            let utilizations = self.utilizations(plan, &counts, units, before, &now);
            (Part { counts, utilizations, number, end, latencies }, now)
        };
        let mut on_interval = |interval: &Interval<'_>| {
            let before = last.borrow().clone();
            let when = (interval.number, interval.end);
            let latencies = interval.latencies.clone();
            let (part, now) = part(interval.reading, interval.units, when, latencies, &before);
            last.replace(now);
            show(&part)
        };
        let finished = run::once(self.run, &asked, signals, None, &mut on_interval)?;
        let latencies = finished.measured.latencies.clone();
        metrics.set_latencies(latencies.clone());
        let mut notes = finished.measured.notes.clone();
        let read = finished.reading.events();
        notes.extend(events::notes(&finished.counters, read, whole, &latencies));
        let when = (0, finished.elapsed);
        let (of_all, _) = part(&finished.reading, &finished.units, when, latencies, &start);
        notes.extend(metrics.uncountable(whole.missing(), &finished.counters));
        // A command may end well in spite of a signal; no other pass follows.
        let ends = finished.failed().or(finished.signal.map(|_| 0));
        let lacking = resolved.events().iter().filter(|event| event.is_lacking());
        let lacking = lacking.map(|event| event.name().to_owned()).collect();
        Ok(Pass { whole: of_all, lacking, notes, ends })
    }

    fn utilizations(
        &self,
        plan: &Plan,
        counts: &Counts,
        units: &Units,
        before: &CpuTimes,
        now: &CpuTimes,
    ) -> Vec<(Place, Utilization)> {
        let of_place = |place: &Place| {
            let utilization = match (self.is_of_tasks(place), &self.run.subject) {
                (true, _) => utilization::of_tasks(plan, counts.of(place)?),
                (false, Subject::Cpus(cpus)) if place.unit().is_none() => {
                    now.since(before, Some(cpus))
                }
                (false, _) => {
                    let cpus = place.unit().map(|unit| units.cpus(unit));
                    now.since(before, cpus.as_ref())
                }
            };
            Some((place.clone(), utilization?))
        };
        counts.places().filter_map(of_place).collect()
    }
}

/// The events of a tree's metrics in a copy of a plan.
fn of_tree<'p>(plan: &'p Plan, copy: &'p PlanCopy) -> impl Iterator<Item = AnswerId> {
    let metrics = plan.metrics().iter().filter(|planned| planned.request().metric().is_some());
    let operands = metrics.flat_map(|planned| planned.operands());
    let answers = operands.flat_map(|operand| operand.answers());
    answers.map(|&id| copy.appended.id(id))
}
