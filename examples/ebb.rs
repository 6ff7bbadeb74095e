//! An event-based branch on Power: opens a group of events whose overflow
//! branches into the process. `pmu ebb` takes any events.

use pmu_events::arch::powerpc;
use pmu_events::ebb::{self, BranchGroup, Builder, Enable, Standing};
use pmu_events::power::{Fields, Generation};

/// Cycles on counter 1, which lead, and instructions on the counter that their code
/// names. The kernel's rules are checked at compile time.
const GROUP: BranchGroup = match Builder::new(Generation::Power9)
    .event(powerpc::POWER9.require("PM_CYC"))
    .on(1)
    .event(powerpc::POWER9.require("PM_RUN_INST_CMPL"))
    .user_only()
    .build()
{
    Ok(group) => group,
    Err(broken) => broken.panic(),
};

fn main() {
    for attr in GROUP.attributes() {
        let fields = Fields::decode(Generation::Power9, attr.words());
        println!("{:#018x}  {fields}", attr.config);
    }
    match ebb::start(&GROUP, Enable::Ioctl) {
        // From here on the process would set its handler (`mtspr EBBHR`), allow
        // branches in `BESCR`, and load the counters: see the module `ebb`.
        Ok((_branches, Standing::OnPmu)) => println!("the group has the PMU"),
        Ok((_, standing)) => println!("the group does not have the PMU: {standing:?}"),
        Err(error) => println!("{error}"),
    }
}
