//! What formulas ask of a machine while a plan is made: which literals it does not know, as a
//! formula with such a literal has no value, and which events it has, each of which is looked
//! up once.

use core::cell::{RefCell, RefMut};
use std::string::ToString;
use std::vec::Vec;

use super::events::Events;
use crate::event_list::Tool;
use crate::expr::{Identifier, Machine};
use crate::system::SystemMachine;

/// A machine, the literals that it did not know so far, and the events that were asked for.
pub(super) struct Listening<'m> {
    machine: &'m SystemMachine,
    unknown: RefCell<Vec<Tool>>,
    events: RefCell<Events<'m>>,
}

impl<'m> Listening<'m> {
    pub(super) fn new(machine: &'m SystemMachine) -> Self {
        let events = RefCell::new(Events::new(machine.system()));
        Listening { machine, unknown: RefCell::default(), events }
    }

    pub(super) fn events(&self) -> RefMut<'_, Events<'m>> {
        self.events.borrow_mut()
    }

    /// The unknown literals without duplicates, in the order in which they were requested, and
    /// the events.
    pub(super) fn into_parts(self) -> (Vec<Tool>, Events<'m>) {
        (self.unknown.into_inner(), self.events.into_inner())
    }
}

impl Machine for Listening<'_> {
    fn literal(&self, literal: Tool) -> f64 {
        let value = self.machine.literal(literal);
        let mut unknown = self.unknown.borrow_mut();
        if value.is_nan() && !unknown.contains(&literal) {
            unknown.push(literal);
        }
        value
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        let mut events = self.events();
        let id = events.id(event.with_parameter(0).to_string().into());
        Some(events.has(id))
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        self.machine.cpuid_matches(cpuid)
    }
}
