//! The result of a check.

use core::fmt;
use std::vec::Vec;

use super::{CheckedEvent, Fact, FreeCounters};
use crate::system::System;

/// What decides whether this machine counts truly, and which of its events do. It displays
/// itself as the lines that `pmu doctor` shows.
///
/// ```
/// use pmu_events::System;
///
/// let report = System::new().check("page-faults,task-clock")?;
/// for fact in report.facts().iter().filter(|fact| fact.is_finding()) {
///     eprintln!("{fact}");
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Debug)]
pub struct Report {
    system: System,
    facts: Vec<Fact>,
    counters: Vec<FreeCounters>,
    events: Vec<CheckedEvent>,
    /// Whether somebody asked for these events.
    is_named: bool,
}

impl Report {
    pub(super) fn new(
        system: System,
        facts: Vec<Fact>,
        counters: Vec<FreeCounters>,
        events: Vec<CheckedEvent>,
        is_named: bool,
    ) -> Self {
        Report { system, facts, counters, events, is_named }
    }

    /// Returns what is known of the machine.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// Returns the free counters of each kind of core; none without a
    /// [check](System::check).
    #[must_use]
    pub fn counters(&self) -> &[FreeCounters] {
        &self.counters
    }

    /// Returns the events that were checked.
    #[must_use]
    pub fn events(&self) -> &[CheckedEvent] {
        &self.events
    }

    /// Whether nothing is wrong: no fact is a [finding](Fact::is_finding), and every event is alive
    /// or silent. A generic event that the machine lacks is wrong only if it was asked for.
    #[must_use]
    pub fn is_healthy(&self) -> bool {
        let is_finding = |event: &CheckedEvent| event.is_finding(self.is_named);
        !self.facts.iter().any(Fact::is_finding) && !self.events.iter().any(is_finding)
    }

    pub(super) fn system(&self) -> &System {
        &self.system
    }

    pub(super) fn is_measured(&self) -> bool {
        !self.events.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fact in &self.facts {
            let mark = if fact.is_finding() { "!" } else { " " };
            writeln!(f, "{mark} {fact}")?;
        }
        for (number, event) in self.events.iter().enumerate() {
            let is_alike = |other: &&CheckedEvent| event.is_told_like(other);
            if self.events[..number].iter().find(is_alike).is_some() {
                continue;
            }
            let mark = if event.is_finding(self.is_named) { "!" } else { " " };
            let alike = self.events[number + 1..].iter().filter(is_alike);
            let names: Vec<&str> =
                [event].into_iter().chain(alike).map(CheckedEvent::name).collect();
            let (names, verdict, reason) = (names.join(", "), event.verdict(), event.reason());
            writeln!(f, "{mark} {verdict:<11} {names}: {reason}")?;
        }
        Ok(())
    }
}
