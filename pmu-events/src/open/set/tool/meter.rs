//! What of a growing number has come while it was looked at.

use std::format;
use std::time::Duration;
use std::vec::Vec;

use crate::open::{Count, Error, ErrorKind};

/// The time that somebody has spent since he began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) user: Duration,
    pub(super) system: Duration,
}

/// A moment, and what was spent until then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sample {
    moment: Duration,
    /// Of each spender that is there; `None` where the moment itself is what is
    /// measured.
    spent: Option<Vec<(u32, Duration)>>,
}

impl Sample {
    pub(super) fn of_moment(moment: Duration) -> Self {
        Sample { moment, spent: None }
    }

    pub(super) fn of_spent(
        moment: Duration,
        spenders: Vec<(u32, Spent)>,
        part: impl Fn(Spent) -> Duration,
    ) -> Self {
        let spent = spenders.into_iter().map(|(id, spent)| (id, part(spent))).collect();
        Sample { moment, spent: Some(spent) }
    }

    /// What has come since an earlier sample, and how long that was.
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
            value += now.saturating_sub(*before);
        }
        Ok((value, elapsed))
    }
}

/// Adds up what comes while it is on, as a counter does.
#[derive(Debug, Default)]
pub(super) struct Meter {
    value: Duration,
    elapsed: Duration,
    /// What it was started with, if it is on.
    since: Option<Sample>,
    /// Why a part is missing, for good.
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

    /// Forgets what has come, and with it what was missed; if it is on, it stays
    /// on.
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

    /// The first reason counts.
    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }
}

/// Of 584 years at most.
fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done to a meter.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        Start,
        Stop,
        /// What a read gives, as value and time; `None` for an error.
        Read(Option<(u64, u64)>),
    }
    use Step::{Read, Start, Stop};

    fn failed() -> Error {
        Error::new(ErrorKind::Unreadable, 0, "unreadable")
    }

    /// Steps, each at a moment and with what its spenders have spent until then.
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
                // Off before it was ever on.
                (5, none, Stop),
                (6, none, Read(Some((0, 0)))),
                (10, none, Start),
                (13, none, Read(Some((3, 3)))),
                // On already.
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
        // Who comes later is not counted, who ended before has spent nothing.
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
        // What one who ended has spent is not known: that is no number, and it
        // stays none once the meter was stopped.
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

    #[test]
    fn a_source_that_fails() {
        let sample = |moment| Ok(Sample::of_moment(Duration::from_nanos(moment)));
        // While it is off nobody asks.
        let mut meter = Meter::default();
        meter.stop(Err(failed()));
        assert_eq!(meter.read(|| Err(failed())), Ok(Count::default()));
        // A read that fails may work the next time.
        meter.start(sample(1));
        assert_eq!(meter.read(|| Err(failed())), Err(failed()));
        assert_eq!(meter.read(|| sample(3)), Ok(Count::new(2, 2, 2)));
        // What was missed stays missed.
        meter.stop(Err(failed()));
        meter.start(sample(4));
        assert_eq!(meter.read(|| sample(5)), Err(failed()));
        let mut meter = Meter::default();
        meter.start(Err(failed()));
        assert_eq!(meter.read(|| sample(5)), Err(failed()));
    }
}
