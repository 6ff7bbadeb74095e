//! What a metric counts, and where it is in the top-down tree.

use pmu_events::Metric;
use pmu_events::expr::UnknownMachine;
use pmu_events::topdown::{Hierarchy, samples};

use crate::facts::Fact;

/// The place of a metric in the top-down tree, and what to sample there.
pub(crate) fn of(trees: &[Hierarchy], metric: Metric) -> Vec<Fact> {
    let find = |tree: &Hierarchy| tree.find(metric.name()).filter(|_| tree.pmu() == metric.pmu());
    let Some((tree, number)) = trees.iter().find_map(|tree| Some((tree, find(tree)?))) else {
        return Vec::new();
    };
    let node = &tree.nodes()[number];
    let name = |number: usize| tree.nodes()[number].metric().name();
    let names = |numbers: &[usize]| {
        let others = numbers.iter().filter(|&&other| other != number);
        others.map(|&other| name(other)).collect::<Vec<_>>().join(", ")
    };
    let siblings = node.parent().map_or(tree.roots(), |parent| tree.nodes()[parent].children());
    let mut facts = Vec::new();
    if node.metric() != metric {
        facts.push(("same as", name(number).to_owned()));
    }
    facts.push(("top-down level", format!("{} of {}", node.level(), tree.depth())));
    if let Some(parent) = node.parent() {
        let label = if node.is_indicator() { "explains" } else { "part of" };
        facts.push((label, names(&[parent])));
    }
    facts.push(("siblings", names(siblings)));
    facts.push(("parts", names(node.children())));
    if metric.sample_with().next().is_none() {
        let samples = samples(tree, number, &UnknownMachine).into_iter();
        let samples: Vec<String> = samples.map(|sample| sample.event().into()).collect();
        facts.push(("sample", samples.join(", ")));
    }
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// The events that a metric needs, as the tree spells them.
pub(crate) fn needed(metric: Metric) -> Vec<String> {
    metric.events().map(|event| event.to_string()).collect()
}
