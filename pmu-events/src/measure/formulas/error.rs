use core::fmt;
use core::ops::Range;
use std::string::String;
use std::vec::Vec;

use super::limits::{MAX_FORMULAS, MAX_NAMES, MAX_TEXT};
use crate::located;
use pmu_events_core::__private::wire::program::Limit;

/// An error in a text of formulas, with its position.
///
/// ```
/// use pmu_events::measure::Formulas;
///
/// let error = "one = 1\ntwo = 1 +".parse::<Formulas>().unwrap_err();
/// assert_eq!((error.line(), error.span()), (2, 17..17));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FormulaError {
    fault: Fault,
    span: Range<usize>,
    line: usize,
    column: usize,
}

/// What is wrong with a text of formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    LongText,
    TooManyFormulas,
    TooManyNames,
    TooManyNumbers,
    /// U+FEFF where a definition begins.
    ByteOrderMark,
    ExpectedDefinition,
    Name(String),
    Duplicate(String),
    /// A `[` without `]`, or a factor of 0.
    Scale,
    Expression(located::Error),
    DivisionByZero,
    NoValue,
    Parameter,
    MetricWithParameter(String),
    Unknown(String),
    /// The names on the way, from the first to the one that refers to it.
    Cycle(Vec<String>),
}

impl From<Limit> for Fault {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Steps => Fault::LongText,
            Limit::Identifiers => Fault::TooManyNames,
            Limit::Constants => Fault::TooManyNumbers,
        }
    }
}

impl FormulaError {
    /// Makes an error about some bytes of a text.
    pub(super) fn new(fault: Fault, span: Range<usize>, text: &str) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = 1 + before.bytes().filter(|&byte| byte == b'\n').count();
        FormulaError { fault, span, line, column: 1 + before[start..].chars().count() }
    }

    /// Returns the message without the position.
    #[must_use]
    pub fn message(&self) -> impl fmt::Display {
        &self.fault
    }

    /// Returns the range of the wrong bytes, on character boundaries of the text.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the number of the line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the number of the character in the line, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LongText => write!(f, "more than {MAX_TEXT} bytes of formulas"),
            Self::TooManyFormulas => write!(f, "more than {MAX_FORMULAS} formulas"),
            Self::TooManyNames => write!(f, "more than {MAX_NAMES} names in a formula"),
            Self::TooManyNumbers => {
                write!(f, "more than {} different numbers in a formula", usize::from(u16::MAX) + 1)
            }
            Self::ByteOrderMark => {
                f.write_str("unexpected byte-order mark (U+FEFF): save the text without one")
            }
            Self::ExpectedDefinition => f.write_str("expected `NAME = FORMULA`"),
            Self::Name(name) => write!(
                f,
                "`{name}` is not a metric name: expected ASCII letters, digits, `_`, `.` and `:`, \
                 and no word of the grammar"
            ),
            Self::Duplicate(name) => write!(f, "duplicate formula `{name}`"),
            Self::Scale => {
                f.write_str("invalid scale unit: expected a factor and a unit, as in `[100%]`")
            }
            Self::Expression(error) => error.message().fmt(f),
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::NoValue => f.write_str("the formula has no value, whatever is counted"),
            Self::Parameter => {
                f.write_str("`?` has a value only in metrics of a tree: write the number instead")
            }
            Self::MetricWithParameter(name) => {
                write!(f, "metric `{name}` has several values: one for each chip or core")
            }
            Self::Unknown(message) => f.write_str(message),
            Self::Cycle(names) => match names.as_slice() {
                [name] => write!(f, "formula `{name}` refers to itself"),
                names => {
                    f.write_str("formula ")?;
                    names.iter().try_for_each(|name| write!(f, "`{name}` → "))?;
                    write!(f, "`{}` refers to itself", names.first().map_or("", |name| name))
                }
            },
        }
    }
}

/// `line:column: what is wrong`
impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.fault)
    }
}

pmu_events_core::__private::debug_as_display!(FormulaError);

impl core::error::Error for FormulaError {}
