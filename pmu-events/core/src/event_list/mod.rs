//! Lists of events: the grammar of perf's `-e` option
//! (`tools/perf/util/parse-events.l` and `parse-events.y` of Linux 6.12, and what has been
//! added until 6.18).
//!
//! Use it to name the events that every Linux has. [`System::resolve`] reads a list, reports
//! errors with the bytes that are wrong, and `pmu encode` shows what each event selects.
//!
//! ```
//! use pmu_events::event_list::{Cache, Hardware};
//!
//! assert_eq!("cycles".parse(), Ok(Hardware::CpuCycles));
//! assert_eq!("LLC-load-misses".parse().map(Cache::config), Ok(0x1_0002));
//! ```
//!
//! [`System::resolve`]: https://docs.rs/pmu-events/latest/pmu_events/struct.System.html#method.resolve
//!
//! # Grammar
//!
//! | | |
//! |---|---|
//! | list | items, joined by `,` |
//! | item | an event, or a group: `{a,b}`, `name{a,b}`, `{a,b}:modifiers` |
//! | `name`, `name:modifiers` | an event that any PMU may have |
//! | `pmu/terms/modifiers` | a PMU, a pattern of PMUs, or an event with terms; `pmu//` without terms |
//! | `cycles`, `faults`, … | a [`Hardware`] or [`Software`] event, followed by `:modifiers` or `/terms/modifiers` |
//! | `L1-dcache-load-misses`, … | a [`Cache`] event |
//! | `r1a8` | a raw event |
//! | `4:0x3c` | type and config |
//! | `system:event` | a tracepoint |
//! | `mem:address/length:access` | a breakpoint; length and access are optional |
//! | `duration_time`, `user_time`, `system_time` | a [`Tool`] event, followed by `:modifiers` or `//modifiers` |
//!
//! Tool events other than times (`num_cpus`, …) are names, as events of PMUs are.
//!
//! Everything from cache events to breakpoints may be followed by `/terms/`,
//! then `:modifiers`; the `:` is optional after the `/`. A `:` after an event
//! has no effect if no modifiers follow it.
//!
//! A term is `name`, `name=number`, `name=text`, `name='quoted'` or `@text`. A
//! number is decimal, even with leading zeros, or `0x` and up to 16 digits.
//! Terms for arrays (`[0-3]`) were removed before Linux 6.12.
//!
//! A word consists of ASCII letters, digits and `_ . - * ? [ ] !`, and its
//! meaning does not depend on the machine: `e` is a modifier and never an
//! event, `read` is `r` with hexadecimal digits. Blanks are allowed between
//! words and signs.
//!
//! # Differences from perf
//!
//! perf silently skips unknown characters, which turns typos into other events.
//! Here they are errors; only blanks are ignored.
//!
//! | text | perf 6.12 | here |
//! |---|---|---|
//! | `cycles;`, `cpu/event=-1/`, `cpu/name='a/` | `cycles`, `event=1`, `name=a` | an error |
//! | `{cycles`, `}cycles`, `/cycles` | `cycles` | an error |
//! | ` cycles ` | an event named ` cycles ` | an event named `cycles` |
//! | `cycles u`, `mem:0u`, `mem:0:rwu` | `cycles:u`, `mem:0:u`, `mem:0:rw:u` | an error: these need a `:` |
//! | `mem:0 :rw` | a syntax error, though `mem: 0` is not | `mem:0:rw` |
//! | `mem:0x1000/8:rw:u` | an event named `mem:0x1000` | named as written |
//! | `4294967296:1` | type 0: the upper half is lost | an error |
//! | `cpu/percore=4294967296/` | truncated likewise, thus `percore=0` | an error |
//! | `cycles/r1a/` | the term is ignored | an error |
//! | `L1-dcache-load-store`, `cpu/L1-dcache-load-store/` | the store is ignored | an error |
//! | `L1-icache-stores` | fails, unless a PMU has an event of this name | an error |
//! | `cycles:bpu` | a syntax error, as `bpu` is the name of a cache | modifiers |
//! | `cpu/event=period/` | a syntax error, as `period` is a word of the grammar | accepted: it is a value here |
//! | `ftrace:branch`, `a:faults` | a syntax error, as these are events elsewhere | a tracepoint |
//! | `cpu/config=x/`, `cycles/umask=1/`, `{a:ppp}:p`, `a:W` | detected once PMUs are known | a parse error, as no PMU can change it |
//!
//! Later versions added the terms `aux-action` (Linux 6.14), `cpu` (6.17) and
//! `ratio-to-prev` (6.18), and the modifier `X` (6.18); 6.12 takes them for a field of a
//! PMU's format and for a name. Here, too, some typos are errors:
//!
//! | text | perf 6.18 | here |
//! |---|---|---|
//! | `cycles/cpu/` | CPU 1 | an error |
//! | `a/ratio-to-prev=2/` | an error: expects a fraction, as in `2.0` | the same as `2.0` |
//! | `a/ratio-to-prev=2x/` | the same as `2.0` | an error |
//!
//! perf takes a raw event written with `0x` (`r0x1a8`) for an event name, and
//! `name:x` for a tracepoint if `x` is not a modifier. The same applies here,
//! and neither will be found.

pub(crate) mod cache;
mod error;
pub(crate) mod event;
mod generic;
pub(crate) mod generic_name;
pub(crate) mod item;
mod lexer;
pub(crate) mod list;
pub(crate) mod modifier;
mod parse;
pub(crate) mod settings;
mod suggestion;
pub(crate) mod term;
pub(crate) mod term_kind;
#[cfg(test)]
mod tests;
pub(crate) mod visitor;

pub use cache::{Cache, CacheOperation, CacheResult, CacheUnit};
pub(crate) use error::Fault;
pub use event::Breakpoint;
#[cfg(test)]
pub(crate) use event::{EventKind, EventRef, Membership};
pub use generic::{Hardware, Software, Tool};
pub(crate) use generic_name::names as generic_names;
#[cfg(test)]
pub(crate) use generic_name::{named as generic_named, nearest as nearest_generic};
#[cfg(test)]
pub(crate) use item::{GroupRef, ListItem};
#[cfg(test)]
pub(crate) use list::EventList;
pub(crate) use modifier::{Modifier, Modifiers};
pub use settings::Settings;
#[cfg(test)]
pub(crate) use term::{TermList, TermRef, TermValue};
#[cfg(test)]
pub(crate) use term_kind::TermKind;
#[cfg(test)]
pub(crate) use visitor::Visitor;
