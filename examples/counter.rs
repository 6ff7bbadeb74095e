//! The first example of the README; `tests/readme.rs` holds the two together.

use pmu_events::open::{Counters, Options, Whom};
use pmu_events::{arch, resolve::resolve, sysfs::Sysfs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sysfs = Sysfs::new(); // the PMUs of this machine, and the event table of its CPU
    let events = resolve("instructions:u,task-clock", arch::host().ok(), &sysfs)?;
    let mut counters = Counters::open(&events, &Whom::ThisThread, Options::new())?;

    counters.enable()?;
    let primes = (2..10_000).filter(|n| (2..*n).all(|d| n % d != 0)).count();
    counters.disable()?;

    println!("{primes} primes took");
    for (event, reading) in counters.events().iter().zip(counters.read().events) {
        match event.value(&reading) {
            Ok(count) => println!("{}: {count} {}", event.name(), event.resolved().unit),
            Err(why) => println!("{}: {why}", event.name()),
        }
    }
    Ok(())
}
