use core::fmt;
use core::ops::Range;

use crate::message::Message;
use crate::term::Term;

/// Why a list of terms cannot be encoded.
///
/// Terms may come from several texts (an alias's and the user's), so the error
/// holds the term itself; [`Error::span_in`] finds it in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error<'a> {
    kind: ErrorKind,
    term: Term<'a>,
    /// The largest value that fits; 0 where it does not matter.
    max: u64,
}

impl<'a> Error<'a> {
    pub(super) const fn new(kind: ErrorKind, term: Term<'a>) -> Self {
        Error { kind, term, max: 0 }
    }

    pub(super) const fn no_value(max: u64, term: Term<'a>) -> Self {
        Error { max, ..Error::new(ErrorKind::NoValue, term) }
    }

    pub(super) const fn too_large(max: u64, term: Term<'a>) -> Self {
        Error { max, ..Error::new(ErrorKind::TooLarge, term) }
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the term that is wrong.
    #[must_use]
    pub const fn term(&self) -> Term<'a> {
        self.term
    }

    /// Returns the largest value that the term can have, if its value is missing or larger.
    #[must_use]
    pub const fn max(&self) -> Option<u64> {
        match self.kind {
            ErrorKind::NoValue | ErrorKind::TooLarge => Some(self.max),
            _ => None,
        }
    }

    /// Returns the range of the wrong bytes if the term is part of `text`: the
    /// term's name if it is unknown or lacks a value, otherwise its value.
    ///
    /// ```
    /// use pmu_events::{builtin, config, term::Terms};
    /// let text = String::from("event=0x3c,umask=0x100");
    /// let error = config::encode(Terms::new(&text), builtin::INTEL).unwrap_err();
    /// assert_eq!(error.span_in(&text), Some(17..22));
    /// assert_eq!(error.span_in("umask=0x100"), None);
    /// ```
    #[must_use]
    pub fn span_in(&self, text: &str) -> Option<Range<usize>> {
        let part = match (self.kind, self.term.value) {
            (ErrorKind::NotANumber | ErrorKind::TooLarge, Some(value)) => value,
            _ => self.term.name,
        };
        let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
        let end = start.checked_add(part.len())?;
        (end <= text.len()).then_some(start..end)
    }

    /// Panics with the error as the message, which the compiler shows if this
    /// happens in a `const`.
    ///
    /// ```compile_fail
    /// use pmu_events::{builtin, config, format::Words, term::Terms};
    /// const WORDS: Words = match config::encode(Terms::new("unask=1"), builtin::INTEL) {
    ///     Ok(encoded) => encoded.words(),
    ///     Err(error) => error.panic(),
    /// };
    /// ```
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn panic(self) -> ! {
        panic!("{}", self.say(Message::new()).as_str())
    }

    /// Appends the message without `core::fmt`, which a `const` cannot use.
    pub(super) const fn say(self, message: Message) -> Message {
        let message = message.push("term `").push(self.term.name).push("`");
        let message = match (self.kind, self.term.value) {
            (ErrorKind::NotANumber | ErrorKind::TooLarge, Some(value)) => {
                message.push(" with value `").push(value).push("`")
            }
            _ => message,
        };
        message.push(": ").push(self.kind.text())
    }
}

impl fmt::Display for Error<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.term.name.escape_debug();
        match self.kind {
            ErrorKind::UnknownTerm => write!(f, "unknown term `{name}`"),
            ErrorKind::NoValue => {
                write!(f, "`{name}` needs a value, from 0 to {:#x}", self.max)
            }
            ErrorKind::NoText => write!(f, "`{name}` needs a value"),
            ErrorKind::NotANumber => {
                let value = self.term.value.unwrap_or_default().escape_debug();
                write!(f, "invalid value `{value}` for term `{name}`: expected a number")
            }
            ErrorKind::TooLarge => {
                let value = self.term.number().unwrap_or_default();
                write!(f, "{value:#x} is too large for `{name}`: at most {:#x} fits", self.max)
            }
            ErrorKind::Unfilled => {
                write!(f, "parameter `{name}` has no value: add {name}=…")
            }
        }
    }
}

crate::__debug_as_display!(Error<'_>);

impl core::error::Error for Error<'_> {}

/// What is wrong with a list of terms.
///
/// ```
/// use pmu_events::{arch::x86, builtin, config::ErrorKind};
///
/// // Arm's cores have no unit masks.
/// let event = x86::SAPPHIRERAPIDS.require("L2_LINES_IN.ALL");
/// let error = event.encode(builtin::ARMV8_PMUV3).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::UnknownTerm);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A term that is neither one of perf's own nor one of the PMU's formats.
    /// The caller can list those ([`Formats`](crate::format::Formats) displays
    /// its names).
    UnknownTerm,
    /// A term without a value whose format has several bits.
    NoValue,
    /// One of perf's own terms that takes text, without a value.
    NoText,
    /// A value that is not a number, or a number of more than 64 bits.
    NotANumber,
    /// A value that does not fit.
    TooLarge,
    /// A parameter (`core=?`) without a term that gives its value.
    Unfilled,
}

impl ErrorKind {
    const fn text(self) -> &'static str {
        match self {
            ErrorKind::UnknownTerm => "unknown",
            ErrorKind::NoValue | ErrorKind::NoText => "it needs a value",
            ErrorKind::NotANumber => "expected a number",
            ErrorKind::TooLarge => "too large for its format",
            ErrorKind::Unfilled => "a parameter that nothing fills",
        }
    }
}
