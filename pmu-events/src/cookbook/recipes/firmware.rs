use pmu_events::arch::x86;
use pmu_events::register::Control;
use pmu_events::register::intel::{self, Program, ProgrammableCounter};

/// An unknown name, or one that this counter cannot count, does not compile.
const MISPREDICTED: Program = {
    let event = x86::SAPPHIRERAPIDS.require("BR_MISP_RETIRED.ALL_BRANCHES");
    intel::require(intel::program(event, ProgrammableCounter::General(0), Control::COUNT))
};

fn main() {
    // IA32_PERFEVTSEL0, and the counter's bit in IA32_PERF_GLOBAL_CTRL.
    for write in MISPREDICTED.as_slice() {
        println!("{:#x} = {:#x}", write.register(), write.value());
    }
}
