use core::fmt;

use pmu_events_core::config;
use pmu_events_core::event::CounterConstraint;

/// Why an event cannot be programmed.
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::register::Control;
/// use pmu_events::register::intel::{ProgrammableCounter, program};
///
/// let event = x86::SAPPHIRERAPIDS.require("MEM_INST_RETIRED.ANY");
/// let error = program(event, ProgrammableCounter::General(7), Control::COUNT).unwrap_err();
/// println!("{error}"); // it names the counters that can count the event
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
}

impl Error {
    pub(super) const fn new(kind: ErrorKind) -> Self {
        Error { kind }
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// The reason why an event cannot be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The event does not belong to a core: its PMU has other registers.
    NotCore,
    /// The event's terms cannot be encoded.
    Terms(config::Error<'static>),
    /// The event's words set bits that are not an event's in the selector.
    Reserved(u64),
    /// The hardware has no counter of that number.
    NoSuchCounter,
    /// The event cannot be counted on that counter, only on these.
    Counters(CounterConstraint),
    /// The event needs a model-specific register for which the tree has no
    /// value.
    NoMsrValue(u32),
}

impl ErrorKind {
    pub(super) const fn text(&self) -> &'static str {
        match self {
            ErrorKind::NotCore => "the event is not counted by a core",
            ErrorKind::Terms(_) => "the event's terms cannot be encoded",
            ErrorKind::Reserved(_) => "the event sets bits the selector does not support",
            ErrorKind::NoSuchCounter => "there is no counter of that number",
            ErrorKind::Counters(_) => "the event cannot be counted on that counter",
            ErrorKind::NoMsrValue(_) => "the tree has no value for the event's register",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Terms(error) => error.fmt(f),
            ErrorKind::Reserved(bits) => write!(f, "{}: {bits:#x}", self.kind.text()),
            ErrorKind::NoMsrValue(register) => write!(f, "{} {register:#x}", self.kind.text()),
            ErrorKind::Counters(CounterConstraint::General(set)) => {
                write!(f, "{}, only on {set}", self.kind.text())
            }
            ErrorKind::Counters(CounterConstraint::Fixed(Some(counter))) => {
                write!(f, "{}, only on fixed counter {counter}", self.kind.text())
            }
            _ => f.write_str(self.kind.text()),
        }
    }
}

pmu_events_core::__private::debug_as_display!(Error);

/// There is no source: the message already contains what it would say.
impl core::error::Error for Error {}
