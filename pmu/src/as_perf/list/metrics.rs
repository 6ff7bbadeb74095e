//! The metrics of the machine's tables, by group.

use std::collections::BTreeMap;

use pmu_events::{Metric, System, Tree};

use super::entry::MetricEntry;

/// Once for each group; a metric without groups is its own. Of two metrics of one name, as
/// those of two kinds of cores, perf has the one that comes later in the table.
pub(super) fn all(system: &System) -> Vec<MetricEntry> {
    let mut entries = BTreeMap::new();
    let of_cpu = system.models().into_iter().flat_map(|model| {
        let tree = model.tree();
        model.metrics().map(move |metric| (tree, metric))
    });
    for (tree, metric) in of_cpu.chain(of_system_pmus(system)) {
        let (name, groups) = (metric.name(), metric.group_string());
        let groups = if groups.is_empty() { name } else { groups };
        for group in groups.split(';').map(str::trim_start) {
            let group = if group.is_empty() { name } else { group };
            entries.insert((group, name), entry(tree, metric, group));
        }
    }
    entries.into_values().collect()
}

/// Those of the tables that a PMU of the machine has events of.
fn of_system_pmus(system: &System) -> impl Iterator<Item = (&'static Tree, Metric)> {
    let pmus = || {
        let pmus = system.sysfs().pmus().iter();
        pmus.filter_map(|pmu| Some((pmu.name(), pmu.identifier()?)))
    };
    system.trees().iter().flat_map(move |&tree| {
        let compats: Vec<Option<&str>> = pmus()
            .flat_map(|(pmu, identifier)| tree.sys_events(pmu, identifier))
            .map(|event| event.compat())
            .collect();
        let metrics = tree.sys_tables().flat_map(|table| table.metrics());
        metrics
            .filter(move |metric| compats.contains(&metric.compat()))
            .map(move |metric| (tree, metric))
    })
}

fn entry(tree: &'static Tree, metric: Metric, group: &str) -> MetricEntry {
    MetricEntry {
        group: group.into(),
        about_group: tree.group_description(group).map(|text| text.to_string()),
        name: metric.name().into(),
        brief: metric.description().map(|text| text.trimmed().to_string()),
        long: metric.long_description().map(|text| text.trimmed().to_string()),
        expression: Some(metric.expression().to_string()),
        threshold: metric.threshold().map(|threshold| threshold.to_string()),
        scale_unit: metric.scale_unit().map(Into::into),
    }
}
