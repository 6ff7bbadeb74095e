//! Benchmarks with [criterion] that measure events and metrics of the CPU by name:
//! `instructions:u`, `l2_lines_in.all`, `ipc`.
//!
//! Use it where time is too noisy: a count of instructions hardly changes from run to run, and
//! misses of a cache say why a change is slower.
//!
//! ```no_run
//! use criterion::Criterion;
//! use pmu_criterion::Pmu;
//! use pmu_events::System;
//!
//! fn sum(numbers: &[u64]) -> u64 {
//!     numbers.iter().sum()
//! }
//!
//! fn main() {
//!     let numbers: Vec<u64> = (0..1000).collect();
//!     match Pmu::open(&System::new(), "{instructions,cycles}:u") {
//!         Ok(pmu) => {
//!             let mut criterion = Criterion::default().with_measurement(pmu.clone());
//!             criterion.bench_function("sum", |b| b.iter(|| sum(&numbers)));
//!             print!("{}", pmu.take_totals()); // Also the cycles.
//!         }
//!         Err(why) => eprintln!("{why}"),
//!     }
//! }
//! ```
//!
//! [`Pmu::open`] refuses an event that the machine cannot count, with the reason, and criterion
//! measures the first of a list. Give the events of a list in braces, so that the kernel counts
//! them together. [`Pmu::take_totals`] has the counts of all of them.
//!
//! # Metrics
//!
//! A metric such as `ipc` does not grow with the number of iterations, by which criterion divides.
//! So its iterations must be known; [`Pmu::custom`] tells them:
//!
//! ```no_run
//! # use criterion::Criterion;
//! # use pmu_criterion::Pmu;
//! # let pmu = Pmu::open(&pmu_events::System::new(), "ipc").unwrap();
//! let mut criterion = Criterion::default().with_measurement(pmu.clone());
//! criterion.bench_function("sum", |b| b.iter_custom(pmu.custom(|| (0..1000u64).sum::<u64>())));
//! ```
//!
//! # What a number is
//!
//! Each is counted for all of the time. Where other events have the counters for some of it, the
//! benchmark stops with that as its reason; with [`Pmu::with_estimates`], it takes what the
//! kernel's times let it expect. The thread that opens the counters is counted, so work in other
//! threads is not.
//!
//! [criterion]: https://docs.rs/criterion

mod count;
mod error;
mod pmu;
mod totals;
mod units;

pub use count::Counted;
pub use error::Error;
pub use pmu::Pmu;
pub use totals::Totals;
