//! Metrics of open counters.

use std::vec::Vec;

use super::operand::Operand;
use super::plan::{Plan, PlannedMetric};
use super::value::Value;
use crate::expr;
use crate::open::{Counters, EventReading, Outcome, Reading};
use crate::resolve::Resolved;

impl Plan<'_> {
    /// What the metrics come to, in the order in which they were asked for.
    /// `counters` are those that were opened with what [`Plan::resolve`] gave
    /// and nothing else, `reading` is theirs.
    #[must_use]
    pub fn values(&self, counters: &Counters<'_>, reading: &Reading) -> Vec<Value<'_>> {
        let events = counters.events();
        let resolved: Vec<Resolved<'_>> = events.iter().map(|event| *event.resolved()).collect();
        let mut metrics: Vec<&PlannedMetric> = self.metrics().iter().collect();
        metrics.sort_by_key(|planned| planned.asked);
        let read = |planned: &PlannedMetric| -> Vec<expr::EventValue> {
            let metric = planned.request.metric();
            let one = |operand: &Operand| {
                let places = operand.places(metric, &resolved, 0);
                let is_time = places.iter().any(|&n| resolved[n].tool.is_some());
                together(places.iter().filter_map(|&n| reading.events.get(n)), is_time)
            };
            planned.operands.iter().map(one).collect()
        };
        let mut values = Vec::with_capacity(metrics.len());
        for planned in metrics {
            let readings = read(planned);
            values.push(planned.value(self.machine, |n| readings[n]));
        }
        values
    }
}

/// What the instances of an event counted.
fn together<'r>(
    events: impl Iterator<Item = &'r EventReading> + Clone,
    is_time: bool,
) -> expr::EventValue {
    let outcome = events.clone().map(EventReading::outcome).reduce(Outcome::and);
    let Some(total) = outcome.and_then(|outcome| outcome.total()) else {
        return expr::EventValue::NOT_COUNTED;
    };
    expr::EventValue {
        // Formulas have seconds, and counters nanoseconds.
        value: total.value as f64 * if is_time { 1e-9 } else { 1.0 },
        sources: events.clone().count() as f64,
        aggregated: events.map(|event| event.parts.len()).sum::<usize>() as f64,
    }
}
