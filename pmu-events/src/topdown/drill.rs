//! The walk through a tree.

use alloc::vec;
use alloc::vec::Vec;

use super::hierarchy::{Hierarchy, Named, Node};
use crate::Metric;
use crate::expr::{EventValue, Identifier, Machine};
use crate::metric::{Latencies, Latency, LatencyOf};

/// A walk through a [`Hierarchy`], from the first level to the leaves. See the
/// [module](super) for an example.
#[derive(Clone, Debug)]
pub struct Drill<'h> {
    tree: &'h Hierarchy,
    deepest: usize,
    takes_all: bool,
    latencies: Latencies,
    findings: Vec<Option<Finding>>,
}

/// The metrics to measure at once. Returned by [`Drill::next_step`].
#[derive(Clone, Debug)]
pub struct Step {
    nodes: Vec<usize>,
    /// Other metrics that the nodes' thresholds name.
    others: Vec<Metric>,
    metrics: Vec<Metric>,
}

/// The count of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventCount {
    /// The count, as formulas take it.
    pub value: EventValue,
    /// The part of the time in which the event was counted, from 0 to 1. If it is
    /// less than 1, the count is an estimate.
    pub running: f64,
}

impl From<f64> for EventCount {
    fn from(value: f64) -> Self {
        EventCount { value: value.into(), running: 1.0 }
    }
}

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The value, scaled as the metric's [scale](Metric::scale) says. NaN if an
    /// event was not counted.
    pub value: f64,
    /// The value before its scale is applied.
    pub unscaled: f64,
    /// The share of the scaled value in that of the parent or, on the first level, in
    /// the sum of that level; `None` for an [indicator](Node::is_indicator), or if it is unknown.
    pub share: Option<f64>,
    /// Whether the node is over its threshold; `None` if that is unknown, or if an
    /// indicator has no threshold.
    pub is_over: Option<bool>,
    /// The part of the time in which all of its events were counted: the least of
    /// its [counts](EventCount::running).
    pub running: f64,
    /// Whether the value uses retirement latencies that are from the tables, and so is an
    /// estimate ([`Latency::is_estimate`]).
    pub is_estimate: bool,
}

/// A node and what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Found<'h> {
    /// The number of the node.
    pub number: usize,
    /// The node.
    pub node: &'h Node,
    /// What is known of it.
    pub finding: Finding,
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

/// What is to be said of the operands of a formula, together.
struct Seen {
    are_counted: bool,
    running: f64,
    is_estimate: bool,
}

impl Seen {
    const NOTHING: Self = Seen { are_counted: true, running: 1.0, is_estimate: false };

    fn takes(&mut self, (count, is_estimate): (EventCount, bool)) -> EventCount {
        self.are_counted &= !count.value.value.is_nan();
        self.running = self.running.min(count.running);
        self.is_estimate |= is_estimate;
        count
    }
}

impl<'h> Drill<'h> {
    /// The share of its parent from which a node without a threshold counts as over
    /// it.
    pub const SHARE: f64 = 0.25;

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
        nodes.extend(self.tree.roots().iter().copied().filter(wanted));
        for (node, finding) in self.tree.nodes().iter().zip(&self.findings) {
            let Some(finding) = finding else { continue };
            if finding.is_over == Some(true) || self.takes_all {
                nodes.extend(node.children().iter().copied().filter(wanted));
            }
        }
        // One level at a time.
        let level = |number: usize| self.tree.nodes()[number].level();
        let first = nodes.iter().map(|&number| level(number)).min()?;
        nodes.retain(|&number| level(number) == first);
        nodes.sort_unstable();
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
        let mut read = |metric: Metric, operand: Identifier<'static>| -> (EventCount, bool) {
            let Some(of) = LatencyOf::read(operand.as_str()) else {
                return (count(metric, operand), false);
            };
            let latency = latencies.find([model], of);
            let cycles = latency.map_or(f64::NAN, |latency| latency.cycles);
            (cycles.into(), latency.is_some_and(Latency::is_estimate))
        };
        let mut measure = |metric: Metric| -> Measured {
            let mut seen = Seen::NOTHING;
            let value =
                metric.unscaled_on(machine, |operand| seen.takes(read(metric, operand)).value);
            if !seen.are_counted {
                // The operand may be in a branch that the machine never takes.
                seen = Seen::NOTHING;
                for operand in metric.events_on(machine).chain(metric.latencies_on(machine)) {
                    seen.takes(read(metric, operand));
                }
            }
            // A formula may have a value without it: `max(NaN, 0)` is 0.
            let unscaled = if seen.are_counted { value } else { f64::NAN };
            let is_estimate = seen.is_estimate && !unscaled.is_nan();
            Measured { unscaled, running: seen.running, is_estimate }
        };
        let others: Vec<(Metric, f64)> =
            step.others.iter().map(|&metric| (metric, measure(metric).unscaled)).collect();
        for &number in &step.nodes {
            let metric = self.tree.nodes()[number].metric();
            let Measured { unscaled, running, is_estimate } = measure(metric);
            let value = unscaled * metric.scale().0;
            let finding =
                Finding { value, unscaled, share: None, is_over: None, running, is_estimate };
            self.findings[number] = Some(finding);
        }
        // Thresholds may name any node of the step.
        for &number in &step.nodes {
            let share = self.share(number);
            let is_over = self.is_over(number, share, machine, &others);
            if let Some(finding) = &mut self.findings[number] {
                (finding.share, finding.is_over) = (share, is_over);
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
            // Scaled, because some trees mix fractions and percentages.
            Some(parent) => self.value(parent),
            None => {
                let known = self.tree.roots().iter().map(|&root| self.value(root));
                known.filter(|value| !value.is_nan()).sum()
            }
        };
        let share = self.value(number) / whole;
        share.is_finite().then_some(share)
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
            return share.map(|share| share >= Self::SHARE).or(is_nothing.then_some(false));
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

    /// Returns the nodes at which the walk has ended: those that are over their
    /// threshold, as are all above them, but none of their parts. Those with the
    /// largest part of the whole come first.
    #[must_use]
    pub fn leaves(&self) -> Vec<Found<'h>> {
        let is_over = |number: usize| {
            self.findings[number].is_some_and(|finding| finding.is_over == Some(true))
        };
        let is_leaf = |found: &Found<'_>| {
            let mut way = core::iter::successors(Some(found.number), |&number| {
                self.tree.nodes()[number].parent()
            });
            way.all(is_over) && !found.node.children().iter().any(|&child| is_over(child))
        };
        let mut leaves: Vec<Found<'h>> = self.found().into_iter().filter(is_leaf).collect();
        leaves.sort_by(|a, b| {
            let part = |found: &Found<'_>| self.part_of_whole(found.number);
            part(b).total_cmp(&part(a))
        });
        leaves
    }

    /// The product of the shares from a node to the top: values of different nodes
    /// may be shares of slots, of cycles, or rates.
    fn part_of_whole(&self, number: usize) -> f64 {
        let way = core::iter::successors(Some(number), |&one| self.tree.nodes()[one].parent());
        way.map(|one| self.findings[one].and_then(|finding| finding.share).unwrap_or(1.0)).product()
    }
}
