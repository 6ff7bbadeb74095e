//! Operators of perfmon's formulas, and what perf has for them.

/// An operator that perf has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Less,
    Greater,
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// An operator as formulas write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    One(Operator),
    /// Not the operator: `>=` is not `<`.
    Not(Operator),
    Equal,
}

use Operator::{Add, And, Divide, Greater, Less, Multiply, Or, Subtract};
use Written::{Equal, Not, One};

impl Operator {
    /// How many levels bind differently.
    pub(super) const LEVELS: usize = 5;

    /// The operator of a level that a text begins with, and its length.
    pub(super) fn of(text: &str, level: usize) -> Option<(Written, usize)> {
        let of_level: &[(&str, Written)] = match level {
            0 => &[("||", One(Or)), ("|", One(Or))],
            1 => &[("&&", One(And)), ("&", One(And))],
            // `> =` is there, too.
            2 => &[
                (">=", Not(Less)),
                ("> =", Not(Less)),
                ("<=", Not(Greater)),
                ("< =", Not(Greater)),
                ("==", Equal),
                ("<", One(Less)),
                (">", One(Greater)),
            ],
            3 => &[("+", One(Add)), ("-", One(Subtract))],
            _ => &[("*", One(Multiply)), ("/", One(Divide))],
        };
        let found = of_level.iter().find(|(token, _)| text.starts_with(token));
        found.map(|&(token, written)| (written, token.len()))
    }

    /// How strongly it binds.
    pub(super) fn level(self) -> usize {
        match self {
            Or => 0,
            And => 1,
            Less | Greater => 2,
            Add | Subtract => 3,
            Multiply | Divide => 4,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Or => " | ",
            And => " & ",
            Less => " < ",
            Greater => " > ",
            Add => " + ",
            Subtract => " - ",
            Multiply => " * ",
            Divide => " / ",
        }
    }
}
