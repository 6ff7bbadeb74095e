use core::fmt;
use core::ops::Range;

/// Why a text is no format, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
    len: usize,
}

impl Error {
    pub(super) const fn new(kind: ErrorKind, offset: usize, len: usize) -> Self {
        Error { kind, offset, len }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The first byte of what is wrong.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The bytes that are wrong, on character boundaries; empty where
    /// something is missing at the end.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.offset..self.offset + self.len
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl core::error::Error for Error {}

/// What is wrong with a text that is no format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It does not begin with `config`, `config1`, `config2` or `config3` and
    /// a colon.
    UnknownWord,
    /// The number of a bit is missing.
    ExpectedBit,
    /// A bit beyond 63.
    NoSuchBit,
    /// A range whose end lies before its start: `9-3`.
    Backwards,
    /// Something else than `,` or the end behind a bit or range.
    ExpectedSeparator,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::UnknownWord => "expected config, config1, config2 or config3 and a colon",
            ErrorKind::ExpectedBit => "expected the number of a bit",
            ErrorKind::NoSuchBit => "no such bit (a config word has bits 0 to 63)",
            ErrorKind::Backwards => "a range that ends before it starts",
            ErrorKind::ExpectedSeparator => "expected a comma or the end",
        })
    }
}

/// A value that has more bits than its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The value.
    pub value: u64,
    /// The largest that fits.
    pub max: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} is too large: at most {:#x} fits", self.value, self.max)
    }
}

impl core::error::Error for TooLarge {}
