//! The grammar of metric expressions, as perf reads them at run time
//! (`tools/perf/util/expr.l` and `expr.y`).
//!
//! [`tokens`] cuts a text into tokens, [`parse()`] hands its [`Item`]s on in
//! postfix order, [`check`] only says whether the text is an expression.
//! [`simplify`] and [`evaluate`] work on such items. Nothing here knows which
//! events or metrics exist, and nothing needs a heap.
//!
//! ```
//! use pmu_events::expr::{self, ErrorKind};
//!
//! assert!(expr::check("100 * (1 - IDLE / CYCLES) if #smt_on else max(A, B)").is_ok());
//!
//! let error = expr::check("A <= B").unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::UnknownOperator("<="));
//! assert_eq!(error.span(), 2..4);
//! ```
//!
//! # Grammar
//!
//! From loosest to tightest; all binary operators group to the left,
//! comparisons included, and `if … else` groups to the right:
//!
//! | | |
//! |---|---|
//! | `a if condition else b` | the whole text, within parentheses, or after `else` |
//! | `\|` | |
//! | `^` | |
//! | `&` | |
//! | `<` `>` | |
//! | `+` `-` | |
//! | `*` `/` `%` | |
//! | `-a` | |
//! | `(a)`, `min(a, b)`, `max(a, b)`, `d_ratio(a, b)` | |
//! | `source_count(id)`, `aggr_nr(id)`, `has_event(id)`, `strcmp_cpuid_str(id)` | |
//! | `1`, `.5`, `2.`, `1e-9`, `NaN`, `#smt_on`, `cpu@event\=0x3c@` | |
//!
//! An identifier is made of ASCII letters, digits, `_`, `.`, `:`, `@` (which
//! stands for `/`), `?` (a run-time parameter), and of `-`, `,` and `=` after
//! a backslash. It may begin with a digit: whatever is longest wins, and a
//! number wins over an identifier of the same length. So `1e3` is a number,
//! `0x3c` and `4k_pages` are identifiers.
//!
//! # Values
//!
//! All are `f64`, and no two values are ever evaluated in another order than the
//! text has. What is not known is NaN; what an operator makes of it says
//! [`Operator::apply`], what a function [`Function::apply`]. A condition is true
//! unless it is zero, so NaN is true. A literal that is not known, and a
//! remainder by zero, leave the whole formula without a value, wherever they
//! stand: perf's parser, which evaluates as it reads, stops there.
//!
//! # Where this is not perf
//!
//! A `MetricExpr` is read as it stands. perf reads what jevents made of it,
//! by way of Python, whose comparisons bind more loosely than `&`, `^` and `|`
//! and form chains: `a < b & c > d` loses its first half on the way.
//!
//! perf skips characters that it does not know without a word, which turns
//! slips into other expressions. Here they are errors.
//!
//! | text | perf 6.12 | here |
//! |---|---|---|
//! | `a <= b`, `a >= b` | `a < b`, `a > b` | [`UnknownOperator`](ErrorKind::UnknownOperator) |
//! | `a == b`, `a != b` | a syntax error | [`UnknownOperator`](ErrorKind::UnknownOperator) |
//! | `!a`, `"a"`, `a;`, `[a]` | `a` | [`UnexpectedCharacter`](ErrorKind::UnexpectedCharacter) |
//! | `a\/b` | `a / b` | [`Escape`](ErrorKind::Escape) |
//! | `1e+3` | the event `1e`, plus 3 | [`MalformedNumber`](ErrorKind::MalformedNumber) |
//! | `0x10`, `1E3`, `1.2.3` as a value | an event of that name | [`MalformedNumber`](ErrorKind::MalformedNumber) |
//! | `1e-310` | a syntax error, as it has fewer digits than others | accepted |
//! | `aggr_nr(a)` | a syntax error; later versions have it | accepted |
//! | `aggr_nr` as a value | an event; a syntax error in later versions | an error |
//! | `has_event(a)` as a value | 1 only where `a` is counted | what the [`Machine`] says |
//! | `a % .5`, `a % NaN` | dies; any number | no value |
//! | an identifier of more than 255 bytes | accepted | [`LongIdentifier`](ErrorKind::LongIdentifier) |
//! | very deep nesting | 10000 entries on bison's stack | [`TooDeep`](ErrorKind::TooDeep) beyond [`MAX_DEPTH`] |

mod arithmetic;
mod depth;
mod error;
mod evaluate;
mod identifier;
mod item;
mod machine;
mod parse;
mod simplify;
#[cfg(test)]
mod tests;
mod token;

pub use depth::MAX_DEPTH;
pub use error::{Error, ErrorKind, FoundToken};
pub use evaluate::evaluate;
pub(crate) use evaluate::{Stack, literal_value, query_value};
pub use identifier::{Identifier, MAX_IDENTIFIER, Spelling};
pub use item::{Function, Item, Literal, Operator, Query};
pub use machine::{EventValue, Machine, UnknownMachine};
pub use parse::{check, parse};
pub use simplify::simplify;
pub use token::{Token, TokenKind, Tokens, tokens};
