use crate::located::Located;
use core::fmt;

/// Why a text is no format, and where.
pub type Error = Located<ErrorKind>;

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
            ErrorKind::UnknownWord => {
                "expected `config`, `config1`, `config2` or `config3` and a colon"
            }
            ErrorKind::ExpectedBit => "expected a bit number",
            ErrorKind::NoSuchBit => "no such bit: a config word has bits 0 to 63",
            ErrorKind::Backwards => "range ends before it starts",
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
