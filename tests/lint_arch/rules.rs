//! The lint's rules, on made-up trees.

use pmu_events_import::record::Keep;
use pmu_events_import::tree;

use super::*;

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
