//! What one step of a drill-down costs: taking the counts of a step and finding out
//! what to measure next, on the deepest tree of the kernel's. Building the tree and
//! distributing a step over passes are shown beside it.
//!
//! ```text
//! PMU_EVENTS_KERNEL=… cargo run --release --manifest-path benches/kernel/Cargo.toml --bin drill
//! ```

use std::hint::black_box;
use std::time::Instant;

use pmu_events::__private::topdown::passes;
use pmu_events::expr::UnknownMachine;
use pmu_events::planner::{CoreState, Supply};
use pmu_events::topdown::{Drill, Hierarchy};
use pmu_events_benches as kernel;

const ROUNDS: u32 = 200;

fn main() {
    let model = kernel::SAPPHIRERAPIDS;
    let built = Instant::now();
    for _ in 0..ROUNDS {
        black_box(Hierarchy::of(model));
    }
    println!("tree: {:.1} µs", micros(built));
    let trees = Hierarchy::of(model);
    let supply = Supply::of(model, trees[0].pmu(), CoreState::default()).ok();
    // Level by level: everything at once is one step.
    let drill = Drill::new(&trees[0]).with_all().with_level(1);
    // Everything is over its threshold, so that no step is smaller.
    let mut states = vec![drill];
    while let Some(step) = states.last().and_then(Drill::next_step) {
        let mut next = states.last().expect("it has one").clone();
        next.learn(&step, &UnknownMachine, |_, _| 1.0.into());
        let level = states.len() + 1;
        states.push(next.with_level(level));
    }
    for drill in &states {
        let Some(step) = drill.next_step() else { break };
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let step = drill.next_step().expect("as above");
            let mut drill = drill.clone();
            drill.learn(&step, &UnknownMachine, |_, event| (event.as_str().len() as f64).into());
            black_box(&drill);
        }
        let whole = micros(start);
        let start = Instant::now();
        for _ in 0..ROUNDS {
            black_box(passes(step.metrics(), &UnknownMachine, supply.as_ref()));
        }
        let count = step.metrics().len();
        println!("step of {count} metrics: {whole:.1} µs; passes: {:.1} µs", micros(start));
    }
}

fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS)
}
