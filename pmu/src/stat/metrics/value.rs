//! The counts, put into the formulas: each metric appears on the line of its
//! first event (`perf_stat__print_shadow_stats_metricgroup` in
//! `tools/perf/util/stat-shadow.c`).

use std::ops::Add;

use pmu_events::measure::{Plan, PlannedMetric, RawCount, Value};
use pmu_events::resolve::Resolution;
use pmu_events::system::SystemMachine;

use crate::stat::lines::Line;

/// Metrics whose events are known by their indices in the set.
pub(crate) struct Bound<'p> {
    pub(super) machine: &'p SystemMachine,
    pub(super) metrics: Vec<BoundMetric<'p>>,
}

pub(super) struct BoundMetric<'p> {
    pub(super) planned: &'p PlannedMetric,
    /// For each operand; empty for a missing one.
    pub(super) places: Vec<Vec<usize>>,
    /// The control group that it is of, if not of everything.
    cgroup: Option<&'p str>,
}

/// Where the events of a plan are among all events: once for each control group.
pub(crate) struct PlanCopy<'p> {
    /// The number of the first.
    pub(crate) first: usize,
    pub(crate) cgroup: Option<&'p str>,
}

impl<'p> Bound<'p> {
    pub(crate) fn new(plan: &'p Plan, resolved: &Resolution, copies: &[PlanCopy<'p>]) -> Bound<'p> {
        let bound = |planned: &'p PlannedMetric, &PlanCopy { first, cgroup }: &PlanCopy<'p>| {
            let places = planned.operands().iter().map(|one| one.places(resolved, first));
            BoundMetric { planned, places: places.collect(), cgroup }
        };
        let of_copy = |copy| plan.metrics().iter().map(move |planned| bound(planned, copy));
        Bound { machine: plan.machine(), metrics: copies.iter().flat_map(of_copy).collect() }
    }

    /// The metrics shown on a line: those whose first event it is. `reading`
    /// returns the count of a line.
    pub(crate) fn beside(
        &self,
        line: usize,
        lines: &[Line],
        reading: impl Fn(usize) -> Option<RawCount>,
    ) -> Vec<Value<'_>> {
        let of = |metric: &&BoundMetric<'_>| metric.lines(0, lines).first() == Some(&line);
        let computed = |metric| self.computed(metric, lines, &reading);
        self.metrics.iter().filter(of).map(computed).collect()
    }

    fn computed<'b>(
        &'b self,
        bound: &'b BoundMetric<'_>,
        lines: &[Line],
        reading: &impl Fn(usize) -> Option<RawCount>,
    ) -> Value<'b> {
        let readings: Vec<RawCount> = (0..bound.planned.operands().len())
            .map(|n| {
                let value = |line| reading(line).unwrap_or(RawCount::NOT_COUNTED);
                let of_lines = bound.lines(n, lines).into_iter().map(value);
                of_lines.reduce(RawCount::add).unwrap_or(RawCount::NOT_COUNTED)
            })
            .collect();
        bound.planned.value(self.machine, |n| readings[n])
    }
}

impl BoundMetric<'_> {
    /// The lines that show an operand.
    fn lines(&self, operand: usize, lines: &[Line]) -> Vec<usize> {
        let places = &self.places[operand];
        let event = self.planned.operands()[operand].event();
        let shows = |line: &Line| match places.is_empty() {
            true => {
                line.is_missing() && line.name == event && line.cgroup.as_deref() == self.cgroup
            }
            false => line.shows_any_of(places),
        };
        (0..lines.len()).filter(|&n| shows(&lines[n])).collect()
    }
}
