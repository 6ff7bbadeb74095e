//! One event of a list.

use core::fmt;
use core::ops::Range;

use super::cache::Cache;
use super::error::Span;
use super::generic::{Hardware, Software, Tool};
use super::modifier::Modifiers;
use super::settings::Settings;
use super::term::{TermList, TermValue};
use super::term_kind::TermKind;
use crate::term::PerfTerm;

/// One event of a list.
#[derive(Clone, Copy)]
pub struct EventRef<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    /// What stands before terms and modifiers.
    pub(super) head: Span,
    pub(super) kind: EventKind<'a>,
    pub(super) terms: Option<TermList<'a>>,
    pub(super) modifiers: Modifiers,
    pub(super) modifiers_span: Span,
    pub(super) membership: Option<Membership>,
}

/// What an event is called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// A name alone: an event that any PMU may have, opened on all that do.
    Name(&'a str),
    /// A name before slashes. It is a PMU if there is one of that name; else a
    /// pattern of PMU names, of which `uncore_` and the number of an instance
    /// may be left out; else an event that any PMU may have, with terms.
    Pmu(&'a str),
    /// A generic hardware event.
    Hardware(Hardware),
    /// A software event.
    Software(Software),
    /// A number that the program measures itself.
    Tool(Tool),
    /// A generic cache event. A PMU that has an event of this name opens that
    /// one instead.
    Cache {
        /// The name as it is written.
        name: &'a str,
        /// What it stands for.
        event: Cache,
    },
    /// `r1a8`: a config of the CPU's own PMU, which has type 4.
    Raw {
        /// The config.
        config: u64,
    },
    /// `4:0x3c`: type and config, as they go into `perf_event_attr`.
    Numeric {
        /// The type.
        r#type: u32,
        /// The config.
        config: u64,
    },
    /// `sched:sched_switch`; both may be patterns.
    Tracepoint {
        /// The directory below `events` of tracefs.
        system: &'a str,
        /// The directory below that one.
        event: &'a str,
    },
    /// `mem:0x1000/4:rw`
    Breakpoint(Breakpoint),
}

/// A breakpoint: `mem:address/length:access`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breakpoint {
    /// Where it is: `bp_addr`.
    pub address: u64,
    /// How many bytes are watched: `bp_len`. `None` when it is not said, or
    /// said to be 0: then 4, or the length of a `long` if only executions are
    /// watched (on 64-bit Arm, 4 all the same).
    pub len: Option<u64>,
    /// Reads are watched; reads and writes are if nothing else is said.
    pub read: bool,
    /// Writes are watched.
    pub write: bool,
    /// Executions are watched.
    pub execute: bool,
}

impl Breakpoint {
    /// `PERF_TYPE_BREAKPOINT`, the type of `perf_event_attr`.
    pub const TYPE: u32 = crate::perf_type::BREAKPOINT;

    /// `bp_type` of `perf_event_attr`.
    ///
    /// ```
    /// use pmu_events::event_list::{EventKind, EventList};
    ///
    /// let list = EventList::parse("mem:0x1000/8:rw:u")?;
    /// let Some(EventKind::Breakpoint(breakpoint)) = list.events().next().map(|e| e.kind()) else {
    ///     unreachable!();
    /// };
    /// assert_eq!((breakpoint.address, breakpoint.len), (0x1000, Some(8)));
    /// assert_eq!(breakpoint.access(), 3);
    /// # Ok::<(), pmu_events::event_list::Error>(())
    /// ```
    #[must_use]
    pub const fn access(self) -> u32 {
        self.read as u32 | (self.write as u32) << 1 | (self.execute as u32) << 2
    }
}

/// An event's place in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Membership {
    /// Its number among the members; 0 leads.
    pub index: usize,
    /// How many members there are.
    pub len: usize,
    /// The modifiers of the group.
    pub modifiers: Modifiers,
}

impl<'a> EventRef<'a> {
    /// What the event is called by.
    #[must_use]
    pub const fn kind(&self) -> EventKind<'a> {
        self.kind
    }

    /// The terms between the slashes; none for an event without slashes.
    #[must_use]
    pub fn terms(&self) -> TermList<'a> {
        self.terms.unwrap_or(TermList::NONE)
    }

    /// Whether it has slashes, with terms between them or not.
    #[must_use]
    pub const fn has_slashes(&self) -> bool {
        self.terms.is_some()
    }

    /// Its own modifiers, without those of its group.
    #[must_use]
    pub const fn modifiers(&self) -> Modifiers {
        self.modifiers
    }

    /// The bytes of its own modifiers; empty without any.
    #[must_use]
    pub const fn modifiers_span(&self) -> Range<usize> {
        self.modifiers_span.range()
    }

    /// Its place in a group, if it is in one.
    #[must_use]
    pub const fn membership(&self) -> Option<Membership> {
        self.membership
    }

    /// What its modifiers and those of its group come to.
    ///
    /// The leader is the first member. Where that is opened on several PMUs,
    /// perf takes only the first of them for the leader: pinned and exclusive
    /// of the others are those of [`Settings::with_group`] without `leader`.
    ///
    /// ```
    /// use pmu_events::event_list::EventList;
    ///
    /// let list = EventList::parse("{cycles:u,instructions:kp}:p")?;
    /// let settings: Vec<_> = list.events().map(|event| event.settings()).collect();
    /// assert_eq!((settings[0].exclude_user, settings[0].precise), (false, 1));
    /// assert_eq!((settings[1].exclude_user, settings[1].precise), (true, 2));
    /// # Ok::<(), pmu_events::event_list::Error>(())
    /// ```
    #[must_use]
    pub fn settings(&self) -> Settings {
        let own = Settings::default().with_event(self.modifiers);
        match self.membership {
            Some(Membership { index, modifiers, .. }) => own.with_group(modifiers, index == 0),
            None => own,
        }
    }

    /// What perf calls the event in its output: the value of its first `name`
    /// term, else its text.
    ///
    /// ```
    /// use pmu_events::event_list::EventList;
    ///
    /// let list = EventList::parse("cpu/event=0x3c,name='a,b'/u, cycles:k")?;
    /// let names: Vec<_> = list.events().map(|event| event.name()).collect();
    /// assert_eq!(names, ["a,b", "cycles:k"]);
    /// # Ok::<(), pmu_events::event_list::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &'a str {
        let named = self.terms().iter().find(|term| term.kind() == TermKind::Perf(PerfTerm::Name));
        match named.map(|term| term.value()) {
            Some(TermValue::Text(name)) => name,
            _ => self.text(),
        }
    }

    /// The text of the event with its modifiers.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text.get(self.span()).unwrap_or_default()
    }

    /// The bytes of the event with its terms and modifiers.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.range()
    }

    /// The bytes of what stands before the terms and the modifiers.
    #[must_use]
    pub const fn head_span(&self) -> Range<usize> {
        self.head.range()
    }
}

impl fmt::Display for EventRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Type and config, or the halves of a tracepoint, may have blanks
        // between them.
        let head = self.text.get(self.head.range()).unwrap_or_default();
        head.split_ascii_whitespace().try_for_each(|piece| f.write_str(piece))?;
        if let Some(terms) = self.terms {
            return write!(f, "/{terms}/{}", self.modifiers);
        }
        if self.modifiers.is_empty() {
            return Ok(());
        }
        write!(f, ":{}", self.modifiers)
    }
}

impl fmt::Debug for EventRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRef")
            .field("kind", &self.kind)
            .field("terms", &self.terms)
            .field("modifiers", &self.modifiers)
            .field("membership", &self.membership)
            .finish()
    }
}
