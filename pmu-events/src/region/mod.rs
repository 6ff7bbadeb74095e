//! Counting regions of your own code: what happens between two points, added up by label.
//!
//! Use it in a library or a harness that reports what its parts cost, without a profiler around the
//! program.
//!
//! [`Regions`] resolves the events once. Each thread opens them for itself
//! ([`Regions::thread`]), and then counts regions with a closure or a guard. Nothing is
//! allocated and nothing is enabled or disabled for a region: it is the difference of two reads,
//! one system call each for a group.
//!
//! ```
//! use pmu_events::System;
//! use pmu_events::region::Regions;
//!
//! let regions = Regions::open(&System::new(), "duration_time")?;
//! let thread = regions.thread()?;
//! let numbers = thread.count("parse", || "3 1 2".split(' ').map(str::len).collect::<Vec<_>>());
//! {
//!     let _region = thread.enter("sum");
//!     std::hint::black_box(numbers.iter().sum::<usize>());
//! }
//! let report = regions.report();
//! assert_eq!(report.labels().len(), 2);
//! println!("{report}");
//! # Ok::<(), pmu_events::open::Error>(())
//! ```
//!
//! # What is added up
//!
//! - Regions nest, and each label has all that happens within its regions. A region within one of
//!   the same label and thread is counted with the outer one, so that recursion adds nothing twice.
//! - Threads open counters of their own. A report has the sum over all threads, including those
//!   that have ended.
//! - A sum keeps what its counts were: if an event had a counter for only a part of the time, the
//!   sum is an estimate ([`Total::share`](crate::open::Total::share)), and if it never had one,
//!   there is a reason and no number. [`EventReading::exact`](crate::open::EventReading::exact)
//!   refuses estimates.
//! - A region that a panic leaves, or that continues in a child after `fork`, is not added: its
//!   counts are those of something else. The report has the number of such regions, and of those
//!   that are not closed.
//!
//! # What a region costs
//!
//! The work of reading the counters is counted, too. [`Regions::thread`] measures empty regions;
//! the report has their cost ([`Report::overhead`]) and can subtract it
//! ([`Report::without_overhead`]). If the events exclude the kernel (`instructions:u`), some hundred
//! instructions are left of it.

use core::sync::atomic;

mod fork;
mod labels;
mod lock;
mod overhead;
mod regions;
mod report;
mod running;
mod sequence;
mod shared;
mod tally;
mod thread;

pub use regions::Regions;
pub use report::{Label, Report};
pub use thread::{Region, ThreadRegions};
