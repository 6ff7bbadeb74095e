//! Encoding terms into the config words of `perf_event_attr`.
//!
//! Use it to see what each term of an event string does to the words, where
//! [`Event::encode`](crate::Event::encode) is not enough.
//!
//! The rules are perf's (`config_attr` in `tools/perf/util/parse-events.c`,
//! `perf_pmu__config_terms` in `tools/perf/util/pmu.c`):
//!
//! - The bits of several terms are OR-ed: `event=1,event=2` is 3.
//! - `config=…`, `config1=…` to `config4=…` and a raw `r1a8` are assigned before
//!   that, wherever they appear; the last of several takes effect.
//! - perf's own terms (`period`, `name`, …) set no bits, even if the PMU has a
//!   format of that name. The last of several takes effect; for `name`, the
//!   first.
//! - A value with more bits than its format is an error, and so is a term
//!   without a format.
//! - A term without a value means 1, and is only allowed if the format has one
//!   bit.
//! - `core=?` needs a `core=…` with a number elsewhere in the list, or just
//!   `core` if the format has one bit.
//!
//! Where perf has a bug, this module returns an error or the intended result.
//! Deliberate differences: `core=?,core` does not fill a parameter of several
//! bits; `0X` is hexadecimal; a name may be a number (`name=5`);
//! `percore=0x100000001` is not 1; characters that perf silently drops
//! (`event= 1`, `event=-1`) are errors.

pub(crate) mod attributes;
mod error;
pub(crate) mod raw;

pub use attributes::{Attributes, Sampling};
use attributes::{is_of_driver, word_of};
pub use error::{Error, ErrorKind};
use raw::raw;

use crate::Event;
use crate::format::{Format, Formats, Word, Words};
use crate::message::Message;
use crate::term::{PerfTerm, Term, Terms, same};

/// The result of encoding a list of terms.
///
/// ```
/// use pmu_events::{builtin, config, format::Words, term::Terms};
/// let terms = Terms::new("event=0x3c,umask=0x1,edge,period=1000");
/// let encoded = config::encode(terms, builtin::INTEL)?;
/// assert_eq!(encoded.words(), Words::new(0x4013c));
/// assert_eq!(encoded.attributes().period(), Some(1000));
/// # Ok::<(), config::Error<'_>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoded<'a> {
    words: Words,
    attributes: Attributes<'a>,
}

impl<'a> Encoded<'a> {
    /// Returns `config` and the other config words of `perf_event_attr`.
    #[must_use]
    #[inline]
    pub const fn words(&self) -> Words {
        self.words
    }

    /// Returns the settings of the terms that are not config words.
    #[must_use]
    #[inline]
    pub const fn attributes(&self) -> Attributes<'a> {
        self.attributes
    }
}

/// Encodes terms with a list of formats.
///
/// ```
/// use pmu_events::{builtin, config, format::Words, term::Terms};
/// const WORDS: Words = match config::encode(Terms::new("event=0x1c2"), builtin::AMD) {
///     Ok(encoded) => encoded.words(),
///     Err(error) => error.panic(),
/// };
/// assert_eq!(WORDS, Words::new(0x1_0000_00c2));
///
/// let error = config::encode(Terms::new("event=0x1c2"), builtin::INTEL).unwrap_err();
/// assert_eq!(error.to_string(), "0x1c2 is too large for `event`: at most 0xff fits");
/// ```
///
/// # Errors
///
/// Returns an error for the first term that cannot be encoded.
#[inline]
pub const fn encode<'a>(terms: Terms<'a>, formats: Formats<'_>) -> Result<Encoded<'a>, Error<'a>> {
    let mut encoder = Encoder::new();
    let mut rest = terms.copy();
    while let Some(term) = rest.step() {
        let added = match encoder.own(term) {
            None => encoder.format(formats.find(term.name), term),
            Some(added) => added,
        };
        if let Err(error) = added {
            return Err(error);
        }
    }
    if encoder.parameters {
        let mut rest = terms.copy();
        while let Some(term) = rest.step() {
            if is_parameter(term) && !is_filled(terms.copy(), term.name) {
                return Err(Error::new(ErrorKind::Unfilled, term));
            }
        }
    }
    Ok(encoder.finish())
}

/// Encodes terms from any iterator, with formats from a closure. To resolve an
/// alias, chain its terms with those the user wrote.
///
/// ```
/// use pmu_events::{config, format::Format, term::Terms};
/// let formats = std::collections::HashMap::from([
///     ("domain", Format::parse("config:0-3")?),
///     ("core", Format::parse("config:16-31")?),
/// ]);
/// let alias = Terms::new("domain=0x2,core=?");
/// let find = |name: &str| formats.get(name).copied();
///
/// let encoded = config::encode_with(alias.clone().chain(Terms::new("core=5")), find).unwrap();
/// assert_eq!(encoded.words().config(), 0x50002);
///
/// let error = config::encode_with(alias, find).unwrap_err();
/// assert_eq!(error.kind(), config::ErrorKind::Unfilled);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for the first term that cannot be encoded.
#[inline]
pub fn encode_with<'a>(
    terms: impl Iterator<Item = Term<'a>> + Clone,
    mut find: impl FnMut(&str) -> Option<Format>,
) -> Result<Encoded<'a>, Error<'a>> {
    let mut encoder = Encoder::new();
    for term in terms.clone() {
        match encoder.own(term) {
            None => encoder.format(find(term.name), term)?,
            Some(added) => added?,
        }
    }
    if encoder.parameters {
        for term in terms.clone().filter(|&term| is_parameter(term)) {
            if !terms.clone().any(|other| fills(other, term.name)) {
                return Err(Error::new(ErrorKind::Unfilled, term));
            }
        }
    }
    Ok(encoder.finish())
}

