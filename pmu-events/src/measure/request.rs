//! Requests to measure metrics.

use std::string::{String, ToString};
use std::{format, fs};

use crate::metric::Aggregation;
use crate::system::System;
use crate::{Metric, name};

/// A request to measure a metric, with its run-time parameter and modifiers.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{arch::x86, measure::Request};
///
/// let metric = x86::SILVERMONT.metric("ipc").unwrap();
/// assert_eq!(Request::from(metric).with_modifiers("u").name(), "ipc:u");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    metric: Metric,
    parameter: u32,
    modifiers: String,
    is_loose: bool,
}

impl From<Metric> for Request {
    fn from(metric: Metric) -> Self {
        Request { metric, parameter: 0, modifiers: String::new(), is_loose: false }
    }
}

impl Request {
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
        let is_loose = self.is_loose || self.metric.no_group().is_some_and(forbids);
        Request { is_loose, ..self }
    }

    /// Returns the metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
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
        let Request { metric, parameter, modifiers, is_loose: _ } = self;
        let mut name = metric.name().to_string();
        if metric.has_parameter() {
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
        let Request { metric, parameter, modifiers, is_loose: _ } = self;
        (*metric, *parameter) == (other.metric, other.parameter) && *modifiers == other.modifiers
    }
}

fn parameters(metric: Metric, system: &System) -> u32 {
    let file = match metric.aggregation() {
        Some(Aggregation::PerChip) => "sockets",
        _ => "coresperchip",
    };
    let path = system.sysfs().root().join("devices/hv_24x7/interface").join(file);
    let count = fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok());
    count.unwrap_or(1)
}
