//! The project's own `arch/`: the macro's tables against those that the
//! kernel's jevents makes of it. What is written here must mean to perf what it
//! means to us. What comes from a kernel is what that kernel has; `tests/perfmon`
//! compares what comes from perfmon.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use pmu_events::__private::glob;
use pmu_events::Event;
use pmu_events_import::lint;
use pmu_events_import::problem::Problems;
use pmu_events_import::record::Keep;

use pmu_events_kernel_comparison as comparison;

use comparison::compiled::compiled;
use comparison::difference::Deliberate;
use comparison::{Arch, KERNEL, OWN, kernel_arch_dir, newer_arch_dir, own_arch_dir};

/// Units that Linux 6.12 does not know yet: its jevents takes them for those of
/// uncore PMUs.
const fn later(name: &'static str, field: &'static str) -> Deliberate {
    let reason = "units that came after Linux 6.12";
    Deliberate { arch: "test", model: "test_soc/later", name, field, reason }
}

/// `arch/common` is in the form that came after Linux 6.12: its jevents takes
/// the units for uncore PMUs, and the codes of generic events for none.
const fn common(name: &'static str, field: &'static str) -> Deliberate {
    let reason = "keys and units that came after Linux 6.12";
    Deliberate { arch: "common", model: "common", name, field, reason }
}

/// What differs from perf on purpose, beside low-power cores. Each entry must be needed.
const DELIBERATE: &[Deliberate] = &[
    common("software/*", "how many"),
    common("tool/*", "how many"),
    common("uncore_software/*", "how many"),
    common("uncore_tool/*", "how many"),
    common("default_core/*", "event"),
    common("events", "order"),
    later("cpu/*", "how many"),
    later("software/*", "how many"),
    later("tool/*", "how many"),
    later("uncore_cpu/*", "how many"),
    later("uncore_software/*", "how many"),
    later("uncore_tool/*", "how many"),
    later("events", "order"),
    Deliberate {
        arch: "x86",
        model: "novalake",
        name: "cpu_core/mem_load_l2_miss_retired.*",
        field: "how many",
        reason: "6.12's jevents stops at their registers",
    },
];

/// A directory like `arch/`, without the events at whose registers 6.12's jevents
/// stops (`OMR`, in Linux since 6.19).
fn for_jevents(scratch: &Path) -> PathBuf {
    let root = scratch.join("arch-for-jevents");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).expect("it is made");
    for entry in fs::read_dir(own_arch_dir()).expect("arch/ can be read").map(Result::unwrap) {
        let (from, to) = (entry.path(), root.join(entry.file_name()));
        if entry.file_name() == "x86" {
            copy(&from, &to);
        } else if from.is_dir() {
            symlink(fs::canonicalize(from).expect("it is there"), to).expect("it is linked");
        }
    }
    root
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it is made");
    for entry in fs::read_dir(from).expect("it can be read").map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
            continue;
        }
        let text = fs::read_to_string(from).expect("it is text");
        let text = match text.contains("\"MSRIndex\":\"0x3e") {
            false => text,
            true => {
                let is_known = |line: &&str| !line.contains("\"MSRIndex\":\"0x3e");
                let lines: Vec<&str> = text.lines().filter(is_known).collect();
                lines.join("\n").replace(",\n]", "\n]")
            }
        };
        fs::write(to, text).expect("it is written");
    }
}

#[test]
fn every_table() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let readable = for_jevents(scratch);
    let deliberate = [DELIBERATE, &Deliberate::LOW_POWER_CORES].concat();
    comparison::compare_own(&comparison::kernel_root(), &readable, &deliberate, scratch);
}

/// For each model, and each sys table: PMU, name and event string.
fn facts(arch: &Arch) -> BTreeMap<(bool, String), BTreeSet<[String; 3]>> {
    let models = arch.tree.models().map(|model| (false, model));
    let tables = models.chain(arch.tree.sys_tables().map(|table| (true, table)));
    tables
        .map(|(sys, table)| {
            let fact = |event: Event| {
                [event.pmu(), &event.name().to_ascii_lowercase(), event.event_string()]
                    .map(str::to_owned)
            };
            ((sys, table.name().to_owned()), table.events().map(fact).collect())
        })
        .collect()
}

/// The directories of an architecture that come from a kernel, and the versions of
/// these kernels.
fn from_kernel(arch: &str) -> BTreeMap<String, String> {
    let path = own_arch_dir().join(arch).join("sources.csv");
    let text = fs::read_to_string(path).expect("the import has written it");
    let rows = text.lines().skip(1).filter_map(|line| {
        let [directory, source, version, _] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        (source == "Linux").then(|| (directory.to_owned(), version.to_owned()))
    });
    rows.collect()
}

