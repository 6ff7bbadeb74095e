use perf_event::{Builder, SampleFlag};
use pmu_events::System;
use pmu_events_perf_event2::Event;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let events = System::new().require("task-clock")?;
    let mut builder = Builder::new(Event::new(&events[0]));
    builder.sample_period(1_000_000).sample(SampleFlag::IP | SampleFlag::TID);
    let mut sampler = builder.build()?.sampled(16)?;

    sampler.enable()?;
    let sum: u64 = (0..10_000_000).filter(|n| n % 3 == 0).sum();
    sampler.disable()?;

    let mut samples = 0;
    while sampler.next_record().is_some() {
        samples += 1;
    }
    println!("{samples} samples for {sum}");
    Ok(())
}
