extern crate std;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::made::{Maker, named, one};
use crate::event_list::Tool;
use crate::expr::{Identifier, Machine, UnknownMachine};
use crate::metric::{MAX_EVENTS, MAX_METRICS, Metric};

/// A partly known machine: `#smt_on` is 1, `#num_dies` 0; it has `X` and not
/// `Y`; its CPUID is `0x41`.
struct Known;

impl Machine for Known {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn => 1.0,
            Tool::NumDies => 0.0,
            _ => f64::NAN,
        }
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        match event.as_str() {
            "X" => Some(true),
            "Y" => Some(false),
            _ => None,
        }
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        Some(cpuid.as_str() == "0x41")
    }
}

fn needed(metric: Metric, machine: &impl Machine) -> String {
    let events: Vec<_> = metric.events_on(machine).map(|event| event.as_str()).collect();
    events.join(" ")
}

/// `expr__find_ids`: the events that a formula still needs when literals are
/// known (the actions for `compute_ids` in `tools/perf/util/expr.y`).
#[test]
fn formulas() {
    let cases: &[(&str, &str)] = &[
        ("7", ""),
        ("A", "A"),
        ("-A", "A"),
        ("A + B * A", "A B"),
        ("C - B - A", "C B A"),
        // Always 0 or 1, whatever the event's value.
        ("A & #num_dies", ""),
        ("#num_dies & A", ""),
        ("A & #smt_on", "A"),
        ("#smt_on & A", "A"),
        ("A | #smt_on", ""),
        ("#smt_on | A", ""),
        ("A | #num_dies", "A"),
        ("#num_dies | A", "A"),
        ("A & B", "A B"),
        ("A | B", "A B"),
        ("A ^ #smt_on", "A"),
        ("#smt_on ^ A", "A"),
        ("A * #num_dies", "A"),
        ("A < #num_dies", "A"),
        ("A / #num_dies", ""),
        ("A / (1 - 1)", ""),
        ("A / #smt_on", "A"),
        ("#num_dies / A", "A"),
        ("A % #smt_on", "A"),
        ("d_ratio(A, #num_dies)", ""),
        ("d_ratio(A, #smt_on)", "A"),
        ("d_ratio(#num_dies, A)", "A"),
        ("min(A, #num_dies)", "A"),
        ("max(#num_dies, A)", "A"),
        ("A if #smt_on else B", "A"),
        ("A if #num_dies else B", "B"),
        ("A if #num_cpus else B", "A B"),
        ("A if C else B", "A C B"),
        ("A if C else A", "A C"),
        // Both branches are the same number, whatever the condition.
        ("7 if C else 7", ""),
        ("7 if C else 8", "C"),
        ("#smt_on if C else 1", ""),
        // Numbers are computed first.
        ("A if 2 - 1 - #smt_on else B", "B"),
        ("A if -#smt_on else B", "A"),
        ("A if -#num_dies else B", "B"),
        ("A if 1 + -#smt_on else B", "B"),
        ("A if -1 - #smt_on else B", "A"),
        ("A if min(#num_dies, 1) else B", "B"),
        ("A if max(#num_dies, 1) else B", "A"),
        ("A if d_ratio(#num_dies, 2) else B", "B"),
        ("A if 3 > 2 & 1 < 2 else B", "A"),
        ("A if 3 < 2 | 1 > 2 else B", "B"),
        ("A if 1 ^ 1 else B", "B"),
        ("A if #num_dies & C else B", "B"),
        ("A if #smt_on | C else B", "A"),
        // A number that is not finite is unknown.
        ("A if 1e300 * 1e300 else B", "A B"),
        ("A if 1 / #num_dies else B", "A B"),
        // A query needs its event, unless the machine can answer.
        ("source_count(A)", "A"),
        ("aggr_nr(A)", "A"),
        ("source_count(X)", "X"),
        ("has_event(A)", "A"),
        ("has_event(X)", ""),
        ("A if has_event(X) else B", "A"),
        ("A if has_event(Y) else B", "B"),
        ("A if has_event(C) else B", "A C B"),
        ("strcmp_cpuid_str(0x41)", ""),
        ("A if strcmp_cpuid_str(0x41) else B", "A"),
        ("A if strcmp_cpuid_str(0x42) else B", "B"),
    ];
    for (formula, expected) in cases {
        // In the order of the text, whatever the numbers of the identifiers.
        assert_eq!(needed(one(formula), &Known), *expected, "{formula}");
    }
    // A CPUID is not an event.
    let metric = one("A if strcmp_cpuid_str(0x42) else B");
    assert_eq!(needed(metric, &UnknownMachine), "A B");
    assert!(metric.events().map(|event| event.as_str()).eq(["A", "B"]));
}

