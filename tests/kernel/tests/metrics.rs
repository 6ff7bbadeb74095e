//! Every metric of the kernel's trees: it has a program, and the program's
//! values are those of its text, worked out apart from us by perf's rules.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use pmu_events_kernel_comparison as comparison;

use comparison::formulas::Files;
use comparison::metrics::Compared;
use comparison::{KERNEL, kernel_arch, kernel_arch_dir};
use pmu_events::__private::glob;
use pmu_events::__private::wire::Section;
use pmu_events::metric;

fn compare(name: &str, metrics: usize, thresholds: usize) {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directory = kernel_arch_dir().join(name);
    let compared = comparison::metrics::compare(kernel_arch(name), &directory, scratch)
        .unwrap_or_else(|wrong| panic!("{name}:\n{wrong}"));
    // Not by `eprintln!`, which the test harness keeps to itself.
    let _ = writeln!(std::io::stderr(), "{name} metrics: {compared:?}");
    let Compared { metrics: ours, thresholds: of_thresholds, nan, values } = compared;
    assert_eq!((ours, of_thresholds), (metrics, thresholds), "{name}");
    // Neither all of them nor none, or nothing is compared.
    assert!(values == 0 || nan > 0 && nan < values, "{name}");
}

/// What is printed of any formula says the same.
#[test]
fn printed() {
    for arch in KERNEL {
        for model in arch.tree.models().chain(arch.tree.sys_tables()) {
            for metric in model.metrics() {
                for formula in [Some(metric.expression()), metric.threshold()].into_iter().flatten()
                {
                    let text = formula.to_string();
                    let parsed = metric::parse(&text).expect(&text);
                    assert_eq!(parsed.to_string(), text);
                    assert_eq!(parsed.clone().simplified(), parsed, "{text}");
                    let names: Vec<&str> = formula.names().map(|name| name.as_str()).collect();
                    let parsed: Vec<String> = parsed.names().map(|name| name.to_string()).collect();
                    assert_eq!(names, parsed, "{text}");
                }
            }
        }
    }
}

#[test]
fn x86() {
    compare("x86", 4_617, 2_291);
}

#[test]
fn others() {
    compare("arm64", 452, 0);
    compare("powerpc", 951, 0);
    compare("s390", 58, 0);
    compare("test", 15, 0);
    compare("riscv", 0, 0);
    compare("nds32", 0, 0);
}

/// Each distinct text is counted once; with the programs goes all that they need.
#[test]
fn programs_are_smaller_than_half_of_their_texts() {
    let arch = kernel_arch("x86");
    let files = Files::read(arch, &kernel_arch_dir().join(arch.name));
    let texts = files.texts();
    let text: usize = texts.iter().map(|text| text.len()).sum();
    let size = |section| arch.tree.wire().section(section).len();
    let programs = [Section::Formulas, Section::Programs, Section::Constants, Section::References];
    let programs: usize = programs.map(size).iter().sum();
    let line =
        format!("x86 formulas: {} texts, {text} bytes; programs: {programs} bytes", texts.len());
    let _ = writeln!(std::io::stderr(), "{line}");
    assert!(2 * programs < text, "{line}");
}

/// Names that no event and no metric of their model bears, and why each is
/// fine. Shell patterns; each must be needed.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("*", "duration_time", "perf's own clock"),
    ("x86", "cycles", "every Linux has it"),
    ("x86", "cycles:k", "every Linux has it"),
    ("x86", "instructions", "every Linux has it"),
    ("x86", "TSC", "the PMU `msr` has it in sysfs"),
    ("x86", "msr/*", "the PMU `msr` has it in sysfs"),
    ("x86", "cycles-*t", "the core PMU has it in sysfs, where it has transactions"),
    ("x86", "el-start", "the core PMU has it in sysfs, where it has transactions"),
    ("x86", "tx-start", "the core PMU has it in sysfs, where it has transactions"),
    ("x86", "topdown-*", "the core PMU has it in sysfs"),
    ("x86", "cpu/*", "an event of the core PMU, or terms for it"),
    ("x86", "cpu_core/*", "an event of that core PMU, or terms for it"),
    ("x86", "cpu_atom/*", "an event of that core PMU, or terms for it"),
    ("x86", "cstate_*/c*-residency/", "the PMU has it in sysfs"),
    ("x86", "arb/*", "terms for an uncore PMU"),
    ("x86", "cbox/*", "terms for an uncore PMU"),
    ("x86", "cbox_0/*", "terms for an uncore PMU"),
    ("x86", "cha/*", "terms for an uncore PMU"),
    ("x86", "cha_0/*", "terms for an uncore PMU"),
    ("x86", "uncore_cha_0/*", "terms for an uncore PMU"),
    ("x86", "imc_0/*", "terms for an uncore PMU"),
    ("x86", "UNC_*/*=*/", "an event of the tree, with further terms"),
    ("arm64", "armv8_pmuv3_0/*", "terms for the core PMU"),
    ("arm64", "imx?_ddr0/*", "an event of an uncore PMU, with terms"),
    ("arm64", "*", "an architecture's event: the core PMU has it in sysfs, hip08's files do not"),
    ("powerpc", "hv_24x7/*", "the hypervisor's counters, which have it in sysfs"),
    ("powerpc", "nest_*/*", "the nest's counters, which have it in sysfs"),
    ("test", "*", "perf's tests give it a value by its name"),
];

#[test]
fn names_that_models_do_not_have() {
    let mut needed = vec![false; ELSEWHERE.len()];
    let mut unexplained = BTreeSet::new();
    for arch in KERNEL {
        for model in arch.tree.models().chain(arch.tree.sys_tables()) {
            for event in model.metrics().flat_map(|m| m.events().chain(m.threshold_events())) {
                let name = event.to_string();
                let plain = name.split_once(':').map_or(name.as_str(), |(name, _)| name);
                if model.event(plain).is_some() {
                    continue;
                }
                let explains = |&(of, pattern, _): &(&str, &str, &str)| {
                    glob::matches(of, arch.name) && glob::matches(pattern, &name)
                };
                match ELSEWHERE.iter().position(explains) {
                    Some(reason) => needed[reason] = true,
                    None => _ = unexplained.insert(format!("{} {name}", model.name())),
                }
            }
        }
    }
    assert!(unexplained.is_empty(), "{unexplained:#?}");
    let idle: Vec<_> = ELSEWHERE.iter().zip(needed).filter(|(_, needed)| !needed).collect();
    assert!(idle.is_empty(), "{idle:#?}");
}
