use pmu_events::System;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    let events = system.resolve("cycles,cpu_atom/cycles/")?;
    for event in &events {
        let pmu = event.pmu().map_or("any PMU", |pmu| pmu.name());
        println!("{} on {pmu}: config {:#x}", event.name(), event.words().config());
    }
    for missing in events.missing() {
        println!("{}: {}", missing.name(), missing.error());
    }
    for model in system.models() {
        println!("cores of {}", model.name());
    }
    Ok(())
}
