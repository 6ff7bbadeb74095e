//! The terms of an event: the written terms, with the name of an event expanded.

use crate::term::{Term, Terms};
use pmu_events_core::__private::event_list::TermList;

/// One of perf's own terms, and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeTerm<'a> {
    pub(crate) term: Term<'a>,
    pub(crate) is_default: bool,
}

impl<'a> AttributeTerm<'a> {
    /// Returns the term.
    #[must_use]
    pub fn term(self) -> Term<'a> {
        self.term
    }

    /// Whether the term comes from the event's description, so that options of the
    /// program override it (perf's `weak`).
    #[must_use]
    pub fn is_default(self) -> bool {
        self.is_default
    }
}

/// All terms of an event, in the order in which they apply.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItsTerms<'a> {
    pub(super) written: TermList<'a>,
    /// The event's description, and the index of the written term that it replaces.
    /// If the name precedes the slashes, the description comes after all other
    /// terms, as in perf: the last of two periods wins.
    pub(super) described: Option<(usize, &'a str)>,
}

impl<'a> ItsTerms<'a> {
    pub(super) fn iter(self) -> impl Iterator<Item = AttributeTerm<'a>> + use<'a> {
        let described = move |number: usize| {
            let here = self.described.filter(|&(place, _)| place == number);
            here.into_iter().flat_map(|(_, text)| described(text))
        };
        let is_replaced = move |number| self.described.is_some_and(|(place, _)| place == number);
        let written = self.written.iter().enumerate().flat_map(move |(number, term)| {
            let own = AttributeTerm { term: term.plain(), is_default: false };
            let own = (!is_replaced(number)).then_some(own);
            own.into_iter().chain(described(number))
        });
        written.chain(described(usize::MAX))
    }
}

/// The terms of a description: of an event string.
pub(super) fn described(text: &str) -> impl Iterator<Item = AttributeTerm<'_>> {
    Terms::new(text).map(|term| AttributeTerm { term, is_default: true })
}
