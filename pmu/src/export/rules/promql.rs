//! Expressions of PromQL: texts that know how tightly they bind, and which labels their series
//! have.

use std::fmt;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Query {
    text: String,
    binds: Binds,
    pub(super) labels: Labels,
}

/// How tightly the outermost operator of an expression binds, from the loosest: the order of
/// `%left` in the grammar of Prometheus (`promql/parser/generated_parser.y`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    /// A name, a number, a call, or whatever is in parentheses.
    Whole,
}

/// Which labels the series of an expression have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Labels {
    /// It is a number.
    None,
    /// Those of the machine, as Prometheus has added them.
    Machine,
    /// Those of the scope, too.
    Scope,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Unless,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operator {
    fn symbol(self) -> &'static str {
        match self {
            Operator::Or => "or",
            Operator::And => "and",
            Operator::Unless => "unless",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }

    fn binds(self) -> Binds {
        match self {
            Operator::Or => Binds::Or,
            Operator::And | Operator::Unless => Binds::And,
            Operator::Add | Operator::Subtract => Binds::Sum,
            Operator::Multiply | Operator::Divide => Binds::Product,
            _ => Binds::Comparison,
        }
    }

    fn is_of_sets(self) -> bool {
        matches!(self, Operator::Or | Operator::And | Operator::Unless)
    }
}

/// The labels by which Prometheus tells machines apart.
const OF_MACHINE: &str = "on (job, instance)";

impl Query {
    /// A number. PromQL has no sign within a number, so that a negative one is wrapped.
    pub(super) fn number(value: f64) -> Self {
        let text = match value {
            f64::INFINITY => "Inf".into(),
            f64::NEG_INFINITY => "(-Inf)".into(),
            value if value.is_sign_negative() && value != 0.0 => format!("({value})"),
            value => format!("{}", value.abs()),
        };
        Query { text, binds: Binds::Whole, labels: Labels::None }
    }

    /// A selector or a call.
    pub(super) fn whole(text: String, labels: Labels) -> Self {
        Query { text, binds: Binds::Whole, labels }
    }

    pub(super) fn negated(self) -> Self {
        Query::number(-1.0).with(Operator::Multiply, self)
    }

    /// The lowest or the highest of the values and a number: `clamp_min`, `clamp_max`.
    pub(super) fn clamped(self, function: &str, limit: f64) -> Self {
        let text = format!("{function}({}, {limit})", self.text);
        Query { text, binds: Binds::Whole, labels: self.labels }
    }

    /// The expression with another one. A comparison keeps the series of the left side for which it
    /// is true, or, beside a number, those of the other side.
    pub(super) fn with(self, operator: Operator, right: Self) -> Self {
        self.joined(operator, "", right)
    }

    /// A comparison whose value is 1 or 0.
    pub(super) fn compared(self, operator: Operator, right: Self) -> Self {
        self.joined(operator, " bool", right)
    }

    fn joined(self, operator: Operator, modifier: &str, right: Self) -> Self {
        let labels = match operator {
            Operator::And | Operator::Unless => self.labels,
            _ => self.labels.max(right.labels),
        };
        let on = match (self.labels, right.labels) {
            (Labels::Scope, Labels::Machine) | (Labels::Machine, Labels::Scope)
                if operator.is_of_sets() =>
            {
                format!(" {OF_MACHINE}")
            }
            (Labels::Scope, Labels::Machine) => format!(" {OF_MACHINE} group_left ()"),
            (Labels::Machine, Labels::Scope) => format!(" {OF_MACHINE} group_right ()"),
            _ => String::new(),
        };
        let binds = operator.binds();
        let symbol = operator.symbol();
        let (left, right) = (self.within(binds), right.right_of(binds));
        Query { text: format!("{left} {symbol}{modifier}{on} {right}"), binds, labels }
    }

    /// The text as the left operand of an operator, all of which associate to the left. The
    /// reader of `a and b or c` should not have to know that `and` binds more tightly.
    fn within(self, binds: Binds) -> String {
        if self.binds < binds || (self.binds == Binds::And && binds == Binds::Or) {
            return format!("({})", self.text);
        }
        self.text
    }

    /// The text as the right operand of an operator.
    fn right_of(self, binds: Binds) -> String {
        if self.binds <= binds || (self.binds == Binds::And && binds == Binds::Or) {
            return format!("({})", self.text);
        }
        self.text
    }

    /// Whether the expression is only a selector, a call or a number.
    #[cfg(test)]
    fn is_whole(&self) -> bool {
        self.binds == Binds::Whole
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(name: &str) -> Query {
        Query::whole(name.into(), Labels::Scope)
    }

    #[test]
    fn parentheses_are_where_prometheus_needs_them() {
        let sum = || own("a").with(Operator::Add, own("b"));
        let product = || own("a").with(Operator::Multiply, own("b"));
        for (query, expected) in [
            (sum().with(Operator::Multiply, own("c")), "(a + b) * c"),
            (own("c").with(Operator::Divide, product()), "c / (a * b)"),
            (product().with(Operator::Divide, own("c")), "a * b / c"),
            (own("c").with(Operator::Subtract, sum()), "c - (a + b)"),
            (
                own("c")
                    .with(Operator::Divide, own("a").with(Operator::NotEqual, Query::number(0.0))),
                "c / (a != 0)",
            ),
            (
                sum().with(Operator::Greater, own("c")).with(Operator::Or, own("c")),
                "a + b > c or c",
            ),
            (own("a").with(Operator::And, own("b")).with(Operator::Or, own("c")), "(a and b) or c"),
            (own("a").with(Operator::Multiply, Query::number(-2.5)), "a * (-2.5)"),
            (own("a").negated(), "(-1) * a"),
            (sum().clamped("clamp_min", 0.0), "clamp_min(a + b, 0)"),
            (own("a").compared(Operator::Less, own("b")), "a < bool b"),
            (Query::number(1e-10).with(Operator::Multiply, own("a")), "0.0000000001 * a"),
        ] {
            assert_eq!(query.to_string(), expected);
        }
        assert!(own("a").is_whole() && !sum().is_whole());
    }

    #[test]
    fn series_of_a_machine_join_those_of_its_parts() {
        let machine = || Query::whole("m".into(), Labels::Machine);
        let left = own("a").with(Operator::Divide, machine());
        assert_eq!(left.to_string(), "a / on (job, instance) group_left () m");
        let right = machine().with(Operator::Divide, own("a"));
        assert_eq!(right.to_string(), "m / on (job, instance) group_right () a");
        assert_eq!(right.labels, Labels::Scope);
        let filtered = own("a").with(Operator::Unless, machine());
        assert_eq!(filtered.to_string(), "a unless on (job, instance) m");
        assert_eq!(machine().with(Operator::Multiply, machine()).labels, Labels::Machine);
    }
}
