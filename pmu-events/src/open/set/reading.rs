//! The result of reading all counters of a set.

use core::slice;
use std::borrow::Cow;
use std::sync::Arc;
use std::vec::{self, Vec};

use super::event::SetEvent;
use crate::open::{Count, Error, Target};

/// The counts of a set: one [`EventReading`] for each of its events, in order.
///
/// ```
/// use pmu_events::System;
///
/// let mut counters = System::new().open("duration_time")?;
/// counters.enable()?;
/// let first = counters.read();
/// let second = counters.read();
/// for event in &second.since(&first) {
///     println!("{}: {} {}", event.name(), event.value()?, event.unit());
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The events.
    pub events: Vec<EventReading>,
}

impl IntoIterator for Reading {
    type Item = EventReading;
    type IntoIter = vec::IntoIter<EventReading>;

    fn into_iter(self) -> Self::IntoIter {
        self.events.into_iter()
    }
}

impl<'r> IntoIterator for &'r Reading {
    type Item = &'r EventReading;
    type IntoIter = slice::Iter<'r, EventReading>;

    fn into_iter(self) -> Self::IntoIter {
        self.events.iter()
    }
}

/// The counts of one event.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::ErrorKind;
///
/// let mut counters = System::new().open("duration_time,no_such_event")?;
/// counters.enable()?;
/// let reading = counters.read();
/// let [time, missing] = &reading.events[..] else { panic!("these are two events") };
/// assert!(time.value()? > 0.0 && time.unit() == "ns");
/// assert_eq!(missing.value().unwrap_err().kind(), ErrorKind::Unresolved);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventReading {
    event: Arc<SetEvent>,
    /// The count on each target.
    pub parts: Vec<Part>,
    /// Whether the event is pinned and lost the PMU on some target: the counts on
    /// the others are incomplete.
    pub is_pinned_out: bool,
    /// Why the event could not be read on some target: the counts on the others are
    /// incomplete.
    pub failure: Option<Error>,
}

/// Readings are equal if they are of the same event of the same set, with equal
/// counts.
impl PartialEq for EventReading {
    fn eq(&self, other: &Self) -> bool {
        let EventReading { event, parts, is_pinned_out, failure } = self;
        Arc::ptr_eq(event, &other.event)
            && *parts == other.parts
            && *is_pinned_out == other.is_pinned_out
            && *failure == other.failure
    }
}

/// The count of an event on one target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The task or CPU; for a value that is measured without a counter, the thread
    /// that reads it.
    pub target: Target,
    /// The count on that target.
    pub count: Count,
}

/// The outcome of counting an event.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::Outcome;
///
/// let mut counters = System::new().open("duration_time,no_such_event")?;
/// counters.enable()?;
/// let reading = counters.read();
/// assert!(matches!(reading.events[0].outcome(), Outcome::Counted(total) if total.value > 0));
/// assert_eq!(reading.events[1].outcome(), Outcome::NotSupported);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The event has a value, which is an estimate if it was multiplexed.
    Counted(Total),
    /// The event was open but never had a counter: its count is unknown, not zero.
    NotCounted,
    /// The event is pinned and lost the PMU to others.
    PinnedOut,
    /// The machine or the kernel does not have the event.
    NotSupported,
    /// The event could not be read on some target; see [`EventReading::failure`].
    Failed,
}

/// The sum of an event's counts over tasks and CPUs.
///
/// ```
/// use pmu_events::open::Total;
///
/// let mut total = Total::default();
/// (total.value, total.time_enabled, total.time_running) = (3000, 200, 150);
/// assert_eq!(total.share(), 0.75);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// The sum of the estimates, before the event's scale.
    pub value: u64,
    /// The time for which the event was enabled, in nanoseconds, summed over
    /// targets.
    pub time_enabled: u64,
    /// The part of that time for which it had a counter, in nanoseconds.
    pub time_running: u64,
}

impl Total {
    /// Returns the fraction of the time for which the event had a counter, 0 to 1.
    /// Below 1, the value is an estimate.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.time_running >= self.time_enabled {
            return 1.0;
        }
        self.time_running as f64 / self.time_enabled as f64
    }
}

