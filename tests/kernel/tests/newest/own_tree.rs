//! The project's own `arch/`: the macro's tables against those that the jevents of Linux 7.3
//! makes of it, which knows units, registers and keys that 6.12's does not.

use std::path::Path;

use pmu_events_kernel_comparison as comparison;

use comparison::difference::Deliberate;
use comparison::{newest_root, own_arch_dir};

/// What differs on purpose, beside low-power cores. Each entry must be needed.
const DELIBERATE: &[Deliberate] = &[
    later("cpu/*", "how many"),
    later("uncore_cpu/*", "how many"),
    later("events", "order"),
    Deliberate::OFF_MODULE_RESPONSE,
];

/// This jevents, too, takes the unit for that of an uncore PMU.
const fn later(name: &'static str, field: &'static str) -> Deliberate {
    Deliberate { arch: "test", model: "test_soc/later", name, field, reason: "`cpu` is a core PMU" }
}

#[test]
fn every_table() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newest");
    std::fs::create_dir_all(&scratch).expect("it is made");
    let deliberate = [DELIBERATE, &Deliberate::LOW_POWER_CORES].concat();
    comparison::compare_own(&newest_root(), &own_arch_dir(), &deliberate, &scratch);
}
