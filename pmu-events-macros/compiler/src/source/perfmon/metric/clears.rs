//! Machine clears by their reasons.

use super::expression::Expression;
use super::operator::Operator::{Divide, Multiply, Subtract};

impl Expression<'_> {
    /// `min(others, clears)` for `clears * others / others`, and `max(0, clears - others)`
    /// for `clears * (1 - others / others)`, wherever that is a part and `others` is
    /// `max(clears * …, …)`: the clears that are not for memory ordering.
    ///
    /// The method shares out the clears by the nodes below them. Those for memory
    /// ordering are no node, and so the others would always be all clears.
    pub(super) fn with_clears_by_reason(self) -> Self {
        self.rewritten(&|part| match part {
            Expression::Binary(Divide, sides) => match *sides {
                [Expression::Binary(Multiply, product), sum]
                    if sum.is_part_of(&product[0]) && sum.is_same(&product[1]) =>
                {
                    let [clears, others] = *product;
                    Expression::Function("min", Box::new([others, clears]))
                }
                sides => Expression::Binary(Divide, Box::new(sides)),
            },
            Expression::Binary(Multiply, sides) => {
                let [clears, rest] = *sides;
                match rest.one_less_itself() {
                    Some(others) if others.is_part_of(&clears) => {
                        let sides = [clears, others.clone()];
                        let rest = Expression::Binary(Subtract, Box::new(sides));
                        Expression::Function("max", Box::new([Expression::Number("0"), rest]))
                    }
                    _ => Expression::Binary(Multiply, Box::new([clears, rest])),
                }
            }
            other => other,
        })
    }

    /// Whether it is `max(whole * …, …)`.
    fn is_part_of(&self, whole: &Self) -> bool {
        let Expression::Function("max", sides) = self else {
            return false;
        };
        matches!(&sides[0], Expression::Binary(Multiply, product) if product[0].is_same(whole))
    }

    /// What `1 - this / this` is about.
    fn one_less_itself(&self) -> Option<&Self> {
        let Expression::Binary(Subtract, sides) = self else {
            return None;
        };
        let [one, Expression::Binary(Divide, ratio)] = &**sides else {
            return None;
        };
        let is_one = one.number() == Some(1.0);
        (is_one && ratio[0].is_same(&ratio[1])).then_some(&ratio[0])
    }

    /// Whether both are written alike: the same name may be at two places.
    fn is_same(&self, other: &Self) -> bool {
        let [this, that] = [self, other].map(|part| {
            let mut text = String::new();
            part.write(&mut text);
            text
        });
        this == that
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;

    #[test]
    fn clears() {
        let cases = [
            (
                "100 * ( f + ( ( a - b ) * max( ( a - b ) * ( 1 - h / i ) , 0.01 ) / ( max( ( a - b ) * ( 1 - h / i ) , 0.01 ) ) ) )",
                "100 * (f + min(max((a - b) * (1 - h / i), 0.01), a - b))",
            ),
            (
                "f + a * ( 1 - max( a * b , 0.01 ) / ( max( a * b , 0.01 ) ) ) if c > 1 else d",
                "f + max(0, a - max(a * b, 0.01)) if c > 1 else d",
            ),
            // About something else.
            ("a * max( a * b , 1 ) / max( a * c , 1 )", "a * max(a * b, 1) / max(a * c, 1)"),
            ("a * max( b * a , 1 ) / max( b * a , 1 )", "a * max(b * a, 1) / max(b * a, 1)"),
            ("a * min( a * b , 1 ) / min( a * b , 1 )", "a * min(a * b, 1) / min(a * b, 1)"),
            ("a * b / b", "a * b / b"),
            ("a * ( 1 - b / b )", "a * (1 - b / b)"),
            (
                "a * ( 2 - max( a * b , 1 ) / max( a * b , 1 ) )",
                "a * (2 - max(a * b, 1) / max(a * b, 1))",
            ),
        ];
        for (text, expected) in cases {
            let mut out = String::new();
            parse(text).expect(text).with_clears_by_reason().write(&mut out);
            assert_eq!(out, expected);
        }
    }
}
