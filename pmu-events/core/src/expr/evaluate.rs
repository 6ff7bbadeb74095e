use super::arithmetic::choose;
use super::identifier::{Identifier, Spelling};
use super::item::MAX_DEPTH;
use super::item::{Function, Item, Operator, Query};
use super::machine::{EventValue, Machine};
use super::steps::Steps;
use crate::event_list::Tool;

/// Evaluates an expression given as items in postfix order, as produced by
/// `parse`.
///
/// Returns NaN if something is unknown, or where perf reports no value
/// ([`Operator::apply`]).
///
/// Takes time linear in the number of items and uses no heap. Malformed item
/// sequences evaluate to NaN.
///
/// ```
/// use pmu_events::__private::expr::{self, Item, UnknownMachine};
///
/// let mut items = [Item::Negate; 8];
/// let mut len = 0;
/// expr::parse("100 * HITS / (HITS + MISSES)", |item, _| {
///     items[len] = item;
///     len += 1;
/// })?;
/// let value = expr::evaluate(&items[..len], &UnknownMachine, |id| match id.as_str() {
///     "HITS" => 30.0,
///     "MISSES" => 90.0,
///     _ => f64::NAN,
/// });
/// assert_eq!(value, 25.0);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
pub fn evaluate<R: Into<EventValue>>(
    items: &[Item<Spelling<'_>>],
    machine: &impl Machine,
    mut values: impl FnMut(Identifier<'_>) -> R,
) -> f64 {
    let mut room = [0.0; MAX_DEPTH + 1];
    let mut names = Spelled { machine, values: &mut values };
    value(items.iter(), &mut room, machine, &mut names)
}

/// Evaluates an expression like [`evaluate`], with names of any type.
///
/// `value` returns the value of an identifier, or the answer of a query
/// ([`Query::answer`]).
///
/// ```
/// use pmu_events::__private::expr::{self, Identifier, UnknownMachine};
///
/// // The names of "MISSES / ACCESSES", by their numbers.
/// let names = ["MISSES", "ACCESSES"];
/// let mut items = Vec::new();
/// expr::parse("MISSES / ACCESSES if source_count(MISSES) > 0 else 0", |item, _| {
///     items.push(item.with_name(|spelling, _| names.iter().position(|n| *n == spelling.escaped())));
/// })?;
/// let counts = [Some(3.0), Some(12.0)];
/// let count = |name: Option<usize>| name.and_then(|n| counts[n]).unwrap_or(f64::NAN);
/// let value = expr::evaluate_named(&items, &UnknownMachine, |name, query| match query {
///     None => count(name),
///     Some(query) => query.answer(Identifier::new(""), &UnknownMachine, |_| count(name)),
/// });
/// assert_eq!(value, 0.25);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
pub fn evaluate_named<N: Copy>(
    items: &[Item<N>],
    machine: &impl Machine,
    mut value: impl FnMut(N, Option<Query>) -> f64,
) -> f64 {
    let mut room = [0.0; MAX_DEPTH + 1];
    self::value(items.iter(), &mut room, machine, &mut value)
}

/// Evaluates a formula, however its steps are kept, with room for the values that it
/// holds back. NaN if something is unknown.
#[inline(always)]
pub(crate) fn value<S: Steps>(
    steps: S,
    room: &mut [f64],
    machine: &impl Machine,
    names: &mut impl Names<S::Name>,
) -> f64 {
    run(steps, Stack::new(room), machine, names).unwrap_or(f64::NAN)
}

/// `None` if the evaluation is aborted.
#[inline(always)]
fn run<S: Steps>(
    mut steps: S,
    mut stack: Stack<'_>,
    machine: &impl Machine,
    names: &mut impl Names<S::Name>,
) -> Option<f64> {
    loop {
        let value = if let Some(name) = steps.next_identifier() {
            names.value(name)
        } else if let Some(number) = steps.next_number() {
            number
        } else if let Some(operator) = steps.next_operator() {
            stack.binary(operator)?;
            continue;
        } else {
            let Some(step) = steps.next_step() else { break };
            match step {
                Item::Number(number) => number,
                Item::Literal(literal) => literal_value(literal, machine)?,
                Item::Identifier(name) => names.value(name),
                Item::Query(query, name) => names.answer(query, name),
                Item::Negate => {
                    stack.negate()?;
                    continue;
                }
                Item::Binary(operator) => {
                    stack.binary(operator)?;
                    continue;
                }
                Item::Function(function) => {
                    stack.function(function)?;
                    continue;
                }
                Item::IfElse => {
                    stack.if_else()?;
                    continue;
                }
            }
        };
        // Most values are the right operand of the next operator and need not
        // be pushed.
        match steps.next_operator() {
            Some(operator) => stack.binary_with(operator, value)?,
            None => stack.push(value)?,
        }
    }
    if steps.is_over() { Some(stack.result()) } else { None }
}

/// The values of names, and the answers of queries about them: two functions, because
/// one with both is some 7% slower.
pub trait Names<N> {
    /// The value of an identifier.
    fn value(&mut self, name: N) -> f64;

    /// The answer of a query ([`Query::answer`]).
    fn answer(&mut self, query: Query, name: N) -> f64;
}

struct Spelled<'v, M, V> {
    machine: &'v M,
    values: &'v mut V,
}

impl<M, V, R> Names<Spelling<'_>> for Spelled<'_, M, V>
where
    M: Machine,
    V: FnMut(Identifier<'_>) -> R,
    R: Into<EventValue>,
{
    #[inline(always)]
    fn value(&mut self, name: Spelling<'_>) -> f64 {
        name.with(&mut *self.values).into().value
    }

    #[inline(always)]
    fn answer(&mut self, query: Query, name: Spelling<'_>) -> f64 {
        name.with(|identifier| query.answer(identifier, self.machine, &mut *self.values))
    }
}

impl<N, F: FnMut(N, Option<Query>) -> f64> Names<N> for F {
    fn value(&mut self, name: N) -> f64 {
        self(name, None)
    }

    fn answer(&mut self, query: Query, name: N) -> f64 {
        self(name, Some(query))
    }
}

/// An unknown literal aborts the formula, as in perf's lexer.
#[inline]
fn literal_value(literal: Tool, machine: &impl Machine) -> Option<f64> {
    let value = machine.literal(literal);
    if value.is_nan() { None } else { Some(value) }
}

impl Query {
    /// Returns the answer if it is known before anything is counted: whether the
    /// machine has an event, and whether its CPUID matches.
    ///
    /// ```
    /// use pmu_events::__private::expr::{Identifier, Machine, Query, UnknownMachine};
    ///
    /// struct Machine6;
    ///
    /// impl Machine for Machine6 {
    ///     fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
    ///         Some(cpuid.as_str() == "6")
    ///     }
    /// }
    /// let seven = Identifier::new("7");
    /// assert_eq!(Query::StrcmpCpuidStr.known(seven, &Machine6), Some(0.0));
    /// assert_eq!(Query::StrcmpCpuidStr.known(seven, &UnknownMachine), None);
    /// ```
    #[inline]
    pub fn known(self, identifier: Identifier<'_>, machine: &impl Machine) -> Option<f64> {
        let is_true = match self {
            Query::HasEvent => machine.has_event(identifier),
            Query::StrcmpCpuidStr => machine.cpuid_matches(identifier),
            Query::SourceCount | Query::AggrNr => None,
        };
        is_true.map(f64::from)
    }

    /// Returns the answer in an evaluation. If the machine does not know whether it
    /// has an event, it has one that has a value.
    #[inline]
    pub fn answer<'a, R: Into<EventValue>>(
        self,
        identifier: Identifier<'a>,
        machine: &impl Machine,
        values: impl FnOnce(Identifier<'a>) -> R,
    ) -> f64 {
        if let Some(known) = self.known(identifier, machine) {
            return known;
        }
        match self {
            Query::SourceCount => values(identifier).into().sources,
            Query::AggrNr => values(identifier).into().aggregated,
            Query::HasEvent => f64::from(!values(identifier).into().value.is_nan()),
            Query::StrcmpCpuidStr => f64::NAN,
        }
    }
}

/// The values waiting for their operator. The last one, which the next step
/// always needs, is kept separately. Each step returns `None` if the formula
/// has no value.
struct Stack<'w> {
    /// The first is never read: it is the place of the last value of an empty
    /// stack.
    waiting: &'w mut [f64],
    len: usize,
    last: f64,
}

impl<'w> Stack<'w> {
    /// Makes a stack with room for this many values.
    #[inline(always)]
    fn new(room: &'w mut [f64]) -> Self {
        Stack { waiting: room, len: 0, last: f64::NAN }
    }

    #[inline(always)]
    fn push(&mut self, value: f64) -> Option<()> {
        *self.waiting.get_mut(self.len)? = self.last;
        self.last = value;
        self.len += 1;
        Some(())
    }

    /// Removes the last two values and returns the lower one.
    #[inline(always)]
    fn below(&mut self) -> Option<f64> {
        let len = self.len.checked_sub(2)? + 1;
        self.len = len;
        self.waiting.get(len).copied()
    }

    #[inline(always)]
    fn negate(&mut self) -> Option<()> {
        self.last = -self.last;
        self.len.checked_sub(1).map(|_| ())
    }

    #[inline(always)]
    fn binary(&mut self, operator: Operator) -> Option<()> {
        let left = self.below()?;
        self.last = operator.apply(left, self.last)?;
        Some(())
    }

    /// [`Stack::push`] and [`Stack::binary`] in one step.
    #[inline(always)]
    fn binary_with(&mut self, operator: Operator, right: f64) -> Option<()> {
        if self.len == 0 {
            return None;
        }
        self.last = operator.apply(self.last, right)?;
        Some(())
    }

    #[inline(always)]
    fn function(&mut self, function: Function) -> Option<()> {
        let left = self.below()?;
        self.last = function.apply(left, self.last);
        Some(())
    }

    #[inline(always)]
    fn if_else(&mut self) -> Option<()> {
        let otherwise = self.last;
        let condition = self.below()?;
        let then = self.below()?;
        self.last = choose(then, condition, otherwise);
        Some(())
    }

    #[inline(always)]
    fn result(&self) -> f64 {
        if self.len == 1 { self.last } else { f64::NAN }
    }
}
