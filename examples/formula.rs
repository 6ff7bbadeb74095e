//! The third example of the README of `pmu-events`; `tests/readme.rs` holds the two together.

use pmu_events::{arch::x86, expr::Identifier, metric};

fn main() {
    let model = x86::model("GenuineIntel-6-8F-4").unwrap(); // or x86::host()?
    let missed = model.metric("branch_mispredict_ratio").unwrap();
    for event in missed.events() {
        println!("{}", event.with_parameter(0)); // to be counted, as perf's -e spells it
    }
    let count = |event: Identifier<'_>| match event.as_str() {
        "BR_MISP_RETIRED.ALL_BRANCHES" => 4e6,
        _ => 64e6,
    };
    println!("{}{}", missed.evaluate(count), missed.scale().1);
    println!("more than it should be: {:?}", missed.is_crossed(count));

    // A user's own, from a configuration file for instance.
    let rate = metric::parse("1000 * misses / calls if calls > 0 else 0").unwrap();
    println!("{}", rate.evaluate(|event| if event.as_str() == "misses" { 3.0 } else { 400.0 }));
    println!("{}", metric::parse("1000 * misses / calls)").unwrap_err());
}
