use pmu_events::measure::Plan;
use pmu_events::topdown::{self, Drill, Hierarchy};
use pmu_events::{Scope, System, open::Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    let machine = system.machine(&Scope::ThisThread);
    for tree in system.models().into_iter().flat_map(Hierarchy::of) {
        let pool = topdown::pool(tree.model(), tree.pmu(), system.has_nmi_watchdog());
        let mut drill = Drill::new(&tree);
        while let Some(step) = drill.next_step() {
            let mut measured = Vec::new();
            for pass in topdown::passes(tree.model(), step.metrics(), &machine, pool) {
                let metrics = pass.metrics.iter().copied();
                let plan = Plan::together(metrics, &system, &Scope::ThisThread);
                let mut counters = plan.open(&Options::new())?;
                counters.enable()?;
                let sum = (0..1_000_000u64).fold(0, |sum, n| sum ^ n.wrapping_mul(n));
                counters.disable()?;
                println!("{sum} after {} metrics", pass.metrics.len());
                measured.push((pass.metrics, plan, counters.read()));
            }
            drill.learn(&step, &machine, |metric, event| {
                let has = measured.iter().find(|(metrics, ..)| metrics.contains(&metric));
                let (_, plan, reading) = has.expect("every metric of a step is in a pass");
                plan.count(metric, event, reading)
            });
        }
        for leaf in drill.leaves() {
            println!("{}: {:.1}", leaf.node.metric().name(), leaf.finding.value);
            for sample in topdown::samples(&tree, leaf.number, &machine) {
                println!("  sample {}", sample.event);
            }
        }
    }
    Ok(())
}
