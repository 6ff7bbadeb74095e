//! Formulas of perfmon, read and written as perf has them.

use super::operator::{Operator, Written};

/// A part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression<'t> {
    Number(&'t str),
    /// A name, where it is, and the number of the unit whose count is meant.
    Name(&'t str, usize, Option<&'t str>),
    /// The meaning of a name.
    Text(String, Form),
    Binary(Operator, Box<[Expression<'t>; 2]>),
    /// `min` or `max`.
    Function(&'static str, Box<[Expression<'t>; 2]>),
    /// Value, condition, value otherwise.
    If(Box<[Expression<'t>; 3]>),
}

/// How a text goes into an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Atom,
    /// In parentheses.
    Compound,
}

/// Why a text is not a formula, and where.
pub(super) type Fault = (usize, String);

/// Parts within parts; each takes some stack.
const DEEPEST: usize = 200;

/// Reads a formula.
pub(super) fn parse(text: &str) -> Result<Expression<'_>, Fault> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let expression = parser.choice()?;
    match parser.rest() {
        "" => Ok(expression),
        _ => Err(parser.expected("an operator or the end")),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// What is left, without white space before it.
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        self.at += if is_next { token.len() } else { 0 };
        is_next
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = self.word() == word;
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// The name that is next, or nothing.
    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &rest[..len] }
    }

    fn expected(&mut self, what: &str) -> Fault {
        let found = match self.rest().chars().next() {
            None => "the end".to_owned(),
            Some(c) => format!("`{c}`"),
        };
        (self.at, format!("expected {what}, found {found}"))
    }

    fn closes(&mut self) -> Result<(), Fault> {
        if self.takes(")") { Ok(()) } else { Err(self.expected("`)`")) }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((self.at, format!("the formula is nested more than {DEEPEST} deep")));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// `value if condition else value`
    fn choice(&mut self) -> Result<Expression<'t>, Fault> {
        self.deeper(|parser| {
            let value = parser.binary(0)?;
            if !parser.takes_word("if") {
                return Ok(value);
            }
            let condition = parser.binary(0)?;
            if !parser.takes_word("else") {
                return Err(parser.expected("`else`"));
            }
            Ok(Expression::If(Box::new([value, condition, parser.choice()?])))
        })
    }

    fn binary(&mut self, level: usize) -> Result<Expression<'t>, Fault> {
        if level == Operator::LEVELS {
            return self.operand();
        }
        let mut left = self.binary(level + 1)?;
        let mut length = 0;
        while let Some((operator, len)) = Operator::of(self.rest(), level) {
            self.at += len;
            // What is on the left of many operators lies as deep.
            length += 1;
            if length > DEEPEST {
                return Err((self.at, format!("more than {DEEPEST} operators in a row")));
            }
            left = Expression::of(operator, left, self.binary(level + 1)?);
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression<'t>, Fault> {
        if self.takes("(") {
            let inner = self.choice()?;
            self.closes()?;
            return Ok(inner);
        }
        let start = self.at;
        let word = self.word();
        if word.is_empty() {
            return self.number();
        }
        self.at += word.len();
        if let Some(function) = ["min", "max"].into_iter().find(|known| *known == word)
            && self.takes("(")
        {
            let first = self.choice()?;
            if !self.takes(",") {
                return Err(self.expected("`,`"));
            }
            let second = self.choice()?;
            self.closes()?;
            return Ok(Expression::Function(function, Box::new([first, second])));
        }
        let mut unit = None;
        if self.takes("[") {
            let rest = self.rest();
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            self.at += digits;
            unit = Some(&rest[..digits]);
            if digits == 0 || !self.takes("]") {
                return Err(self.expected("the number of a unit and `]`"));
            }
        }
        Ok(Expression::Name(word, start, unit))
    }

    fn number(&mut self) -> Result<Expression<'t>, Fault> {
        let rest = self.rest();
        let is_part = |c: char| c == '.' || c.is_ascii_digit();
        let mut len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if let Some(exponent) = rest[len..].strip_prefix('e') {
            let sign = usize::from(exponent.starts_with('-'));
            let digits = &exponent[sign..];
            len += 1 + sign + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        }
        if rest[..len].parse::<f64>().is_err() {
            return Err(self.expected("a number, a name or `(`"));
        }
        self.at += len;
        Ok(Expression::Number(&rest[..len]))
    }
}

