//! Formulas on their own: their text, their names, their values.

extern crate std;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::made::{Maker, named, one};
use crate::event_list::Tool;
use crate::expr::{Identifier, Machine};

/// Values of the names, whether they are events or metrics.
fn values(name: Identifier<'_>) -> f64 {
    match name.as_str() {
        "A" => 1.0,
        "B" => 2.0,
        "Ratio" => 4.0,
        _ => f64::NAN,
    }
}

struct Hyperthreads;

impl Machine for Hyperthreads {
    fn literal(&self, literal: Tool) -> f64 {
        if literal == Tool::SmtOn { 1.0 } else { f64::NAN }
    }
}

#[test]
fn texts_and_names() {
    let cases: &[(&str, &[&str])] = &[
        ("A", &["A"]),
        ("2.5 * A", &["A"]),
        ("A / (B + A) - -B", &["A", "B"]),
        (r"topdown\-retiring / cpu@slots\,umask\=1@", &["topdown-retiring", "cpu/slots,umask=1/"]),
        ("(A if #smt_on else B) + max(C, 1)", &["A", "B", "C"]),
        ("source_count(A) * has_event(B)", &["A", "B"]),
        ("A if strcmp_cpuid_str(0x41) else B", &["A", "B"]),
        ("0 / A * strcmp_cpuid_str(A)", &["A"]),
        ("1", &[]),
    ];
    for &(text, names) in cases {
        let formula = one(text).expression();
        assert_eq!(formula, text);
        assert_eq!(format!("{formula:?}"), format!("\"{text}\""));
        let found: Vec<&str> = formula.names().map(|name| name.as_str()).collect();
        assert_eq!(found, names, "{text}");
    }
}

/// Equality is that of the whole text.
#[test]
fn comparison_with_text() {
    let formula = one("A + B * 2").expression();
    for other in ["", "A", "A + B * ", "A + B * 2 ", "A + B * 20", "a + b * 2", "A - B * 2"] {
        assert!(formula != *other && formula != other, "{other}");
    }
    assert!(formula == *"A + B * 2");
}

/// The name of another metric is one of the formula's own, and has a value like an
/// event's.
#[test]
fn names_of_metrics() {
    let mut maker = Maker::of(&[("Ratio", "A / B"), ("sum", "Ratio + A")]);
    maker.record(1).threshold = maker.formula("(ratio > 3) & #smt_on");
    let metrics = maker.metrics();
    let sum = named(&metrics, "sum");
    assert_eq!(sum.expression(), "Ratio + A");
    assert!(sum.expression().names().map(|name| name.as_str()).eq(["Ratio", "A"]));
    assert_eq!(sum.expression().evaluate(values), 5.0);
    assert_eq!(sum.evaluate(values), 1.5, "the metric is computed");

    let threshold = sum.threshold().expect("it has one");
    assert_eq!(threshold, "(Ratio > 3) & #smt_on");
    assert_eq!(threshold.evaluate_on(&Hyperthreads, values), 1.0);
    assert_eq!(threshold.evaluate_on(&Hyperthreads, |_| 3.0), 0.0);
    assert!(threshold.evaluate(values).is_nan(), "of an unknown machine");
}

/// All numbers of identifiers and constants.
#[test]
fn long_formulas() {
    let terms: String = (1..200).map(|n| format!(" + E{n} * {n}.5")).collect();
    let text = format!("E0{terms}");
    let formula = one(&text).expression();
    assert_eq!(formula.to_string(), text);
    assert_eq!(formula.names().count(), 200);
}

/// Damaged programs: something is written, and nothing out of bounds is read.
#[test]
fn damaged_programs() {
    let cases: &[(&[u8], &str)] = &[
        (&[], ""),
        (&[0xeb], ""),
        (&[0x00, 0xeb], "A"),
        (&[0x00, 0x00], "A"),
        (&[0x00, 0xff], "A"),
        (&[0xe4], ""),
        (&[0xe0], ""),
        (&[0x00, 0x01, 0xeb], "A + one"),
        (&[0x60], "0"),
    ];
    for &(code, text) in cases {
        let mut maker = Maker::new([("one", 0)]);
        let name = maker.string("A").pack();
        maker.record(0).expression = maker.program(1, &[name], code);
        let formula = named(&maker.metrics(), "one").expression();
        assert_eq!(formula, text, "{code:x?}");
        assert!(formula.names().count() <= 1, "{code:x?}");
    }
    let none = named(&Maker::new([("one", 0)]).metrics(), "one").expression();
    assert_eq!(none, "");
    assert!(none.names().next().is_none() && none.evaluate(values).is_nan());
}
