//! The walk through a tree.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::hierarchy::{Hierarchy, Named, Node};
use super::limits;
use crate::expr::{EventValue, Identifier, Machine};
use crate::metric::{Latencies, Latency, LatencyOf};
use crate::{Metric, Model};

/// A walk through a [`Hierarchy`], from the first level to the leaves. See the
/// [module](super) for an example.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::topdown::{Drill, Hierarchy};
///
/// let trees = Hierarchy::of(x86::SKYLAKEX);
/// let drill = Drill::new(&trees[0]);
/// let step = drill.next_step().expect("the first level is not known yet");
/// let names: Vec<&str> = step.metrics().iter().map(|metric| metric.name()).collect();
/// assert!(names.contains(&"tma_retiring"));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Drill<'h> {
    tree: &'h Hierarchy,
    deepest: usize,
    takes_all: bool,
    latencies: Latencies,
    findings: Vec<Option<Finding>>,
}

/// The metrics to measure at once. Returned by [`Drill::next_step`].
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::topdown::{Drill, Hierarchy};
///
/// let trees = Hierarchy::of(x86::SKYLAKEX);
/// let step = Drill::new(&trees[0]).next_step().expect("nothing is known yet");
/// assert_eq!(step.nodes(), trees[0].roots());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Step {
    nodes: Vec<usize>,
    /// Other metrics that the nodes' thresholds name.
    others: Vec<Metric>,
    metrics: Vec<Metric>,
}

/// The count of an event.
///
/// ```
/// use pmu_events::topdown::EventCount;
///
/// // Counted all the time, and in a quarter of it.
/// let exact = EventCount::from(1e6);
/// let estimate = EventCount::new(exact.value(), 0.25);
/// assert_eq!((exact.running(), estimate.value()), (1.0, exact.value()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventCount {
    pub(crate) value: EventValue,
    pub(crate) running: f64,
}

impl EventCount {
    /// Creates the count of an event that was counted in a part of the time, from 0 to 1.
    #[must_use]
    pub fn new(value: impl Into<EventValue>, running: f64) -> Self {
        EventCount { value: value.into(), running }
    }

    /// Returns the count, as formulas take it.
    #[must_use]
    pub fn value(self) -> EventValue {
        self.value
    }

    /// Returns the part of the time in which the event was counted, from 0 to 1. If it is
    /// less than 1, the count is an estimate.
    #[must_use]
    pub fn running(self) -> f64 {
        self.running
    }
}

impl From<f64> for EventCount {
    fn from(value: f64) -> Self {
        EventCount { value: value.into(), running: 1.0 }
    }
}

/// What is known of a node.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::topdown::{Drill, Hierarchy};
///
/// let trees = Hierarchy::of(x86::SAPPHIRERAPIDS);
/// let mut drill = Drill::new(&trees[0]);
/// let step = drill.next_step().expect("nothing is known yet");
/// // Where an event is not counted, nothing is known of the nodes.
/// drill.learn(&step, &UnknownMachine, |_, _| f64::NAN.into());
/// let finding = drill.finding(trees[0].roots()[0]).unwrap();
/// assert!(finding.value().is_nan() && finding.is_over().is_none());
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    pub(crate) value: f64,
    pub(crate) unscaled: f64,
    pub(crate) share: Option<f64>,
    pub(crate) is_implausible: bool,
    pub(crate) is_over: Option<bool>,
    pub(crate) running: f64,
    pub(crate) is_estimate: bool,
}

impl Finding {
    /// Returns the value, scaled as the metric's [scale](Metric::scale) says. NaN if an
    /// event was not counted.
    #[must_use]
    pub fn value(self) -> f64 {
        self.value
    }

    /// Returns the value before its scale is applied.
    #[must_use]
    pub fn unscaled(self) -> f64 {
        self.unscaled
    }

    /// Returns the share of the scaled value in that of the parent or, on the first level, in
    /// the sum of that level, as the counts have it: parts overlap, so that it may be above 1.
    /// `None` for an [indicator](Node::is_indicator), or if it is unknown.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        self.share
    }

    /// Whether the value makes no sense: it is a share of a whole, and less than nothing or more
    /// than everything by over [`Drill::TOLERANCE`]. The counts do not belong together, or
    /// one of them is wrong.
    #[must_use]
    pub fn is_implausible(self) -> bool {
        self.is_implausible
    }

    /// Whether the node is over its threshold; `None` if that is unknown, if the value makes no
    /// sense, or if an indicator has no threshold.
    #[must_use]
    pub fn is_over(self) -> Option<bool> {
        self.is_over
    }

    /// Returns the part of the time in which all of its events were counted: the least of
    /// its [counts](EventCount::running).
    #[must_use]
    pub fn running(self) -> f64 {
        self.running
    }

    /// Whether the value uses retirement latencies that are from the tables, and so is an
    /// estimate ([`Latency::is_estimate`]).
    #[must_use]
    pub fn is_estimate(self) -> bool {
        self.is_estimate
    }
}

