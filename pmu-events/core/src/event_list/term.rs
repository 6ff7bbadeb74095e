//! The terms between slashes and in sysfs files.

use core::fmt;
use core::ops::Range;

use super::cache;
use super::error::{Error, Expected, Fault, Span};
use super::generic::Hardware;
use super::lexer::{Cursor, Word, is_number, raw};
use super::term_kind::{TermKind, is_branch_type};
use crate::term::{PerfTerm, Takes, digits_value};

/// A term: `umask=0x1`, `inst_retired.any`, `period=1000`, `@driver`.
///
/// ```
/// use pmu_events::__private::event_list::{TermList, TermValue};
///
/// let terms = TermList::parse("event=0x3c,edge,name=mine")?;
/// let term = terms.iter().next().unwrap();
/// assert_eq!((term.name(), term.number()), ("event", Some(0x3c)));
/// assert_eq!(term.value(), TermValue::Number(0x3c));
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct TermRef<'a> {
    kind: TermKind,
    /// The name as written in the text, with its quotes.
    name: Word<'a>,
    value: Option<Word<'a>>,
    /// The term as in event strings, with its number.
    plain: crate::term::Term<'a>,
}

/// The value of a term.
///
/// ```
/// use pmu_events::__private::event_list::{TermList, TermValue};
///
/// let terms = TermList::parse("event=0x3c,edge,name=mine")?;
/// let values: Vec<TermValue> = terms.iter().map(|term| term.value()).collect();
/// assert_eq!(values, [TermValue::Number(0x3c), TermValue::None, TermValue::Text("mine")]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TermValue<'a> {
    /// No value; where a number is expected, this means 1.
    None,
    /// A number: digits, or `0x` and hexadecimal digits.
    Number(u64),
    /// Any other text, without its quotes.
    Text(&'a str),
}

impl<'a> TermRef<'a> {
    /// Returns what perf takes the term for.
    #[must_use]
    pub const fn kind(&self) -> TermKind {
        self.kind
    }

    /// Returns the name before the `=`, without quotes; for a driver term,
    /// everything after the `@`.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.name.text()
    }

    /// Returns the value after the `=`.
    #[must_use]
    pub fn value(&self) -> TermValue<'a> {
        match self.value {
            None => TermValue::None,
            Some(word) => match self.plain.number().filter(|_| is_number(word.source)) {
                Some(number) => TermValue::Number(number),
                None => TermValue::Text(word.text()),
            },
        }
    }

    /// Returns the value as a number; 1 for a term without a value, `None` for
    /// a text.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        match self.value() {
            TermValue::None => Some(1),
            TermValue::Number(number) => Some(number),
            TermValue::Text(_) => None,
        }
    }

    /// Returns the term as in event strings, so that the same encoder can be
    /// used. A driver term keeps its `@`.
    #[must_use]
    pub fn plain(&self) -> crate::term::Term<'a> {
        self.plain
    }

    pub(super) fn name_span(&self) -> Span {
        self.name.span()
    }

    /// Returns the range of the whole term.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.whole().range()
    }

    /// Returns the range of the value with its quotes, if there is one.
    #[must_use]
    pub fn value_span(&self) -> Option<Range<usize>> {
        self.value.map(|value| value.span().range())
    }

    fn whole(&self) -> Span {
        // The `@` is not part of the name.
        let start = self.name.start - usize::from(self.kind == TermKind::DriverConfig);
        Span::new(start, self.value.unwrap_or(self.name).span().end)
    }

    /// Reads a term. The name of a generic cache event is only recognized
    /// between slashes; in a sysfs file, it is an ordinary name.
    pub(super) fn read(cursor: &mut Cursor<'a>, cache_events: bool) -> Result<Self, Error> {
        if cursor.eat(b'@').is_some() {
            return driver_config(cursor);
        }
        let name = cursor.term_word(Expected::Term)?;
        if is_number(name.source) {
            *cursor = Cursor::new(cursor.text(), name.start);
            return Err(cursor.unexpected(Expected::Term));
        }
        let known = PerfTerm::named(name.source);
        let mut value = None;
        if cursor.eat(b'=').is_some() {
            let word = cursor.term_word(Expected::Value)?;
            value = Some(word);
        }
        let plain = crate::term::Term::new(name.text(), value.map(Word::text));
        if let Some(word) = value.filter(|word| plain.number().is_none() && is_number(word.source))
        {
            return Err(Error::at(Fault::NumberOutOfRange, word.span()));
        }
        let kind = match known {
            Some(term) => TermKind::Perf(term),
            None if value.is_some() => TermKind::Format,
            None => alone(name.source, cache_events),
        };
        let term = Self { kind, name, value, plain };
        term.check_value()?;
        Ok(term)
    }

    fn check_value(&self) -> Result<(), Error> {
        let TermKind::Perf(term) = self.kind else {
            return Ok(());
        };
        let fault = |fault| Err(Error::at(fault, self.value.map_or(self.whole(), Word::span)));
        match (term.takes(), self.value()) {
            (Takes::Text, TermValue::Text(text)) => {
                if term == PerfTerm::BranchType && !is_branch_type(text) {
                    return fault(Fault::BranchType);
                }
                Ok(())
            }
            (Takes::Text, _) => fault(Fault::TermTakesText(term)),
            (Takes::Cpus, TermValue::None) => fault(Fault::NoCpu),
            // Which PMUs and CPUs there are is not known here.
            (Takes::Cpus, _) => Ok(()),
            (Takes::Ratio, _) if self.value.is_some_and(|word| is_ratio(word.text())) => Ok(()),
            (Takes::Ratio, _) => fault(Fault::Ratio),
            (Takes::Number { .. }, TermValue::Text(_)) => fault(Fault::TermTakesNumber(term)),
            (Takes::Number { max }, TermValue::Number(number)) if number > max => {
                fault(Fault::TermTooLarge { term, max })
            }
            (Takes::Number { .. }, _) => Ok(()),
        }
    }
}

