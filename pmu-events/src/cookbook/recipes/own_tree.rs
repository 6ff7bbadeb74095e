mod soc {
    // Relative to the Cargo.toml of the crate.
    pmu_events::pmu_events!("tests/acme");
}

use pmu_events::System;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let event = soc::ACME_W1.event("l1d.miss").unwrap();
    println!("{} {}: {}", event.name(), event.event_string(), event.description().unwrap());

    let system = System::new().with_tree(&soc::TREE);
    // As on a machine with that CPU.
    let system = system.with_cpuid("acme-1-2");
    let model = system.model()?;
    println!("{}: {} events", model.name(), model.event_count());

    let ratio = model.metric("l1d_miss_ratio").unwrap();
    let count = |event: pmu_events::expr::Identifier<'_>| match event.as_str() {
        "L1D.MISS" => 30.0,
        _ => 1200.0,
    };
    println!("{}: {}{}", ratio.name(), ratio.evaluate(count), ratio.scale().1);
    Ok(())
}
