//! What one count stands for and covers, and successors, from JSON to the look-ups.

use std::fs;
use std::path::Path;

use pmu_events_compiler::{Options, Source, compile};
use pmu_events_core::Tree;
use pmu_events_core::event::Encoding;

fn source(test: &str, standard: &str, events: &str) -> Source {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("counts-{test}"));
    fs::create_dir_all(root.join("quartz")).expect("it is made");
    let row = "Family-model,Version,Filename,EventType\nquartz-1,v1,quartz,core\n";
    fs::write(root.join("mapfile.csv"), row).expect("it is written");
    fs::write(root.join("standard.json"), standard).expect("it is written");
    fs::write(root.join("quartz/other.json"), events).expect("it is written");
    Source::read(&root, "soc", &Options::default())
}

fn tree(test: &str, standard: &str, events: &str) -> &'static Tree {
    let compiled = compile(&source(test, standard, events), &Options::default());
    let compiled = compiled.unwrap_or_else(|refused| panic!("{}", refused.errors));
    Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())))
}

#[test]
fn units_and_scopes() {
    let standard =
        r#"[{"EventName": "STD", "EventCode": "9", "CountUnit": "32Bytes", "CountScope": "core"}]"#;
    let cases = [
        (r#""EventCode": "1""#, "- -", "- -"),
        (r#""EventCode": "1", "CountUnit": "64Bytes""#, "64 bytes -", "- -"),
        (r#""EventCode": "1", "CountUnit": "64/9Bytes""#, "64/9 bytes -", "- -"),
        (
            r#""EventCode": "1", "CountUnit": "1000Cycles", "CountScope": "thread""#,
            "1000 cycles thread",
            "- thread",
        ),
        (r#""EventCode": "1", "CountScope": "cluster""#, "- cluster", "- cluster"),
        // What other keys say.
        (r#""EventCode": "1", "ScaleUnit": "64Bytes""#, "64 bytes -", "64 bytes -"),
        (r#""EventCode": "1", "ScaleUnit": "6.1e-5MiB""#, "- -", "- -"),
        (
            r#""EventCode": "1", "ScaleUnit": "64Bytes", "CountUnit": "4Bytes""#,
            "4 bytes -",
            "64 bytes -",
        ),
        (r#""EventCode": "1", "CounterMask": "2""#, "cycles -", "cycles -"),
        (
            r#""EventCode": "1", "CounterMask": "2", "EdgeDetect": "1""#,
            "occurrences -",
            "occurrences -",
        ),
        (r#""EventCode": "1", "CounterMask": "2", "CountUnit": "4Bytes""#, "4 bytes -", "cycles -"),
        (r#""EventCode": "1", "PerPkg": "1""#, "- package", "- package"),
        (r#""EventCode": "1", "AnyThread": "1""#, "- core", "- core"),
        (
            r#""EventCode": "1", "AnyThread": "1", "CountScope": "package""#,
            "- package",
            "- package",
        ),
        // Of the standard event, where the event says nothing.
        (r#""ArchStdEvent": "STD""#, "32 bytes core", "- core"),
        (r#""ArchStdEvent": "STD", "CountUnit": "2Occurrences""#, "2 occurrences core", "- core"),
    ];
    let event = |(n, (fields, ..)): (usize, &(&str, &str, &str))| {
        format!(r#"{{"EventName": "E{n:02}", {fields}}}"#)
    };
    let events: Vec<String> = cases.iter().enumerate().map(event).collect();
    let tree = tree("units", standard, &format!("[{}]", events.join(",")));
    let model = tree.model("quartz-1").expect("its row is there");
    for (n, (fields, correct, perf)) in cases.iter().enumerate() {
        let event = model.event(&format!("e{n:02}")).expect("it is there");
        let shown = |encoding| {
            let event = event.with_encoding(encoding);
            let unit = event.count_unit().map_or("-".to_owned(), |unit| unit.to_string());
            format!("{unit} {}", event.count_scope().map_or("-", |scope| scope.name()))
        };
        assert_eq!(shown(Encoding::Correct), *correct, "{fields}");
        assert_eq!(shown(Encoding::Perf), *perf, "{fields}, as perf");
    }
}

#[test]
fn successors() {
    let events = r#"[
{"EventName": "NEW.X", "EventCode": "1", "SampleAfterValue": "7"},
{"EventName": "OLD.X", "EventCode": "1", "SampleAfterValue": "9", "Deprecated": "1"},
{"EventName": "LONG_A", "EventCode": "2"},
{"EventName": "LONG_B", "EventCode": "2"},
{"EventName": "LNG_B", "EventCode": "2", "Deprecated": "1"},
{"EventName": "LNG_C", "EventCode": "2", "Deprecated": "1"},
{"EventName": "ALONE", "EventCode": "3", "Deprecated": "1"},
{"EventName": "ALSO", "EventCode": "3", "Deprecated": "1"},
{"EventName": "UNIT", "EventCode": "4", "Unit": "CHA", "Deprecated": "1"},
{"EventName": "CORE", "EventCode": "4"},
{"EventName": "COMPAT", "EventCode": "4", "Compat": "v1", "Deprecated": "1"}
]"#;
    let tree = tree("successors", "[]", events);
    let model = tree.model("quartz-1").expect("its row is there");
    let successor = |name: &str| model.event(name).expect(name).successor();
    for (name, expected) in [
        ("old.x", Some("NEW.X")),
        ("new.x", None),
        ("lng_b", Some("LONG_B")),
        ("lng_c", Some("LONG_A")),
        ("alone", None),
        ("also", None),
        ("unit", None),
        ("compat", None),
    ] {
        assert_eq!(successor(name), expected, "{name}");
    }
}

#[test]
fn faults() {
    let errors = |fields: &str| {
        let events = format!(r#"[{{"EventName": "E", "EventCode": "1", {fields}}}]"#);
        let source = source("faults", "[]", &events);
        let refused = compile(&source, &Options::default()).expect_err("it has a fault");
        refused.errors.to_string().trim().to_owned()
    };
    for (fields, expected) in [
        (
            r#""CountUnit": "64 Bytes""#,
            "soc/quartz/other.json:1:52: invalid CountUnit `64 Bytes`: expected `64Bytes`, `Cycles` or `2Occurrences`",
        ),
        (
            r#""CountScope": "packge""#,
            "soc/quartz/other.json:1:53: CountScope cannot be `packge`; it is one of thread, core, cluster, package; did you mean `package`?",
        ),
        (
            r#""CountUnit": 64"#,
            "soc/quartz/other.json:1:52: CountUnit must be a string, found a number",
        ),
    ] {
        assert!(errors(fields).contains(expected), "{}", errors(fields));
    }
}
