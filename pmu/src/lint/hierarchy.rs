//! The hierarchies of metrics, and why each metric has its place.

use std::io::{self, Write};

use pmu_events_compiler::{Compiled, Model, Node, Rule};
use serde_json::json;

use crate::json;

pub(super) fn show(out: &mut impl Write, compiled: &Compiled, is_json: bool) -> io::Result<()> {
    for model in compiled.models.iter().filter(|model| !model.hierarchy.is_empty()) {
        if is_json {
            nodes(out, model)?;
        } else {
            tree(out, model)?;
        }
    }
    Ok(())
}

fn nodes(out: &mut impl Write, model: &Model) -> io::Result<()> {
    for node in &model.hierarchy {
        let parent = node.parent.map(|parent| &model.hierarchy[parent].metric);
        let keys = vec![
            ("model", json!(model.directory)),
            ("pmu", json!(node.pmu)),
            ("metric", json!(node.metric)),
            ("parent", json!(parent)),
            ("rule", json!(node.rule.to_string())),
            ("is_indicator", json!(node.rule == Rule::Indicator)),
            ("is_of_parent", json!(node.is_of_parent)),
        ];
        json::line(out, "node", keys)?;
    }
    Ok(())
}

/// The nodes of a model, each below its parent, with a heading for each PMU.
fn tree(out: &mut impl Write, model: &Model) -> io::Result<()> {
    let mut children = vec![Vec::new(); model.hierarchy.len()];
    let mut pmus: Vec<&str> = Vec::new();
    for (number, node) in model.hierarchy.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(number),
            None if !pmus.contains(&&*node.pmu) => pmus.push(&node.pmu),
            None => {}
        }
    }
    let is_root = |node: &Node, pmu: &str| node.parent.is_none() && node.pmu == pmu;
    for pmu in pmus {
        writeln!(out, "{}, {pmu}:", model.directory)?;
        let numbered = model.hierarchy.iter().enumerate();
        let roots = numbered.filter(|(_, node)| is_root(node, pmu)).map(|(number, _)| (number, 1));
        let mut left: Vec<(usize, usize)> = roots.collect();
        left.reverse();
        while let Some((number, level)) = left.pop() {
            let node = &model.hierarchy[number];
            let name = format!("{}{}", "  ".repeat(level), node.metric);
            let share = if node.is_of_parent { ", a share of its parent" } else { "" };
            writeln!(out, "{name:<45} {}{share}", node.rule)?;
            left.extend(children[number].iter().rev().map(|&child| (child, level + 1)));
        }
    }
    Ok(())
}
