//! The reference of an event tree's keys has every key, and its examples compile.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pmu_events_compiler::tree_json::{IGNORED, Key};
use pmu_events_compiler::{Options, Source, Unknown, compile};

const REFERENCE: &str = include_str!("../pmu-events/src/cookbook/tree_format.rs");

/// Key and example of each row of its tables.
fn rows() -> Vec<(&'static str, &'static str)> {
    let row = |line: &'static str| {
        let mut cells = line.strip_prefix("//! | `")?.trim_end_matches(" |").split(" | ");
        let key = cells.next()?.trim_end_matches(" †").trim_matches('`');
        Some((key, cells.last()?.trim_matches('`')))
    };
    REFERENCE.lines().filter_map(row).collect()
}

#[test]
fn every_key_is_there() {
    let described: BTreeSet<&str> = rows().into_iter().map(|(key, _)| key).collect();
    let known: BTreeSet<&str> = Key::ALL.iter().map(|&(key, _)| key).collect();
    assert_eq!(described, known);
    assert_eq!(rows().len(), known.len(), "a key has two rows");
}

/// The keys that trees may have are listed, so that every change is seen in review.
/// `.ci/api --write` writes the listing anew.
#[test]
fn every_key_is_listed() {
    let read = Key::ALL.iter().map(|&(key, _)| format!("{key}\n"));
    let ignored = IGNORED.iter().map(|key| format!("{key} (ignored)\n"));
    let mut now: Vec<String> = read.chain(ignored).collect();
    now.sort();
    let now = now.concat();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("api/json/tree.txt");
    if std::env::var_os("PMU_EVENTS_WRITES_LISTINGS").is_some() {
        return fs::write(&file, now).expect("the listing can be written");
    }
    let listed = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(listed, now, "if that is meant: .ci/api --write");
}

#[test]
fn examples_compile() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tree-format");
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("it is below the root")).expect("it is made");
        fs::write(path, text).expect("it is written");
    };
    write("mapfile.csv", "Family-model,Version,Filename,EventType\nacme-1,v1,acme,core\n");
    write("standard.json", r#"[{"EventName": "STANDARD", "EventCode": "0x5"}]"#);
    let mut options = Options::default();
    options.unknown = Unknown::Deny;
    for (key, example) in rows() {
        assert!(example.contains(&format!("\"{key}\": ")), "{key}: {example}");
        let is_metric = example.contains("\"MetricName\"");
        let is_counter = example.contains("\"CountersNum");
        let has = |other: &str| example.contains(&format!("\"{other}\":"));
        let mut object = Vec::new();
        if !is_metric && !is_counter && !has("EventName") && !has("ArchStdEvent") {
            object.push(r#""EventName": "EXAMPLE""#);
        }
        let has_code = ["EventCode", "ConfigCode", "EventidCode", "ArchStdEvent"]
            .into_iter()
            .chain(["LegacyConfigCode", "LegacyCacheCode"])
            .any(has);
        if !is_metric && !is_counter && !has_code {
            object.push(r#""EventCode": "0x1""#);
        }
        if is_counter {
            object.push(r#""Unit": "core""#);
        }
        object.push(example);
        let object = object.join(", ");
        let base = r#"{"EventName": "BASE", "EventCode": "0x2"}"#;
        write("acme/cache.json", &format!("[{base}, {{{object}}}]"));
        let source = Source::read(&root, "arch/acme", &options);
        if let Err(refused) = compile(&source, &options) {
            panic!("{key}: {{{object}}}\n{}", refused.errors);
        }
    }
}
