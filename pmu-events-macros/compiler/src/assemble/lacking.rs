//! The metrics that models lack, from `lacks.csv`.

use pmu_events_core::__private::glob;
use pmu_events_core::__private::name;

use super::tree::Table;
use crate::faults::{Faults, quoted};
use crate::mapfile::lacks::Lack;
use crate::options::Options;

/// Tells each table what it lacks, by name.
pub(crate) fn add(
    tables: &mut [Table<'_>],
    lacks: &[Lack],
    options: &Options,
    faults: &mut Faults,
) {
    let mut rows: Vec<&Lack> = lacks.iter().collect();
    rows.sort_by(|a, b| name::cmp(&a.metric, &b.metric));
    for row in rows {
        let mut is_about_any = false;
        let models = |table: &&mut Table<'_>| {
            let directory = &table.directory;
            !directory.sys && row.models.split(' ').any(|glob| glob::matches(glob, &directory.name))
        };
        for table in tables.iter_mut().filter(models) {
            is_about_any = true;
            let key = row.metric.to_ascii_lowercase();
            let model = quoted(&table.directory.name);
            let line = format!("{}\t", row.metric);
            if table.metrics.iter().any(|item| item.key == key) {
                let message = format!("{model} has the metric {}", quoted(&row.metric));
                faults.error(row.place, message);
            } else if table.lacks.lines().any(|known| known.starts_with(&line)) {
                let message = format!("{model} has two rows for {}", quoted(&row.metric));
                faults.error(row.place, message);
            } else {
                table.lacks.push_str(&line);
                table.lacks.push_str(&row.reason);
                table.lacks.push('\n');
            }
        }
        // The options keep only some of the models.
        if !is_about_any && options.models.is_empty() {
            let message = format!("{} matches no model", quoted(&row.models));
            faults.error(row.models_place, message);
        }
    }
}

#[cfg(test)]
mod tests;
