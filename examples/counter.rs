//! The first example of the README; `tests/readme.rs` holds the two together.

use pmu_events::System;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new(); // this machine: its PMUs, and the event tables of its CPU
    let mut counters = system.open("instructions:u,task-clock")?;

    counters.enable()?;
    let primes = (2..10_000).filter(|n| (2..*n).all(|d| n % d != 0)).count();
    counters.disable()?;

    println!("{primes} primes took");
    for event in counters.read() {
        match event.value() {
            Ok(count) => println!("{}: {count} {}", event.name(), event.unit()),
            Err(why) => println!("{}: {why}", event.name()),
        }
    }
    Ok(())
}
