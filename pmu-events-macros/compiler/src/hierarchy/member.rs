//! The facts of a metric that give it its place.

use pmu_events_core::__private::scale;

use super::formula::Formula;
use crate::assemble::tree::Item;
use crate::entry::fields::Value;
use crate::formula::Formulas;

/// A metric of one PMU, each of which has another name.
pub(super) struct Member<'t> {
    /// The number in the table.
    pub(super) number: usize,
    /// The name in lower case.
    pub(super) key: &'t str,
    pub(super) name: &'t str,
    pub(super) groups: Vec<&'t str>,
    /// What the scale unit has after its factor.
    pub(super) unit: &'t str,
    pub(super) expression: Option<Formula<'t>>,
    pub(super) threshold: Option<Formula<'t>>,
}

impl<'t> Member<'t> {
    pub(super) fn new(number: usize, item: &'t Item<'_>, formulas: &'t Formulas) -> Self {
        let text = |value: &'t Option<Value<'_>>| value.as_ref().map_or("", |value| &*value.text);
        let groups = text(&item.entry.metric.groups).split(';');
        Member {
            number,
            key: &item.key,
            name: item.metric_name(),
            groups: groups.filter(|group| !group.is_empty()).collect(),
            unit: scale::split(text(&item.entry.texts.scale_unit)).1,
            expression: formulas.expression.as_ref().map(Formula::of),
            threshold: formulas.threshold.as_ref().map(Formula::of),
        }
    }

    pub(super) fn is_in(&self, wanted: &str) -> bool {
        self.groups.iter().any(|group| group.eq_ignore_ascii_case(wanted))
    }

    /// The level that a group states: `TopdownL1`, `TopDownL1`, `Topdown_L1`, `PipelineL1`,
    /// `PipelineUtilizationL1`. The group `topdown` has one level.
    pub(super) fn level(&self) -> Option<usize> {
        self.groups.iter().find_map(|group| {
            let group = folded(group);
            let mut prefixes = ["topdownl", "pipelinel", "pipelineutilizationl"].into_iter();
            let number = prefixes.find_map(|prefix| group.strip_prefix(prefix)?.parse().ok());
            number.filter(|&level| level > 0).or((group == "topdown").then_some(1))
        })
    }
}

/// In lower case, without `_`.
pub(super) fn folded(group: &str) -> String {
    group.chars().filter(|&c| c != '_').map(|c| c.to_ascii_lowercase()).collect()
}
