//! Parsing and evaluating metric expressions, as perf does at run time
//! (`tools/perf/util/expr.l` and `expr.y`).
//!
//! Use it for formulas that no tree has, where there is no heap or you keep the items
//! yourself; with a heap, `metric::parse` is less work.
//!
//! [`tokens`] splits a text into tokens, [`parse()`] produces its [`Item`]s in
//! postfix order, and [`check`] only reports whether the text is an expression.
//! [`simplify`] and [`evaluate`] work on such items. Nothing here knows which
//! events or metrics exist, and nothing needs a heap.
//!
//! ```
//! use pmu_events::expr;
//! use pmu_events::located::ErrorKind;
//!
//! assert!(expr::check("100 * (1 - IDLE / CYCLES) if #smt_on else max(A, B)").is_ok());
//!
//! let error = expr::check("A <= B").unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::Unknown);
//! assert_eq!(error.span(), 2..4);
//! ```
//!
//! # Grammar
//!
//! From loosest to tightest. All binary operators are left-associative,
//! including comparisons; `if … else` is right-associative:
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
//! An identifier consists of ASCII letters, digits, `_`, `.`, `:`, `@` (which
//! represents `/`), `?` (a run-time parameter), and of `-`, `,` and `=` after a
//! backslash. It may begin with a digit: the longest match wins, and a number
//! wins over an identifier of the same length. So `1e3` is a number, while
//! `0x3c` and `4k_pages` are identifiers.
//!
//! # Values
//!
//! All values are `f64`, and the order of evaluation is always that of the
//! text. Unknown values are NaN; see [`Operator::apply`] and
//! [`Function::apply`] for how NaN propagates. A condition is true unless it is
//! zero, so NaN is true. An unknown literal or a remainder by zero anywhere
//! leaves the whole formula without a value: perf's parser, which evaluates
//! while it reads, aborts there.
//!
//! # Differences from perf
//!
//! A `MetricExpr` is read as written. perf reads what jevents has made of it
//! using Python, whose comparisons bind more loosely than `&`, `^` and `|` and
//! form chains: `a < b & c > d` loses its first half in the process.
//!
//! perf silently skips unknown characters, which turns typos into other
//! expressions. Here they are errors.
//!
//! | text | perf 6.12 | here |
//! |---|---|---|
//! | `a <= b`, `a >= b` | `a < b`, `a > b` | an error |
//! | `a == b`, `a != b` | a syntax error | an error |
//! | `!a`, `"a"`, `a;`, `[a]` | `a` | an error |
//! | `a\/b` | `a / b` | an error |
//! | `1e+3` | the event `1e`, plus 3 | an error |
//! | `0x10`, `1E3`, `1.2.3` as a value | an event of that name | an error |
//! | `1e-310` | a syntax error, as it has fewer digits than others | accepted |
//! | `aggr_nr(a)` | a syntax error; later versions have it | accepted |
//! | `aggr_nr` as a value | an event; a syntax error in later versions | an error |
//! | `has_event(a)` as a value | 1 only if `a` is counted | the answer of the [`Machine`] |
//! | `a % .5`, `a % NaN` | crashes; any number | no value |
//! | an identifier of more than 255 bytes | accepted | an error |
//! | very deep nesting | 10000 entries on bison's stack | an error beyond [`MAX_DEPTH`] |

mod arithmetic;
mod error;
pub(crate) mod evaluate;
mod identifier;
pub(crate) mod infix;
mod item;
mod machine;
pub(crate) mod needs;
mod parse;
mod simplify;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
mod token;

pub use error::Error;
pub(crate) use error::Fault;
pub use evaluate::{evaluate, evaluate_named};
pub use identifier::{Identifier, MAX_IDENTIFIER, Spelling};
pub use item::{Function, Item, Literal, MAX_DEPTH, Operator, Query};
pub use machine::{EventValue, Machine, UnknownMachine};
pub use parse::{check, parse};
pub use simplify::simplify;
pub use token::{Token, TokenKind, Tokens, tokens};