impl Reading {
    /// Returns what was counted since an earlier read of the same set.
    #[must_use]
    pub fn since(&self, earlier: &Reading) -> Reading {
        let mut earlier = earlier.events.iter();
        let since = |now: &EventReading| match earlier.next() {
            Some(before) => now.since(before),
            None => now.clone(),
        };
        Reading { events: self.events.iter().map(since).collect() }
    }
}

impl EventReading {
    /// Creates a reading of an event that has counted nothing.
    #[must_use]
    pub fn new(event: impl Into<Arc<SetEvent>>) -> Self {
        let event = event.into();
        EventReading { event, parts: Vec::new(), is_pinned_out: false, failure: None }
    }

    /// Returns the event.
    #[must_use]
    pub fn event(&self) -> &SetEvent {
        &self.event
    }

    /// Returns the name of the event ([`SetEvent::name`]).
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        self.event.name()
    }

    /// Returns the unit of the value, or an empty string.
    #[must_use]
    pub fn unit(&self) -> &str {
        self.event.unit()
    }

    /// Returns the value in the event's unit: the sum over tasks and CPUs, scaled
    /// for multiplexing and multiplied by the event's scale.
    ///
    /// # Errors
    ///
    /// Returns the reason if there is no value: [`SetEvent::refusal`],
    /// [`failure`](Self::failure),
    /// [`ErrorKind::PinnedOut`](crate::open::ErrorKind::PinnedOut), or
    /// [`ErrorKind::NeverScheduled`](crate::open::ErrorKind::NeverScheduled).
    pub fn value(&self) -> Result<f64, Error> {
        let why = match self.outcome() {
            Outcome::Counted(total) => {
                let scale = self.event.resolved().map_or(1.0, |resolved| resolved.scale);
                return Ok(total.value as f64 * scale);
            }
            Outcome::PinnedOut => return Err(Error::pinned_out()),
            Outcome::NotSupported => self.event.refusal(),
            Outcome::Failed => self.failure.as_ref(),
            Outcome::NotCounted => None,
        };
        Err(why.cloned().unwrap_or_else(Error::never_scheduled))
    }

    /// Returns what was counted since an earlier read of the same event.
    #[must_use]
    pub fn since(&self, earlier: &EventReading) -> EventReading {
        let mut reading = self.clone();
        if self.event.resolved().is_some_and(|resolved| resolved.is_snapshot) {
            return reading;
        }
        // A part that was missing then would appear to have been counted since.
        reading.failure = reading.failure.or_else(|| earlier.failure.clone());
        for part in &mut reading.parts {
            let before = earlier.parts.iter().find(|before| before.target == part.target);
            if let Some(before) = before {
                part.count = part.count.since(&before.count);
            }
        }
        reading
    }

    /// Returns the outcome summed over all targets. Each target is scaled before
    /// the sum, as in perf (`process_counter_values` in `tools/perf/util/stat.c`).
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.event.refusal().is_some() {
            return Outcome::NotSupported;
        }
        if self.is_pinned_out {
            return Outcome::PinnedOut;
        }
        if self.failure.is_some() {
            return Outcome::Failed;
        }
        let mut total = Total::default();
        for Part { count, .. } in &self.parts {
            total.value = total.value.wrapping_add(count.estimate().unwrap_or(0));
            total.time_enabled = total.time_enabled.saturating_add(count.time_enabled);
            total.time_running = total.time_running.saturating_add(count.time_running);
        }
        if total.time_running == 0 { Outcome::NotCounted } else { Outcome::Counted(total) }
    }
}

impl Outcome {
    /// Returns the total, if the event was counted.
    #[must_use]
    pub fn total(&self) -> Option<Total> {
        match self {
            Outcome::Counted(total) => Some(*total),
            _ => None,
        }
    }

