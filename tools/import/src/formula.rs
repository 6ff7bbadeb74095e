//! Formulas in one form, whoever wrote them: simplified, with the fewest
//! parentheses that perf and jevents read alike.

use pmu_events_core::__private::expr::{self, Item, Operator, Spelling, literal_name};

/// A formula in our form.
///
/// # Errors
///
/// What is wrong with it.
///
/// ```
/// use pmu_events_import::formula::normal;
///
/// assert_eq!(normal("( ( A )*(B/1) ) + 1000*2").as_deref(), Ok("A * B + 2000"));
/// assert!(normal("A +").is_err());
/// ```
pub fn normal(text: &str) -> Result<String, String> {
    with_names(text, &|_| None)
}

/// A formula in our form, in which a part that `named` knows is replaced by its
/// name. It is asked for every part, in our form.
///
/// # Errors
///
/// What is wrong with it.
pub fn with_names<'n>(
    text: &str,
    named: &dyn Fn(&str) -> Option<&'n str>,
) -> Result<String, String> {
    let mut items = Vec::new();
    expr::parse(text, |item, _| items.push(item)).map_err(|error| error.message().to_string())?;
    let left = expr::simplify(&mut items, |_| None);
    items.truncate(left);
    written(&items, named).ok_or_else(|| "it has no value".to_owned())
}

/// How tightly a part of a formula binds; see [`Operator::precedence`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Level(u8);

impl Level {
    const CHOICE: Level = Level(0);
    const SUM: Level = Level(5);
    const SIGN: Level = Level(7);
    const ATOM: Level = Level(8);
}

struct Text {
    text: String,
    level: Level,
}

