//! The bundled trees.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use pmu_events_compiler::Compiled;
use pmu_events_import::arch::{self, Arch};
use pmu_events_import::bound::{self, Accepted};
use pmu_events_import::corrected::WITHHELD;
use pmu_events_import::json::File;
use pmu_events_import::problem::Problems;
use pmu_events_import::sense::{self, Exceptions};
use pmu_events_import::{counts, made_for, merge, overlay, packed, repairs, share, write};

use super::*;

#[test]
fn arch_keeps_its_style() {
    for Bundled { arch, faults, .. } in TREES.iter() {
        let first = &faults[..faults.len().min(20)];
        assert!(first.is_empty(), "{} problems:\n{}", faults.len(), first.join("\n"));
        assert!(arch.tables.values().flatten().count() > 0, "{} is empty", arch.name);
    }
}

/// Programs contain the packed form of these trees, which nothing else compares with `arch/`.
#[test]
fn packed_trees_are_those_of_arch() {
    let directory = packed::directory(&root().join("arch"));
    for Bundled { arch, compiled, .. } in TREES.iter() {
        // No build of a program shows it.
        assert!(compiled.warnings.is_empty(), "{}", compiled.warnings);
        for (file, bytes) in packed::files(&arch.name, compiled) {
            assert!(
                fs::read(directory.join(&file)).is_ok_and(|present| present == bytes),
                "pmu-events/tables/src/{} is not what arch/{} compiles to: run `{}`",
                file.display(),
                arch.name,
                packed::COMMAND,
            );
        }
    }
    let named: BTreeSet<_> = TREES.iter().map(|tree| tree.arch.name.clone()).collect();
    let there = fs::read_dir(directory).unwrap().map(Result::unwrap);
    let there = there.filter(|item| item.path().is_dir());
    let there: BTreeSet<_> = there.map(|item| item.file_name().into_string().unwrap()).collect();
    assert_eq!(there, named);
}

/// Nothing answers for a CPU in silence: each model says for which CPUs it was made.
#[test]
fn models_say_for_which_cpus_they_were_made() {
    for Bundled { arch, tree, .. } in TREES.iter() {
        let unstated = made_for::unstated(arch);
        assert!(unstated.is_empty(), "add rows to overlay/{}/cpus.csv for {unstated:?}", arch.name);
        for model in tree.models() {
            let is_fallback = arch.fallbacks.iter().any(|row| row.directory == model.name());
            assert!(model.cpuids().next().is_some() || is_fallback, "{}", model.name());
        }
    }
}

/// Sentences agree with the facts beside them, with few exceptions, each of which
/// has its reason.
#[test]
fn sentences_agree_with_the_facts() {
    let mut problems = Problems::default();
    let path = root().join("overlay").join(sense::FILE);
    let text = fs::read_to_string(path).expect("it can be read");
    let mut exceptions = Exceptions::read(&File::new(sense::FILE, &text), &mut problems);
    assert!((1..=200).contains(&exceptions.len()), "{}", exceptions.len());
    let mut findings: Vec<_> = TREES.iter().flat_map(|tree| sense::check(&tree.arch)).collect();
    exceptions.apply(&mut findings);
    for tree in TREES.iter() {
        exceptions.report_unused(&tree.arch.name, &mut problems);
    }
    assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
    let shown: Vec<String> = findings.iter().take(20).map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{} findings:\n{}", findings.len(), shown.join("\n"));
}

fn is_described(event: &Record) -> bool {
    ["BriefDescription", "ArchStdEvent"].iter().any(|key| event.get(key).is_some())
}

/// Every event of a core is described; 99 of 100 are, of all events.
#[test]
fn events_of_cores_are_described() {
    let (mut events, mut described) = (0, 0);
    for record in TREES.iter().flat_map(Bundled::records) {
        let Some(event) = record.name() else {
            continue;
        };
        let is_of_core = record.get("Unit").is_none_or(|unit| unit.starts_with("cpu_"));
        assert!(is_described(record) || !is_of_core, "{}: {event}", record.place);
        events += 1;
        described += usize::from(is_described(record));
    }
    assert!(described * 100 >= events * 99, "{described} of {events}");
}

/// A sentence that no event has, since a family's replaces it everywhere, would only mislead
/// whoever edits it.
#[test]
fn no_sentence_is_replaced_everywhere() {
    for tree in TREES.iter() {
        let mut said: HashMap<String, BTreeSet<&str>> = HashMap::new();
        for record in tree.records() {
            if let (Some(event), Some(brief)) = (record.name(), record.get("BriefDescription")) {
                said.entry(event.to_ascii_lowercase()).or_default().insert(brief);
            }
        }
        let (name, overlay) = (&tree.arch.name, root().join("overlay").join(&tree.arch.name));
        for document in overlay::read(&overlay, name, &mut Problems::default()) {
            for description in &document.events {
                let Some(brief) = &description.brief else {
                    continue;
                };
                let said = &said[&description.name.to_ascii_lowercase()];
                // A deprecated event says first that it is.
                let is_there = said.iter().any(|said| said.ends_with(brief.text()));
                assert!(is_there, "{}: `{}`", description.place, brief.text());
            }
        }
    }
}

