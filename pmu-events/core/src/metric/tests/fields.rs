use super::made::{Maker, named};
use crate::metric::{Aggregation, Constraint};
use crate::wire::Section;

#[test]
fn strings() {
    let mut maker = Maker::of(&[("empty", "1"), ("Full", "2")]);
    for pmu in ["default_core", "uncore_box"] {
        maker.named(Section::Pmus, pmu);
    }
    for topic in ["pipeline", "metrics", "cache"] {
        maker.named(Section::Topics, topic);
    }
    maker.traits(1).no_group = maker.string("No");
    maker.traits(1).default_group = maker.string("Default");
    maker.traits(1).sample_with = maker.string("A.B;C");
    maker.traits(1).scale_unit = maker.string("1%");
    maker.traits(1).compat = maker.string("v8");
    maker.traits(1).groups = maker.long("Group");
    maker.record(1).pmu = 1;
    maker.traits(1).topic = 2;
    let metrics = maker.metrics();
    let (empty, full) = (named(&metrics, "empty"), named(&metrics, "full"));
    assert_eq!((empty.name(), full.name()), ("empty", "Full"));
    assert_eq!(empty.expression(), "1");
    assert_eq!(full.expression(), "2");
    assert_eq!((empty.pmu(), full.pmu()), ("default_core", "uncore_box"));
    assert_eq!((empty.topic(), full.topic()), ("pipeline", "cache"));
    assert_eq!((empty.group_string(), full.group_string()), ("", "Group"));
    assert_eq!((empty.no_group(), full.no_group()), (None, Some("No")));
    assert_eq!((empty.default_group(), full.default_group()), (None, Some("Default")));
    assert!(empty.sample_with().next().is_none() && full.sample_with().eq(["A.B", "C"]));
    assert_eq!((empty.scale_unit(), full.scale_unit()), (None, Some("1%")));
    assert_eq!((empty.compat(), full.compat()), (None, Some("v8")));
    // A tree without texts.
    assert!(full.description().is_none() && full.long_description().is_none());
}

/// Numbers of a record; undefined ones read as `None`.
#[test]
fn numbers() {
    let mut maker = Maker::of(&[("one", "1"); 6]);
    for number in 0..6u8 {
        let traits = maker.traits(number.into());
        (traits.aggregation, traits.constraint, traits.show_events) = (number, number, number);
    }
    let expected = [
        (None, None, false),
        (Some(Aggregation::PerChip), Some(Constraint::NoGroup), true),
        (Some(Aggregation::PerCore), Some(Constraint::NoGroupWithNmiWatchdog), true),
        (None, Some(Constraint::NoGroupWithSmt), true),
        (None, Some(Constraint::NoThresholdWithNmiWatchdog), true),
        (None, None, true),
    ];
    let metrics = maker.metrics();
    let found = metrics.map(|one| (one.aggregation(), one.constraint(), one.shows_events()));
    assert!(found.eq(expected));
}

/// By the whole name, or by one of several (`match_metric` in
/// `tools/perf/util/metricgroup.c`).
#[test]
fn names() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("one", &["one", "ONE"], &["on", "one;", "", "o"]),
        ("one;Two", &["one", "two", "ONE;two"], &["one;", "ne", "two;one", ""]),
    ];
    for (name, called, not_called) in cases {
        let metric = named(&Maker::of(&[(name, "1")]).metrics(), name);
        assert!(called.iter().all(|call| metric.is_called(call)), "{name}");
        assert!(!not_called.iter().any(|call| metric.is_called(call)), "{name}");
    }
    for (formula, has_parameter) in [("A", false), (r"hv@A\,chip\=?@", true)] {
        let metric = named(&Maker::of(&[("one", formula)]).metrics(), "one");
        assert_eq!(metric.has_parameter(), has_parameter, "{formula}");
    }
}
