//! Trees of a few files: the tables, rows and groups they become, and the
//! reports about them.

use std::collections::HashMap;

use crate::faults::Faults;
use crate::faults::report::{Report, Severity};
use crate::mapfile::{self, cpus};
use crate::options::{Options, Unknown};
use crate::source::kernel_tree;

const HEADER: &str = "Family-model,Version,Filename,EventType\n";

/// What a tree becomes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Assembled {
    /// `directory: PMU event=string …; metric=formula …`
    tables: Vec<String>,
    rows: Vec<String>,
    groups: Vec<String>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

fn assembled_with(files: &[(&str, &str)], options: &Options) -> Assembled {
    let files: Vec<(&str, String)> = files
        .iter()
        .map(|&(path, text)| {
            let head = if path == "mapfile.csv" { HEADER } else { "" };
            (path, format!("{head}{text}"))
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
    let made = kernel_tree::made_up("soc", &files);
    let mut faults = Faults::default();
    let rows = mapfile::read(&made, &mut faults);
    let cpus = cpus::read(&made, &mut faults);
    let tree = super::tree(&made, &[], &rows, &cpus, HashMap::new(), options, &mut faults);
    tree.check_events(&made, options, &mut faults);
    let tables = tree.tables.iter().map(|table| {
        let events = table
            .events
            .iter()
            .map(|item| format!(" {}/{}={}", item.entry.pmu, item.event_name(), item.entry.event));
        let metrics = table.metrics.iter().map(|item| {
            let formula = item.entry.metric.expression.as_ref().map_or("", |value| &value.text);
            format!(" {}={formula}", item.metric_name())
        });
        let counters = table.counters.iter().map(|counters| format!(" {counters:?}"));
        let all: String = events.chain(metrics).chain(counters).collect();
        let kind = if table.directory.sys { " (sys)" } else { "" };
        let whole = if table.is_whole { "" } else { " and more" };
        format!("{}{kind}:{all}{whole}", table.directory.name)
    });
    let said = |report: Report| report.faults().iter().map(ToString::to_string).collect();
    Assembled {
        tables: tables.collect(),
        rows: tree.rows.iter().map(|(row, table)| format!("{} {table}", row.pattern)).collect(),
        groups: tree
            .groups
            .iter()
            .map(|group| format!("{}: {}", group.name.text, group.description.text))
            .collect(),
        errors: said(made.report(&faults.errors, Severity::Error)),
        warnings: said(made.report(&faults.warnings, Severity::Warning)),
    }
}

fn assembled(files: &[(&str, &str)]) -> Assembled {
    assembled_with(files, &Options::default())
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Sorted as jevents sorts them: by the PMU with `_` for `,`, and by the name
/// in lower case; metrics by name, then PMU.
#[test]
fn order() {
    let found = assembled(&[
        ("mapfile.csv", "cpu,v1,a,core\n"),
        (
            "a/b.json",
            r#"[
            {"EventName": "b", "EventCode": "1"},
            {"EventName": "C", "EventCode": "2"},
            {"EventName": "z", "EventCode": "3", "Unit": "hisi_sccl,ddrc"},
            {"EventName": "y", "EventCode": "4", "Unit": "hisi_sccl,ddrc"},
            {"MetricName": "m", "MetricExpr": "2", "Unit": "CHA"},
            {"MetricName": "M", "MetricExpr": "1"}
            ]"#,
        ),
        (
            "a/c.json",
            r#"[
            {"EventName": "A", "EventCode": "5"},
            {"EventName": "x", "EventCode": "6", "Unit": "CHA"},
            {"EventName": "e", "EventCode": "7", "MetricName": "L", "MetricExpr": "3"}
            ]"#,
        ),
    ]);
    let table = "a: default_core/A=event=5 default_core/b=event=1 default_core/C=event=2 \
        default_core/e=event=7 hisi_sccl,ddrc/y=event=4 hisi_sccl,ddrc/z=event=3 \
        uncore_cha/x=event=6 L=3 M=1 m=2";
    let expected =
        Assembled { tables: strings(&[table]), rows: strings(&["cpu 0"]), ..Assembled::default() };
    assert_eq!(found, expected);
}

/// A row has the table of its directory; directories without events have none.
#[test]
fn rows() {
    let event = r#"[{"EventName": "E", "EventCode": "1"}]"#;
    let files = &[
        (
            "mapfile.csv",
            "one,v1,a,core\ntwo,v1,vendor/b,core\nthree,v1,empty,core\nfour,v1,a,core\n",
        ),
        ("a/x.json", event),
        ("a/sys/x.json", event),
        ("empty/x.json", "[]"),
        ("vendor/b/x.json", event),
    ];
    let expected = Assembled {
        tables: strings(&[
            "a: default_core/E=event=1",
            "a (sys): default_core/E=event=1",
            "vendor/b: default_core/E=event=1",
        ]),
        rows: strings(&["one 0", "two 2", "four 0"]),
        ..Assembled::default()
    };
    assert_eq!(assembled(files), expected);
    // Of the models that are kept.
    let options = Options { models: strings(&["vendor/*", "c*"]), ..Options::default() };
    let found = assembled_with(files, &options);
    assert_eq!(found.rows, ["two 2"]);
    assert_eq!(found.warnings, ["arch/soc: option `models`: `c*` matches no directory"]);
}

#[test]
fn rows_that_cannot_be_meant() {
    let event = r#"[{"EventName": "E", "EventCode": "1"}]"#;
    let found = assembled(&[
        (
            "mapfile.csv",
            "one,v1,vendor,core\ntwo,v1,vendor/c,core\nthree,v1,core\nfour,v1,vendor/b,core\n",
        ),
        ("other/x.json", event),
        ("other/sys/x.json", event),
        ("vendor/b/x.json", event),
    ]);
    assert_eq!(found.rows, ["four 2"]);
    assert_eq!(
        found.errors,
        [
            "arch/soc/mapfile.csv:3:8: unknown model directory `vendor/c`; did you mean `vendor/b`?",
            "arch/soc/mapfile.csv:4:10: unknown model directory `core`: 3 columns instead of four, \
             pattern, version, directory, type",
        ]
    );
    // A sys table needs no row.
    assert_eq!(
        found.warnings,
        [
            "arch/soc/mapfile.csv:2:8: `vendor` is a vendor directory, not a model; perf ignores this row",
            "arch/soc/other: has events, but no row of the map file names it",
        ]
    );
    // Of a map file that is not whole, nothing is missed.
    let found = assembled(&[("mapfile.csv", "one\n"), ("a/x.json", event)]);
    assert_eq!((found.errors.len(), &*found.warnings), (1, &[][..]));
}

/// Numbers of counters are not events; an object without any name is reported.
#[test]
fn counters_and_objects_of_no_name() {
    let found = assembled(&[
        ("mapfile.csv", "cpu,v1,a,core\n"),
        (
            "a/counter.json",
            r#"[
            {"Unit": "core", "CountersNumFixed": "3", "CountersNumGeneric": "4"},
            {"Unit": "CHA", "CountersNumGeneric": "2"},
            {"EventName": "E", "EventCode": "1", "CountersNumFixed": "1"},
            {"BriefDescription": "Nothing."}
            ]"#,
        ),
    ]);
    assert_eq!(
        found.tables,
        ["a: default_core/E=event=1 (\"default_core\", [Some(4), Some(3)]) \
          (\"uncore_cha\", [Some(2), None])"]
    );
    assert_eq!(
        found.warnings,
        ["arch/soc/a/counter.json:5:13: this object has neither EventName nor MetricName; perf \
          ignores it"]
    );
    assert!(found.errors.is_empty());
}

