//! How many runs of a command `pmu topdown --all` needs on every model, beside the number below
//! which the counters force none, and how long planning them takes.

use std::hint::black_box;
use std::time::Instant;

use pmu_events::__private::planner::Packing;
use pmu_events::planner::{CoreState, Supply};
use pmu_events::topdown::{Drill, Hierarchy};
use pmu_events::{Metric, arch};

use crate::tree::Core;

/// Milliseconds to plan the runs of any model.
const LIMIT: f64 = 50.0;

/// The fastest counts.
const ROUNDS: u32 = 10;

/// Prints a table; the targets that were missed.
pub fn print() -> Vec<String> {
    println!(
        "\nRuns of a command for a whole drill-down (`pmu topdown --all`), and those of one that splits no metric \
         which fits a group, beside what the counters force even if each event is counted once \
         (`Packing::lower_bound`); in parentheses beside the NMI watchdog. *Split*: metrics whose \
         events are in several runs, of all. *Planned*: milliseconds, both together.\n"
    );
    println!("| model | cores | forced | runs | whole | split | planned |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    let mut missed = Vec::new();
    for (_, tree) in arch::TREES {
        for model in tree.models() {
            for tree in Hierarchy::of(model) {
                let both = [false, true].map(|has_watchdog| Runs::of(&tree, has_watchdog));
                let [Some(alone), Some(beside)] = both else { continue };
                let pair = |of: fn(&Runs) -> usize| match (of(&alone), of(&beside)) {
                    (one, other) if one == other => one.to_string(),
                    (one, other) => format!("{one} ({other})"),
                };
                let planned = alone.planned + beside.planned;
                println!(
                    "| {} | {} | {} | {} | {} | {} of {} | {planned:.1} |",
                    model.name(),
                    tree.pmu(),
                    pair(|runs| runs.forced),
                    pair(|runs| runs.fewest),
                    pair(|runs| runs.whole),
                    pair(|runs| runs.split),
                    alone.metrics,
                );
                if planned >= LIMIT {
                    missed.push(format!("{}: {planned:.1} ms to plan", model.name()));
                }
            }
        }
    }
    missed
}

struct Runs {
    metrics: usize,
    forced: usize,
    fewest: usize,
    whole: usize,
    split: usize,
    planned: f64,
}

impl Runs {
    /// `None` where no source states the counters.
    fn of(tree: &Hierarchy, has_watchdog: bool) -> Option<Self> {
        let state = CoreState::default().with_watchdog(has_watchdog);
        let supply = Supply::of(tree.model(), tree.pmu(), state).ok()?;
        let step = Drill::new(tree).with_all().next_step()?;
        let events_of = |metric: &Metric| -> Vec<&str> {
            let events = metric.events_on(&Core).map(|event| event.as_str());
            events.filter(|event| supply.counts(event)).collect()
        };
        let sets: Vec<Vec<&str>> = step.metrics().iter().map(events_of).collect();
        let whole = Packing::of(&supply, &sets);
        let fewest = Packing::in_fewest_groups(&supply, &sets);
        let plan = |_| {
            let start = Instant::now();
            black_box(Packing::in_fewest_groups(&supply, &sets));
            start.elapsed().as_secs_f64() * 1e3
        };
        let planned = (0..ROUNDS).map(plan).fold(f64::INFINITY, f64::min);
        let split = fewest.placements().iter().filter(|placement| placement.parts().len() > 1);
        Some(Runs {
            metrics: sets.len(),
            forced: fewest.lower_bound(),
            fewest: fewest.groups().len(),
            whole: whole.groups().len(),
            split: split.count(),
            planned,
        })
    }
}
