//! The second example of the README; `tests/readme.rs` holds the two together.

use pmu_events::{Event, arch::x86};

const INST: Event = x86::SILVERMONT.require("INST_RETIRED.ANY"); // an unknown name does not compile

fn main() {
    let model = x86::model("GenuineIntel-6-8F-4").unwrap(); // or x86::host()?
    for name in ["l2_lines_in.all", "br_misp_retired.all_branches"] {
        let event = model.event(name).unwrap();
        println!("{} {}: {}", event.name(), event.event_string(), event.description().unwrap());
    }
    println!("{} {}", INST.name(), INST.event_string());
}
