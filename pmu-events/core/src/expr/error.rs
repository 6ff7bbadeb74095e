use core::fmt;

use super::identifier::MAX_IDENTIFIER;
use super::item::MAX_DEPTH;
use super::item::Operator;
pub(super) use crate::located::Error;
use crate::located::{self, ErrorKind};

pub(super) const fn at(fault: Fault, offset: usize, len: usize) -> Error {
    Error::new(located::Fault::Expression(fault), offset, len)
}

/// What is wrong with a metric expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A character that is not part of any token.
    UnexpectedCharacter(char),
    /// A backslash before anything but `-`, `,` and `=`.
    Escape,
    /// An operator that this grammar lacks: `==`, `!=`, `<=`, `>=`.
    UnknownOperator(&'static str),
    /// A `#name` that is not one of the [literals](super::item::LITERALS). A `-` directly
    /// after a literal is read as part of its name.
    UnknownLiteral,
    /// An identifier with arguments.
    UnknownFunction,
    /// A value that looks like a number but is an identifier to perf.
    MalformedNumber,
    /// An identifier of more than [`MAX_IDENTIFIER`] bytes, not counting
    /// escapes.
    LongIdentifier,
    /// A number that overflows or underflows `f64`.
    NumberOutOfRange,
    /// A missing value.
    ExpectedOperand(FoundToken),
    /// A token that cannot follow a value.
    ExpectedOperator(FoundToken),
    /// A missing `else`.
    ExpectedElse(FoundToken),
    /// A missing `(` after the name of a function.
    ExpectedArguments {
        /// The function.
        function: &'static str,
        /// The token found instead.
        found: FoundToken,
    },
    /// An argument that must be an identifier but is not.
    ExpectedIdentifier {
        /// The function.
        function: &'static str,
        /// The token found instead.
        found: FoundToken,
    },
    /// A `)` before the last argument of a function.
    TooFewArguments {
        /// The function.
        function: &'static str,
        /// The number of arguments.
        takes: u8,
    },
    /// A `,` after the last argument of a function.
    TooManyArguments {
        /// The function.
        function: &'static str,
        /// The number of arguments.
        takes: u8,
    },
    /// A `(` without its `)`.
    Unclosed,
    /// A `)` without its `(`.
    Unopened,
    /// A `,` outside an argument list.
    UnexpectedComma,
    /// An `else` without its `if`.
    UnexpectedElse,
    /// An `if` within an argument or a condition, where perf requires
    /// parentheses.
    BareIf,
    /// More than [`MAX_DEPTH`] open operators and parentheses.
    TooDeep,
}

impl Fault {
    pub(crate) const fn kind(self) -> ErrorKind {
        match self {
            Self::UnknownOperator(_) | Self::UnknownLiteral | Self::UnknownFunction => {
                ErrorKind::Unknown
            }
            Self::LongIdentifier | Self::NumberOutOfRange | Self::TooDeep => ErrorKind::OutOfRange,
            _ => ErrorKind::Syntax,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnexpectedCharacter(c) => write!(f, "unexpected character {c:?}"),
            Self::Escape => f.write_str("a backslash escapes only `-`, `,` and `=`"),
            Self::UnknownOperator(operator) => write!(f, "unknown operator `{operator}`"),
            Self::UnknownLiteral => f.write_str("unknown literal"),
            Self::UnknownFunction => f.write_str("unknown function"),
            Self::LongIdentifier => {
                write!(f, "identifier longer than {MAX_IDENTIFIER} bytes")
            }
            Self::MalformedNumber => f.write_str("malformed number"),
            Self::NumberOutOfRange => f.write_str("number out of range"),
            Self::ExpectedOperand(found) => write!(f, "expected a value, found {found}"),
            Self::ExpectedOperator(found) => write!(f, "expected an operator, found {found}"),
            Self::ExpectedElse(found) => write!(f, "expected `else`, found {found}"),
            Self::ExpectedArguments { function, found } => {
                write!(f, "expected `(` after `{function}`, found {found}")
            }
            Self::ExpectedIdentifier { function, found } => {
                write!(f, "expected an identifier in `{function}(…)`, found {found}")
            }
            Self::TooFewArguments { function, takes } => {
                write!(f, "too few arguments: `{function}` takes {takes}")
            }
            Self::TooManyArguments { function, takes } => {
                write!(f, "too many arguments: `{function}` takes {takes}")
            }
            Self::Unclosed => f.write_str("unclosed parenthesis"),
            Self::Unopened => f.write_str("unmatched `)`"),
            Self::UnexpectedComma => f.write_str("`,` outside a function's arguments"),
            Self::UnexpectedElse => f.write_str("`else` without `if`"),
            Self::BareIf => f.write_str("`if` within an argument or a condition needs parentheses"),
            Self::TooDeep => write!(f, "nested more than {MAX_DEPTH} deep"),
        }
    }
}

/// The token that was found instead of the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundToken {
    /// The end of the text.
    End,
    /// A number.
    Number,
    /// A `#literal`.
    Literal,
    /// An identifier.
    Identifier,
    /// The name of a function.
    Function(&'static str),
    /// An operator.
    Operator(Operator),
    /// `if`
    If,
    /// `else`
    Else,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
}

impl fmt::Display for FoundToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::End => f.write_str("the end of the text"),
            Self::Number => f.write_str("a number"),
            Self::Literal => f.write_str("a literal"),
            Self::Identifier => f.write_str("an identifier"),
            Self::Function(name) => write!(f, "`{name}`"),
            Self::Operator(operator) => write!(f, "`{}`", operator.symbol()),
            Self::If => f.write_str("`if`"),
            Self::Else => f.write_str("`else`"),
            Self::Open => f.write_str("`(`"),
            Self::Close => f.write_str("`)`"),
            Self::Comma => f.write_str("`,`"),
        }
    }
}