/// A node and what is known of it.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::topdown::{Drill, Hierarchy};
///
/// let trees = Hierarchy::of(x86::SAPPHIRERAPIDS);
/// let mut drill = Drill::new(&trees[0]);
/// let step = drill.next_step().expect("nothing is known yet");
/// drill.learn(&step, &UnknownMachine, |_, _| 1.0.into());
/// for found in drill.found() {
///     println!("{}: {}", found.node().metric().name(), found.finding().value());
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Found<'h> {
    pub(crate) number: usize,
    pub(crate) node: &'h Node,
    pub(crate) finding: Finding,
}

impl<'h> Found<'h> {
    /// Returns the number of the node.
    #[must_use]
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns the node.
    #[must_use]
    pub fn node(self) -> &'h Node {
        self.node
    }

    /// Returns what is known of it.
    #[must_use]
    pub fn finding(self) -> Finding {
        self.finding
    }
}

/// A node at which the walk has ended, and what is known of it. Returned by
/// [`Drill::leaves`].
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::topdown::{Drill, Hierarchy};
///
/// let trees = Hierarchy::of(x86::SAPPHIRERAPIDS);
/// let mut drill = Drill::new(&trees[0]).with_level(1);
/// let step = drill.next_step().expect("nothing is known yet");
/// drill.learn(&step, &UnknownMachine, |_, event| match event.as_str() {
///     "topdown-be-bound" | "slots" => 80.0.into(),
///     _ => 0.0.into(),
/// });
/// let leaf = drill.leaves()[0];
/// assert_eq!((leaf.rank(), leaf.node().metric().name()), (1, "tma_backend_bound"));
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'h> {
    pub(crate) number: usize,
    pub(crate) node: &'h Node,
    pub(crate) finding: Finding,
    pub(crate) part: f64,
    pub(crate) rest: Option<f64>,
    pub(crate) rank: usize,
    pub(crate) overlaps: bool,
}

impl<'h> Leaf<'h> {
    /// Returns the number of the node.
    #[must_use]
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns the node.
    #[must_use]
    pub fn node(self) -> &'h Node {
        self.node
    }

    /// Returns what is known of it.
    #[must_use]
    pub fn finding(self) -> Finding {
        self.finding
    }

    /// Returns the part of the whole that the leaf is: [that of the node](Drill::part), or of its rest.
    #[must_use]
    pub fn part(self) -> f64 {
        self.part
    }

    /// Returns the share of the node that none of its parts explains, if some of them are leaves, or have
    /// leaves below them; `None` if the whole node is meant.
    #[must_use]
    pub fn rest(self) -> Option<f64> {
        self.rest
    }

    /// Returns the place among all leaves, from 1. Leaves that overlap share one.
    #[must_use]
    pub fn rank(self) -> usize {
        self.rank
    }

    /// Whether another leaf is below a sibling that
    /// [overlaps](Node::overlaps) with this node, or with one above it: which of them comes
    /// first says nothing.
    #[must_use]
    pub fn overlaps(self) -> bool {
        self.overlaps
    }
}

impl Step {
    /// Returns the metrics whose events to count.
    #[must_use]
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// Returns the numbers of the nodes that become known.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }
}

/// The value of a metric, and what is to be said of it.
struct Measured {
    unscaled: f64,
    running: f64,
    is_estimate: bool,
}

impl Measured {
    /// All but its place in a tree.
    fn into_finding(self, metric: Metric) -> Finding {
        let Measured { unscaled, running, is_estimate } = self;
        Finding {
            value: unscaled * metric.scale().0,
            unscaled,
            share: None,
            is_implausible: false,
            is_over: None,
            running,
            is_estimate,
        }
    }
}

/// What is to be said of the operands of a formula, together.
struct Seen {
    are_counted: bool,
    running: f64,
    is_estimate: bool,
}

