//! The quantities that have one name on every CPU: their values on this machine or, given a
//! CPUID, the formulas of that CPU, with whatever differs from the definition.
//!
//! ```text
//! cargo run --example portable
//! cargo run --example portable -- AuthenticAMD-25-61-2
//! ```

use std::{env, error::Error};

use pmu_events::{Metric, Scope, System, arch, measure::Plan, open::Options};

fn main() -> Result<(), Box<dyn Error>> {
    let cpuid = env::args().nth(1);
    let system = System::new();
    let model = match &cpuid {
        Some(cpuid) => {
            let mut trees = arch::TREES.iter();
            trees.find_map(|(_, tree)| tree.model(cpuid)).ok_or("no tree has this CPU")?
        }
        None => system.model()?,
    };
    for metric in model.metrics().in_group("common") {
        let shown = match cpuid {
            Some(_) => metric.expression().to_string(),
            None => value(metric, &system).unwrap_or_else(|error| error.to_string()),
        };
        println!("{}: {shown}", metric.name());
        if let Some(difference) = metric.difference() {
            println!("    {difference}");
        }
    }
    for (name, reason) in model.lacking() {
        println!("{name}: none. {reason}");
    }
    Ok(())
}

/// The value for a little work of this thread, or of the machine where an event is of no thread.
fn value(metric: Metric, system: &System) -> Result<String, Box<dyn Error>> {
    let plan = Plan::new([metric], system, &Scope::ThisThread);
    let mut counters = plan.open(&Options::new())?;
    counters.enable()?;
    std::hint::black_box((2..2_000).filter(|n| (2..*n).all(|d| n % d != 0)).count());
    counters.disable()?;
    let values = plan.values(&counters.read());
    let shown: Vec<String> = values.iter().map(|value| format!("{value:.2}")).collect();
    let missing = plan.missing().iter().map(|missing| missing.error().to_string());
    Ok(shown.into_iter().chain(missing).collect::<Vec<_>>().join("; "))
}
