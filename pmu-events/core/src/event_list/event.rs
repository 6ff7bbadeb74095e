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
    /// The part before terms and modifiers.
    pub(super) head: Span,
    pub(super) kind: EventKind<'a>,
    pub(super) terms: Option<TermList<'a>>,
    pub(super) modifiers: Modifiers,
    pub(super) modifiers_span: Span,
    pub(super) membership: Option<Membership>,
}

/// How an event is specified.
///
/// ```
/// use pmu_events::__private::event_list::{EventKind, EventList, Software};
///
/// let list = EventList::parse("page-faults,r1c2,cpu/umask=1/,sched:sched_switch,inst_retired.any")?;
/// let kinds: Vec<EventKind> = list.events().map(|event| event.kind()).collect();
/// assert_eq!(kinds[0], EventKind::Software(Software::PageFaults));
/// assert_eq!(kinds[1], EventKind::Raw { config: 0x1c2 });
/// assert_eq!(kinds[2], EventKind::Pmu("cpu"));
/// assert_eq!(kinds[3], EventKind::Tracepoint { system: "sched", event: "sched_switch" });
/// // Whether a table or a PMU has it is not known yet.
/// assert_eq!(kinds[4], EventKind::Name("inst_retired.any"));
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// Just a name: an event that any PMU may have, opened on all PMUs that
    /// have it.
    Name(&'a str),
    /// A name followed by slashes. It is a PMU if there is one with this name;
    /// otherwise, a pattern of PMU names, in which `uncore_` and the instance
    /// number are optional; otherwise, an event with terms that any PMU may
    /// have.
    Pmu(&'a str),
    /// A generic hardware event.
    Hardware(Hardware),
    /// A software event.
    Software(Software),
    /// A value that the program measures itself.
    Tool(Tool),
    /// A generic cache event. On a PMU that has an event of this name, that
    /// event is opened instead.
    Cache {
        /// The name as it is written.
        name: &'a str,
        /// The cache event it means.
        event: Cache,
    },
    /// `r1a8`: a config of the CPU's own PMU, with type 4.
    Raw {
        /// The config.
        config: u64,
    },
    /// `4:0x3c`: type and config, as stored in `perf_event_attr`.
    Numeric {
        /// The type.
        r#type: u32,
        /// The config.
        config: u64,
    },
    /// `sched:sched_switch`; both may be patterns.
    Tracepoint {
        /// The directory in `events` of tracefs.
        system: &'a str,
        /// The subdirectory of that directory.
        event: &'a str,
    },
    /// `mem:0x1000/4:rw`
    Breakpoint(Breakpoint),
}

/// A breakpoint: `mem:address/length:access`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Breakpoint {
    pub(crate) address: u64,
    pub(crate) len: Option<u64>,
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) execute: bool,
}

impl Breakpoint {
    /// Returns the watched address: `bp_addr`.
    #[must_use]
    pub const fn address(self) -> u64 {
        self.address
    }

    /// Returns the number of watched bytes: `bp_len`. `None` if it is omitted or 0,
    /// which means 4, or the size of a `long` if only executions are watched
    /// (but 4 on 64-bit Arm).
    #[must_use]
    pub const fn length(self) -> Option<u64> {
        self.len
    }

    /// Returns `bp_type` of `perf_event_attr`.
    ///
    /// ```
    /// use pmu_events::__private::event_list::{EventKind, EventList};
    ///
    /// let list = EventList::parse("mem:0x1000/8:rw:u")?;
    /// let Some(EventKind::Breakpoint(breakpoint)) = list.events().next().map(|e| e.kind()) else {
    ///     unreachable!();
    /// };
    /// assert_eq!((breakpoint.address(), breakpoint.length()), (0x1000, Some(8)));
    /// assert_eq!(breakpoint.access(), 3);
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[must_use]
    pub const fn access(self) -> u32 {
        self.read as u32 | (self.write as u32) << 1 | (self.execute as u32) << 2
    }
}

/// The position of an event in its group.
///
/// ```
/// use pmu_events::__private::event_list::EventList;
///
/// let list = EventList::parse("{cycles,instructions}:u,page-faults")?;
/// let places: Vec<Option<(usize, usize)>> = (list.events())
///     .map(|event| event.membership().map(|group| (group.index(), group.members())))
///     .collect();
/// assert_eq!(places, [Some((0, 2)), Some((1, 2)), None]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Membership {
    pub(crate) index: usize,
    pub(crate) len: usize,
    pub(crate) modifiers: Modifiers,
}

