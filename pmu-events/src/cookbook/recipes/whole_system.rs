use pmu_events::open::Options;
use pmu_events::{Scope, System};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    let everything = Options::new().with_scope(Scope::AllCpus);
    let mut counters = system.open_with("cpu-clock,unc_m_cas_count.rd", &everything)?;
    counters.enable()?;
    std::thread::sleep(std::time::Duration::from_millis(10));
    for event in counters.read() {
        // One entry for each instance of the memory controller.
        match event.value() {
            Ok(value) => println!("{}: {value} {}", event.name(), event.unit()),
            Err(why) => println!("{}: {why}", event.name()),
        }
    }
    Ok(())
}
