extern crate std;
use std::borrow::ToOwned;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::made::{Maker, named, one};
use crate::event_list::Tool;
use crate::expr::{
    self, EventValue, Identifier, Item, MAX_DEPTH, Machine, Spelling, UnknownMachine,
};
use crate::metric::MAX_NESTING;

fn items(text: &str) -> Vec<Item<Spelling<'_>>> {
    let mut items = Vec::new();
    expr::parse(text, |item, _| items.push(item)).expect(text);
    items
}

/// `A` to `D` are 1 to 4; everything else is unknown.
fn counts(event: Identifier<'_>) -> f64 {
    match event.as_str() {
        "A" => 1.0,
        "B" => 2.0,
        "C" => 3.0,
        "D" => 4.0,
        _ => f64::NAN,
    }
}

struct Hyperthreads;

impl Machine for Hyperthreads {
    fn literal(&self, literal: Tool) -> f64 {
        if literal == Tool::SmtOn { 1.0 } else { f64::NAN }
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        (event.as_str() == "X").then_some(true)
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        Some(cpuid.as_str() == "0x41")
    }
}

/// By perf's grammar, whatever steps the formula consists of.
#[test]
fn formulas() {
    let cases: &[(&str, Option<f64>)] = &[
        ("7", Some(7.0)),
        ("A", Some(1.0)),
        ("-B", Some(-2.0)),
        ("-(A - D)", Some(3.0)),
        ("A - B - C", Some(-4.0)),
        ("A - (B - C)", Some(2.0)),
        ("C * D / B", Some(6.0)),
        ("D % C", Some(1.0)),
        ("D % (A - A)", None),
        ("A < B", Some(1.0)),
        ("A > B", Some(0.0)),
        ("A & 0 | C", Some(1.0)),
        ("A ^ B", Some(0.0)),
        ("min(C, B)", Some(2.0)),
        ("max(C, B)", Some(3.0)),
        ("d_ratio(A, D)", Some(0.25)),
        ("d_ratio(A, A - A)", Some(0.0)),
        ("A if B else C", Some(1.0)),
        ("A if 0 else C", Some(3.0)),
        ("B if #smt_on else C", Some(2.0)),
        // Unknown values: a literal aborts the formula, an event is NaN.
        ("B if #num_cpus else C", None),
        ("X", None),
        ("A + X", None),
        ("max(X, A)", Some(1.0)),
        ("has_event(X)", Some(1.0)),
        ("has_event(A)", Some(1.0)),
        ("has_event(Y)", Some(0.0)),
        ("source_count(A)", Some(1.0)),
        ("aggr_nr(A)", Some(1.0)),
        ("source_count(X)", None),
        ("strcmp_cpuid_str(0x41)", Some(1.0)),
        ("strcmp_cpuid_str(0x42)", Some(0.0)),
    ];
    for &(formula, expected) in cases {
        let metric = one(formula);
        let value = metric.unscaled_on(&Hyperthreads, counts);
        assert_eq!(Some(value).filter(|value| !value.is_nan()), expected, "{formula}");
        let printed = metric.expression().to_string();
        assert_eq!(items(&printed), items(formula), "{printed}");
    }
    assert!(one("#smt_on").evaluate(counts).is_nan(), "of an unknown machine");
}

/// With any number of waiting values, as in `A - (A - (… (A - B)))`, and all
/// numbers of identifiers and constants.
#[test]
fn deep_and_wide_formulas() {
    for depth in [1, 2, 6, 7, 8, 9, 10, 15, 16] {
        let formula = format!("{}B{}", "A - (".repeat(depth), ")".repeat(depth));
        let expected = if depth % 2 == 0 { 2.0 } else { -1.0 };
        assert_eq!(one(&formula).evaluate(counts), expected, "{depth} deep");
    }
    // The maximum depth, and the number of values it takes.
    let depth = MAX_DEPTH;
    let formula = format!("{}D{}", "d_ratio(A, ".repeat(depth), ")".repeat(depth));
    let metric = one(&formula);
    assert_eq!(metric.evaluate(counts), 4.0);
    assert!(metric.events().map(|event| event.as_str()).eq(["A", "D"]));

    let events: String = (1..200).map(|n| format!("+ E{n} * {n}.5")).collect();
    let metric = one(&format!("E0 {events}"));
    let value = metric.evaluate(|event| event.as_str()[1..].parse::<f64>().expect("a number"));
    let expected: f64 = (1..200).map(|n| f64::from(n) * (f64::from(n) + 0.5)).sum();
    assert_eq!(value, expected);
}

