//! Formulas: what printing and simplifying leave as it is. First two lines of
//! any text, the answers of a machine and the values of the events byte by byte;
//! behind them the formula.

use pmu_events::__private::expr::{
    self, EventValue, Function, Identifier, Item, LITERALS, Machine, Operator, Spelling,
};
use pmu_events::__private::items;
use pmu_events::event_list::Tool;
use pmu_events::metric::{self, Expression};

pub fn check(data: &[u8]) {
    let mut lines = data.splitn(3, |&byte| byte == b'\n');
    let [machine, values, rest] = [(); 3].map(|()| lines.next().unwrap_or_default());
    if let Ok(text) = str::from_utf8(rest) {
        holds(text, machine, values);
    }
    holds(&made_of(rest), machine, values);
    in_no_sensible_order(rest, &Facts { machine, values });
}

/// What must hold for a text, if it is a formula, on a machine and with values
/// of some bytes.
pub fn holds(text: &str, machine: &[u8], values: &[u8]) {
    if let Ok(formula) = metric::parse(text) {
        let facts = Facts { machine, values };
        prints(&formula);
        keeps_its_value(&formula, &facts);
        needs(&formula, &facts);
    }
}

/// A formula for any bytes: chance alone rarely writes one.
fn made_of(bytes: &[u8]) -> String {
    const OPERANDS: [&str; 16] = [
        "0",
        "1",
        "2",
        "0.5",
        "NaN",
        "1e-9",
        "e0",
        "e1",
        "e2",
        "e3",
        "#smt_on",
        "#slots",
        "#num_cpus",
        "has_event(e1)",
        "source_count(e2)",
        "strcmp_cpuid_str(c)",
    ];
    let mut parts: Vec<String> = Vec::new();
    for &byte in bytes.iter().take(24) {
        let one = usize::from(byte / 16);
        let part = match (byte % 16, &mut parts[..]) {
            (0, [.., a]) => format!("(-{a})"),
            (1 | 2, [.., a, b, c]) => format!("({a} if {b} else {c})"),
            (3, [.., a, b]) => format!("{}({a}, {b})", ["min", "max", "d_ratio"][one % 3]),
            (4..=10, [.., a, b]) => {
                format!("({a} {} {b})", Operator::ALL[one % Operator::ALL.len()].symbol())
            }
            _ => OPERANDS[one].to_owned(),
        };
        let takes = match (byte % 16, parts.len()) {
            (0, 1..) => 1,
            (1 | 2, 3..) => 3,
            (3..=10, 2..) => 2,
            _ => 0,
        };
        parts.truncate(parts.len() - takes);
        parts.push(part);
    }
    parts.join(" + ")
}

/// What is printed is the same formula, simplified or not.
fn prints(formula: &Expression<'_>) {
    for formula in [formula.clone(), formula.clone().simplified()] {
        let printed = formula.to_string();
        let again = metric::parse(&printed).unwrap_or_else(|error| panic!("{printed}: {error}"));
        let meant: Vec<Item<Spelling<'_>>> = items(&formula).iter().flat_map(written).collect();
        assert!(are_same(items(&again), &meant), "{printed}");
    }
}

fn are_same(items: &[Item<Spelling<'_>>], others: &[Item<Spelling<'_>>]) -> bool {
    let is_same = |(one, other): (&Item<Spelling<'_>>, &Item<Spelling<'_>>)| match (one, other) {
        (Item::Number(a), Item::Number(b)) => is_same_number(*a, *b),
        (one, other) => one == other,
    };
    items.len() == others.len() && items.iter().zip(others).all(is_same)
}

/// A negative number is one item, and two in its text.
fn written<'t>(item: &Item<Spelling<'t>>) -> Vec<Item<Spelling<'t>>> {
    match *item {
        Item::Number(number) if number.is_sign_negative() && !number.is_nan() => {
            vec![Item::Number(-number), Item::Negate]
        }
        item => vec![item],
    }
}

