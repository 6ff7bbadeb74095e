//! The sum of an event's counts, and whether it is complete.

/// The outcome of counting an event.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::Outcome;
///
/// let mut counters = System::new().open("duration_time,no_such_event")?;
/// counters.enable()?;
/// let reading = counters.read();
/// assert!(matches!(reading.events()[0].outcome(), Outcome::Counted(total) if total.value() > 0));
/// assert_eq!(reading.events()[1].outcome(), Outcome::NotSupported);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The event has a value, which is an estimate if it was multiplexed.
    Counted(Total),
    /// The sum lacks a task, a CPU or an instance of the PMU, whose count is unknown:
    /// the true value is not below this one.
    /// [`EventReading::lacking`](super::EventReading::lacking) and
    /// [`Sum::lacking`](super::Sum::lacking) say which, and why.
    Partial(Total),
    /// The event was not enabled, or never had a counter: its count is unknown, not
    /// zero.
    NotCounted,
    /// The event is pinned and lost the PMU to others.
    PinnedOut,
    /// The machine or the kernel does not have the event.
    NotSupported,
    /// The event could not be read, or the difference of two readings is unknown.
    Failed,
}

/// The sum of an event's counts over tasks and CPUs.
///
/// ```
/// use pmu_events::open::Total;
///
/// let total = Total::new(3000, 200, 150);
/// assert_eq!(total.share(), 0.75);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    pub(crate) value: u64,
    pub(crate) time_enabled: u64,
    pub(crate) time_running: u64,
}

impl Total {
    /// Creates a sum that was counted for a part of the time.
    #[must_use]
    pub const fn new(value: u64, time_enabled: u64, time_running: u64) -> Self {
        Total { value, time_enabled, time_running }
    }

    /// Returns the sum of the estimates, before the event's scale
    /// ([`Resolved::number`](crate::resolve::Resolved::number)).
    #[must_use]
    pub fn value(self) -> u64 {
        self.value
    }

    /// Returns the time for which the event was enabled, in nanoseconds, summed over
    /// targets.
    #[must_use]
    pub fn time_enabled(self) -> u64 {
        self.time_enabled
    }

    /// Returns the part of that time for which it had a counter, in nanoseconds.
    #[must_use]
    pub fn time_running(self) -> u64 {
        self.time_running
    }

    /// Returns the fraction of the time for which the event had a counter, 0 to 1.
    /// Below 1, the value is an estimate.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.time_running >= self.time_enabled {
            return 1.0;
        }
        self.time_running as f64 / self.time_enabled as f64
    }

    fn and(self, other: Total) -> Total {
        Total {
            value: self.value.wrapping_add(other.value),
            time_enabled: self.time_enabled.saturating_add(other.time_enabled),
            time_running: self.time_running.saturating_add(other.time_running),
        }
    }
}

impl Outcome {
    /// Returns the total, if the event was counted everywhere.
    #[must_use]
    pub fn total(&self) -> Option<Total> {
        match self {
            Outcome::Counted(total) => Some(*total),
            _ => None,
        }
    }

    /// Returns the total of what was counted, even if it lacks something.
    #[must_use]
    pub fn known(&self) -> Option<Total> {
        match self {
            Outcome::Counted(total) | Outcome::Partial(total) => Some(*total),
            _ => None,
        }
    }

    /// Combines the outcomes of two instances of an event: counted if both of them
    /// are, partial if only one is.
    #[must_use]
    pub(crate) fn and(self, other: Outcome) -> Outcome {
        if let (Outcome::Counted(one), Outcome::Counted(two)) = (self, other) {
            return Outcome::Counted(one.and(two));
        }
        match (self.known(), other.known()) {
            (Some(one), Some(two)) => return Outcome::Partial(one.and(two)),
            (Some(one), None) | (None, Some(one)) => return Outcome::Partial(one),
            (None, None) => {}
        }
        // The strongest reason.
        let order = [Outcome::Failed, Outcome::PinnedOut, Outcome::NotCounted];
        let is_either = |one: &Outcome| *one == self || *one == other;
        order.into_iter().find(is_either).unwrap_or(Outcome::NotSupported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_combined() {
        let total = |value, time_enabled, time_running| Total { value, time_enabled, time_running };
        let counted = |value| Outcome::Counted(total(value, 4, 2));
        let partial = |value| Outcome::Partial(total(value, 4, 2));
        let cases = [
            (counted(1), counted(3), Outcome::Counted(total(4, 8, 4))),
            (counted(1), partial(3), Outcome::Partial(total(4, 8, 4))),
            (counted(3), Outcome::NotSupported, partial(3)),
            (counted(3), Outcome::PinnedOut, partial(3)),
            (counted(3), Outcome::NotCounted, partial(3)),
            (counted(3), Outcome::Failed, partial(3)),
            (partial(3), Outcome::Failed, partial(3)),
            (Outcome::NotCounted, Outcome::NotSupported, Outcome::NotCounted),
            (Outcome::PinnedOut, Outcome::NotCounted, Outcome::PinnedOut),
            (Outcome::Failed, Outcome::PinnedOut, Outcome::Failed),
            (Outcome::NotSupported, Outcome::NotSupported, Outcome::NotSupported),
        ];
        for (one, two, expected) in cases {
            assert_eq!((one.and(two), two.and(one)), (expected, expected), "{one:?} {two:?}");
        }
        assert_eq!((counted(1).total(), partial(1).total()), (Some(total(1, 4, 2)), None));
        assert_eq!(partial(1).known().map(|total| total.share()), Some(0.5));
    }
}
