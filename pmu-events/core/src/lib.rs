//! The pure part of [`pmu-events`](https://docs.rs/pmu-events): packed tables
//! of PMU events and everything that can be said about them without a running
//! system. No `std`, no heap, no `unsafe` code, no dependencies; nothing here
//! panics on any input but [`Model::require`], [`Event::require_words`] and
//! [`config::Error::panic`] and [`cmn::Error::panic`], whose purpose it is.
//!
//! A [`Tree`] holds the packed constants; [`Model`], [`Event`], [`Metric`] and
//! [`Text`](text::Text) are `Copy` views of it. Look-ups are `const fn`, so that
//! a program that needs three events at compile time carries no table at run
//! time.
//!
//! | module | what is in it |
//! |---|---|
//! | [`tree`], [`model`], [`event`], [`metric`], [`sys`], [`text`] | the views |
//! | [`cpuid`] | which table belongs to which CPU |
//! | [`term`] | event strings |
//! | [`event_list`] | the grammar of perf's `-e` option |
//! | [`mod@format`], [`config`], [`builtin`] | terms into config words; the formats of core PMUs |
//! | [`encoded`] | config words back to events |
//! | [`perf_type`] | the types of `perf_event_attr` that every machine has |
//! | [`register`], [`schedule`] | registers where there is no kernel; which counters |
//! | [`cmn`] | Arm's mesh: events, watchpoints, node ids |
//! | [`power`], [`ebb`] | raw codes of POWER cores; event-based branches |
//! | [`expr`] | the grammar of metric expressions, and their evaluation |
//! | [`provided`] | names of events that no tree has to have |
//! | [`name`], [`glob`], [`pmu`], [`scale`] | names: case, distance, patterns, units; scale units |
//! | [`located`] | errors in a text, with their place |

#![no_std]
#![forbid(unsafe_code)]

pub mod builtin;
pub mod cmn;
pub mod config;
pub mod cpuid;
pub mod ebb;
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
mod perf_differs;
pub mod perf_type;
pub mod pmu;
pub mod power;
pub mod provided;
pub mod register;
pub mod scale;
pub mod schedule;
pub mod sys;
pub mod term;
pub mod text;
pub mod tree;
mod wire;

/// What the macro's expansion and the compiler of trees share with this crate: the
/// packed format, the automata of CPUIDs, and what metrics refer to. Not an
/// interface: it changes with any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::cpuid::{automaton::*, patterns::*};
    pub use crate::metric::siblings::*;
    pub mod wire {
        pub use crate::wire::*;
    }
}

pub use event::Event;
pub use metric::Metric;
pub use model::Model;
pub use tree::Tree;
