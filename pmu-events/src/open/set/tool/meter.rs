//! Accumulating what a growing number gains while it is watched.

use std::format;
use std::time::Duration;
use std::vec::Vec;

use crate::open::{Count, Error, ErrorKind};

/// The time that a task or CPU has spent since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) user: Duration,
    pub(super) system: Duration,
    /// What of that is the time of children, which is added when they are waited for.
    pub(super) of_children: Duration,
    /// Whether it has children: all that they have spent until now will be added, too.
    pub(super) has_children: bool,
}

/// A point in time, and the time spent until then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sample {
    moment: Duration,
    /// For each existing spender; `None` if the elapsed time itself is measured.
    spent: Option<Vec<(u32, Part)>>,
}

/// One kind of the time that a task or CPU has spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    time: Duration,
    of_children: Duration,
    has_children: bool,
}

impl Sample {
    pub(super) fn of_moment(moment: Duration) -> Self {
        Sample { moment, spent: None }
    }

    pub(super) fn of_spent(
        moment: Duration,
        spenders: Vec<(u32, Spent)>,
        part: fn(Spent) -> Duration,
    ) -> Self {
        let mut parts = Vec::with_capacity(spenders.len());
        for (id, spent) in spenders {
            let Spent { of_children, has_children, .. } = spent;
            parts.push((id, Part { time: part(spent), of_children, has_children }));
        }
        Sample { moment, spent: Some(parts) }
    }

    /// What was spent since an earlier sample, and the time elapsed.
    fn since(&self, earlier: &Sample) -> Result<(Duration, Duration), Error> {
        let elapsed = self.moment.saturating_sub(earlier.moment);
        let (Some(now), Some(before)) = (&self.spent, &earlier.spent) else {
            return Ok((elapsed, elapsed));
        };
        let mut value = Duration::ZERO;
        for (id, before) in before {
            let Some((_, now)) = now.iter().find(|(other, _)| other == id) else {
                let message = format!(
                    "{id} has ended or is offline, and what it spent until then is not known"
                );
                return Err(Error::new(ErrorKind::NoSuchTask, 0, message));
            };
            if before.has_children && now.of_children != before.of_children {
                let message = format!(
                    "{id} has waited for children, and how much of their time was spent before is \
                     not known"
                );
                return Err(Error::new(ErrorKind::NoSuchTask, 0, message));
            }
            value += now.time.saturating_sub(before.time);
        }
        Ok((value, elapsed))
    }
}

/// Adds up what is spent while it is on, like a counter.
#[derive(Debug, Default)]
pub(super) struct Meter {
    value: Duration,
    elapsed: Duration,
    /// The sample at the start, if it is on.
    since: Option<Sample>,
    /// Why a part is missing permanently.
    failure: Option<Error>,
}

impl Meter {
    pub(super) fn start(&mut self, now: Result<Sample, Error>) {
        if self.since.is_some() {
            return;
        }
        match now {
            Ok(now) => self.since = Some(now),
            Err(error) => self.fail(error),
        }
    }

    pub(super) fn stop(&mut self, now: Result<Sample, Error>) {
        let Some(since) = self.since.take() else {
            return;
        };
        match now.and_then(|now| now.since(&since)) {
            Ok((value, elapsed)) => {
                self.value += value;
                self.elapsed += elapsed;
            }
            Err(error) => self.fail(error),
        }
    }

    /// Clears the sum and any missing part. A running meter keeps running.
    pub(super) fn reset(&mut self, now: Result<Sample, Error>) {
        let is_on = self.since.is_some();
        *self = Meter::default();
        if is_on {
            self.start(now);
        }
    }

    pub(super) fn read(&self, now: impl FnOnce() -> Result<Sample, Error>) -> Result<Count, Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let (value, elapsed) = match &self.since {
            Some(since) => now()?.since(since)?,
            None => Default::default(),
        };
        let [value, elapsed] = [self.value + value, self.elapsed + elapsed].map(nanoseconds);
        Ok(Count::new(value, elapsed, elapsed))
    }

    /// Keeps the first reason.
    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }
}

