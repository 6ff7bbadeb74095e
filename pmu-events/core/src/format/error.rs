use core::fmt;

pub(super) use crate::located::Error;
use crate::located::{self, ErrorKind};

pub(super) const fn error(fault: Fault, offset: usize, len: usize) -> Error {
    Error::new(located::Fault::Format(fault), offset, len)
}

/// What is wrong with a format file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
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

impl Fault {
    pub(crate) const fn kind(self) -> ErrorKind {
        match self {
            Fault::UnknownWord => ErrorKind::Unknown,
            Fault::NoSuchBit => ErrorKind::OutOfRange,
            _ => ErrorKind::Syntax,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::UnknownWord => "expected `config:`, or `config1:` to `config4:`",
            Fault::ExpectedBit => "expected a bit number",
            Fault::NoSuchBit => "no such bit: a config word has bits 0 to 63",
            Fault::Backwards => "range ends before it starts",
            Fault::ExpectedSeparator => "expected a comma or the end",
        })
    }
}

/// A value with more bits than its format.
///
/// ```
/// use pmu_events::format::Format;
///
/// let error = Format::parse("config:0-7")?.scatter(0x100).unwrap_err();
/// println!("{error}");
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    pub(crate) value: u64,
    pub(crate) max: u64,
}

impl TooLarge {
    /// Returns the value.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.value
    }

    /// Returns the largest value that fits.
    #[must_use]
    pub const fn max(self) -> u64 {
        self.max
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} is too large: at most {:#x} fits", self.value, self.max)
    }
}

crate::__debug_as_display!(TooLarge);

impl core::error::Error for TooLarge {}
