//! The pure part of [`pmu-events`](https://docs.rs/pmu-events): packed tables
//! of PMU events and every operation on them that needs no running system.
//!
//! No `std`, no heap, no `unsafe` code, and no dependencies except with the feature `serde`.
//! Nothing here panics on bad input, except the methods that are documented to: [`Model::require`],
//! [`Event::require_words`] and [`config::Error::panic`].
//!
//! A [`Tree`] holds the packed constants; [`Model`], [`Event`], [`Metric`] and
//! [`Text`](text::Text) are `Copy` views of it. Look-ups are `const fn`, so a
//! program that looks up its events at compile time contains no table at run
//! time.
//!
//! | module | contents |
//! |---|---|
//! | [`Tree`], [`model`], [`event`], [`metric`], [`text`] | views of a tree |
//! | [`cpuid`] | matching a CPU to its table |
//! | [`term`] | event strings |
//! | [`event_list`] | the grammar of perf's `-e` option |
//! | [`mod@format`], [`config`], [`builtin`] | encoding terms; the formats of core PMUs |
//! | [`encoded`] | finding events by their config words |
//! | [`perf_type`] | the `perf_event_attr` types that exist on every machine |
//! | [`schedule`] | counter assignment |
//! | [`expr`] | parsing and evaluating metric expressions |
//! | [`pmu`] | names of PMUs |
//! | [`located`] | errors in a text, with their position |

#![no_std]
#![doc(test(attr(deny(warnings), allow(dead_code, deprecated))))]
#![forbid(unsafe_code)]

pub mod builtin;
pub mod config;
mod count_unit;
pub mod cpuid;
mod debug;
pub mod encoded;
pub mod event;
pub mod event_list;
pub mod expr;
mod flags;
pub mod format;
mod glob;
pub mod located;
mod message;
pub mod metric;
pub mod model;
mod name;
mod packed;
mod perf_differs;
pub mod perf_type;
pub mod pmu;
mod provided;
mod scale;
pub mod schedule;
#[cfg(feature = "serde")]
mod serialize;
mod spelling;
mod sys;
pub mod term;
pub mod text;
mod tree;
mod wire;

#[doc(hidden)]
pub mod __private;

pub use event::Event;
pub use metric::Metric;
pub use model::Model;
pub use packed::Tree;
