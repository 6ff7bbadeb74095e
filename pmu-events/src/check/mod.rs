//! Whether the counts of this machine are true.
//!
//! Use it when a program starts whose counts must be right: a monitoring daemon, a benchmark on a
//! machine of a cloud.
//!
//! [`System::check`] first says what the machine is, without opening anything, and then counts
//! loops whose counts are known. The command `pmu doctor` shows the same report.
//!
//! ```
//! use pmu_events::System;
//! use pmu_events::check::Verdict;
//!
//! let report = System::new().check("task-clock,page-faults")?;
//! println!("{report}"); // what the machine is, and each event with its verdict
//! for event in report.events() {
//!     match event.verdict() {
//!         Verdict::Alive => println!("{} can be trusted", event.name()),
//!         // With the reason, and with what was expected.
//!         _ => println!("{event}"),
//!     }
//! }
//! # Ok::<(), pmu_events::open::Error>(())
//! ```
//!
//! # What is measured
//!
//! | loop | judges | expected |
//! |---|---|---|
//! | a million times two instructions, of which one is a branch | instructions, branches, cycles, times | instructions and branches, of 64-bit x86, Arm and RISC-V: what the loop has, and at most 5 % more, for what starts and stops the counter; elsewhere within what a compiler makes of it. Cycles: an eighth of the instructions to 64 times as many |
//! | 50,000 branches on random bits | mispredictions | a predictor guesses half of them: a quarter to twice as many |
//! | 20,000 dependent loads from 8 KiB, or stores | loads, stores, accesses of the TLB | at least 90 % of them; at most 32 times as many, because without optimization a compiler keeps variables in memory |
//! | 20,000 dependent loads from 16 MiB, in an order without pattern, each from a line of its own | accesses and misses of caches | an eighth of the loads to 64 times as many. Where a cache may hold half of the memory, none is also right |
//! | the first touch of 1 MiB | page faults | one, of a huge page, to one for each 4 KiB and its page table |
//! | four short sleeps | context switches | at least one; others may run in between |
//!
//! Each event is counted alone, with its loop, so that it does not compete with the others. Where it
//! gets no counter nevertheless, or the thread leaves the cores that count it, the loop is
//! repeated; an event that still was not counted throughout is [`Starved`](Verdict::Starved): that
//! says who has the counters, and nothing about the event.
//!
//! Where all generic events are counted, a check takes 0.13 s of CPU time (measured on a virtual
//! machine, with optimization; 0.19 s without); an event that is refused costs nothing. Where there
//! is more than one kind of core, the thread visits each kind; its CPUs are the same as before when
//! the check ends.

mod affinity;
mod budget;
mod capacity;
mod event;
mod facts;
mod free;
mod holders;
mod judge;
mod loops;
mod report;

pub use budget::Ranked;
pub use event::{CheckedEvent, Verdict};
pub use facts::Fact;
pub use free::FreeCounters;
pub use report::Report;

use std::string::String;
use std::vec::Vec;

use crate::open::Error;
use crate::resolve;
use crate::system::System;
use event::Refusal;
use loops::Loops;
use pmu_events_core::__private::event_list::{
    EventKind, EventList, ListItem, generic_named, generic_names,
};

/// Whether counts are true.
impl System {
    /// Says what decides whether this machine counts truly, and measures whether events do:
    /// those of a list or, if it is empty, all generic events.
    ///
    /// Opens pinned events on the calling thread until one finds no counter, and counts
    /// [loops whose counts are known](crate::check#what-is-measured). Pinned events of others keep
    /// their counters; events that are not pinned may lose a few milliseconds.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let report = System::new().check("instructions:u,cache-references:u")?;
    /// if !report.is_healthy() {
    ///     eprintln!("{report}");
    /// }
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a list of events. What the machine lacks or forbids is
    /// part of the report.
    pub fn check(&self, events: &str) -> Result<Report, Error> {
        let is_named = !events.is_empty();
        if is_named {
            // What is wrong with one of them, at its place in the list.
            self.resolve(events)?;
        }
        let names = if is_named { each(events)? } else { generic() };
        let mut facts = facts::of(self);
        let counters = free::of_cores(self);
        facts.extend(free::facts(&counters, self));
        let mut loops = Loops::new(self);
        let events: Vec<CheckedEvent> =
            names.iter().flat_map(|name| event::check(name, self, &mut loops)).collect();
        let is_of_sandbox = |event: &CheckedEvent| event.refusal() == Some(Refusal::OfSandbox);
        let is_refused = |event: &CheckedEvent| event.refusal().is_some();
        // A filter that forbids the system call forbids each event.
        if events.iter().any(is_of_sandbox) && events.iter().all(is_refused) {
            facts::tell_of_sandbox(&mut facts);
        }
        Ok(Report::new(self.clone(), facts, counters, events, is_named))
    }

    /// Says what decides whether this machine counts truly, without opening anything: for a
    /// machine that is not at hand, or before a program has its rights.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// for fact in System::new().describe().facts() {
    ///     println!("{}: {fact}", fact.subject());
    /// }
    /// ```
    #[must_use]
    pub fn describe(&self) -> Report {
        Report::new(self.clone(), facts::of(self), Vec::new(), Vec::new(), false)
    }
}

/// The items of a list: events, and groups with their braces.
fn split(events: &str) -> Result<Vec<String>, Error> {
    Ok(parsed(events)?.items().map(|item| events[item.span()].into()).collect())
}

fn parsed(events: &str) -> Result<EventList<'_>, Error> {
    EventList::parse(events).map_err(|error| resolve::Error::syntax(error, events).into())
}

/// The events of a list, those of groups with the groups' modifiers.
fn each(events: &str) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for item in parsed(events)?.items() {
        let ListItem::Group(group) = item else {
            all.push(events[item.span()].into());
            continue;
        };
        let modifiers = &events[group.modifiers_span()];
        let modifiers = modifiers.strip_prefix(':').unwrap_or(modifiers);
        for member in group.members() {
            let has_place = member.has_slashes() || !events[member.modifiers_span()].is_empty();
            let colon = if has_place || modifiers.is_empty() { "" } else { ":" };
            all.push(std::format!("{}{colon}{modifiers}", member.text()));
        }
    }
    Ok(all)
}

/// One name of each generic event. Those of the cores count user space, which everybody may; the
/// kernel's work during a loop is not the loop's.
fn generic() -> Vec<String> {
    let mut seen: Vec<EventKind<'_>> = Vec::new();
    let mut names = Vec::new();
    for name in generic_names() {
        let Some(kind) = generic_named(name) else { continue };
        let modifier = match kind {
            EventKind::Software(_) => "",
            EventKind::Hardware(_) | EventKind::Cache { .. } => ":u",
            _ => continue,
        };
        let is_same = |other: &EventKind<'_>| match (other, &kind) {
            (EventKind::Cache { event: one, .. }, EventKind::Cache { event: other, .. }) => {
                one == other
            }
            (one, other) => one == other,
        };
        if !seen.iter().any(is_same) {
            seen.push(kind);
            names.push(std::format!("{name}{modifier}"));
        }
    }
    names
}
