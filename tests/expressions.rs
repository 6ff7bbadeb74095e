//! Formulas: what perf answers, and what must hold for any of them.

use std::fmt::Write as _;
use std::path::Path;

use pmu_events::__private::expr::{self, Identifier, Item, Spelling, UnknownMachine};
use pmu_events::__private::items;
use pmu_events::metric;
use serde_json::Value;

#[path = "../fuzz/src/checks/formula.rs"]
mod formula;

fn cases(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn text<'v>(case: &'v Value, key: &str) -> &'v str {
    case[key].as_str().unwrap_or_else(|| panic!("{key} of {case}"))
}

fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

#[test]
fn recorded_values() {
    let cases = cases("expr.json");
    let values = cases["values"].as_array().unwrap();
    assert!(values.len() > 40);
    for case in values {
        let formula = metric::parse(text(case, "expr"));
        if case["error"] == true {
            formula.expect_err(text(case, "expr"));
            continue;
        }
        let expected = case["value"].as_f64().unwrap_or(f64::NAN);
        let value_of = |id: Identifier<'_>| case["ids"][as_perf(id)].as_f64().unwrap_or(f64::NAN);
        let formula = formula.unwrap();
        for (what, formula) in [("", formula.clone()), ("simplified ", formula.simplified())] {
            let value = formula.evaluate(value_of);
            let is_near = (value - expected).abs() <= 1e-12 * expected.abs();
            assert!(is_near || same(value, expected), "{what}{case}: {value}");
        }
    }
}

/// As perf's parser keeps it.
fn as_perf(id: Identifier<'_>) -> String {
    id.as_str().replace('/', "@")
}

#[test]
fn recorded_needs() {
    let cases = cases("expr.json");
    for case in cases["find_ids"].as_array().unwrap() {
        let formula = metric::parse(text(case, "expr")).unwrap().simplified();
        let mut needed: Vec<String> = formula.names().map(as_perf).collect();
        needed.sort();
        assert_eq!(Value::from(needed), case["ids"], "{case}");
    }
}

/// Where perf's build-time parser simplifies otherwise, and why we do not
/// follow it; `None` for what does not parse at run time.
const DELIBERATE: &[(&str, Option<&str>, &str)] = &[
    ("a | 0", Some("a | 0"), "at run time it is 1 or 0, whatever `a` is"),
    ("0 * a", Some("0 * a"), "at run time it is NaN where `a` is"),
    ("SLOTS * 0", Some("SLOTS * 0"), "likewise"),
    ("0 + 0 * a", Some("0 * a"), "perf's fails"),
    ("d_ratio(1, 2)", Some("0.5"), "perf's fails"),
    ("5foo", Some("5foo"), "an event may be called so at run time; perf's fails"),
    ("Event1 if 0 else Event2", Some("Event2"), "the case is about parsing alone"),
    ("Event1 if 1 else Event2", Some("Event1"), "the case is about parsing alone"),
    (
        "min(a + b if c > 1 else c + d, e + f)",
        None,
        "the parser at run time wants parentheses around an `if` in an argument",
    ),
];

#[test]
fn recorded_simplification() {
    let cases = cases("metric_simplify.json");
    let mut needed = vec![false; DELIBERATE.len()];
    for case in cases["cases"].as_array().unwrap() {
        let input = text(case, "in");
        let ours = metric::parse(input).ok().map(|formula| formula.simplified().to_string());
        let deliberate = DELIBERATE.iter().position(|(deliberate, ..)| *deliberate == input);
        let expected = match deliberate {
            Some(number) => {
                needed[number] = true;
                DELIBERATE[number].1.map(str::to_string)
            }
            None => {
                let theirs = text(case, "simplified");
                // Theirs writes large numbers as multiples of a thousand.
                let theirs =
                    theirs.replace("123.4567890123456789e27", "123456789012345678901234567890");
                Some(metric::parse(&theirs).unwrap().to_string())
            }
        };
        assert_eq!(ours, expected, "{case}");
    }
    assert!(needed.iter().all(|&needed| needed), "{needed:?}");
}

#[test]
fn printed() {
    for (written, printed) in [
        ("a+b*c", "a + b * c"),
        ("(a+b)*c", "(a + b) * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("-(a+b)", "-(a + b)"),
        ("--a", "--a"),
        ("(-a)*b", "-a * b"),
        ("a if b else c if d else e", "a if b else c if d else e"),
        ("(a if b else c) if d else e", "(a if b else c) if d else e"),
        ("min((a if b else c),d|e)", "min((a if b else c), d | e)"),
        ("1e-9*a\\-b", "0.000000001 * a\\-b"),
        ("has_event(a)&(b<c)", "has_event(a) & (b < c)"),
        ("(a<b)<c", "(a < b) < c"),
        ("a<(b<c)", "a < (b < c)"),
        ("NaN", "NaN"),
    ] {
        assert_eq!(metric::parse(written).unwrap().to_string(), printed);
    }
}

/// Knuth's MMIX generator; its low bits are poor.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .pick(&[
                    "a",
                    "b",
                    "c",
                    "0",
                    "1",
                    "2",
                    "0.5",
                    "1e-9",
                    "NaN",
                    "#smt_on",
                    "#slots",
                    "has_event(a)",
                    "has_event(q)",
                    "source_count(b)",
                    "strcmp_cpuid_str(x)",
                ])
                .to_string();
        }
        let mut part = || {
            let depth = self.below(depth);
            self.formula(depth)
        };
        let (a, b, c) = (part(), part(), part());
        match self.below(10) {
            0 => format!("-{a}"),
            1 | 2 => format!("({a} if {b} else {c})"),
            3 => format!("({a})"),
            4 => format!("{}({a}, {b})", self.pick(&["min", "max", "d_ratio"])),
            _ => {
                let operator = self.pick(&["|", "^", "&", "<", ">", "+", "-", "*", "/", "%"]);
                format!("({a}) {operator} ({b})")
            }
        }
    }

    /// Bytes of which a check makes what a machine says, or values; most of the
    /// numbers at which something may go wrong.
    fn facts(&mut self) -> [u8; 7] {
        [(); 7].map(|()| self.below(20) as u8)
    }
}