/// Damaged programs have no value, and nothing out of bounds is read.
#[test]
fn damaged_programs() {
    let cases: &[(u8, &[u8])] = &[
        (1, &[]),
        (1, &[0xeb]),
        (1, &[0x00, 0xeb]),
        (2, &[0x00, 0x00]),
        (1, &[0xe5]),
        (1, &[0xff]),
        (1, &[0x00, 0xff]),
        (1, &[0xf0]),
        (1, &[0xe4]),
        (1, &[0xe0]),
        // More values wait than it states.
        (1, &[0x00; 20]),
    ];
    for (depth, code) in cases {
        let mut maker = Maker::new([("one", 0)]);
        let name = maker.string("A").pack();
        maker.record(0).expression = maker.program(*depth, &[name], code);
        let metric = named(&maker.metrics(), "one");
        assert!(metric.evaluate(counts).is_nan(), "{code:x?}");
        // At most what the steps mention before they become invalid.
        assert!(metric.events().len() <= 1, "{code:x?}");
    }
    // A metric without a formula.
    let metric = named(&Maker::new([("one", 0)]).metrics(), "one");
    assert!(metric.evaluate(counts).is_nan());
    assert_eq!(metric.expression(), "");
    assert_eq!(metric.events().len(), 0);
}

#[test]
fn scales_and_thresholds() {
    let mut maker = Maker::of(&[("one", "D"), ("two", "D")]);
    maker.traits(0).scale_unit = maker.string("100%");
    maker.record(0).threshold = maker.formula("one > 3 & #smt_on");
    let metrics = maker.metrics();
    let (one, two) = (named(&metrics, "one"), named(&metrics, "two"));
    assert_eq!((one.scale(), two.scale()), ((100.0, "%"), (1.0, "")));
    assert_eq!((one.evaluate(counts), one.unscaled_on(&UnknownMachine, counts)), (400.0, 4.0));
    assert_eq!((two.evaluate(counts), two.evaluate_on(&Hyperthreads, counts)), (4.0, 4.0));
    assert_eq!(one.evaluate_on(&Hyperthreads, counts), 400.0);

    assert_eq!(one.threshold().expect("it has one"), "(one > 3) & #smt_on");
    assert!(two.threshold().is_none());
    assert_eq!(one.is_crossed_on(&Hyperthreads, counts), Some(true));
    assert_eq!(one.is_crossed_on(&Hyperthreads, |_| 3.0), Some(false));
    assert_eq!(one.threshold_value_on(&Hyperthreads, counts), 1.0);
    assert_eq!(one.threshold_value_on(&Hyperthreads, |_| 3.0), 0.0);
    assert_eq!(one.is_crossed(counts), None, "the literal is not known");
    assert_eq!(one.is_crossed_on(&Hyperthreads, |_| f64::NAN), None);
    assert_eq!(two.is_crossed_on(&Hyperthreads, counts), None);
    assert!(two.threshold_value_on(&Hyperthreads, counts).is_nan());
    assert!(one.threshold_events().map(|event| event.as_str()).eq(["D"]));
    assert_eq!(two.threshold_events_on(&Hyperthreads).len(), 0);
}

/// Metrics in a chain: `m00` is `m01 + 1`, and so on; the last is `A`.
fn chain(length: usize) -> f64 {
    let names: Vec<String> = (0..=length).map(|n| format!("m{n:02}")).collect();
    let mut maker = Maker::new(names.iter().map(|name| (name.as_str(), 0)));
    for number in 0..length {
        maker.record(number).expression = maker.formula(&format!("{} + 1", names[number + 1]));
    }
    maker.record(length).expression = maker.formula("A");
    named(&maker.metrics(), "m00").evaluate(counts)
}

#[test]
fn how_many_may_refer_to_each_other() {
    assert_eq!(chain(1), 2.0);
    assert_eq!(chain(MAX_NESTING), 33.0);
    assert!(chain(MAX_NESTING + 1).is_nan());
}

