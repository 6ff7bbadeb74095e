//! `list metrics` and `list metricgroups`: metrics by name, with their groups,
//! and groups with their descriptions.

use std::io;

use pmu_events::Metric;
use pmu_events::metric::MetricGroup;
use pmu_events::text::Text;
use pmu_events::topdown::Hierarchy;

use crate::list::search::{Found, Pattern};
use crate::list::text;
use crate::spelling::count;
use crate::terminal::Page;
use crate::trees::Table;

/// Lists metrics by name, each with its groups.
pub(crate) fn metrics(page: &mut Page<'_>, found: &[Found], details: bool) -> io::Result<()> {
    for (n, found) in found.iter().filter(|found| !found.is_empty()).enumerate() {
        if n > 0 {
            page.blank()?;
        }
        page.heading(&format!("{}: {}", found.table, count(found.metrics.len(), "metric")))?;
        let mut metrics = found.metrics.clone();
        metrics.sort_by_key(|metric| metric.name().to_ascii_lowercase());
        let trees = if details { Hierarchy::of(found.table.model) } else { Vec::new() };
        for metric in metrics {
            if details {
                text::metric(page, metric, Some(&trees))?;
                continue;
            }
            let groups: Vec<&str> = metric.groups().collect();
            let remark =
                if groups.is_empty() { String::new() } else { format!("[{}]", groups.join(", ")) };
            page.name(metric.name(), &remark)?;
            let texts = [metric.description(), metric.long_description()];
            let [brief, long] = texts.map(|text| text.map(Text::trimmed));
            page.description(brief, long)?;
        }
        text::lacks(page, found)?;
    }
    Ok(())
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
    page: &mut Page<'_>,
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