impl Event {
    /// Encodes the event's terms with a PMU's formats.
    ///
    /// With the formats of [`builtin`](crate::builtin), this works without a
    /// running system, even in a `const`: see [`Event::require_words`]. The words are
    /// those that perf gives to the kernel; for a counter without a kernel, use
    /// `register`.
    ///
    /// ```
    /// use pmu_events::{arch::x86, builtin};
    ///
    /// let event = x86::SAPPHIRERAPIDS.require("L2_LINES_IN.ALL");
    /// let encoded = event.encode(builtin::INTEL)?;
    /// assert_eq!(encoded.words().config(), 0x1f25);
    /// # Ok::<(), pmu_events::config::Error<'static>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for the first term that cannot be encoded. Some trees
    /// contain such events: five in Linux 6.12 have `ldlat=None`.
    #[inline]
    pub const fn encode(self, formats: Formats<'_>) -> Result<Encoded<'static>, Error<'static>> {
        encode(self.terms(), formats)
    }

    /// Returns the event's config words, which must be encodable with the PMU's
    /// formats.
    ///
    /// ```
    /// use pmu_events::{arch::x86, builtin, format::Words};
    ///
    /// const MISSES: Words =
    ///     x86::SILVERMONT.require("BR_MISP_RETIRED.ALL_BRANCHES").require_words(builtin::INTEL);
    /// assert_eq!(MISSES, Words::new(0xc5));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a term cannot be encoded. In a `const`, this is a compile
    /// error that states the term and the reason.
    #[must_use]
    #[track_caller]
    pub const fn require_words(self, formats: Formats<'_>) -> Words {
        match self.encode(formats) {
            Ok(encoded) => encoded.words,
            Err(error) => {
                let message = Message::new().push(self.name()).push(": ");
                panic!("{}", error.say(message).as_str())
            }
        }
    }
}

/// The words encoded so far.
struct Encoder<'a> {
    assigned: Words,
    bits: Words,
    attributes: Attributes<'a>,
    parameters: bool,
}

impl<'a> Encoder<'a> {
    #[inline]
    const fn new() -> Self {
        let attributes = Attributes::NONE;
        Encoder { assigned: Words::NONE, bits: Words::NONE, attributes, parameters: false }
    }

    /// Adds a term if it is one of perf's own.
    #[inline]
    const fn own(&mut self, term: Term<'a>) -> Option<Result<(), Error<'a>>> {
        let Some(own) = PerfTerm::named(term.name) else {
            if !is_of_driver(term.name) {
                return None;
            }
            self.attributes.set_driver(term);
            return Some(Ok(()));
        };
        let Some(word) = word_of(own) else {
            return Some(self.attributes.set(own, term));
        };
        Some(match term.number() {
            Some(number) => {
                self.assigned = self.assigned.with(word, number);
                Ok(())
            }
            None => Err(Error::new(ErrorKind::NotANumber, term)),
        })
    }

    /// Adds a term of the PMU if it has a format.
    #[inline]
    const fn format(&mut self, format: Option<Format>, term: Term<'a>) -> Result<(), Error<'a>> {
        let Some(format) = format else {
            return match raw(term) {
                Some(number) => {
                    self.assigned = self.assigned.with(Word::Config, number);
                    Ok(())
                }
                None => Err(Error::new(ErrorKind::UnknownTerm, term)),
            };
        };
        if term.value.is_none() && format.width() > 1 {
            return Err(Error::no_value(format.max(), term));
        }
        if is_parameter(term) {
            self.parameters = true;
            return Ok(());
        }
        let Some(number) = term.number() else {
            return Err(Error::new(ErrorKind::NotANumber, term));
        };
        match format.scatter(number) {
            Ok(bits) => self.bits = self.bits.union(Words::NONE.with(format.word(), bits)),
            Err(too_large) => return Err(Error::too_large(too_large.max, term)),
        }
        Ok(())
    }

    #[inline]
    const fn finish(self) -> Encoded<'a> {
        Encoded { words: self.assigned.union(self.bits), attributes: self.attributes }
    }
}

#[inline]
const fn is_parameter(term: Term<'_>) -> bool {
    matches!(term.value, Some(value) if matches!(value.as_bytes(), b"?"))
}

/// Whether a term gives a parameter its value (`pmu_resolve_param_term` in
/// `tools/perf/util/pmu.c`, which ignores the order, too). Since bits are
/// OR-ed, the parameter itself adds none. A term without a value belongs to a
/// single-bit format here: others have already been rejected.
const fn fills(term: Term<'_>, parameter: &str) -> bool {
    (term.value.is_none() || term.number().is_some()) && same(term.name, parameter)
}

const fn is_filled(mut terms: Terms<'_>, parameter: &str) -> bool {
    while let Some(term) = terms.step() {
        if fills(term, parameter) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
