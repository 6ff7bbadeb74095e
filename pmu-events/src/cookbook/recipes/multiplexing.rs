use pmu_events::System;
use pmu_events::open::Outcome;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut counters = System::new().open("{instructions,cycles}:u,cache-misses:u,task-clock")?;
    counters.enable()?;
    let sum: u64 = (0..100_000).sum();
    println!("the sum is {sum}");
    for event in counters.read() {
        let share = match event.outcome() {
            Outcome::Counted(total) => total.share(),
            _ => 0.0,
        };
        match event.value() {
            Ok(value) if share < 1.0 => {
                println!("{}: about {value} {} ({:.0}%)", event.name(), event.unit(), 100.0 * share)
            }
            Ok(value) => println!("{}: {value} {}", event.name(), event.unit()),
            Err(why) => println!("{}: {why}", event.name()),
        }
    }
    Ok(())
}
