//! The project's own `arch/`: the macro's tables against those that the
//! kernel's jevents makes of it. What is written here must mean to perf what it
//! means to us.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pmu_events::Event;
use pmu_events_import::lint;
use pmu_events_import::problem::Problems;
use pmu_events_import::record::Keep;

use pmu_events_kernel_comparison as comparison;

use comparison::difference::Deliberate;
use comparison::{Arch, KERNEL, OWN, kernel_arch_dir, own_arch_dir};

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

/// What differs from perf on purpose. Each entry must be needed.
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

/// Every fact of the kernel's trees is in `arch/`, and nothing else is.
#[test]
fn facts_are_those_of_the_kernel() {
    let mut events = 0;
    for theirs in KERNEL.iter().filter(|arch| arch.name != "test") {
        let ours = OWN.iter().find(|arch| arch.name == theirs.name);
        let ours = facts(ours.unwrap_or_else(|| panic!("arch/{} is missing", theirs.name)));
        let theirs_of = facts(theirs);
        let (models, kernel_models): (Vec<_>, Vec<_>) =
            (ours.keys().collect(), theirs_of.keys().collect());
        assert_eq!(models, kernel_models, "{}", theirs.name);
        for (model, expected) in &theirs_of {
            let found = &ours[model];
            let differences: Vec<_> = found.symmetric_difference(expected).take(20).collect();
            assert!(differences.is_empty(), "{}/{}: {differences:#?}", theirs.name, model.1);
            events += expected.len();
        }
    }
    assert!(events > 48_000, "{events} events: this is not the tree of Linux 6.12");
}

/// Every row of the kernel's map files is in ours, in the same order.
#[test]
fn rows_are_those_of_the_kernel() {
    for arch in KERNEL.iter().filter(|arch| arch.name != "test") {
        let rows = |root: &Path| {
            let path = root.join(arch.name).join("mapfile.csv");
            let text = fs::read_to_string(&path).expect("the macro could read it");
            let rows = text.lines().skip(1).filter(|row| !row.is_empty() && !row.starts_with('#'));
            rows.map(str::to_owned).collect::<Vec<_>>()
        };
        let (ours, theirs) = (rows(&own_arch_dir()), rows(&kernel_arch_dir()));
        assert!(!theirs.is_empty());
        assert_eq!(ours, theirs, "{}", arch.name);
    }
}

/// What is written here is not what is written there.
#[test]
fn sentences_are_not_those_of_the_kernel() {
    let read = |root: &Path, name: &str| {
        let path = root.join(name);
        let shown = path.display().to_string();
        pmu_events_import::tree::read(&path, &shown, Keep::All, &mut Problems::default())
    };
    for arch in KERNEL.iter().filter(|arch| arch.name != "test") {
        let (ours, theirs) =
            (read(&own_arch_dir(), arch.name), read(&kernel_arch_dir(), arch.name));
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
