use pmu_events::{System, arch::x86};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let zen4 = System::builtin("AuthenticAMD-25-61-2", x86::AMDZEN4);
    for event in &zen4.require("ex_ret_brn_misp,l3_lookup_state.l3_miss")? {
        println!("{}: type {}, config {:#x}", event.name(), event.type_(), event.words().config());
    }
    Ok(())
}