#[test]
fn printing_and_parsing_again_is_the_identity() {
    let mut random = Random(7);
    for _ in 0..3_000 {
        let text = random.formula(6);
        let parsed = metric::parse(&text).expect(&text);
        let printed = parsed.to_string();
        let again = metric::parse(&printed).expect(&printed);
        // Other than by value, NaN equals nothing.
        assert_eq!(format!("{:?}", items(&parsed)), format!("{:?}", items(&again)), "{text}");
        assert_eq!(again.to_string(), printed);
        assert!(printed.len() <= text.len() + 9 * text.matches("1e-9").count() + 2 * text.len());
    }
}

#[test]
fn simplification_keeps_every_value() {
    let mut random = Random(11);
    let mut simpler = 0;
    for _ in 0..4_000 {
        let text = random.formula(5);
        let formula = metric::parse(&text).expect(&text);
        simpler += usize::from(items(&formula.clone().simplified()).len() < items(&formula).len());
        for _ in 0..20 {
            formula::holds(&text, &random.facts(), &random.facts());
        }
    }
    assert!(simpler > 1_000, "{simpler}");
}

/// What is simplified stays so.
#[test]
fn simplification_is_done_at_once() {
    let mut random = Random(13);
    for _ in 0..2_000 {
        let text = random.formula(4);
        let once = metric::parse(&text).expect(&text).simplified();
        let twice = once.clone().simplified();
        assert_eq!(once.to_string(), twice.to_string(), "{text}");
    }
}

/// What two signs hide is seen at once, so that what is simplified stays so.
#[test]
fn truths_behind_two_signs() {
    for (written, simplified) in [
        ("2 & --(a < b)", "a < b"),
        ("--has_event(a) | 0", "has_event(a)"),
        ("2 & -(a < b)", "2 & -(a < b)"),
        ("2 & ---(a < b)", "2 & -(a < b)"),
        ("2 & --a", "2 & a"),
    ] {
        let once = metric::parse(written).unwrap().simplified();
        assert_eq!(once.to_string(), simplified, "{written}");
    }
}

#[test]
fn no_text_makes_anything_panic() {
    const PIECES: &[&str] = &[
        "1",
        ".",
        "e-",
        "0x",
        "a",
        "\\",
        "\\-",
        "@",
        "?",
        "#",
        "#slots",
        "+",
        "-",
        "*",
        "/",
        "%",
        "|",
        "^",
        "&",
        "<",
        ">",
        "(",
        ")",
        ",",
        " ",
        "\0",
        "é",
        " if ",
        " else ",
        "min(",
        "max(",
        "d_ratio(",
        "has_event(",
        "NaN",
        "1e308",
        "0",
    ];
    let mut random = Random(17);
    let mut parsed = 0;
    for _ in 0..40_000 {
        let text: String = (0..random.below(14)).map(|_| random.pick(PIECES)).collect();
        match metric::parse(&text) {
            Ok(_) => {
                parsed += 1;
                let [machine, value, other] = [(); 3].map(|()| random.below(256) as u8);
                formula::holds(&text, &[machine], &[value, other]);
            }
            Err(error) => assert!(text.get(error.span()).is_some(), "{text}"),
        }
    }
    assert!(parsed > 500, "{parsed}");
}

#[test]
fn items_in_no_sensible_order_have_no_value() {
    let mut random = Random(19);
    for _ in 0..20_000 {
        // A machine whose literals are 2, no values, and items.
        let mut data = vec![0x42, b'\n', b'\n'];
        data.extend((0..random.below(10)).map(|_| random.below(256) as u8));
        formula::check(&data);
    }
    let deep: Vec<Item<Spelling<'static>>> = vec![Item::Number(1.0); 1000];
    assert!(expr::evaluate(&deep, &UnknownMachine, |_| 1.0).is_nan());
}

/// A text twice as long takes twice as long, not four times: of a megabyte,
/// hours would show.
#[test]
fn time_is_linear() {
    const LONG: usize = 1 << 20;
    let mut mixed = String::new();
    for n in 0.. {
        if mixed.len() > LONG {
            break;
        }
        let _ = write!(mixed, "e{n} * (1 - min(#slots, 2)) + ");
    }
    mixed.push('1');
    let repeated = |piece: &str| piece.repeat(LONG / piece.len());
    for (text, is_formula) in [
        (mixed, true),
        (repeated("a+") + "1", true),
        (repeated("("), false),
        (repeated("-"), false),
        (repeated("a if b else "), false),
        (repeated("a if b else ") + "1", false),
        (repeated("1"), false),
        (repeated("\\"), false),
        (repeated("a\\-"), false),
        (repeated("min("), false),
        (repeated("#"), false),
        (repeated(" "), false),
        (repeated("1e"), false),
        (repeated("é"), false),
    ] {
        let start = text.chars().take(12).collect::<String>();
        match metric::parse(&text) {
            Ok(formula) => {
                assert!(is_formula, "{start}");
                let value = formula.evaluate(|_| 1.0);
                assert!(same(value, formula.simplified().evaluate(|_| 1.0)), "{start}: {value}");
            }
            Err(error) => {
                assert!(!is_formula, "{start}: {error}");
                assert!(text.get(error.span()).is_some(), "{start}: {error}");
            }
        }
    }
}
