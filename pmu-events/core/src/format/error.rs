use crate::located::Located;
use core::fmt;

/// An error in a format file's text, with its position.
pub type Error = Located<ErrorKind>;

/// What is wrong with a format file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not begin with `config:`, or with `config1:` to `config4:`.
    UnknownWord,
    /// A bit number is missing.
    ExpectedBit,
    /// A bit number above 63.
    NoSuchBit,
    /// A range that ends before it starts: `9-3`.
    Backwards,
    /// A character other than `,` after a bit or range.
    ExpectedSeparator,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::UnknownWord => "expected `config:`, or `config1:` to `config4:`",
            ErrorKind::ExpectedBit => "expected a bit number",
            ErrorKind::NoSuchBit => "no such bit: a config word has bits 0 to 63",
            ErrorKind::Backwards => "range ends before it starts",
            ErrorKind::ExpectedSeparator => "expected a comma or the end",
        })
    }
}

/// A value with more bits than its format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    /// The value.
    pub value: u64,
    /// The largest value that fits.
    pub max: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} is too large: at most {:#x} fits", self.value, self.max)
    }
}

crate::__debug_as_display!(TooLarge);

impl core::error::Error for TooLarge {}
