//! What is counted in a scope of a machine.

use std::fmt;

use pmu_events::measure::Plan;
use pmu_events::resolve::Resolution;

use crate::export::config::Scope;

/// What is counted in a scope.
pub(crate) struct Chosen {
    pub(crate) scope: Scope,
    /// The events of the lists, then those of the metrics.
    pub(crate) events: Resolution,
    pub(crate) metrics: Option<ChosenMetrics>,
    /// The items that the counters have no room for, each with the reason.
    pub(crate) left: Vec<(String, String)>,
}

/// The metrics of a scope.
pub(crate) struct ChosenMetrics {
    pub(crate) plan: Plan,
    /// How many answers of the scope's events come before those of the plan.
    pub(crate) first: usize,
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chosen").field("scope", &self.scope).finish_non_exhaustive()
    }
}