/// Cores with an erratum of an event that metrics need. The sources' formulas use these events
/// all the same, and there is no other: `Event::errata` tells a program of it.
const ERRATA_IN_METRICS: &[&str] = &[
    "alderlake",
    "ampere/ampereone",
    "ampere/ampereonex",
    "arrowlake",
    "broadwell",
    "broadwellde",
    "broadwellx",
    "cascadelakex",
    "haswell",
    "haswellx",
    "sierraforest",
    "skylake",
    "skylakex",
];

/// Events that metrics use are described, and free of errata on all other models.
#[test]
fn events_of_metrics() {
    let mut with_errata = BTreeSet::new();
    let mut used = 0;
    for Bundled { arch, .. } in TREES.iter() {
        for directory in arch.tables.keys() {
            let events: HashMap<String, _> = arch
                .records(directory)
                .filter_map(|record| Some((record.name()?.to_ascii_lowercase(), record)))
                .collect();
            for metric in arch.records(directory) {
                let formula = metric.get("MetricExpr").unwrap_or_default();
                let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
                for word in formula.split(|c: char| !is_of_name(c)) {
                    let Some(event) = events.get(&word.to_ascii_lowercase()) else {
                        continue;
                    };
                    used += 1;
                    assert!(is_described(event), "{}: `{word}` of {}", event.place, metric.place);
                    if event.get("Errata").is_some() {
                        with_errata.insert(arch::owner(directory).to_owned());
                    }
                }
            }
        }
    }
    assert!(used > 10_000, "{used}");
    assert_eq!(with_errata.iter().map(String::as_str).collect::<Vec<_>>(), ERRATA_IN_METRICS);
}

/// Whoever changes `overlay/` runs the import, and whoever changes `arch/` by
/// hand loses it at the next one.
#[test]
fn arch_says_what_the_overlay_says() {
    let overlays = fs::read_dir(root().join("overlay")).expect("overlay/ can be read");
    let described = overlays.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    assert!(described > 2);
    let overlay = root().join("overlay");
    for name in imported().map(|arch| &arch.name) {
        let directory = root().join("arch").join(name);
        let mut problems = Problems::default();
        let mut arch = merge::import(&directory, &overlay.join(name), &mut problems);
        repairs::state(&mut arch, &EVIDENCE);
        assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
        let changes = write::changes(&directory, &write::files(&arch)).expect("it can be read");
        assert!(changes.is_empty(), "run `cargo run -p pmu-events-import`: {name}: {changes:#?}");
        // No sentence stands at an encoding for which nobody has accepted it.
        let list = root().join("overlay").join(name).join(bound::FILE);
        let present = fs::read_to_string(&list).unwrap_or_default();
        let file = File::new(&list.to_string_lossy(), &present);
        let bound = bound::check(&arch, &Accepted::read(&file, &mut problems), true);
        assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
        let refused: Vec<String> = bound.refused.iter().map(|one| one.message(name)).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        let says = !bound.accepted.is_empty();
        let is_current = bound.accepted.text() == present || !says && present.is_empty();
        assert!(is_current, "run `cargo run -p pmu-events-import`: {}", list.display());
    }
}

