//! A profiler inside of a program: it holds its counters in a struct for as long
//! as the program runs, and says what each phase of the work cost.

use std::error::Error;

use pmu_events::open::{Attr, Count, Counter, Target};
use pmu_events::resolve::{Tables, resolve};
use pmu_events::{arch, sysfs::Sysfs};

/// An open counter of this thread. It borrows nothing of what its event was
/// resolved with.
struct Meter {
    name: String,
    scale: f64,
    unit: String,
    counter: Counter,
}

struct Profiler {
    meters: Vec<Meter>,
    phases: Vec<(&'static str, Vec<Count>)>,
}

impl Profiler {
    /// Opens every event that this machine has, and says what the others lack.
    fn new(events: &[&str]) -> Self {
        let sysfs = Sysfs::new();
        let tables = Tables::from(arch::host().ok());
        let mut meters = Vec::new();
        for &event in events {
            match Self::open(event, tables, &sysfs) {
                Ok(opened) => meters.extend(opened),
                Err(error) => eprintln!("{event}: {error}"),
            }
        }
        Profiler { meters, phases: Vec::new() }
    }

    /// One counter on each PMU that has the event: on a hybrid CPU there are
    /// several.
    fn open(event: &str, tables: Tables, sysfs: &Sysfs) -> Result<Vec<Meter>, Box<dyn Error>> {
        let mut meters = Vec::new();
        for resolved in resolve(event, tables, sysfs)? {
            let counter = Counter::open(&Attr::counting(&resolved), Target::ThisThread, None)?;
            counter.enable()?;
            meters.push(Meter {
                name: event.to_owned(),
                scale: resolved.scale,
                unit: resolved.unit.to_string(),
                counter,
            });
        }
        Ok(meters)
    }

    fn counts(&self) -> Result<Vec<Count>, Box<dyn Error>> {
        Ok(self.meters.iter().map(|meter| meter.counter.read()).collect::<Result<_, _>>()?)
    }

    /// Runs a phase of the work. The counters run on; what counts is the
    /// difference.
    fn phase<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> T,
    ) -> Result<T, Box<dyn Error>> {
        let before = self.counts()?;
        let result = work();
        let after = self.counts()?;
        let costs = after.iter().zip(&before).map(|(after, before)| after.since(before));
        self.phases.push((name, costs.collect()));
        Ok(result)
    }

    fn report(&self) {
        for (name, counts) in &self.phases {
            println!("{name}");
            for (Meter { name, scale, unit, .. }, count) in self.meters.iter().zip(counts) {
                match count.estimate() {
                    Some(estimate) => println!("{:>18} {unit:4} {name}", estimate as f64 * scale),
                    None => println!("{:>18}      {name}: never had a counter", "-"),
                }
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut profiler =
        Profiler::new(&["instructions:u", "branch-misses:u", "task-clock", "page-faults"]);
    let mut numbers = profiler.phase("make a million numbers", || {
        let mut state = 1_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..1_000_000).map(|_| next()).collect::<Vec<u64>>()
    })?;
    profiler.phase("sort them", || numbers.sort_unstable())?;
    profiler.phase("sort them again", || numbers.sort_unstable())?;
    profiler.report();
    Ok(())
}
