//! Compiles a tree of PMU event descriptions into the packed tables of
//! [`pmu-events`](https://docs.rs/pmu-events), and reports its faults.
//!
//! This is the compiler behind `pmu_events!`, as an ordinary library for
//! programs that check or show event trees:
//!
//! 1. [`Source::read`] reads the directory of an architecture, of Intel's perfmon, or
//!    of Arm's telemetry. Nothing after this stage touches the file system.
//! 2. [`compile`] checks and packs the source. The result is either [`Compiled`]
//!    or, with all errors at once, [`Refused`].
//!
//! The feature `perfmon` adds the reader of Intel's files, and `telemetry` that of Arm's.
//!
//! For programs that read or write trees themselves, [`tree_json`] has the keys of
//! an event and the positions of keys and values in a file.
//!
//! Errors and warnings are values ([`Report`], [`Fault`]), each with its file, line
//! and column.

// The contents of a tree decide how large a number gets.
#![deny(clippy::cast_possible_truncation)]

// The wings import one way (`.ci/imports`), and only `source` knows a vendor:
//
// cost, options ◀── faults ◀── files ◀── mapfile, entry ◀── source     what is read
// source ◀── assemble ◀── validate, formula ◀── hierarchy ◀── pack ◀── read_back   what is made of it
// read_back ◀── compile ◀── kernel_form, statics; files, entry ◀── tree_json    what programs call

mod assemble;
mod compile;
mod cost;
mod entry;
mod faults;
mod files;
mod formula;
mod hierarchy;
#[cfg(any(feature = "perfmon", feature = "telemetry"))]
mod kernel_form;
mod mapfile;
mod options;
mod pack;
mod read_back;
mod source;
mod statics;
pub mod tree_json;
mod validate;

#[cfg(test)]
mod tests;

pub use assemble::nearest_successor;
pub use compile::{Compiled, FormerName, Mapping, Model, Node, Refused, compile};
pub use faults::hint;
pub use faults::obeyed::is_obeyed;
pub use faults::report::{Fault, Report, Severity};
pub use hierarchy::Rule;
#[cfg(any(feature = "perfmon", feature = "telemetry"))]
pub use kernel_form::{KernelForm, KernelModel, KernelObject};
pub use options::{Encoding, Options, Text, Unknown};
pub use source::Source;
#[cfg(feature = "perfmon")]
pub use source::perfmon::with_unit_of_energy;
pub use statics::{MODEL_DOC, Static};
