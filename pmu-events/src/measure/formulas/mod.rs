//! Formulas written by users, in the grammar of trees ([`expr`](crate::expr)).

mod bind;
mod error;
mod formula;
mod limits;
mod program;
mod read;

use core::str::FromStr;
use std::string::String;
use std::vec::Vec;

pub use error::FormulaError;
pub use formula::Formula;
pub(super) use formula::Needed;
pub use limits::{MAX_FORMULAS, MAX_NAMES, MAX_TEXT};

use crate::System;
use read::Definition;

/// Metrics defined by a user: a text with one `NAME = FORMULA` per line.
///
/// ```
/// use pmu_events::{Scope, System};
/// use pmu_events::measure::{Formulas, Plan};
///
/// let formulas = r"
///     ## Lines that begin with this character are comments.
///     faults_per_second = page\-faults / duration_time
///     share_of_minor [100%] = minor\-faults /
///         (minor\-faults + major\-faults)
/// ".parse::<Formulas>()?;
///
/// let system = System::new();
/// let plan = Plan::new(formulas.bind(&system)?, &system, &Scope::ThisThread);
/// let names: Vec<_> = plan.metrics().iter().map(|metric| metric.request().name()).collect();
/// assert_eq!(names, ["share_of_minor", "faults_per_second"]);
///
/// let error = "ipc = instructions / (cycles".parse::<Formulas>().unwrap_err();
/// assert_eq!(error.to_string(), "1:22: unclosed parenthesis");
/// # Ok::<(), pmu_events::measure::FormulaError>(())
/// ```
///
/// # Format
///
/// - `NAME = FORMULA` defines a metric. The name consists of ASCII letters, digits,
///   `_`, `.` and `:`. The formula has the grammar of trees ([`expr`](crate::expr)),
///   in which `-`, `,` and `=` within a name follow a backslash and `@` represents
///   `/`: `cpu@event\=0x3c@`.
/// - `NAME [SCALE] = FORMULA` also gives a factor and a unit, as `ScaleUnit` does
///   in trees: `[100%]`, `[1e-6MB/s]`.
/// - A formula ends where the next line begins with a definition, that is, with a
///   name and `=` or `[`; so it may continue on any number of lines.
/// - Empty lines, and lines whose first character other than a space is a `#` that
///   no literal (`#smt_on`) begins with, are ignored.
///
/// A name in a formula is another formula of the text, otherwise a metric of the
/// machine's tables, otherwise an event. On a machine with several kinds of cores, a
/// formula that refers to a metric which several of them have is bound once for each
/// ([`Formula::pmu`]). As in trees, another metric's value is
/// used before its scale is applied.
///
/// `EVENT:R` is the retirement latency of an event in cycles
/// ([`LatencyOf`](crate::metric::LatencyOf)), for which nothing is counted.
///
/// The value of an event is its count, and every time is in seconds: `task-clock` and
/// `cpu-clock` as well as `duration_time`, `user_time` and `system_time`. So
/// `busy [100%] = task\-clock / duration_time` needs no factor. (The formulas of trees
/// have perf's units, see [units](super#units).)
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    text: String,
    definitions: Vec<Definition>,
}

/// The error is the first, with its line and column: a syntax error, a duplicate name, a
/// division by the number zero, a text of more than 1 MiB or 1024 formulas, or a formula of
/// more than 255 names.
impl FromStr for Formulas {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        Ok(Formulas { definitions: read::definitions(text)?, text: text.into() })
    }
}

impl Formulas {
    /// Returns the names of the formulas, in the order of the text.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions.iter().map(|definition| definition.name.as_str())
    }

    /// Finds the meaning of each name on a system, and returns the formulas in the
    /// order of the text: one for each kind of core that has the metrics to which it
    /// refers, otherwise one.
    ///
    /// An event that only this machine lacks, because it has no core PMU for
    /// example, is not an error: it is among those that
    /// [`Plan::missing`](super::Plan::missing) returns.
    ///
    /// # Errors
    ///
    /// Returns the first error with its line and column: a name that is neither a
    /// formula, a metric nor an event, a formula that refers to itself, directly or
    /// through others, or a reference to a metric with a run-time parameter.
    pub fn bind(&self, system: &System) -> Result<Vec<Formula>, FormulaError> {
        bind::bind(&self.text, &self.definitions, system)
    }
}
