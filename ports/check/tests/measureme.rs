//! measureme's `counters`, which its profiler calls.
#![allow(dead_code, clippy::new_without_default)]

#[macro_use]
extern crate log;

#[path = "../../measureme/files/measureme/src/counters.rs"]
mod counters;

#[test]
fn each_name_counts_or_says_why_not() {
    for name in
        ["wall-time", "instructions:u", "instructions-minus-irqs:u", "instructions-minus-r0420:u"]
    {
        match counters::Counter::by_name(name) {
            Ok(counter) => {
                assert!(counter.describe_as_json().contains(name));
                let earlier = counter.since_start();
                assert!(earlier <= counter.since_start(), "{name}");
            }
            Err(error) => assert!(name != "wall-time" && !error.to_string().is_empty(), "{error}"),
        }
    }
    assert!(counters::Counter::by_name("cycles").is_err());
}