/// perf's `strtod` also takes `2x` for 2.
fn is_ratio(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(|ratio| ratio.is_finite() && ratio > 0.0)
}

/// The kind of a word without a value that is not a known term.
fn alone(word: &str, cache_events: bool) -> TermKind {
    // `0x` may follow the `r` here, but not where events are expected.
    let prefixed = word.strip_prefix("r0x").filter(|digits| digits.len() <= 16);
    if let Some(event) = Hardware::word(word) {
        TermKind::Hardware(event)
    } else if let Some(config) = raw(word).or_else(|| digits_value(prefixed?.as_bytes(), 16)) {
        TermKind::Raw(config)
    } else if cache_events && cache::Spelling::of(word).is_some() {
        TermKind::Cache
    } else {
        TermKind::Format
    }
}

/// Reads what follows the `@`: a name, or a name, `=` and a value, without
/// blanks.
fn driver_config<'a>(cursor: &mut Cursor<'a>) -> Result<TermRef<'a>, Error> {
    let in_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let in_value = |b: u8| in_name(b) || matches!(b, b'*' | b'?' | b':');
    let mut name = cursor.run(in_name);
    if name.source.is_empty() {
        return Err(cursor.unexpected(Expected::DriverConfig));
    }
    if cursor.eat_here(|b| b == b'=').is_some() {
        let value = cursor.run(in_value);
        if value.source.is_empty() {
            return Err(cursor.unexpected(Expected::Value));
        }
        let source = cursor.text().get(name.start..cursor.at()).unwrap_or_default();
        name = Word { source, start: name.start };
    }
    // Includes the `@`, by which the encoder recognizes the term.
    let source = cursor.text().get(name.start - 1..cursor.at()).unwrap_or_default();
    let plain = crate::term::Term::new(source, None);
    Ok(TermRef { kind: TermKind::DriverConfig, name, value: None, plain })
}

