//! Metrics of a tree, and formulas written by users.
//!
//! With the feature `alloc`, `parse` reads a formula at run time, with the same
//! grammar ([`expr`](crate::expr)) that the macro uses for trees. With `std`, the
//! module `measure` opens counters for metrics and computes their values.

#[cfg(feature = "alloc")]
mod expression;
#[cfg(feature = "alloc")]
mod latencies;

#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use expression::{Expression, parse};
#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use latencies::{Latencies, Latency, LatencySource};
pub use pmu_events_core::metric::*;
