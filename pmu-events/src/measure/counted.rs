//! Metrics of open counters.

use std::vec::Vec;

use super::operand::Operand;
use super::plan::{Plan, PlannedMetric};
use super::raw_count::RawCount;
use super::value::Value;
use crate::Metric;
use crate::expr::Identifier;
use crate::open::{self, Counters, Options, Reading, Sum};
use crate::resolve::Resolved;
use crate::topdown::EventCount;

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
        let mut metrics: Vec<&PlannedMetric> = self.metrics().iter().collect();
        metrics.sort_by_key(|planned| planned.asked);
        let read = |planned: &PlannedMetric| -> Vec<RawCount> {
            planned.operands.iter().map(|operand| counted(operand, reading).0).collect()
        };
        let mut values = Vec::with_capacity(metrics.len());
        for planned in metrics {
            let readings = read(planned);
            values.push(planned.value(&self.machine, |n| readings[n]));
        }
        values
    }

    /// Returns the count of an event in the formula of a metric, as
    /// [`Drill::learn`](crate::topdown::Drill::learn) takes it. `reading` must come
    /// from the counters that [`values`](Self::values) takes. An event that the plan
    /// does not count is [not counted](RawCount::NOT_COUNTED).
    #[must_use]
    pub fn count(&self, metric: Metric, event: Identifier<'_>, reading: &Reading) -> EventCount {
        let planned = self.metrics().iter().find(|one| one.request.metric() == Some(metric));
        let is_it = |operand: &&Operand| {
            operand.identifier == event.as_str() && operand.pmu == Some(metric.pmu())
        };
        let operand = planned.and_then(|planned| planned.operands.iter().find(is_it));
        let (count, running) =
            operand.map_or((RawCount::NOT_COUNTED, 0.0), |operand| counted(operand, reading));
        EventCount { value: count.in_formula_of_tree(), running }
    }
}

/// Combines the counts of the instances of an operand's event; also the share of the time
/// in which they had a counter.
fn counted(operand: &Operand, reading: &Reading) -> (RawCount, f64) {
    let known = reading.events.iter().map(|read| {
        let event = read.event();
        (event.number(), event.resolved().and_then(Resolved::pmu))
    });
    let places = operand.places_among(0, known);
    let events = || places.iter().filter_map(|&n| reading.events.get(n));
    // A formula of a part of the counts would have a wrong value.
    let Some(total) = Sum::of(events()).outcome().total() else {
        return (RawCount::NOT_COUNTED, 0.0);
    };
    let resolved = events().find_map(|event| event.event().resolved());
    let number = resolved.map_or(total.value as f64, |resolved| resolved.number(total.value));
    let mut count = RawCount::new(number, resolved.and_then(Resolved::clock));
    count.sources = events().count() as f64;
    count.aggregated = events().map(|event| event.parts.len()).sum::<usize>() as f64;
    (count, total.share())
}
