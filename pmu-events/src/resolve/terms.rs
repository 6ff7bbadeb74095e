//! The terms of an event: those that were written, with what one of them, or
//! the name before them, stands for in its place.

use crate::event_list::{EventRef, TermKind, TermList};
use crate::term::{Term, Terms};

/// One of perf's own terms, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttributeTerm<'a> {
    /// The term.
    pub term: Term<'a>,
    /// Whether it is part of the event's description, and so yields to what the
    /// user asks of the program (perf's `weak`).
    pub is_default: bool,
}

/// All terms of an event, in the order in which they count.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItsTerms<'a> {
    text: &'a str,
    written: TermList<'a>,
    /// What describes it, and the number of the written term that it replaces.
    described: Option<(usize, Terms<'a>)>,
}

impl<'a> ItsTerms<'a> {
    pub(super) fn written(event: EventRef<'a>, text: &'a str) -> Self {
        ItsTerms { text, written: event.terms(), described: None }
    }

    /// With a description in place of a term; `false` if there is one already.
    pub(super) fn replace(&mut self, number: usize, terms: Terms<'a>) -> bool {
        self.described.replace((number, terms)).is_none()
    }

    /// With a description behind the others, where perf has that of an event
    /// whose name stands before the slashes: of two periods the last counts.
    pub(super) fn append(&mut self, terms: Terms<'a>) -> bool {
        self.replace(usize::MAX, terms)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = AttributeTerm<'a>> + Clone + use<'a> {
        let described = move |number: usize| {
            let here = self.described.filter(|&(place, _)| place == number);
            let terms = here.into_iter().flat_map(|(_, terms)| terms);
            terms.map(|term| AttributeTerm { term, is_default: true })
        };
        let is_replaced = move |number| self.described.is_some_and(|(place, _)| place == number);
        let written = self.written.iter().enumerate().flat_map(move |(number, term)| {
            let own = AttributeTerm { term: plain(term, self.text), is_default: false };
            let own = (!is_replaced(number)).then_some(own);
            own.into_iter().chain(described(number))
        });
        written.chain(described(usize::MAX))
    }
}

/// A term as event strings have it; one for the driver keeps its `@`.
fn plain<'a>(term: crate::event_list::Term<'a>, text: &'a str) -> Term<'a> {
    if term.kind() == TermKind::DriverConfig {
        return Term { name: text.get(term.span()).unwrap_or("@"), value: None };
    }
    term.plain()
}
