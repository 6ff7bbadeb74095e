//! Which groups are planned for the metrics of the bundled models.

use std::collections::BTreeSet;

use pmu_events::expr::{Identifier, Literal, Machine};
use pmu_events::planner::{CoreState, Packing, Smt, Supply};
use pmu_events::topdown::{Fit, Hierarchy, Pass, passes};
use pmu_events::{Metric, Model, arch};

/// All threads of the core are counted.
struct Core;

impl Machine for Core {
    fn literal(&self, literal: Literal) -> f64 {
        match literal {
            Literal::SmtOn | Literal::CoreWide => 1.0,
            _ => 2.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        Some(false)
    }
}

const STATES: [CoreState; 4] = [
    CoreState { has_watchdog: false, smt: Smt::On },
    CoreState { has_watchdog: true, smt: Smt::On },
    CoreState { has_watchdog: false, smt: Smt::Absent },
    CoreState { has_watchdog: true, smt: Smt::Absent },
];

fn models() -> impl Iterator<Item = (&'static str, Model)> {
    arch::TREES.iter().flat_map(|(arch, tree)| tree.models().map(move |model| (*arch, model)))
}

/// The metrics of a whole drill-down.
fn of_tree(tree: &Hierarchy) -> Vec<Metric> {
    tree.nodes().iter().map(|node| node.metric()).collect()
}

/// The events of the passes of each metric are those of its formula, and no pass has an event
/// that the counters have no room for.
#[test]
fn no_pass_is_too_large() {
    for (arch, model) in models() {
        for tree in Hierarchy::of(model) {
            for state in STATES {
                let Ok(supply) = Supply::of(model, tree.pmu(), state) else { continue };
                let metrics = of_tree(&tree);
                for pass in passes(&metrics, &Core, Some(&supply)) {
                    let events = events_of(&pass, tree.pmu());
                    let texts: Vec<&str> = events.iter().map(String::as_str).collect();
                    let what = format!("{arch} {} {state:?}: {texts:?}", model.name());
                    assert_eq!(pass.fit, Fit::Proven, "{what}");
                }
            }
        }
    }
}

fn events_of(pass: &Pass, _: &str) -> BTreeSet<String> {
    let of_metric = |metric: &Metric| {
        metric.events_on(&Core).map(|event| event.as_str().to_string()).collect::<Vec<_>>()
    };
    let whole = pass.metrics.iter().flat_map(of_metric);
    let parts = pass.parts.iter().flat_map(|part| {
        part.events.iter().map(|event| (*event).to_string()).chain(part.reference.clone())
    });
    whole.chain(parts).collect()
}

/// The runs of `pmu topdown --all` beside the number below which the counters force none.
#[test]
fn passes_beside_the_lower_bound() {
    for (arch, model) in models() {
        for tree in Hierarchy::of(model) {
            let mut line = format!("{arch} {} {}:", model.name(), tree.pmu());
            for state in &STATES[..2] {
                let Ok(supply) = Supply::of(model, tree.pmu(), *state) else {
                    line.push_str(" unknown");
                    break;
                };
                let metrics = of_tree(&tree);
                let sets: Vec<Vec<&str>> = metrics
                    .iter()
                    .map(|metric| metric.events_on(&Core).map(|event| event.as_str()).collect())
                    .collect();
                let packing = Packing::of(&supply, &sets);
                let runs = passes(&metrics, &Core, Some(&supply));
                line.push_str(&format!(" {} (at least {})", runs.len(), packing.lower_bound()));
            }
            println!("{line}");
        }
    }
}
