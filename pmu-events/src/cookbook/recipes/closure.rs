use pmu_events::System;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut counters = System::new().open("instructions:u,task-clock,page-faults")?;

    counters.enable()?;
    let primes = (2..1_000).filter(|n| (2..*n).all(|d| n % d != 0)).count();
    counters.disable()?;

    println!("{primes} primes took");
    for event in counters.read() {
        match event.value() {
            Ok(value) => println!("{}: {value} {}", event.name(), event.unit()),
            Err(why) => println!("{}: {why}", event.name()),
        }
    }
    Ok(())
}
