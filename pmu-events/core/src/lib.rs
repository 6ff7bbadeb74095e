//! The pure part of [`pmu-events`](https://docs.rs/pmu-events): packed tables
//! of PMU events and every operation on them that needs no running system.
//!
//! No `std`, no heap, no `unsafe` code, no dependencies. Nothing here panics on
//! bad input, except the methods that are documented to: [`Model::require`],
//! [`Event::require_words`] and [`config::Error::panic`].
//!
//! A [`Tree`] holds the packed constants; [`Model`], [`Event`], [`Metric`] and
//! [`Text`](text::Text) are `Copy` views of it. Look-ups are `const fn`, so a
//! program that looks up its events at compile time contains no table at run
//! time.
//!
//! | module | contents |
//! |---|---|
//! | [`tree`], [`model`], [`event`], [`metric`], [`sys`], [`text`] | views of a tree |
//! | [`cpuid`] | matching a CPU to its table |
//! | [`term`] | event strings |
//! | [`event_list`] | the grammar of perf's `-e` option |
//! | [`mod@format`], [`config`], [`builtin`] | encoding terms; the formats of core PMUs |
//! | [`encoded`] | finding events by their config words |
//! | [`perf_type`] | the `perf_event_attr` types that exist on every machine |
//! | [`schedule`] | counter assignment |
//! | [`expr`] | parsing and evaluating metric expressions |
//! | [`provided`] | events provided by Linux itself rather than by a tree |
//! | [`name`], [`glob`], [`pmu`], [`scale`] | names, shell patterns, PMU names, scale units |
//! | [`located`] | parse errors with their position |

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
pub mod format;
pub mod glob;
pub mod located;
mod message;
pub mod metric;
pub mod model;
pub mod name;
mod packed;
mod perf_differs;
pub mod perf_type;
pub mod pmu;
pub mod provided;
pub mod scale;
pub mod schedule;
pub mod sys;
pub mod term;
pub mod text;
pub mod tree;
mod wire;

/// What this crate shares with the macro's expansion, the tree compiler and the crates
/// beside it: the packed format, the CPUID automata, the references of metrics, the value
/// of digits, the comparison of term names, messages for panics in `const`, and the rule
/// for `Debug` of errors. Not a public interface: it may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::__debug_as_display as debug_as_display;
    pub use crate::cpuid::{automaton::*, patterns::*};
    pub mod formula {
        pub use crate::expr::evaluate::Names;
        pub use crate::expr::infix::{Postfix, write};
        pub use crate::expr::needs::{Sets, needed};
        pub use crate::expr::steps::Steps;
    }
    pub use crate::message::Message;
    pub use crate::metric::siblings::*;
    pub use crate::term::{digits::digits_value, scan::same};
    pub mod wire {
        pub use crate::wire::*;
    }
}

pub use event::Event;
pub use metric::Metric;
pub use model::Model;
pub use tree::Tree;
