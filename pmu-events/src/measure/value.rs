//! The value of a metric.

use super::plan::PlannedMetric;
use super::request::Request;
use crate::Metric;
use crate::expr::{EventValue, Machine};

/// The value of a metric.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Value<'p> {
    /// The request for this metric.
    pub request: &'p Request,
    /// The scaled value, or NaN.
    pub value: f64,
    /// The unit, or an empty string.
    pub unit: &'p str,
    /// Whether the threshold expression is true; `None` if there is none, or if it
    /// cannot be evaluated.
    pub is_crossed: Option<bool>,
}

impl PlannedMetric {
    /// Returns the indices in [`operands`](Self::operands) of the events that the
    /// value needs; the others are only for the threshold.
    pub fn needed_on(&self, machine: &impl Machine) -> impl Iterator<Item = usize> {
        let needed = self.request.events_on(machine);
        (0..self.operands.len()).filter(move |&n| {
            let operand = &self.operands[n];
            needed.iter().any(|(name, pmu)| *name == operand.identifier && *pmu == operand.pmu)
        })
    }

    /// Evaluates the metric. `reading` returns the reading of an operand by its
    /// index in [`operands`](Self::operands).
    ///
    /// A formula sees counts before the event's scale is applied, and times such as
    /// `duration_time` in seconds (`prepare_metric` in
    /// `tools/perf/util/stat-shadow.c`). If an event was not counted, the metric
    /// has no value, even if its formula would have one: `max(NaN, 0)` is 0.
    pub fn value(
        &self,
        machine: &impl Machine,
        reading: impl Fn(usize) -> EventValue,
    ) -> Value<'_> {
        let value = |identifier: &str, pmu: Option<&str>| {
            let is_it =
                |operand: &super::Operand| operand.identifier == identifier && operand.pmu == pmu;
            self.operands.iter().position(is_it).map_or(EventValue::NOT_COUNTED, &reading)
        };
        let is_counted = |identifier: &str, pmu| !value(identifier, pmu).value.is_nan();
        let is_crossed = |metric: Metric| {
            let mut needed = metric.threshold_events_on(machine);
            let are_counted = needed.all(|event| is_counted(event.as_str(), Some(metric.pmu())));
            are_counted.then(|| {
                metric.is_crossed_on(machine, |event| value(event.as_str(), Some(metric.pmu())))
            })?
        };
        Value {
            request: &self.request,
            value: match self.needed_on(machine).all(|n| !reading(n).value.is_nan()) {
                true => self.request.value_on(machine, value),
                false => f64::NAN,
            },
            unit: self.request.scale().1,
            is_crossed: self.request.metric().and_then(is_crossed),
        }
    }
}
