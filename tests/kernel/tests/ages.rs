//! Trees older and newer than that of Linux 6.12 compile, and where 6.12's jevents
//! can read them, both make the same tables.

use std::fs;
use std::path::Path;

use pmu_events_kernel_comparison as comparison;

use comparison::compiled::compiled;
use comparison::difference::{self, Deliberate};
use comparison::{arch_dir_of, kernel_root, reference, source, tables};

fn compare(variable: &str, expected: &[&str], unreadable: &[&str], deliberate: &[Deliberate]) {
    let directory = arch_dir_of(variable);
    let entries = fs::read_dir(&directory).unwrap_or_else(|error| panic!("{variable}: {error}"));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("the directory can be read"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, expected, "{variable} is another tree");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut reports = Vec::new();
    for name in &names {
        let arch = compiled(&directory, name).unwrap_or_else(|report| panic!("{name}: {report}"));
        let mut found = source::check(&arch, &directory.join(name));
        let mut events = arch.tree.models().map(|model| model.event_count()).sum::<usize>();
        if !unreadable.contains(&name.as_str()) {
            let theirs = reference::run(&kernel_root(), &directory, name, scratch);
            found.extend(tables::compare(&arch, &theirs));
            events = theirs.event_count();
        }
        assert!(events > 0, "{name}: nothing to compare");
        let judged = difference::judge(name, &found, deliberate);
        println!("{variable}: {name}: {events} events, {} deliberate", judged.deliberate);
        reports.extend(judged.report);
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

#[test]
fn older() {
    let archs = ["arm64", "nds32", "powerpc", "s390", "test", "x86"];
    compare("PMU_EVENTS_OLDER", &archs, &[], &[]);
}

#[test]
fn newer() {
    let archs = ["arm64", "common", "nds32", "powerpc", "riscv", "s390", "test", "x86"];
    compare("PMU_EVENTS_NEWER", &archs, NEWER_UNREADABLE, &Deliberate::LOW_POWER_CORES);
}

/// What 6.12's jevents stops at.
const NEWER_UNREADABLE: &[&str] = &[
    // It wants a map file.
    "common",
];
