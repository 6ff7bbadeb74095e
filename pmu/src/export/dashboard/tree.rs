//! The panels of the top-down tree.

use pmu_events::__private::topdown::alone;
use pmu_events::topdown::{Drill, Hierarchy, Node};
use pmu_events::{Metric, Model};

use super::MACHINE;
use super::panel::{Kind, Panel, Query, Rows};
use crate::export::rules::Rule;

/// The four parts of all slots, by their names on every model.
pub(super) const SLOTS: [&str; 4] =
    ["common.retiring", "common.frontend_bound", "common.bad_speculation", "common.backend_bound"];

/// Adds the panels of a model's trees: the parts of each node, and all nodes beside their
/// thresholds. Takes their rules out of `left`.
pub(super) fn panels(model: Model, left: &mut Vec<&Rule>, rows: &mut Rows) {
    let mut slots = Panel::new("Slots", Kind::Stack).with_unit("percentunit");
    for name in SLOTS {
        let rules = take(left, |rule| rule.metric.name() == name);
        slots = rules.into_iter().fold(slots, |panel, rule| panel.with(of_rule(rule)));
    }
    rows.add(slots);
    let mut nodes =
        Panel::new("Nodes beside their thresholds", Kind::Bars).with_unit("percentunit");
    let mut of_parents = Vec::new();
    let mut shown = Vec::new();
    for tree in Hierarchy::of(model) {
        let of_tree = |node: &&Node| !node.is_indicator();
        for node in tree.nodes().iter().filter(of_tree) {
            let rules = take(left, |rule| is_of(rule, node));
            for rule in &rules {
                let query = format!("avg by (pmu) ({}{MACHINE})", rule.name);
                // The stacks of POWER are cycles of an instruction.
                if rule.is_share() {
                    let query = Query::now(query, &legend(rule));
                    nodes = nodes.with(query.with_threshold(threshold(node)));
                }
            }
            shown.extend(rules.into_iter().map(|rule| (node.metric(), rule)));
        }
        let roots = tree.roots().iter().map(|&root| tree.nodes()[root].metric()).collect();
        let of_node = |node: &Node| {
            let parts = node.children().iter().map(|&child| tree.nodes()[child].metric());
            (format!("Parts of {}", node.metric().name()), parts.collect())
        };
        let of_roots = ("Top of the tree".to_owned(), roots);
        for (title, parts) in [of_roots].into_iter().chain(tree.nodes().iter().map(of_node)) {
            let parts: Vec<Metric> = parts;
            let mut panel = Panel::new(&title, Kind::Stack);
            for (_, rule) in shown.iter().filter(|(metric, _)| parts.contains(metric)) {
                panel = panel.with_unit(if rule.is_share() { "percentunit" } else { "short" });
                panel = panel.with(of_rule(rule));
            }
            of_parents.push(panel);
        }
    }
    rows.add(nodes);
    of_parents.into_iter().for_each(|panel| rows.add(panel));
}

fn is_of(rule: &Rule, node: &Node) -> bool {
    rule.metric == node.metric()
}

/// Takes some rules out of the others. Kinds of cores share the name of a rule, and its panel.
fn take<'r>(left: &mut Vec<&'r Rule>, is_meant: impl Fn(&Rule) -> bool) -> Vec<&'r Rule> {
    left.extract_if(.., |rule| is_meant(rule)).collect()
}

fn of_rule(rule: &Rule) -> Query {
    let query = format!("avg by (pmu) ({}{MACHINE})", rule.name);
    Query::new(query, &legend(rule))
}

/// The name of a node without what all nodes begin with.
pub(super) fn legend(rule: &Rule) -> String {
    let name = rule.metric.name();
    let name = name.strip_prefix("common.").or(name.strip_prefix("tma_")).unwrap_or(name);
    format!("{} {{{{pmu}}}}", name.replace('_', " "))
}

/// From which share on a node deserves attention: what its own threshold compares it with, else
/// the limit of its level.
fn threshold(node: &Node) -> Option<f64> {
    let own = node.metric().threshold().and_then(|formula| {
        let text = formula.to_string();
        let (_, rest) = text.split_once(&format!("{} > ", node.metric().name()))?;
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest[..end].parse().ok()
    });
    own.or_else(|| alone(node)).or(Some(Drill::LEAST))
}
