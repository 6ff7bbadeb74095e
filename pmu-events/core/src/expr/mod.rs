//! Parsing and evaluating metric expressions, as perf does at run time
//! (`tools/perf/util/expr.l` and `expr.y`).
//!
//! Use it to say what a formula does not know by itself: the values of its events
//! ([`EventValue`]) and the facts of the machine ([`Machine`]). Formulas are those of trees
//! ([`Metric::expression`](crate::Metric::expression)) or your own, which `metric::parse` reads.
//!
//! ```
//! use pmu_events::event_list::Tool;
//! use pmu_events::expr::{Machine, UnknownMachine};
//! use pmu_events::metric;
//!
//! struct Threads;
//! impl Machine for Threads {
//!     fn literal(&self, literal: Tool) -> f64 {
//!         if literal == Tool::SmtOn { 1.0 } else { UnknownMachine.literal(literal) }
//!     }
//! }
//! let formula = metric::parse("100 * (1 - IDLE / CYCLES) if #smt_on else 0")?;
//! let values = |event: pmu_events::expr::Identifier<'_>| if event.as_str() == "IDLE" { 1.0 } else { 4.0 };
//! assert_eq!(formula.evaluate_on(&Threads, values), 75.0);
//! # Ok::<(), pmu_events::located::Error>(())
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
//! text. An unknown value is NaN, and so is every result computed from it, with these
//! exceptions: `|` and `&` if the other operand decides, `d_ratio(a, 0)`, which is 0, and
//! `min` and `max`, which return the second value if either is NaN. A condition is true unless it is
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
//! | very deep nesting | 10000 entries on bison's stack | an error beyond 64 levels |

mod arithmetic;
mod error;
pub(crate) mod evaluate;
pub(crate) mod identifier;
pub(crate) mod infix;
pub(crate) mod item;
mod machine;
pub(crate) mod needs;
pub(crate) mod parse;
pub(crate) mod simplify;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
pub(crate) mod token;

pub(crate) use error::Fault;
#[cfg(test)]
pub(crate) use evaluate::evaluate;
pub use identifier::Identifier;
#[cfg(test)]
pub(crate) use identifier::{MAX_IDENTIFIER, Spelling};
pub(crate) use item::{Function, Item, MAX_DEPTH, Operator, Query};
pub use machine::{EventValue, Machine, UnknownMachine};
#[cfg(test)]
pub(crate) use parse::{check, parse};
pub(crate) use simplify::simplify;
#[cfg(test)]
pub(crate) use token::{TokenKind, tokens};
