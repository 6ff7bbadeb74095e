use pmu_events::measure::Plan;
use pmu_events::topdown::{self, Drill, Hierarchy};
use pmu_events::{Scope, System, open::Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    let machine = system.machine(&Scope::ThisThread);
    for tree in system.models().into_iter().flat_map(Hierarchy::of) {
        let mut drill = Drill::new(&tree);
        while let Some(step) = drill.next_step() {
            let plan = Plan::new(step.metrics().iter().copied(), &system, &Scope::ThisThread);
            let mut readings = Vec::new();
            for pass in 0..plan.passes() {
                let mut counters = plan.pass(pass).open(&Options::new())?;
                counters.enable()?;
                let sum = (0..1_000_000u64).fold(0, |sum, n| sum ^ n.wrapping_mul(n));
                counters.disable()?;
                println!("{sum} in pass {pass}");
                readings.push(counters.read());
            }
            let readings: Vec<_> = readings.iter().collect();
            drill.learn(&step, &machine, |metric, event| {
                plan.count_in_passes(metric, event, &readings)
            });
        }
        for leaf in drill.leaves() {
            println!("{}: {:.1}", leaf.node().metric().name(), leaf.finding().value());
            for sample in topdown::samples(&tree, leaf.number(), &machine) {
                println!("  sample {}", sample.event());
            }
        }
    }
    Ok(())
}