impl<'t> Expression<'t> {
    /// Replaces each part by what a rule makes of it, from the innermost parts on.
    pub(super) fn rewritten(self, rule: &dyn Fn(Self) -> Self) -> Self {
        let each = |part: Self| part.rewritten(rule);
        rule(match self {
            Expression::Binary(operator, sides) => {
                Expression::Binary(operator, Box::new(sides.map(each)))
            }
            Expression::Function(function, sides) => {
                Expression::Function(function, Box::new(sides.map(each)))
            }
            Expression::If(parts) => Expression::If(Box::new(parts.map(each))),
            Expression::Number(_) | Expression::Name(..) | Expression::Text(..) => self,
        })
    }

    /// What an operator makes of its two sides.
    fn of(operator: Written, left: Self, right: Self) -> Self {
        let binary = |operator, left, right| Expression::Binary(operator, Box::new([left, right]));
        match operator {
            Written::One(operator) => binary(operator, left, right),
            Written::Not(operator) => {
                binary(Operator::Subtract, Expression::Number("1"), binary(operator, left, right))
            }
            // Each side once, or many of them would double what is written.
            Written::Equal => {
                let [yes, no] = ["1", "0"].map(Expression::Number);
                Expression::If(Box::new([no, binary(Operator::Subtract, left, right), yes]))
            }
        }
    }

    /// The number that it is.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Expression::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Without the factor 100 that it begins with; itself if it begins otherwise.
    pub(super) fn without_percent(self) -> Result<Self, Self> {
        let Expression::Binary(operator, sides) = self else {
            return Err(self);
        };
        let [left, right] = *sides;
        match operator {
            Operator::Multiply if left.number() == Some(100.0) => Ok(right),
            Operator::Multiply | Operator::Divide => match left.without_percent() {
                Ok(left) => Ok(Expression::Binary(operator, Box::new([left, right]))),
                Err(left) => Err(Expression::Binary(operator, Box::new([left, right]))),
            },
            _ => Err(Expression::Binary(operator, Box::new([left, right]))),
        }
    }

    /// Puts something in the place of each name.
    pub(super) fn resolve(
        self,
        name: &mut dyn FnMut(&'t str, usize, Option<&'t str>) -> Result<(String, Form), Fault>,
    ) -> Result<Self, Fault> {
        Ok(match self {
            Expression::Name(word, at, unit) => {
                let (text, form) = name(word, at, unit)?;
                Expression::Text(text, form)
            }
            Expression::Number(_) | Expression::Text(..) => self,
            Expression::Binary(operator, sides) => {
                let [left, right] = *sides;
                let sides = [left.resolve(name)?, right.resolve(name)?];
                Expression::Binary(operator, Box::new(sides))
            }
            Expression::Function(function, sides) => {
                let [left, right] = *sides;
                let sides = [left.resolve(name)?, right.resolve(name)?];
                Expression::Function(function, Box::new(sides))
            }
            Expression::If(parts) => {
                let [value, condition, otherwise] = *parts;
                let parts =
                    [value.resolve(name)?, condition.resolve(name)?, otherwise.resolve(name)?];
                Expression::If(Box::new(parts))
            }
        })
    }

