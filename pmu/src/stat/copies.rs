//! The events of a plan among all that are counted.

use pmu_events::open::Cgroup;
use pmu_events::resolve::Appended;

/// Where the events of a plan are among all events: once for each control group.
pub(crate) struct PlanCopy {
    pub(crate) appended: Appended,
    pub(crate) cgroup: Option<Cgroup>,
}
