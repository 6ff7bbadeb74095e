//! Intel's perfmon as a source: its directory becomes the entries that a kernel
//! tree would have.
//!
//! | stage | from → to | module |
//! |---|---|---|
//! | layout | rows of the map file → models, each with its CPUIDs and files | [`layout`], [`ids`] |
//! | files | models that are kept → texts | [`files`] |
//! | convert | an object of an event file → keys and values of the kernel's tree | [`event`] and what it names |
//!
//! perf's script drops or misreads some facts. By default they are kept, and
//! the entry says what perf counts instead; with
//! [`Encoding::Perf`](crate::Encoding::Perf) the outcome is the script's.
//! Input that no rule covers is refused at its place: a guess would count
//! something else under the event's name.

mod additions;
mod context;
mod convert;
mod counters;
mod energy;
mod event;
mod files;
mod filter;
mod free_running;
mod ids;
mod keys;
mod latency;
mod layout;
mod metric;
mod topic;
mod umask;
mod unit;
mod value;

pub(crate) use convert::convert;
pub use energy::with_unit_of_energy;
pub(crate) use files::{Perfmon, read};
