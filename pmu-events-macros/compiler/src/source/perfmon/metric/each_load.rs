//! Latencies that lack parentheses.

use super::expression::Expression;
use super::operator::Operator::{Multiply, Subtract};

impl Expression<'_> {
    /// `loads * (12 * f - 3 * f)` for `loads * (12 * f) - 3 * f`, wherever that is a part.
    ///
    /// A latency of a cache is that of the load less that of the level above, both in
    /// nanoseconds, by the frequency. Metrics of some P-cores (`L3_Hit_Latency`) subtract
    /// the second once, rather than for each load.
    pub(super) fn with_latencies_of_each_load(self) -> Self {
        self.rewritten(&|part| match part {
            Expression::Binary(Subtract, sides) => match *sides {
                [Expression::Binary(Multiply, product), above]
                    if multiplied(&product[1]).is_some_and(|f| multiplied(&above) == Some(f)) =>
                {
                    let [loads, latency] = *product;
                    let latency = Expression::Binary(Subtract, Box::new([latency, above]));
                    Expression::Binary(Multiply, Box::new([loads, latency]))
                }
                sides => Expression::Binary(Subtract, Box::new(sides)),
            },
            other => other,
        })
    }
}

/// What a number is multiplied by, as text.
fn multiplied(product: &Expression<'_>) -> Option<String> {
    let Expression::Binary(Multiply, sides) = product else {
        return None;
    };
    sides[0].number()?;
    let mut text = String::new();
    sides[1].write(&mut text);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;

    #[test]
    fn latencies() {
        let cases = [
            ("a * ( 12 * f ) - ( 3 * f )", "a * (12 * f - 3 * f)"),
            (
                "min( a * b , a * ( 12 * ( c / d ) ) - ( 3 * ( c / d ) ) ) if b > 0 else 1",
                "min(a * b, a * (12 * (c / d) - 3 * (c / d))) if b > 0 else 1",
            ),
            // As it should be, or about something else.
            ("( ( 12 * f ) - ( 3 * f ) ) * a", "(12 * f - 3 * f) * a"),
            ("12 * f - 3 * f", "12 * f - 3 * f"),
            ("a * ( 12 * f ) - ( 3 * g )", "a * (12 * f) - 3 * g"),
            ("a * ( 12 * f ) - f", "a * (12 * f) - f"),
            ("a * ( 12 * f ) + ( 3 * f )", "a * (12 * f) + 3 * f"),
            ("a * ( b * f ) - ( 3 * f )", "a * (b * f) - 3 * f"),
        ];
        for (text, expected) in cases {
            let mut out = String::new();
            parse(text).expect(text).with_latencies_of_each_load().write(&mut out);
            assert_eq!(out, expected);
        }
    }
}
