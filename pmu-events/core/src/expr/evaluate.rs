use super::arithmetic::choose;
use super::item::{Function, Identifier, Item, Literal, Operator, Query};
use super::machine::{Machine, Reading};
use super::parse::MAX_DEPTH;

/// The value of an expression whose items are given in postfix order, as
/// [`parse`](super::parse()) yields them. NaN where something is not known, or
/// where perf gives up ([`Operator::apply`]).
///
/// Takes time linear in the number of items and no heap; items in no sensible
/// order have no value.
///
/// ```
/// use pmu_events_core::expr::{self, Item, UnknownMachine};
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
/// # Ok::<(), expr::Error>(())
/// ```
pub fn evaluate<'a, R: Into<Reading>>(
    items: &[Item<'a>],
    machine: &impl Machine,
    mut values: impl FnMut(Identifier<'a>) -> R,
) -> f64 {
    let mut stack = Stack::<{ MAX_DEPTH + 1 }>::new();
    for item in items {
        let done = match *item {
            Item::Number(number) => stack.push(number),
            Item::Literal(literal) => literal_value(literal, machine).and_then(|v| stack.push(v)),
            Item::Identifier(identifier) => stack.push(values(identifier).into().value),
            Item::Query(query, identifier) => {
                stack.push(query_value(query, identifier, machine, &mut values))
            }
            Item::Negate => stack.negate(),
            Item::Binary(operator) => stack.binary(operator),
            Item::Function(function) => stack.function(function),
            Item::IfElse => stack.if_else(),
        };
        if done.is_none() {
            return f64::NAN;
        }
    }
    stack.result()
}

/// A literal that is not known ends a formula, as in perf's lexer.
#[inline]
pub(crate) fn literal_value(literal: Literal, machine: &impl Machine) -> Option<f64> {
    let value = machine.literal(literal);
    if value.is_nan() { None } else { Some(value) }
}

#[inline]
pub(crate) fn query_value<'a, R: Into<Reading>>(
    query: Query,
    identifier: Identifier<'a>,
    machine: &impl Machine,
    values: &mut impl FnMut(Identifier<'a>) -> R,
) -> f64 {
    let known = match query {
        Query::SourceCount => return f64::from(values(identifier).into().sources),
        Query::AggrNr => return f64::from(values(identifier).into().aggregated),
        Query::HasEvent => Some(
            machine
                .has_event(identifier)
                .unwrap_or_else(|| !values(identifier).into().value.is_nan()),
        ),
        Query::StrcmpCpuidStr => machine.cpuid_matches(identifier),
    };
    known.map_or(f64::NAN, f64::from)
}

/// The values that wait for their operator. Each step says by `None` that the
/// formula has no value.
pub(crate) struct Stack<const N: usize> {
    values: [f64; N],
    len: usize,
}

impl<const N: usize> Stack<N> {
    #[inline]
    pub(crate) fn new() -> Self {
        Stack { values: [0.0; N], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, value: f64) -> Option<()> {
        *self.values.get_mut(self.len)? = value;
        self.len += 1;
        Some(())
    }

    #[inline]
    fn pop(&mut self) -> Option<f64> {
        self.len = self.len.checked_sub(1)?;
        self.values.get(self.len).copied()
    }

    #[inline]
    fn top(&mut self) -> Option<&mut f64> {
        self.values.get_mut(self.len.checked_sub(1)?)
    }

    #[inline]
    pub(crate) fn negate(&mut self) -> Option<()> {
        let value = self.top()?;
        *value = -*value;
        Some(())
    }

    #[inline]
    pub(crate) fn binary(&mut self, operator: Operator) -> Option<()> {
        let right = self.pop()?;
        let left = self.top()?;
        *left = operator.apply(*left, right)?;
        Some(())
    }

    #[inline]
    pub(crate) fn function(&mut self, function: Function) -> Option<()> {
        let right = self.pop()?;
        let left = self.top()?;
        *left = function.apply(*left, right);
        Some(())
    }

    #[inline]
    pub(crate) fn if_else(&mut self) -> Option<()> {
        let otherwise = self.pop()?;
        let condition = self.pop()?;
        let then = self.top()?;
        *then = choose(*then, condition, otherwise);
        Some(())
    }

    #[inline]
    pub(crate) fn result(&mut self) -> f64 {
        match self.pop() {
            Some(value) if self.len == 0 => value,
            _ => f64::NAN,
        }
    }
}
