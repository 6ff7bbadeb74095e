use pmu_events::System;
use pmu_events::open::{Options, ReadMethod, Reading};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::new().with_user_space_reads(true);
    let mut counters = System::new().open_with("instructions:u,task-clock", &options)?;
    let (mut before, mut spent) = (Reading::default(), Reading::default());
    counters.enable()?;
    for round in 0..3 {
        counters.read_into(&mut before);
        let sum: u64 = (0..100_000).sum();
        counters.read_into(&mut spent);
        spent.subtract(&before);
        println!("round {round}: {sum}");
        for event in &spent {
            let parts = event.parts();
            let is_direct = parts.iter().any(|part| part.method() == ReadMethod::UserSpace);
            println!("  {event} (system call: {})", if is_direct { "no" } else { "yes" });
        }
    }
    Ok(())
}
