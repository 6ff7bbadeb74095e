//! A profiler inside a program: it keeps its counters in a struct while the program
//! runs, and reports the cost of each phase of the work.

use std::error::Error;

use pmu_events::System;
use pmu_events::open::{Counters, Reading};

struct Profiler {
    counters: Counters,
    phases: Vec<(&'static str, Reading)>,
}

impl Profiler {
    /// Counts events on this thread. Events that the machine does not have are
    /// reported with the others.
    fn new(events: &str) -> Result<Self, Box<dyn Error>> {
        let mut counters = System::new().open(events)?;
        counters.enable()?;
        Ok(Profiler { counters, phases: Vec::new() })
    }

    /// Runs a phase of the work. The counters keep running; the cost is the
    /// difference.
    fn phase<T>(&mut self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let before = self.counters.read();
        let result = work();
        self.phases.push((name, self.counters.read().since(&before)));
        result
    }

    fn report(self) {
        for (name, reading) in self.phases {
            println!("{name}");
            for event in reading {
                match event.value() {
                    Ok(value) => println!("{value:>18} {:4} {}", event.unit(), event.name()),
                    Err(why) => println!("{:>18}      {}: {why}", "-", event.name()),
                }
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut profiler = Profiler::new("{instructions,branch-misses}:u,task-clock,page-faults")?;
    let mut numbers = profiler.phase("make a million numbers", || {
        let mut state = 1_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..1_000_000).map(|_| next()).collect::<Vec<u64>>()
    });
    profiler.phase("sort them", || numbers.sort_unstable());
    profiler.phase("sort them again", || numbers.sort_unstable());
    profiler.report();
    Ok(())
}
