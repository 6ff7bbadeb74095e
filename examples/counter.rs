//! The first example of the README; `tests/readme.rs` holds the two together.

use pmu_events::System;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut counters = System::new().open("instructions:u,task-clock")?;
    let work = || (2..10_000).filter(|n| (2..*n).all(|d| n % d != 0)).count();
    let (primes, reading) = counters.count(work)?;
    println!("{primes} primes took");
    for event in &reading {
        println!("{event}");
    }
    Ok(())
}
