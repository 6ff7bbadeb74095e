//! The result of reading a counter.

use core::slice::ChunksExact;
use std::format;

use super::flag::ReadFormat;
use super::{Error, ErrorKind};

/// The count of one event, and the time during which it was counted.
///
/// When there are more events than counters, the kernel multiplexes them:
/// `time_running` is then less than `time_enabled`, and the scaled count is an
/// estimate.
///
/// ```
/// use pmu_events::open::Count;
///
/// let mut count = Count::new(1_000, 80, 20);
/// assert_eq!((count.estimate(), count.share()), (Some(4_000), Some(0.25)));
/// // Never scheduled: the count is unknown, not zero.
/// count = Count::new(0, 80, 0);
/// assert_eq!(count.estimate(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Count {
    pub(crate) value: u64,
    pub(crate) time_enabled: u64,
    pub(crate) time_running: u64,
    pub(crate) id: Option<u64>,
    pub(crate) lost: Option<u64>,
}

impl Count {
    /// Returns the raw value of the counter; that of a sensor is in two's complement, since it
    /// may be below zero ([`Resolved::number`](crate::resolve::Resolved::number)).
    #[must_use]
    pub fn value(self) -> u64 {
        self.value
    }

    /// Returns the time for which the event was enabled, in nanoseconds.
    #[must_use]
    pub fn time_enabled(self) -> u64 {
        self.time_enabled
    }

    /// Returns the part of that time for which it had a counter, in nanoseconds.
    #[must_use]
    pub fn time_running(self) -> u64 {
        self.time_running
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

    /// Creates a count from a value and two times in nanoseconds.
    #[must_use]
    pub const fn new(value: u64, time_enabled: u64, time_running: u64) -> Self {
        Count { value, time_enabled, time_running, id: None, lost: None }
    }

    /// Estimates what would have been counted if the event had always had a counter
    /// (`perf_counts_values__scale` in `tools/lib/perf/evsel.c`). `None` if it
    /// never had one.
    #[must_use]
    pub fn estimate(&self) -> Option<u64> {
        match self.time_running {
            0 => None,
            running if running >= self.time_enabled => Some(self.value),
            running => {
                let scaled = u128::from(self.value) * u128::from(self.time_enabled);
                Some(u64::try_from(scaled / u128::from(running)).unwrap_or(u64::MAX))
            }
        }
    }

    /// Whether the event was enabled and never had a counter, so that its value says
    /// nothing.
    #[must_use]
    pub const fn is_starved(&self) -> bool {
        self.time_enabled > 0 && self.time_running == 0
    }

    /// Returns the fraction of the time for which the event had a counter, 0 to 1;
    /// `None` if it was never enabled.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        match self.time_enabled {
            0 => None,
            enabled => Some(self.time_running as f64 / enabled as f64),
        }
    }

    /// Returns what was counted since an earlier read of the same counter; `None` if
    /// the count went backwards, because the counter was reset in between or is not the
    /// same.
    #[must_use]
    pub fn since(&self, earlier: &Count) -> Option<Count> {
        Some(Count {
            value: self.value.checked_sub(earlier.value)?,
            // Times are not read at one moment with what limits them.
            time_enabled: self.time_enabled.saturating_sub(earlier.time_enabled),
            time_running: self.time_running.saturating_sub(earlier.time_running),
            id: self.id,
            lost: self.lost.map(|now| now.saturating_sub(earlier.lost.unwrap_or(0))),
        })
    }
}

impl Count {
    /// The sum of two counts.
    pub(super) fn plus(&self, other: &Count) -> Count {
        Count {
            value: self.value.wrapping_add(other.value),
            time_enabled: self.time_enabled.saturating_add(other.time_enabled),
            time_running: self.time_running.saturating_add(other.time_running),
            id: self.id,
            lost: self.lost.map(|lost| lost.saturating_add(other.lost.unwrap_or(0))),
        }
    }
}

/// The words of a read, in the order in which the kernel writes them.
struct Words<'w>(core::slice::Iter<'w, u64>);

impl Words<'_> {
    fn next(&mut self) -> Option<u64> {
        self.0.next().copied()
    }

    fn next_if(&mut self, format: ReadFormat, bit: ReadFormat) -> Option<Option<u64>> {
        if format.contains(bit) { self.next().map(Some) } else { Some(None) }
    }
}

/// `perf_read_one` in `kernel/events/core.c`
pub(super) fn one(words: &[u64], format: ReadFormat) -> Option<Count> {
    let mut words = Words(words.iter());
    Some(Count {
        value: words.next()?,
        time_enabled: words.next_if(format, ReadFormat::TIME_ENABLED)?.unwrap_or(0),
        time_running: words.next_if(format, ReadFormat::TIME_RUNNING)?.unwrap_or(0),
        id: words.next_if(format, ReadFormat::ID)?,
        lost: words.next_if(format, ReadFormat::LOST)?,
    })
}

/// The counts of a group, decoded from the words of its read as they are asked for.
#[derive(Clone, Debug)]
pub(super) struct Members<'w> {
    each: ChunksExact<'w, u64>,
    time_enabled: u64,
    time_running: u64,
    format: ReadFormat,
}

