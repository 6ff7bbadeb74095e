//! `pmu export --ready`: a configuration for a model, made from its metrics.
//!
//! Its metrics are counted on the whole machine, all of the time. Which ones these are follows
//! from the counters: the list is gone through in the order of its ranks, and a metric is left out
//! if its events do not fit beside those of the metrics before it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use pmu_events::__private::planner::Place;
use pmu_events::event_list::Tool;
use pmu_events::expr::Machine;
use pmu_events::planner::{CoreState, Supply};
use pmu_events::topdown::{Hierarchy, Node};
use pmu_events::{Metric, Model};

use super::config::ScopeKind;
use super::rules::Wanted;
use crate::output::one_line;

/// Quantities that every model has or lacks for a reason, first those that matter most: what a
/// machine does, where its time goes, and why.
const RANKED: [&str; 9] = [
    "common.ipc",
    "common.cpus_used",
    "common.context_switches",
    "common.page_faults",
    "common.frontend_bound",
    "common.bad_speculation",
    "common.retiring",
    "common.backend_bound",
    "common.frequency",
];

/// What comes after the first two levels of the top-down tree.
const THEN: [&str; 11] = [
    "common.memory_read_bandwidth",
    "common.memory_write_bandwidth",
    "common.branch_miss_ratio",
    "common.llc_misses_per_kilo_instruction",
    "common.l2_misses_per_kilo_instruction",
    "common.dtlb_walks_per_kilo_instruction",
    "common.l1d_misses_per_kilo_instruction",
    "common.itlb_walks_per_kilo_instruction",
    "common.l1i_misses_per_kilo_instruction",
    "common.utilization",
    "common.energy",
];

/// A ready configuration.
#[derive(Debug)]
pub(crate) struct Ready {
    model: Model,
    pub(crate) counted: Vec<Metric>,
    /// Metrics for which the counters have no room, and why.
    pub(crate) left_out: Vec<(Metric, String)>,
    /// Quantities that the model cannot count, and why.
    lacking: Vec<(&'static str, &'static str)>,
}

/// What is known of a machine before it is seen: the events of both threads of a core are needed.
struct AnyMachine;

impl Machine for AnyMachine {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn | Tool::CoreWide | Tool::TargetCpu => 1.0,
            _ => f64::NAN,
        }
    }
}

impl Ready {
    pub(crate) fn of(model: Model) -> Self {
        let names = || RANKED.into_iter().chain(THEN);
        let is_ours = |(name, _): &(&str, &str)| names().any(|one| one == *name);
        let lacking = model.lacking().filter(is_ours).collect();
        let mut ready = Ready { model, counted: Vec::new(), left_out: Vec::new(), lacking };
        let mut room = Room::of(model);
        let named = |name: &str| {
            let is_it = |metric: &Metric| metric.is_called(name);
            model.metrics().filter(is_it).collect::<Vec<_>>()
        };
        let ranked = RANKED.into_iter().flat_map(named);
        for metric in ranked.chain(first_levels(model)).chain(THEN.into_iter().flat_map(named)) {
            match room.take(metric) {
                Ok(()) => ready.counted.push(metric),
                Err(why) => ready.left_out.push((metric, why)),
            }
        }
        ready
    }

    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        vec![Wanted { counted: ScopeKind::Machine, metrics: self.counted.clone() }]
    }

    /// Writes the configuration.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let name = self.model.name();
        let last = name.rsplit('/').next().unwrap_or(name);
        let version = env!("CARGO_PKG_VERSION");
        writeln!(out, "# A configuration for machines of the model {name}.")?;
        writeln!(
            out,
            "# Made by pmu {version} (pmu export --ready). Those of several models can be joined in one file."
        )?;
        writeln!(out, "\n[model.{:?}.machine]", last)?;
        writeln!(out, "metrics = [")?;
        for (place, metric) in self.counted.iter().enumerate() {
            // A name stands for the metrics of all kinds of cores.
            if self.counted[..place].iter().all(|other| other.name() != metric.name()) {
                let sentence = metric.description().map(|text| text.to_string());
                writeln!(out, "    # {}", one_line(&sentence.unwrap_or_default()))?;
                writeln!(out, "    {:?},", metric.name())?;
            }
        }
        writeln!(out, "]")?;
        self.write_rest(out)?;
        writeln!(
            out,
            "\n# In control groups, too. Each event takes one counter more while a task of the group runs.\n\
             # [[model.{last:?}.cgroup]]\n\
             # paths = [\"system.slice/*.service\", \"kubepods.slice/**\"]\n\
             # metrics = [\"common.ipc\", \"common.cpus_used\"]"
        )
    }

    fn write_rest(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.left_out.is_empty() {
            writeln!(
                out,
                "\n# The counters have no room for these beside the others. In a scope of its own with\n# `multiplex = true`, they take turns with each other and with the rest."
            )?;
        }
        for (metric, why) in &self.left_out {
            writeln!(out, "#   {}: {why}", metric.name())?;
        }
        if !self.lacking.is_empty() {
            writeln!(out, "\n# Machines of this model cannot count these.")?;
        }
        for (name, why) in &self.lacking {
            writeln!(out, "#   {name}: {}", one_line(why))?;
        }
        Ok(())
    }
}

