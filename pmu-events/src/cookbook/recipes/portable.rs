use pmu_events::measure::Plan;
use pmu_events::{Scope, System, open::Options};

const WANTED: [&str; 3] = ["common.ipc", "common.branch_miss_ratio", "common.l2_misses"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    // No metric on a CPU that is in no tree of this build.
    let model = system.model().ok();
    let metrics = model.iter().flat_map(|model| WANTED.iter().filter_map(|name| model.metric(name)));
    let plan = Plan::new(metrics, &system, &Scope::ThisThread);

    let mut counters = plan.open(&Options::new())?;
    counters.enable()?;
    let sum: u64 = (0..1_000_000).sum();
    counters.disable()?;

    println!("the sum is {sum}");
    for value in plan.values(&counters.read()) {
        println!("{}: {value:.2}", value.request().name());
    }
    for metric in model.iter().flat_map(|model| model.metrics()) {
        if let Some(difference) = metric.difference().filter(|_| WANTED.contains(&metric.name())) {
            println!("note: {}: {difference}", metric.name());
        }
    }
    for (name, reason) in model.iter().flat_map(|model| model.lacking()) {
        if WANTED.contains(&name) {
            println!("{name}: none. {reason}");
        }
    }
    Ok(())
}
