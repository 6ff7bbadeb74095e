//! What must hold for every input: one module a subject, each with a `check`.
//!
//! The programs in `fuzz_targets` call it with what libFuzzer makes up;
//! `tests/properties.rs` of the repository, with the seeds in `corpus` and
//! what random damage makes of them.

pub mod control;
pub mod cpuid;
pub mod directory;
pub mod encode;
pub mod event_list;
pub mod expr;
pub mod format;
pub mod formula;
pub mod names;
mod numbers;
pub mod registers;
pub mod resolve;
pub mod samples;
pub mod schedule;
pub mod sysfs;
pub mod terms;
