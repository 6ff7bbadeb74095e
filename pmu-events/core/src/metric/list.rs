//! The metrics of a model or of one group.

use super::Metric;
use crate::name;
use crate::packed::Tree;
use crate::wire::Section;

/// Metrics of a model, sorted by name.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let names: Vec<&str> = x86::SILVERMONT.metrics().map(|metric| metric.name()).collect();
/// assert!(names.contains(&"ipc"));
/// ```
#[derive(Clone, Debug)]
pub struct Metrics {
    pub(super) tree: &'static Tree,
    pub(super) first: usize,
    pub(super) count: usize,
    /// The start of the bitmap of the metrics of the model that these belong
    /// to. It follows the list of all of them.
    pub(super) members: u32,
}

impl Metrics {
    pub(crate) const fn new(tree: &'static Tree, first: usize, count: usize) -> Self {
        // Damaged tables may contain any number.
        Metrics { tree, first, count, members: first.wrapping_add(count) as u32 }
    }

    pub(crate) const fn nth_metric(&self, n: usize) -> Option<Metric> {
        if n < self.count {
            let number = self.tree.wire.number(Section::Lists, self.first.saturating_add(n)) as u32;
            Some(Metric { tree: self.tree, number, members: self.members })
        } else {
            None
        }
    }

    /// Returns the next metric. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    pub const fn step(&mut self) -> Option<Metric> {
        let metric = self.nth_metric(0);
        if metric.is_some() {
            self.first = self.first.saturating_add(1);
            self.count -= 1;
        }
        metric
    }

    /// Finds the first metric with this name, ignoring case.
    pub(crate) const fn find(&self, name: &str) -> Option<Metric> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(metric) = self.nth_metric(middle) else {
                return None;
            };
            match name::cmp(metric.name(), name) {
                core::cmp::Ordering::Less => low = middle + 1,
                _ => high = middle,
            }
        }
        match self.nth_metric(low) {
            Some(metric) if name::eq(metric.name(), name) => Some(metric),
            _ => None,
        }
    }

    /// Keeps the metrics that belong to a group, ignoring case.
    #[must_use]
    pub const fn in_group(self, group: &str) -> MetricsInGroup<'_> {
        MetricsInGroup { metrics: self, group }
    }
}

/// The metrics of one group.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let first_level = x86::SAPPHIRERAPIDS.metrics().in_group("TopdownL1");
/// assert_eq!(first_level.count(), 4);
/// ```
#[derive(Clone, Debug)]
pub struct MetricsInGroup<'n> {
    metrics: Metrics,
    group: &'n str,
}

impl MetricsInGroup<'_> {
    /// Returns the next metric. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    pub const fn step(&mut self) -> Option<Metric> {
        while let Some(metric) = self.metrics.step() {
            if metric.is_in(self.group) {
                return Some(metric);
            }
        }
        None
    }
}

impl Iterator for MetricsInGroup<'_> {
    type Item = Metric;

    fn next(&mut self) -> Option<Metric> {
        self.step()
    }
}

impl Iterator for Metrics {
    type Item = Metric;

    fn next(&mut self) -> Option<Metric> {
        self.step()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for Metrics {}
