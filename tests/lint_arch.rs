//! The style of `arch/`, and that it says what `overlay/` says. Each rule
//! refuses an example that breaks it.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use pmu_events::Tree;
use pmu_events_compiler::{Compiled, Options, Source, compile};
use pmu_events_import::arch::Arch;
use pmu_events_import::bound::{self, Accepted};
use pmu_events_import::corrected::WITHHELD;
use pmu_events_import::json::File;
use pmu_events_import::problem::Problems;
use pmu_events_import::record::Keep;
use pmu_events_import::repairs::{self, Evidence, Kind, Repair, Verdict};
use pmu_events_import::sense::{self, Exceptions};
use pmu_events_import::{
    arch, counts, families, lint, made_for, merge, origin, overlay, share, tree, write,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every architecture but the made-up SoC, which has every odd form that the
/// macro must understand.
fn architectures() -> Vec<String> {
    pmu_events_arch::TREES.iter().map(|tree| tree.name.to_owned()).collect()
}

/// Every architecture, as it is written; reading takes longer than most of the tests.
static ARCHS: LazyLock<Vec<Arch>> = LazyLock::new(|| {
    let read = |name: String| {
        let shown = format!("arch/{name}");
        tree::read(&root().join(&shown), &shown, Keep::All, &mut Problems::default())
    };
    architectures().into_iter().map(read).collect()
});

/// Those that `tools/import` writes.
fn imported() -> impl Iterator<Item = &'static Arch> {
    ARCHS.iter().filter(|arch| arch.name != "common")
}

fn compiled(name: &str, metrics: bool) -> Compiled {
    let mut options = Options::default();
    options.metrics = metrics;
    let source = Source::read(&root().join("arch").join(name), name, &options);
    compile(&source, &options).unwrap_or_else(|refused| panic!("{}", refused.errors))
}

static X86: LazyLock<Compiled> = LazyLock::new(|| compiled("x86", true));

/// What perf loses of the events of x86.
static REPAIRS: LazyLock<Vec<Repair>> =
    LazyLock::new(|| repairs::of_arch(&root().join("arch/x86")).expect("it compiles"));

fn messages(problems: &Problems) -> Vec<String> {
    problems.errors.iter().map(ToString::to_string).collect()
}

#[test]
fn arch_keeps_its_style() {
    for name in architectures() {
        let mut problems = Problems::default();
        let shown = format!("arch/{name}");
        let arch = lint::check(&root().join(&shown), &shown, &mut problems);
        let first: Vec<String> = messages(&problems).into_iter().take(20).collect();
        assert!(first.is_empty(), "{} problems:\n{}", problems.errors.len(), first.join("\n"));
        assert!(arch.tables.values().flatten().count() > 0, "{shown} is empty");
    }
}

