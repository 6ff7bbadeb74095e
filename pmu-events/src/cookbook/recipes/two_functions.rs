use pmu_events::System;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut counters = System::new().open("{instructions,cycles}:u,task-clock")?;
    counters.enable()?;
    let measure = |name: &str, work: &dyn Fn() -> u64| {
        let before = counters.read();
        let result = work();
        let spent = counters.read().since(&before);
        println!("{name} = {result}");
        for event in spent {
            match event.value() {
                Ok(value) => println!("  {value:>14} {} {}", event.unit(), event.name()),
                Err(why) => println!("  {}: {why}", event.name()),
            }
        }
    };
    measure("loop", &|| (0..100_000u64).map(|n| n * n).fold(0, u64::wrapping_add));
    measure("formula", &|| 99_999 * 100_000 * 199_999 / 6);
    Ok(())
}
