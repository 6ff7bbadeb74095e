//! A group of events in one place, on one CPU or in one thread.

use std::vec::Vec;

use crate::open::{Count, Counter, Error, Target};

/// The counts of a group of events on one CPU, or in one thread of a process, of a
/// [`Place`](super::Place).
///
/// Counts are sums since the place was first opened, and never decrease: those of a counter that was
/// closed stay in them, and while a group waits for counters, each read adds an estimate for the
/// time since the last one.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::follow::{Following, Selection};
///
/// let system = System::new();
/// let mut following = Following::new(&system);
/// following.follow(system.require("page-faults,context-switches")?, Selection::cpus());
/// following.update();
/// following.read();
/// for cell in following.places().flat_map(|place| place.cells()) {
///     for (event, count) in cell.counts() {
///         println!("{}: event {event}: {}", cell.target(), count.value());
///     }
/// }
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Debug)]
pub struct Cell {
    pub(super) target: Target,
    /// The process that a thread belongs to.
    pub(super) process: Option<u32>,
    /// The indices of its events in the selection, the leader's first.
    pub(super) members: Vec<usize>,
    /// Whether each of them is counted here; others are open for the sake of their group.
    pub(super) is_counted: Vec<bool>,
    /// In the order of the members; none while it is closed.
    pub(super) counters: Vec<Counter>,
    tallies: Vec<Tally>,
    times: Times,
    /// The times of counters that have been closed.
    before: Times,
    /// The times at which estimates were last added.
    estimated: Times,
    error: Option<Error>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    total: u64,
    /// What the counter said when it was last added.
    last: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    enabled: u64,
    running: u64,
}

impl Cell {
    pub(super) fn new(
        target: Target,
        process: Option<u32>,
        members: &[usize],
        is_counted: Vec<bool>,
    ) -> Self {
        Cell {
            target,
            process,
            members: members.into(),
            is_counted,
            counters: Vec::new(),
            tallies: members.iter().map(|_| Tally::default()).collect(),
            times: Times::default(),
            before: Times::default(),
            estimated: Times::default(),
            error: None,
        }
    }

    /// Returns the CPU or thread.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns the numbers of the events of the group, the leader's first.
    #[must_use]
    pub fn group(&self) -> &[usize] {
        &self.members
    }

    /// Whether its counters are open. Those of a CPU that is offline, or of a process that has
    /// ended, are not.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.counters.is_empty()
    }

    /// Returns why the last read failed, if it did.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Returns each event that is counted here by its number, with its count. Its times are
    /// sums, too.
    pub fn counts(&self) -> impl Iterator<Item = (usize, Count)> {
        let Times { enabled, running } = self.sum_of_times();
        let counted = self.members.iter().zip(&self.tallies).zip(&self.is_counted);
        counted
            .filter(|(_, is_counted)| **is_counted)
            .map(move |((&member, tally), _)| (member, Count::new(tally.total, enabled, running)))
    }

    fn sum_of_times(&self) -> Times {
        Times {
            enabled: self.before.enabled.saturating_add(self.times.enabled),
            running: self.before.running.saturating_add(self.times.running),
        }
    }

    /// Takes counters that have not counted yet.
    pub(super) fn open(&mut self, counters: Vec<Counter>) {
        self.counters = counters;
        self.error = None;
    }

    /// Reads for the last time, and closes the counters.
    pub(super) fn close(&mut self, words: &mut Vec<u64>) {
        if !self.is_open() {
            return;
        }
        self.read(words);
        self.before = self.sum_of_times();
        (self.times, self.estimated) = (Times::default(), Times::default());
        self.tallies.iter_mut().for_each(|tally| tally.last = 0);
        self.counters.clear();
        self.error = None;
    }

    /// Adds the sums of a closed cell of the same group.
    pub(super) fn absorb(&mut self, closed: &Cell) {
        for (own, other) in self.tallies.iter_mut().zip(&closed.tallies) {
            own.total = own.total.saturating_add(other.total);
        }
        self.before.enabled = self.before.enabled.saturating_add(closed.before.enabled);
        self.before.running = self.before.running.saturating_add(closed.before.running);
    }

    pub(super) fn read(&mut self, words: &mut Vec<u64>) {
        let read = match self.counters.as_slice() {
            [] => return,
            [counter] => counter.read().map(|count| self.add_one(count)),
            [leader, ..] => match leader.values(words, self.counters.len()) {
                Some((enabled, running, values)) => {
                    let times = Times { enabled, running };
                    add(&mut self.tallies, values.iter().copied(), times, &mut self.estimated);
                    self.times = times;
                    Ok(())
                }
                None => self.read_members(words),
            },
        };
        self.error = read.err();
    }

    fn add_one(&mut self, count: Count) {
        let times = Times { enabled: count.time_enabled, running: count.time_running };
        add(&mut self.tallies, [count.value].into_iter(), times, &mut self.estimated);
        self.times = times;
    }

    #[cold]
    fn read_members(&mut self, words: &mut Vec<u64>) -> Result<(), Error> {
        let Some(leader) = self.counters.first() else { return Ok(()) };
        let members = leader.members(words)?;
        let mut times = Times::default();
        let mut values = Vec::new();
        for member in 0..self.counters.len() {
            let count = members.of_member(member, self.counters.len())?;
            times = Times { enabled: count.time_enabled, running: count.time_running };
            values.push(count.value);
        }
        add(&mut self.tallies, values.into_iter(), times, &mut self.estimated);
        self.times = times;
        Ok(())
    }
}

/// Adds what was counted since the last time. While a group had its counters for a part of the
/// time, that is an estimate; while it had none, nothing is known until it has some again.
fn add(tallies: &mut [Tally], values: impl Iterator<Item = u64>, now: Times, last: &mut Times) {
    let enabled = now.enabled.saturating_sub(last.enabled);
    let running = now.running.saturating_sub(last.running);
    if running == 0 && enabled > 0 {
        return;
    }
    let is_estimate = running < enabled;
    for (tally, value) in tallies.iter_mut().zip(values) {
        let counted = value.saturating_sub(tally.last);
        let counted = match is_estimate {
            false => counted,
            true => {
                let scaled = u128::from(counted) * u128::from(enabled) / u128::from(running);
                u64::try_from(scaled).unwrap_or(u64::MAX)
            }
        };
        // As counters of the kernel do after 2^64.
        tally.total = tally.total.wrapping_add(counted);
        tally.last = value;
    }
    *last = now;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimates are of the time since the last one, and sums never decrease.
    #[test]
    fn sums_of_reads() {
        let mut tallies = [Tally::default()];
        let mut last = Times::default();
        for (value, enabled, running, total) in [
            (0, 0, 0, 0),
            (10, 10, 10, 10),
            // Half of the time.
            (20, 30, 20, 30),
            // No counter: unknown, and no part of the next estimate is lost.
            (20, 40, 20, 30),
            (25, 50, 25, 50),
            // Without multiplexing again: exact.
            (32, 60, 35, 57),
        ] {
            add(&mut tallies, [value].into_iter(), Times { enabled, running }, &mut last);
            assert_eq!(tallies[0].total, total, "{value} {enabled} {running}");
        }
    }
}