    /// The text that perf reads. perf has no `>=`, `<=` and `==`.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Expression::Number(text) | Expression::Name(text, _, _) => out.push_str(text),
            Expression::Text(text, Form::Atom) => out.push_str(text),
            Expression::Text(text, Form::Compound) => {
                out.push('(');
                out.push_str(text);
                out.push(')');
            }
            Expression::Binary(operator, sides) => {
                let [left, right] = &**sides;
                left.write_within(operator.level(), out);
                out.push_str(operator.text());
                // What is of the same level on the right is worked out first.
                right.write_within(operator.level() + 1, out);
            }
            Expression::Function(function, sides) => {
                out.push_str(function);
                out.push('(');
                sides[0].write(out);
                out.push_str(", ");
                sides[1].write(out);
                out.push(')');
            }
            Expression::If(parts) => {
                let [value, condition, otherwise] = &**parts;
                value.write_within(0, out);
                out.push_str(" if ");
                condition.write_within(0, out);
                out.push_str(" else ");
                otherwise.write(out);
            }
        }
    }

    fn write_within(&self, level: usize, out: &mut String) {
        let needs = match self {
            Expression::Binary(operator, _) => operator.level() < level,
            Expression::If(_) => true,
            _ => false,
        };
        out.push_str(if needs { "(" } else { "" });
        self.write(out);
        out.push_str(if needs { ")" } else { "" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<String, Fault> {
        let mut out = String::new();
        parse(text)?.write(&mut out);
        Ok(out)
    }

    #[test]
    fn formulas() {
        let cases = [
            ("a", "a"),
            ("( ( a ) )", "a"),
            ("a+b*c", "a + b * c"),
            ("(a+b)*c", "(a + b) * c"),
            ("a - ( b - c ) - d", "a - (b - c) - d"),
            ("a / b / c", "a / b / c"),
            ("a / ( b / c )", "a / (b / c)"),
            ("1e9 * 1.5", "1e9 * 1.5"),
            ("max( a , min(b, 1 - c) )", "max(a, min(b, 1 - c))"),
            ("a if b else c", "a if b else c"),
            ("a if b else c if d else e", "a if b else c if d else e"),
            ("( a if b else c ) / 2", "(a if b else c) / 2"),
            ("a if b > 0.1 else 0", "a if b > 0.1 else 0"),
            ("a if b > = 0 else 1", "a if 1 - (b < 0) else 1"),
            ("a <= b", "1 - (a > b)"),
            ("a == 2", "0 if a - 2 else 1"),
            ("( a > 5 ) && ( b > 5 ) || c < 1", "a > 5 & b > 5 | c < 1"),
            ("a & ( b | c )", "a & (b | c)"),
            ("a[0]", "a"),
            ("minutes / maximum", "minutes / maximum"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text).as_deref(), Ok(expected), "{text}");
        }
    }

    /// Only parts within parts are deep, however many there are.
    #[test]
    fn parts_in_a_row() {
        let row = vec!["((a))"; DEEPEST * 3 / 4].join(" + ");
        assert_eq!(written(&row), Ok(vec!["a"; DEEPEST * 3 / 4].join(" + ")));
    }

    #[test]
    fn faults() {
        let deep = "(".repeat(DEEPEST + 1);
        let long = "a+".repeat(DEEPEST + 1) + "a";
        let cases = [
            ("", 0, "expected a number, a name or `(`, found the end"),
            ("a +", 3, "expected a number, a name or `(`, found the end"),
            ("a b", 2, "expected an operator or the end, found `b`"),
            ("( a", 3, "expected `)`, found the end"),
            ("max(a)", 5, "expected `,`, found `)`"),
            ("a if b", 6, "expected `else`, found the end"),
            ("a[b]", 2, "expected the number of a unit and `]`, found `b`"),
            ("a # b", 2, "expected an operator or the end, found `#`"),
            (&deep, DEEPEST, "the formula is nested more than 200 deep"),
            (&long, 2 * DEEPEST + 2, "more than 200 operators in a row"),
        ];
        for (text, at, message) in cases {
            assert_eq!(written(text), Err((at, message.to_owned())), "{text}");
        }
    }

    #[test]
    fn percent() {
        let cases = [
            ("100 * ( a / b )", Ok("a / b")),
            ("100 * a / b", Ok("a / b")),
            ("100 * a / b * c", Ok("a / b * c")),
            ("100 * a + b", Err("100 * a + b")),
            ("a * 100", Err("a * 100")),
            ("100", Err("100")),
        ];
        for (text, expected) in cases {
            let mut out = String::new();
            let found = parse(text).expect(text).without_percent();
            let is_percent = found.is_ok();
            found.unwrap_or_else(|same| same).write(&mut out);
            let found = if is_percent { Ok(&*out) } else { Err(&*out) };
            assert_eq!(found, expected, "{text}");
        }
    }
}
