//! The terms of an event: the written terms, with the name of an event expanded.

use std::vec::Vec;

use crate::config::{self, Encoded};
use crate::format::Format;
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
    pub(super) fn all(self) -> Vec<AttributeTerm<'a>> {
        let (place, description) = self.described.unwrap_or((usize::MAX, ""));
        let (mut all, mut number) = (Vec::new(), 0);
        for term in self.written.iter() {
            match number == place {
                true => add_described(description, &mut all),
                false => all.push(AttributeTerm { term: term.plain(), is_default: false }),
            }
            number += 1;
        }
        if place == usize::MAX {
            add_described(description, &mut all);
        }
        all
    }
}

/// Encodes terms: [`config::encode_with`], compiled once.
pub(super) fn encoded<'a>(
    terms: &[Term<'a>],
    format: &dyn Fn(&str) -> Option<Format>,
) -> Result<Encoded<'a>, config::Error<'a>> {
    config::encode_with(terms.iter().copied(), format)
}

/// The terms of a description: of an event string.
pub(super) fn described(text: &str) -> Vec<AttributeTerm<'_>> {
    let mut all = Vec::new();
    add_described(text, &mut all);
    all
}

pub(super) fn add_described<'a>(text: &'a str, all: &mut Vec<AttributeTerm<'a>>) {
    for term in Terms::new(text) {
        all.push(AttributeTerm { term, is_default: true });
    }
}
