//! Which events of this thread a program may read without a system call.

use std::sync::Arc;

use super::event::SetEvent;
use super::options::Options;
use crate::format::{Format, Words};
use crate::open::page::Pages;
use crate::open::{Counter, Owner, Target};
use crate::perf_type;
use crate::resolve::Resolved;
use crate::system::{Scope, System};

/// What reading this thread's counters takes.
#[derive(Debug)]
pub(super) struct UserReads {
    owner: Arc<Owner>,
    /// What an event's words must have so that the kernel lets the program read its counter.
    request: Words,
}

impl UserReads {
    /// `None` where the options do not ask for it, or where it cannot be.
    ///
    /// A thread may move to another CPU between the steps of a read. If that one has fewer
    /// counters, or a PMU that programs may not read, the instruction ends the program before
    /// the page can tell. So all CPUs must have one kind of core.
    pub(super) fn of(options: &Options, system: &System) -> Option<Self> {
        if !options.user_space_reads || options.scope != Scope::ThisThread {
            return None;
        }
        let mut cores = system.sysfs().core_pmus();
        let (core, None) = (cores.next()?, cores.next()) else { return None };
        // On Arm, each event must ask for it (`armv8pmu_event_want_user_access`).
        let ask = |format: Format| Some(Words::NONE.with(format.word(), format.scatter(1).ok()?));
        let request = core.format("rdpmc").and_then(ask).unwrap_or(Words::NONE);
        Some(UserReads { owner: Owner::new()?, request })
    }

    /// Makes an event ask for it, if it is one of the cores.
    pub(super) fn ask(&self, event: &mut SetEvent) {
        if event.resolved().is_some_and(is_of_cores) {
            event.ask(self.request);
        }
    }

    /// Maps the pages of a group, if all of its events can be read: those that the kernel
    /// counts itself never can, nor those that count children, which run elsewhere.
    pub(super) fn map<'c>(
        &self,
        members: &[Resolved],
        target: Target,
        inherits: bool,
        counters: impl Iterator<Item = &'c Counter>,
    ) -> Option<Pages> {
        let can_be = target == Target::ThisThread && !inherits && members.iter().all(is_of_cores);
        if can_be { Pages::map(&self.owner, counters) } else { None }
    }
}

fn is_of_cores(event: &Resolved) -> bool {
    let elsewhere = [perf_type::SOFTWARE, perf_type::TRACEPOINT, perf_type::BREAKPOINT];
    !elsewhere.contains(&event.type_()) && event.pmu().is_none_or(|pmu| pmu.is_core())
}
