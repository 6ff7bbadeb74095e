//! The metric of `pmu-events`' README on this machine; `tests/readme.rs` holds the two together.

use pmu_events::{Scope, System, measure::Plan, open::Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    let metric = system.model()?.metric("ipc"); // an error if no table has this CPU
    let plan = Plan::new(metric, &system, &Scope::ThisThread);
    let mut counters = plan.open(&Options::new())?;

    counters.enable()?;
    let primes = (2..10_000).filter(|n| (2..*n).all(|d| n % d != 0)).count();
    counters.disable()?;

    for metric in plan.values(&counters.read()) {
        println!("{primes} primes, {}: {metric:.2}", metric.request().name());
    }
    for missing in plan.missing() {
        println!("{}: {}", missing.name(), missing.error());
    }
    Ok(())
}