impl Membership {
    /// Creates the position of an event in a group of `len` events with these modifiers.
    #[must_use]
    pub const fn new(index: usize, len: usize, modifiers: Modifiers) -> Self {
        Membership { index, len, modifiers }
    }

    /// Returns the index among the members; the member with index 0 is the leader.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// Returns the number of members.
    #[must_use]
    pub const fn members(self) -> usize {
        self.len
    }

    /// Returns the modifiers of the group.
    #[must_use]
    pub const fn modifiers(self) -> Modifiers {
        self.modifiers
    }
}

impl<'a> EventRef<'a> {
    /// Returns how the event is specified.
    #[must_use]
    pub const fn kind(&self) -> EventKind<'a> {
        self.kind
    }

    /// Returns the terms between the slashes; empty for an event without
    /// slashes.
    #[must_use]
    pub fn terms(&self) -> TermList<'a> {
        self.terms.unwrap_or(TermList::NONE)
    }

    /// Whether the event has slashes, even without terms between them.
    #[must_use]
    pub const fn has_slashes(&self) -> bool {
        self.terms.is_some()
    }

    /// Returns the event's own modifiers, without those of its group.
    #[must_use]
    pub const fn modifiers(&self) -> Modifiers {
        self.modifiers
    }

    /// Returns the range of the event's own modifiers; empty if there are none.
    #[must_use]
    pub const fn modifiers_span(&self) -> Range<usize> {
        self.modifiers_span.range()
    }

    /// Returns the event's position in its group, if it is in one.
    #[must_use]
    pub const fn membership(&self) -> Option<Membership> {
        self.membership
    }

    /// Returns the same event as a member of a group.
    #[must_use]
    pub const fn in_group(self, membership: Membership) -> Self {
        EventRef { membership: Some(membership), ..self }
    }

    /// Returns the settings that result from the event's modifiers and those of
    /// its group.
    ///
    /// The leader is the first member. If the leader is opened on several PMUs,
    /// perf treats only the first of these events as the leader; for the
    /// others, take `pinned` and `exclusive` from [`Settings::with_group`]
    /// without `leader`.
    ///
    /// ```
    /// use pmu_events::__private::event_list::EventList;
    ///
    /// let list = EventList::parse("{cycles:u,instructions:kp}:p")?;
    /// let settings: Vec<_> = list.events().map(|event| event.settings()).collect();
    /// assert_eq!((settings[0].exclude_user(), settings[0].precise()), (false, 1));
    /// assert_eq!((settings[1].exclude_user(), settings[1].precise()), (true, 2));
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[must_use]
    pub fn settings(&self) -> Settings {
        let own = Settings::default().with_event(self.modifiers);
        match self.membership {
            Some(Membership { index, modifiers, .. }) => own.with_group(modifiers, index == 0),
            None => own,
        }
    }

    /// Returns what perf calls the event in its output: the value of its first
    /// `name` term, otherwise its text.
    ///
    /// ```
    /// use pmu_events::__private::event_list::EventList;
    ///
    /// let list = EventList::parse("cpu/event=0x3c,name='a,b'/u, cycles:k")?;
    /// let names: Vec<_> = list.events().map(|event| event.name()).collect();
    /// assert_eq!(names, ["a,b", "cycles:k"]);
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &'a str {
        let named = self.terms().iter().find(|term| term.kind() == TermKind::Perf(PerfTerm::Name));
        match named.map(|term| term.value()) {
            Some(TermValue::Text(name)) => name,
            _ => self.text(),
        }
    }

    /// Returns the text of the event with its modifiers.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text.get(self.span()).unwrap_or_default()
    }

    /// Returns the range of the event with its terms and modifiers.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.range()
    }

    /// Returns the range of the part before terms and modifiers.
    #[must_use]
    pub const fn head_span(&self) -> Range<usize> {
        self.head.range()
    }
}

impl fmt::Display for EventRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // There may be blanks between type and config, or between the halves of
        // a tracepoint.
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
