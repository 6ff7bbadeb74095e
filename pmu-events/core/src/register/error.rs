use core::fmt;

use crate::config;
use crate::event::CounterConstraint;

/// Why an event cannot be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// It is none of a core's: its PMU has other registers.
    NotCore,
    /// Its terms cannot be encoded.
    Terms(config::Error<'static>),
    /// Its words have bits that the selector does not take from an event.
    Reserved(u64),
    /// The hardware has no counter of that number.
    NoSuchCounter,
    /// It cannot be counted on that counter, but on these.
    Counters(CounterConstraint),
    /// It needs a model-specific register, for which the tree has no value.
    NoMsrValue(u32),
}

impl Error {
    pub(super) const fn text(&self) -> &'static str {
        match self {
            Error::NotCore => "the event is not counted by a core",
            Error::Terms(_) => "the event's terms cannot be encoded",
            Error::Reserved(_) => "the event has bits that its selector has not",
            Error::NoSuchCounter => "there is no counter of that number",
            Error::Counters(_) => "the event cannot be counted on that counter",
            Error::NoMsrValue(_) => "the tree has no value for the event's register",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Terms(error) => error.fmt(f),
            Error::Reserved(bits) => write!(f, "{}: {bits:#x}", self.text()),
            Error::NoMsrValue(register) => write!(f, "{} {register:#x}", self.text()),
            Error::Counters(CounterConstraint::General(set)) => {
                write!(f, "{}, only on {set}", self.text())
            }
            Error::Counters(CounterConstraint::Fixed(Some(counter))) => {
                write!(f, "{}, only on fixed counter {counter}", self.text())
            }
            _ => f.write_str(self.text()),
        }
    }
}

/// Without a source: its text has all that one would say.
impl core::error::Error for Error {}
