//! How long tasks were on CPUs, and CPUs online, where an event's own times do not tell.
//!
//! The enabled time of a task's event passes wherever the task runs. If the event counts
//! only on some CPUs, because of a term `cpu` or because its PMU is that of one kind of
//! core, the time elsewhere must not be taken for multiplexing. A software event on the same
//! task and CPU always has its turn: its running time is the time that the task was there.
//!
//! The enabled time of a control group's event passes while a task of the group runs on the
//! CPU. That of a software event of the whole CPU passes while the CPU is online.

use std::vec::Vec;

use super::each::all;
use crate::event_list::Software;
use crate::format::Words;
use crate::open::{Attr, Count, Counter, Error, Flag, ReadFormat, Target};
use crate::perf_type;

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A task on one CPU, with its children or without.
    Task { thread: u32, cpu: u32, inherits: bool },
    /// A CPU.
    Cpu(u32),
}

/// The presence of tasks on CPUs, and of CPUs.
#[derive(Debug, Default)]
pub(super) struct Presence {
    watched: Vec<(Place, Counter)>,
}

/// Where an event of a task can count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Domain {
    pub(super) thread: u32,
    pub(super) cpus: Cpus,
    pub(super) inherits: bool,
}

/// Some CPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cpus {
    Only(u32),
    /// All but these: a CPU that comes online later may be of either kind, and the time
    /// there must not be left out.
    AllBut(Vec<u32>),
}

impl Domain {
    /// The places to watch.
    fn places(&self) -> impl Iterator<Item = Place> {
        let Domain { thread, ref cpus, inherits } = *self;
        let cpus = match cpus {
            Cpus::Only(cpu) => core::slice::from_ref(cpu),
            Cpus::AllBut(others) => others,
        };
        cpus.iter().map(move |&cpu| Place::Task { thread, cpu, inherits })
    }
}

/// What was read of the presence of tasks.
#[derive(Debug, Default)]
pub(super) struct Present(Vec<(Place, Result<Count, Error>)>);

impl Presence {
    /// Watches a task where an event can count it.
    pub(super) fn watch(&mut self, domain: &Domain, on_exec: bool) -> Result<(), Error> {
        domain.places().try_for_each(|place| self.watch_place(place, on_exec))
    }

    /// Watches whether a CPU stays online.
    pub(super) fn watch_cpu(&mut self, cpu: u32) -> Result<(), Error> {
        self.watch_place(Place::Cpu(cpu), false)
    }

    fn watch_place(&mut self, place: Place, on_exec: bool) -> Result<(), Error> {
        if self.watched.iter().any(|(known, _)| *known == place) {
            return Ok(());
        }
        let (target, inherits) = match place {
            Place::Task { thread, cpu, inherits } => {
                (Target::ThreadOnCpu { thread, cpu }, inherits)
            }
            Place::Cpu(cpu) => (Target::Cpu(cpu), false),
        };
        let counter = Counter::open(&attr(inherits, on_exec), target, None)?;
        self.watched.push((place, counter));
        Ok(())
    }

    /// Must be called before the events are enabled, so that this time includes theirs. With
    /// `on_exec`, tasks enable theirs.
    pub(super) fn enable(&self, on_exec: bool) -> Result<(), Error> {
        let is_now = |place: &Place| matches!(place, Place::Cpu(_)) || !on_exec;
        let now = self.watched.iter().filter(|(place, _)| is_now(place));
        now.map(|(_, counter)| counter).try_for_each(Counter::enable)
    }

    /// Must be called after the events are disabled.
    pub(super) fn disable(&self) -> Result<(), Error> {
        all(self.watched.iter().map(|(_, counter)| counter.disable()))
    }

    /// Must be called after the events are read.
    pub(super) fn read_into(&self, present: &mut Present) {
        present.0.clear();
        for (place, counter) in &self.watched {
            present.0.push((*place, counter.read()));
        }
    }
}

/// It counts nothing, and needs no right to count the kernel.
pub(super) fn attr(inherits: bool, on_exec: bool) -> Attr {
    let dummy = Attr::new(perf_type::SOFTWARE, Words::new(Software::Dummy.config()));
    let flags = [
        (Flag::Disabled, true),
        (Flag::ExcludeKernel, true),
        (Flag::ExcludeHv, true),
        (Flag::Inherit, inherits),
        (Flag::EnableOnExec, on_exec),
    ];
    let set = |attr: Attr, (flag, value)| attr.with(flag, value);
    flags.into_iter().fold(dummy.with_read_format(ReadFormat::TIMES), set)
}

