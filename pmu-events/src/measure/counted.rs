//! Metrics of open counters.

use std::vec::Vec;

use super::operand::Operand;
use super::plan::{Plan, PlannedMetric};
use super::value::Value;
use crate::event_list::Tool;
use crate::expr;
use crate::open::{self, Counters, EventReading, Options, Outcome, Reading};
use crate::resolve::Resolved;

impl Plan {
    /// Opens counters for the events that the metrics need. The scope must be the
    /// one given to [`Plan::new`].
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Counters::open`].
    pub fn open(&self, options: &Options) -> Result<Counters, open::Error> {
        Counters::open(&self.resolve()?, options)
    }

    /// Returns the values of the metrics, in the order in which they were
    /// requested. `reading` must come from the counters that [`open`](Self::open)
    /// returns, or from a set opened with exactly the resolution that
    /// [`resolve`](Self::resolve) returns.
    #[must_use]
    pub fn values(&self, reading: &Reading) -> Vec<Value<'_>> {
        let events = &reading.events;
        let known = events.iter().map(|read| {
            let event = read.event();
            (event.number(), event.resolved().and_then(Resolved::pmu))
        });
        let is_time = |event: &EventReading| {
            event
                .event()
                .resolved()
                .is_some_and(|resolved| resolved.tool.is_some_and(Tool::is_time))
        };
        let mut metrics: Vec<&PlannedMetric> = self.metrics().iter().collect();
        metrics.sort_by_key(|planned| planned.asked);
        let read = |planned: &PlannedMetric| -> Vec<expr::EventValue> {
            let one = |operand: &Operand| {
                let places = operand.places_among(0, known.clone());
                let is_time = places.iter().any(|&n| is_time(&events[n]));
                together(places.iter().filter_map(|&n| events.get(n)), is_time)
            };
            planned.operands.iter().map(one).collect()
        };
        let mut values = Vec::with_capacity(metrics.len());
        for planned in metrics {
            let readings = read(planned);
            values.push(planned.value(&self.machine, |n| readings[n]));
        }
        values
    }
}

/// Combines the counts of an event's instances.
fn together<'r>(
    events: impl Iterator<Item = &'r EventReading> + Clone,
    is_time: bool,
) -> expr::EventValue {
    let outcome = events.clone().map(EventReading::outcome).reduce(Outcome::and);
    let Some(total) = outcome.and_then(|outcome| outcome.total()) else {
        return expr::EventValue::NOT_COUNTED;
    };
    expr::EventValue {
        // Formulas use seconds, counters nanoseconds.
        value: total.value as f64 * if is_time { 1e-9 } else { 1.0 },
        sources: events.clone().count() as f64,
        aggregated: events.map(|event| event.parts.len()).sum::<usize>() as f64,
    }
}
