//! Recording the literals that a machine does not know: a formula with such a
//! literal has no value.

use core::cell::RefCell;
use std::vec::Vec;

use crate::expr::{Identifier, Literal, Machine};
use crate::system::SystemMachine;

/// A machine, and the literals that it did not know so far.
pub(super) struct Listening<'m> {
    machine: &'m SystemMachine,
    unknown: RefCell<Vec<Literal>>,
}

impl<'m> Listening<'m> {
    pub(super) fn new(machine: &'m SystemMachine) -> Self {
        Listening { machine, unknown: RefCell::default() }
    }

    /// Without duplicates, in the order in which they were requested.
    pub(super) fn unknown(self) -> Vec<Literal> {
        self.unknown.into_inner()
    }
}

impl Machine for Listening<'_> {
    fn literal(&self, literal: Literal) -> f64 {
        let value = self.machine.literal(literal);
        let mut unknown = self.unknown.borrow_mut();
        if value.is_nan() && !unknown.contains(&literal) {
            unknown.push(literal);
        }
        value
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        self.machine.has_event(event)
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        self.machine.cpuid_matches(cpuid)
    }
}
