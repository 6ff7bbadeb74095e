//! Requests to measure metrics.

use std::borrow::Cow;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::formulas::{Formula, Needed};
use super::raw_count::RawCount;
use crate::Metric;
use crate::expr::Machine;
use crate::file::{self, Kind};
use crate::metric::{Aggregation, Latencies, Latency, LatencyOf};
use crate::system::System;
use pmu_events_core::__private::name;

/// A request to measure a metric or a user's formula, with run-time parameter and
/// modifiers.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{arch::x86, measure::Request};
///
/// let metric = x86::SILVERMONT.metric("ipc").unwrap();
/// assert_eq!(Request::from(metric).with_modifiers("u").name(), "ipc:u");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    measured: Measured,
    parameter: u32,
    modifiers: String,
    is_loose: bool,
    has_threshold: bool,
    latencies: Latencies,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Measured {
    Metric(Metric),
    Formula(Formula),
}

impl From<Metric> for Request {
    fn from(metric: Metric) -> Self {
        Request::of(Measured::Metric(metric))
    }
}

impl From<Formula> for Request {
    fn from(formula: Formula) -> Self {
        Request::of(Measured::Formula(formula))
    }
}

impl Request {
    fn of(measured: Measured) -> Self {
        Request {
            measured,
            parameter: 0,
            modifiers: String::new(),
            is_loose: false,
            has_threshold: true,
            latencies: Latencies::default(),
        }
    }

    /// Requests a metric once for each value of its run-time parameter (`?`), that
    /// is, for each chip or each core of a chip; only once, with 0, if it has no
    /// parameter (`arch_get_runtimeparam` in
    /// `tools/perf/arch/powerpc/util/header.c`, from `devices/hv_24x7/interface` of
    /// sysfs).
    pub fn each(metric: Metric, system: &System) -> impl Iterator<Item = Self> + use<> {
        let count = if metric.has_parameter() { parameters(metric, system) } else { 1 };
        (0..count).map(move |parameter| Request { parameter, ..metric.into() })
    }

    /// Sets the value of `?` in the metric's events.
    #[must_use]
    pub fn with_parameter(self, parameter: u32) -> Self {
        Request { parameter, ..self }
    }

    /// Sets modifiers for each of the metric's events, such as `u`.
    #[must_use]
    pub fn with_modifiers(self, modifiers: impl Into<String>) -> Self {
        Request { modifiers: modifiers.into(), ..self }
    }

    /// Marks the metric as requested through one of its metric groups: the events
    /// of some metrics are then not grouped ([`Metric::no_group`]).
    #[must_use]
    pub fn by_group(self, group: &str) -> Self {
        let forbids = |groups: &str| groups.split(';').any(|one| name::eq(one, group));
        let no_group = self.metric().and_then(Metric::no_group);
        let is_loose = self.is_loose || no_group.is_some_and(forbids);
        Request { is_loose, ..self }
    }

    /// Leaves out the events that only the threshold needs.
    #[must_use]
    pub fn without_threshold(self) -> Self {
        Request { has_threshold: false, ..self }
    }

    /// Selects the retirement latencies that the formula takes.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::measure::{Plan, Request};
    /// use pmu_events::{Scope, System, arch::x86, metric::Latencies};
    ///
    /// let system = System::builtin("GenuineIntel-6-AD-1", x86::GRANITERAPIDS);
    /// let metric = x86::GRANITERAPIDS.metric("tma_lock_latency").unwrap();
    /// let sampled = Latencies::new().with_cycles("MEM_INST_RETIRED.LOCK_LOADS", 41.5);
    /// let request = Request::from(metric).with_latencies(sampled);
    /// let plan = Plan::new([request], &system, &Scope::ThisThread);
    /// let [operand] = plan.metrics()[0].latencies() else { panic!("it takes one latency") };
    /// assert_eq!(operand.latency().unwrap().cycles(), 41.5);
    /// # }
    /// ```
    #[must_use]
    pub fn with_latencies(self, latencies: Latencies) -> Self {
        Request { latencies, ..self }
    }

    /// Returns the retirement latencies that the formula takes.
    #[must_use]
    pub fn latencies(&self) -> &Latencies {
        &self.latencies
    }

