//! What a measurement has found, on its way to a report.

use std::time::Duration;

use pmu_events::Metric;
use pmu_events::measure::Plan;

use super::sampling::Samples;
use super::walk::Walk;

/// What a measurement has found.
pub(crate) struct Findings<'f> {
    pub(crate) walks: &'f [Walk<'f>],
    pub(crate) combined: &'f Combined,
    /// A description of each pass.
    pub(crate) passes: &'f [String],
    pub(crate) notes: &'f [String],
    /// What was sampled, if that was asked for.
    pub(crate) samples: Option<&'f Samples>,
}

/// Metrics whose values are combined from counts of several groups, and how many.
#[derive(Default)]
pub(crate) struct Combined(Vec<(Metric, usize)>);

impl Combined {
    pub(crate) fn add(&mut self, plan: &Plan) {
        let split = plan.metrics().iter().filter(|planned| planned.parts() > 1);
        for planned in split {
            if let Some(metric) = planned.request().metric() {
                self.0.push((metric, planned.parts()));
            }
        }
    }

    /// The number of groups from whose counts a metric's value is combined.
    pub(crate) fn parts_of(&self, metric: Metric) -> usize {
        let found = self.0.iter().find(|(other, _)| *other == metric);
        found.map_or(1, |&(_, parts)| parts)
    }
}

/// The trees of an interval.
pub(crate) struct Trees<'t> {
    /// How many intervals were before it.
    pub(crate) number: u64,
    /// Its end, after the start.
    pub(crate) end: Duration,
    pub(crate) walks: &'t [Walk<'t>],
    pub(crate) combined: &'t Combined,
}
