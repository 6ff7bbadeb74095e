//! The project's own `arch/`: the macro's tables against those that the jevents of Linux 7.3
//! makes of it, which knows units, registers and keys that 6.12's does not.

use std::path::Path;

use pmu_events_kernel_comparison as comparison;

use comparison::difference::Deliberate;
use comparison::{newest_root, own_arch_dir};

/// What differs on purpose. Each entry must be needed.
const DELIBERATE: &[Deliberate] = &[
    unknown_core("x86", "arrowlake", "cpu_lowpower/*", "*"),
    unknown_core("x86", "arrowlake", "uncore_cpu_lowpower/*", "*"),
    // Tables are sorted by PMU.
    unknown_core("x86", "arrowlake", "events", "order"),
    unknown_core("test", "test_soc/later", "cpu/*", "how many"),
    unknown_core("test", "test_soc/later", "uncore_cpu/*", "how many"),
    unknown_core("test", "test_soc/later", "events", "order"),
    Deliberate {
        arch: "x86",
        model: "novalake",
        name: "cpu_core/mem_load_l2_miss_retired.*",
        field: "event",
        reason: "the driver's format is `offmodule_rsp`; jevents writes `offcore_rsp`",
    },
];

/// This jevents, too, takes the unit for that of an uncore PMU.
const fn unknown_core(
    arch: &'static str,
    model: &'static str,
    name: &'static str,
    field: &'static str,
) -> Deliberate {
    Deliberate { arch, model, name, field, reason: "`cpu` and `cpu_lowpower` are core PMUs" }
}

#[test]
fn every_table() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newest");
    std::fs::create_dir_all(&scratch).expect("it is made");
    comparison::compare_own(&newest_root(), &own_arch_dir(), DELIBERATE, &scratch);
}