impl Seen {
    const NOTHING: Self = Seen { are_counted: true, running: 1.0, is_estimate: false };

    fn takes(&mut self, (count, is_estimate): (EventCount, bool)) -> EventCount {
        self.are_counted &= !count.value.value().is_nan();
        self.running = self.running.min(count.running);
        self.is_estimate |= is_estimate;
        count
    }
}

/// Evaluates a metric.
fn measured(
    metric: Metric,
    model: Model,
    latencies: &Latencies,
    machine: &impl Machine,
    mut count: impl FnMut(Metric, Identifier<'static>) -> EventCount,
) -> Measured {
    let mut read = |operand: Identifier<'static>| -> (EventCount, bool) {
        let Some(of) = LatencyOf::parse(operand.as_str()) else {
            return (count(metric, operand), false);
        };
        let latency = latencies.find([model], of);
        let cycles = latency.map_or(f64::NAN, |latency| latency.cycles);
        (cycles.into(), latency.is_some_and(Latency::is_estimate))
    };
    let mut seen = Seen::NOTHING;
    let value = metric.unscaled_on(machine, |operand| seen.takes(read(operand)).value);
    if !seen.are_counted {
        // The operand may be in a branch that the machine never takes.
        seen = Seen::NOTHING;
        for operand in metric.events_on(machine).chain(metric.latencies_on(machine)) {
            seen.takes(read(operand));
        }
    }
    // A formula may have a value without it: `max(NaN, 0)` is 0.
    let unscaled = if seen.are_counted { value } else { f64::NAN };
    let is_estimate = seen.is_estimate && !unscaled.is_nan();
    Measured { unscaled, running: seen.running, is_estimate }
}

