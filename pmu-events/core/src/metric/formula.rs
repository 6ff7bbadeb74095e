//! The formulas of a tree.

use core::fmt;

use super::run;
use crate::expr::infix::{self, Postfix};
use crate::expr::steps::Steps;
use crate::expr::{EventValue, Identifier, Item, Machine, Query, UnknownMachine};
use crate::packed::Tree;
use crate::wire::Wire;
use crate::wire::program::{Code, Program};

/// A formula of a tree: the value or the threshold of a metric.
///
/// It was parsed and simplified when the tree was compiled.
///
/// It is displayed in the grammar of [`expr`](crate::expr), without the parts that
/// never matter and without redundant parentheses. The text is not stored: perf
/// and jevents, too, print what remains after simplification (`ToPerfJson` in
/// `tools/perf/pmu-events/metric.py`).
///
/// ```
/// use pmu_events::arch::x86;
///
/// let metric = x86::SKYLAKE.metric("tma_dram_bound").unwrap();
/// let threshold = metric.threshold().unwrap();
/// assert_eq!(
///     threshold.to_string(),
///     "(tma_dram_bound > 0.1) & (tma_memory_bound > 0.2) & (tma_backend_bound > 0.2)"
/// );
/// // Its own names; `Metric::threshold_events` has what these metrics need.
/// let names: Vec<_> = threshold.names().map(|name| name.as_str()).collect();
/// assert_eq!(names, ["tma_dram_bound", "tma_memory_bound", "tma_backend_bound"]);
/// // Here, metrics have values like events.
/// assert_eq!(threshold.evaluate(|_| 0.3), 1.0);
/// ```
#[derive(Clone, Copy)]
pub struct CompiledFormula {
    tree: &'static Tree,
    /// Its number plus one; zero for none.
    number: u16,
}

impl CompiledFormula {
    pub(super) const fn new(tree: &'static Tree, number: u16) -> Self {
        CompiledFormula { tree, number }
    }

    fn program(self) -> Option<Program<'static>> {
        self.tree.wire.formula(self.number).map(|formula| self.tree.wire.program(&formula))
    }

    /// Returns the events and metrics whose values the formula itself needs, in the
    /// order of the text and without duplicates.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let metric = x86::SAPPHIRERAPIDS.metric("branch_mispredict_ratio").unwrap();
    /// let names: Vec<&str> = metric.expression().names().map(|name| name.as_str()).collect();
    /// assert_eq!(names, ["BR_MISP_RETIRED.ALL_BRANCHES", "BR_INST_RETIRED.ALL_BRANCHES"]);
    /// ```
    pub fn names(self) -> impl Iterator<Item = Identifier<'static>> + Clone + fmt::Debug {
        FormulaNames { formula: self, next: 0 }
    }

    /// Evaluates the formula on an unknown machine. Unlike [`Metric::evaluate`], the
    /// closure is also asked for the values of metrics.
    ///
    /// Returns NaN if something relevant is unknown.
    ///
    /// [`Metric::evaluate`]: super::Metric::evaluate
    pub fn evaluate<R: Into<EventValue>>(
        self,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        self.evaluate_on(&UnknownMachine, values)
    }

    /// Evaluates the formula on a machine that answers literals and queries.
    pub fn evaluate_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        mut values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        run::value_by_names(&self.tree.wire, self.number, machine, &mut values)
    }
}

impl fmt::Display for CompiledFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(program) = self.program() else {
            return Ok(());
        };
        let text = Printed { wire: &self.tree.wire, program };
        infix::write(&text, program.code().steps.len(), f)
    }
}

impl fmt::Debug for CompiledFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl PartialEq<str> for CompiledFormula {
    fn eq(&self, text: &str) -> bool {
        let mut rest = Rest(text);
        fmt::write(&mut rest, format_args!("{self}")).is_ok() && rest.0.is_empty()
    }
}

impl PartialEq<&str> for CompiledFormula {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}

/// What remains of a text that should be written; other text is an error.
struct Rest<'t>(&'t str);

impl fmt::Write for Rest<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// The names in a formula.
#[derive(Clone, Debug)]
struct FormulaNames {
    formula: CompiledFormula,
    next: u16,
}

impl Iterator for FormulaNames {
    type Item = Identifier<'static>;

    fn next(&mut self) -> Option<Identifier<'static>> {
        let program = self.formula.program()?;
        loop {
            let number = u8::try_from(self.next).ok()?;
            if number >= program.identifier_count() {
                return None;
            }
            self.next += 1;
            let name = |number| self.formula.tree.wire.spelled(program.identifier(number));
            // What is only asked for has a number of its own.
            let is_new = || (0..number).all(|other| name(other) != name(number));
            if has_value(program.code(), number) && is_new() {
                return Some(name(number));
            }
        }
    }
}

/// Whether an identifier of a program stands for a value, unlike a CPUID.
fn has_value(mut code: Code<'_>, identifier: u8) -> bool {
    while let Some(step) = code.next_step() {
        if let Some((number, query)) = step.identifier()
            && number == identifier
        {
            return query != Some(Query::StrcmpCpuidStr);
        }
    }
    false
}

struct Printed {
    wire: &'static Wire<'static>,
    program: Program<'static>,
}

impl Postfix for Printed {
    type Name = u8;

    fn item(&self, at: usize) -> Option<(Item<u8>, usize)> {
        self.program.code().item(at)
    }

    fn write_name(&self, number: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.wire.spelled(self.program.identifier(number)).escaped())
    }
}
