//! What a word of the command line and `--unit` leave of a list.

use pmu_events::__private::glob;

use super::entry::{Entry, MetricEntry};

/// Which kinds of what belongs to metrics a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Groups, and the metrics of each.
    Both,
    Metrics,
    Groups,
}

impl What {
    pub(super) fn has_metrics(self) -> bool {
        self != What::Groups
    }

    pub(super) fn has_groups(self) -> bool {
        self != What::Metrics
    }
}

/// The present word, and the PMU of the whole list. Both are shell patterns in which
/// case matters, unless they are compared with a topic.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub(super) pmu: Option<String>,
    pub(super) name: Option<String>,
}

impl Filter {
    pub(super) fn lists(&self, entry: &Entry) -> bool {
        // What belongs to no PMU is listed whatever PMU is asked for.
        if let (Some(pattern), Some(pmu)) = (&self.pmu, &entry.pmu)
            && !glob::matches_case(pattern, pmu)
        {
            return false;
        }
        let Some(pattern) = &self.name else {
            return true;
        };
        glob::matches_case(pattern, &entry.name)
            || entry.alias.as_ref().is_some_and(|alias| glob::matches_case(pattern, alias))
            || entry.topic.as_ref().is_some_and(|topic| glob::matches(pattern, topic))
    }

    pub(super) fn lists_metric(&self, entry: &MetricEntry, what: What) -> bool {
        let Some(pattern) = &self.name else {
            return true;
        };
        what.has_metrics() && glob::matches_case(pattern, &entry.name)
            || what.has_groups() && glob::matches_case(pattern, &entry.group)
    }
}
