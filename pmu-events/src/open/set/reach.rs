//! Where the counters of a group can count their task or CPU, and how long they could.

use std::vec::Vec;

use super::presence::{Domain, Present};
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

/// The CPUs to which the PMU of an event is limited, as that of one kind of core is.
pub(super) fn cpus_of_pmu(event: &Resolved, online: &CpuSet) -> Option<Vec<u32>> {
    // An unreadable list is an error of the places.
    let own = event.pmu().filter(|pmu| pmu.is_core())?.cpus().ok().flatten()?;
    let is_limited = online.iter().any(|cpu| !own.contains(cpu));
    is_limited.then(|| online.iter().filter(|&cpu| own.contains(cpu)).collect())
}

/// Whether an event can count on every CPU, whatever else is in its group.
pub(super) fn is_anywhere(member: &Resolved) -> bool {
    let own = member.pmu().map(|pmu| pmu.cpus());
    member.limit().is_none() && !matches!(own, Some(Ok(Some(_)) | Err(_)))
}

impl Reach {
    pub(super) fn of(
        members: &[Resolved],
        target: Target,
        cpus_of_pmu: Option<&[u32]>,
        inherits: bool,
    ) -> Self {
        let (thread, cpus) = match (target, cpus_of_pmu) {
            (Target::ThreadOnCpu { thread, cpu }, _) => (thread, std::vec![cpu]),
            (Target::ThisThread, Some(cpus)) => (0, cpus.to_vec()),
            (Target::Thread(thread), Some(cpus)) => (thread, cpus.to_vec()),
            _ => return Reach::Everywhere,
        };
        let software = [perf_type::SOFTWARE, perf_type::TRACEPOINT];
        match members.iter().all(|one| software.contains(&one.type_)) {
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
