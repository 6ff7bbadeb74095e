//! Open counters: from what an event is resolved to, to a number.
//!
//! [`Attr`] is what `perf_event_open(2)` is told, made from a
//! [`Resolved`](crate::resolve::Resolved); [`Counter`] is one open counter.
//!
//! On systems other than Linux all of this is there, and opening answers
//! [`ErrorKind::Unsupported`].

mod attr;
mod count;
mod counter;
mod error;
mod flag;
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
mod ioctl;
mod system;
mod target;

pub use attr::Attr;
pub use count::Count;
pub use counter::Counter;
pub use error::{Error, ErrorKind};
pub use flag::{Flag, ReadFormat};
pub use target::Target;