/// The newer kernel's architectures that are in `arch/`.
fn newer() -> Vec<Arch> {
    let of_kernel = OWN.iter().filter(|arch| !["common", "test"].contains(&arch.name));
    of_kernel.map(|arch| compiled(&newer_arch_dir(), arch.name).unwrap()).collect()
}

/// The kernel from which `arch/` was imported.
const IMPORTED: &str = "7.3.4";

/// What that kernel has otherwise than 6.17: architecture, model, event. Each must be needed.
const SINCE: &[(&str, &str, &str)] = &[
    // Removed, because only trace units see them.
    ("arm64", "arm/cortex-a510", "pmu_*ovfs"),
    ("arm64", "fujitsu/monaka", "pmu_*ovfs"),
    // Other umasks.
    ("x86", "amdzen5", "ls_mab_alloc.*"),
    // New.
    ("x86", "amdzen5", "fp_ops_retired_by_type.*"),
    ("x86", "amdzen5", "fp_pack_ops_retired.*"),
    ("x86", "amdzen5", "ls_locks.all"),
    ("x86", "amdzen5", "packed_int_op_type.*"),
    ("x86", "amdzen5", "sse_avx_ops_retired.*"),
];

/// Every fact of a model that comes from the kernel is the kernel's, and the model
/// has no others.
#[test]
fn facts_are_those_of_the_kernel() {
    let (mut events, mut needed) = (0, BTreeSet::new());
    for theirs in newer() {
        let ours = OWN.iter().find(|arch| arch.name == theirs.name).expect("it is one of ours");
        let (ours, theirs_of) = (facts(ours), facts(&theirs));
        let sources = from_kernel(theirs.name);
        for (key, expected) in &theirs_of {
            let directory = &key.1;
            if sources.get(directory).is_none_or(|version| version != IMPORTED) {
                assert_eq!(theirs.name, "x86", "{directory} is missing");
                continue;
            }
            let is_unexpected = |[_, name, _]: &&[String; 3]| {
                let since = SINCE.iter().position(|&(arch, model, event)| {
                    arch == theirs.name && model == directory && glob::matches(event, name)
                });
                needed.extend(since);
                since.is_none()
            };
            let found = &ours[key];
            let differences = found.symmetric_difference(expected).filter(is_unexpected);
            let differences: Vec<_> = differences.take(20).collect();
            assert!(differences.is_empty(), "{}/{directory}: {differences:#?}", theirs.name);
            events += expected.len();
        }
    }
    assert!(events > 9_000, "{events} events: this is not the tree of Linux 6.17");
    assert_eq!(needed.len(), SINCE.len(), "not all of SINCE is needed");
}

/// Rows of models of 6.17 that it has otherwise than the kernel from which `arch/` was
/// imported, and what that one has instead.
const ROWS_SINCE: &[(&str, &[&str])] = &[
    ("0x5b7-0x0-0x0", &["0x5b7-0x0-0x0", "0x5b7-0x80000000090c0d00-0x2047000"]),
    ("AuthenticAMD-26-[[:xdigit:]]+", &["AuthenticAMD-26-([12467][[:xdigit:]]|[[:xdigit:]])"]),
];

/// Every row of the kernel's map files for a model that comes from the kernel is
/// in ours, in the same order.
#[test]
fn rows_are_those_of_the_kernel() {
    let added =
        fs::read_to_string(own_arch_dir().join("../overlay/cpus.csv")).expect("it is there");
    for arch in OWN.iter().filter(|arch| !["common", "test"].contains(&arch.name)) {
        let sources = from_kernel(arch.name);
        let rows = |root: &Path| {
            let path = root.join(arch.name).join("mapfile.csv");
            let text = fs::read_to_string(&path).expect("the macro could read it");
            let rows = text.lines().skip(1).filter(|row| !row.is_empty() && !row.starts_with('#'));
            let cells = rows.map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
            let of_kernel = cells.filter(|cells| sources.contains_key(&cells[2]));
            of_kernel.map(|cells| (cells[0].clone(), cells[2].clone())).collect::<Vec<_>>()
        };
        let theirs = rows(&newer_arch_dir());
        assert!(!theirs.is_empty());
        let mut expected = Vec::new();
        for (pattern, directory) in &theirs {
            let since = ROWS_SINCE.iter().find(|(before, _)| before == pattern);
            let now = since.map_or_else(|| vec![pattern.as_str()], |(_, now)| now.to_vec());
            expected.extend(now.into_iter().map(|now| (now.to_owned(), directory.clone())));
        }
        let mut ours = rows(&own_arch_dir());
        ours.retain(|(pattern, directory)| {
            let is_new = !theirs.iter().any(|(_, known)| known == directory);
            !is_new && !added.contains(&format!(",{pattern},"))
        });
        assert_eq!(ours, expected, "{}", arch.name);
    }
}

