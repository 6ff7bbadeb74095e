//! `list metrics` and `list metricgroups`: metrics by name, with their groups,
//! and groups with their descriptions.

use std::io::{self, Write};

use pmu_events::Metric;
use pmu_events::expr::UnknownMachine;
use pmu_events::metric::MetricGroup;
use pmu_events::topdown::{Hierarchy, samples};

use crate::list::search::{Found, Pattern};
use crate::list::text;
use crate::spelling::count;
use crate::terminal::Page;
use crate::trees::Table;

/// Lists metrics by name, each with its groups.
pub(crate) fn metrics(
    page: &mut Page<impl Write>,
    found: &[Found],
    details: bool,
) -> io::Result<()> {
    for (n, found) in found.iter().filter(|found| !found.metrics.is_empty()).enumerate() {
        if n > 0 {
            page.blank()?;
        }
        page.heading(&format!("{}: {}", found.table, count(found.metrics.len(), "metric")))?;
        let mut metrics = found.metrics.clone();
        metrics.sort_by_key(|metric| metric.name().to_ascii_lowercase());
        let trees = if details { Hierarchy::of(found.table.model) } else { Vec::new() };
        for metric in metrics {
            if details {
                text::metric(page, metric, true)?;
                page.fact("events", needed(metric).join(", "))?;
                for (label, value) in place(&trees, metric) {
                    page.fact(label, value)?;
                }
                continue;
            }
            let groups: Vec<&str> = metric.groups().collect();
            let remark =
                if groups.is_empty() { String::new() } else { format!("[{}]", groups.join(", ")) };
            page.name(metric.name(), &remark)?;
            metric.description().map_or(Ok(()), |brief| page.paragraph(brief.trimmed()))?;
        }
    }
    Ok(())
}

/// The place of a metric in the top-down tree, and what to sample there.
fn place(trees: &[Hierarchy], metric: Metric) -> Vec<(&'static str, String)> {
    let find = |tree: &Hierarchy| {
        let number = tree.find(metric.name())?;
        (tree.nodes()[number].metric() == metric).then_some(number)
    };
    let Some((tree, number)) = trees.iter().find_map(|tree| Some((tree, find(tree)?))) else {
        return Vec::new();
    };
    let node = &tree.nodes()[number];
    let names = |numbers: &[usize]| {
        let others = numbers.iter().filter(|&&other| other != number);
        others.map(|&other| tree.nodes()[other].metric().name()).collect::<Vec<_>>().join(", ")
    };
    let siblings = node.parent().map_or(tree.roots(), |parent| tree.nodes()[parent].children());
    let mut facts = vec![("top-down level", format!("{} of {}", node.level(), tree.depth()))];
    if let Some(parent) = node.parent() {
        let label = if node.is_indicator() { "explains" } else { "part of" };
        facts.push((label, names(&[parent])));
    }
    facts.push(("siblings", names(siblings)));
    facts.push(("parts", names(node.children())));
    if metric.sample_with().next().is_none() {
        let samples = samples(tree, number, &UnknownMachine).into_iter();
        facts.push(("sample", samples.map(|sample| sample.event).collect::<Vec<_>>().join(", ")));
    }
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// The events that a metric needs, as the tree spells them.
pub(crate) fn needed(metric: Metric) -> Vec<String> {
    metric.events().map(|event| event.to_string()).collect()
}

/// The groups of a table that match a pattern.
pub(crate) fn groups(table: Table, patterns: &[Pattern]) -> Vec<MetricGroup> {
    let is_asked_for = |group: &MetricGroup| {
        patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches_group(*group))
    };
    table.model.metric_groups().filter(is_asked_for).collect()
}

/// Lists metric groups by name; with details, the metrics of each.
pub(crate) fn group_list(
    page: &mut Page<impl Write>,
    found: &[(Table, Vec<MetricGroup>)],
    details: bool,
) -> io::Result<()> {
    for (n, (table, groups)) in found.iter().filter(|(_, g)| !g.is_empty()).enumerate() {
        if n > 0 {
            page.blank()?;
        }
        page.heading(&format!("{table}: {}", count(groups.len(), "metric group")))?;
        for group in groups {
            let members: Vec<&str> = group.metrics().map(Metric::name).collect();
            page.name(group.name(), &count(members.len(), "metric"))?;
            if let Some(description) = group.description() {
                page.paragraph(description.trimmed())?;
            }
            if details {
                page.fact("metrics", members.join(", "))?;
            }
        }
    }
    Ok(())
}
