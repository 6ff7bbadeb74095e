//! Metrics.

use core::fmt;

use crate::name;
use crate::text::Text;
use crate::tree::Tree;
use crate::wire::record::{GroupRecord, MetricRecord};
use crate::wire::{BRIEF, PUBLIC, Section};

/// One metric of a tree: a small `Copy` view of a formula over events.
#[derive(Clone, Copy)]
pub struct Metric {
    tree: &'static Tree,
    number: u32,
}

impl Metric {
    #[inline]
    const fn record(self) -> MetricRecord {
        self.tree.wire.metric_record(self.number as usize)
    }

    /// The name, in the letter case of its source (`MetricName`).
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        self.tree.wire.str(self.record().name)
    }

    /// The formula, as the tree has it (`MetricExpr`); its grammar is that of
    /// [`crate::expr`].
    #[must_use]
    #[inline]
    pub const fn expression(self) -> &'static str {
        self.tree.wire.long(self.record().expression)
    }

    /// A formula over metrics and events that is true when the value deserves
    /// attention (`MetricThreshold`).
    #[must_use]
    pub const fn threshold(self) -> Option<&'static str> {
        let threshold = self.record().threshold;
        if threshold.len == 0 { None } else { Some(self.tree.wire.long(threshold)) }
    }

    /// The PMU whose events it is about, as the tree names it.
    #[must_use]
    pub const fn pmu(self) -> &'static str {
        self.tree.wire.nth_str(Section::Pmus, self.record().pmu as usize)
    }

    /// The topic: `metrics` for files whose name ends so.
    #[must_use]
    pub const fn topic(self) -> &'static str {
        self.tree.wire.nth_str(Section::Topics, self.record().topic as usize)
    }

    /// Its groups, joined by `;` (`MetricGroup`); empty for none.
    #[must_use]
    pub const fn group_string(self) -> &'static str {
        self.tree.wire.long(self.record().groups)
    }

    /// Its groups.
    #[must_use]
    pub const fn groups(self) -> GroupNames {
        GroupNames { rest: self.group_string() }
    }

    /// Whether it belongs to a group, without regard to case.
    #[must_use]
    pub const fn is_in(self, group: &str) -> bool {
        let mut groups = self.groups();
        while let Some((name, rest)) = groups.step() {
            if name::eq(name, group) {
                return true;
            }
            groups = rest;
        }
        false
    }

    /// The group within which its events are not put into one group of
    /// counters (`MetricgroupNoGroup`).
    #[must_use]
    pub const fn no_group(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().no_group)
    }

    /// The group under which `perf stat` shows it by default
    /// (`DefaultMetricgroupName`).
    #[must_use]
    pub const fn default_group(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().default_group)
    }

    /// Factor and unit of the value (`ScaleUnit`): `100%`.
    #[must_use]
    pub const fn scale_unit(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().scale_unit)
    }

    /// The pattern that a PMU's `identifier` must match as a whole (`Compat`).
    #[must_use]
    pub const fn compat(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().compat)
    }

    /// Over which CPUs its events are added up (`AggregationMode`).
    #[must_use]
    pub const fn aggregation(self) -> Option<Aggregation> {
        match self.record().aggregation {
            1 => Some(Aggregation::PerChip),
            2 => Some(Aggregation::PerCore),
            _ => None,
        }
    }

    /// Why its events may not be put into one group of counters
    /// (`MetricConstraint`).
    #[must_use]
    pub const fn constraint(self) -> Option<Constraint> {
        match self.record().constraint {
            1 => Some(Constraint::NoGroup),
            2 => Some(Constraint::NoGroupWithNmiWatchdog),
            3 => Some(Constraint::NoGroupWithSmt),
            4 => Some(Constraint::NoThresholdWithNmiWatchdog),
            _ => None,
        }
    }

    /// Whether `perf stat` shows its events beside it by default
    /// (`DefaultShowEvents`; after Linux 6.12).
    #[must_use]
    pub const fn shows_events(self) -> bool {
        self.record().show_events != 0
    }

    /// `BriefDescription`.
    #[must_use]
    pub const fn brief(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.metric_text(self.number as usize, BRIEF))
    }

    /// `PublicDescription`.
    #[must_use]
    pub const fn public(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.metric_text(self.number as usize, PUBLIC))
    }
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metric")
            .field("name", &self.name())
            .field("expression", &self.expression())
            .finish_non_exhaustive()
    }
}

/// Two metrics are equal when they are the same metric of one tree.
impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.tree, other.tree) && self.number == other.number
    }
}

impl Eq for Metric {}

/// Over which CPUs the events of a metric are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregation {
    /// Once for each chip.
    PerChip,
    /// Once for each core.
    PerCore,
}

/// Why the events of a metric may not be put into one group of counters
/// (`enum metric_event_groups` in `tools/perf/pmu-events/pmu-events.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// Never group them.
    NoGroup,
    /// Not while the NMI watchdog takes a counter.
    NoGroupWithNmiWatchdog,
    /// Not while hyper-threads share the counters.
    NoGroupWithSmt,
    /// Do not compute the threshold while the NMI watchdog takes a counter
    /// (after Linux 6.12).
    NoThresholdWithNmiWatchdog,
}

