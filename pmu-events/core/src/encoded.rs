//! From config words back to events: who finds a raw code in a script learns
//! what it counts.
//!
//! ```
//! use pmu_events::{arch::x86, builtin};
//!
//! // `perf stat -e r4c0`
//! let words = [0x4c0, 0, 0, 0];
//! let mut events = x86::SKYLAKE.events().encoded_as(words, builtin::INTEL);
//! assert_eq!(events.next(), None);
//!
//! let event = x86::SKYLAKE.require("INST_RETIRED.ANY_P");
//! let differences = event.differences(words, builtin::INTEL).unwrap();
//! let differences: Vec<String> = differences.map(|one| one.to_string()).collect();
//! assert_eq!(differences, ["umask=0x0 instead of 0x4"]);
//! ```

use core::fmt;

use crate::event::Event;
use crate::format::{Formats, Word};
use crate::model::Events;
use crate::term::Terms;

impl Events {
    /// Those whose config words are these by a PMU's formats. What sets no bits,
    /// such as the period, does not matter.
    ///
    /// Formats are those of one PMU: take the events of one, too
    /// ([`PmuTable::events`](crate::model::PmuTable::events)), where a model has several.
    ///
    /// ```
    /// use pmu_events::{arch::x86, builtin};
    ///
    /// let core = x86::AMDZEN4.pmus().find(|pmu| pmu.is_core()).unwrap();
    /// let mut events = core.events().encoded_as([0x844, 0, 0, 0], builtin::AMD);
    /// assert_eq!(events.next().unwrap().event_string(), "event=0x44,umask=8");
    /// ```
    #[must_use]
    pub const fn encoded_as(self, words: [u64; 4], formats: Formats<'_>) -> EncodedAs<'_> {
        EncodedAs { events: self, words, formats }
    }
}

impl Event {
    /// Whether the event's config words are these by its PMU's formats. No event
    /// that cannot be encoded is.
    #[must_use]
    pub const fn is_encoded_as(self, words: [u64; 4], formats: Formats<'_>) -> bool {
        match self.encode(formats) {
            Ok(encoded) => {
                let own = encoded.words;
                own[0] == words[0] && own[1] == words[1] && own[2] == words[2] && own[3] == words[3]
            }
            Err(_) => false,
        }
    }

    /// The terms whose values in the event's config words are not those in other
    /// words; `None` for an event that cannot be encoded. Every bit that differs
    /// is in one of them.
    ///
    /// Where formats overlap, the terms that the event has come first.
    #[must_use]
    pub fn differences(self, words: [u64; 4], formats: Formats<'_>) -> Option<Differences<'_>> {
        let own = self.encode(formats).ok()?.words;
        let mut left = [0; 4];
        for (n, bits) in left.iter_mut().enumerate() {
            *bits = own[n] ^ words[n];
        }
        Some(Differences { terms: self.terms(), own, words, formats, left, next: 0 })
    }
}

/// The events with the same config words.
#[derive(Clone, Copy, Debug)]
pub struct EncodedAs<'f> {
    events: Events,
    words: [u64; 4],
    formats: Formats<'f>,
}

impl EncodedAs<'_> {
    /// The next event and those after it, for a `const fn`.
    #[must_use]
    pub const fn step(self) -> Option<(Event, Self)> {
        let mut events = self.events;
        while let Some((event, rest)) = events.step() {
            if event.is_encoded_as(self.words, self.formats) {
                return Some((event, EncodedAs { events: rest, ..self }));
            }
            events = rest;
        }
        None
    }
}

impl Iterator for EncodedAs<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        match self.step() {
            Some((event, rest)) => {
                *self = rest;
                Some(event)
            }
            None => {
                self.events = self.events.nothing();
                None
            }
        }
    }
}

/// A term that has one value in an event's config words and another in those
/// that were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Difference<'f> {
    /// The name of the term, or of a config word for bits without a term.
    pub term: &'f str,
    /// The value in the event.
    pub event: u64,
    /// The value in the words that were given.
    pub given: u64,
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:#x} instead of {:#x}", self.term, self.event, self.given)
    }
}

/// How an event's config words differ from others, term by term.
#[derive(Clone, Copy, Debug)]
pub struct Differences<'f> {
    terms: Terms<'static>,
    own: [u64; 4],
    words: [u64; 4],
    formats: Formats<'f>,
    /// The bits that differ and are in no term so far.
    left: [u64; 4],
    next: usize,
}

impl Differences<'_> {
    /// Whether the words are equal.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bits() == 0
    }

    /// How many bits differ in all terms that are still to come.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        let [a, b, c, d] = self.left;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }
}

impl<'f> Iterator for Differences<'f> {
    type Item = Difference<'f>;

    fn next(&mut self) -> Option<Difference<'f>> {
        let formats = self.formats.as_slice();
        // The event's own terms, then the others, then bits that have none.
        while self.next < 2 * formats.len() {
            let (name, format) = formats[self.next % formats.len()];
            let is_first_pass = self.next < formats.len();
            self.next += 1;
            let word = format.word().index();
            let is_own = self.terms.last(name).is_some();
            if is_own == is_first_pass && self.left[word] & format.mask() != 0 {
                self.left[word] &= !format.mask();
                let (event, given) = (self.own[word], self.words[word]);
                return Some(Difference {
                    term: name,
                    event: format.gather(event),
                    given: format.gather(given),
                });
            }
        }
        let word = Word::ALL.into_iter().find(|word| self.left[word.index()] != 0)?;
        let n = word.index();
        self.left[n] = 0;
        Some(Difference { term: word.name(), event: self.own[n], given: self.words[n] })
    }
}