/// Returns what is known of a metric that is no node of a tree. Its events are read as
/// [`Drill::learn`] reads those of nodes.
pub fn beside(
    drill: &Drill<'_>,
    metric: Metric,
    machine: &impl Machine,
    count: impl FnMut(Metric, Identifier<'static>) -> EventCount,
) -> Finding {
    let model = drill.tree.model();
    measured(metric, model, &drill.latencies, machine, count).into_finding(metric)
}

impl<'h> Drill<'h> {
    /// The share of its parent from which a node without a threshold counts as over
    /// it, and from which the rest of a node is a finding.
    pub const SHARE: f64 = limits::SHARE;

    /// The part of the whole from which a node without a threshold, and the rest of a node, are
    /// findings: the least value with which Intel's tables call a share of slots or cycles large.
    /// On the first level, [more is asked for](super#when-a-node-is-over).
    pub const LEAST: f64 = limits::LEAST;

    /// How far a share may be below 0 or above 1 without being implausible: events that are
    /// counted one after the other, and estimates, are off by some percent.
    #[doc(hidden)]
    pub const TOLERANCE: f64 = 0.05;

    /// Starts at the first level.
    #[must_use]
    pub fn new(tree: &'h Hierarchy) -> Self {
        let findings = vec![None; tree.nodes().len()];
        let latencies = Latencies::default();
        Drill { tree, deepest: usize::MAX, takes_all: false, latencies, findings }
    }

    /// Stops at a level.
    #[must_use]
    pub fn with_level(self, deepest: usize) -> Self {
        Drill { deepest, ..self }
    }

    /// Descends into all nodes, also into those that are not over their threshold.
    #[must_use]
    pub fn with_all(self) -> Self {
        Drill { takes_all: true, ..self }
    }

    /// Selects the retirement latencies that formulas take; by default, the means of the
    /// tables.
    #[must_use]
    pub fn with_latencies(self, latencies: Latencies) -> Self {
        Drill { latencies, ..self }
    }

    /// Returns the tree.
    #[must_use]
    pub fn tree(&self) -> &'h Hierarchy {
        self.tree
    }

    /// Returns what to measure next: the nodes of the first level, then the parts
    /// of those nodes that turned out to be over their threshold. `None` at the
    /// end.
    #[must_use]
    pub fn next_step(&self) -> Option<Step> {
        let mut nodes = Vec::new();
        let wanted = |&number: &usize| {
            self.findings[number].is_none() && self.tree.nodes()[number].level() <= self.deepest
        };
        if self.takes_all {
            // Nothing depends on what is found: fewer passes count all levels together.
            nodes.extend((0..self.tree.nodes().len()).filter(wanted));
        }
        nodes.extend(self.tree.roots().iter().copied().filter(wanted));
        for (node, finding) in self.tree.nodes().iter().zip(&self.findings) {
            if finding.is_some_and(|finding| finding.is_over == Some(true)) {
                nodes.extend(node.children().iter().copied().filter(wanted));
            }
        }
        // Otherwise one level at a time.
        let level = |number: usize| self.tree.nodes()[number].level();
        let first = nodes.iter().map(|&number| level(number)).min()?;
        nodes.retain(|&number| self.takes_all || level(number) == first);
        nodes.sort_unstable();
        nodes.dedup();
        let others = self.others(&nodes);
        let of_nodes = nodes.iter().map(|&number| self.tree.nodes()[number].metric());
        let metrics = of_nodes.chain(others.iter().copied()).collect();
        Some(Step { nodes, others, metrics })
    }

    /// The metrics that thresholds of nodes name, whose values are neither known
    /// nor measured together with the nodes.
    fn others(&self, nodes: &[usize]) -> Vec<Metric> {
        let mut others: Vec<Metric> = Vec::new();
        for (_, named) in nodes.iter().flat_map(|&number| self.tree.nodes()[number].named()) {
            let metric = match *named {
                Named::Node(number) if self.findings[number].is_some() => continue,
                // The nodes are sorted.
                Named::Node(number) if nodes.binary_search(&number).is_ok() => continue,
                Named::Node(number) => self.tree.nodes()[number].metric(),
                Named::Other(metric) => metric,
                // It has no value here.
                Named::Event => continue,
            };
            if !others.contains(&metric) {
                others.push(metric);
            }
        }
        others
    }

    /// Takes the counts of a step. `count` returns the count of an event that a
    /// metric of the step needs ([`Metric::events_on`]); metrics may be counted one
    /// after the other, so the same event may have another count for another
    /// metric. An event that was not counted is NaN ([`EventValue::NOT_COUNTED`]).
    /// Retirement latencies are not asked for
    /// ([`with_latencies`](Self::with_latencies)).
    pub fn learn(
        &mut self,
        step: &Step,
        machine: &impl Machine,
        mut count: impl FnMut(Metric, Identifier<'static>) -> EventCount,
    ) {
        let (model, latencies) = (self.tree.model(), self.latencies.clone());
        let mut measure = |metric| measured(metric, model, &latencies, machine, &mut count);
        let others: Vec<(Metric, f64)> =
            step.others.iter().map(|&metric| (metric, measure(metric).unscaled)).collect();
        for &number in &step.nodes {
            let metric = self.tree.nodes()[number].metric();
            self.findings[number] = Some(measure(metric).into_finding(metric));
        }
        // Thresholds may name any node of the step.
        for &number in &step.nodes {
            let share = self.share(number);
            let is_implausible = self
                .part_as_counted(number)
                .is_some_and(|part| !(-Self::TOLERANCE..=1.0 + Self::TOLERANCE).contains(&part));
            let is_over = match is_implausible {
                true => None,
                false => self.is_over(number, share, machine, &others),
            };
            if let Some(finding) = &mut self.findings[number] {
                (finding.share, finding.is_implausible) = (share, is_implausible);
                finding.is_over = is_over;
            }
        }
    }

    fn value(&self, number: usize) -> f64 {
        self.findings[number].map_or(f64::NAN, |finding| finding.value)
    }

    fn unscaled(&self, number: usize) -> f64 {
        self.findings[number].map_or(f64::NAN, |finding| finding.unscaled)
    }

    fn share(&self, number: usize) -> Option<f64> {
        let node = &self.tree.nodes()[number];
        if node.is_indicator() {
            return None;
        }
        let whole = match node.parent() {
            Some(_) if node.is_of_parent() => 100.0,
            // Scaled, because some trees mix fractions and percentages.
            Some(parent) => self.value(parent),
            None => self.first_level(),
        };
        let share = self.value(number) / whole;
        share.is_finite().then_some(share)
    }

    /// The sum of the first level. What is below 0 takes nothing from what is not.
    fn first_level(&self) -> f64 {
        let known = self.tree.roots().iter().map(|&root| self.value(root));
        known.filter(|value| *value > 0.0).sum()
    }

    /// The value as a part of a whole: of 100 %, or of the first level if it has the same
    /// unit. `None` if it is no part, or if it is unknown.
    fn part_as_counted(&self, number: usize) -> Option<f64> {
        let node = &self.tree.nodes()[number];
        let unit = |number: usize| self.tree.nodes()[number].metric().scale().1;
        let whole = match unit(number) {
            _ if node.is_indicator() => return None,
            unit if unit.starts_with('%') || unit.starts_with("percent") => 100.0,
            own if self.tree.roots().iter().all(|&root| unit(root) == own) => self.first_level(),
            _ => return None,
        };
        let part = self.value(number) / whole;
        part.is_finite().then_some(part)
    }

    fn is_over(
        &self,
        number: usize,
        share: Option<f64>,
        machine: &impl Machine,
        others: &[(Metric, f64)],
    ) -> Option<bool> {
        if self.unscaled(number).is_nan() {
            return None;
        }
        let Some(threshold) = self.tree.nodes()[number].metric().threshold() else {
            // Nothing is no large part, not even of nothing.
            let is_nothing = self.value(number) == 0.0;
            let node = &self.tree.nodes()[number];
            let is_over = share.map(|share| {
                let part = match node.parent() {
                    Some(parent) => share.clamp(0.0, 1.0) * self.part(parent),
                    None => self.part_as_counted(number).unwrap_or(share),
                };
                limits::is_much(node, share, part)
            });
            return is_over.or(is_nothing.then_some(false));
        };
        let named = self.tree.nodes()[number].named();
        let of_other = |wanted: Metric| {
            let other = others.iter().find(|(metric, _)| *metric == wanted);
            other.map_or(f64::NAN, |(_, value)| *value)
        };
        let value = threshold.evaluate_on(machine, |identifier| {
            let meaning = named.iter().find(|(name, _)| *name == identifier.as_str());
            match meaning.map_or(Named::Event, |(_, meaning)| *meaning) {
                Named::Node(number) if self.findings[number].is_some() => self.unscaled(number),
                Named::Node(number) => of_other(self.tree.nodes()[number].metric()),
                Named::Other(metric) => of_other(metric),
                Named::Event => f64::NAN,
            }
        });
        (!value.is_nan()).then_some(value != 0.0)
    }

    /// Returns what is known of a node; `None` if it has not been measured.
    #[must_use]
    pub fn finding(&self, number: usize) -> Option<&Finding> {
        self.findings.get(number)?.as_ref()
    }

    /// Returns the part of the whole that a node is, from 0 to 1: the product of the shares from
    /// the first level to the node, none of which counts as more than its parent, nor, if it is
    /// [implausible](Finding::is_implausible), as anything. Values of different nodes may be shares of slots, of cycles, or rates. An unknown
    /// share counts as all.
    #[must_use]
    pub fn part(&self, number: usize) -> f64 {
        self.way(number).map(|one| self.clamped(one).unwrap_or(1.0)).product()
    }

    /// Returns all known nodes, parents before their children.
    #[must_use]
    pub fn found(&self) -> Vec<Found<'h>> {
        let mut all = Vec::new();
        let mut waiting: Vec<usize> = self.tree.roots().iter().rev().copied().collect();
        while let Some(number) = waiting.pop() {
            let node = &self.tree.nodes()[number];
            if let Some(finding) = self.findings[number] {
                all.push(Found { number, node, finding });
                waiting.extend(node.children().iter().rev());
            }
        }
        all
    }

    fn is_over_its_threshold(&self, number: usize) -> bool {
        self.findings[number].is_some_and(|finding| finding.is_over == Some(true))
    }

    /// Returns the nodes at which the walk has ended: those that are over their
    /// threshold, as are all above them, but none of their parts; and those whose parts leave a
    /// [rest](Leaf::rest) of at least [`SHARE`](Self::SHARE). The only node of a first level, which is
    /// all of the time, is one only with a rest.
    ///
    /// The order is that of the walk, as the method has it: what is below the largest
    /// [part](Self::part) of the whole on the first level comes first, and so on below that.
    /// Values of different levels are shares of slots and of cycles, some of them estimates, so
    /// only those of one level are compared. Leaves that overlap stand together, by the names
    /// of the nodes that do, where the first of them belongs.
    #[must_use]
    pub fn leaves(&self) -> Vec<Leaf<'h>> {
        let leaf = |found: Found<'h>| {
            let Found { number, node, finding } = found;
            if !self.way(number).all(|one| self.is_over_its_threshold(one)) {
                return None;
            }
            let has_more = node.children().iter().any(|&child| self.is_over_its_threshold(child));
            let rest = if has_more { Some(self.rest(number)?) } else { None };
            let part = self.part(number) * rest.unwrap_or(1.0);
            // All of the time is where nothing is found.
            let is_whole = node.parent().is_none() && self.tree.roots().len() == 1;
            let is_much = match rest {
                Some(rest) => limits::is_much_of_rest(node, rest, part),
                None => !is_whole,
            };
            is_much.then_some(Leaf { number, node, finding, part, rest, rank: 0, overlaps: false })
        };
        let mut leaves: Vec<Leaf<'h>> = self.found().into_iter().filter_map(leaf).collect();
        leaves.sort_by(|a, b| {
            let parts = self.parts_on_way(b).into_iter().zip(self.parts_on_way(a));
            let mut order = parts.map(|(b, a)| b.total_cmp(&a));
            order.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        let groups: Vec<Option<(usize, usize)>> =
            leaves.iter().map(|leaf| self.overlap(leaf.number)).collect();
        let has_other = |own: &Option<(usize, usize)>| {
            let (group, member) = (*own)?;
            let is_other = |other: &Option<(usize, usize)>| {
                other.is_some_and(|(of, other)| of == group && other != member)
            };
            groups.iter().any(is_other).then_some((group, member))
        };
        let overlaps: Vec<Option<(usize, usize)>> = groups.iter().map(has_other).collect();
        let mut ordered: Vec<Leaf<'h>> = Vec::new();
        for number in 0..leaves.len() {
            let rank = ordered.len() + 1;
            let Some((group, _)) = overlaps[number] else {
                ordered.push(Leaf { rank, ..leaves[number] });
                continue;
            };
            if ordered.iter().any(|known| known.number == leaves[number].number) {
                continue;
            }
            let of_group = |&other: &usize| overlaps[other].is_some_and(|(of, _)| of == group);
            let mut together: Vec<usize> = (0..leaves.len()).filter(of_group).collect();
            // Nodes are sorted by name. Below one of them, the largest comes first.
            together.sort_by_key(|&other| overlaps[other].map(|(_, member)| member));
            let marked =
                together.iter().map(|&other| Leaf { rank, overlaps: true, ..leaves[other] });
            ordered.extend(marked);
        }
        ordered
    }

    /// A node and those above it.
    fn way(&self, number: usize) -> impl Iterator<Item = usize> {
        core::iter::successors(Some(number), |&one| self.tree.nodes()[one].parent())
    }

    /// The share of a node in its parent that counts: it is no more than all of it. On the first
    /// level, the part of the whole.
    fn clamped(&self, number: usize) -> Option<f64> {
        let finding = self.findings[number]?;
        let is_first = self.tree.nodes()[number].parent().is_none();
        let of_whole = if is_first { self.part_as_counted(number) } else { None };
        let share = of_whole.or(finding.share)?;
        // Nonsense explains nothing.
        Some(if finding.is_implausible { 0.0 } else { share.clamp(0.0, 1.0) })
    }

    /// The parts of the whole that the nodes on the way to a leaf are, from the first level on,
    /// and the leaf's own.
    fn parts_on_way(&self, leaf: &Leaf<'_>) -> Vec<f64> {
        let mut parts: Vec<f64> = self.way(leaf.number).map(|one| self.part(one)).collect();
        parts.reverse();
        if leaf.rest.is_some() {
            parts.push(leaf.part);
        }
        parts
    }

    /// The share of a node that none of its parts explains; `None` if one of them is unknown.
    fn rest(&self, number: usize) -> Option<f64> {
        let nodes = self.tree.nodes();
        let mut parts =
            nodes[number].children().iter().filter(|&&part| !nodes[part].is_indicator());
        let explained = parts.try_fold(0.0, |sum, &part| Some(sum + self.clamped(part)?))?;
        Some((1.0 - explained).clamp(0.0, 1.0))
    }

    /// The node whose parts overlap, and that of these parts on the way to a leaf: those nearest
    /// to the top.
    fn overlap(&self, number: usize) -> Option<(usize, usize)> {
        let nodes = self.tree.nodes();
        let of_parts = |one: usize| {
            let parent = nodes[one].parent()?;
            let mut over = nodes[parent].children().iter();
            let overlaps =
                over.any(|&part| nodes[part].overlaps() && self.is_over_its_threshold(part));
            overlaps.then_some((parent, one))
        };
        self.way(number).filter_map(of_parts).last()
    }
}
