//! A parsed list of events, which can be walked again for each PMU.

use core::ops::{Deref, Range};

use std::vec::Vec;

use pmu_events_core::__private::event_list::{
    EventList, EventRef, GroupRef, Membership, TermKind, TermRef, TermValue, Visitor,
};
use pmu_events_core::__private::term::PerfTerm;
use pmu_events_core::located;

/// The events and terms of a text.
#[derive(Default)]
pub(super) struct Parsed<'a> {
    /// Each event, with the end of its terms.
    events: Vec<(EventRef<'a>, usize)>,
    terms: Vec<TermRef<'a>>,
}

impl<'a> Parsed<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, located::Error> {
        #[cfg(all(test, feature = "x86"))]
        log::add(text);
        let mut parsed = Self::default();
        EventList::visit(text, &mut parsed)?;
        Ok(parsed)
    }

    /// Returns the range of an event.
    pub(super) fn span_of(&self, number: usize) -> Range<usize> {
        self.events.get(number).map_or(0..0, |(event, _)| event.span())
    }

    /// Returns the range of one of perf's own terms of an event: the last one, or the
    /// event itself if its description has the term.
    pub(super) fn term_span(&self, number: usize, term: PerfTerm) -> Range<usize> {
        let term =
            self.events.get(number).and_then(|(event, _)| event.terms().last(TermKind::Perf(term)));
        term.map_or(self.span_of(number), |term| term.span())
    }

    /// Returns all events in order.
    pub(super) fn events(&self) -> impl Iterator<Item = Written<'a, '_>> {
        let mut start = 0;
        self.events.iter().map(move |&(event, end)| {
            let terms = self.terms.get(start..end).unwrap_or_default();
            start = end;
            Written { event, terms }
        })
    }
}

impl<'a> Visitor<'a> for Parsed<'a> {
    fn term(&mut self, term: TermRef<'a>) {
        self.terms.push(term);
    }

    fn event(&mut self, event: EventRef<'a>) {
        self.events.push((event, self.terms.len()));
    }

    fn group(&mut self, group: GroupRef<'a>) {
        let (len, modifiers) = (group.len(), group.modifiers());
        let first = self.events.len().saturating_sub(len);
        for (index, (event, _)) in self.events[first..].iter_mut().enumerate() {
            *event = event.in_group(Membership::new(index, len, modifiers));
        }
    }
}

/// An event as it was written, with its terms.
#[derive(Clone, Copy)]
pub(super) struct Written<'a, 'p> {
    event: EventRef<'a>,
    pub(super) terms: &'p [TermRef<'a>],
}

impl<'a> Written<'a, '_> {
    pub(super) fn event(&self) -> EventRef<'a> {
        self.event
    }

    /// [`EventRef::name`], without parsing it again.
    pub(super) fn name(&self) -> &'a str {
        let is_name = |term: &&TermRef<'a>| term.kind() == TermKind::Perf(PerfTerm::Name);
        match self.terms.iter().find(is_name).map(TermRef::value) {
            Some(TermValue::Text(name)) => name,
            _ => self.event.text(),
        }
    }

    /// Whether the event is written with one of perf's own terms.
    pub(super) fn has(&self, term: PerfTerm) -> bool {
        self.terms.iter().any(|one| one.kind() == TermKind::Perf(term))
    }
}

impl<'a> Deref for Written<'a, '_> {
    type Target = EventRef<'a>;

    fn deref(&self) -> &EventRef<'a> {
        &self.event
    }
}

/// The texts that a test parses, to count them.
#[cfg(all(test, feature = "x86"))]
pub(crate) mod log {
    use std::cell::RefCell;
    use std::string::String;
    use std::vec::Vec;

    std::thread_local! {
        static TEXTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    pub(crate) fn add(text: &str) {
        TEXTS.with_borrow_mut(|texts| texts.push(text.into()));
    }

    /// The texts since the last call.
    pub(crate) fn take() -> Vec<String> {
        TEXTS.take()
    }
}
