//! Frequencies that depend on what is counted.

use super::expression::{Expression, Form};
use super::operator::Operator::{Divide, Multiply};

/// What formulas have for the frequency of the time-stamp counter.
pub(super) const OF_TSC: &str = "SYSTEM_TSC_FREQ";

/// Says what an alias stands for.
type Constants<'c> = &'c dyn Fn(&str) -> Option<&'c str>;

impl Expression<'_> {
    /// `ratio * #SYSTEM_TSC_FREQ / 1e9` for `ratio * tsc / 1e9 / (ms / 1000)`, wherever that
    /// is a part: the core's frequency.
    ///
    /// The formulas are made for counts in a second. As perf has them, `tsc` is a count of
    /// its own, which is that of all CPUs, or that of a task while it runs.
    pub(super) fn with_frequency_of_tsc(self, constant: Constants<'_>) -> Self {
        self.rewritten(&|part| match part {
            Expression::Binary(Divide, sides) => match *sides {
                [Expression::Binary(Divide, sides), time]
                    if time.is_seconds(constant) && sides[1].number() == Some(1e9) =>
                {
                    let [product, giga] = *sides;
                    let (product, is_frequency) = product.of_tsc(constant);
                    let frequency = Expression::Binary(Divide, Box::new([product, giga]));
                    if is_frequency {
                        return frequency;
                    }
                    Expression::Binary(Divide, Box::new([frequency, time]))
                }
                sides => Expression::Binary(Divide, Box::new(sides)),
            },
            other => other,
        })
    }

    /// `ratio * #SYSTEM_TSC_FREQ` for `ratio * tsc`, and whether it was that.
    fn of_tsc(self, constant: Constants<'_>) -> (Self, bool) {
        match self {
            Expression::Binary(Multiply, sides) if sides[1].is(OF_TSC, constant) => {
                let [ratio, _] = *sides;
                let literal = Expression::Text(format!("#{OF_TSC}"), Form::Atom);
                (Expression::Binary(Multiply, Box::new([ratio, literal])), true)
            }
            other => (other, false),
        }
    }

    fn is_seconds(&self, constant: Constants<'_>) -> bool {
        matches!(self, Expression::Binary(Divide, sides)
            if sides[0].is("DURATIONTIMEINMILLISECONDS", constant)
                && sides[1].number() == Some(1000.0))
    }

    fn is(&self, name: &str, constant: Constants<'_>) -> bool {
        let Expression::Name(alias, _, None) = self else {
            return false;
        };
        constant(alias).is_some_and(|known| known.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;

    #[test]
    fn frequencies() {
        let constant = |alias: &str| match alias {
            "f" => Some("system_tsc_freq"),
            "ms" => Some("DURATIONTIMEINMILLISECONDS"),
            _ => None,
        };
        let cases = [
            (
                "( ( a ) / b ) * f / ( 1000000000 ) / ( ( ms / 1000 ) )",
                "a / b * #SYSTEM_TSC_FREQ / 1000000000",
            ),
            (
                "c * min( 9 * ( a / b * f / 1e9 / ( ms / 1000 ) ) , d ) if e > 0 else 1",
                "c * min(9 * (a / b * #SYSTEM_TSC_FREQ / 1e9), d) if e > 0 else 1",
            ),
            // About something else.
            ("a / f", "a / f"),
            ("a / b * f / 1e6 / ( ms / 1000 )", "a / b * f / 1e6 / (ms / 1000)"),
            ("a / b * f / 1e9 / ( ms / 1e6 )", "a / b * f / 1e9 / (ms / 1e6)"),
            ("a / b * c / 1e9 / ( ms / 1000 )", "a / b * c / 1e9 / (ms / 1000)"),
            ("f / 1e9 / ( ms / 1000 )", "f / 1e9 / (ms / 1000)"),
        ];
        for (text, expected) in cases {
            let mut out = String::new();
            parse(text).expect(text).with_frequency_of_tsc(&constant).write(&mut out);
            assert_eq!(out, expected);
        }
    }
}
