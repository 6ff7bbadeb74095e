//! The program of a formula, as trees have it, with what its names mean.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use super::limits::{MAX_NAMES, MAX_TEXT};
use crate::Metric;
use pmu_events_core::__private::expr::{EventValue, Identifier, Item, Machine, Query, Spelling};
use pmu_events_core::__private::formula::Names;
use pmu_events_core::__private::wire::program::{Code, Limit, Numbers, Step, compile};

/// What a name means.
#[derive(Debug)]
pub(super) enum Meaning {
    /// A formula of the same text, by its number in the set.
    Formula(usize),
    Metric(Metric),
    Event,
    /// An argument of `strcmp_cpuid_str`.
    Cpuid,
}

/// What a formula uses a name for. One name in two uses may mean two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Its value, or of how many counts that consists.
    Value,
    /// Whether the machine has an event of the name.
    HasEvent,
    Cpuid,
}

#[derive(Debug)]
struct Name {
    text: String,
    used_for: Use,
    meaning: Meaning,
}

/// A compiled formula: what trees keep packed, on the heap.
#[derive(Debug)]
pub(super) struct Program {
    depth: u8,
    steps: Vec<u8>,
    constants: Vec<[u8; 8]>,
    /// In the order of the text.
    names: Vec<Name>,
}

impl Program {
    /// Compiles the items of a formula.
    ///
    /// # Errors
    ///
    /// Returns the first limit of programs that the formula exceeds.
    pub(super) fn new(
        items: &[Item<Spelling<'_>>],
        meaning: impl Fn(&str) -> Meaning,
    ) -> Result<Self, Limit> {
        let mut items = items.to_vec();
        let mut own = Own { meaning, constants: BTreeMap::new(), names: Vec::new() };
        let mut steps = Vec::new();
        let put = &mut |step: Step| step.write(&mut |bytes| steps.extend_from_slice(bytes));
        let depth = compile(&mut items, |_| None, &mut own, put)?;
        let Own { constants: numbers, names, .. } = own;
        let mut constants = vec![[0; 8]; numbers.len()];
        numbers.into_iter().for_each(|(bits, number)| constants[usize::from(number)] = bits);
        Ok(Program { depth, steps, constants, names })
    }

    fn code(&self) -> Code<'_> {
        Code { depth: self.depth, steps: &self.steps, constants: &self.constants }
    }

    /// The numbers of all names.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u8> + use<> {
        (0..=u8::MAX).take(self.names.len())
    }

    pub(super) fn name(&self, number: u8) -> (&str, &Meaning) {
        let name = &self.names[usize::from(number)];
        (&name.text, &name.meaning)
    }

    pub(super) fn meanings(&self) -> impl Iterator<Item = &Meaning> {
        self.names.iter().map(|name| &name.meaning)
    }

    /// Whether the formula has no value, whatever is counted.
    pub(super) fn is_never_known(&self) -> bool {
        matches!(self.code().item(0), Some((Item::Number(number), end))
            if number.is_nan() && end == self.steps.len())
    }

    /// The names that matter on a machine, in the order of the text.
    pub(super) fn needed_on(&self, machine: &impl Machine) -> Vec<u8> {
        let needed = self.code().needed(machine, |number| Some(self.identifier(number)));
        self.numbers().filter(|&number| needed.has(number)).collect()
    }

    pub(super) fn evaluate(
        &self,
        machine: &impl Machine,
        value: impl Fn(&str, &Meaning) -> EventValue,
    ) -> f64 {
        let values = self.names.iter().map(|name| value(&name.text, &name.meaning)).collect();
        self.code().value(machine, &mut Values { program: self, machine, values })
    }

    fn identifier(&self, number: u8) -> Identifier<'_> {
        Identifier::new(self.name(number).0)
    }
}

/// What one formula refers to.
struct Own<M> {
    meaning: M,
    constants: BTreeMap<[u8; 8], u16>,
    names: Vec<Name>,
}

impl<M: Fn(&str) -> Meaning> Numbers<Spelling<'_>> for Own<M> {
    /// Each takes a byte of the text at least.
    const MAX_STEPS: usize = MAX_TEXT;

    fn constant(&mut self, constant: f64) -> Option<u16> {
        let fresh = u16::try_from(self.constants.len());
        match self.constants.entry(constant.to_le_bytes()) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(place) => Some(*place.insert(fresh.ok()?)),
        }
    }

    fn identifier(&mut self, spelling: Spelling<'_>, query: Option<Query>) -> Option<u8> {
        let used_for = match query {
            Some(Query::HasEvent) => Use::HasEvent,
            Some(Query::StrcmpCpuidStr) => Use::Cpuid,
            _ => Use::Value,
        };
        let text = spelling.to_string();
        let is_same = |name: &Name| name.text == text && name.used_for == used_for;
        let known = self.names.iter().position(is_same);
        if known.is_none() && self.names.len() == MAX_NAMES {
            return None;
        }
        let number = u8::try_from(known.unwrap_or(self.names.len())).ok()?;
        if known.is_none() {
            let meaning = match used_for {
                Use::Value => (self.meaning)(&text),
                Use::HasEvent => Meaning::Event,
                Use::Cpuid => Meaning::Cpuid,
            };
            self.names.push(Name { text, used_for, meaning });
        }
        Some(number)
    }
}

/// The values of a program's names.
struct Values<'p, M> {
    program: &'p Program,
    machine: &'p M,
    values: Vec<EventValue>,
}

impl<M: Machine> Names<u8> for Values<'_, M> {
    fn value(&mut self, number: u8) -> f64 {
        self.values[usize::from(number)].value()
    }

    fn answer(&mut self, query: Query, number: u8) -> f64 {
        let value = self.values[usize::from(number)];
        query.answer(self.program.identifier(number), self.machine, |_| value)
    }
}
