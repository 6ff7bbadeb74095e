//! Metrics of a small tree: their values, what they need, their groups.

use std::collections::BTreeMap;

use pmu_events::__private::expr::literal_name;
use pmu_events::event_list::Tool;
use pmu_events::expr::{EventValue, Identifier, Machine};
use pmu_events::{Metric, Model};

mod tree {
    pmu_events::pmu_events!("tests/trees/metrics", unknown = deny);
}

const MODEL: Model = tree::SOC;

fn metric(name: &str) -> Metric {
    MODEL.metric(name).unwrap_or_else(|| panic!("{name}"))
}

/// Values by the name of the event, as a user would have them.
fn counted<'v>(values: &'v [(&'v str, f64)]) -> impl Fn(Identifier<'_>) -> f64 + 'v {
    |event| {
        let found = values.iter().find(|(name, _)| event.as_str() == *name);
        found.map_or(f64::NAN, |&(_, value)| value)
    }
}

const COUNTS: &[(&str, f64)] =
    &[("A", 30.0), ("B", 40.0), ("C.MIXED-Case", 5.0), ("BOX", 64.0), ("same", 7.0)];

fn events(metric: Metric) -> Vec<String> {
    metric.events().map(|event| event.with_parameter(3).to_string()).collect()
}

/// Facts of a machine that are known.
#[derive(Default)]
struct Facts {
    literals: BTreeMap<&'static str, f64>,
    events: BTreeMap<&'static str, bool>,
}

impl Machine for Facts {
    fn literal(&self, literal: Tool) -> f64 {
        self.literals.get(literal_name(literal)).copied().unwrap_or(f64::NAN)
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        self.events.iter().find(|(name, _)| event.as_str() == **name).map(|(_, &has)| has)
    }
}

#[test]
fn values() {
    for (name, value) in [
        ("ratio", 75.0),
        ("twice", 2.25),
        ("thrice", 8.0),
        ("simplified", 36.0),
        ("boxes", 64.0),
        ("same", 14.0),
        ("shared", 30.0),
        ("of_core", 300.0),
        ("of_box", 640.0),
        ("remainder", 1.0),
        // `tsc` has no value, so it is not there.
        ("optional", 30.0),
    ] {
        assert_eq!(metric(name).evaluate(counted(COUNTS)), value, "{name}");
    }
}

#[test]
fn what_is_not_known_is_nan() {
    let without_b = &COUNTS[..1];
    for (name, counts) in [
        ("ratio", without_b),
        ("twice", without_b),
        ("on_smt", COUNTS),
        ("frequency", COUNTS),
        ("spelt_out", COUNTS),
        // The remainder by zero ends the formula, as in perf.
        ("remainder", &[("A", 30.0), ("B", 0.0)]),
    ] {
        assert!(metric(name).evaluate(counted(counts)).is_nan(), "{name}");
    }
}

