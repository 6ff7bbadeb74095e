//! Finding events by their config words, for example to learn what a raw code
//! in a script counts.
//!
//! Use it when you have a raw code and want its name.
//!
//! ```
//! use pmu_events::{arch::x86, builtin, format::Words};
//!
//! // `perf stat -e r4c0`
//! let words = Words::new(0x4c0);
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
use crate::format::{Formats, Words};
use crate::model::Events;
use crate::term::Terms;

impl Events {
    /// Keeps the events whose config words equal `words` when encoded with a
    /// PMU's formats. Terms that set no bits, such as the period, are ignored.
    ///
    /// The formats belong to one PMU: if a model has several PMUs, use the
    /// events of that one
    /// ([`PmuTable::events`](crate::model::PmuTable::events)).
    ///
    /// ```
    /// use pmu_events::{arch::x86, builtin, format::Words};
    ///
    /// let core = x86::AMDZEN4.pmus().find(|pmu| pmu.is_core()).unwrap();
    /// let mut events = core.events().encoded_as(Words::new(0x844), builtin::AMD);
    /// assert_eq!(events.next().unwrap().event_string(), "event=0x44,umask=8");
    /// ```
    pub const fn encoded_as(
        self,
        words: Words,
        formats: Formats<'_>,
    ) -> impl Iterator<Item = Event> + Clone + fmt::Debug {
        EncodedAs { events: self, words, formats }
    }
}

impl Event {
    /// Whether the event's config words equal `words` when encoded with its
    /// PMU's formats. False for an event that cannot be encoded.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_encoded_as(self, words: Words, formats: Formats<'_>) -> bool {
        match self.encode(formats) {
            Ok(encoded) => encoded.words().difference(words).is_empty(),
            Err(_) => false,
        }
    }

    /// Returns the terms whose values differ between the event's config words
    /// and `words`; `None` if the event cannot be encoded. The terms cover
    /// every bit that differs.
    ///
    /// If formats overlap, the terms that the event has come first.
    ///
    /// ```
    /// use pmu_events::{arch::x86, builtin};
    ///
    /// let words = x86::SAPPHIRERAPIDS.require("L2_LINES_IN.ALL").require_words(builtin::INTEL);
    /// let other = x86::SAPPHIRERAPIDS.require("L2_LINES_OUT.NON_SILENT");
    /// for difference in other.differences(words, builtin::INTEL).unwrap() {
    ///     println!("{difference}");
    /// }
    /// ```
    #[must_use]
    pub fn differences(
        self,
        words: Words,
        formats: Formats<'_>,
    ) -> Option<impl Iterator<Item = Difference<'_>> + Clone + fmt::Debug> {
        let own = self.encode(formats).ok()?.words();
        let left = own.difference(words);
        Some(Differences { terms: self.terms(), own, words, formats, left, next: 0 })
    }
}

/// The events with the same config words.
#[derive(Clone, Debug)]
struct EncodedAs<'f> {
    events: Events,
    words: Words,
    formats: Formats<'f>,
}

impl Iterator for EncodedAs<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.events.find(|event| event.is_encoded_as(self.words, self.formats))
    }
}

/// A term whose value in an event's config words differs from that in the given
/// words.
///
/// ```
/// use pmu_events::{arch::x86, builtin};
///
/// let words = x86::SAPPHIRERAPIDS.require("BR_INST_RETIRED.ALL_BRANCHES").require_words(builtin::INTEL);
/// let other = x86::SAPPHIRERAPIDS.require("BR_MISP_RETIRED.ALL_BRANCHES");
/// let difference = other.differences(words, builtin::INTEL).unwrap().next().unwrap();
/// assert_eq!((difference.term(), difference.event(), difference.given()), ("event", 0xc5, 0xc4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Difference<'f> {
    pub(crate) term: &'f str,
    pub(crate) event: u64,
    pub(crate) given: u64,
}

impl<'f> Difference<'f> {
    /// Returns the name of the term, or of the config word for bits without a term.
    #[must_use]
    pub const fn term(self) -> &'f str {
        self.term
    }

    /// Returns the value in the event's words.
    #[must_use]
    pub const fn event(self) -> u64 {
        self.event
    }

    /// Returns the value in the given words.
    #[must_use]
    pub const fn given(self) -> u64 {
        self.given
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:#x} instead of {:#x}", self.term, self.event, self.given)
    }
}

/// The differences between an event's config words and others, term by term.
#[derive(Clone, Debug)]
struct Differences<'f> {
    terms: Terms<'static>,
    own: Words,
    words: Words,
    formats: Formats<'f>,
    /// The differing bits not covered by any term so far.
    left: Words,
    next: usize,
}

impl<'f> Iterator for Differences<'f> {
    type Item = Difference<'f>;

    fn next(&mut self) -> Option<Difference<'f>> {
        let formats = self.formats.as_slice();
        // The event's own terms, then the others, then bits without a term.
        while self.next < 2 * formats.len() {
            let (name, format) = formats[self.next % formats.len()];
            let is_first_pass = self.next < formats.len();
            self.next += 1;
            let left = self.left.get(format.word());
            let is_own = self.terms.last_named(name).is_some();
            if is_own == is_first_pass && left & format.mask() != 0 {
                self.left = self.left.with(format.word(), left & !format.mask());
                return Some(Difference {
                    term: name,
                    event: format.value_in(self.own),
                    given: format.value_in(self.words),
                });
            }
        }
        let (word, _) = self.left.iter().find(|(_, bits)| *bits != 0)?;
        self.left = self.left.with(word, 0);
        let (event, given) = (self.own.get(word), self.words.get(word));
        Some(Difference { term: word.name(), event, given })
    }
}