/// Every CPU that Linux 6.12 knows has the model of the same name here.
#[test]
fn no_cpu_is_lost() {
    // Later kernels call the U74 by the name of its cluster.
    const RENAMED: &[(&str, &str)] = &[("sifive/u74", "sifive/bullet")];
    // What Linux 6.12 took for Zen 5, as all later models of its family (amd.c of Linux 7.3).
    let is_zen6 = |cpuid: &str| {
        let of_family =
            cpuid.strip_prefix("AuthenticAMD-26-").and_then(|rest| rest.split('-').next());
        let model = of_family.and_then(|model| u8::from_str_radix(model, 16).ok());
        model.is_some_and(
            |model| !matches!(model, 0..=0x2f | 0x40..=0x4f | 0x60..=0x7f | 0xd0..=0xd7),
        )
    };
    let intel = [6, 15, 18].into_iter().flat_map(|family| {
        (0..=0xff).flat_map(move |model| {
            (0..=0xf).map(move |step| format!("GenuineIntel-{family}-{model:X}-{step:X}"))
        })
    });
    let amd = (21..=26).flat_map(|family| {
        (0..=0xff).map(move |model| format!("AuthenticAMD-{family}-{model:X}-0"))
    });
    let x86: Vec<String> = intel.chain(amd).collect();
    let mut known = 0;
    for theirs in KERNEL.iter().filter(|arch| arch.name != "test") {
        let ours = OWN.iter().find(|arch| arch.name == theirs.name).expect("it is one of ours");
        // Elsewhere, patterns are identifiers, or have few metacharacters.
        let path = kernel_arch_dir().join(theirs.name).join("mapfile.csv");
        let text = fs::read_to_string(path).unwrap_or_default();
        let patterns = text.lines().skip(1).filter_map(|row| row.split(',').next());
        let of_patterns: Vec<String> = patterns
            .map(|pattern| {
                let text = pattern.replace("[[:xdigit:]]+", "1").replace("[[:xdigit:]]", "1");
                text.replace("[0-9]+", "1").replace(".*", "x").replace(['^', '$', '\\'], "")
            })
            .collect();
        let cpus = if theirs.name == "x86" { &x86 } else { &of_patterns };
        for cpuid in cpus {
            let Some(expected) = (theirs.model)(cpuid) else {
                continue;
            };
            known += 1;
            let found = (ours.model)(cpuid).map(|model| model.name());
            let renamed = RENAMED.iter().find(|(name, _)| *name == expected.name());
            let expected = renamed.map_or(expected.name(), |(_, name)| name);
            let expected = if is_zen6(cpuid) { "amdzen6" } else { expected };
            assert_eq!(found, Some(expected), "{cpuid}");
        }
    }
    assert!(known > 1000, "{known} CPUs");
}

/// What is written here is not what is written there.
#[test]
fn sentences_are_not_those_of_the_kernel() {
    let read = |root: &Path, name: &str| {
        let path = root.join(name);
        let shown = path.display().to_string();
        pmu_events_import::tree::read(&path, &shown, Keep::All, &mut Problems::default())
    };
    let archs = KERNEL.iter().filter(|arch| arch.name != "test");
    for (arch, root) in archs.flat_map(|a| [(a, kernel_arch_dir()), (a, newer_arch_dir())]) {
        let (ours, theirs) = (read(&own_arch_dir(), arch.name), read(&root, arch.name));
        // The comparison would find what is there.
        let found = lint::shared_sentences(&theirs, &theirs);
        assert!(found.len() > theirs.models().count(), "{}: {}", arch.name, found.len());
        let shared: Vec<String> = lint::shared_sentences(&ours, &theirs)
            .into_iter()
            .map(|(place, text)| format!("{place}: {text}"))
            .collect();
        assert!(shared.is_empty(), "{} sentences:\n{}", shared.len(), shared.join("\n"));
    }
}

/// What is added to `arch/` is compared, too.
#[test]
fn every_architecture() {
    let arch_dir = own_arch_dir();
    let entries = fs::read_dir(&arch_dir).expect("arch/ can be read").map(Result::unwrap);
    let mut there: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    there.sort();
    let mut compared: Vec<&str> = OWN.iter().map(|arch| arch.name).collect();
    compared.sort_unstable();
    assert_eq!(there, compared, "add it to `own` in src/lib.rs");
}