/// Nothing answers for a CPU in silence: each model says for which CPUs it was made.
#[test]
fn models_say_for_which_cpus_they_were_made() {
    for name in architectures() {
        let shown = format!("arch/{name}");
        let arch = tree::read(&root().join(&shown), &shown, Keep::All, &mut Problems::default());
        let unstated = made_for::unstated(&arch);
        assert!(unstated.is_empty(), "add rows to overlay/{name}/cpus.csv for {unstated:?}");
        let compiled = compile(
            &Source::read(&root().join(&shown), &shown, &Options::default()),
            &Options::default(),
        );
        let compiled = compiled.unwrap_or_else(|refused| panic!("{refused}"));
        let tree = Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
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
    let mut findings = Vec::new();
    for arch in ARCHS.iter() {
        findings.extend(sense::check(arch));
    }
    exceptions.apply(&mut findings);
    for name in architectures() {
        exceptions.report_unused(&name, &mut problems);
    }
    assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
    let shown: Vec<String> = findings.iter().take(20).map(ToString::to_string).collect();
    assert!(shown.is_empty(), "{} findings:\n{}", findings.len(), shown.join("\n"));
}

/// Every event of a core is described; 99 of 100 are, of all events.
#[test]
fn events_of_cores_are_described() {
    let (mut events, mut described) = (0, 0);
    for arch in ARCHS.iter() {
        for record in arch.tables.keys().flat_map(|directory| arch.records(directory)) {
            let Some(event) = record.name() else {
                continue;
            };
            let is_described =
                ["BriefDescription", "ArchStdEvent"].iter().any(|key| record.get(key).is_some());
            let is_of_core = record.get("Unit").is_none_or(|unit| unit.starts_with("cpu_"));
            assert!(is_described || !is_of_core, "{}: {event}", record.place);
            events += 1;
            described += usize::from(is_described);
        }
    }
    assert!(described * 100 >= events * 99, "{described} of {events}");
}

/// A sentence that no event has, since a family's replaces it everywhere, would only mislead
/// whoever edits it.
#[test]
fn no_sentence_is_replaced_everywhere() {
    for arch in ARCHS.iter() {
        let mut said: HashMap<String, BTreeSet<&str>> = HashMap::new();
        for record in arch.tables.keys().flat_map(|directory| arch.records(directory)) {
            if let (Some(event), Some(brief)) = (record.name(), record.get("BriefDescription")) {
                said.entry(event.to_ascii_lowercase()).or_default().insert(brief);
            }
        }
        let overlay = root().join("overlay").join(&arch.name);
        for document in overlay::read(&overlay, &arch.name, &mut Problems::default()) {
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
    for arch in ARCHS.iter() {
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
                    let is_described = ["BriefDescription", "ArchStdEvent"]
                        .iter()
                        .any(|key| event.get(key).is_some());
                    assert!(is_described, "{}: `{word}` of {}", event.place, metric.place);
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
    let evidence = Evidence::read(&overlay, &mut Problems::default());
    for name in architectures().iter().filter(|name| *name != "common") {
        let directory = root().join("arch").join(name);
        let mut problems = Problems::default();
        let mut arch = merge::import(&directory, &overlay.join(name), &mut problems);
        repairs::state(&mut arch, &evidence);
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
    static ARM64: LazyLock<Compiled> = LazyLock::new(|| compiled("arm64", true));
    static POWERPC: LazyLock<Compiled> = LazyLock::new(|| compiled("powerpc", true));
    let (mut named, mut alone) = (0, 0);
    let trees =
        [("x86", &X86), ("arm64", &ARM64), ("powerpc", &POWERPC)].map(|(name, compiled)| {
            let tree: &'static Tree =
                Box::leak(Box::new(Tree::new(&compiled.strings, &compiled.tables)));
            (name, tree)
        });
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

/// Small enough to be pleasant in git: less than 16 MB.
#[test]
fn arch_is_small() {
    fn size(path: &Path) -> u64 {
        if !path.is_dir() {
            return fs::metadata(path).expect("it is there").len();
        }
        fs::read_dir(path).expect("it can be read").map(|entry| size(&entry.unwrap().path())).sum()
    }
    let size = size(&root().join("arch"));
    assert!((1_000_000..16_000_000).contains(&size), "{size} bytes");
}

/// Metrics take little room: less than 15 % of the tables without them.
#[test]
fn metrics_are_small_when_packed() {
    let size = |compiled: &Compiled| compiled.strings.len() + compiled.tables.len();
    let [without, with] = [&compiled("x86", false), &*X86].map(size);
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

/// The pages of what perf gets wrong say what the tree has.
#[test]
fn the_lists_of_repairs_are_current() {
    let (out, overlay) = (root().join("arch"), root().join("overlay"));
    let mut problems = Problems::default();
    let publications = origin::publications(&overlay, &mut problems);
    let evidence = Evidence::read(&overlay, &mut problems);
    let files = repairs::files_of(&REPAIRS, &out, &evidence, &publications);
    assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
    let files = files.expect("they can be made");
    assert_eq!(files.len(), 2);
    for (path, text) in files {
        let present = fs::read_to_string(&path).expect("it can be read");
        assert!(present == text, "run `cargo run -p pmu-events-import`: {}", path.display());
        assert!(text.len() < 200_000, "{}: {} bytes", path.display(), text.len());
    }
}

/// The evidence agrees with the repairs, and with the numbers in `UPSTREAM.md` that are
/// written by hand.
#[test]
fn repairs_have_their_evidence() {
    let repairs: &[Repair] = &REPAIRS;
    let evidence = Evidence::read(&root().join("overlay"), &mut Problems::default());
    let of = |kind: Kind| repairs.iter().filter(move |repair| repair.kind == kind);

    // libpfm4 has bit 21 where the source has `ExtSel`.
    let as_libpfm4 = |repair: &Repair| {
        let number = |name| repair.event.terms().last_named(name).and_then(|term| term.number());
        let code = number("event").unwrap_or_default();
        (code & 0xff) | (number("umask").unwrap_or_default() << 8) | (code >> 8 << 21)
    };
    let others: Vec<_> = of(Kind::ExtSel)
        .filter(|repair| evidence.libpfm4(repair).is_some_and(|code| code != as_libpfm4(repair)))
        .map(|repair| (repair.model, repair.event.name()))
        .collect();
    assert_eq!(others, [("jaketown", "UNC_Q_CTO_COUNT")]);
    let known = of(Kind::ExtSel).filter(|repair| evidence.libpfm4(repair).is_some()).count();
    assert_eq!(evidence.libpfm4_count(), known, "an event is gone: tests/evidence/libpfm4 --write");

    let (mut counted, mut fitting) = (0, 0);
    for repair in repairs.iter().filter(|repair| repair.kind != Kind::Precise) {
        assert_ne!(repair.wanted(), repair.now(), "{}: {}", repair.model, repair.event.name());
        assert!(repair.fits.is_some(), "{}: no formats of {}", repair.model, repair.event.pmu());
        counted += 1;
        fitting += usize::from(repair.fits == Some(true));
    }
    let upstream = fs::read_to_string(root().join("UPSTREAM.md")).expect("it can be read");
    let said = [
        format!("{} events count something else\n\n- Now: `UMaskExt`", of(Kind::UMaskExt).count()),
        format!("{} events count something else\n\n- Now: `ExtSel`", of(Kind::ExtSel).count()),
        format!("{} events of Knights Landing", of(Kind::Register).count()),
        format!("as that of the first: {} events", of(Kind::Filter).count()),
        format!("Of the {}, libpfm4 has {known} by the same name", of(Kind::ExtSel).count()),
        format!("Of {counted} events, {fitting} can be written"),
    ];
    for said in said {
        assert!(upstream.contains(&said), "UPSTREAM.md should say `{said}`");
    }
}

/// What is said of a repaired event names just the versions that have it wrong, and none
/// that has it right or lacks it.
#[test]
fn versions_of_repaired_events() {
    let repairs: &[Repair] = &REPAIRS;
    let evidence = Evidence::read(&root().join("overlay"), &mut Problems::default());
    let mut named = [0; repairs::VERSIONS.len()];
    for repair in repairs {
        let Repair { kind, model, event, .. } = repair;
        let differs = event.perf_differs().expect("it is repaired");
        // Of two mistakes, the one that changes what is counted is told.
        if *kind == Kind::Precise && differs.changes_count() {
            continue;
        }
        let recorded = evidence.of(repair);
        let recorded = recorded.unwrap_or_else(|| panic!("{model}: {}", event.name()));
        let told = differs.versions();
        for (n, version) in repairs::VERSIONS.iter().enumerate() {
            let is_named = told.split([' ', ',']).any(|word| word == *version);
            let is_wrong = recorded.trees[n] == Verdict::Wrong;
            assert_eq!(is_named, is_wrong, "{model}: {}: {told}; {recorded:?}", event.name());
            named[n] += usize::from(is_named);
        }
    }
    assert!(named.iter().all(|count| *count > 100), "{named:?}");
}

/// Several events with one encoding count the same, whatever their names.
#[test]
fn repaired_events_that_count_the_same() {
    use std::collections::BTreeMap;

    let repairs: &[Repair] = &REPAIRS;
    let mut encodings: BTreeMap<[&str; 3], Vec<&Repair>> = BTreeMap::new();
    for repair in repairs {
        let event = repair.event;
        if repair.kind != Kind::Precise && !event.is_deprecated() {
            let encoding = [repair.model, event.pmu(), event.event_string()];
            encodings.entry(encoding).or_default().push(repair);
        }
    }
    let is_shared = |repair: &Repair| {
        let evidence = repair.event.perf_differs().and_then(|differs| differs.evidence());
        evidence.is_some_and(|evidence| evidence.is_shared())
    };
    let mut shared = 0;
    for (encoding, repairs) in encodings {
        let marked: Vec<_> = repairs.iter().filter(|repair| is_shared(repair)).collect();
        shared += marked.len();
        assert!(marked.len() != 1, "{encoding:?}");
        // Two are names of one thing; a whole group is not.
        let others = repairs.iter().filter(|repair| !is_shared(repair)).count();
        assert!(others <= 2, "{encoding:?}: {others} count the same");
    }
    assert_eq!(shared, 32);
}

/// A directory with these files, made anew.
fn directory_of(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint").join(name);
    let _ = fs::remove_dir_all(&directory);
    for (file, text) in files {
        let path = directory.join(file);
        fs::create_dir_all(path.parent().expect("it has one")).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

const MAP_FILE: &str = "Family-model,Version,Filename,EventType\nx,v1,m,core\n";

/// What the lint says of a model with one file.
fn lint_of(name: &str, events: &str) -> Vec<String> {
    let directory = directory_of(name, &[("mapfile.csv", MAP_FILE), ("m/cache.json", events)]);
    let mut problems = Problems::default();
    let _ = lint::check(&directory, "a", &mut problems);
    messages(&problems)
}

#[test]
fn a_proper_tree_is_not_refused() {
    let events = r#"[
{"EventName":"A","EventCode":"0x10","UMask":"1","BriefDescription":"Some events."},
{"EventName":"B","EventCode":"2"},
{"MetricName":"m","MetricExpr":"A / B","MetricThreshold":"m > 1","BriefDescription":"A for each B."}
]
"#;
    assert_eq!(lint_of("proper", events), [""; 0]);
}

#[test]
fn every_rule_refuses_what_breaks_it() {
    let form = "a/m/cache.json:2:1: is not in the form of this tree: expected ";
    let cases: &[(&str, &str, &str)] = &[
        (
            "order of keys",
            "[\n{\"EventCode\":\"1\",\"EventName\":\"A\"}\n]\n",
            &format!(r#"{form}`{{"EventName":"A","EventCode":"1"}}`"#),
        ),
        (
            "spaces",
            "[\n  {\"EventName\": \"A\", \"EventCode\": \"1\"}\n]\n",
            &format!(r#"{form}`{{"EventName":"A","EventCode":"1"}}`"#),
        ),
        (
            "order of events",
            "[\n{\"EventName\":\"B\",\"EventCode\":\"1\"},\n{\"EventName\":\"a\",\"EventCode\":\"1\"}\n]\n",
            &format!(r#"{form}`{{"EventName":"a","EventCode":"1"}},`"#),
        ),
        (
            "smallest form",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"0x01\",\"PerPkg\":\"0\"}\n]\n",
            &format!(r#"{form}`{{"EventName":"A","EventCode":"1"}}`"#),
        ),
        (
            "no code",
            "[\n{\"EventName\":\"A\",\"UMask\":\"1\"}\n]\n",
            "a/m/cache.json:2:2: event `A` has no code",
        ),
        (
            "unknown key",
            "[\n{\"EventName\":\"A\",\"Conter\":\"1\",\"EventCode\":\"1\"}\n]\n",
            "a/m/cache.json:2:18: unknown key `Conter` is left out; did you mean `Counter`?",
        ),
        (
            "unknown event",
            "[\n{\"MetricName\":\"m\",\"MetricExpr\":\"A / cycles\",\"BriefDescription\":\"A for each cycle.\"}\n]\n",
            "a/m/cache.json:2:2: metric `m` names the unknown event `A`",
        ),
        (
            "formula",
            "[\n{\"MetricName\":\"m\",\"MetricExpr\":\"cycles /\",\"BriefDescription\":\"A for each cycle.\"}\n]\n",
            "a/m/cache.json:2:2: MetricExpr: expected a value, found the end of the text in `cycles /`",
        ),
        (
            "metric without a description",
            "[\n{\"MetricName\":\"m\",\"MetricExpr\":\"cycles\"}\n]\n",
            "a/m/cache.json:2:2: metric `m` has no description",
        ),
        (
            "full stop",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"1\",\"BriefDescription\":\"Some events\"}\n]\n",
            "a/m/cache.json:2:2: BriefDescription: a description ends with a full stop: `Some events`",
        ),
        (
            "brief description repeated",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"1\",\"BriefDescription\":\"Loads.\",\"PublicDescription\":\"Loads. No stores.\"}\n]\n",
            "a/m/cache.json:2:2: PublicDescription begins with the BriefDescription: `Loads.`",
        ),
        (
            "units of memory",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"1\",\"BriefDescription\":\"Pages of 4 KiB.\"}\n]\n",
            "a/m/cache.json:2:2: BriefDescription: a description writes kB, MB and GB for units of memory: `Pages of 4 KiB.`",
        ),
        (
            "two spaces",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"1\",\"PublicDescription\":\"Some  events.\"}\n]\n",
            "a/m/cache.json:2:2: PublicDescription: a description has no two spaces in a row: `Some  events.`",
        ),
        (
            "one description, two codes",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"1\",\"BriefDescription\":\"Some events.\"},\n{\"EventName\":\"B\",\"EventCode\":\"2\",\"BriefDescription\":\"Some events.\"},\n{\"EventName\":\"C\",\"EventCode\":\"1\",\"BriefDescription\":\"Some events.\"}\n]\n",
            "a/m/cache.json:3:2: event `B` has the description of `A`: `Some events.`",
        ),
        (
            "plain ASCII",
            "[\n{\"EventName\":\"A\",\"EventCode\":\"1\",\"BriefDescription\":\"Some \\u00e9vents.\"}\n]\n",
            "a/m/cache.json:2:2: BriefDescription: a description is plain ASCII on one line: `Some \u{e9}vents.`",
        ),
    ];
    for &(name, events, expected) in cases {
        assert_eq!(lint_of(name, events), [expected], "{name}");
    }
}

/// `tests/kernel` asks this of every tree.
#[test]
fn sentences_of_another_tree_are_found() {
    let read = |name: &str, events: &str, groups: &str| {
        let files =
            [("mapfile.csv", MAP_FILE), ("m/x.json", events), ("m/metricgroups.json", groups)];
        let directory = directory_of(name, &files);
        let arch = tree::read(&directory, name, Keep::All, &mut Problems::default());
        assert!(!arch.tables.is_empty());
        arch
    };
    let theirs = read(
        "theirs",
        r#"[{"EventName": "A", "BriefDescription": "Lines  brought into the cache"}, {"EventName": "B", "BriefDescription": "Two words"}]"#,
        r#"{"g": "All of the branches."}"#,
    );
    let ours = read(
        "ours",
        r#"[{"EventName": "X", "BriefDescription": "Two words."}, {"EventName": "Z", "PublicDescription": "Lines brought into the Cache."}]"#,
        r#"{"g": "All of the branches"}"#,
    );
    let shared = lint::shared_sentences(&ours, &theirs);
    let shared: Vec<String> = shared.iter().map(|(place, _)| place.to_string()).collect();
    assert_eq!(shared, ["ours/m/x.json:1:57", "ours/m/metricgroups.json"]);
}

/// What is wrong with an overlay of a model with the events A (twice) and B.
fn overlay_faults(name: &str, files: &[(&str, &str)]) -> Vec<String> {
    let events = r#"[
  {"EventName": "Alpha.One", "EventCode": "1", "UMask": "1"},
  {"EventName": "Alpha.One", "Unit": "CHA", "EventCode": "2"},
  {"EventName": "Beta", "EventCode": "2"}
]
"#;
    let directory =
        directory_of(name, &[("arch/mapfile.csv", MAP_FILE), ("arch/m/x.json", events)]);
    let words = directory_of(&format!("{name} words"), files);
    let mut problems = Problems::default();
    let mut arch = tree::read(&directory.join("arch"), "arch", Keep::Facts, &mut problems);
    let families = families::read(&words.join("families"), "o/families", &mut problems);
    let words = overlay::read(&words, "o", &mut problems);
    merge::merge(&mut arch, Default::default(), &words, &families, &mut problems);
    messages(&problems)
}

#[test]
fn faults_of_an_overlay() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "right",
            r#"{"models": ["*"], "events": {"alpha.one": "Some events.", "BETA": "Others."}}"#,
            &[],
        ),
        (
            "one code of two",
            r#"{"models": ["m"], "events": {"alpha.one": {"public": "Some events.", "event": "event=2"}}}"#,
            &[],
        ),
        (
            "variants for codes and models",
            r#"{"models": ["*"], "events": {"alpha.one": [{"brief": "Some events.", "event": ["event=1,umask=1"]}, {"brief": "Others.", "event": "event=2", "models": ["m"]}]}}"#,
            &[],
        ),
        (
            "a list of codes, one of no event",
            r#"{"models": ["m"], "events": {"alpha.one": {"brief": "Some events.", "event": ["event=2", "event=3"]}}}"#,
            &["o/a.json:1:90: no event `alpha.one` of these models has that code"],
        ),
        (
            "variants that overlap",
            r#"{"models": ["m"], "events": {"Beta": ["Some events.", {"brief": "Others.", "event": "event=2"}]}}"#,
            &["o/a.json:1:55: `Beta` of arch/m is described in o/a.json:1:39, too"],
        ),
        (
            "a variant for an unknown model",
            r#"{"models": ["m"], "events": {"Beta": ["Some events.", {"brief": "Others.", "models": ["n"]}]}}"#,
            &[
                "o/a.json:1:87: `n` matches no model of arch",
                "o/a.json:1:55: no event `Beta` of these models has that code",
            ],
        ),
        (
            "no variant",
            r#"{"models": ["m"], "events": {"Beta": []}}"#,
            &["o/a.json:1:38: says nothing: the list is empty"],
        ),
        (
            "units of counts",
            r#"{"models": ["m"], "count_units": {"alpha.*": "64Bytes", "Beta": "Cycles"}, "count_scopes": {"B*": "core"}}"#,
            &[],
        ),
        (
            "no unit of a count",
            r#"{"models": ["m"], "count_units": {"Beta": "64 bytes"}, "count_scopes": {"Beta": "socket"}}"#,
            &[
                "o/a.json:1:43: invalid CountUnit `64 bytes`: expected `64Bytes`",
                "o/a.json:1:81: invalid CountScope `socket`: expected thread, core, cluster, package",
            ],
        ),
        (
            "a unit of no event",
            r#"{"models": ["m"], "count_units": {"Alpha.*": "64Bytes", "Alpha.One": "4Bytes"}}"#,
            &["o/a.json:1:57: no event of these models is first matched by `Alpha.One`"],
        ),
        (
            "misspelt event",
            r#"{"models": ["m"], "events": {"Alfa.One": "Some events."}}"#,
            &[
                "o/a.json:1:30: no model that the file is about has an event `Alfa.One`; did you mean `Alpha.One`?",
            ],
        ),
        (
            "unknown model",
            r#"{"models": ["*", "n"], "events": {"Beta": "Some events."}}"#,
            &["o/a.json:1:18: `n` matches no model of arch"],
        ),
        (
            "no such code",
            r#"{"models": ["m"], "events": {"Beta": {"brief": "Some events.", "event": "event=3"}}}"#,
            &["o/a.json:1:30: no event `Beta` of these models has that code"],
        ),
        (
            "no such unit",
            r#"{"models": ["m"], "unit": "CHA", "events": {"Beta": "Some events."}}"#,
            &["o/a.json:1:45: no model that the file is about has an event `Beta`"],
        ),
        (
            "no such term",
            r#"{"models": ["m"], "events": {"Beta": {"brief": "Some events.", "event": "evnt=2"}}}"#,
            &["o/a.json:1:73: `evnt` selects no event; did you mean `event`?"],
        ),
        (
            "twice",
            r#"{"models": ["m"], "events": {"Beta": "Some events.", "beta": "Others."}}"#,
            &["o/a.json:1:54: `beta` is in line 1, too"],
        ),
        (
            "no sentence",
            r#"{"models": ["m"], "events": {"Beta": "Some events"}}"#,
            &["o/a.json:1:38: a description ends with a full stop: `Some events`"],
        ),
        (
            "no models",
            r#"{"events": {"Beta": "Some events."}}"#,
            &[
                "o/a.json: does not say which `models` it is about",
                "o/a.json:1:13: no model that the file is about has an event `Beta`",
            ],
        ),
        (
            "misspelt key",
            r#"{"modles": ["m"], "models": ["m"]}"#,
            &["o/a.json:1:2: unknown key `modles`; did you mean `models`?"],
        ),
        ("no JSON", "{", &["o/a.json:1:1: invalid JSON: the text ends within an object at `{`"]),
        (
            "metric that fits nowhere",
            r#"{"models": ["m"], "metrics": [{"MetricName": "r", "MetricExpr": "Beta / Gamma", "BriefDescription": "Some."}]}"#,
            &["o/a.json:1:32: metric `r` fits no model: m comes closest and lacks `Gamma`"],
        ),
        (
            "description of no metric",
            r#"{"models": ["m"], "metric_texts": {"r": "Some."}}"#,
            &["o/a.json:1:36: no source of these models has a metric `r`"],
        ),
        (
            "group of no metric",
            r#"{"models": ["m"], "groups": {"g": "Some."}}"#,
            &["o/a.json:1:30: no metric of these models is in the group `g`"],
        ),
    ];
    for &(name, text, expected) in cases {
        assert_eq!(overlay_faults(name, &[("a.json", text)]), expected, "{name}");
    }
}

/// The descriptions of a model with these events, and what is wrong, under a
/// family's file.
fn families_of(name: &str, family: &str) -> (Vec<String>, Vec<String>) {
    let events = r#"[
  {"EventName": "Q.DATA_READ", "Unit": "CHA", "EventCode": "1", "UMask": "1"},
  {"EventName": "Q.CODE_READ", "Unit": "CHA", "EventCode": "1", "UMask": "2"},
  {"EventName": "Q.READ", "Unit": "CHA", "EventCode": "1", "UMask": "3"},
  {"EventName": "Q.SWAPPED_WRITE", "Unit": "CHA", "EventCode": "1", "UMask": "0x41"},
  {"EventName": "Said", "EventCode": "2"}
]
"#;
    let directory =
        directory_of(name, &[("arch/mapfile.csv", MAP_FILE), ("arch/m/x.json", events)]);
    let said = r#"{"models": ["m"], "events": {"Said": "Some events."}}"#;
    let words = [("a.json", said), ("families/f.json", family)];
    let words = directory_of(&format!("{name} words"), &words);
    let mut problems = Problems::default();
    let mut arch = tree::read(&directory.join("arch"), "arch", Keep::Facts, &mut problems);
    let families = families::read(&words.join("families"), "o", &mut problems);
    let words = overlay::read(&words, "o", &mut problems);
    merge::merge(&mut arch, Default::default(), &words, &families, &mut problems);
    let brief = |name: &str| {
        let record = arch.records("m").find(|record| record.name() == Some(name)).unwrap();
        record.get("BriefDescription").unwrap_or("-").to_owned()
    };
    let names = ["Q.DATA_READ", "Q.CODE_READ", "Q.READ", "Q.SWAPPED_WRITE", "Said"];
    (names.map(brief).to_vec(), messages(&problems))
}

/// The encoding decides what a family says; a name that says something else
/// is found.
#[test]
fn families_of_events() {
    const FILE: &str = r#"{
"models": ["m"], "units": ["CHA"],
"glossaries": {"kind": {"": "reads", "DATA": "data reads", "CODE": "code reads", "SWAPPED": "writes"}},
"bits": {"kind": {"field": "UMask", "mask": "0xf", "values": {"3": "reads"}, "bits": {"1": "data reads", "2": "code reads"}}},
"families": [
{"name": "Q.[{kind}_]READ", "bits": {"kind": "kind"}, "brief": "{kind} in the queue."},
{"name": "Q.{kind}_WRITE", "bits": {"kind": "kind"}, "brief": "{kind} that write.", "misnomers": {"Q.SWAPPED_*": "bit 0 means data"}}
]}"#;
    let right = ["Data reads in the queue.", "Code reads in the queue.", "Reads in the queue."];
    let right = [&right[..], &["Data reads that write.", "Some events."]].concat();
    let (briefs, faults) = families_of("families", FILE);
    assert_eq!((briefs, faults), (right.into_iter().map(str::to_owned).collect(), Vec::new()));

    let without = |from: &str, to: &str| {
        assert!(FILE.contains(from), "{from}");
        FILE.replacen(from, to, 1)
    };
    let long = "x".repeat(90);
    // The first fault; others may follow from it.
    let cases: &[(&str, String, &str)] = &[
        (
            "a misnomer",
            without(r#", "misnomers": {"Q.SWAPPED_*": "bit 0 means data"}"#, ""),
            "o/f.json:7:10: `Q.SWAPPED_WRITE` of arch/m: the name says `writes`, UMask 0x1 says `data reads`",
        ),
        (
            "an exception too many",
            without(r#""Q.SWAPPED_*": "#, r#""Q.DATA_*": "no", "Q.SWAPPED_*": "#),
            "o/f.json:7:99: `Q.DATA_*` says what its bits say, or fits no event",
        ),
        (
            "an unknown part",
            without(r#", "CODE": "code reads""#, ""),
            "o/f.json:6:10: `Q.CODE_READ` of arch/m: no word of a glossary fits `CODE_READ`",
        ),
        (
            "a part of no event",
            without(r#""DATA": "#, r#""RFO": "ownership reads", "DATA": "#),
            "o/f.json:3:38: no event has the `kind` `RFO`",
        ),
        (
            "unknown bits",
            without(r#", "2": "code reads""#, ""),
            "o/f.json:6:10: `Q.CODE_READ` of arch/m: no words for UMask 0x2 (of the bits 0xf)",
        ),
        (
            "bits outside",
            without(r#""3": "reads""#, r#""3": "reads", "0x10": "x""#),
            "o/f.json:4:10: 0x10 is outside of the mask 0xf",
        ),
        (
            "an unknown glossary",
            without("Q.{kind}_WRITE", "Q.{kinds}_WRITE"),
            "o/f.json:7:10: unknown glossary `kinds`; did you mean `kind`?",
        ),
        (
            "an unknown slot",
            without("{kind} that", "{knd} that"),
            "o/f.json:7:10: unknown slot `knd`; did you mean `kind`?",
        ),
        (
            "an unknown table",
            without(r#"{"kind": "kind"}"#, r#"{"kind": "sort"}"#),
            "o/f.json:6:10: unknown table of bits `sort`",
        ),
        (
            "too long",
            without("{kind} that write", &format!("{{kind}} {long}")),
            "o/f.json:7:10: `Q.SWAPPED_WRITE` of arch/m: 102 characters, more than 100: `Data reads xx",
        ),
        (
            "two families",
            without("Q.{kind}_WRITE", "Q.[{kind}_]READ"),
            "o/f.json:7:10: `Q.CODE_READ` of arch/m fits o/f.json:6:10, too",
        ),
        (
            "no event",
            without(
                r#""families": ["#,
                r#""families": [{"name": "R.X", "brief": "Some events."}, "#,
            ),
            "o/f.json:5:23: no event of these models fits `R.X`",
        ),
        (
            "no models",
            without(r#""models": ["m"], "#, ""),
            "o/f.json:6:10: does not say which `models` it is about",
        ),
        (
            "an unknown model",
            without(r#""models": ["m"]"#, r#""models": ["m", "n"]"#),
            "o/f.json:2:17: `n` matches no model of arch",
        ),
        (
            "a misspelt key",
            without(r#""families": "#, r#""famlies": "#),
            "o/f.json:5:1: unknown key `famlies`; did you mean `families`?",
        ),
    ];
    for (name, text, expected) in cases {
        let faults = families_of(&format!("families {name}"), text).1;
        let first = faults.first().map(String::as_str).unwrap_or_default();
        assert!(first.starts_with(expected), "{name}: {faults:#?}");
    }
}

#[test]
fn two_files_about_one_event() {
    let text = r#"{"models": ["m"], "events": {"Beta": "Some events."}}"#;
    assert_eq!(
        overlay_faults("two files", &[("a.json", text), ("b.json", text)]),
        ["o/b.json:1:30: `Beta` of arch/m is described in o/a.json:1:30, too"]
    );
    // They may share the work.
    let public = r#"{"models": ["m"], "events": {"Beta": {"public": "More of it."}}}"#;
    assert_eq!(overlay_faults("shared work", &[("a.json", text), ("b.json", public)]), [""; 0]);
    assert_eq!(
        overlay_faults("two long ones", &[("a.json", public), ("b.json", public)]),
        ["o/b.json:1:30: `Beta` of arch/m is described in o/a.json:1:30, too"]
    );
}

#[test]
fn two_files_about_one_count() {
    let text = r#"{"models": ["m"], "count_units": {"Beta": "64Bytes"}}"#;
    assert_eq!(overlay_faults("one unit", &[("a.json", text), ("b.json", text)]), [""; 0]);
    let other = text.replace("64", "4");
    assert_eq!(
        overlay_faults("two units", &[("a.json", text), ("b.json", &other)]),
        ["o/b.json:1:35: `Beta` gives `Beta` of arch/m another CountUnit than o/a.json:1:35"]
    );
}

#[test]
fn two_files_about_one_group() {
    let metric = r#""metrics": [{"MetricName": "NAME", "MetricExpr": "cycles", "MetricGroup": "GROUP", "BriefDescription": "Some."}]}"#;
    let file = |name: &str, group: &str, text: &str| {
        let metric = metric.replace("NAME", name).replace("GROUP", group);
        format!(r#"{{"models": ["m"], "groups": {{"{group}": "{text}"}}, {metric}"#)
    };
    let first = file("a", "Caches", "Of caches.");
    for (group, text, expected) in [
        ("Caches", "Of caches.", &[][..]),
        (
            "Caches",
            "Of others.",
            &["o/b.json:1:30: group `Caches` is described otherwise in o/a.json:1:30"],
        ),
        ("caches", "Of caches.", &["o/b.json:1:30: group `caches` is `Caches` in o/a.json:1:30"]),
    ] {
        let second = file("b", group, text);
        let found = overlay_faults("groups", &[("a.json", &first), ("b.json", &second)]);
        assert_eq!(found, expected, "{group}: {text}");
    }
}

/// Of several metrics of one name, the first that fits; metrics of metrics
/// wait for them.
#[test]
fn metrics_that_fit() {
    let words = r#"{
  "models": ["*"],
  "groups": {"Summary": "Key figures."},
  "metrics": [
    {"MetricName": "twice", "MetricExpr": "2 * ratio", "MetricThreshold": "twice > 1", "BriefDescription": "Double."},
    {"MetricName": "ratio", "MetricExpr": "Beta / Gamma", "BriefDescription": "For Gamma."},
    {"MetricName": "ratio", "MetricExpr": "Beta / cycles", "MetricGroup": "Summary", "BriefDescription": "For cycles."},
    {"MetricName": "ratio", "MetricExpr": "Beta / instructions", "BriefDescription": "Never reached."}
  ]
}"#;
    let said = overlay_faults("fitting", &[("a.json", words)]);
    assert_eq!(
        said,
        [
            "o/a.json:6:6: metric `ratio` fits no model: m comes closest and lacks `Gamma`",
            "o/a.json:8:6: metric `ratio` fits no model: others of its name fit before it",
        ]
    );
}