/// Said once a file, of the first; six names need no code.
#[test]
fn events_without_code() {
    let object = |n: usize| format!(r#"{{"EventName": "E{n}", "UMask": "1"}}"#);
    let others =
        ["", " (as has one other event of this file)", " (as have 2 other events of this file)"];
    for (count, others) in (1..).zip(others) {
        let fixed = r#"{"EventName": "Inst_Retired.Any"}, {"MetricName": "M", "MetricExpr": "1"}"#;
        let objects: String = (0..count).map(|n| format!(",\n{}", object(n))).collect();
        let text = format!(r#"[{fixed}, {{"EventName": "X", "EventCode": "0"}}{objects}]"#);
        let found = assembled(&[("mapfile.csv", "cpu,v1,a,core\n"), ("a/x.json", &text)]);
        let said = format!("arch/soc/a/x.json:2:15: event `E0` has no EventCode: it is 0{others}");
        assert_eq!((found.warnings, found.errors), (vec![said], vec![]));
    }
}

/// Files that cannot be read leave a table that may hold more.
#[test]
fn spoilt_files() {
    let event = r#"{"EventName": "E", "EventCode": "1"}"#;
    let cases = [
        (format!("[{event}"), "a: and more", 1),
        (format!(r#"[{event}, {{"EventName": 7}}]"#), "a: default_core/E=event=1 and more", 1),
        (
            format!(r#"[{event}, {{"MetricName": 7, "MetricExpr": "1"}}]"#),
            "a: default_core/E=event=1 and more",
            1,
        ),
        (format!("[{event}, {event}]"), "a: default_core/E=event=1 default_core/E=event=1", 0),
    ];
    for (text, table, errors) in cases {
        let files = [("mapfile.csv", "cpu,v1,a,core\n"), ("a/x.json", &*text)];
        let options = Options { events: strings(&["nothing"]), ..Options::default() };
        let found = assembled_with(&files, &options);
        assert_eq!(found.tables, [table], "{text}");
        assert_eq!(
            (found.errors.len(), &*found.rows),
            (errors, &strings(&["cpu 0"])[..]),
            "{text}"
        );
        // What may be in a file that cannot be read is not missed.
        let missed = usize::from(!table.ends_with("more"));
        assert_eq!(found.warnings.len(), missed, "{text}: {:?}", found.warnings);
    }
    // A standard event without a name may be the one that is meant.
    for (standards, errors) in
        [("{}", 1), (r#"{"EventName": 7}"#, 1), (r#"{"EventName": 7}, {}"#, 1)]
    {
        let found = assembled(&[
            ("mapfile.csv", "cpu,v1,a,core\n"),
            ("std.json", &format!("[{standards}]")),
            ("a/x.json", r#"[{"ArchStdEvent": "E"}]"#),
        ]);
        assert_eq!(found.errors.len(), errors, "{standards}: {:?}", found.errors);
        assert_eq!(found.tables, ["a: and more"], "{standards}");
    }
    // A file of which not all is there has been reported where it was read.
    let event = format!("[{event}]");
    let files = [
        ("mapfile.csv", "H\ncpu,v1,a,core\n"),
        ("std.json", &*event),
        ("a/x.json", r#"[{"ArchStdEvent": "E"}, {"ArchStdEvent": "F"}]"#),
        ("a/y.json", &*event),
        ("a/metricgroups.json", r#"{"G": "About it."}"#),
    ];
    for (spoilt, tables, errors, groups) in [
        (None, "a: default_core/E=event=1 default_core/E=event=1 and more", 1, 1),
        (Some(1), "a: default_core/E=event=1 and more", 0, 1),
        (Some(2), "a: default_core/E=event=1 and more", 0, 1),
        (Some(4), "a: default_core/E=event=1 default_core/E=event=1 and more", 1, 0),
    ] {
        let mut made = kernel_tree::made_up("soc", &files);
        if let Some(file) = spoilt {
            made.all[file].is_whole = false;
        }
        let mut faults = Faults::default();
        let rows = mapfile::read(&made, &mut faults);
        let cpus = cpus::Statements::default();
        let tree =
            super::tree(&made, &[], &rows, &cpus, HashMap::new(), &Options::default(), &mut faults);
        let [table] = &tree.tables[..] else { panic!("there is one model") };
        let events: String = table
            .events
            .iter()
            .map(|item| format!(" {}/{}={}", item.entry.pmu, item.event_name(), item.entry.event))
            .collect();
        let more = if table.is_whole { "" } else { " and more" };
        assert_eq!(format!("a:{events}{more}"), tables, "{spoilt:?}");
        assert_eq!(faults.errors.kept.len(), errors, "{spoilt:?}: {:?}", faults.errors);
        assert_eq!(tree.groups.len(), groups, "{spoilt:?}");
    }
}

/// References to standard events, in any letter case, to events and metrics.
#[test]
fn standard_events() {
    let standard = r#"[
        {"EventName": "One", "EventCode": "1"},
        {"MetricName": "Ratio", "MetricExpr": "1 / 2"},
        {"EventName": "Both", "EventCode": "2", "MetricName": "Both", "MetricExpr": "3"}
    ]"#;
    let found = assembled(&[
        ("mapfile.csv", "cpu,v1,a,core\n"),
        ("std.json", standard),
        (
            "a/x.json",
            r#"[{"ArchStdEvent": "ONE"}, {"ArchStdEvent": "ratio"}, {"ArchStdEvent": "both"}]"#,
        ),
    ]);
    let table = "a: default_core/Both=event=2 default_core/One=event=1 Both=3 Ratio=1 / 2";
    let expected =
        Assembled { tables: strings(&[table]), rows: strings(&["cpu 0"]), ..Assembled::default() };
    assert_eq!(found, expected);

    let found = assembled(&[
        ("mapfile.csv", "cpu,v1,a,core\n"),
        ("one.json", r#"[{"EventName": "One"}, {"EventName": "Two"}]"#),
        ("two.json", r#"[{"EventName": "ONE"}, {"MetricName": "two", "MetricExpr": "1"}]"#),
        ("a/x.json", r#"[{"ArchStdEvent": "Tree"}, {"ArchStdEvent": "Too"}]"#),
    ]);
    assert_eq!(
        found.errors,
        [
            "arch/soc/two.json:1:16: duplicate architecture standard event `ONE`; first at \
             arch/soc/one.json:1:2",
            "arch/soc/two.json:1:39: duplicate architecture standard event `two`; first at \
             arch/soc/one.json:1:24",
            "arch/soc/a/x.json:1:19: ArchStdEvent `Tree` is not an architecture standard event",
            "arch/soc/a/x.json:1:45: ArchStdEvent `Too` is not an architecture standard event; \
             did you mean `Two`?",
        ]
    );
}

/// With some models only, standard events of others are not read: neither are the models.
#[test]
fn standard_events_of_some_models() {
    let standard = r#"[
        {"EventName": "One", "EventCode": "1"},
        {"EventName": "Two", "EventCode": "spoilt"},
        {"ArchStdEvent": "one", "EventName": "Three"},
        {"EventCode": "4"}
    ]"#;
    let files = [
        ("mapfile.csv", "cpu,v1,a,core\n"),
        ("std.json", standard),
        ("a/x.json", r#"[{ "ArchStdEvent" : "THREE" }]"#),
    ];
    for (models, errors) in [(&["a"][..], 0), (&[], 1)] {
        let options = Options { models: strings(models), ..Options::default() };
        let found = assembled_with(&files, &options);
        assert_eq!(found.tables, ["a: default_core/Three=event=1"], "{models:?}");
        assert_eq!(found.errors.len(), errors, "{models:?}: {:?}", found.errors);
    }
    // A name with escapes may be any.
    let files = [
        ("mapfile.csv", "cpu,v1,a,core\n"),
        ("std.json", standard),
        ("a/x.json", r#"[{"ArchStdEvent": "\u004fne"}]"#),
    ];
    let options = Options { models: strings(&["a"]), ..Options::default() };
    assert_eq!(assembled_with(&files, &options).tables, ["a: default_core/One=event=1"]);
}

/// One description for each, by name; perf keeps the first.
#[test]
fn groups() {
    let found = assembled(&[
        ("mapfile.csv", "cpu,v1,a,core\n"),
        ("a/metricgroups.json", r#"{"Two": "About two.", "one": "About one.", "Odd": 7}"#),
        ("a/x.json", r#"[{"EventName": "E", "EventCode": "1"}]"#),
        ("b/metricgroups.json", r#"{"TWO": "About two.", "One": "Another.", "three": "C."}"#),
    ]);
    assert_eq!(found.groups, ["one: About one.", "three: C.", "Two: About two."]);
    assert_eq!(
        found.errors,
        ["arch/soc/a/metricgroups.json:1:51: the description of metric group `Odd` must be a \
          string, found a number"]
    );
    assert_eq!(
        found.warnings,
        ["arch/soc/b/metricgroups.json:1:30: metric group `One` is described differently at \
          arch/soc/a/metricgroups.json:1:30, which is kept"]
    );
}

/// What the options do not keep is dropped; models stay.
#[test]
fn kept() {
    let made = kernel_tree::made_up(
        "soc",
        &[
            ("mapfile.csv", "H\ncpu,v1,a,core\n"),
            (
                "a/x.json",
                r#"[{"EventName": "One", "EventCode": "1"}, {"EventName": "Two", "EventCode": "2"},
                {"MetricName": "M", "MetricExpr": "1"}]"#,
            ),
        ],
    );
    let cases: &[(&[&str], bool, &[&str], usize, &[&str])] = &[
        (&[], true, &["One", "Two"], 1, &[]),
        (&["ONE"], true, &["One"], 1, &[]),
        (
            &["t*", "none"],
            false,
            &["Two"],
            0,
            &["arch/soc: option `events`: `none` matches no event"],
        ),
        (&["none"], false, &[], 0, &["arch/soc: option `events`: `none` matches no event"]),
    ];
    for &(events, metrics, kept, kept_metrics, warnings) in cases {
        let options = Options {
            events: strings(events),
            metrics,
            unknown: Unknown::Warn,
            ..Options::default()
        };
        let mut faults = Faults::default();
        let rows = mapfile::read(&made, &mut faults);
        let cpus = cpus::Statements::default();
        let mut tree = super::tree(&made, &[], &rows, &cpus, HashMap::new(), &options, &mut faults);
        tree.check_events(&made, &options, &mut faults);
        tree.keep(&options);
        let [table] = &tree.tables[..] else { panic!("the model stays") };
        let names: Vec<&str> = table.events.iter().map(super::Item::event_name).collect();
        assert_eq!((&*names, table.metrics.len()), (kept, kept_metrics), "{events:?}");
        assert_eq!(tree.is_empty(), kept.is_empty() && kept_metrics == 0, "{events:?}");
        let said = made.report(&faults.warnings, Severity::Warning);
        let said: Vec<String> = said.faults().iter().map(ToString::to_string).collect();
        assert_eq!(said, warnings, "{events:?}");
    }
}
