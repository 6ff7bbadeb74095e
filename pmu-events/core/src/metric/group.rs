//! Metric groups.

use super::list::{Metrics, MetricsInGroup};
use crate::packed::Tree;
use crate::text::Text;
use crate::wire::Section;
use crate::wire::record::GroupRecord;

/// A metric group of a model.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let group = x86::SAPPHIRERAPIDS.metric_group("branches").unwrap();
/// assert_eq!(group.name(), "Branches");
/// assert!(group.metrics().all(|metric| metric.is_in("Branches")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MetricGroup {
    tree: &'static Tree,
    number: usize,
    /// All metrics of the model, as a range of a list.
    metrics: (usize, usize),
}

impl MetricGroup {
    const fn record(&self) -> GroupRecord {
        let groups = self.tree.wire.section(Section::Groups);
        GroupRecord::nth(groups, self.number)
    }

    /// Returns the name, in the letter case of its description if it has one,
    /// otherwise of one of its metrics.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.tree.wire.str(self.record().name)
    }

    /// Returns the description (`metricgroups.json`).
    #[must_use]
    pub const fn description(&self) -> Option<Text> {
        Text::new(self.tree, self.record().description)
    }

    /// Returns the model's metrics in this group, sorted by name.
    #[must_use]
    pub const fn metrics(&self) -> MetricsInGroup<'static> {
        let (first, count) = self.metrics;
        Metrics::new(self.tree, first, count).in_group(self.name())
    }
}

/// The metric groups of a model, sorted by name.
#[derive(Clone, Debug)]
pub(crate) struct MetricGroups {
    tree: &'static Tree,
    metrics: (usize, usize),
    next: usize,
    end: usize,
}

impl MetricGroups {
    /// The groups of all metrics of a model.
    pub(crate) const fn new(metrics: &Metrics) -> Self {
        let Metrics { tree, first, count, members } = *metrics;
        // These follow the list of the metrics and their bitmap.
        let (next, end) = if count == 0 {
            (0, 0)
        } else {
            let first = (members as usize).saturating_add(tree.wire.member_numbers() + 1);
            // At most as many as the tree has, whatever the number says.
            let most = tree.wire.section(Section::Groups).len() / GroupRecord::SIZE;
            let count = tree.wire.number(Section::Lists, first - 1);
            (first, first.saturating_add(if count < most { count } else { most }))
        };
        MetricGroups { tree, metrics: (first, count), next, end }
    }

    pub(crate) const fn step(&mut self) -> Option<MetricGroup> {
        if self.next >= self.end {
            return None;
        }
        let number = self.tree.wire.number(Section::Lists, self.next);
        self.next += 1;
        Some(MetricGroup { tree: self.tree, number, metrics: self.metrics })
    }
}

impl Iterator for MetricGroups {
    type Item = MetricGroup;

    fn next(&mut self) -> Option<MetricGroup> {
        self.step()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl ExactSizeIterator for MetricGroups {}

/// The metric groups of a [`Tree`] that have a description, sorted by name.
#[derive(Clone, Debug)]
pub(crate) struct DescribedGroups {
    tree: &'static Tree,
    next: usize,
}

impl DescribedGroups {
    pub(crate) const fn new(tree: &'static Tree) -> Self {
        DescribedGroups { tree, next: 0 }
    }
}

impl Iterator for DescribedGroups {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let groups = self.tree.wire.section(Section::Groups);
        while self.next < groups.len() / GroupRecord::SIZE {
            let record = GroupRecord::nth(groups, self.next);
            self.next += 1;
            if record.description != 0 {
                return Some(self.tree.wire.str(record.name));
            }
        }
        None
    }
}
