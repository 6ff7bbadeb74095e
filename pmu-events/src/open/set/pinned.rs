//! Whether pinned events of tasks lost their counters without a word.
//!
//! A pinned event that gets no counter is in error, and its file ends: a read says so. Once
//! its task has ended, the file no longer does; an inherited event of a child is never read
//! by itself; and an event that is enabled again counts on. All that remains is that its
//! enabled time stood still (`perf_event_update_time` in `kernel/events/core.c`), while that of
//! a software event on the same task went on.

use std::vec::Vec;

use super::each::all;
use super::presence;
use crate::open::{Counter, Error, Target};

/// Software events beside pinned events of tasks.
#[derive(Debug, Default)]
pub(super) struct PinnedTasks {
    watched: Vec<(Task, Counter)>,
}

/// A task, and whether its children belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) target: Target,
    pub(super) inherits: bool,
}

/// For how long the events of tasks were enabled.
pub(super) struct TimesEnabled(Vec<(Task, Result<u64, Error>)>);

impl PinnedTasks {
    pub(super) fn watch(&mut self, task: Task, on_exec: bool) -> Result<(), Error> {
        if !self.watched.iter().any(|(known, _)| *known == task) {
            let attr = presence::attr(task.inherits, on_exec);
            self.watched.push((task, Counter::open(&attr, task.target, None)?));
        }
        Ok(())
    }

    /// Must be called after the events are enabled, so that their time includes this one. With
    /// `on_exec`, tasks enable theirs.
    pub(super) fn enable(&self, on_exec: bool) -> Result<(), Error> {
        let now = self.watched.iter().filter(|_| !on_exec);
        now.map(|(_, counter)| counter).try_for_each(Counter::enable)
    }

    /// Must be called before the events are disabled.
    pub(super) fn disable(&self) -> Result<(), Error> {
        all(self.watched.iter().map(|(_, counter)| counter.disable()))
    }

    /// Must be called before the events are read.
    pub(super) fn read(&self) -> TimesEnabled {
        let read = |counter: &Counter| counter.read().map(|count| count.time_enabled);
        TimesEnabled(self.watched.iter().map(|(task, counter)| (*task, read(counter))).collect())
    }
}

impl TimesEnabled {
    /// For how long an event that was enabled for some time was in error, in nanoseconds; `None`
    /// if that is not watched.
    pub(super) fn in_error(&self, task: Task, enabled: u64) -> Option<Result<u64, Error>> {
        let (_, read) = self.0.iter().find(|(known, _)| *known == task)?;
        Some(read.clone().map(|all| all.saturating_sub(enabled)))
    }
}

/// Whether a time is no more than that by which the times of two events differ without an
/// error. Before Linux 6.2, software events have a context of their own, whose clock is
/// stopped and started a little later at each switch of tasks.
pub(super) fn is_noise(time: u64, enabled: u64) -> bool {
    time <= 10_000 + enabled / 128
}
