//! The steps of formulas, however they are kept.

use core::slice;

use super::item::{Item, Operator};

/// The rest of a formula in postfix order: items, or the bytes of a program.
pub trait Steps {
    /// What stands for a name.
    type Name: Copy;

    /// Takes the next step.
    fn next_step(&mut self) -> Option<Item<Self::Name>>;

    /// Takes the next step if it is an identifier. Most steps are of these three kinds,
    /// which are faster to tell apart on their own.
    fn next_identifier(&mut self) -> Option<Self::Name>;

    /// Takes the next step if it is a number.
    fn next_number(&mut self) -> Option<f64>;

    /// Takes the next step if it is an operator.
    fn next_operator(&mut self) -> Option<Operator>;

    /// Whether no step is left. If there is no next one all the same, what is left is none.
    fn is_over(&self) -> bool;
}

impl<N: Copy> Steps for slice::Iter<'_, Item<N>> {
    type Name = N;

    #[inline(always)]
    fn next_step(&mut self) -> Option<Item<N>> {
        self.next().copied()
    }

    #[inline(always)]
    fn next_identifier(&mut self) -> Option<N> {
        let [Item::Identifier(name), rest @ ..] = self.as_slice() else { return None };
        *self = rest.iter();
        Some(*name)
    }

    #[inline(always)]
    fn next_number(&mut self) -> Option<f64> {
        let [Item::Number(number), rest @ ..] = self.as_slice() else { return None };
        *self = rest.iter();
        Some(*number)
    }

    #[inline(always)]
    fn next_operator(&mut self) -> Option<Operator> {
        let [Item::Binary(operator), rest @ ..] = self.as_slice() else { return None };
        *self = rest.iter();
        Some(*operator)
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.as_slice().is_empty()
    }
}
