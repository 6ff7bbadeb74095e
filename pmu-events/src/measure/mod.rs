//! Metrics measured: which events are counted for them, which of these
//! together, and what the counts make of them.
//!
//! ```no_run
//! # #[cfg(feature = "open")] {
//! use pmu_events::{System, measure::Plan, open::Options};
//!
//! let system = System::new();
//! let options = Options::new();
//! let plan = Plan::new(system.model()?.metric("ipc"), &system, options.watched());
//! let mut counters = plan.open(&options)?;
//! counters.enable()?;
//! let sum: u64 = (0..1_000_000).sum();
//! counters.disable()?;
//! for metric in plan.values(&counters.read()) {
//!     println!("{}: {}{} for {sum}", metric.request.name(), metric.value, metric.unit);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which events together
//!
//! The rules are those of `parse_groups` in
//! `tools/perf/util/metricgroup.c`:
//!
//! - The events of a metric are one weak group (`:W`), which is broken up where
//!   it does not fit.
//! - Where that is forbidden ([`System::may_group`],
//!   [`Request::by_group`]), they stand in one list with all others of that
//!   kind.
//! - What needs most comes first: a metric whose events another's group has
//!   takes them from there.
//! - What no counter counts, such as `duration_time`, stands outside.
//! - An event that cannot be resolved is left out ([`Plan::missing`]); all else
//!   is counted, and the metrics that need it are NaN.
//!
//! [`System::may_group`]: crate::System::may_group

#[cfg(feature = "open")]
mod counted;
mod listening;
mod lists;
mod operand;
mod plan;
mod request;
mod value;

pub use operand::Operand;
pub use plan::{Plan, PlannedMetric};
pub use request::Request;
pub use value::Value;
