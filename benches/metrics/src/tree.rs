//! What a whole tree of metrics costs: all metrics of a CPU, and a step of the way
//! down to a bottleneck.

use std::collections::HashMap;

use pmu_events::__private::topdown;
use pmu_events::arch::x86;
use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine};
use pmu_events::planner::{CoreState, Supply};
use pmu_events::topdown::{Drill, Hierarchy};

use crate::stopwatch;

/// All threads of the core are counted.
pub struct Core;

impl Machine for Core {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SystemTscFreq => 2e9,
            Tool::NumCpus | Tool::NumCpusOnline => 64.0,
            _ => 1.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }
}

/// Microseconds, each the fastest of some slices of time.
pub struct Costs {
    metrics: usize,
    /// All metrics, by a closure that looks at nothing.
    all: f64,
    /// All metrics, with a look-up of each event in a hash table.
    all_by_name: f64,
    steps: usize,
    /// The step that takes longest: what to count next, in which passes, and what the
    /// counts say.
    step: f64,
}

const ALL_LIMIT: f64 = 40.0;
/// A thousandth of the shortest run of a command, or of the second for which tasks are counted.
const STEP_LIMIT: f64 = 1000.0;

impl Costs {
    pub fn measure(passes: usize) -> Self {
        let model = x86::SAPPHIRERAPIDS;
        let fastest = |mut work: Box<dyn FnMut() -> f64>| {
            let slices = (0..passes).map(|_| stopwatch::slice(&mut work).nanoseconds);
            slices.fold(f64::INFINITY, f64::min) / 1e3
        };
        let metrics: Vec<_> = model.metrics().collect();
        let mut counts: HashMap<&'static str, f64> = HashMap::new();
        for metric in &metrics {
            let events = metric.events_on(&Core).chain(metric.threshold_events_on(&Core));
            counts.extend(events.enumerate().map(|(n, event)| (event.as_str(), 1e6 + n as f64)));
        }
        let (same, by_name) = (metrics.clone(), counts.clone());
        let count = metrics.len();
        let all = fastest(Box::new(move || {
            same.iter().map(|metric| metric.evaluate_on(&Core, |_| 2.0)).sum()
        }));
        let all_by_name = fastest(Box::new(move || {
            let value = |event: Identifier<'static>| by_name.get(event.as_str()).copied();
            let values = metrics
                .iter()
                .map(|metric| metric.evaluate_on(&Core, |event| value(event).unwrap_or(f64::NAN)));
            values.sum()
        }));
        let tree: &'static Hierarchy = Box::leak(Box::new(Hierarchy::of(model).remove(0)));
        // Level by level: everything at once is one step.
        let mut drill = Drill::new(tree).with_all().with_level(1);
        let (mut steps, mut step) = (0, 0.0_f64);
        while drill.next_step().is_some() {
            let before = drill.clone();
            let go = move |drill: &mut Drill<'_>| {
                let next = drill.next_step().expect("it has one");
                let state = CoreState::default().with_watchdog(true);
                let supply = Supply::of(model, tree.pmu(), state).ok();
                let passes = topdown::passes(next.metrics(), &Core, supply.as_ref());
                drill.learn(&next, &Core, |_, _| 2.0.into());
                passes.len() as f64
            };
            go(&mut drill);
            let took = fastest(Box::new(move || go(&mut before.clone())));
            (steps, step) = (steps + 1, step.max(took));
            drill = drill.with_level(steps + 1);
        }
        Costs { metrics: count, all, all_by_name, steps, step }
    }

    /// Prints the figures; the targets that were missed.
    pub fn print(&self) -> Vec<String> {
        let Costs { metrics, all, all_by_name, steps, step } = self;
        println!(
            "\n*Sapphire Rapids*: all {metrics} metrics in one pass take **{all:.1} µs** \
             (target: below {ALL_LIMIT}), and {all_by_name:.1} µs with the caller's look-ups in a hash \
             table. The longest of the {steps} steps down its whole top-down tree takes \
             **{step:.1} µs** (target: below {STEP_LIMIT}): what to count next, in which passes, and \
             what \
             the counts say, which a closure gives that looks at nothing.",
        );
        let mut missed = Vec::new();
        for (what, took, limit) in [("all metrics", *all, ALL_LIMIT), ("a step", *step, STEP_LIMIT)]
        {
            if took >= limit {
                missed.push(format!("{what}: {took:.1} µs"));
            }
        }
        missed
    }
}
