//! The events of a plan among all that are counted.

use pmu_events::measure::Plan;
use pmu_events::open::Cgroup;
use pmu_events::resolve::{Appended, Resolution};

/// Where the events of a plan are among all events: once for each control group.
pub(crate) struct PlanCopy {
    pub(crate) appended: Appended,
    pub(crate) cgroup: Option<Cgroup>,
}

impl PlanCopy {
    /// Appends the events of a plan to all events, once for each control group; `None` is
    /// everything.
    pub(crate) fn in_each(
        cgroups: &[Option<Cgroup>],
        plan: &Plan,
        all: &mut Resolution,
    ) -> Vec<Self> {
        let copy = |cgroup: &Option<Cgroup>| {
            let events = plan.resolution().clone();
            let events = match cgroup {
                Some(cgroup) => events.in_cgroup(cgroup),
                None => events,
            };
            PlanCopy { appended: all.append(events), cgroup: cgroup.clone() }
        };
        cgroups.iter().map(copy).collect()
    }
}
