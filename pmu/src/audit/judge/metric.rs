//! Names of metrics: those that perf is told to compute or has computed, and those of toplev.
//!
//! What the CPU's table lacks and no other table has is open: perf's trees change from version to
//! version, and other tools have metrics of their own.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use pmu_events::Metric;

use super::bench::Bench;
use super::{Judgement, Name, Verdict, listed, open, right};
use crate::audit::cpu::Cpu;
use crate::metric_names;
use crate::spelling::count;
use crate::trees::{Table, Trees};

/// Whose CPUs toplev knows.
const VENDOR: &str = "Intel";

/// Judges metrics. What tools print has the same ones in each interval, so their judgements are kept.
pub(super) struct Metrics {
    trees: &'static Trees,
    judged: HashMap<(&'static str, Name), Judgement>,
    /// All names of metrics and groups, in lower case.
    names: OnceCell<HashSet<String>>,
}

impl Metrics {
    pub(super) fn new(trees: &'static Trees) -> Self {
        Metrics { trees, judged: HashMap::new(), names: OnceCell::new() }
    }

    pub(super) fn judge(&mut self, bench: &Bench, cpu: Cpu, name: &Name) -> Judgement {
        let key = (cpu.model, name.clone());
        if let Some(judgement) = self.judged.get(&key) {
            return judgement.clone();
        }
        let judgement = match name {
            Name::Node(node) => self.of_node(bench, node),
            _ => self.of_word(bench, name.text()),
        };
        self.judged.insert(key, judgement.clone());
        judgement
    }

    /// A word that perf takes for a metric or a group.
    fn of_word(&self, bench: &Bench, name: &str) -> Judgement {
        let known = bench.metrics();
        if let Some(metric) = known.iter().find(|metric| metric.is_called(name)) {
            return right(described(*metric));
        }
        let meant = known.iter().filter(|metric| metric_names::is_meant(**metric, name)).count();
        if meant > 0 {
            return right(format!("{} of the CPU", count(meant, "metric")));
        }
        if let Some(reason) = metric_names::lacked(name, bench.system) {
            let evidence = format!("the CPU cannot count it: {reason}");
            return Judgement::new(Verdict::NotOnThisCpu, evidence);
        }
        let near = metric_names::nearest(name, known);
        let near = near.map(|near| format!("; the nearest here is {near}")).unwrap_or_default();
        if !self.is_known(name) {
            return open(format!("no table has a metric or a group of this name{near}"));
        }
        let has = |table: &Table| {
            table.model.metrics().any(|metric| metric_names::is_meant(metric, name))
        };
        let of_system = |table: &Table| table.sys && table.architecture == bench.table.architecture;
        if let Some(table) = self.trees.all().find(|table| of_system(table) && has(table)) {
            return open(format!("a metric of the system PMUs of {}", table.directory()));
        }
        let evidence = format!("only on {}{near}", listed(&self.tables(has)));
        match bench.is_of_architecture() {
            true => open(evidence),
            false => Judgement::new(Verdict::NotOnThisCpu, evidence),
        }
    }

    fn is_known(&self, name: &str) -> bool {
        let names = self.names.get_or_init(|| {
            let metrics = self.trees.all().flat_map(|table| table.model.metrics());
            let of = |metric: Metric| metric.name().split(';').chain(metric.groups());
            metrics.flat_map(of).map(str::to_ascii_lowercase).collect()
        });
        names.contains(&name.to_ascii_lowercase())
    }

    /// A node or a metric that toplev has measured. Its models have some that the vendor's list lacks.
    fn of_node(&self, bench: &Bench, name: &str) -> Judgement {
        let mut metrics = bench.table.model.metrics();
        if let Some(metric) = metrics.find(|metric| is_node(*metric, name)) {
            return right(described(metric));
        }
        let has = |table: &Table| table.model.metrics().any(|metric| is_node(metric, name));
        match self.tables(has) {
            tables if tables.is_empty() => open("no table has a metric of this name"),
            tables if bench.table.vendor() != VENDOR => Judgement::new(
                Verdict::NotOnThisCpu,
                format!("only on {}, and toplev is for CPUs of {VENDOR}", listed(&tables)),
            ),
            tables => open(format!("in the tables only on {}", listed(&tables))),
        }
    }

    /// The tables of CPUs that have something.
    fn tables(&self, has: impl Fn(&Table) -> bool) -> Vec<&'static str> {
        let tables = self.trees.all().filter(|table| !table.sys && has(table));
        tables.map(|table| table.directory()).collect()
    }
}

/// Whether a metric is a node of toplev's. It prints nodes with those above them, `A.B`, and other
/// metrics without their area, which is a part of the vendor's name.
fn is_node(metric: Metric, node: &str) -> bool {
    let last = node.rsplit('.').next().unwrap_or(node).to_ascii_lowercase();
    let own = metric.name().to_ascii_lowercase();
    let Some(own) = own.strip_prefix("tma_") else { return false };
    let is_of_area = ["info_", "bottleneck_"].iter().any(|area| own.starts_with(area))
        && own.strip_suffix(&last).is_some_and(|area| area.ends_with('_'));
    own == last || is_of_area && !node.contains('.')
}

fn described(metric: Metric) -> String {
    match metric.description() {
        Some(text) => format!("{}: {}", metric.name(), text.trimmed()),
        None => metric.name().to_string(),
    }
}