impl fmt::Display for TermRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == TermKind::DriverConfig {
            f.write_str("@")?;
        }
        f.write_str(self.name.source)?;
        match self.value {
            Some(value) => write!(f, "={}", value.source),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for TermRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TermRef({:?}: {self})", self.kind)
    }
}

/// Terms, joined by commas; empty for an event without terms.
///
/// Use `EventRef::terms` to get an event's terms, and
/// [`parse`](Self::parse) to read a file in a PMU's `events` directory.
#[derive(Clone, Copy)]
pub struct TermList<'a> {
    /// From the beginning of the whole text, so that offsets refer to that, to
    /// the end of the terms.
    text: &'a str,
    start: usize,
    cache_events: bool,
}

impl<'a> TermList<'a> {
    pub(super) const NONE: Self = Self::checked("", 0);

    /// Parses the content of a sysfs file that describes an event. The names of
    /// generic cache events have no special meaning there.
    ///
    /// # Errors
    ///
    /// Returns an error if the text contains anything but terms, or a value
    /// that its term does not take.
    ///
    /// ```
    /// use pmu_events::__private::event_list::{TermKind, TermList, TermValue};
    /// use pmu_events::__private::term::PerfTerm;
    ///
    /// let terms = TermList::parse("event=0xcd,umask=0x1,ldlat=3,name='a,b'\n")?;
    /// let terms: Vec<_> = terms.iter().map(|t| (t.kind(), t.name(), t.value())).collect();
    /// assert_eq!(terms[0], (TermKind::Format, "event", TermValue::Number(0xcd)));
    /// assert_eq!(terms[3], (TermKind::Perf(PerfTerm::Name), "name", TermValue::Text("a,b")));
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        let mut cursor = Cursor::new(text, 0);
        loop {
            TermRef::read(&mut cursor, false)?;
            if cursor.eat(b',').is_some() {
                continue;
            }
            if cursor.peek().is_some() {
                return Err(cursor.unexpected(Expected::ItemEnd));
            }
            return Ok(Self { text, start: 0, cache_events: false });
        }
    }

    /// Validated terms between slashes. `text` ends with them, and begins as the whole
    /// list does, so that offsets refer to that.
    pub(super) const fn checked(text: &'a str, start: usize) -> Self {
        Self { text, start, cache_events: true }
    }

    /// Returns the terms in order.
    #[must_use]
    pub fn iter(&self) -> TermRefs<'a> {
        let mut cursor = Cursor::new(self.text, self.start);
        let more = cursor.peek().is_some();
        TermRefs { cursor, more, cache_events: self.cache_events }
    }

    /// Whether there are no terms.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the last term of a kind, which takes effect if a term appears
    /// several times, such as `period`.
    #[must_use]
    pub fn last(&self, kind: TermKind) -> Option<TermRef<'a>> {
        self.iter().filter(|term| term.kind == kind).last()
    }
}

impl<'a> IntoIterator for TermList<'a> {
    type Item = TermRef<'a>;
    type IntoIter = TermRefs<'a>;

    fn into_iter(self) -> TermRefs<'a> {
        self.iter()
    }
}

impl fmt::Display for TermList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, term) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for TermList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The terms of a [`TermList`], in order.
///
/// ```
/// use pmu_events::__private::event_list::TermList;
///
/// let terms = TermList::parse("event=0x3c,umask=1")?;
/// let names: Vec<&str> = terms.iter().map(|term| term.name()).collect();
/// assert_eq!(names, ["event", "umask"]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone)]
pub struct TermRefs<'a> {
    cursor: Cursor<'a>,
    more: bool,
    cache_events: bool,
}

impl<'a> Iterator for TermRefs<'a> {
    type Item = TermRef<'a>;

    fn next(&mut self) -> Option<TermRef<'a>> {
        if !self.more {
            return None;
        }
        // The text has been validated, so there is a term.
        let term = TermRef::read(&mut self.cursor, self.cache_events).ok();
        self.more = term.is_some() && self.cursor.eat(b',').is_some();
        term
    }
}

impl core::iter::FusedIterator for TermRefs<'_> {}

impl fmt::Debug for TermRefs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