impl Present {
    /// The enabled time of a CPU, as long as it is online; `None` if it is not watched.
    pub(super) fn of_cpu(&self, cpu: u32) -> Option<Result<u64, Error>> {
        let (_, read) = self.0.iter().find(|(known, _)| *known == Place::Cpu(cpu))?;
        Some(read.clone().map(|count| count.time_enabled))
    }

    /// Limits the enabled time of a count to the time in which its event could count.
    pub(super) fn limit(&self, count: Count, domain: &Domain) -> Result<Count, Error> {
        let mut present = 0_u64;
        let mut enabled = 0;
        for place in domain.places() {
            let Some((_, read)) = self.0.iter().find(|(known, _)| *known == place) else {
                continue;
            };
            let read = read.clone()?;
            present = present.saturating_add(read.time_running);
            enabled = enabled.max(read.time_enabled);
        }
        Ok(match domain.cpus {
            Cpus::Only(_) => limited_to(count, present, enabled),
            Cpus::AllBut(_) => limited_from(count, present),
        })
    }
}

/// `present` is measured over the enabled time `enabled`, which includes that of the event
/// and is longer by what happened between the system calls: so much of the presence may
/// belong to that time. An event that was never multiplexed keeps its count in any case, as
/// it ran all the time that it could.
fn limited_to(count: Count, present: u64, enabled: u64) -> Count {
    let outside = enabled.saturating_sub(count.time_enabled);
    let least = present.saturating_sub(outside).min(count.time_enabled);
    Count { time_enabled: least.max(count.time_running), ..count }
}

/// The same where the task was counted unless it was present.
fn limited_from(count: Count, present: u64) -> Count {
    let least = count.time_enabled.saturating_sub(present);
    Count { time_enabled: least.max(count.time_running), ..count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_elsewhere_are_not_multiplexing() {
        // Value, enabled and running; presence over its own enabled time; the estimate.
        type Case = ((u64, u64, u64), (u64, u64), Option<u64>);
        let cases: &[Case] = &[
            // Never multiplexed, and on the CPU for a quarter of the time.
            ((7, 40, 10), (10, 40), Some(7)),
            // The presence was measured for a little longer.
            ((7, 40, 10), (13, 43), Some(7)),
            ((7, 40, 10), (10, 43), Some(7)),
            // It had a counter for half of its time there.
            ((7, 40, 5), (10, 40), Some(14)),
            ((7, 40, 5), (12, 42), Some(14)),
            // Never there: nothing to be counted, rather than starved.
            ((0, 40, 0), (0, 40), None),
            ((0, 40, 0), (2, 42), None),
            // There, without a counter.
            ((0, 40, 0), (10, 40), None),
        ];
        for &((value, enabled, running), (present, of), expected) in cases {
            let count = limited_to(Count::new(value, enabled, running), present, of);
            assert_eq!(count.estimate(), expected, "{value} {enabled} {running} {present} {of}");
            let is_starved = running == 0 && present > of - enabled;
            assert_eq!(count.is_starved(), is_starved, "{value} {enabled} {running} {present}");
        }
    }

    /// The other way round: it was counted unless it was present there.
    #[test]
    fn times_on_other_cpus() {
        let cases: &[((u64, u64, u64), u64, Option<u64>, bool)] = &[
            ((7, 40, 10), 30, Some(7), false),
            // The presence was measured for a little longer.
            ((7, 40, 10), 33, Some(7), false),
            ((7, 40, 5), 30, Some(14), false),
            ((0, 40, 0), 40, None, false),
            ((0, 40, 0), 43, None, false),
            ((0, 40, 0), 30, None, true),
        ];
        for &((value, enabled, running), present, expected, is_starved) in cases {
            let count = limited_from(Count::new(value, enabled, running), present);
            assert_eq!(count.estimate(), expected, "{value} {enabled} {running} {present}");
            assert_eq!(count.is_starved(), is_starved, "{value} {enabled} {running} {present}");
        }
    }
}
