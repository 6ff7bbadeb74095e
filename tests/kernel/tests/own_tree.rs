//! The project's own `arch/`: the macro's tables against those that the
//! kernel's jevents makes of it. What is written here must mean to perf what it
//! means to us.

use std::fs;
use std::path::Path;

use pmu_events_kernel_comparison as comparison;

use comparison::difference::Deliberate;
use comparison::{OWN, own_arch_dir};

/// Units that Linux 6.12 does not know yet: its jevents takes them for those of
/// uncore PMUs.
const fn later(name: &'static str, field: &'static str) -> Deliberate {
    let reason = "units that came after Linux 6.12";
    Deliberate { arch: "test", model: "test_soc/later", name, field, reason }
}

/// What differs from perf on purpose. Each entry must be needed.
const DELIBERATE: &[Deliberate] = &[
    later("cpu/*", "how many"),
    later("software/*", "how many"),
    later("tool/*", "how many"),
    later("uncore_cpu/*", "how many"),
    later("uncore_software/*", "how many"),
    later("uncore_tool/*", "how many"),
    later("events", "order"),
];

#[test]
fn every_table() {
    let mut reports = Vec::new();
    for arch in OWN {
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (theirs, report) = comparison::compare(arch, &own_arch_dir(), DELIBERATE, scratch);
        assert!(theirs.event_count() > 0, "{}: nothing to compare", arch.name);
        reports.extend(report);
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

/// What is added to `arch/` is compared, too.
#[test]
fn every_architecture() {
    let arch_dir = own_arch_dir();
    let entries = fs::read_dir(&arch_dir).expect("arch/ can be read").map(Result::unwrap);
    let mut there: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        // After Linux 6.12: its jevents knows no such directory.
        .filter(|name| name != "common")
        .collect();
    there.sort();
    let mut compared: Vec<&str> = OWN.iter().map(|arch| arch.name).collect();
    compared.sort_unstable();
    assert_eq!(there, compared, "add it to `own` in src/lib.rs");
}
