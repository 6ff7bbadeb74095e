//! How both outputs spell the library's numbers and enumerations.

pub(crate) use pmu_events::__private::spelling::{aggregation, constraint, precise};

/// A number of things.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
