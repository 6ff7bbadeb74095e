//! Which machine this is to be.

use std::env;

use pmu_events::{Model, System, host};

use crate::report::Report;

#[cfg(target_arch = "aarch64")]
mod tree {
    pmu_events::pmu_events!("$EMULATED_ARCH/arm64", unknown = allow);
}
#[cfg(target_arch = "powerpc64")]
mod tree {
    pmu_events::pmu_events!("$EMULATED_ARCH/powerpc", unknown = allow);
}
#[cfg(target_arch = "riscv64")]
mod tree {
    pmu_events::pmu_events!("$EMULATED_ARCH/riscv", unknown = allow);
}

/// The machine's name, the CPUID that the emulator gives it, and the directory
/// of its table.
#[cfg(target_arch = "aarch64")]
const MACHINES: &[(&str, &str, &str)] = &[
    ("cortex-a57", "0x00000000411fd070", "arm/cortex-a57-a72"),
    ("neoverse-n1", "0x00000000414fd0c1", "arm/neoverse-n1"),
];
#[cfg(target_arch = "powerpc64")]
const MACHINES: &[(&str, &str, &str)] = &[
    ("power8", "0x004d0200", "power8"),
    ("power9", "0x004e1200", "power9"),
    ("power10", "0x00800200", "power10"),
];

#[cfg(target_arch = "riscv64")]
const MACHINES: &[(&str, &str, &str)] =
    &[("sifive-u74", "0x489-0x8000000000000007-0x0", "sifive/bullet")];

pub(crate) struct Machine {
    cpuid: &'static str,
    table: &'static str,
    pub(crate) model: Model,
}

impl Machine {
    /// The kernel gives what it does not know of its command line to the first
    /// process.
    pub(crate) fn of_environment() -> Self {
        let name = env::var("machine").expect("the command line names the machine");
        let found = MACHINES.iter().find(|(known, ..)| *known == name);
        let (_, cpuid, table) = found.expect("the machine is known");
        let model = tree::host().unwrap_or_else(|error| panic!("{name}: {error}"));
        Machine { cpuid, table, model }
    }

    #[cfg(target_arch = "powerpc64")]
    pub(crate) fn generation(&self) -> pmu_events::power::Generation {
        pmu_events::power::Generation::of_cpuid(self.cpuid).expect("it is one")
    }

    /// This machine with its table alone.
    pub(crate) fn system(&self) -> System {
        System::new().with_model(self.model)
    }

    /// The CPU is recognised, and its table chosen.
    pub(crate) fn check(&self, report: &mut Report) {
        let cpuid = host::cpuid().unwrap_or_else(|error| error.to_string());
        report.equal("CPUID", self.cpuid, &cpuid);
        report.equal("table", self.table, self.model.name());
        #[cfg(target_arch = "powerpc64")]
        {
            let generation = pmu_events::power::Generation::of_cpuid(&cpuid);
            let name = generation.map_or("none", pmu_events::power::Generation::name);
            report.equal("generation", self.table, name);
        }
    }
}
