//! The value of a metric.

use core::fmt;
use std::vec::Vec;

use super::operand::{LatencyOperand, Operand};
use super::plan::PlannedMetric;
use super::raw_count::RawCount;
use super::request::Request;
use crate::Metric;
use crate::expr::{Identifier, Machine};
use crate::metric::{Latencies, Latency};

/// The value of a metric.
///
/// [`Display`](fmt::Display) writes the number and its unit, with the precision that is
/// asked for, or `no value` for NaN.
///
/// ```
/// # #[cfg(feature = "open")] {
/// use pmu_events::{Scope, System, measure::{Formulas, Plan}, open::Options};
///
/// let formulas = "
///     share [100%] = 1 / 3
///     rate [1per_cycle] = 2 / 3
///     of_each_cpu = 1 / #num_cpus
/// ".parse::<Formulas>()?;
/// let system = System::at("/nonexistent"); // has no CPUs
/// let plan = Plan::new(formulas.bind(&system)?, &system, &Scope::ThisThread);
/// let counts = plan.open(&Options::new())?.read();
/// let shown: Vec<_> = plan.values(&counts).iter().map(|value| format!("{value:.2}")).collect();
/// assert_eq!(shown, ["33.33%", "0.67 per_cycle", "no value"]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Value<'p> {
    pub(crate) request: &'p Request,
    pub(crate) value: f64,
    pub(crate) unit: &'p str,
    pub(crate) is_crossed: Option<bool>,
    pub(crate) is_estimate: bool,
    pub(crate) parts: usize,
}

impl<'p> Value<'p> {
    /// Returns the request for this metric.
    #[must_use]
    pub fn request(self) -> &'p Request {
        self.request
    }

    /// Returns the scaled value, or NaN.
    #[must_use]
    pub fn value(self) -> f64 {
        self.value
    }

    /// Returns the unit, or an empty string.
    #[must_use]
    pub fn unit(self) -> &'p str {
        self.unit
    }

    /// Whether the threshold expression is true; `None` if there is none, or if it
    /// cannot be evaluated.
    #[must_use]
    pub fn is_crossed(self) -> Option<bool> {
        self.is_crossed
    }

    /// Whether the value is an estimate because of a retirement latency that is from the
    /// tables rather than from the caller ([`Latency::is_estimate`]). The counts themselves
    /// may be estimates, too, if they were multiplexed.
    ///
    /// [`Latency::is_estimate`]: crate::metric::Latency::is_estimate
    #[must_use]
    pub fn is_estimate(self) -> bool {
        self.is_estimate
    }

    /// Returns the number of groups from whose counts the value is combined, because the PMU has too
    /// few counters for one, or because that saves a pass ([`PlannedMetric::parts`]).
    #[must_use]
    pub fn parts(self) -> usize {
        self.parts
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_nan() {
            return write!(f, "{:1$}", "no value", f.width().unwrap_or_default());
        }
        fmt::Display::fmt(&self.value, f)?;
        let space = if self.unit.is_empty() || self.unit.starts_with('%') { "" } else { " " };
        write!(f, "{space}{}", self.unit)
    }
}

impl PlannedMetric {
    /// Returns the number of groups over which the value's events are distributed because
    /// they do not fit one, or because that saves a pass
    /// ([`Plan::in_fewest_passes`](super::Plan::in_fewest_passes)). If there are several, the value is combined from counts of
    /// different times: those of each group are multiplied by the cycles (or slots) of the
    /// first group over those of their own.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.count()
    }

    /// Returns the events that the value needs; the others are only for the threshold, or
    /// relate the counts of several groups.
    pub fn needed(&self) -> impl Iterator<Item = &Operand> {
        self.operands.iter().filter(|operand| operand.is_needed)
    }

    /// Returns the retirement latencies that the value needs and that neither the tables
    /// nor the request state: without them, there is no value.
    pub fn unknown_latencies(&self) -> impl Iterator<Item = &LatencyOperand> {
        self.unknown_with(&NOTHING)
    }

    /// The same, if others are measured meanwhile.
    pub(crate) fn unknown_with<'p>(
        &'p self,
        measured: &'p Latencies,
    ) -> impl Iterator<Item = &'p LatencyOperand> {
        let needed = self.latencies.iter().filter(|one| one.is_needed);
        needed.filter(|one| one.latency_with(measured).is_none())
    }

    /// Whether the value uses retirement latencies of the tables.
    #[must_use]
    pub fn is_estimate(&self) -> bool {
        self.is_estimate_with(&NOTHING)
    }

    pub(crate) fn is_estimate_with(&self, measured: &Latencies) -> bool {
        let needed = self.latencies.iter().filter(|one| one.is_needed);
        needed.filter_map(|one| one.latency_with(measured)).any(Latency::is_estimate)
    }
}

/// No latency that was measured meanwhile.
static NOTHING: Latencies = Latencies::NOTHING;

/// Evaluates a metric. `reading` returns the count of each of its
/// [operands](PlannedMetric::operands).
///
/// A formula sees counts before the event's scale is applied; each kind of formula
/// has its unit of times ([`RawCount`]). If an event was not counted, or a retirement
/// latency is not known, the metric has no value, even if its formula would have one:
/// `max(NaN, 0)` is 0.
pub fn value<'p>(
    planned: &'p PlannedMetric,
    machine: &impl Machine,
    reading: impl Fn(&Operand) -> RawCount,
) -> Value<'p> {
    value_with(planned, machine, &NOTHING, reading)
}

/// The same with retirement latencies that were measured meanwhile.
pub fn value_with<'p>(
    planned: &'p PlannedMetric,
    machine: &impl Machine,
    measured: &Latencies,
    reading: impl Fn(&Operand) -> RawCount,
) -> Value<'p> {
    let read = |one: &Operand| planned.parts.combined(&planned.operands, one, &reading);
    let counts: Vec<(&Operand, RawCount)> =
        planned.operands.iter().map(|operand| (operand, read(operand))).collect();
    // Formulas have names; here is the one place that finds what they mean.
    let count = |identifier: &str, pmu: Option<&str>| {
        if let Some(one) = planned.latencies.iter().find(|one| one.identifier == identifier) {
            let cycles = |latency: Latency| RawCount::new(latency.cycles, None);
            return one.latency_with(measured).map_or(RawCount::NOT_COUNTED, cycles);
        }
        let own = counts.iter().find(|(operand, _)| operand.is_of(identifier, pmu));
        own.map_or(RawCount::NOT_COUNTED, |(_, count)| *count)
    };
    let is_crossed = |metric: Metric| {
        let latencies = metric.threshold_latencies_on(machine);
        let mut needed = metric.threshold_events_on(machine).chain(latencies);
        let of_tree = |event: Identifier<'_>| count(event.as_str(), Some(metric.pmu()));
        let are_counted = needed.all(|event| of_tree(event).is_counted());
        are_counted
            .then(|| metric.is_crossed_on(machine, |one| of_tree(one).in_formula_of_tree()))?
    };
    let is_known = planned.unknown_with(measured).next().is_none();
    let mut needed = counts.iter().filter(|(operand, _)| operand.is_needed);
    let value = match is_known && needed.all(|(_, count)| count.is_counted()) {
        true => planned.request.value_on(machine, count),
        false => f64::NAN,
    };
    Value {
        request: &planned.request,
        value,
        is_estimate: planned.is_estimate_with(measured) && !value.is_nan(),
        parts: planned.parts(),
        unit: planned.request.scale().1,
        is_crossed: planned.request.metric().and_then(is_crossed),
    }
}
