//! Faults of made-up overlays, and what others say.

use pmu_events_import::record::Keep;
use pmu_events_import::{families, merge, overlay, tree};

use super::*;

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
