//! The library as other programs use it: a directory and options in, tables or
//! faults out.

use std::fs;
use std::path::{Path, PathBuf};

use pmu_events_compiler::{Compiled, Options, Refused, Severity, Source, Unknown, compile};
use pmu_events_core::Tree;

fn soc() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soc")
}

fn compiled(directory: &Path, options: &Options) -> Result<Compiled, Box<Refused>> {
    compile(&Source::read(directory, "arch/soc", options), options)
}

#[test]
fn tables_and_a_summary() {
    let compiled = compiled(&soc(), &Options::default()).expect("it has no errors");
    let [model] = &compiled.models[..] else { panic!("{:?}", compiled.models) };
    assert_eq!((&*model.directory, &*model.static_name, model.events), ("acme", "ACME", 2));
    let [row] = &compiled.rows[..] else { panic!("{:?}", compiled.rows) };
    assert_eq!((&*row.pattern, row.model), ("acme-1", 0));

    let tree = Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    let model = tree.models().next().expect("there is one");
    assert_eq!(model.name(), "acme");
}

#[test]
fn warnings_are_values() {
    let warnings = compiled(&soc(), &Options::default()).expect("it has no errors").warnings;
    assert_eq!((warnings.severity(), warnings.total()), (Severity::Warning, 1));
    let [fault] = warnings.faults() else { panic!("{warnings}") };
    assert_eq!((&*fault.path, fault.position), ("arch/soc/acme/cache.json", Some((3, 49))));
    assert!(fault.message.contains("`UMsk`") && fault.message.contains("`UMask`"), "{fault}");
    assert_eq!(fault.to_string(), format!("{}:3:49: {}", fault.path, fault.message));
}

#[test]
fn likely_mistakes_are_errors_on_request() {
    let mut options = Options::default();
    options.unknown = Unknown::Deny;
    let refused = compiled(&soc(), &options).expect_err("a key is unknown");
    assert_eq!((refused.errors.severity(), refused.errors.total()), (Severity::Error, 1));
    assert!(refused.warnings.is_empty());
    assert_eq!(refused.static_names, ["ACME"]);
}

#[test]
fn what_cannot_be_read_is_a_fault() {
    let refused = compiled(&soc().join("absent"), &Options::default()).expect_err("it is absent");
    let fault = &refused.errors.faults()[0];
    assert_eq!((&*fault.path, fault.position), ("arch/soc", None));
    assert!(fault.message.starts_with("cannot be read: "), "{fault}");
}

#[test]
fn the_files_that_were_read() {
    let source = Source::read(&soc(), "arch/soc", &Options::default());
    let mut paths: Vec<_> = source.paths().map(Path::to_owned).collect();
    paths.sort();
    assert_eq!(paths, [soc().join("acme/cache.json"), soc().join("mapfile.csv")]);
    assert!(paths.iter().all(|path| fs::metadata(path).is_ok()));
}

/// jevents strips one full stop, also of a text that is nothing else; what is
/// empty then has no notes, and perf shows no description
/// (`fixdesc` in `tools/perf/pmu-events/jevents.py`).
#[test]
fn texts_of_nothing_but_full_stops() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("full-stops");
    fs::create_dir_all(root.join("w1")).expect("the scratch directory can be written");
    let map = "Family-model,Version,Filename,EventType\nw-1,v1,w1,core\n";
    fs::write(root.join("mapfile.csv"), map).expect("it can be written");
    let cases = [
        ("ONE", ".", None),
        ("SPACE", ". ", None),
        ("TWO", "..", Some(". (Precise event)")),
        ("THREE", "...", Some(".. (Precise event)")),
        ("WORD", "Word.", Some("Word (Precise event)")),
    ];
    let events: Vec<String> = cases
        .iter()
        .map(|(name, text, _)| {
            format!(
                r#"{{"EventName":"{name}","EventCode":"0x1","PEBS":"1","BriefDescription":"{text}"}}"#
            )
        })
        .collect();
    fs::write(root.join("w1/cache.json"), format!("[{}]", events.join(",")))
        .expect("it can be written");
    let compiled = compiled(&root, &Options::default()).expect("it has no errors");
    let tree = Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    let model = tree.models().next().expect("there is one");
    for (name, text, expected) in cases {
        let event = model.event(name).expect("it is there");
        let kept = expected.is_some().then_some(text);
        assert_eq!(event.description().map(|text| text.to_string()).as_deref(), kept, "{name}");
        assert_eq!(
            event.perf_description().map(|text| text.to_string()).as_deref(),
            expected,
            "{name}"
        );
    }
}

/// `sources.csv` says where the facts of a model come from; perfmon's versions are
/// those of its map file.
#[test]
fn models_name_their_source() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sources");
    fs::create_dir_all(root.join("acme/sys")).expect("it is made");
    fs::create_dir_all(root.join("other")).expect("it is made");
    let event = r#"[{"EventName": "A", "EventCode": "1"}]"#;
    for (path, text) in [
        ("mapfile.csv", "h\nacme-1,v1,acme,core\nother-1,v1,other,core\n"),
        ("acme/a.json", event),
        (
            "acme/sys/a.json",
            r#"[{"EventName": "A", "EventCode": "1", "Unit": "fabric", "Compat": "x"}]"#,
        ),
        ("other/a.json", event),
        (
            "sources.csv",
            "Directory,Source,Version,Date\nacme,Acme,2,2026-01-31\nacme/sys,Acme,3,2026-02-28\n\
             gone,Acme,3,2026-02-28\nother\n",
        ),
    ] {
        fs::write(root.join(path), text).expect("it is written");
    }
    let compiled = compiled(&root, &Options::default()).expect("it has no errors");
    let warnings: Vec<String> =
        compiled.warnings.faults().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "arch/soc/sources.csv:4:1: unknown model directory `gone`",
            "arch/soc/sources.csv:5:1: expected four columns, directory, source, version, date",
        ]
    );
    let tree: &'static Tree =
        Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    let sources: Vec<_> =
        tree.models().chain(tree.sys_tables()).map(|m| (m.name(), m.source())).collect();
    assert_eq!(
        sources,
        [
            ("acme", Some("Acme 2 (2026-01-31)")),
            ("other", None),
            ("acme/sys", Some("Acme 3 (2026-02-28)")),
        ]
    );
}
