//! Metrics: those of a tree, and those that a user writes.
//!
//! With the feature `alloc`, [`parse`] reads a formula at run time, by the grammar of
//! [`expr`](crate::expr) that the macro applies to a tree's. With `std`, the module
//! `measure` goes from metrics to counters and back.

#[cfg(feature = "alloc")]
mod expression;

#[cfg(feature = "alloc")]
#[cfg_attr(docsrs, doc(cfg(feature = "alloc")))]
pub use expression::{Expression, parse};
pub use pmu_events_core::metric::*;
