//! From what a counter has counted to what a formula sees.

use core::ops::Add;

use crate::expr::EventValue;
use crate::resolve::Clock;

/// What was counted of an operand's event, as the counters have it: before any scale, and
/// in nanoseconds if the event measures time.
///
/// It is not a number of a formula: the formulas of trees and those of users have times in
/// different units. A [`PlannedMetric`](super::PlannedMetric) knows whose formula its
/// operand is in, and takes this one.
///
/// ```
/// use pmu_events::__private::measure::RawCount;
/// use pmu_events::resolve::Clock;
///
/// let count = RawCount::new(4_794_461.0, Some(Clock::Kernel));
/// assert_eq!(count.in_formula_of_user().value(), 0.004794461); // seconds
/// assert_eq!(count.in_formula_of_tree().value(), 4_794_461.0); // nanoseconds, as in perf
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawCount {
    count: f64,
    clock: Option<Clock>,
    pub(crate) sources: f64,
    pub(crate) aggregated: f64,
}

impl RawCount {
    /// Sets the number of events whose counts are summed; see [`EventValue::sources`].
    #[must_use]
    pub fn with_sources(self, sources: f64) -> Self {
        RawCount { sources, ..self }
    }

    /// Sets the number of counts in the sum; see [`EventValue::aggregated`].
    #[must_use]
    pub fn with_aggregated(self, aggregated: f64) -> Self {
        RawCount { aggregated, ..self }
    }

    /// Returns the number of events whose counts are summed; see [`EventValue::sources`].
    #[must_use]
    pub fn sources(self) -> f64 {
        self.sources
    }

    /// Returns the number of counts in the sum; see [`EventValue::aggregated`].
    #[must_use]
    pub fn aggregated(self) -> f64 {
        self.aggregated
    }
}

/// Nanoseconds.
const A_SECOND: f64 = 1e9;

impl RawCount {
    /// Nothing was counted.
    pub const NOT_COUNTED: RawCount = RawCount {
        count: EventValue::NOT_COUNTED.value(),
        clock: None,
        sources: EventValue::NOT_COUNTED.sources(),
        aggregated: EventValue::NOT_COUNTED.aggregated(),
    };

    /// Creates a raw count of one event in one place. `clock` is that of the event
    /// ([`Resolved::clock`](crate::resolve::Resolved::clock)).
    #[must_use]
    pub fn new(count: f64, clock: Option<Clock>) -> Self {
        let one = EventValue::from(count);
        RawCount { count, clock, sources: one.sources(), aggregated: one.aggregated() }
    }

    /// Whether there is a count.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        !self.count.is_nan()
    }

    /// Returns the value as a formula of a tree sees it: the program's clocks in seconds,
    /// all else raw, so that the kernel's clocks are nanoseconds (`prepare_metric` in
    /// `tools/perf/util/stat-shadow.c`).
    #[must_use]
    pub fn in_formula_of_tree(self) -> EventValue {
        match self.clock {
            Some(Clock::Program) => self.over(A_SECOND),
            Some(Clock::Kernel) | None => self.over(1.0),
        }
    }

    /// Returns the value as a user's own formula sees it: every time in seconds, all else
    /// raw.
    #[must_use]
    pub fn in_formula_of_user(self) -> EventValue {
        self.over(if self.clock.is_some() { A_SECOND } else { 1.0 })
    }

    /// The count in proportion to a reference that was counted at another time: `there`, and
    /// `here` beside this count.
    ///
    /// A reference that counts nothing at either time relates nothing: a hypervisor or an
    /// emulator lacks it, and the count stays the estimate by time that it is. If it counts
    /// nothing beside a count that is not zero, the proportion is unknown.
    pub(super) fn at_time_of(self, there: RawCount, here: RawCount) -> RawCount {
        let factor = if here.count != 0.0 {
            there.count / here.count
        } else if self.count == 0.0 || there.count == 0.0 {
            1.0
        } else {
            f64::NAN
        };
        RawCount { count: self.count * factor, ..self }
    }

    fn over(self, divisor: f64) -> EventValue {
        EventValue::from(self.count / divisor)
            .with_sources(self.sources)
            .with_aggregated(self.aggregated)
    }
}

/// The sum over instances of one event.
impl Add for RawCount {
    type Output = RawCount;

    fn add(self, other: RawCount) -> RawCount {
        RawCount {
            count: self.count + other.count,
            clock: self.clock.or(other.clock),
            sources: self.sources + other.sources,
            aggregated: self.aggregated + other.aggregated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RawCount;

    #[test]
    fn a_count_follows_its_reference() {
        // The count, the reference at the time of the first part, and beside the count.
        let cases = [
            ([10.0, 400.0, 200.0], 20.0),
            ([10.0, 0.0, 200.0], 0.0),
            ([0.0, 400.0, 0.0], 0.0),
            // POWER10's run cycles in QEMU: always 0.
            ([10.0, 0.0, 0.0], 10.0),
            ([10.0, 400.0, 0.0], f64::NAN),
            ([10.0, f64::NAN, 200.0], f64::NAN),
            ([10.0, 400.0, f64::NAN], f64::NAN),
        ];
        for (counts, expected) in cases {
            let [own, there, here] = counts.map(|count| RawCount::new(count, None));
            let found = own.at_time_of(there, here).in_formula_of_user().value();
            assert!(
                found == expected || found.is_nan() && expected.is_nan(),
                "{counts:?}: {found}"
            );
        }
    }
}
