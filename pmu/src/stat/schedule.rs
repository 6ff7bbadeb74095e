//! When intervals end.

use std::time::{Duration, Instant};

/// The moments at which intervals end: multiples of their length after the start, whatever keeps
/// the program from being there in time. An interval whose moment has passed ends at once, so
/// that none is lost, and those that follow are in time again.
#[derive(Debug)]
pub(super) struct Schedule {
    length: Duration,
    next: Instant,
}

impl Schedule {
    /// A program that has missed more was stopped, and nobody waits for the rows of that time.
    const MOST: u32 = 100;

    pub(super) fn new(start: Instant, length: Duration) -> Self {
        Schedule { length, next: start + length }
    }

    /// The end of the present interval.
    pub(super) fn end(&self) -> Instant {
        self.next
    }

    /// Begins the next interval.
    pub(super) fn advance(&mut self, now: Instant) {
        self.next += self.length;
        let behind = now.saturating_duration_since(self.next);
        let missed = behind.as_nanos() / self.length.as_nanos().max(1);
        if missed > u128::from(Self::MOST) {
            let past = behind.as_nanos() % self.length.as_nanos();
            self.next = now - Duration::from_nanos(past.try_into().unwrap_or(u64::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of intervals of 10 ms, and when the program gets to each: after a stall, all
    /// that have passed end at once, and the next is at its own moment.
    #[test]
    fn a_stall_loses_no_interval() {
        let start = Instant::now();
        let at = |milliseconds: u64| start + Duration::from_millis(milliseconds);
        for (reached, expected) in [
            (&[10, 20, 30][..], &[10, 20, 30, 40][..]),
            (&[11, 22, 30], &[10, 20, 30, 40]),
            // Late by less than an interval, by one, by several.
            (&[10, 29, 30], &[10, 20, 30, 40]),
            (&[20, 20, 30], &[10, 20, 30, 40]),
            (&[47, 47, 47, 47, 50], &[10, 20, 30, 40, 50, 60]),
            // Stopped for long: the grid is the same, and the time is in one interval.
            (&[10, 5013, 5013], &[10, 20, 5010, 5020]),
        ] {
            let mut schedule = Schedule::new(start, Duration::from_millis(10));
            let mut ends = vec![schedule.end()];
            for &moment in reached {
                schedule.advance(at(moment));
                ends.push(schedule.end());
            }
            let expected: Vec<Instant> = expected.iter().copied().map(at).collect();
            assert_eq!(ends, expected, "{reached:?}");
        }
    }
}
