//! Errors with their position in a text.
//!
//! Use it to point at the place of an error in what a user typed.

use core::fmt;
use core::ops::Range;

use crate::{event_list, expr, format, term};

/// An error in a text: what is wrong, and which bytes are affected.
///
/// Parsing returns this one type, whether of names, formats, event strings, lists of events or
/// formulas.
///
/// ```
/// use pmu_events::format::Format;
/// use pmu_events::located::ErrorKind;
///
/// let error = Format::parse("config:9-3").unwrap_err();
/// assert_eq!((error.kind(), error.span()), (ErrorKind::Syntax, 7..10));
/// assert_eq!(error.to_string(), "byte 7: range ends before it starts");
/// assert_eq!(error.message().to_string(), "range ends before it starts");
///
/// // A text that is one name has no position.
/// use pmu_events::event_list::Hardware;
///
/// let error = "cylces".parse::<Hardware>().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Unknown);
/// assert_eq!(error.to_string(), "expected a hardware event");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    fault: Fault,
    offset: usize,
    len: usize,
}

/// The kind of an error in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not follow the grammar.
    Syntax,
    /// A word, an operator or a letter that the grammar does not have.
    Unknown,
    /// A number or a length beyond what is possible.
    OutOfRange,
}

/// What is wrong, by the grammar of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    EventList(event_list::Fault),
    Expression(expr::Fault),
    Format(format::Fault),
    Term(term::Fault),
    /// The whole text should be something else.
    Whole(&'static str),
}

impl Error {
    /// An error for a text that is no value of a type: what it should be.
    pub(crate) const fn expected(text: &str, expected: &'static str) -> Self {
        Error::new(Fault::Whole(expected), 0, text.len())
    }

    pub(crate) const fn new(fault: Fault, offset: usize, len: usize) -> Self {
        Error { fault, offset, len }
    }

    pub(crate) const fn fault(&self) -> Fault {
        self.fault
    }

    /// Returns the kind of error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self.fault {
            Fault::EventList(fault) => fault.kind(),
            Fault::Expression(fault) => fault.kind(),
            Fault::Format(fault) => fault.kind(),
            Fault::Term(fault) => fault.kind(),
            Fault::Whole(_) => ErrorKind::Unknown,
        }
    }

    /// Returns the message without the position.
    #[must_use]
    pub fn message(&self) -> impl fmt::Display + use<> {
        self.fault
    }

    /// Returns the range of the wrong bytes, on character boundaries of the
    /// text; empty if something is missing.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.offset..self.offset + self.len
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::EventList(fault) => fault.fmt(f),
            Fault::Expression(fault) => fault.fmt(f),
            Fault::Format(fault) => fault.fmt(f),
            Fault::Term(fault) => fault.fmt(f),
            Fault::Whole(expected) => write!(f, "expected {expected}"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            Fault::Whole(_) => self.fault.fmt(f),
            fault => write!(f, "byte {}: {fault}", self.offset),
        }
    }
}

crate::__debug_as_display!(Error);

impl core::error::Error for Error {}