/// The sentence that names a successor and the field that programs read agree. Families
/// have the units of their counts.
#[test]
fn successors_and_units_of_counts() {
    let (mut named, mut alone) = (0, 0);
    let trees = ["x86", "arm64", "powerpc"].map(|name| (name, bundled(name).tree));
    for (_, tree) in &trees {
        for event in tree.models().flat_map(|model| model.events()) {
            let brief = event.description().map(|text| text.to_string()).unwrap_or_default();
            match event.successor() {
                Some(name) => {
                    let note = format!("Deprecated: use {name}.");
                    assert!(brief.starts_with(&note), "{}: {brief}: {note}", event.name());
                    named += 1;
                }
                None if event.is_deprecated() => {
                    let note = "Deprecated, without successor.";
                    assert!(brief.starts_with(note), "{}: {brief}", event.name());
                    alone += 1;
                }
                None => assert!(!brief.starts_with("Deprecated"), "{}: {brief}", event.name()),
            }
        }
    }
    assert!(named > 2500 && alone > 50, "{named} named, {alone} alone");

    let unit = |arch: &str, model: &str, event: &str| {
        let (_, tree) = trees.iter().find(|(name, _)| *name == arch).expect(arch);
        let models = tree.models().chain(tree.sys_tables());
        let table = models.filter(|table| table.name().trim_end_matches("/sys") == model);
        let event = table.filter_map(|table| table.event(event)).next().expect(event);
        let scope = event.count_scope().map_or("-", |scope| scope.name());
        format!("{} {scope}", event.count_unit().map_or("-".to_owned(), |unit| unit.to_string()))
    };
    for (arch, model, event, expected) in [
        ("x86", "sapphirerapids", "UNC_M_CAS_COUNT.RD", "64 bytes package"),
        ("x86", "graniterapids", "UNC_M_CAS_COUNT_SCH0.WR", "64 bytes package"),
        ("x86", "meteorlake", "UNC_M_RD_DATA", "32 bytes package"),
        ("x86", "tigerlake", "UNC_MC0_RDCAS_COUNT_FREERUN", "64 bytes package"),
        ("x86", "meteorlake", "UNC_MC0_RDCAS_COUNT_FREERUN", "- package"),
        ("x86", "icelakex", "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0", "4 bytes package"),
        ("x86", "icelakex", "UNC_IIO_BANDWIDTH_IN.PART0_FREERUN", "32 bytes package"),
        ("x86", "skylakex", "UNC_UPI_TxL_FLITS.ALL_DATA", "64/9 bytes package"),
        ("x86", "haswellx", "UNC_Q_TxL_FLITS_G0.DATA", "8 bytes package"),
        ("x86", "amdzen3", "remote_outbound_data_controller_0", "32 bytes package"),
        ("x86", "amdzen4", "local_socket_inf0_inbound_data_beats_ccm0", "32 bytes package"),
        ("x86", "amdzen4", "local_socket_inf0_outbound_data_beats_ccm0", "64 bytes package"),
        ("x86", "amdzen5", "local_socket_inbound_data_beats_cfi_0", "32 bytes package"),
        ("x86", "amdzen5", "umc_cas_cmd.rd", "64 bytes package"),
        ("x86", "haswell", "CPU_CLK_UNHALTED.THREAD_ANY", "- core"),
        ("x86", "skylake", "CYCLE_ACTIVITY.STALLS_L2_MISS", "cycles -"),
        ("powerpc", "power10", "PM_L2_LD_MISS", "2 occurrences -"),
        ("powerpc", "power10", "PM_L2_TLBIE_SLBIE_DELAY", "1000 cycles -"),
        ("powerpc", "power9", "PM_NEST_REF_CLK", "4 cycles -"),
        ("arm64", "thead/yitian710", "hif_rd", "64 bytes -"),
        ("arm64", "freescale/imx8mn", "imx8mn_ddr.read_cycles", "8 bytes -"),
    ] {
        assert_eq!(unit(arch, model, event), expected, "{arch} {model} {event}");
    }
}

/// Small enough to be pleasant in git: less than 18 MB, of which quantities of one name are 1.8.
#[test]
fn arch_is_small() {
    fn size(path: &Path) -> u64 {
        if !path.is_dir() {
            return fs::metadata(path).expect("it is there").len();
        }
        fs::read_dir(path).expect("it can be read").map(|entry| size(&entry.unwrap().path())).sum()
    }
    let size = size(&root().join("arch"));
    assert!((1_000_000..18_000_000).contains(&size), "{size} bytes");
}

/// Metrics take little room: less than 15 % of the tables without them.
#[test]
fn metrics_are_small_when_packed() {
    let size = |compiled: &Compiled| compiled.strings.len() + compiled.tables.len();
    let [without, with] = [&compiled("x86", false), bundled("x86").compiled].map(size);
    assert!(with > without && 100 * with < 115 * without, "{without} and {with} bytes");
    assert!(with < 3_500_000, "{with} bytes");
}

/// A table says how many metrics each model has.
#[test]
fn metrics_are_counted() {
    let path = root().join("arch").join(counts::FILE);
    let text = fs::read_to_string(path).expect("it can be read");
    let mut table = counts::Table::new();
    for arch in imported() {
        counts::count(arch, &mut table);
    }
    counts::keep_sources(&text, &mut table);
    assert_eq!(counts::text(&table), text, "run `cargo run -p pmu-events-import`");
    // No source has a metric that is not here, but for names that it repeats and those
    // that are always the same.
    for ((arch, model), row) in &table {
        let repeated = counts::REPEATED.iter().filter(|(of, its, ..)| of == arch && its == model);
        let withheld = WITHHELD.iter().filter(|(models, _)| models.contains(&model.as_str()));
        let (names, most) = (repeated.count(), row.vendor.max(row.kernel));
        let taken = row.taken + withheld.count();
        assert!(taken + names >= most, "{arch}/{model}: {taken} of {most}");
        // One that is there only once is not said to be repeated.
        assert!(names == 0 || taken + names == row.kernel, "{arch}/{model}: {names} repeated");
    }
    let all: usize = table.values().map(|row| row.taken).sum();
    assert!(all > 7_000, "{all} metrics of sources");
}

/// The overlay's README says how much has a description.
#[test]
fn the_readme_has_the_figures() {
    let count = |arch: &Arch| (arch.name.clone(), share::count(arch, &mut share::Missing::new()));
    let shares: Vec<_> = imported().map(count).collect();
    let table = share::table(&shares);
    let readme = fs::read_to_string(root().join("overlay/README.md")).expect("it can be read");
    assert!(readme.contains(&format!("```text\n{table}```\n")), "it should say\n{table}");
    assert_eq!(share::in_document(&readme, &table).as_deref(), Some(readme.as_str()));
}
