//! Metrics of a tree, and formulas written by users.
//!
//! Use it to evaluate formulas from counts that you have;
//! [`measure`](https://docs.rs/pmu-events/latest/pmu_events/measure/) also counts what they
//! need.
//!
//! With the feature `metrics`, `parse` reads a formula at run time, with the same
//! grammar ([`expr`](crate::expr)) that the macro uses for trees. With `std`, too, the
//! module `measure` opens counters for metrics and computes their values.

#[cfg(feature = "metrics")]
mod expression;
#[cfg(feature = "metrics")]
mod latencies;

#[cfg(feature = "metrics")]
#[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
pub use expression::{Expression, parse};
#[cfg(feature = "metrics")]
#[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
pub use latencies::{Latencies, Latency, LatencySource};
pub use pmu_events_core::metric::*;
