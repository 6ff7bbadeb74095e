//! What a formula takes: an event, with the identity of what is counted for it, or a
//! retirement latency.

use std::borrow::Cow;
use std::sync::Arc;
use std::vec::Vec;

use crate::metric::{Latencies, Latency, LatencyOf};
use crate::resolve::{AnswerId, Resolution};
use crate::sysfs::Pmu;

/// An event of a formula, and the identity of what is counted for it.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{Scope, System, arch::x86, measure::Plan};
///
/// let skylake = System::builtin("GenuineIntel-6-5E-3", x86::SKYLAKE);
/// let plan = Plan::new(x86::SKYLAKE.metric("ipc"), &skylake, &Scope::ThisThread);
/// for operand in plan.metrics()[0].operands() {
///     let events = operand.answers().iter().filter_map(|&id| plan.resolution().answer(id));
///     println!("{}: {:?}", operand.identifier(), events.collect::<Vec<_>>());
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    pub(super) identifier: Cow<'static, str>,
    pub(super) event: Arc<str>,
    /// The PMU of the metric in whose formula it is; `None` in a user's own.
    pub(super) pmu: Option<&'static str>,
    pub(super) is_needed: bool,
    /// The part of the metric in which it is counted.
    pub(super) part: usize,
    pub(super) place: Option<Place>,
    /// The same, among the answers of the plan.
    pub(super) answers: Vec<AnswerId>,
    pub(super) missing: Option<usize>,
}

/// Where an event is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The index of its list in the plan.
    pub(super) list: usize,
    /// Its index there.
    pub(super) event: usize,
    /// Its answers in that list.
    pub(super) answers: Vec<AnswerId>,
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

    /// Whether the value needs it; otherwise, only the threshold does, or it relates the counts
    /// of several groups.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.is_needed
    }

    /// Returns the identities of what is counted for it in the plan's
    /// [resolution](super::Plan::resolution), one for each PMU; none if the event cannot be
    /// resolved, or is counted in another [pass](super::Plan::pass). On a machine with several
    /// kinds of cores, an operand of a tree's metric has only those of the metric's own kind
    /// (`setup_metric_events` in `tools/perf/util/metricgroup.c`).
    #[must_use]
    pub fn answers(&self) -> &[AnswerId] {
        &self.answers
    }

    /// Returns its index among the [missing](super::Plan::missing) events of the plan, or of
    /// the plan of which this is a pass; `None` if it can be resolved.
    #[must_use]
    pub fn missing(&self) -> Option<usize> {
        self.missing
    }

    pub(super) fn is_of(&self, identifier: &str, pmu: Option<&str>) -> bool {
        self.identifier == identifier && self.pmu == pmu
    }
}

impl Place {
    /// The place of an event in a list, by its index there. `pmu` is the PMU of the metric.
    pub(super) fn of(
        list: usize,
        event: usize,
        resolution: &Resolution,
        pmu: Option<&str>,
    ) -> Self {
        let is_of_unit = |of: &&Pmu| of.is_core() && pmu.is_some_and(|unit| of.is_of_unit(unit));
        let (mut all, mut own) = (Vec::new(), Vec::new());
        for (id, answer) in resolution.ids().zip(resolution.answers()) {
            let Ok(resolved) = answer else { continue };
            if resolved.event() == event {
                all.push(id);
                own.extend(resolved.pmu().filter(is_of_unit).map(|_| id));
            }
        }
        Place { list, event, answers: if own.is_empty() { all } else { own } }
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.list, self.event) == (other.list, other.event)
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

    /// The latency, if others are measured meanwhile.
    pub(super) fn latency_with(&self, measured: &Latencies) -> Option<Latency> {
        let stated = || measured.find([], LatencyOf::parse(&self.identifier)?);
        stated().or(self.latency)
    }
}
