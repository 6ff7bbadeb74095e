//! Where the counters of a group can count their task or CPU, and how long they could.

use std::vec::Vec;

use super::presence::{Cpus, Domain, Present};
use crate::open::{Count, Error, Target};
use crate::perf_type;
use crate::resolve::Resolved;
use crate::sysfs::CpuSet;

/// Where a group counts what is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Wherever that is.
    Everywhere,
    /// Only on some CPUs, but always there: software needs no counters.
    Software,
    /// Only on some CPUs, where it may have to wait for a counter.
    Hardware(Domain),
}

/// The online CPUs on which the PMU of an event does not count, as that of one kind of core
/// does not on others.
pub(super) fn cpus_without_pmu(event: &Resolved, online: &CpuSet) -> Option<Vec<u32>> {
    // An unreadable list is an error of the places.
    let own = event.pmu().filter(|pmu| pmu.is_core())?.cpus().ok().flatten()?;
    let mut others = Vec::new();
    for cpu in online.iter() {
        if !own.contains(cpu) {
            others.push(cpu);
        }
    }
    if others.is_empty() { None } else { Some(others) }
}

/// Whether an event can count on every CPU, whatever else is in its group.
pub(super) fn is_anywhere(member: &Resolved) -> bool {
    let own = member.pmu().map(|pmu| pmu.cpus());
    member.limit().is_none() && !matches!(own, Some(Ok(Some(_)) | Err(_)))
}

/// Whether no event needs a counter.
pub(super) fn is_software(members: &[Resolved]) -> bool {
    for one in members {
        if !matches!(one.type_(), perf_type::SOFTWARE | perf_type::TRACEPOINT) {
            return false;
        }
    }
    true
}

impl Reach {
    pub(super) fn of(
        members: &[Resolved],
        target: Target,
        cpus_without_pmu: Option<&[u32]>,
        inherits: bool,
    ) -> Self {
        let (thread, cpus) = match (target, cpus_without_pmu) {
            (Target::ThreadOnCpu { thread, cpu }, _) => (thread, Cpus::Only(cpu)),
            (Target::ThisThread, Some(others)) => (0, Cpus::AllBut(others.to_vec())),
            (Target::Thread(thread), Some(others)) => (thread, Cpus::AllBut(others.to_vec())),
            _ => return Reach::Everywhere,
        };
        match is_software(members) {
            true => Reach::Software,
            false => Reach::Hardware(Domain { thread, cpus, inherits }),
        }
    }

    /// The count with the time in which it could be counted in place of the enabled time.
    pub(super) fn limit(&self, count: Count, present: &Present) -> Result<Count, Error> {
        match self {
            Reach::Everywhere => Ok(count),
            Reach::Software => Ok(Count { time_enabled: count.time_running, ..count }),
            Reach::Hardware(domain) => present.limit(count, domain),
        }
    }
}