/// The first two levels of the top-down trees, without rates that only explain a node. The first
/// one is that of the quantities, by the names that the other nodes have.
fn first_levels(model: Model) -> Vec<Metric> {
    let mut all = Vec::new();
    for tree in Hierarchy::of(model) {
        let is_part = |node: &&Node| !node.is_indicator();
        let mut nodes: Vec<&Node> = tree.nodes().iter().filter(is_part).collect();
        nodes.retain(|node| node.level() <= 2);
        nodes.sort_by_key(|node| node.level());
        all.extend(nodes.into_iter().map(Node::metric));
    }
    all
}

/// The counters of a model's PMUs, with the events that have one.
struct Room {
    model: Model,
    supplies: BTreeMap<&'static str, Option<Supply>>,
    taken: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl Room {
    fn of(model: Model) -> Self {
        Room { model, supplies: BTreeMap::new(), taken: BTreeMap::new() }
    }

    /// Takes counters for the events of a metric. The counters of some PMUs are not known; the
    /// exporter finds on the machine what does not fit there.
    fn take(&mut self, metric: Metric) -> Result<(), String> {
        let mut taken = self.taken.clone();
        let mut touched = BTreeSet::new();
        for event in metric.events_on(&AnyMachine) {
            if let Place::On(pmu) = Place::of(event.as_str(), self.model, metric.pmu()) {
                taken.entry(pmu).or_default().insert(event.as_str());
                touched.insert(pmu);
            }
        }
        for pmu in touched {
            // The watchdog is on unless an administrator turns it off.
            let state = CoreState::default().with_watchdog(true);
            let supply = self.supplies.entry(pmu);
            let supply = supply.or_insert_with(|| Supply::of(self.model, pmu, state).ok());
            let events: Vec<&str> = taken[pmu].iter().copied().collect();
            if supply.as_ref().is_some_and(|supply| !supply.fits(&events)) {
                return Err(match pmu {
                    "default_core" => "the counters of the cores".into(),
                    pmu => format!("the counters of {pmu}"),
                });
            }
        }
        self.taken = taken;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use pmu_events::arch;

    use super::*;
    use crate::export::config;
    use crate::export::rules;

    fn models() -> impl Iterator<Item = Model> {
        arch::TREES.iter().flat_map(|(_, tree)| tree.models())
    }

    /// Of all models, what is written is read again, and means the same metrics; those that every
    /// model can count are among them.
    #[test]
    fn configurations_are_read_as_they_are_meant() {
        for ready in models().map(Ready::of).filter(|ready| !ready.counted.is_empty()) {
            let model = ready.model;
            let mut text = Vec::new();
            ready.write(&mut text).expect("memory has room");
            let text = String::from_utf8(text).expect("it is text");
            let config = config::read(&text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
            let wanted = rules::of_config(&config, model).expect("it names metrics of the model");
            let found: BTreeSet<Metric> =
                wanted.iter().flat_map(|one| one.metrics.clone()).collect();
            let expected: BTreeSet<Metric> = ready.counted.iter().copied().collect();
            assert!(expected.is_subset(&found), "{}: {text}", model.name());
            // A kind of core may lack the room for what another one counts.
            for more in found.difference(&expected) {
                assert!(ready.left_out.iter().any(|(metric, _)| metric == more), "{more}: {text}");
            }
            let is_counted = |name| ready.counted.iter().any(|metric| metric.name() == name);
            let is_lacking = |name| ready.lacking.iter().any(|(lacking, _)| *lacking == name);
            assert!(is_counted("common.ipc") || is_lacking("common.ipc"), "{text}");
            assert!(is_counted("common.page_faults"), "{text}");
        }
    }

    /// What the counters force, on cores with few and with many of them.
    #[test]
    fn counters_decide_what_is_counted() {
        let skylake = Ready::of(arch::x86::SKYLAKEX);
        let zen = Ready::of(arch::x86::AMDZEN4);
        let rapids = Ready::of(arch::x86::SAPPHIRERAPIDS);
        let has = |ready: &Ready, name| ready.counted.iter().any(|metric| metric.name() == name);
        assert!(has(&rapids, "tma_memory_bound") && has(&rapids, "common.backend_bound"));
        assert!(has(&rapids, "common.llc_misses_per_kilo_instruction"));
        assert!(!has(&skylake, "common.llc_misses_per_kilo_instruction"));
        assert!(has(&skylake, "common.memory_read_bandwidth"));
        for ready in [skylake, zen] {
            assert!(!ready.left_out.is_empty(), "four or six counters are few");
        }
    }
}