    pub(super) fn has_threshold(&self) -> bool {
        self.has_threshold
    }

    /// Returns the metric, if it is one of a tree.
    #[must_use]
    pub fn metric(&self) -> Option<Metric> {
        match self.measured {
            Measured::Metric(metric) => Some(metric),
            Measured::Formula(_) => None,
        }
    }

    /// Returns the formula, if it is a user's.
    #[must_use]
    pub fn formula(&self) -> Option<&Formula> {
        match &self.measured {
            Measured::Metric(_) => None,
            Measured::Formula(formula) => Some(formula),
        }
    }

    /// Returns the factor and unit of the value.
    #[must_use]
    pub fn scale(&self) -> (f64, &str) {
        match &self.measured {
            Measured::Metric(metric) => metric.scale(),
            Measured::Formula(formula) => formula.scale(),
        }
    }

    /// Returns the value of `?` in the metric's events.
    #[must_use]
    pub fn parameter(&self) -> u32 {
        self.parameter
    }

    /// Returns the modifiers of the metric's events.
    #[must_use]
    pub fn modifiers(&self) -> &str {
        &self.modifiers
    }

    /// Returns the name that perf shows, with parameter and modifiers
    /// (`generic_metric` in `tools/perf/util/stat-shadow.c`).
    #[must_use]
    pub fn name(&self) -> String {
        let Request { measured, parameter, modifiers, .. } = self;
        let mut name = match measured {
            Measured::Metric(metric) => metric.name().to_string(),
            Measured::Formula(formula) => formula.name().to_string(),
        };
        if self.metric().is_some_and(Metric::has_parameter) {
            name.push_str(&format!("_{parameter}"));
        }
        if !modifiers.is_empty() {
            name.push_str(&format!(":{modifiers}"));
        }
        name
    }

    pub(super) fn is_loose(&self) -> bool {
        self.is_loose
    }

    /// Whether both request the same, ignoring metric groups.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let Request { measured, parameter, modifiers, latencies, .. } = self;
        (measured, parameter, modifiers, latencies)
            == (&other.measured, &other.parameter, &other.modifiers, &other.latencies)
    }

    /// The metrics of trees that are evaluated for it.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        match &self.measured {
            Measured::Metric(metric) => [*metric].into(),
            Measured::Formula(formula) => formula.metrics(),
        }
    }

    /// The events and the retirement latencies that the value needs on a machine.
    pub(super) fn operands_on(&self, machine: &impl Machine) -> Vec<Needed> {
        match &self.measured {
            Measured::Metric(metric) => {
                let needed = |operand: crate::expr::Identifier<'static>| {
                    (Cow::Borrowed(operand.as_str()), Some(metric.pmu()))
                };
                let latencies = metric.latencies_on(machine);
                metric.events_on(machine).chain(latencies).map(needed).collect()
            }
            Measured::Formula(formula) => formula.operands_on(machine),
        }
    }

    /// The retirement latency that an operand is, if it is one.
    pub(super) fn latency(&self, operand: &str, system: &System) -> Option<Option<Latency>> {
        let of = LatencyOf::parse(operand)?;
        Some(self.latencies.find(system.models(), of))
    }

    /// The scaled value. `count` takes an event as spelled in a formula, and the
    /// PMU of the metric whose formula that is.
    pub(super) fn value_on(
        &self,
        machine: &impl Machine,
        count: impl Fn(&str, Option<&str>) -> RawCount,
    ) -> f64 {
        match &self.measured {
            Measured::Metric(metric) => metric.evaluate_on(machine, |event| {
                count(event.as_str(), Some(metric.pmu())).in_formula_of_tree()
            }),
            Measured::Formula(formula) => formula.unscaled_on(machine, count) * formula.scale().0,
        }
    }
}

fn parameters(metric: Metric, system: &System) -> u32 {
    let file = match metric.aggregation() {
        Some(Aggregation::PerChip) => "sockets",
        _ => "coresperchip",
    };
    let path = system.sysfs().root().join("devices/hv_24x7/interface").join(file);
    let count = file::of_sysfs(&path, Kind::Unknown, |text| text.parse().ok());
    count.ok().flatten().flatten().unwrap_or(1)
}
