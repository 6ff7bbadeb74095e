//! An event of a formula, and where it is counted.

use std::string::String;
use std::vec::Vec;

use crate::Metric;
use crate::resolve::Resolved;

/// An event of a formula, and where it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// As formulas ask for it, with the `?` of a run-time parameter.
    pub identifier: &'static str,
    /// As it is resolved and opened.
    pub event: String,
    /// Its number among the events of the plan's lists; `None` for one that
    /// cannot be resolved.
    pub number: Option<usize>,
}

impl Operand {
    /// The places of what is opened for it, among all that was resolved: one
    /// for each PMU. Where there are several kinds of cores, those of the
    /// metric's own kind (`setup_metric_events` in
    /// `tools/perf/util/metricgroup.c`). `first` is the number of the first
    /// event of the plan's lists among the events of all lists.
    #[must_use]
    pub fn places(&self, metric: Metric, resolved: &[Resolved<'_>], first: usize) -> Vec<usize> {
        let Some(number) = self.number else {
            return Vec::new();
        };
        let is_its = |&n: &usize| resolved[n].event == first + number;
        let all: Vec<usize> = (0..resolved.len()).filter(is_its).collect();
        let is_of_unit = |&n: &usize| {
            resolved[n].pmu.is_some_and(|pmu| pmu.is_core() && pmu.is_of_unit(metric.pmu()))
        };
        match all.iter().copied().filter(is_of_unit).collect::<Vec<_>>() {
            own if own.is_empty() => all,
            own => own,
        }
    }
}
