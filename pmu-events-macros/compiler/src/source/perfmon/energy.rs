//! The unit of energy in formulas.

use std::ops::Range;

use pmu_events_core::__private::expr::{self, Item, Operator};

/// Microjoules of one count of the kernel's events, which are units of 2⁻³² J
/// (`arch/x86/events/rapl.c`).
const OF_KERNEL: &str = "0.00023283064365386962890625";

/// Microjoules of one count of the processor's registers, as formulas have them: 2⁻¹⁴ J
/// of packages and 2⁻¹⁶ J of memory.
const OF_REGISTERS: [f64; 2] = [61.0, 15.6];

/// A part of a formula.
enum Part {
    Number(f64, Range<usize>),
    /// An energy, or a sum of such.
    Energy,
    Other,
}

/// Puts the unit of the kernel's energy events in the place of that of the registers, by
/// which Intel's formulas multiply them: the result would be 2¹⁸ or 2¹⁶ times too much.
/// `None` if a formula does not do so, or is none.
///
/// ```
/// use pmu_events_compiler::with_unit_of_energy;
///
/// let right = with_unit_of_energy(r"power@energy\-pkg@ * 61 / 1000000 / duration_time");
/// assert_eq!(
///     right.as_deref(),
///     Some(r"power@energy\-pkg@ * 0.00023283064365386962890625 / 1000000 / duration_time")
/// );
/// assert_eq!(with_unit_of_energy("cycles * 61"), None);
/// ```
#[must_use]
pub fn with_unit_of_energy(formula: &str) -> Option<String> {
    let (mut parts, mut wrong) = (Vec::new(), Vec::new());
    expr::parse(formula, |item, span| {
        let next = match item {
            Item::Number(number) => Part::Number(number, span),
            Item::Identifier(name) => match name.with(|name| is_energy(name.as_str())) {
                true => Part::Energy,
                false => Part::Other,
            },
            Item::Literal(_) | Item::Query(..) => Part::Other,
            Item::Negate => parts.pop().unwrap_or(Part::Other),
            Item::Binary(operator) => {
                let (right, left) = (parts.pop(), parts.pop());
                match (operator, left, right) {
                    (Operator::Multiply, Some(Part::Number(number, span)), Some(Part::Energy))
                    | (Operator::Multiply, Some(Part::Energy), Some(Part::Number(number, span)))
                        if OF_REGISTERS.contains(&number) =>
                    {
                        wrong.push(span);
                        Part::Other
                    }
                    (Operator::Add, Some(Part::Energy), Some(Part::Energy)) => Part::Energy,
                    _ => Part::Other,
                }
            }
            Item::Function(_) | Item::IfElse => {
                let operands = if matches!(item, Item::IfElse) { 3 } else { 2 };
                parts.truncate(parts.len().saturating_sub(operands));
                Part::Other
            }
        };
        parts.push(next);
    })
    .ok()?;
    wrong.sort_by_key(|span| span.start);
    let mut right = formula.to_owned();
    for span in wrong.iter().rev() {
        right.replace_range(span.clone(), OF_KERNEL);
    }
    (!wrong.is_empty()).then_some(right)
}

fn is_energy(name: &str) -> bool {
    name.starts_with("power/energy-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        let cases = [
            (
                r"(power@energy\-pkg@ * 61 + 15.6 * power@energy\-ram@) / (t * 1000000)",
                Some(r"(power@energy\-pkg@ * UNIT + UNIT * power@energy\-ram@) / (t * 1000000)"),
            ),
            (
                r"(power@energy\-pkg@ + power@energy\-ram@) * 15.6 / (t * 1000000)",
                Some(r"(power@energy\-pkg@ + power@energy\-ram@) * UNIT / (t * 1000000)"),
            ),
            (
                r"max(1, power@energy\-pkg@ * 61) if a < b else 2",
                Some(r"max(1, power@energy\-pkg@ * UNIT) if a < b else 2"),
            ),
            // Another number is no unit, and another event no energy.
            (r"power@energy\-pkg@ * 60 / t", None),
            (r"power@energy\-pkg@ / 4294967296 / t", None),
            (r"61 * power@energy\-pkg@ / 61", Some(r"UNIT * power@energy\-pkg@ / 61")),
            (r"cycles * 61 + power@energy\-pkg@", None),
            ("61 * ", None),
        ];
        for (formula, right) in cases {
            let right = right.map(|right| right.replace("UNIT", OF_KERNEL));
            assert_eq!(with_unit_of_energy(formula), right, "{formula}");
        }
    }
}
