//! Simplified formulas, and that they keep their values.

extern crate std;

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::super::item::literal_name;
use super::super::tests::Random;
use super::super::{Machine, Spelling, evaluate, parse};
use super::*;
use crate::event_list::Tool;

/// The items of a simplified formula, separated by blanks; `~` is the sign, `?`
/// is `if … else`.
fn simplified(text: &str) -> String {
    let mut items = Vec::new();
    parse(text, |item, _| items.push(item)).unwrap();
    let left = simplify(&mut items, |_| None);
    let words = items[..left].iter().map(|item| match item {
        Item::Number(number) => number.to_string(),
        Item::Literal(literal) => literal_name(*literal).to_string(),
        Item::Identifier(identifier) => identifier.to_string(),
        Item::Query(query, identifier) => format!("{}:{identifier}", query.name()),
        Item::Negate => "~".to_string(),
        Item::Binary(operator) => operator.symbol().to_string(),
        Item::Function(function) => function.name().to_string(),
        Item::IfElse => "?".to_string(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `a` and `b` are events; `#slots` may be unknown, which aborts a formula.
#[test]
fn formulas_become_shorter() {
    let cases = [
        ("1 + 2 * 3", "7"),
        ("-(2 + 3)", "-5"),
        ("- -a", "a"),
        ("- - -a", "a ~"),
        ("-(a - b)", "a b - ~"),
        ("b * - -a", "b a *"),
        ("a + 0", "a"),
        ("0 + a", "a"),
        ("a - 0", "a"),
        ("0 - a", "0 a -"),
        ("a * 1", "a"),
        ("1 * a", "a"),
        ("a / 1", "a"),
        ("1 / a", "1 a /"),
        ("a * 0", "a 0 *"),
        ("b * (a + 0)", "b a *"),
        ("b * (0 + a)", "b a *"),
        ("(1 * (a + b)) - b", "a b + b -"),
        ("a / 0", "NaN"),
        ("0 / a", "0 a /"),
        ("b + a / 0", "NaN"),
        ("(a / 0) - b", "NaN"),
        ("(a / 0) < b", "NaN"),
        ("a & 0", "0"),
        ("0 & a", "0"),
        ("a | 1", "1"),
        ("2 | a", "1"),
        ("a | 0", "a 0 |"),
        ("0 | a", "0 a |"),
        ("a & 1", "a 1 &"),
        ("1 & a", "1 a &"),
        // Comparisons are 0, 1 or NaN, and so are combinations of them.
        ("a < b | 0", "a b <"),
        ("0 | a < b", "a b <"),
        ("a > b & 1", "a b >"),
        ("1 & a > b", "a b >"),
        ("(a < b | b < a) & 1", "a b < b a < |"),
        ("(a < b | a) & 1", "a b < a | 1 &"),
        ("(a < b + a) | 0", "a b a + <"),
        ("(a ^ b) | 0", "a b ^"),
        ("(a + b) | 0", "a b + 0 |"),
        ("has_event(a) & 1", "has_event:a"),
        ("source_count(a) & 1", "source_count:a 1 &"),
        ("min(a < b, b < a) & 1", "a b < b a < min"),
        ("(a < b if a else b < a) & 1", "a b < a b a < ?"),
        ("(a < b if a else a) & 1", "a b < a a ? 1 &"),
        ("- -(a < b) & 1", "a b <"),
        // What may abort the formula is kept, and so is what depends on it.
        ("#slots / 0", "#slots 0 /"),
        ("#slots & 0", "#slots 0 &"),
        ("0 & #slots", "0 #slots &"),
        ("#slots | 1", "#slots 1 |"),
        ("1 | #slots", "1 #slots |"),
        ("#slots * 1", "#slots"),
        ("(#slots + a) & 0", "#slots a + 0 &"),
        ("(a + #slots) & 0", "a #slots + 0 &"),
        ("-#slots & 0", "#slots ~ 0 &"),
        ("(a / 0) + #slots", "NaN #slots +"),
        ("#slots + (a / 0)", "#slots NaN +"),
        // A remainder may, if its right operand may be zero.
        ("(a % b) & 0", "a b % 0 &"),
        ("(a % 0.5) & 0", "a 0.5 % 0 &"),
        ("(a % 2) & 0", "0"),
        ("5 % 2", "1"),
        ("a if 1 else b", "a"),
        ("a if 0 else b", "b"),
        ("a if 2 - 1 else b + 1", "a"),
        ("b * (a if 0 else b + 1)", "b b 1 + *"),
        ("a if b else a", "a"),
        ("a if b else b", "a b b ?"),
        ("a if #slots else a", "a #slots a ?"),
        ("#slots if 0 else a", "#slots 0 a ?"),
        ("#slots if 1 else a", "#slots"),
        ("a if 1 else #slots", "a 1 #slots ?"),
        ("a if 0 else #slots", "#slots"),
        ("min(a, a)", "a"),
        ("max(a + b, a + b)", "a b +"),
        ("max(a, b)", "a b max"),
        ("min(1, 2)", "1"),
        ("max(1, 2)", "2"),
        ("d_ratio(a, 1)", "a"),
        ("d_ratio(a, 0)", "0"),
        ("d_ratio(#slots, 0)", "#slots 0 d_ratio"),
        ("d_ratio(6, 4)", "1.5"),
        ("d_ratio(a, a)", "a a d_ratio"),
    ];
    let wrong: Vec<_> = cases
        .iter()
        .map(|&(text, expected)| (text, expected, simplified(text)))
        .filter(|(_, expected, found)| expected != found)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A literal or query whose value is known in advance becomes that value.
#[test]
fn what_is_known_becomes_a_number() {
    let mut items = Vec::new();
    parse("a if #smt_on else has_event(b) + #slots", |item, _| items.push(item)).unwrap();
    let known = |item: &Item<Spelling<'_>>| match item {
        Item::Literal(Tool::SmtOn) => Some(0.0),
        Item::Query(..) => Some(1.0),
        Item::Literal(_) => Some(f64::NAN),
        _ => None,
    };
    let left = simplify(&mut items, known);
    let expected = [Item::Number(1.0), Item::Literal(Tool::Slots), Item::Binary(Operator::Add)];
    assert_eq!(items[..left], expected);
}

/// Items that are not a formula are left unchanged.
#[test]
fn nonsense_stays() {
    let plus: Item<Spelling<'_>> = Item::Binary(Operator::Add);
    let one = Item::Number(1.0);
    for nonsense in [
        &[plus][..],
        &[one, plus, one],
        &[Item::Negate],
        &[one, Item::IfElse],
        &[one, one, Item::IfElse],
        &[one, Item::Function(Function::Min), one, plus],
    ] {
        let mut items = nonsense.to_vec();
        let left = simplify(&mut items, |_| None);
        assert_eq!(items[..left], *nonsense);
    }
}

struct Threads(f64);

impl Machine for Threads {
    fn literal(&self, _: Tool) -> f64 {
        self.0
    }
}

#[test]
fn values_stay() {
    let mut random = Random(5);
    let values = [0.0, 1.0, -1.0, 0.5, 2.0, 7.0, 1e300, f64::NAN, f64::INFINITY, -f64::INFINITY];
    for _ in 0..6_000 {
        let text = random.expression(5);
        let mut items = Vec::new();
        parse(&text, |item, _| items.push(item)).unwrap();
        let mut shorter = items.clone();
        let left = simplify(&mut shorter, |_| None);
        let machine = Threads(values[random.below(values.len())]);
        let (a, other) = (values[random.below(values.len())], values[random.below(values.len())]);
        let value = |items: &[Item<Spelling<'_>>]| {
            evaluate(items, &machine, |id| if id.as_str() == "a" { a } else { other })
        };
        let (before, after) = (value(&items), value(&shorter[..left]));
        let is_same = before == after || before.is_nan() && after.is_nan();
        assert!(is_same, "{text}, a = {a}: {before}, then {after}");
    }
}
