//! What costs how much of the whole, side by side: the tree without its levels.

use pmu_events::Metric;
use pmu_events::topdown::{Drill, Finding, Hierarchy};

/// Intel's metrics of this kind are what this one leaves of the whole.
const OTHERS: &str = "tma_bottleneck_other_bottlenecks";

/// A part of the whole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bottleneck {
    pub(crate) metric: Metric,
    /// From 0 to 1.
    pub(crate) part: f64,
    /// Whether it is what the parts of a node leave of it.
    pub(crate) is_rest: bool,
    /// The part of the time in which its events were counted.
    pub(crate) running: f64,
    pub(crate) is_estimate: bool,
}

/// The metrics with which the tables divide the whole; none where only the tree does.
pub(crate) fn metrics(tree: &Hierarchy) -> Vec<Metric> {
    let own = || tree.model().metrics().filter(|metric| metric.pmu() == tree.pmu());
    let Some(others) = own().find(|metric| metric.is_called(OTHERS)) else { return Vec::new() };
    let is_named =
        |metric: &Metric| others.expression().names().any(|name| name.as_str() == metric.name());
    own().filter(is_named).chain([others]).collect()
}

/// The parts of the whole, the largest first: those of the tables' own metrics or, without, those
/// of the tree.
pub(crate) fn of(drill: &Drill<'_>, own: &[(Metric, Finding)]) -> Vec<Bottleneck> {
    let of_metric = |&(metric, finding): &(Metric, Finding)| Bottleneck {
        metric,
        part: finding.value() / 100.0,
        is_rest: false,
        running: finding.running(),
        is_estimate: finding.is_estimate(),
    };
    let mut all: Vec<Bottleneck> = match own {
        [] => of_tree(drill),
        own => own.iter().map(of_metric).collect(),
    };
    all.retain(|one| one.part.is_finite() && !(one.is_rest && one.part == 0.0));
    all.sort_by(|a, b| b.part.total_cmp(&a.part));
    all
}

fn of_tree(drill: &Drill<'_>) -> Vec<Bottleneck> {
    let mut all = Vec::new();
    let roots = drill.tree().roots();
    divide(drill, roots, 1.0, &|root| drill.part(root), &mut all);
    all
}

/// Divides a part of the whole among nodes, and each of theirs among their own; the share of it
/// that is left. Parts that are more than all of it, because they overlap, are reduced to it.
fn divide(
    drill: &Drill<'_>,
    nodes: &[usize],
    whole: f64,
    share: &dyn Fn(usize) -> f64,
    all: &mut Vec<Bottleneck>,
) -> f64 {
    let known: Vec<(usize, Finding)> = nodes
        .iter()
        .filter_map(|&node| Some((node, *drill.finding(node)?)))
        .filter(|(_, finding)| finding.share().is_some() && !finding.is_implausible())
        .collect();
    let sum: f64 = known.iter().map(|&(node, _)| share(node)).sum();
    for (number, finding) in known {
        let node = &drill.tree().nodes()[number];
        let part = whole * share(number) / sum.max(1.0);
        let of_part = |child: usize| {
            let share = drill.finding(child).and_then(|finding| finding.share());
            share.unwrap_or(0.0).clamp(0.0, 1.0)
        };
        let rest = divide(drill, node.children(), part, &of_part, all);
        all.push(Bottleneck {
            metric: node.metric(),
            part: part * rest,
            is_rest: rest < 1.0,
            running: finding.running(),
            is_estimate: finding.is_estimate(),
        });
    }
    (1.0 - sum).max(0.0)
}