/// Saturates at 584 years.
fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step of a test script.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        Start,
        Stop,
        /// The expected read, as value and time; `None` for an error.
        Read(Option<(u64, u64)>),
    }
    use Step::{Read, Start, Stop};

    fn failed() -> Error {
        Error::new(ErrorKind::Unreadable, 0, "unreadable")
    }

    /// Steps, each with a point in time and what the spenders have spent until
    /// then.
    type Script<'s> = &'s [(u64, &'s [(u32, u64)], Step)];

    fn run(name: &str, script: Script<'_>, is_clock: bool) {
        let mut meter = Meter::default();
        for (n, &(moment, spenders, step)) in script.iter().enumerate() {
            let moment = Duration::from_nanos(moment);
            let spent = |&(id, time): &(u32, u64)| {
                (id, Spent { user: Duration::from_nanos(time), ..Spent::default() })
            };
            let spent = spenders.iter().map(spent).collect();
            let sample = match is_clock {
                true => Sample::of_moment(moment),
                false => Sample::of_spent(moment, spent, |spent| spent.user),
            };
            match step {
                Start => meter.start(Ok(sample)),
                Stop => meter.stop(Ok(sample)),
                Read(expected) => {
                    let count = meter.read(|| Ok(sample)).ok();
                    let found = count.map(|count| (count.value, count.time_running));
                    assert_eq!(found, expected, "{name}, step {n}");
                }
            }
        }
    }

    /// `duration_time`: on, off, and on again.
    #[test]
    fn a_clock_that_is_stopped_and_started() {
        let none: &[(u32, u64)] = &[];
        run(
            "clock",
            &[
                (0, none, Read(Some((0, 0)))),
                // Stopped before it was ever started.
                (5, none, Stop),
                (6, none, Read(Some((0, 0)))),
                (10, none, Start),
                (13, none, Read(Some((3, 3)))),
                // Already started.
                (14, none, Start),
                (20, none, Stop),
                (30, none, Read(Some((10, 10)))),
                (40, none, Stop),
                (50, none, Start),
                (55, none, Read(Some((15, 15)))),
                (60, none, Stop),
                (99, none, Read(Some((20, 20)))),
            ],
            true,
        );
    }

    #[test]
    fn time_that_is_spent() {
        run(
            "one",
            &[
                (0, &[(7, 100)], Stop),
                (10, &[(7, 100)], Start),
                (20, &[(7, 104)], Read(Some((4, 10)))),
                (30, &[(7, 106)], Stop),
                (40, &[(7, 150)], Read(Some((6, 20)))),
                (50, &[(7, 200)], Start),
                (60, &[(7, 203)], Read(Some((9, 30)))),
            ],
            false,
        );
        // A spender that appears later is not counted; one that ended before has
        // spent nothing.
        run(
            "several",
            &[
                (0, &[(7, 1), (8, 2)], Start),
                (5, &[(8, 4), (7, 2), (9, 50)], Read(Some((3, 5)))),
                (6, &[(7, 2), (8, 4)], Stop),
                (7, &[(8, 9)], Start),
                (9, &[(8, 10)], Read(Some((4, 8)))),
            ],
            false,
        );
        // The time of a spender that ended is unknown, so there is no value, even
        // after the meter is stopped.
        run(
            "ended",
            &[
                (0, &[(7, 1), (8, 2)], Start),
                (5, &[(7, 3)], Read(None)),
                (6, &[(7, 3)], Stop),
                (7, &[(7, 3), (8, 2)], Read(None)),
                (8, &[(7, 3)], Start),
                (9, &[(7, 4)], Read(None)),
            ],
            false,
        );
    }

    /// The time of a child is added at its end, with what it spent before the start.
    #[test]
    fn children_that_were_there_before() {
        let spent = |time, of_children, has_children| {
            let [user, of_children] = [time, of_children].map(Duration::from_nanos);
            Ok(Sample::of_spent(
                Duration::from_nanos(time),
                std::vec![(7, Spent { user, of_children, has_children, ..Spent::default() })],
                |spent| spent.user,
            ))
        };
        // Children at the start, and the time of children at the end: whether it is known.
        let cases = [(false, 10, true), (false, 90, true), (true, 10, true), (true, 90, false)];
        for (has_children, of_children, is_known) in cases {
            let mut meter = Meter::default();
            meter.start(spent(100, 10, has_children));
            let value = meter.read(|| spent(150, of_children, true)).ok().map(|count| count.value);
            assert_eq!(value, is_known.then_some(50), "{has_children} {of_children}");
        }
    }

    #[test]
    fn a_source_that_fails() {
        let sample = |moment| Ok(Sample::of_moment(Duration::from_nanos(moment)));
        // A stopped meter takes no samples.
        let mut meter = Meter::default();
        meter.stop(Err(failed()));
        assert_eq!(meter.read(|| Err(failed())), Ok(Count::default()));
        // A failed read may succeed the next time.
        meter.start(sample(1));
        assert_eq!(meter.read(|| Err(failed())), Err(failed()));
        assert_eq!(meter.read(|| sample(3)), Ok(Count::new(2, 2, 2)));
        // A missing part stays missing.
        meter.stop(Err(failed()));
        meter.start(sample(4));
        assert_eq!(meter.read(|| sample(5)), Err(failed()));
        let mut meter = Meter::default();
        meter.start(Err(failed()));
        assert_eq!(meter.read(|| sample(5)), Err(failed()));
    }
}
