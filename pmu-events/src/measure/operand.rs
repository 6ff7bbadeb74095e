//! What a formula takes: an event, with its position among the counted events, or a
//! retirement latency.

use std::borrow::Cow;
use std::string::String;
use std::vec::Vec;

use crate::metric::Latency;
use crate::resolve::{Missing, Resolution};
use crate::sysfs::Pmu;

/// An event of a formula, and its position among the counted events.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{Scope, System, arch::x86, measure::Plan};
///
/// let skylake = System::builtin("GenuineIntel-6-5E-3", x86::SKYLAKE);
/// let plan = Plan::new(x86::SKYLAKE.metric("ipc"), &skylake, &Scope::ThisThread);
/// for operand in plan.metrics()[0].operands() {
///     println!("{} is event {:?} of {}", operand.identifier(), operand.number(), plan.lists()[0]);
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    pub(crate) identifier: Cow<'static, str>,
    pub(crate) event: String,
    pub(crate) number: Option<usize>,
    /// The PMU of the metric in whose formula it is; `None` in a user's own.
    pub(super) pmu: Option<&'static str>,
}

impl Operand {
    /// Returns the event as spelled in the formula, including the `?` of a run-time
    /// parameter.
    #[must_use]
    pub fn identifier(&self) -> &str {
        &self.identifier
    }

    /// Returns the event as resolved and opened.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    /// Returns the index among the events of the plan's lists; `None` if the event cannot
    /// be resolved.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.number
    }
}

/// A retirement latency of a formula, for which nothing is counted.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{Scope, System, arch::x86, measure::Plan};
///
/// let system = System::builtin("GenuineIntel-6-AD-0", x86::GRANITERAPIDS);
/// let metric = x86::GRANITERAPIDS.metric("tma_lock_latency");
/// let plan = Plan::new(metric, &system, &Scope::ThisThread);
/// for operand in plan.metrics()[0].latencies() {
///     let cycles = operand.latency().map(|latency| latency.cycles());
///     println!("{}: {cycles:?} cycles", operand.identifier());
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyOperand {
    pub(crate) identifier: Cow<'static, str>,
    pub(crate) latency: Option<Latency>,
    pub(crate) is_needed: bool,
}

impl LatencyOperand {
    /// Returns the latency as spelled in the formula ([`LatencyOf::parse`](crate::metric::LatencyOf::parse)).
    #[must_use]
    pub fn identifier(&self) -> &str {
        &self.identifier
    }

    /// Returns the latency; `None` if the tables state none, and neither does the
    /// [request](super::Request::with_latencies): the metric has no value.
    #[must_use]
    pub fn latency(&self) -> Option<Latency> {
        self.latency
    }

    /// Whether the value needs it; otherwise, only the threshold does.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.is_needed
    }
}

impl Operand {
    /// Returns the indices of the events opened for this operand, among the
    /// [answers](Resolution::answers) of a resolution and thus the events of a set:
    /// one for each PMU. On a machine with several kinds of cores, an operand of a
    /// tree's metric has only those of the metric's own kind (`setup_metric_events` in
    /// `tools/perf/util/metricgroup.c`). `first` is the number of the first event
    /// of the plan's lists among the events of all lists.
    #[must_use]
    pub fn places(&self, resolution: &Resolution, first: usize) -> Vec<usize> {
        self.places_among(
            first,
            resolution.answers().map(|answer| match answer {
                Ok(resolved) => (resolved.event(), resolved.pmu()),
                Err(missing) => (Missing::event(missing), None),
            }),
        )
    }

    /// Like [`places`](Self::places), given each event's number and PMU.
    pub(super) fn places_among<'p>(
        &self,
        first: usize,
        events: impl Iterator<Item = (usize, Option<&'p Pmu>)>,
    ) -> Vec<usize> {
        let Some(number) = self.number else {
            return Vec::new();
        };
        let is_of_unit =
            |pmu: &Pmu| pmu.is_core() && self.pmu.is_some_and(|unit| pmu.is_of_unit(unit));
        let (mut all, mut own) = (Vec::new(), Vec::new());
        for (place, (event, pmu)) in events.enumerate() {
            if event == first + number {
                all.push(place);
                if pmu.is_some_and(is_of_unit) {
                    own.push(place);
                }
            }
        }
        if own.is_empty() { all } else { own }
    }
}