/// Only the sign of a zero may change.
fn is_same_number(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

fn keeps_its_value(formula: &Expression<'_>, facts: &Facts<'_>) {
    let value = |formula: &Expression<'_>| formula.evaluate_on(facts, |id| facts.reading(id));
    let before = value(formula);
    for simplified in [formula.clone().simplified(), formula.clone().simplified_for(facts)] {
        assert!(items(&simplified).len() <= items(formula).len());
        let after = value(&simplified);
        assert!(is_same_number(before, after), "{before} {after}: {formula}: {simplified}");
        // What is simplified stays so.
        let again = simplified.clone().simplified();
        assert!(are_same(items(&again), items(&simplified)), "{formula}: {simplified}: {again}");
    }
}

/// Nothing else is asked for.
fn needs(formula: &Expression<'_>, facts: &Facts<'_>) {
    let needed: Vec<Identifier<'_>> = formula.names().collect();
    let _ = formula.evaluate_on(facts, |id| {
        assert!(needed.contains(&id), "{id}: {formula}");
        facts.reading(id)
    });
    for (n, identifier) in needed.iter().enumerate() {
        assert!(!needed[..n].contains(identifier), "{identifier} twice: {formula}");
    }
}

/// Items that are not a formula have some value, or none.
fn in_no_sensible_order(bytes: &[u8], facts: &Facts<'_>) {
    let item = |&byte: &u8| {
        let one = usize::from(byte / 16);
        match byte % 16 {
            0 => Item::Negate,
            1 => Item::IfElse,
            2 | 3 => Item::Function(Function::ALL[one % Function::ALL.len()]),
            4 => Item::Literal(LITERALS[one % LITERALS.len()]),
            5 => Item::Binary(Operator::Remainder),
            6..=9 => Item::Binary(Operator::ALL[one % Operator::ALL.len()]),
            _ => Item::Number(number(byte / 16)),
        }
    };
    let mut items: Vec<Item<Spelling<'_>>> = bytes.iter().map(item).collect();
    let value = |items: &[Item<Spelling<'_>>]| expr::evaluate(items, facts, |id| facts.reading(id));
    let before = value(&items);
    let left = expr::simplify(&mut items, |_| None);
    let after = value(&items[..left]);
    assert!(is_same_number(before, after), "{before} {after}: {items:?}");
}

/// What is known of the machine, and of the events.
struct Facts<'d> {
    machine: &'d [u8],
    values: &'d [u8],
}

impl Facts<'_> {
    /// Of equal identifiers the same.
    fn reading(&self, identifier: Identifier<'_>) -> EventValue {
        let Some(byte) = nth(self.values, hash(identifier.as_str())) else {
            return EventValue::NOT_COUNTED;
        };
        EventValue::from(number(byte)).with_sources(f64::from(byte / 16)).with_aggregated(2.0)
    }

    fn truth(&self, identifier: Identifier<'_>) -> Option<bool> {
        nth(self.machine, hash(identifier.as_str())).and_then(|byte| match byte % 3 {
            0 => None,
            answer => Some(answer == 1),
        })
    }
}

impl Machine for Facts<'_> {
    fn literal(&self, literal: Tool) -> f64 {
        nth(self.machine, literal as usize).map_or(f64::NAN, number)
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        self.truth(event)
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        self.truth(cpuid)
    }
}

fn nth(bytes: &[u8], n: usize) -> Option<u8> {
    (!bytes.is_empty()).then(|| bytes[n % bytes.len()])
}

fn hash(text: &str) -> usize {
    text.bytes().fold(0, |hash: usize, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
}

/// A number at which something may go wrong, or any other.
fn number(byte: u8) -> f64 {
    const SPECIAL: [f64; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MIN_POSITIVE,
        f64::MAX,
        i64::MIN as f64,
        9_007_199_254_740_993.0,
    ];
    SPECIAL.get(usize::from(byte)).copied().unwrap_or_else(|| f64::from(byte) - 64.0)
}
