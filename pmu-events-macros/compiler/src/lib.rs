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
//! For programs that read or write trees themselves, [`tree_json`] has the keys of
//! an event and the positions of keys and values in a file.
//!
//! Errors and warnings are values ([`Report`], [`Fault`]), each with its file, line
//! and column.

// The contents of a tree decide how large a number gets.
#![deny(clippy::cast_possible_truncation)]

mod assemble;
mod beside_map;
mod compile;
mod converted;
mod cpus;
mod energy;
mod entry;
mod event_string;
mod fault;
mod fields;
mod files;
mod fixed_string;
mod former;
mod formula;
mod full_stop;
mod intern;
mod json;
mod json_text;
mod kernel_form;
mod kernel_tree;
mod keys;
mod lines;
mod mapfile;
mod number;
mod obeyed;
mod options;
mod origins;
mod pack;
mod parallel;
mod pattern;
mod perf_differs;
mod perfmon;
mod publication;
mod read_back;
mod renamed;
mod report;
mod source;
mod standards;
mod steps;
mod successor;
mod telemetry;
mod tree;
pub mod tree_json;
mod validate;

#[cfg(test)]
mod large;
#[cfg(test)]
mod linear;
#[cfg(test)]
mod random;

pub use compile::{Compiled, FormerName, Mapping, Model, Refused, compile};
pub use energy::with_unit_of_energy;
pub use fault::hint;
pub use kernel_form::{KernelForm, KernelModel, KernelObject};
pub use obeyed::is_obeyed;
pub use options::{Encoding, Options, Text, Unknown};
pub use report::{Fault, Report, Severity};
pub use source::Source;
pub use successor::nearest as nearest_successor;