/// More identifiers than a word has bits.
#[test]
fn wide_formulas() {
    let events: Vec<String> = (0..255).map(|n| format!("E{n}")).collect();
    let metric = one(&events.join(" + "));
    let mut needs = metric.events();
    assert_eq!((needs.len(), needs.are_all()), (255, true));
    for (number, event) in events.iter().enumerate() {
        assert_eq!(needs.size_hint(), (255 - number, Some(255 - number)));
        assert_eq!(needs.next().expect("it is needed").as_str(), event);
    }
    assert!(needs.next().is_none());
    assert_eq!(needs.size_hint(), (0, Some(0)));
    // One of them all.
    for wanted in [0, 1, 63, 64, 127, 128, 191, 192, 254] {
        let sum = events.join(" + ");
        let metric = one(&format!("({sum}) * 0 if 0 else E{wanted}"));
        assert_eq!(needed(metric, &UnknownMachine), events[wanted]);
    }
}

/// A metric's own events first, then those of the metrics that it refers to.
#[test]
fn events_of_others() {
    let metrics = Maker::of(&[
        ("a", "b + X1 + c"),
        ("b", "X2 + d + X1"),
        ("c", "X3 if #smt_on else d"),
        ("d", "X4 + X2"),
        ("e", "a if #smt_on else b"),
    ])
    .metrics();
    for (name, known, unknown) in [
        ("a", "X1 X2 X3 X4", "X1 X2 X3 X4"),
        ("b", "X2 X1 X4", "X2 X1 X4"),
        ("c", "X3", "X3 X4 X2"),
        ("e", "X1 X2 X3 X4", "X1 X2 X3 X4"),
    ] {
        assert_eq!(needed(named(&metrics, name), &Known), known, "{name}");
        assert_eq!(needed(named(&metrics, name), &UnknownMachine), unknown, "{name}");
    }
}

/// The maximum number of metrics and events, and one more.
#[test]
fn limits() {
    for (count, are_all) in [(MAX_METRICS, true), (MAX_METRICS + 1, false)] {
        let names: Vec<String> = (0..count).map(|n| format!("m{n:03}")).collect();
        let mut maker = Maker::new(names.iter().map(String::as_str).chain(["z"]).map(|n| (n, 0)));
        for number in 0..count {
            maker.record(number).expression = maker.formula(&format!("E{number}"));
        }
        maker.record(0).expression = maker.formula(&format!("E0 + {}", names[150..].join(" + ")));
        maker.record(count).expression = maker.formula(&names[..150].join(" + "));
        let needs = named(&maker.metrics(), "z").events();
        assert_eq!((needs.len(), needs.are_all()), (MAX_METRICS, are_all), "{count} metrics");
    }
    for (count, are_all) in [(MAX_EVENTS, true), (MAX_EVENTS + 1, false)] {
        let events: Vec<String> = (0..count).map(|n| format!("E{n}")).collect();
        let mut parts = events.chunks(200);
        let mut next = || parts.next().map_or("0".into(), |part| part.join(" + "));
        let parts = [("a", next()), ("b", next()), ("c", next())];
        let mut formulas: Vec<_> = parts.iter().map(|(name, sum)| (*name, sum.as_str())).collect();
        formulas.push(("z", "a + b + c"));
        let needs = named(&Maker::of(&formulas).metrics(), "z").events();
        assert_eq!((needs.len(), needs.are_all()), (MAX_EVENTS, are_all), "{count} events");
    }
}
