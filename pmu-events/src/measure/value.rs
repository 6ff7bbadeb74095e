//! What a metric comes to.

use super::plan::PlannedMetric;
use super::request::Request;
use crate::expr::{EventValue, Identifier, Machine};
use crate::metric::NeededEvents;

/// What a metric comes to.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Value<'p> {
    /// What was asked for.
    pub request: &'p Request,
    /// The value, scaled; NaN where it has none.
    pub value: f64,
    /// Its unit; empty without one.
    pub unit: &'static str,
    /// Whether it deserves attention; `None` without a threshold, and where that
    /// cannot be told.
    pub is_crossed: Option<bool>,
}

impl PlannedMetric {
    /// What the metric comes to when its operands read as `reading` says, which
    /// is asked for each by its place among [`operands`](Self::operands).
    ///
    /// A formula sees counts before the scale of their event, and the time of
    /// `duration_time` and its like in seconds (`prepare_metric` in
    /// `tools/perf/util/stat-shadow.c`). Where an event that it needs was not
    /// counted it has no value, even if its formula does without: `max(NaN, 0)`
    /// is 0.
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
