//! Counters that somebody switches while they count: all of them, or the group that an event
//! leads (`evlist__ctlfd_enable` in `tools/perf/util/evlist.c`).

use super::Counters;
use super::each::all;
use super::group::Group;
use crate::open::Error;

impl Counters {
    /// Enables or disables the groups that some events lead, whether the task's `exec` would
    /// or has.
    pub(crate) fn switch(
        &mut self,
        is_it: impl Fn(usize) -> bool,
        is_on: bool,
    ) -> Result<(), Error> {
        let groups = self.groups.iter().filter(|group| group.leader().is_some_and(&is_it));
        if is_on {
            // More time than that of an event is none that it lacks. The set does not count as
            // enabled: others of its events may never be.
            self.presence.enable(false)?;
            all(groups.map(Group::switch_on))?;
        } else {
            // Not all are enabled any more.
            self.stopwatch.stop();
            all(groups.map(Group::disable))?;
        }
        // An event that is off for a while is not in error.
        self.pinned.forget();
        for (_, watch) in self.watches.iter_mut().filter(|(event, _)| is_it(*event)) {
            match is_on {
                true => watch.start(),
                false => watch.stop(),
            }
        }
        Ok(())
    }

    /// Enables all counters, whether the task's `exec` would or has, and whether anybody is left to
    /// count.
    pub(crate) fn switch_all_on(&mut self) -> Result<(), Error> {
        self.options.enable_on_exec = false;
        self.enable_without_check()
    }
}
