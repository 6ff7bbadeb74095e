//! The tables of the kernel's tree, with what its perf generates (cache events, metrics of
//! vendors): the macro's against those of its own jevents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pmu_events::metric;
use pmu_events_kernel_comparison as comparison;
use serde_json::Value;

use comparison::beside::perf::Perf;
use comparison::compiled::compiled;
use comparison::difference::Deliberate;
use comparison::newest_root;

use crate::machines::Machine;
use crate::program;

/// What differs on purpose, beside low-power cores. Each entry must be needed.
const DELIBERATE: &[Deliberate] = &[
    Deliberate::OFF_MODULE_RESPONSE,
    Deliberate {
        arch: "arm64",
        model: "nvidia/t410",
        name: "default_core/cti_trigout[467]/",
        field: "long_desc",
        reason: "the brief description is that of the standard event, which jevents does not see yet",
    },
];

/// Events, metrics, rows and sys tables of Linux 7.3, so that a comparison of nothing with
/// nothing does not pass.
const EXPECTED: &[(&str, [usize; 4])] = &[
    ("x86", [47_462, 9_495, 47, 0]),
    ("arm64", [4_286, 829, 35, 11]),
    ("powerpc", [2_526, 950, 6, 0]),
    ("riscv", [565, 0, 10, 0]),
    ("s390", [1_005, 72, 8, 0]),
    ("nds32", [48, 0, 1, 0]),
    ("common", [1_259, 17, 1, 0]),
    ("test", [16, 15, 1, 1]),
];

/// Generated metrics that perf cannot read: their `=` and `,` lack backslashes.
const UNREADABLE: usize = 37;

/// The tree that perf is built from, without the metrics whose formulas neither perf nor the
/// macro reads; and how many these are.
fn arch_dir(scratch: &Path) -> (PathBuf, usize) {
    let root = scratch.join("arch");
    let generate = Path::new(env!("CARGO_MANIFEST_DIR")).join("perf/generate");
    let run = Command::new(generate).arg(newest_root()).arg(&root).output();
    let run = run.unwrap_or_else(|error| panic!("perf/generate cannot be run: {error}"));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut perf = Perf::on(program(), &Machine::empty().sysfs(), "none");
    let mut unreadable = 0;
    for path in generated_below(&root) {
        let text = fs::read_to_string(&path).expect("it was generated");
        let mut metrics: Vec<Value> = serde_json::from_str(&text).expect("it is a list");
        let all = metrics.len();
        metrics.retain(|metric| {
            let formula = metric["MetricExpr"].as_str().expect("it has a formula");
            let is_read = metric::parse(formula).is_ok();
            if !is_read {
                let answer = perf.ask(&format!("formula\t{formula}"));
                assert_eq!(answer.as_deref(), Some(&["refused".to_owned()][..]), "{formula}");
            }
            is_read
        });
        unreadable += all - metrics.len();
        fs::write(&path, Value::from(metrics).to_string()).expect("it can be written");
    }
    (root, unreadable)
}

fn generated_below(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("it can be read").map(Result::unwrap) {
        match entry.path().is_dir() {
            true => found.extend(generated_below(&entry.path())),
            false if entry.file_name() == "extra-metrics.json" => found.push(entry.path()),
            false => {}
        }
    }
    found
}

#[test]
fn every_table() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newest-kernel");
    fs::create_dir_all(&scratch).expect("it is made");
    let (directory, unreadable) = arch_dir(&scratch);
    assert_eq!(unreadable, UNREADABLE);
    let deliberate = [DELIBERATE, &Deliberate::LOW_POWER_CORES].concat();
    let mut reports = Vec::new();
    let mut counts = Vec::new();
    for name in ["x86", "arm64", "powerpc", "riscv", "s390", "nds32", "common", "test"] {
        let arch = compiled(&directory, name).unwrap_or_else(|report| panic!("{name}: {report}"));
        let (theirs, report) = comparison::compare_with(
            &newest_root(),
            &arch,
            &directory,
            &directory,
            &deliberate,
            &scratch,
        );
        reports.extend(report);
        let sys = theirs.sys_count();
        counts.push((name, [theirs.event_count(), theirs.metric_count(), theirs.rows.len(), sys]));
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
    assert_eq!(counts, EXPECTED, "all is equal, but this is not the tree of Linux 7.3");
}
