//! Moving to this crate from others, and what its versions promise.
//!
//! * [From perf-event2](from_perf_event2): counters and groups that you build one by one.
//! * [From libpfm4](from_libpfm4): names that a C library encodes.
//! * [From hand-typed codes](from_raw_codes): numbers from a manual.
//! * [Compatibility](compatibility): the API, the names of models and events, the data, Rust.
//!
//! For programs to start from, see the [`cookbook`](crate::cookbook).

pub mod compatibility;
pub mod from_libpfm4;
pub mod from_perf_event2;
pub mod from_raw_codes;
