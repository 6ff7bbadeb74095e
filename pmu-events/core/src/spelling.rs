//! How JSON spells enumerations.

use crate::event::Precise;
use crate::metric::{Aggregation, Constraint};

/// `PEBS`, whose values are numbers.
#[must_use]
pub const fn precise(precise: Precise) -> &'static str {
    match precise {
        Precise::No => "no",
        Precise::Possible => "possible",
        Precise::Required => "required",
    }
}

/// As `AggregationMode` has it.
#[must_use]
pub const fn aggregation(aggregation: Aggregation) -> &'static str {
    match aggregation {
        Aggregation::PerChip => "PerChip",
        Aggregation::PerCore => "PerCore",
    }
}

/// As `MetricConstraint` has it.
#[must_use]
pub const fn constraint(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::NoGroup => "NO_GROUP_EVENTS",
        Constraint::NoGroupWithNmiWatchdog => "NO_GROUP_EVENTS_NMI",
        Constraint::NoGroupWithSmt => "NO_GROUP_EVENTS_SMT",
        Constraint::NoThresholdWithNmiWatchdog => "NO_THRESHOLD_AND_NMI",
    }
}