#[test]
fn facts_of_a_machine() {
    let facts =
        |smt: f64| Facts { literals: BTreeMap::from([("#smt_on", smt)]), ..Facts::default() };
    assert_eq!(metric("on_smt").evaluate_on(&facts(1.0), counted(COUNTS)), 30.0);
    assert_eq!(metric("on_smt").evaluate_on(&facts(0.0), counted(COUNTS)), 40.0);
    let needed =
        |smt| metric("on_smt").events_on(&facts(smt)).map(|e| e.to_string()).collect::<Vec<_>>();
    assert_eq!(needed(1.0), ["A"]);
    assert_eq!(needed(0.0), ["B"]);
    let has = |has| Facts { events: BTreeMap::from([("tsc", has)]), ..Facts::default() };
    let needed = |has_tsc| {
        metric("optional").events_on(&has(has_tsc)).map(|e| e.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(needed(true), ["tsc"]);
    assert_eq!(needed(false), ["A"]);
}

#[test]
fn needed_events() {
    for (name, expected) in [
        ("ratio", &["A", "B"][..]),
        // In the event's own letter case, through two metrics, none twice.
        ("thrice", &["C.MIXED-Case", "A", "B"]),
        ("simplified", &["A"]),
        ("optional", &["tsc", "A"]),
        ("boxes", &["BOX"]),
        ("spelt_out", &["cpu/event=0x3c,umask=3/", "duration_time"]),
        ("same", &["same"]),
        ("of_core", &["A"]),
        ("of_box", &["BOX"]),
    ] {
        assert_eq!(events(metric(name)), expected, "{name}");
    }
    let of_threshold = metric("ratio").threshold_events();
    assert_eq!(of_threshold.len(), 2);
    assert_eq!(of_threshold.map(|event| event.to_string()).collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!(metric("twice").threshold_events().count(), 0);
    assert!(metric("spelt_out").has_parameter());
    assert!(!metric("ratio").has_parameter());
}

#[test]
fn readings_say_how_many_counters() {
    let value = metric("boxes").evaluate(|_| EventValue::from(64.0).with_sources(4.0));
    assert_eq!(value, 16.0);
    assert!(metric("boxes").evaluate(|_| EventValue::NOT_COUNTED).is_nan());
    // Of what has no value, one is known not to have been counted.
    for (reading, counters) in [
        (EventValue::NOT_COUNTED, Some(0.0)),
        (EventValue::UNKNOWN, None),
        (EventValue::from(f64::NAN), None),
        (EventValue::from(0.0), Some(1.0)),
    ] {
        let of_tree = metric("counters").evaluate(|_| reading);
        let formula = pmu_events::metric::parse("source_count(BOX)").expect("it is one");
        for value in [of_tree, formula.evaluate(|_| reading)] {
            assert_eq!(Some(value).filter(|value| !value.is_nan()), counters, "{reading:?}");
        }
    }
}

/// A closure gets events as they are: as `perf stat -e` takes them, and as a
/// `match` has them.
#[test]
fn events_as_they_are() {
    let dashed = metric("dashed");
    let value = dashed.evaluate(|event| match event.as_str() {
        "topdown-retiring" => 3.0,
        "cpu/slots,umask=1/" => 12.0,
        other => panic!("{other}"),
    });
    assert_eq!(value, 0.25);
    assert_eq!(dashed.expression(), r"topdown\-retiring / cpu@slots\,umask\=1@");
    let escaped: Vec<String> = dashed.events().map(|event| event.escaped().to_string()).collect();
    let text = dashed.expression().to_string();
    assert_eq!(escaped.join(" / "), text);
    // A user's own.
    let own = pmu_events::metric::parse(&text).expect("it is one");
    let names: Vec<&str> = own.names().map(|event| event.as_str()).collect();
    assert_eq!(names, ["topdown-retiring", "cpu/slots,umask=1/"]);
    let value = own.evaluate(|event| if event.as_str() == names[0] { 3.0 } else { 12.0 });
    assert_eq!(value, 0.25);
    assert_eq!(own.to_string(), text);
}

#[test]
fn thresholds() {
    let ratio = metric("ratio");
    assert_eq!(ratio.is_crossed(counted(COUNTS)), Some(true));
    assert_eq!(ratio.is_crossed(counted(&[("A", 1.0), ("B", 4.0)])), Some(false));
    assert_eq!(ratio.is_crossed(counted(&[("A", 1.0)])), None);
    assert_eq!(metric("twice").is_crossed(counted(COUNTS)), None);
}

#[test]
fn scale_units() {
    assert_eq!(metric("ratio").scale(), (100.0, "%"));
    assert_eq!(metric("twice").scale(), (1.0, ""));
}

#[test]
fn groups() {
    let shown: Vec<(&str, Option<String>, Vec<&str>)> = MODEL
        .metric_groups()
        .map(|group| {
            let description = group.description().map(|text| text.to_string());
            (group.name(), description, group.metrics().map(Metric::name).collect())
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("Other", None, vec!["twice"]),
            ("Pair", Some("Two events together.".into()), vec!["on_smt", "ratio"]),
            ("Top", None, vec!["ratio"]),
        ]
    );
    assert_eq!(MODEL.metric_groups().len(), 3);
    assert!(MODEL.metric_group("PAIR").is_some());
    assert!(MODEL.metric_group("unused").is_none());
    assert_eq!(tree::TREE.groups().collect::<Vec<_>>(), ["Pair", "unused"]);
}

/// Each is worked out once, however many refer to it.
#[test]
fn references_are_worked_out_once() {
    let mut asked = Vec::new();
    metric("thrice").evaluate(|event| {
        asked.push(event.to_string());
        1.0
    });
    asked.sort();
    assert_eq!(asked, ["A", "B", "C.MIXED-Case"]);
}

/// Linux's tree for AmpereOne joins two names by `;`.
#[test]
fn joined_names() {
    for name in ["Miss_Ratio;joined", "miss_ratio", "Joined"] {
        assert_eq!(metric(name).name(), "Miss_Ratio;joined", "{name}");
        assert!(metric(name).is_called(name));
    }
    for name in ["Miss", "joined;", "", ";", "ratio;joined"] {
        assert!(MODEL.metric(name).is_none(), "{name}");
    }
}
