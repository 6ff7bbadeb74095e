//! Lists of events: the grammar of perf's `-e` option
//! (`tools/perf/util/parse-events.l` and `parse-events.y` of Linux 6.12).
//!
//! [`EventList::parse`] checks a whole text in one pass, without heap; from
//! what it returns, groups, events, terms and modifiers are read as they are
//! asked for, each with the bytes that it stands on. Nothing here knows which
//! PMUs and events a machine has: an unknown name is no error here.
//!
//! ```
//! use pmu_events::event_list::{EventKind, EventList, Hardware, TermValue};
//!
//! let list = EventList::parse("{cycles,cpu/event=0xc0,period=1000/u}:S, inst_retired.any:k")?;
//! let events: Vec<_> = list.events().collect();
//!
//! assert_eq!(events[0].kind(), EventKind::Hardware(Hardware::CpuCycles));
//!
//! assert_eq!(events[1].kind(), EventKind::Pmu("cpu"));
//! let terms: Vec<_> = events[1].terms().iter().map(|t| (t.name(), t.value())).collect();
//! assert_eq!(terms, [("event", TermValue::Number(0xc0)), ("period", TermValue::Number(1000))]);
//! assert!(events[1].settings().exclude_kernel && events[1].settings().sample_read);
//! assert_eq!(events[1].membership().map(|group| group.index), Some(1));
//!
//! assert_eq!(events[2].kind(), EventKind::Name("inst_retired.any"));
//! assert_eq!(list.text()[events[2].span()], *"inst_retired.any:k");
//!
//! let error = EventList::parse("cycles,instructions:ku:p").unwrap_err();
//! assert_eq!(error.to_string(), "byte 22: expected `,` or the end of the text, found `:`");
//! # Ok::<(), pmu_events::event_list::Error>(())
//! ```
//!
//! # Grammar
//!
//! | | |
//! |---|---|
//! | list | items, joined by `,` |
//! | item | an event, or a group: `{a,b}`, `name{a,b}`, `{a,b}:modifiers` |
//! | `name`, `name:modifiers` | an event that any PMU may have |
//! | `pmu/terms/modifiers` | a PMU, a pattern of PMUs, or an event with terms; `pmu//` without |
//! | `cycles`, `faults`, … | a [`Hardware`] or [`Software`] event: `:modifiers` or `/terms/modifiers` behind it |
//! | `L1-dcache-load-misses`, … | a [`Cache`] event |
//! | `r1a8` | a raw event |
//! | `4:0x3c` | type and config |
//! | `system:event` | a tracepoint |
//! | `mem:address/length:access` | a breakpoint; length and access may be left out |
//! | `duration_time`, `user_time`, `system_time` | a [`Tool`] event: `:modifiers` or `//modifiers` behind it |
//!
//! From cache events to breakpoints, what may follow is `/terms/`, then
//! `:modifiers`; behind the `/` the `:` may be left out. A `:` without
//! modifiers behind an event is nothing.
//!
//! A term is `name`, `name=number`, `name=text`, `name='quoted'` or `@text`. A
//! number is decimal, also with zeros before it, or `0x` and up to 16 digits.
//! Terms for arrays (`[0-3]`) went away before Linux 6.12.
//!
//! A word is one of ASCII letters, digits and `_ . - * ? [ ] !`, and what it
//! means does not depend on a machine: `e` is a modifier and never an event,
//! `read` is `r` with hexadecimal digits. Blanks may stand between words and
//! signs.
//!
//! # Where this is not perf
//!
//! perf skips characters that it does not know without a word, which turns
//! slips into other events. Here they are errors; only blanks are passed over.
//!
//! | text | perf 6.12 | here |
//! |---|---|---|
//! | `cycles;`, `cpu/event=-1/`, `cpu/name='a/` | `cycles`, `event=1`, `name=a` | an error |
//! | `{cycles`, `}cycles`, `/cycles` | `cycles` | an error |
//! | ` cycles ` | an event named ` cycles ` | an event named `cycles` |
//! | `cycles u`, `mem:0u`, `mem:0:rwu` | `cycles:u`, `mem:0:u`, `mem:0:rw:u` | an error: these need a `:` |
//! | `mem:0 :rw` | a syntax error, though `mem: 0` is none | `mem:0:rw` |
//! | `mem:0x1000/8:rw:u` | an event named `mem:0x1000` | named as it is written |
//! | `4294967296:1` | type 0: the upper half is lost | [`TypeOutOfRange`](ErrorKind::TypeOutOfRange) |
//! | `cpu/percore=4294967296/` | the same, thus `percore=0` | [`TermTooLarge`](ErrorKind::TermTooLarge) |
//! | `cycles/r1a/` | the term is passed over | [`Term`](ErrorKind::Term) |
//! | `L1-dcache-load-store`, `cpu/L1-dcache-load-store/` | the store is passed over | [`CacheParts`](ErrorKind::CacheParts) |
//! | `L1-icache-stores` | fails, unless a PMU has an event of this name | [`CacheOperation`](ErrorKind::CacheOperation) |
//! | `cycles:bpu` | a syntax error, as `bpu` is the name of a cache | modifiers |
//! | `cpu/event=period/` | a syntax error, as `period` is a word of the grammar | accepted: it is a value here |
//! | `ftrace:branch`, `a:faults` | a syntax error, as these are events elsewhere | a tracepoint |
//! | `cpu/config=x/`, `cycles/umask=1/`, `{a:ppp}:p`, `a:W` | found out when PMUs are known | an error of the parser: no PMU can change it |
//!
//! perf takes the name of a raw event with `0x` (`r0x1a8`) for the name of an
//! event, and `name:x` for a tracepoint when `x` is no modifier. Both are so
//! here, and will not be found.

mod cache;
mod error;
mod event;
mod generic;
mod generic_name;
mod item;
mod lexer;
mod list;
mod modifier;
mod nearest;
mod parse;
mod settings;
mod suggestion;
mod term;
mod term_kind;
#[cfg(test)]
mod tests;
mod visit;

pub use cache::{Cache, CacheOperation, CacheResult, CacheUnit};
pub use error::{Error, ErrorKind, Expected, Found};
pub use event::{Breakpoint, EventKind, EventRef, Membership};
pub use generic::{Hardware, Software, Tool};
pub use generic_name::{names as generic_names, nearest as nearest_generic};
pub use item::{GroupRef, ListItem};
pub use list::{EventList, EventRefs, ListItems, Members};
pub use modifier::{Modifier, Modifiers};
pub use settings::Settings;
pub use term::{Term, TermList, TermValue, Terms};
pub use term_kind::{TermKind, TermPlace};
pub use visit::Visitor;
