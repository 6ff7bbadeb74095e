//! How both outputs spell the library's numbers and enumerations.

use pmu_events::event::Precise;
use pmu_events::metric::{Aggregation, Constraint};

/// `PEBS`, whose values are numbers.
pub(crate) fn precise(precise: Precise) -> &'static str {
    match precise {
        Precise::No => "no",
        Precise::Possible => "possible",
        Precise::Required => "required",
        // Each of these follows perf, which may gain values.
        _ => "other",
    }
}

/// As `AggregationMode` has it.
pub(crate) fn aggregation(aggregation: Aggregation) -> &'static str {
    match aggregation {
        Aggregation::PerChip => "PerChip",
        Aggregation::PerCore => "PerCore",
        _ => "other",
    }
}

/// As `MetricConstraint` has it.
pub(crate) fn constraint(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::NoGroup => "NO_GROUP_EVENTS",
        Constraint::NoGroupWithNmiWatchdog => "NO_GROUP_EVENTS_NMI",
        Constraint::NoGroupWithSmt => "NO_GROUP_EVENTS_SMT",
        Constraint::NoThresholdWithNmiWatchdog => "NO_THRESHOLD_AND_NMI",
        _ => "other",
    }
}

/// A number of things.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
