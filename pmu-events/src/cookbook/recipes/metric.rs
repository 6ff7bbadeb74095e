use pmu_events::measure::Plan;
use pmu_events::{Scope, System, open::Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    // No metric on a CPU that is in no tree of this build.
    let metrics = system.model().ok().into_iter().flat_map(|model| model.metric("ipc"));
    let plan = Plan::new(metrics, &system, &Scope::ThisThread);

    let mut counters = plan.open(&Options::new())?;
    counters.enable()?;
    let sum: u64 = (0..1_000_000).sum();
    counters.disable()?;

    println!("the sum is {sum}");
    for metric in plan.values(&counters.read()) {
        let note = if metric.is_crossed() == Some(true) { " (over its threshold)" } else { "" };
        println!("{}: {metric:.2}{note}", metric.request().name());
    }
    for missing in plan.missing() {
        println!("not counted: {}: {}", missing.name(), missing.error());
    }
    Ok(())
}
