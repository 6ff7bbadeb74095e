use pmu_events::System;
use pmu_events::open::{self, Counters};

struct Profiler {
    counters: Counters,
}

impl Profiler {
    fn new() -> Result<Self, open::Error> {
        Ok(Profiler { counters: System::new().open("page-faults,context-switches")? })
    }

    fn phase<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> Result<T, open::Error> {
        self.counters.reset();
        self.counters.enable()?;
        let result = work();
        self.counters.disable()?;
        for event in self.counters.read() {
            match event.value() {
                Ok(count) => println!("{name}: {count} {}", event.name()),
                Err(why) => println!("{name}: {}: {why}", event.name()),
            }
        }
        Ok(result)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut profiler = Profiler::new()?;
    let zeros = profiler.phase("reserve", || vec![0u8; 1 << 20])?;
    let ones = profiler.phase("fill", || zeros.iter().map(|byte| byte + 1).collect::<Vec<u8>>())?;
    println!("{} bytes", ones.len());
    Ok(())
}
