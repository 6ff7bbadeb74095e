//! Formulas parsed at run time.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use pmu_events_core::__private::expr::{
    self, EventValue, Function, Identifier, Item, Machine, Operator, Query, Spelling,
    UnknownMachine,
};
use pmu_events_core::__private::formula::{self, Sets};
use pmu_events_core::located::Error;

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
/// # Ok::<(), pmu_events::located::Error>(())
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
    pub(crate) fn items(&self) -> &[Item<Spelling<'t>>] {
        &self.items
    }

    /// Returns the formula without the parts that can never matter on a machine.
    /// Parts for which the machine answers `None` are kept.
    #[doc(hidden)]
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
    #[doc(hidden)]
    #[must_use]
    pub fn simplified(self) -> Self {
        self.simplified_for(&UnknownMachine)
    }

    /// Returns the events and metrics whose values the formula itself needs, in the order
    /// of the text and without duplicates.
    ///
    /// ```
    /// use pmu_events::metric;
    ///
    /// let formula = metric::parse(r"cycles\-t / (cycles\-t + cycles\-ct)")?;
    /// let names: Vec<_> = formula.names().map(|name| name.to_string()).collect();
    /// assert_eq!(names, ["cycles-t", "cycles-ct"]);
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = Identifier<'_>> {
        let named = |item: &Item<Spelling<'t>>| match *item {
            Item::Query(Query::StrcmpCpuidStr, _) => None,
            item => item.identifier().map(|(spelling, _)| self.meant(spelling)),
        };
        let mut seen = BTreeSet::new();
        let names = self.items.iter().filter_map(named);
        names.filter(move |name| seen.insert(name.as_str()))
    }

    /// Returns the names whose values the formula needs on a machine, as
    /// [`Metric::events_on`](crate::Metric::events_on) finds them: for
    /// `A if #smt_on else B`, either `A` or `B`.
    ///
    /// ```
    /// use pmu_events::event_list::Tool;
    /// use pmu_events::expr::Machine;
    /// use pmu_events::metric;
    ///
    /// struct Smt(f64);
    /// impl Machine for Smt {
    ///     fn literal(&self, _: Tool) -> f64 {
    ///         self.0
    ///     }
    /// }
    /// let formula = metric::parse("all if #smt_on else one")?;
    /// let needed = |smt| formula.names_on(&Smt(smt)).map(|name| name.to_string()).next();
    /// assert_eq!((needed(1.0), needed(0.0)), (Some("all".into()), Some("one".into())));
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    pub fn names_on(&self, machine: &impl Machine) -> impl Iterator<Item = Identifier<'_>> {
        let mut unions = Unions { machine, all: Vec::new() };
        let needed = formula::needed(self.items.iter(), machine, &mut unions);
        let needed = unions.names(needed);
        self.names().filter(move |name| needed.contains(name.as_str()))
    }

    fn meant(&self, spelling: Spelling<'t>) -> Identifier<'_> {
        spelling.plain().unwrap_or_else(|| {
            let name = self.names.get(spelling.escaped());
            Identifier::new(name.map_or("", String::as_str))
        })
    }

    /// The operator of a chain: see `__private::chain`.
    pub(crate) fn chain(&self) -> Option<Operator> {
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
        formula::write(&self.items[..], self.items.len(), f)
    }
}

/// Sets of names, each a name or the union of two others.
struct Unions<'m, 't, M> {
    machine: &'m M,
    all: Vec<Union<'t>>,
}

#[derive(Clone, Copy)]
enum Union<'t> {
    Name(Spelling<'t>),
    Of(usize, usize),
}

impl<'t, M: Machine> Sets<Spelling<'t>> for Unions<'_, 't, M> {
    type Set = Option<usize>;

    const NONE: Option<usize> = None;

    fn of(&mut self, name: Spelling<'t>) -> Option<usize> {
        self.all.push(Union::Name(name));
        Some(self.all.len() - 1)
    }

    fn union(&mut self, one: Option<usize>, other: Option<usize>) -> Option<usize> {
        let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
        self.all.push(Union::Of(one, other));
        Some(self.all.len() - 1)
    }

    fn known(&self, query: Query, name: Spelling<'t>) -> Option<f64> {
        name.with(|name| query.known(name, self.machine))
    }
}

impl<'t, M> Unions<'_, 't, M> {
    /// The names of a set.
    fn names(&self, set: Option<usize>) -> BTreeSet<String> {
        let (mut names, mut open) = (BTreeSet::new(), Vec::from_iter(set));
        while let Some(set) = open.pop() {
            match self.all[set] {
                Union::Name(name) => {
                    names.insert(name.to_string());
                }
                Union::Of(one, other) => open.extend([one, other]),
            }
        }
        names
    }
}
