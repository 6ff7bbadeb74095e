//! The terms of an event: those that were written, with what one of them, or
//! the name before them, stands for in its place.

use crate::event_list::TermList;
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
    pub(super) written: TermList<'a>,
    /// What describes it, and the number of the written term that it replaces.
    /// That of an event whose name stands before the slashes is behind all
    /// others, as in perf: of two periods the last counts.
    pub(super) described: Option<(usize, Terms<'a>)>,
}

impl<'a> ItsTerms<'a> {
    pub(super) fn iter(self) -> impl Iterator<Item = AttributeTerm<'a>> + use<'a> {
        let described = move |number: usize| {
            let here = self.described.filter(|&(place, _)| place == number);
            here.into_iter().flat_map(|(_, terms)| described(terms))
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

/// The terms of a description.
pub(super) fn described(terms: Terms<'_>) -> impl Iterator<Item = AttributeTerm<'_>> {
    terms.map(|term| AttributeTerm { term, is_default: true })
}
