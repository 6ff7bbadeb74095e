//! Metrics measured: which events are counted for them, which of these
//! together, and what the counts make of them.
//!
//! ```no_run
//! # #[cfg(feature = "open")] {
//! use pmu_events::open::{Counters, Options, Whom};
//! use pmu_events::{arch, machine::SystemMachine, measure::Plan, sysfs::Sysfs};
//!
//! let sysfs = Sysfs::new();
//! let model = arch::host()?;
//! let machine = SystemMachine::new(&sysfs, model);
//! let plan = Plan::new(model.metric("ipc"), &machine);
//! println!("to be counted: {:?}", plan.lists());
//!
//! let resolved = plan.resolve()?;
//! let mut counters = Counters::open(&resolved, &Whom::ThisThread, Options::new())?;
//! counters.enable()?;
//! let sum: u64 = (0..1_000_000).sum();
//! counters.disable()?;
//! println!("the sum is {sum}");
//! for measured in plan.values(&counters, &counters.read()) {
//!     println!("{} {}{}", measured.request.name(), measured.value, measured.unit);
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
//! - Where that is forbidden ([`SystemMachine::may_group`],
//!   [`Request::by_group`]), they stand in one list with all others of that
//!   kind.
//! - What needs most comes first: a metric whose events another's group has
//!   takes them from there.
//! - What no counter counts, such as `duration_time`, stands outside.
//! - An event that cannot be resolved is left out ([`Plan::missing`]); all else
//!   is counted, and the metrics that need it are NaN.
//!
//! [`SystemMachine::may_group`]: crate::machine::SystemMachine::may_group

#[cfg(feature = "open")]
mod counted;
mod listening;
mod lists;
mod operand;
mod plan;
mod request;
mod value;

pub use operand::Operand;
pub use plan::{Missing, Plan, PlannedMetric};
pub use request::Request;
pub use value::Value;