impl Text {
    fn within(&self, level: Level) -> String {
        if self.level < level { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// A part of a formula: without any name in it, and with all.
struct Part([Text; 2]);

fn written<'n>(
    items: &[Item<Spelling<'_>>],
    named: &dyn Fn(&str) -> Option<&'n str>,
) -> Option<String> {
    let mut parts: Vec<Part> = Vec::new();
    for item in items {
        let operands = match item {
            Item::Negate => 1,
            Item::Binary(_) | Item::Function(_) => 2,
            Item::IfElse => 3,
            _ => 0,
        };
        let operands = parts.split_off(parts.len().checked_sub(operands)?);
        let one = |which: usize| {
            let operands: Vec<&Text> = operands.iter().map(|part| &part.0[which]).collect();
            text_of(item, &operands)
        };
        let plain = one(0)?;
        let short = match named(&plain.text) {
            Some(name) => atom(name.to_owned()),
            None => one(1)?,
        };
        parts.push(Part([plain, short]));
    }
    let Part([_, whole]) = parts.pop()?;
    parts.is_empty().then_some(whole.text)
}

fn text_of(item: &Item<Spelling<'_>>, operands: &[&Text]) -> Option<Text> {
    Some(match (item, operands) {
        (Item::Number(number), _) => of_number(*number),
        (Item::Literal(literal), _) => atom(literal_name(*literal).to_owned()),
        (Item::Identifier(name), _) => atom(name.escaped().to_owned()),
        (Item::Query(query, name), _) => atom(format!("{}({})", query.name(), name.escaped())),
        (Item::Negate, [inner]) => {
            Text { text: format!("-{}", inner.within(Level::ATOM)), level: Level::SIGN }
        }
        (Item::Binary(operator), [left, right]) => binary(*operator, left, right),
        (Item::Function(function), [first, second]) => {
            atom(format!("{}({}, {})", function.name(), first.text, second.text))
        }
        (Item::IfElse, [value, condition, other]) => {
            let [value, condition] = [value, condition].map(|text| text.within(Level(1)));
            Text {
                text: format!("{value} if {condition} else {}", other.text),
                level: Level::CHOICE,
            }
        }
        _ => return None,
    })
}

fn atom(text: String) -> Text {
    Text { text, level: Level::ATOM }
}

fn of_number(number: f64) -> Text {
    // Not a number where the simplified formula never has a value.
    let text = if number.is_nan() { "0 / 0".to_owned() } else { number.to_string() };
    let level = match number {
        number if number.is_nan() => Level(6),
        number if number < 0.0 => Level::SIGN,
        _ => Level::ATOM,
    };
    Text { text, level }
}

fn binary(operator: Operator, left: &Text, right: &Text) -> Text {
    let level = Level(operator.precedence());
    // In Python, which jevents reads formulas with, `&` binds tighter than `<`, and
    // comparisons in a row mean something else.
    let (of_left, of_right) = match operator {
        Operator::Or | Operator::Xor | Operator::And => {
            // Their values are truths, so it does not matter which is worked out first.
            let least = |side: &Text| if side.level == level { level } else { Level::SUM };
            (least(left), least(right))
        }
        Operator::Less | Operator::Greater => (Level::SUM, Level::SUM),
        // What has the same level on the right is worked out first.
        _ => (level, Level(level.0 + 1)),
    };
    let text = format!("{} {} {}", left.within(of_left), operator.symbol(), right.within(of_right));
    Text { text, level }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (text, expected) in [
            ("( A )", "A"),
            ("A+B*C", "A + B * C"),
            ("(A + B) * C", "(A + B) * C"),
            ("A - (B - C) - D", "A - (B - C) - D"),
            ("A / (B * C)", "A / (B * C)"),
            ("(A * B) / C", "A * B / C"),
            ("1e9 * A", "1000000000 * A"),
            ("A * 0.5", "A * 0.5"),
            ("-A", "-A"),
            ("A - -B", "A - -B"),
            ("A * (0 - 2)", "A * -2"),
            ("max(A, min(B, 1 - C))", "max(A, min(B, 1 - C))"),
            ("d_ratio(A, B)", "d_ratio(A, B)"),
            ("A if B else C", "A if B else C"),
            ("(A if B > 0 else C) / 2", "(A if B > 0 else C) / 2"),
            ("A if B else (C if D else E)", "A if B else C if D else E"),
            ("(A if B else C) if D else E", "(A if B else C) if D else E"),
            ("A > 0.1 & B > 0.2 & C > 0.3", "(A > 0.1) & (B > 0.2) & (C > 0.3)"),
            ("A > 0.1 & (B > 0.2 | C > 0.3)", "(A > 0.1) & ((B > 0.2) | (C > 0.3))"),
            ("A & (B & C)", "A & B & C"),
            ("A < B + C", "A < B + C"),
            (r"cpu@A.B\,cmask\=1@ / #num_cpus", r"cpu@A.B\,cmask\=1@ / #num_cpus"),
            (r"topdown\-retiring + 0 * slots", r"topdown\-retiring + 0 * slots"),
            (
                "source_count(A) * (1 if has_event(B) else 0)",
                "source_count(A) * (1 if has_event(B) else 0)",
            ),
        ] {
            assert_eq!(normal(text).as_deref(), Ok(expected), "{text}");
            assert_eq!(normal(expected).as_deref(), Ok(expected), "once more");
        }
    }

    #[test]
    fn names_for_parts() {
        let named = |text: &str| match text {
            "A + B" => Some("sum"),
            "(A + B) * C" => Some("product"),
            _ => None,
        };
        for (text, expected) in [
            ("(A + B) / D", "sum / D"),
            ("((A + B) * C + D) / (A + B)", "(product + D) / sum"),
            ("A + B + C", "sum + C"),
            ("C + A + B", "C + A + B"),
        ] {
            assert_eq!(with_names(text, &named).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn values_stay() {
        // A value for each name, by its first letter.
        let value = |text: &str| {
            let mut items = Vec::new();
            expr::parse(text, |item, _| items.push(item)).expect(text);
            expr::evaluate(&items, &expr::UnknownMachine, |name| {
                f64::from(name.as_str().as_bytes()[0] - 60).sqrt()
            })
        };
        for text in [
            "A / B / C * D - (E - F) - G",
            "(A > B) + (A < B) * 3 - (C if A < B else D)",
            "A % B + max(C / D, E) * (A - B)",
            "(A < B) < (C > D)",
            "(A | B) & (C ^ D) | E",
        ] {
            let form = normal(text).expect(text);
            assert_eq!(value(text), value(&form), "{text}: {form}");
        }
    }
}
