//! Three config words, by name. Compare with `literals.rs`.

use pmu_events::Event;
use pmu_events_benches::SAPPHIRERAPIDS;

const WORDS: [u64; 3] = [
    config(SAPPHIRERAPIDS.require("L2_RQSTS.MISS")),
    config(SAPPHIRERAPIDS.require("MEM_INST_RETIRED.ALL_LOADS")),
    config(SAPPHIRERAPIDS.require("MEM_LOAD_RETIRED.L3_MISS")),
];

const fn config(event: Event) -> u64 {
    field(event, "event") | field(event, "umask") << 8
}

const fn field(event: Event, name: &str) -> u64 {
    event
        .terms()
        .last_named(name)
        .expect("the event has the term")
        .number()
        .expect("it is a number")
}

fn main() {
    println!("{:#x?}", std::hint::black_box(WORDS));
}
