use pmu_events::open::{self, Options};
use pmu_events::{Scope, System};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let system = System::new();
    let work = |n: u64| {
        let system = system.clone();
        move || -> Result<_, open::Error> {
            let mut counters = system.open("task-clock")?;
            counters.enable()?;
            let sum: u64 = (0..n * 100_000).sum();
            Ok((sum, counters.read()))
        }
    };
    let workers: Vec<_> = (1..=2).map(|n| std::thread::spawn(work(n))).collect();
    for worker in workers {
        let (sum, reading) = worker.join().unwrap()?;
        for event in reading {
            println!("{sum} took {} {}", event.value()?, event.unit());
        }
    }

    // All threads of a process, here of this one.
    let threads = system.threads_of(std::process::id())?;
    let scope = Options::new().with_scope(Scope::Threads(threads));
    let counters = system.open_with("task-clock", &scope)?;
    println!("open for {} threads", counters.targets(0).count());
    Ok(())
}
