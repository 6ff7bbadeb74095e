//! Opening and reading counters.
//!
//! Use it to count: [`System::open`](crate::System::open) leads here.
//!
//! | type | purpose |
//! |---|---|
//! | [`Counters`] | all events of a list, each opened on the right CPUs and tasks, as `perf stat` does; created by [`System::open`](crate::System::open) |
//! | [`Counter`] | one open counter, opened with an [`Attr`] on a [`Target`] |
//! | [`Attr`] | the `perf_event_attr` of an event, made from a [`Resolved`](crate::resolve::Resolved); its bytes can be passed to any other crate |
//!
//! The layer over the system call is thin and complete, and works on every
//! architecture that Linux supports. With the crate
//! [`pmu-events-perf-event2`](https://docs.rs/pmu-events-perf-event2), a resolved event
//! is also one of perf-event2. The module `sample`, with the feature of that name, samples.
//! On systems other than Linux the module compiles, and opening returns
//! [`ErrorKind::Unsupported`].
//!
//! A count is scaled by the time for which its event had a counter
//! ([`Count::estimate`]); multiplied by the event's `scale`, it is in the event's
//! `unit`, which is the second for all times. An event that never had a counter has no estimate, which is not the same
//! as zero. Reading a pinned event that lost its counter returns
//! [`ErrorKind::PinnedOut`].

mod attr;
pub(crate) mod bits;
mod cgroup;
mod count;
mod counter;
mod error;
mod flag;
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
mod ioctl;
#[cfg(target_os = "linux")]
pub(crate) mod memory;
#[cfg_attr(not(target_os = "linux"), path = "no_owner.rs")]
mod owner;
#[cfg_attr(
    not(all(
        target_os = "linux",
        target_endian = "little",
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"),
    )),
    allow(dead_code)
)]
mod page;
pub(crate) mod set;
mod system;
mod target;

pub use attr::Attr;
pub use cgroup::Cgroup;
pub use count::Count;
pub use counter::Counter;
pub use error::{Error, ErrorKind};
pub use flag::{Flag, ReadFormat};
pub(crate) use owner::Owner;
pub use set::{
    Counters, EventReading, Lack, LackingInstance, Options, Outcome, Part, ReadMethod, Reading,
    SetEvent, Sum, Total,
};
#[cfg(feature = "region")]
pub(crate) use set::{Layout, Snapshot};
pub use target::Target;
