//! What a read of a counter returns, within a record.

use super::bytes::{Numbers, Rest};
use super::error::ParseError;
use crate::open::ReadFormat;

/// The counts that a sample has with [`Fields::READ`](super::Fields::READ): those of its event,
/// or of each member of its group.
///
/// ```
/// use pmu_events::sample::Record;
///
/// fn show(record: &Record<'_>) {
///     let Some(values) = record.sample().and_then(|sample| sample.values()) else { return };
///     for value in values.iter() {
///         println!("event {:?}: {}", value.id(), value.value());
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values<'b> {
    time_enabled: Option<u64>,
    time_running: Option<u64>,
    counts: Counts<'b>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts<'b> {
    One(Value),
    /// The words of all members.
    Group(Numbers<'b>, ReadFormat),
}

/// The count of one event, within a record.
///
/// ```
/// use pmu_events::sample::Values;
///
/// fn sum(values: &Values<'_>) -> u64 {
///     values.iter().map(|value| value.value()).sum()
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    value: u64,
    id: Option<u64>,
    lost: Option<u64>,
}

impl Value {
    /// Returns the raw count.
    #[must_use]
    pub fn value(self) -> u64 {
        self.value
    }

    /// Returns the kernel's id of the event, with [`ReadFormat::ID`].
    #[must_use]
    pub fn id(self) -> Option<u64> {
        self.id
    }

    /// Returns the number of lost samples, with [`ReadFormat::LOST`].
    #[must_use]
    pub fn lost(self) -> Option<u64> {
        self.lost
    }
}

impl<'b> Values<'b> {
    /// Returns the time for which the events were enabled, in nanoseconds.
    #[must_use]
    pub fn time_enabled(&self) -> Option<u64> {
        self.time_enabled
    }

    /// Returns the time for which they had counters, in nanoseconds.
    #[must_use]
    pub fn time_running(&self) -> Option<u64> {
        self.time_running
    }

    /// Returns the counts; that of the group's leader comes first.
    pub fn iter(&self) -> impl Iterator<Item = Value> + use<'b> {
        let counts = self.counts;
        let members = match counts {
            Counts::One(_) => 1,
            Counts::Group(words, format) => words.len() / width(format),
        };
        (0..members).filter_map(move |member| match counts {
            Counts::One(value) => Some(value),
            Counts::Group(words, format) => {
                let mut words = words.iter().skip(member * width(format));
                let value = words.next()?;
                let id = if format.contains(ReadFormat::ID) { words.next() } else { None };
                let lost = if format.contains(ReadFormat::LOST) { words.next() } else { None };
                Some(Value { value, id, lost })
            }
        })
    }

    /// `perf_output_read_group` and `perf_output_read_one` in `kernel/events/core.c`
    pub(super) fn parse(rest: &mut Rest<'b>, format: ReadFormat) -> Result<Self, ParseError> {
        const WHAT: &str = "counts";
        // The value, or how many there are.
        let first = rest.u64(WHAT)?;
        let time_enabled = rest.u64_if(format.contains(ReadFormat::TIME_ENABLED), WHAT)?;
        let time_running = rest.u64_if(format.contains(ReadFormat::TIME_RUNNING), WHAT)?;
        let counts = if format.contains(ReadFormat::GROUP) {
            let words = first.checked_mul(width(format) as u64).ok_or(ParseError::short(WHAT))?;
            Counts::Group(rest.numbers(words, WHAT)?, format)
        } else {
            let id = rest.u64_if(format.contains(ReadFormat::ID), WHAT)?;
            let lost = rest.u64_if(format.contains(ReadFormat::LOST), WHAT)?;
            Counts::One(Value { value: first, id, lost })
        };
        Ok(Values { time_enabled, time_running, counts })
    }
}

/// The words of a member.
fn width(format: ReadFormat) -> usize {
    let optional = [ReadFormat::ID, ReadFormat::LOST];
    1 + optional.iter().filter(|&&word| format.contains(word)).count()
}
