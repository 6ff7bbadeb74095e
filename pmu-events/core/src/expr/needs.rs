//! The names whose values a formula needs on a machine.

use super::item::{Function, Item, MAX_DEPTH, Operator, Query};
use super::machine::Machine;
use super::steps::Steps;

/// Sets of names, and what is known about them before anything is counted.
pub trait Sets<N> {
    /// A set.
    type Set: Copy;

    /// The empty set.
    const NONE: Self::Set;

    /// The set of one name.
    fn of(&mut self, name: N) -> Self::Set;

    /// The names of both sets.
    fn union(&mut self, one: Self::Set, other: Self::Set) -> Self::Set;

    /// The answer of a query, if it is known ([`Query::known`]).
    fn known(&self, query: Query, name: N) -> Option<f64>;
}

/// Finds the names that a formula needs on a machine, as perf's `expr__find_ids` does
/// (the actions for `compute_ids` in `tools/perf/util/expr.y`): those in branches that
/// the machine never takes are not needed, nor is anything that cannot change the value.
/// Whatever is no formula needs nothing.
pub fn needed<S: Steps, T: Sets<S::Name>>(
    mut steps: S,
    machine: &impl Machine,
    sets: &mut T,
) -> T::Set {
    let mut stack = [Operand::number(0.0, T::NONE); MAX_DEPTH + 1];
    let mut len = 0usize;
    while let Some(step) = steps.next_step() {
        let Some(base) = len.checked_sub(step.takes()) else {
            return T::NONE;
        };
        let [a, b, c] = core::array::from_fn(|n| {
            let operand = if n < step.takes() { stack.get(base + n) } else { None };
            operand.copied().unwrap_or(Operand::number(0.0, T::NONE))
        });
        let number = |value: f64| Operand::number(value, T::NONE);
        let result = match step {
            Item::Number(value) => number(value),
            Item::Literal(literal) => number(machine.literal(literal)),
            Item::Identifier(name) => Operand::any(sets.of(name)),
            Item::Query(query, name) => match sets.known(query, name) {
                Some(value) => number(value),
                // No value answers it.
                None if query == Query::StrcmpCpuidStr => Operand::any(T::NONE),
                None => Operand::any(sets.of(name)),
            },
            Item::Negate => Operand { value: -a.value, ..a },
            Item::Binary(operator) => {
                binary(operator, a, b, T::NONE, |a, b| sets.union(a.needs, b.needs))
            }
            Item::Function(Function::DRatio) if b.value == 0.0 => number(0.0),
            Item::Function(function) if a.is_number() && b.is_number() => {
                number(function.apply(a.value, b.value))
            }
            Item::Function(_) => Operand::any(sets.union(a.needs, b.needs)),
            Item::IfElse if b.value == 0.0 => c,
            Item::IfElse if b.is_number() => a,
            Item::IfElse if a.value == c.value => number(a.value),
            Item::IfElse => {
                let both = sets.union(a.needs, b.needs);
                Operand::any(sets.union(both, c.needs))
            }
        };
        let Some(place) = stack.get_mut(base) else {
            return T::NONE;
        };
        *place = result;
        len = base + 1;
    }
    if len == 1 { stack[0].needs } else { T::NONE }
}

fn binary<S: Copy>(
    operator: Operator,
    a: Operand<S>,
    b: Operand<S>,
    none: S,
    union: impl FnOnce(Operand<S>, Operand<S>) -> S,
) -> Operand<S> {
    if a.is_number()
        && b.is_number()
        && let Some(value) = operator.apply(a.value, b.value)
    {
        return Operand::number(value, none);
    }
    let stays = |number: &Operand<S>| number.is_number() && number.value != 0.0;
    match operator {
        Operator::Divide if b.value == 0.0 => Operand::number(f64::NAN, none),
        Operator::And if a.value == 0.0 || b.value == 0.0 => Operand::number(0.0, none),
        Operator::Or if stays(&a) || stays(&b) => Operand::number(1.0, none),
        Operator::And | Operator::Or if a.is_number() => b,
        Operator::And | Operator::Or if b.is_number() => a,
        _ => Operand::any(union(a, b)),
    }
}

/// An operand: either its needs with an unknown value, or a number, which needs
/// nothing. NaN represents any value, as in perf.
#[derive(Clone, Copy)]
struct Operand<S> {
    value: f64,
    needs: S,
}

impl<S> Operand<S> {
    const fn number(value: f64, none: S) -> Self {
        Operand { value, needs: none }
    }

    const fn any(needs: S) -> Self {
        Operand { value: f64::NAN, needs }
    }

    const fn is_number(&self) -> bool {
        self.value.is_finite()
    }
}