/// `perf_read_group`: the leader first, the others in the order in which they
/// were opened; the times are the leader's.
pub(super) fn group(words: &[u64], format: ReadFormat) -> Option<Members<'_>> {
    let mut words = Words(words.iter());
    let members = usize::try_from(words.next()?).ok()?;
    let time_enabled = words.next_if(format, ReadFormat::TIME_ENABLED)?.unwrap_or(0);
    let time_running = words.next_if(format, ReadFormat::TIME_RUNNING)?.unwrap_or(0);
    let has = |bit| usize::from(format.contains(bit));
    let size = 1 + has(ReadFormat::ID) + has(ReadFormat::LOST);
    let all = words.0.as_slice().get(..members.checked_mul(size)?)?;
    Some(Members { each: all.chunks_exact(size), time_enabled, time_running, format })
}

impl Members<'_> {
    /// Returns the count of a member of a group that was opened with `opened` members.
    ///
    /// The kernel writes the leader first and the others in the order in which they were opened
    /// (`perf_read_group` in `kernel/events/core.c`). A CPU that goes offline and a PMU whose
    /// driver is removed take members out of a group (`perf_group_detach`). Which of the others are
    /// still there is then unknown.
    pub(super) fn of_member(&self, member: usize, opened: usize) -> Result<Count, Error> {
        let is_known = member == 0 || self.len() == opened;
        self.clone().nth(member).filter(|_| is_known).ok_or_else(|| {
            let message = format!(
                "the kernel gave {} of the {opened} counts of its group, and does not say which",
                self.len(),
            );
            Error::new(ErrorKind::Unreadable, 0, message)
        })
    }

    #[inline]
    fn decode(&self, words: &[u64]) -> Option<Count> {
        let (&value, further) = words.split_first()?;
        let has_id = self.format.contains(ReadFormat::ID);
        Some(Count {
            value,
            time_enabled: self.time_enabled,
            time_running: self.time_running,
            id: if has_id { further.first().copied() } else { None },
            // What is left is there because the format has it.
            lost: further.get(usize::from(has_id)).copied(),
        })
    }
}

impl Iterator for Members<'_> {
    type Item = Count;

    #[inline]
    fn next(&mut self) -> Option<Count> {
        let words = self.each.next()?;
        self.decode(words)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.each.size_hint()
    }
}

impl ExactSizeIterator for Members<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn estimates() {
        let cases: &[(u64, u64, u64, Option<u64>, Option<f64>)] = &[
            (7, 10, 10, Some(7), Some(1.0)),
            (7, 10, 5, Some(14), Some(0.5)),
            (0, 10, 0, None, Some(0.0)),
            (0, 0, 0, None, None),
            (9, 10, 3, Some(30), Some(0.3)),
            // Inconsistent times come from races in the kernel.
            (9, 3, 10, Some(9), Some(10.0 / 3.0)),
            (u64::MAX, 2, 1, Some(u64::MAX), Some(0.5)),
            // Values above 2^53 are exact if they need no scaling.
            (u64::MAX - 1, 5, 5, Some(u64::MAX - 1), Some(1.0)),
        ];
        for &(value, enabled, running, estimate, share) in cases {
            let count = Count::new(value, enabled, running);
            assert_eq!((count.estimate(), count.share()), (estimate, share), "{count:?}");
            assert_eq!(count.is_starved(), share == Some(0.0), "{count:?}");
        }
    }

    #[test]
    fn reads() {
        let count = |value, times: (u64, u64), id, lost| Count {
            value,
            time_enabled: times.0,
            time_running: times.1,
            id,
            lost,
        };
        let all = ReadFormat::TIMES | ReadFormat::ID | ReadFormat::LOST;
        assert_eq!(one(&[5, 10, 9, 77, 1], all), Some(count(5, (10, 9), Some(77), Some(1))));
        assert_eq!(one(&[5, 10, 9, 77], all), None);
        assert_eq!(one(&[5], ReadFormat::NONE), Some(count(5, (0, 0), None, None)));
        assert_eq!(one(&[], ReadFormat::NONE), None);
        let with_ids = ReadFormat::TIMES | ReadFormat::ID;
        let two = group(&[2, 10, 9, 5, 77, 6, 78], with_ids).unwrap();
        let expected = [count(5, (10, 9), Some(77), None), count(6, (10, 9), Some(78), None)];
        assert_eq!(two.collect::<Vec<_>>(), expected);
        assert_eq!(group(&[0, 10, 9], with_ids).unwrap().next(), None);
        // More members than the words can hold.
        for words in [&[u64::MAX, 1, 2, 3][..], &[2, 10, 9, 5, 77, 6], &[1, 10], &[]] {
            assert!(group(words, with_ids).is_none(), "{words:?}");
        }
    }

    /// A member that may be missing from a group's read has no count; it must not be that of
    /// another.
    #[test]
    fn members_that_are_gone() {
        let words = [2, 9, 9, 5, 6];
        let members = group(&words, ReadFormat::TIMES).unwrap();
        let cases = [
            (0, 2, Some(5)),
            (1, 2, Some(6)),
            (2, 2, None),
            (0, 3, Some(5)),
            (1, 3, None),
            (2, 3, None),
        ];
        for (member, opened, expected) in cases {
            let found = members.of_member(member, opened);
            let found = found.map(|count| count.value).map_err(|error| error.kind());
            assert_eq!(found, expected.ok_or(ErrorKind::Unreadable), "{member} of {opened}");
        }
    }
}
