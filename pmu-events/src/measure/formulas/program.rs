//! A parsed formula that owns its names, so that no evaluation parses it again.

use std::collections::BTreeMap;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::Metric;
use crate::expr::{self, EventValue, Identifier, Item, Machine, Query, Spelling};

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

/// The items of a formula, whose names are numbers.
#[derive(Debug)]
pub(super) struct Program {
    items: Vec<Item<u16>>,
    /// In alphabetical order.
    names: Vec<(String, Meaning)>,
}

impl Program {
    /// A formula has at most [`MAX_NAMES`](super::MAX_NAMES) names, each of which may
    /// also be a CPUID.
    pub(super) fn new(items: &[Item<Spelling<'_>>], meaning: impl Fn(&str) -> Meaning) -> Self {
        // A CPUID may look like an event.
        let key = |spelling: Spelling<'_>, query| {
            (spelling.to_string(), query == Some(Query::StrcmpCpuidStr))
        };
        let names = items.iter().filter_map(Item::identifier);
        let mut numbers: BTreeMap<(String, bool), u16> =
            names.map(|(spelling, query)| (key(spelling, query), 0)).collect();
        (0..).zip(numbers.values_mut()).for_each(|(n, number)| *number = n);
        let number = |spelling, query| numbers[&key(spelling, query)];
        let items = items.iter().map(|item| item.with_name(number)).collect();
        let named = |(name, is_cpuid): (String, bool)| {
            let meaning = if is_cpuid { Meaning::Cpuid } else { meaning(&name) };
            (name, meaning)
        };
        Program { items, names: numbers.into_keys().map(named).collect() }
    }

    /// The numbers of all names.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u16> + use<> {
        (0..).take(self.names.len())
    }

    pub(super) fn name(&self, number: u16) -> (&str, &Meaning) {
        let (name, meaning) = &self.names[usize::from(number)];
        (name, meaning)
    }

    pub(super) fn meanings(&self) -> impl Iterator<Item = &Meaning> {
        self.names.iter().map(|(_, meaning)| meaning)
    }

    /// The names that matter on a machine, in the order of the text.
    pub(super) fn needed_on(&self, machine: &impl Machine) -> Vec<u16> {
        let mut items = self.items.clone();
        let left = expr::simplify(&mut items, |item| match *item {
            Item::Literal(literal) => Some(machine.literal(literal)),
            Item::Query(query, name) => query.known(self.identifier(name), machine),
            _ => None,
        });
        let mut needed = Vec::new();
        for (name, query) in items[..left].iter().filter_map(Item::identifier) {
            if query != Some(Query::StrcmpCpuidStr) && !needed.contains(&name) {
                needed.push(name);
            }
        }
        needed
    }

    pub(super) fn evaluate(
        &self,
        machine: &impl Machine,
        value: impl Fn(&str, &Meaning) -> EventValue,
    ) -> f64 {
        let values: Vec<EventValue> =
            self.names.iter().map(|(name, meaning)| value(name, meaning)).collect();
        expr::evaluate_named(&self.items, machine, |name: u16, query| {
            let value = values[usize::from(name)];
            match query {
                None => value.value(),
                Some(query) => query.answer(self.identifier(name), machine, |_| value),
            }
        })
    }

    fn identifier(&self, number: u16) -> Identifier<'_> {
        Identifier::new(self.name(number).0)
    }
}
