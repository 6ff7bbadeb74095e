//! Samples: where events occur, not only how often.
//!
//! Use it for a profiler: [`Sampler::open`] takes [resolved](crate::resolve) events, with their
//! precise levels and periods, and gives buffers of [records](Record), which are read without a
//! heap and without a copy. The layer below is [`Layout`], which parses the records of any buffer
//! or file, also of a machine with another order of bytes.
//!
//! ```
//! use pmu_events::System;
//! use pmu_events::config::Sampling;
//! use pmu_events::sample::{Options, Sampler};
//!
//! let events = System::new().require("task-clock:u")?;
//! let options = Options::new().with_sampling(Sampling::Period(1_000_000)); // each millisecond
//! let mut sampler = match Sampler::open(&events, &options) {
//!     Ok(sampler) => sampler,
//!     // Some machines forbid it; the message says why, and the cure.
//!     Err(error) => return Ok(println!("{error}")),
//! };
//! sampler.enable()?;
//! let sum = (0..2_000_000_u64).fold(0, |sum, n| sum ^ n.wrapping_mul(n));
//! sampler.disable()?;
//! let mut addresses = Vec::new();
//! sampler.read(|_event, record| {
//!     let address = record.sample().and_then(|sample| sample.ip());
//!     addresses.extend(address);
//! })?;
//! println!("{sum}: {} samples, {:?} lost", addresses.len(), sampler.lost()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Buffers
//!
//! A task's events have a buffer for each thread, or, if children inherit them, one for each
//! thread and CPU; those of whole CPUs have one for each CPU. Events in the same place share a
//! buffer, and the [id](Layout::identifier) of a record tells them apart. A buffer that is full
//! loses records, and says so in a record of its own ([`Body::Lost`]); [`Sampler::lost`] is the
//! kernel's own count. [`Sampler::wait`] waits for records. Each buffer may be read by a thread of
//! its own ([`Sampler::buffers_mut`]).
//!
//! # Rights
//!
//! The kernel's setting `perf_event_paranoid` says what may be sampled, and `perf_event_mlock_kb`
//! how much memory buffers may have; an [error](crate::open::Error) names them. The AUX areas of
//! Intel PT and Arm SPE are not mapped: what is in them takes a decoder for each.

mod buffer;
#[cfg(feature = "metrics")]
mod latencies;
mod options;
mod record;
mod ring;
mod sampler;

pub use buffer::Buffer;
#[cfg(feature = "metrics")]
#[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
pub use latencies::LatencySampler;
pub use options::Options;
pub use record::{
    Aux, Body, Bpf, Branch, Branches, ByteOrder, Cgroup, Comm, DataSource, Fields, Hops, Ksymbol,
    Layout, Level, Lost, Mmap, Mode, Namespaces, Numbers, Operation, ParseError, Record, Region,
    Registers, Sample, Snoop, Stamp, Task, TextPoke, Throttle, Tlb, Value, Values,
};
pub use ring::Records;
pub use sampler::{SampledEvent, Sampler, Wake};

/// From this number on, a number in a call chain is no address: it says whose addresses follow
/// (`PERF_CONTEXT_MAX`).
///
/// | number | what follows |
/// |---|---|
/// | `CONTEXT_KERNEL` (−128) | addresses of the kernel |
/// | `CONTEXT_USER` (−512) | addresses of the program |
/// | others | those of a hypervisor (−32), of guests (−2048 and less), or part of a chain that comes later (−640) |
pub const CONTEXT: u64 = -4095_i64 as u64;
/// `PERF_CONTEXT_KERNEL`
pub const CONTEXT_KERNEL: u64 = -128_i64 as u64;
/// `PERF_CONTEXT_USER`
pub const CONTEXT_USER: u64 = -512_i64 as u64;
