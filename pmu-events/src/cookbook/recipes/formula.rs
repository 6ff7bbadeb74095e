use pmu_events::measure::{Formulas, Plan};
use pmu_events::{Scope, System, open::Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let formulas = r"
        fault_rate [1/s] = page\-faults / task\-clock
        busy [100%] = task\-clock / duration_time
    ".parse::<Formulas>()?;

    let system = System::new();
    let plan = Plan::new(formulas.bind(&system)?, &system, &Scope::ThisThread);
    let mut counters = plan.open(&Options::new())?;
    counters.enable()?;
    let ones = vec![1u8; 1 << 20];
    counters.disable()?;

    for value in plan.values(&counters.read()) {
        println!("{}: {value:.2} for {} bytes", value.request().name(), ones.len());
    }
    Ok(())
}
