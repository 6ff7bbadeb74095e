//! Made-up machines with several kinds of cores.

use std::fmt::Write as _;

use crate::machines::Machine;

/// A kind of cores: the name of their PMU, and MIDR_EL1.
pub type Kind = (&'static str, &'static str);

pub const A53: Kind = ("armv8_cortex_a53", "0x00000000410fd034");
pub const A72: Kind = ("armv8_cortex_a72", "0x00000000410fd083");
pub const A73: Kind = ("armv8_cortex_a73", "0x00000000410fd091");
pub const HIP08: Kind = ("armv8_pmuv3_0", "0x00000000480fd010");
pub const UNKNOWN: Kind = ("armv8_unknown", "0x00000000123fd0c1");

/// Two CPUs of each kind, of which the first is offline, and PMUs outside the
/// cores.
pub fn machine(kinds: &[Kind], others: &str) -> Machine {
    let mut text = others.to_string();
    for (n, (pmu, midr)) in kinds.iter().enumerate() {
        let (first, second, kind) = (2 * n, 2 * n + 1, 8 + n);
        let _ = write!(
            text,
            "{pmu}/type\t{kind}\n{pmu}/cpus\t{first}-{second}\n{pmu}/format/event\tconfig:0-15\n\
             /devices/system/cpu/cpu{second}/regs/identification/midr_el1\t{midr}\n"
        );
    }
    Machine::of(&text)
}
