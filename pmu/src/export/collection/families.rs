//! The families of a layout.

use prometheus_client::metrics::MetricType::{Counter, Gauge, Info};
use prometheus_client::registry::Unit;

use super::health::Health;
use super::layout::{Layout, Places};
use crate::export::exposition::{Family, Labels, Row, Value};
use crate::export::names;

impl Layout {
    /// Makes the families anew.
    pub(super) fn families(&mut self, health: &Health, all: &mut Vec<Family>) {
        all.clear();
        self.families_of_counts(all);
        let mut add = |name, help, kind, rows| {
            let (name, unit) = name_and_unit(name);
            all.push(Family { name, unit, help, kind, rows });
            all.len() - 1
        };
        let of_groups = || self.groups.iter().map(|group| row(&group.labels)).collect();
        let help = "The share of the time in which a group of events had its counters";
        let ratios = add(names::RUNNING_RATIO, help, Gauge, of_groups());
        let times = add(names::ENABLED, "For how long a group was enabled", Counter, of_groups());
        let rows = self.not_counted.iter().map(info).collect();
        add(names::NOT_COUNTED, "Events that are not counted, and why", Info, rows);
        add(names::MACHINE, "The machine and its table", Info, vec![info(&self.machine)]);
        let rows = self.numbers.iter().map(|&(name, number)| Row {
            labels: Labels::of([(names::NUMBER, name.to_owned())]),
            value: Value::Number(number),
        });
        add(names::NUMBERS, "Numbers of the machine that formulas name", Gauge, rows.collect());
        let help = "Metrics that PromQL cannot express, over the exporter's own interval";
        let metrics = add(names::METRIC, help, Gauge, Vec::new());
        all.extend(health.families());
        self.families = Places { ratios, times, metrics };
    }

    /// Those of counts, one for each unit, in the order in which units appear.
    fn families_of_counts(&mut self, all: &mut Vec<Family>) {
        for sum in &mut self.sums {
            let (name, unit) = name_and_unit(sum.family);
            let is_it = |family: &Family| family.name == name && family.unit == unit;
            let at = all.iter().position(is_it).unwrap_or_else(|| {
                let help = "What events have counted, estimated while they had no counter";
                all.push(Family { name, unit, help, kind: Counter, rows: Vec::new() });
                all.len() - 1
            });
            let rows = &mut all[at].rows;
            sum.at = (at, rows.len());
            rows.push(row(&sum.labels));
        }
    }
}

fn row(labels: &Labels) -> Row {
    Row { labels: labels.clone(), value: Value::Unknown }
}

fn info(labels: &Labels) -> Row {
    Row { labels: labels.clone(), value: Value::Whole(1) }
}

/// The name of a family without its unit, which the encoder adds.
fn name_and_unit(family: &'static str) -> (&'static str, Option<Unit>) {
    let units = [("_joules", Unit::Joules), ("_bytes", Unit::Bytes), ("_seconds", Unit::Seconds)];
    let found = units.into_iter().find_map(|(end, unit)| Some((family.strip_suffix(end)?, unit)));
    found.map_or((family, None), |(name, unit)| (name, Some(unit)))
}
