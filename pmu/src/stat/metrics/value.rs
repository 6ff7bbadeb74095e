//! The counts, put into the formulas: each metric appears on the line of its
//! first event (`perf_stat__print_shadow_stats_metricgroup` in
//! `tools/perf/util/stat-shadow.c`).

use std::cell::RefCell;
use std::ops::Add;

use pmu_events::__private::measure::{RawCount, value_with};
use pmu_events::measure::{Operand, Plan, PlannedMetric, Value};
use pmu_events::metric::Latencies;
use pmu_events::system::SystemMachine;

use crate::stat::copies::PlanCopy;
use crate::stat::lines::{LineId, Lines, MissingId, Shows};

/// Metrics whose events are known among those of the set.
pub(crate) struct Bound<'p> {
    pub(super) machine: &'p SystemMachine,
    pub(super) metrics: Vec<BoundMetric<'p>>,
    /// Retirement latencies that were sampled meanwhile.
    pub(super) measured: RefCell<Latencies>,
}

pub(super) struct BoundMetric<'p> {
    pub(super) planned: &'p PlannedMetric,
    operands: Vec<BoundOperand<'p>>,
}

/// An event of a metric, and what is counted for it.
pub(super) struct BoundOperand<'p> {
    pub(super) operand: &'p Operand,
    pub(super) counted: Shows,
}

impl<'p> Bound<'p> {
    pub(crate) fn new(plan: &'p Plan, copies: &[PlanCopy]) -> Bound<'p> {
        let operand = |operand: &'p Operand, copy: usize| {
            let answers = operand.answers().iter().map(|&id| copies[copy].appended.id(id));
            let counted = match operand.missing() {
                Some(event) => Shows::Missing(MissingId { copy, event }),
                None => Shows::Answers(answers.collect()),
            };
            BoundOperand { operand, counted }
        };
        let bound = |planned: &'p PlannedMetric, copy: usize| {
            let operands = planned.operands().iter().map(|one| operand(one, copy));
            BoundMetric { planned, operands: operands.collect() }
        };
        let of_copy = |copy| plan.metrics().iter().map(move |planned| bound(planned, copy));
        let metrics = (0..copies.len()).flat_map(of_copy).collect();
        Bound { machine: plan.machine(), metrics, measured: RefCell::default() }
    }

    /// Takes retirement latencies for the next values.
    pub(crate) fn set_latencies(&self, measured: Latencies) {
        self.measured.replace(measured);
    }

    /// The metrics on the lines that show their events.
    pub(crate) fn on<'b>(&'b self, lines: &Lines) -> Vec<OnLines<'b, 'p>> {
        let on_lines = |metric: &'b BoundMetric<'p>| {
            let operand = |one: &'b BoundOperand<'p>| (one.operand, lines.of(&one.counted));
            let operands = metric.operands.iter().map(operand).collect();
            OnLines { bound: self, planned: metric.planned, operands }
        };
        self.metrics.iter().map(on_lines).collect()
    }
}

impl<'p> BoundMetric<'p> {
    /// The events that the value needs.
    pub(super) fn needed(&self) -> impl Iterator<Item = &BoundOperand<'p>> {
        self.operands.iter().filter(|one| one.operand.is_needed())
    }
}

/// A metric, and the lines that show each of its events.
pub(crate) struct OnLines<'b, 'p> {
    bound: &'b Bound<'p>,
    planned: &'p PlannedMetric,
    operands: Vec<(&'p Operand, Vec<LineId>)>,
}

impl<'p> OnLines<'_, 'p> {
    /// The line beside which the metric is shown: that of its first event.
    pub(crate) fn line(&self) -> Option<LineId> {
        self.operands.first()?.1.first().copied()
    }

    /// The value. `reading` returns the count of a line.
    pub(crate) fn value(&self, reading: impl Fn(LineId) -> Option<RawCount>) -> Value<'p> {
        let count = |id: &LineId| reading(*id).unwrap_or(RawCount::NOT_COUNTED);
        let measured = self.bound.measured.borrow();
        value_with(self.planned, self.bound.machine, &measured, |operand| {
            let mut own = self.operands.iter();
            let lines = own.find(|(one, _)| std::ptr::eq(*one, operand)).map(|(_, lines)| lines);
            let counts = lines.into_iter().flatten().map(count);
            counts.reduce(RawCount::add).unwrap_or(RawCount::NOT_COUNTED)
        })
    }
}