    /// Combines the outcomes of two instances of an event: counted if either of
    /// them is.
    #[must_use]
    pub fn and(self, other: Outcome) -> Outcome {
        match (self, other) {
            (Outcome::Counted(one), Outcome::Counted(two)) => Outcome::Counted(Total {
                value: one.value.wrapping_add(two.value),
                time_enabled: one.time_enabled.saturating_add(two.time_enabled),
                time_running: one.time_running.saturating_add(two.time_running),
            }),
            // A part of the sum is missing.
            (Outcome::Failed, _) | (_, Outcome::Failed) => Outcome::Failed,
            (Outcome::PinnedOut, _) | (_, Outcome::PinnedOut) => Outcome::PinnedOut,
            (Outcome::Counted(total), _) | (_, Outcome::Counted(total)) => Outcome::Counted(total),
            (Outcome::NotCounted, _) | (_, Outcome::NotCounted) => Outcome::NotCounted,
            (Outcome::NotSupported, Outcome::NotSupported) => Outcome::NotSupported,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::ErrorKind;
    use crate::system::System;
    use std::vec;

    fn set_event(text: &str) -> SetEvent {
        let resolved = System::at("/nonexistent").require(text).unwrap();
        SetEvent::new(resolved[0].clone())
    }

    fn event(counts: &[(u64, u64, u64)]) -> EventReading {
        let part = |(cpu, &(value, enabled, running)): (usize, &(u64, u64, u64))| Part {
            target: Target::Cpu(cpu as u32),
            count: Count::new(value, enabled, running),
        };
        let parts = counts.iter().enumerate().map(part).collect();
        EventReading { parts, ..EventReading::new(set_event("cycles")) }
    }

    fn failed(reading: EventReading) -> EventReading {
        let error = Error::new(ErrorKind::Unreadable, 0, "unreadable");
        EventReading { failure: Some(error), ..reading }
    }

    #[test]
    fn outcomes() {
        let counted = |value, time_enabled, time_running| {
            Outcome::Counted(Total { value, time_enabled, time_running })
        };
        let mut refused = set_event("cycles");
        refused.refusal = Some(Error::new(ErrorKind::NoHardwarePmu, 0, "no PMU"));
        let cases = [
            (event(&[]), Outcome::NotCounted),
            (event(&[(0, 10, 0)]), Outcome::NotCounted),
            (event(&[(0, 10, 10)]), counted(0, 10, 10)),
            (event(&[(5, 10, 10), (6, 10, 10)]), counted(11, 20, 20)),
            // Each target is scaled separately.
            (event(&[(5, 10, 5), (6, 10, 10)]), counted(16, 20, 15)),
            (event(&[(5, 10, 5), (0, 10, 0)]), counted(10, 20, 5)),
            (EventReading { is_pinned_out: true, ..event(&[(5, 10, 5)]) }, Outcome::PinnedOut),
            (EventReading::new(refused), Outcome::NotSupported),
            (failed(event(&[(5, 10, 5)])), Outcome::Failed),
            (failed(event(&[])), Outcome::Failed),
        ];
        for (reading, expected) in cases {
            assert_eq!(reading.outcome(), expected, "{reading:?}");
        }
        assert_eq!(counted(1, 20, 5).total().map(|total| total.share()), Some(0.25));
        assert_eq!(counted(1, 2, 2).and(counted(3, 4, 4)), counted(4, 6, 6));
        assert_eq!(Outcome::NotSupported.and(counted(3, 4, 4)), counted(3, 4, 4));
        assert_eq!(Outcome::PinnedOut.and(counted(3, 4, 4)), Outcome::PinnedOut);
        assert_eq!(Outcome::NotCounted.and(Outcome::NotSupported), Outcome::NotCounted);
        assert_eq!(counted(3, 4, 4).and(Outcome::Failed), Outcome::Failed);
        assert_eq!(Outcome::Failed.and(Outcome::NotSupported), Outcome::Failed);
    }

    #[test]
    fn differences() {
        let (first, second) = (event(&[(5, 10, 10)]), event(&[(9, 30, 20)]));
        assert_eq!(second.since(&first).parts, event(&[(4, 20, 10)]).parts);
        // A part that was missing once cannot be attributed to the time since.
        assert_eq!(second.since(&failed(first.clone())).outcome(), Outcome::Failed);
        assert_eq!(failed(second.clone()).since(&first).outcome(), Outcome::Failed);
        // A snapshot is not subtracted.
        let mut of_now = System::at("/nonexistent").require("cycles").unwrap()[0].clone();
        of_now.is_snapshot = true;
        let snapshot = EventReading {
            parts: second.parts.clone(),
            ..EventReading::new(SetEvent::new(of_now))
        };
        assert_eq!(snapshot.since(&first), snapshot);
        let now = Reading { events: vec![second.clone()] };
        assert_eq!(now.since(&Reading::default()), now);
    }
}
