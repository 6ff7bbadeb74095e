//! Measuring metrics: planning which events to count and how to group them, and
//! computing values from the counts.
//!
//! Use it to count `ipc` and its like, or formulas that your users write.
//!
//! ```no_run
//! # #[cfg(feature = "open")] {
//! use pmu_events::{Scope, System, measure::Plan, open::Options};
//!
//! let system = System::new();
//! let plan = Plan::new(system.model()?.metric("ipc"), &system, &Scope::ThisThread);
//! let mut counters = plan.open(&Options::new())?;
//! counters.enable()?;
//! let sum: u64 = (0..1_000_000).sum();
//! counters.disable()?;
//! for metric in plan.values(&counters.read()) {
//!     println!("{}: {metric:.2} for {sum}", metric.request().name());
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Units
//!
//! Formulas see counts before the scale of an event is applied. A time, which all clocks
//! count in nanoseconds, has the unit of the formula:
//!
//! | in a formula | `duration_time`, `user_time`, `system_time` | `task-clock`, `cpu-clock` |
//! |---|---|---|
//! | of a user ([`Formulas`]) | seconds | seconds |
//! | of a tree, also where a user's formula refers to its metric | seconds | nanoseconds |
//!
//! The formulas of trees are perf's, and so are their units. Outside of formulas, a time is
//! in seconds (`open::EventReading::value`).
//!
//! # Values of parts of a machine
//!
//! Counters of whole CPUs ([`Scope::AllCpus`](crate::Scope::AllCpus)) have a value per CPU,
//! core and socket (`Plan::values_per`), and one in each control group (`Plan::open_in_cgroups`,
//! `Plan::reading_in`). Elapsed time is the same everywhere, and a formula with
//! `duration_time` has a value everywhere; the processor time of a command (`user_time`,
//! `system_time`) belongs to no CPU and no control group, and a formula with it has none there.
//!
//! # How events are grouped
//!
//! - The events of all metrics are distributed over as few weak groups (`:W`) as the
//!   [planner](crate::planner) finds for the counters of their PMU. All events of a metric
//!   are in one group, if the counters have room for them.
//! - A metric that is too large for one group is split by events. Each part has a common
//!   reference, cycles or slots, by which its counts are related to those of the first
//!   part; the value is combined from these ([`PlannedMetric::parts`]).
//! - Where the counters of a PMU are not known, the rules are those of `parse_groups` in
//!   `tools/perf/util/metricgroup.c`: a weak group for each metric, none for a metric whose
//!   events are in another's group, and, where a group is forbidden
//!   ([`Metric::constraint`], [`Request::by_group`]), one list for all such metrics.
//! - Events measured without a counter, such as `duration_time`, stay outside
//!   groups.
//! - A retirement latency (`EVENT:R`) is no event: nothing is counted for it, and it
//!   takes no place in a group. It is the number that [`Request::with_latencies`] selects,
//!   and the value of the metric is an [estimate](Value::is_estimate) unless that number is
//!   the caller's.
//! - An event that cannot be resolved is omitted ([`Plan::missing`]). The others
//!   are counted, and the metrics that need the missing event are NaN.
//!
//! [`Metric::constraint`]: crate::Metric::constraint

#[cfg(feature = "open")]
mod counted;
mod events;
pub(crate) mod formulas;
mod listening;
mod lists;
mod operand;
mod parts;
mod passes;
mod place;
mod plan;
pub(crate) mod raw_count;
mod request;
mod units;
pub(crate) mod value;

pub use formulas::{Formula, FormulaError, Formulas};
pub use operand::{LatencyOperand, Operand};
pub use place::{Per, Place};
pub use plan::{Plan, PlannedMetric};
pub use request::Request;
pub use value::Value;

#[cfg(all(test, feature = "x86"))]
mod tests;
