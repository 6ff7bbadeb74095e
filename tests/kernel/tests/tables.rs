//! Every table of the kernel's trees: the macro's against jevents'.

use std::path::Path;

use pmu_events_kernel_comparison as comparison;

use comparison::difference::Deliberate;
use comparison::{kernel_arch, kernel_arch_dir};

/// What differs from perf on purpose. Each entry must be needed.
const DELIBERATE: &[Deliberate] = &[];

/// What a Linux 6.12 tree has, so that a comparison of nothing with nothing
/// does not pass.
#[derive(Debug, PartialEq)]
struct Counts {
    events: usize,
    metrics: usize,
    rows: usize,
    sys_tables: usize,
}

fn compare(name: &str, of_linux_6_12: &Counts) {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let arch = kernel_arch(name);
    let (theirs, report) = comparison::compare(arch, &kernel_arch_dir(), DELIBERATE, scratch);
    if let Some(report) = report {
        panic!("{report}");
    }
    let counts = Counts {
        events: theirs.event_count(),
        metrics: theirs.metric_count(),
        rows: theirs.rows.len(),
        sys_tables: theirs.sys_count(),
    };
    assert_eq!(&counts, of_linux_6_12, "all is equal, but this is not the tree of Linux 6.12");
}

#[test]
fn x86() {
    compare("x86", &Counts { events: 42_510, metrics: 4_617, rows: 42, sys_tables: 0 });
}

#[test]
fn arm64() {
    compare("arm64", &Counts { events: 2_887, metrics: 452, rows: 31, sys_tables: 9 });
}

#[test]
fn powerpc() {
    compare("powerpc", &Counts { events: 2_503, metrics: 951, rows: 5, sys_tables: 0 });
}

#[test]
fn riscv() {
    compare("riscv", &Counts { events: 250, metrics: 0, rows: 4, sys_tables: 0 });
}

#[test]
fn s390() {
    compare("s390", &Counts { events: 690, metrics: 58, rows: 7, sys_tables: 0 });
}

#[test]
fn nds32() {
    compare("nds32", &Counts { events: 48, metrics: 0, rows: 1, sys_tables: 0 });
}

#[test]
fn test() {
    compare("test", &Counts { events: 16, metrics: 15, rows: 1, sys_tables: 1 });
}