/// A metric that is too deep at the end of a chain is not too deep by itself,
/// and one that is not too deep is computed once.
#[test]
fn values_that_are_remembered() {
    // `max` returns its second argument if the first is NaN.
    let names: Vec<String> = (0..MAX_NESTING + 2).map(|n| format!("m{n:02}")).collect();
    let last = MAX_NESTING + 1;
    let links: [fn(&str) -> String; 3] =
        [str::to_owned, |next| format!("{next} + z - z"), |next| format!("z - z + {next}")];
    let all = || names.iter().map(String::as_str).chain(["z"]).map(|name| (name, 0));
    for (link, again) in links.iter().flat_map(|link| [last, last - 1, 2, 1].map(|n| (link, n))) {
        let mut maker = Maker::new(all());
        maker.record(0).expression = maker.formula(&format!("max(m01, m{again:02} + 1)"));
        for number in 1..last {
            maker.record(number).expression = maker.formula(&link(&names[number + 1]));
        }
        maker.record(last).expression = maker.formula("D");
        maker.record(last + 1).expression = maker.formula("A");
        let value = named(&maker.metrics(), "m00").evaluate(counts);
        // Counted from the first, the last is too deep.
        let expected = if again == 1 { None } else { Some(5.0) };
        let formula = link("m");
        assert_eq!(Some(value).filter(|value| !value.is_nan()), expected, "{formula}, {again}");
    }

    // Each of many metrics reads its event once, however many refer to it.
    for many in [1, 7, 8, 9, 60, 200] {
        let names: Vec<String> = (0..many).map(|n| format!("m{n:03}")).collect();
        let all = names.iter().cloned().chain(["n".into(), "z".into()]);
        let mut maker = Maker::new(all.map(|name| (name, 0)));
        for number in 0..many {
            maker.record(number).expression = maker.formula(&format!("E{number}"));
        }
        let sum = names.join(" + ");
        maker.record(many).expression = maker.formula(&sum);
        maker.record(many + 1).expression = maker.formula(&format!("n + {sum} + n"));
        let mut asked = 0;
        let value = named(&maker.metrics(), "z").evaluate(|event| {
            asked += 1;
            event.as_str()[1..].parse::<f64>().expect("a number")
        });
        let expected = 3.0 * (0..many).map(|n| n as f64).sum::<f64>();
        assert_eq!((value, asked), (expected, many));
    }
}

/// A metric that refers to itself, even through others, has no value.
#[test]
fn circles() {
    let metrics = Maker::of(&[
        ("m1", "m1 + 1"),
        ("m2", "m3"),
        ("m3", "m2 + A"),
        ("m4", "m5 + B"),
        ("m5", "m6 + m4"),
        ("m6", "m5"),
        ("m7", "max(m1, B)"),
    ])
    .metrics();
    for name in ["m1", "m2", "m3", "m4", "m5", "m6"] {
        assert!(named(&metrics, name).evaluate(counts).is_nan(), "{name}");
    }
    assert_eq!(named(&metrics, "m7").evaluate(counts), 2.0);
    for (name, expected) in [("m1", &[][..]), ("m2", &["A"]), ("m5", &["B"])] {
        let needs = named(&metrics, name).events();
        assert!(needs.are_all() && needs.map(|event| event.as_str()).eq(expected.iter().copied()));
    }
}

/// More metrics than a compiled tree may refer to: only those that are
/// remembered have a value.
#[test]
fn more_than_can_be_remembered() {
    let names: Vec<String> = (0..600).map(|n| format!("m{n:03}")).collect();
    for (count, is_known) in [(508, true), (600, false)] {
        let all =
            names[..count].iter().cloned().chain(["x", "y", "y1", "y2", "y3"].map(String::from));
        let mut maker = Maker::new(all.map(|name| (name, 0)));
        for number in 0..count {
            maker.record(number).expression = maker.formula("A");
        }
        for (number, part) in names[..count].chunks(200).enumerate() {
            maker.record(count + 2 + number).expression = maker.formula(&part.join(" + "));
        }
        maker.record(count).expression = maker.formula("y1 + y2 + y3");
        let value = named(&maker.metrics(), "x").evaluate(|_| EventValue::from(1.0));
        assert_eq!(!value.is_nan(), is_known, "{count}: {value}");
        assert!(!is_known || value == 508.0);
    }
}
