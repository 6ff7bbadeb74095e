//! Open counters: from what an event is resolved to, to a number.
//!
//! | what | for |
//! |---|---|
//! | [`Counters`] | all events of a list, each where it belongs: what `perf stat` does; [`System::open`](crate::System::open) makes them |
//! | [`Counter`] | one open counter, opened with an [`Attr`] on a [`Target`] |
//! | [`Attr`] | what `perf_event_open(2)` is told, made from a [`Resolved`](crate::resolve::Resolved); its bytes serve any other crate |
//!
//! The layer over the system call is whole and thin, and for every architecture
//! that Linux has; with the feature `perf-event2` an event is one of that
//! crate's, too. On systems other than Linux all of this is there, and opening
//! answers [`ErrorKind::Unsupported`].
//!
//! A count is scaled for the time in which its event had a counter
//! ([`Count::estimate`]), and means what the event's `scale` and `unit` make of
//! it. An event that never had a counter has no estimate: that is not zero. One
//! that is pinned and lost its counter answers [`ErrorKind::PinnedOut`].

mod attr;
mod cgroup;
mod count;
mod counter;
mod error;
mod flag;
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
mod ioctl;
mod set;
mod system;
mod target;

pub use crate::system::Scope;
pub use attr::Attr;
pub use cgroup::Cgroup;
pub use count::Count;
pub use counter::Counter;
pub use error::{Error, ErrorKind};
pub use flag::{Flag, ReadFormat};
pub use set::{
    Counters, EventError, EventReading, OpenError, Options, Outcome, Part, Reading, SetEvent,
    Total, instances,
};
pub use target::Target;
