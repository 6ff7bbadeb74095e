//! Whether pinned events lost their counters without a word.
//!
//! A pinned event that gets no counter is in error, and its file ends: a read says so. Once
//! its task has ended, the file no longer does; an inherited event of a child is never read
//! by itself; and an event that is enabled again counts on. All that remains is that its
//! enabled time stood still (`perf_event_update_time` in `kernel/events/core.c`), while that of
//! a software event on the same task or CPU went on.

use std::vec::Vec;

use super::each::all;
use super::presence;
use crate::open::{Cgroup, Counter, Error, Target};

/// Software events beside pinned events.
#[derive(Debug, Default)]
pub(super) struct Pinned {
    watched: Vec<(Context, Counter)>,
}

/// Where an event counts (`struct perf_event_context`): a task, to which its children belong or
/// not, or a CPU, for all that runs there or for a control group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) target: Target,
    pub(super) inherits: bool,
    pub(super) cgroup: Option<Cgroup>,
}

/// For how long events were enabled.
#[derive(Debug, Default)]
pub(super) struct TimesEnabled(Vec<(Context, Result<u64, Error>)>);

impl Context {
    /// Whether it begins with the `exec` of its task.
    fn begins_with(&self, on_exec: bool) -> bool {
        on_exec && !self.target.is_whole_cpu()
    }
}

impl Pinned {
    pub(super) fn watch(&mut self, context: Context, on_exec: bool) -> Result<(), Error> {
        if !self.watched.iter().any(|(known, _)| *known == context) {
            let attr = presence::attr(context.inherits, context.begins_with(on_exec));
            let cgroup = context.cgroup.as_ref();
            let counter = Counter::open_in(cgroup, &attr, context.target, None)?;
            self.watched.push((context, counter));
        }
        Ok(())
    }

    /// Must be called after the events are enabled, so that their time includes this one. With
    /// `on_exec`, tasks enable theirs.
    pub(super) fn enable(&self, on_exec: bool) -> Result<(), Error> {
        let now = self.watched.iter().filter(|(context, _)| !context.begins_with(on_exec));
        now.map(|(_, counter)| counter).try_for_each(Counter::enable)
    }

    /// Watches nothing any more: events are no longer enabled together.
    pub(super) fn forget(&mut self) {
        self.watched.clear();
    }

    /// Must be called before the events are disabled.
    pub(super) fn disable(&self) -> Result<(), Error> {
        all(self.watched.iter().map(|(_, counter)| counter.disable()))
    }

    /// Must be called before the events are read.
    pub(super) fn read_into(&self, times: &mut TimesEnabled) {
        times.0.clear();
        for (context, counter) in &self.watched {
            let enabled = counter.read().map(|count| count.time_enabled);
            times.0.push((context.clone(), enabled));
        }
    }
}

impl TimesEnabled {
    /// For how long an event that was enabled for some time was in error, in nanoseconds; `None`
    /// if that is not watched.
    pub(super) fn in_error(&self, context: &Context, enabled: u64) -> Option<Result<u64, Error>> {
        let (_, read) = self.0.iter().find(|(known, _)| known == context)?;
        Some(read.clone().map(|all| all.saturating_sub(enabled)))
    }
}

/// Whether a time is no more than that by which the times of two events differ without an
/// error. Before Linux 6.2, software events have a context of their own, whose clock is
/// stopped and started a little later at each switch of tasks.
pub(super) fn is_noise(time: u64, enabled: u64) -> bool {
    time <= 10_000 + enabled / 128
}
