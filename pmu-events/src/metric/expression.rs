//! Formulas parsed at run time.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::__private::infix;
use crate::expr::{
    self, Error, EventValue, Function, Identifier, Item, Machine, Operator, Query, Spelling,
    UnknownMachine,
};

/// Parses a metric formula written by a user, with the grammar of
/// [`expr`](crate::expr).
///
/// # Errors
///
/// Returns the first syntax error, with its position in bytes ([`Error::span`]).
///
/// ```
/// use pmu_events::metric;
///
/// let ipc = metric::parse("instructions / cycles")?;
/// let value = ipc.evaluate(|event| match event.as_str() {
///     "instructions" => 3e9,
///     "cycles" => 2e9,
///     _ => f64::NAN,
/// });
/// assert_eq!(value, 1.5);
///
/// let error = metric::parse("instructions / (cycles").unwrap_err();
/// assert_eq!(error.span(), 15..16);
/// assert_eq!(error.to_string(), "byte 15: unclosed parenthesis");
/// # Ok::<(), pmu_events::expr::Error>(())
/// ```
pub fn parse(text: &str) -> Result<Expression<'_>, Error> {
    let mut items = Vec::new();
    let mut names = BTreeMap::new();
    expr::parse(text, |item, _| {
        if let Some((spelling, _)) = item.identifier()
            && spelling.plain().is_none()
        {
            names.entry(spelling.escaped()).or_insert_with(|| spelling.to_string());
        }
        items.push(item);
    })?;
    Ok(Expression { items, names })
}

/// A formula parsed at run time. It borrows from its text.
///
/// It is displayed without redundant parentheses; parsing that text results in the
/// same formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression<'t> {
    items: Vec<Item<Spelling<'t>>>,
    /// The unescaped names of identifiers with escapes.
    names: BTreeMap<&'t str, String>,
}

impl<'t> Expression<'t> {
    /// Returns the items of the formula in postfix order.
    #[must_use]
    pub fn items(&self) -> &[Item<Spelling<'t>>] {
        &self.items
    }

    /// Returns the formula without the parts that can never matter on a machine
    /// ([`expr::simplify`]). Parts for which the machine answers `None` are kept.
    #[must_use]
    pub fn simplified_for(mut self, machine: &impl Machine) -> Self {
        let left = expr::simplify(&mut self.items, |item| match *item {
            Item::Literal(literal) => Some(machine.literal(literal)),
            Item::Query(query, name) => name.with(|name| query.known(name, machine)),
            _ => None,
        });
        self.items.truncate(left);
        self
    }

    /// Returns the formula without the parts that can never matter on any machine.
    #[must_use]
    pub fn simplified(self) -> Self {
        self.simplified_for(&UnknownMachine)
    }

    /// Returns the events and metrics whose values the formula needs, in the order
    /// of the text and without duplicates.
    ///
    /// ```
    /// use pmu_events::metric;
    ///
    /// let formula = metric::parse(r"cycles\-t / (cycles\-t + cycles\-ct)")?;
    /// let needed: Vec<_> = formula.identifiers().map(|id| id.to_string()).collect();
    /// assert_eq!(needed, ["cycles-t", "cycles-ct"]);
    /// # Ok::<(), pmu_events::expr::Error>(())
    /// ```
    pub fn identifiers(&self) -> impl Iterator<Item = Identifier<'_>> {
        let needed = |item: &Item<Spelling<'t>>| match *item {
            Item::Query(Query::StrcmpCpuidStr, _) => None,
            item => item.identifier().map(|(spelling, _)| self.meant(spelling)),
        };
        let mut seen = BTreeSet::new();
        let identifiers = self.items.iter().filter_map(needed);
        identifiers.filter(move |identifier| seen.insert(identifier.as_str()))
    }

    fn meant(&self, spelling: Spelling<'t>) -> Identifier<'_> {
        spelling.plain().unwrap_or_else(|| {
            let name = self.names.get(spelling.escaped());
            Identifier::new(name.map_or("", String::as_str))
        })
    }

    /// Returns the operator if the formula is a chain of events or metrics with one
    /// operator, `a - b - c` or `a + b`, or such a chain that is cut off at 0,
    /// `max(a - b, 0)`.
    ///
    /// Formulas of this shape say that metrics are parts of another.
    ///
    /// ```
    /// use pmu_events::{expr::Operator, metric};
    ///
    /// let rest = metric::parse("max(slots_lost - memory_bound - core_bound, 0)")?;
    /// assert_eq!(rest.chain(), Some(Operator::Subtract));
    /// assert_eq!(metric::parse("a - b + c")?.chain(), None);
    /// # Ok::<(), pmu_events::expr::Error>(())
    /// ```
    #[must_use]
    pub fn chain(&self) -> Option<Operator> {
        let mut items = &self.items[..];
        if let [Item::Number(0.0), rest @ .., Item::Function(Function::Max)]
        | [rest @ .., Item::Number(0.0), Item::Function(Function::Max)] = items
        {
            items = rest;
        }
        // In postfix order, a chain is a value, then values each with its operator.
        let [Item::Identifier(_), rest @ ..] = items else { return None };
        let Some(&Item::Binary(operator)) = rest.get(1) else { return None };
        let is_step = |step: &[Item<Spelling<'_>>]| match step {
            [Item::Identifier(_), Item::Binary(own)] => *own == operator,
            _ => false,
        };
        rest.chunks(2).all(is_step).then_some(operator)
    }

    /// Evaluates the formula on an unknown machine. The result is NaN if it depends
    /// on an unknown value.
    pub fn evaluate<R: Into<EventValue>>(&self, values: impl FnMut(Identifier<'_>) -> R) -> f64 {
        self.evaluate_on(&UnknownMachine, values)
    }

    /// Evaluates the formula on a machine that answers literals and queries.
    pub fn evaluate_on<R: Into<EventValue>>(
        &self,
        machine: &impl Machine,
        values: impl FnMut(Identifier<'_>) -> R,
    ) -> f64 {
        expr::evaluate(&self.items, machine, values)
    }
}

impl fmt::Display for Expression<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        infix::write(&self.items[..], self.items.len(), f)
    }
}
