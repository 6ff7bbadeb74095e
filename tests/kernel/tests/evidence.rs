//! What perf's trees have of the events that `arch/` repairs, recorded in
//! `overlay/evidence/perf.csv`, from which the importer makes `REPAIRS.md`.
//! `BLESS=1` writes the file.

use std::fs;
use std::path::PathBuf;

use pmu_events_core::event::Precise;
use pmu_events_core::term::Terms;
use pmu_events_core::{Event, Tree};
use pmu_events_import::repairs::{self, Repair};

use pmu_events_kernel_comparison as comparison;

use comparison::compiled::compiled;
use comparison::{arch_dir_of, kernel_arch_dir, newest_root, own_arch_dir};

#[test]
fn what_perf_has_of_repaired_events() {
    let repairs = repairs::of_arch(&own_arch_dir().join("x86")).expect("arch/ compiles");
    assert!(repairs.len() > 2000, "{} repairs", repairs.len());
    let directories: [PathBuf; repairs::VERSIONS.len()] = [
        arch_dir_of("PMU_EVENTS_OLDER"),
        kernel_arch_dir(),
        arch_dir_of("PMU_EVENTS_NEWER"),
        newest_root().join("tools/perf/pmu-events/arch"),
    ];
    let trees = directories.map(|directory| compiled(&directory, "x86").expect("it compiles").tree);
    for repair in &repairs {
        versions_are_those_of_the_trees(repair, &trees);
    }
    let found = repairs::compared(&repairs, &trees);
    let path = own_arch_dir().join("../overlay/evidence/perf.csv");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &found).expect("it can be written");
    }
    let recorded = fs::read_to_string(&path).expect("it can be read");
    assert!(recorded == found, "run it with BLESS=1; {} lines", found.lines().count());
}

/// What an event says of perf's versions is what their trees have: a version is named if and
/// only if it has the event, and has it as perfmon's script writes it.
fn versions_are_those_of_the_trees(
    repair: &Repair,
    trees: &[&'static Tree; repairs::VERSIONS.len()],
) {
    let event = repair.event;
    let differs = event.perf_differs().expect("it is repaired");
    for (version, tree) in repairs::VERSIONS.iter().zip(trees) {
        let model = tree.model_named(repair.model);
        let theirs = model.and_then(|model| model.event_on(event.pmu(), event.name()));
        let is_wrong = theirs.is_some_and(|theirs| match differs.changes_count() {
            true => same_terms(theirs, differs.event_string()),
            false => theirs.precise() == Precise::No,
        });
        let is_named = differs.versions().split([' ', ',']).any(|word| word == *version);
        let theirs = theirs.map(Event::event_string);
        assert_eq!(is_named, is_wrong, "{version}: {}: {differs}; {theirs:?}", event.name());
    }
}

fn same_terms(event: Event, event_string: &str) -> bool {
    let terms = |text: &str| {
        let mut terms: Vec<(String, Option<u64>)> = Terms::new(text)
            .filter(|term| term.name() != "period")
            .map(|term| (term.name().to_owned(), term.number()))
            .filter(|(_, number)| *number != Some(0))
            .collect();
        terms.sort();
        terms
    };
    terms(event.event_string()) == terms(event_string)
}
