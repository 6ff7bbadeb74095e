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
    fault: Fault,
}

impl Error {
    pub(super) const fn new(fault: Fault) -> Self {
        Error { fault }
    }

    pub(super) const fn fault(&self) -> Fault {
        self.fault
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self.fault {
            Fault::NotCore => ErrorKind::NotCore,
            Fault::Terms(_) => ErrorKind::Terms,
            Fault::Reserved(_) => ErrorKind::Reserved,
            Fault::NoSuchCounter => ErrorKind::NoSuchCounter,
            Fault::Counters(_) => ErrorKind::Counters,
            Fault::NoMsrValue(_) => ErrorKind::NoMsrValue,
        }
    }

    /// Returns the counters that can count the event, if the given one cannot.
    #[must_use]
    pub const fn counters(&self) -> Option<CounterConstraint> {
        match self.fault {
            Fault::Counters(counters) => Some(counters),
            _ => None,
        }
    }

    /// Returns the bits that are not an event's, if it sets such bits.
    #[must_use]
    pub const fn reserved(&self) -> Option<u64> {
        match self.fault {
            Fault::Reserved(bits) => Some(bits),
            _ => None,
        }
    }

    /// Returns the number of the model-specific register for which the tree has no value.
    #[must_use]
    pub const fn msr(&self) -> Option<u32> {
        match self.fault {
            Fault::NoMsrValue(register) => Some(register),
            _ => None,
        }
    }

    /// Returns the error in the event's terms.
    #[must_use]
    pub const fn terms(&self) -> Option<config::Error<'static>> {
        match self.fault {
            Fault::Terms(error) => Some(error),
            _ => None,
        }
    }
}

/// The reason why an event cannot be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The event does not belong to a core: its PMU has other registers.
    NotCore,
    /// The event's [terms](Error::terms) cannot be encoded.
    Terms,
    /// The event's words set [bits](Error::reserved) that are not an event's in the selector.
    Reserved,
    /// The hardware has no counter of that number.
    NoSuchCounter,
    /// The event cannot be counted on that counter, only on [these](Error::counters).
    Counters,
    /// The event needs a [model-specific register](Error::msr) for which the tree has no
    /// value.
    NoMsrValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NotCore,
    Terms(config::Error<'static>),
    Reserved(u64),
    NoSuchCounter,
    Counters(CounterConstraint),
    NoMsrValue(u32),
}

impl Fault {
    pub(super) const fn text(&self) -> &'static str {
        match self {
            Fault::NotCore => "the event is not counted by a core",
            Fault::Terms(_) => "the event's terms cannot be encoded",
            Fault::Reserved(_) => "the event sets bits the selector does not support",
            Fault::NoSuchCounter => "there is no counter of that number",
            Fault::Counters(_) => "the event cannot be counted on that counter",
            Fault::NoMsrValue(_) => "the tree has no value for the event's register",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::Terms(error) => error.fmt(f),
            Fault::Reserved(bits) => write!(f, "{}: {bits:#x}", self.fault.text()),
            Fault::NoMsrValue(register) => write!(f, "{} {register:#x}", self.fault.text()),
            Fault::Counters(CounterConstraint::General(set)) => {
                write!(f, "{}, only on {set}", self.fault.text())
            }
            Fault::Counters(CounterConstraint::Fixed(Some(counter))) => {
                write!(f, "{}, only on fixed counter {counter}", self.fault.text())
            }
            _ => f.write_str(self.fault.text()),
        }
    }
}

pmu_events_core::__private::debug_as_display!(Error);

/// There is no source: the message already contains what it would say.
impl core::error::Error for Error {}