impl Tree {
    /// What a metric group is about (`metricgroups.json`), by its name without
    /// regard to case.
    #[must_use]
    pub const fn group_description(&'static self, group: &str) -> Option<Text> {
        let groups = self.wire.section(Section::Groups);
        let (mut low, mut high) = (0, groups.len() / GroupRecord::SIZE);
        while low < high {
            let middle = (low + high) / 2;
            let record = GroupRecord::read(groups, middle * GroupRecord::SIZE);
            match name::cmp(self.wire.str(record.name), group) {
                core::cmp::Ordering::Equal => return Text::new(self, record.description),
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The names of all described metric groups, in order.
    #[must_use]
    pub const fn groups(&'static self) -> Groups {
        Groups { tree: self, next: 0 }
    }
}

/// The described metric groups of a [`Tree`], by name.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    tree: &'static Tree,
    next: usize,
}

impl Groups {
    /// The next group's name and the groups behind it, for a `const fn`.
    #[must_use]
    pub const fn step(self) -> Option<(&'static str, Self)> {
        let groups = self.tree.wire.section(Section::Groups);
        if self.next >= groups.len() / GroupRecord::SIZE {
            return None;
        }
        let record = GroupRecord::read(groups, self.next * GroupRecord::SIZE);
        Some((self.tree.wire.str(record.name), Groups { next: self.next + 1, ..self }))
    }
}

impl Iterator for Groups {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let (name, rest) = self.step()?;
        *self = rest;
        Some(name)
    }
}

/// Metrics of a model, in the order of their names.
#[derive(Clone, Copy, Debug)]
pub struct Metrics {
    tree: &'static Tree,
    first: usize,
    count: usize,
}

impl Metrics {
    pub(crate) const fn new(tree: &'static Tree, first: usize, count: usize) -> Self {
        Metrics { tree, first, count }
    }

    pub(crate) const fn nth_metric(self, n: usize) -> Option<Metric> {
        if n < self.count {
            let number = self.tree.wire.number(Section::Lists, self.first + n) as u32;
            Some(Metric { tree: self.tree, number })
        } else {
            None
        }
    }

    /// The next metric and those behind it, for a `const fn`.
    #[must_use]
    pub const fn step(self) -> Option<(Metric, Self)> {
        match self.nth_metric(0) {
            Some(metric) => {
                let rest = Metrics { first: self.first + 1, count: self.count - 1, ..self };
                Some((metric, rest))
            }
            None => None,
        }
    }

    /// The first metric of a name, without regard to case.
    pub(crate) const fn find(self, name: &str) -> Option<Metric> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = (low + high) / 2;
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

    /// Those that belong to a group, without regard to case.
    #[must_use]
    pub const fn in_group(self, group: &str) -> MetricsInGroup<'_> {
        MetricsInGroup { metrics: self, group }
    }
}

/// The metrics of one group.
#[derive(Clone, Copy, Debug)]
pub struct MetricsInGroup<'n> {
    metrics: Metrics,
    group: &'n str,
}

impl MetricsInGroup<'_> {
    /// The next metric and those behind it, for a `const fn`.
    #[must_use]
    pub const fn step(self) -> Option<(Metric, Self)> {
        let mut metrics = self.metrics;
        while let Some((metric, rest)) = metrics.step() {
            if metric.is_in(self.group) {
                return Some((metric, MetricsInGroup { metrics: rest, ..self }));
            }
            metrics = rest;
        }
        None
    }
}

impl Iterator for MetricsInGroup<'_> {
    type Item = Metric;

    fn next(&mut self) -> Option<Metric> {
        let (metric, rest) = self.step()?;
        *self = rest;
        Some(metric)
    }
}

/// The names in a metric's list of groups.
#[derive(Clone, Copy, Debug)]
pub struct GroupNames {
    rest: &'static str,
}

impl GroupNames {
    /// The next name and those behind it, for a `const fn`.
    #[must_use]
    pub const fn step(self) -> Option<(&'static str, Self)> {
        let mut rest = self.rest;
        while !rest.is_empty() {
            let mut end = 0;
            while end < rest.len() && rest.as_bytes()[end] != b';' {
                end += 1;
            }
            let (name, behind) = rest.split_at(end);
            rest = match behind.split_at_checked(1) {
                Some((_, behind)) => behind,
                None => "",
            };
            if !name.is_empty() {
                return Some((name, GroupNames { rest }));
            }
        }
        None
    }
}

impl Iterator for GroupNames {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let (name, rest) = self.step()?;
        *self = rest;
        Some(name)
    }
}

impl Iterator for Metrics {
    type Item = Metric;

    fn next(&mut self) -> Option<Metric> {
        let (metric, rest) = self.step()?;
        *self = rest;
        Some(metric)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for Metrics {}
