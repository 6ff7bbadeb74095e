//! The value of a metric.

use super::plan::PlannedMetric;
use super::request::Request;
use crate::expr::{EventValue, Identifier, Machine};
use crate::metric::NeededEvents;

/// The value of a metric.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Value<'p> {
    /// The request for this metric.
    pub request: &'p Request,
    /// The scaled value, or NaN.
    pub value: f64,
    /// The unit, or an empty string.
    pub unit: &'static str,
    /// Whether the threshold expression is true; `None` if there is none, or if it
    /// cannot be evaluated.
    pub is_crossed: Option<bool>,
}

impl PlannedMetric {
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
        let value = |identifier: Identifier<'static>| {
            let is_it = |operand: &super::Operand| operand.identifier == identifier.as_str();
            self.operands.iter().position(is_it).map_or(EventValue::NOT_COUNTED, &reading)
        };
        let are_counted =
            |mut events: NeededEvents| events.all(|event| !value(event).value.is_nan());
        let metric = self.request.metric();
        Value {
            request: &self.request,
            value: match are_counted(metric.events_on(machine)) {
                true => metric.evaluate_on(machine, value),
                false => f64::NAN,
            },
            unit: metric.scale().1,
            is_crossed: are_counted(metric.threshold_events_on(machine))
                .then(|| metric.is_crossed_on(machine, value))
                .flatten(),
        }
    }
}
