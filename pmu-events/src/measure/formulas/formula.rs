//! A formula whose names have a meaning.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec;
use std::vec::Vec;

use crate::expr::{EventValue, Machine};
use crate::{Metric, metric, scale};

/// A formula written by a user, whose names have a meaning on a system. Returned by
/// [`Formulas::bind`](super::Formulas::bind), and part of a
/// [`Request`](crate::measure::Request).
#[derive(Clone)]
pub struct Formula {
    pub(super) set: Arc<Set>,
    pub(super) number: usize,
}

/// All formulas of a text, each after those that it refers to.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) formulas: Vec<Bound>,
}

#[derive(Debug)]
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) scale: String,
    pub(super) formula: String,
    /// By plain names.
    pub(super) meanings: BTreeMap<String, Meaning>,
}

/// What a name means.
#[derive(Debug)]
pub(super) enum Meaning {
    /// A formula of the same text, by its number in the set.
    Formula(usize),
    Metric(Metric),
    Event,
}

/// An event of a formula: as spelled there, and the PMU of the metric in whose
/// formula it is.
pub(in crate::measure) type Needed = (Cow<'static, str>, Option<&'static str>);

impl Formula {
    fn bound(&self) -> &Bound {
        &self.set.formulas[self.number]
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.bound().name
    }

    /// Returns the formula as written.
    #[must_use]
    pub fn expression(&self) -> &str {
        self.bound().formula.trim()
    }

    /// Returns the factor and unit of the value: 100 and `%` for `[100%]`.
    #[must_use]
    pub fn scale(&self) -> (f64, &str) {
        let scale = self.bound().scale.as_str();
        if scale.is_empty() { (1.0, "") } else { scale::split(scale) }
    }

    /// Returns the metrics of the machine's tables that the formula refers to,
    /// directly or through other formulas.
    #[must_use]
    pub fn metrics(&self) -> Vec<Metric> {
        let mut all = Vec::new();
        for number in self.reached(|bound| bound.meanings.keys().cloned().collect()) {
            for meaning in self.set.formulas[number].meanings.values() {
                match *meaning {
                    Meaning::Metric(metric) if !all.contains(&metric) => all.push(metric),
                    _ => {}
                }
            }
        }
        all
    }

    /// The numbers of the formulas that the value needs, its own last. `names`
    /// returns the names that matter in one.
    fn reached(&self, names: impl Fn(&Bound) -> Vec<String>) -> Vec<usize> {
        let formulas = &self.set.formulas;
        let mut is_needed = vec![false; self.number + 1];
        is_needed[self.number] = true;
        for number in (0..=self.number).rev() {
            if is_needed[number] {
                let bound = &formulas[number];
                for name in names(bound) {
                    if let Some(Meaning::Formula(other)) = bound.meanings.get(&name) {
                        is_needed[*other] = true;
                    }
                }
            }
        }
        (0..=self.number).filter(|&number| is_needed[number]).collect()
    }

    /// The events that the value needs on a machine, without duplicates.
    pub(in crate::measure) fn events_on(&self, machine: &impl Machine) -> Vec<Needed> {
        let names = |bound: &Bound| bound.needed_on(machine);
        let mut all: Vec<Needed> = Vec::new();
        let mut add = |needed: Needed| {
            if !all.contains(&needed) {
                all.push(needed);
            }
        };
        for number in self.reached(names).into_iter().rev() {
            let bound = &self.set.formulas[number];
            for name in bound.needed_on(machine) {
                match bound.meanings.get(&name) {
                    Some(Meaning::Event) => add((Cow::Owned(name), None)),
                    Some(Meaning::Metric(metric)) => {
                        for event in metric.events_on(machine) {
                            add((Cow::Borrowed(event.as_str()), Some(metric.pmu())));
                        }
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// The value before its scale is applied. Each formula and each metric is
    /// evaluated once.
    pub(in crate::measure) fn unscaled_on(
        &self,
        machine: &impl Machine,
        reading: impl Fn(&str, Option<&str>) -> EventValue,
    ) -> f64 {
        let formulas = &self.set.formulas;
        let mut known = vec![f64::NAN; formulas.len()];
        for number in self.reached(|bound| bound.meanings.keys().cloned().collect()) {
            known[number] = formulas[number].value(machine, &known, &reading);
        }
        known[self.number]
    }
}

impl Bound {
    /// The names that matter on a machine.
    fn needed_on(&self, machine: &impl Machine) -> Vec<String> {
        let Ok(parsed) = metric::parse(&self.formula) else { return Vec::new() };
        let needed = parsed.simplified_for(machine);
        needed.identifiers().map(|identifier| identifier.to_string()).collect()
    }

    fn value(
        &self,
        machine: &impl Machine,
        known: &[f64],
        reading: impl Fn(&str, Option<&str>) -> EventValue,
    ) -> f64 {
        let Ok(parsed) = metric::parse(&self.formula) else { return f64::NAN };
        let value = |(name, meaning): (&String, &Meaning)| match *meaning {
            Meaning::Formula(number) => EventValue::from(known[number]),
            Meaning::Metric(metric) => EventValue::from(
                metric.unscaled_on(machine, |event| reading(event.as_str(), Some(metric.pmu()))),
            ),
            Meaning::Event => reading(name, None),
        };
        let values: Vec<(&str, EventValue)> =
            self.meanings.iter().map(|one| (one.0.as_str(), value(one))).collect();
        parsed.evaluate_on(machine, |identifier| {
            let found = values.binary_search_by_key(&identifier.as_str(), |(name, _)| name);
            found.map_or(EventValue::UNKNOWN, |place| values[place].1)
        })
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formula")
            .field("name", &self.name())
            .field("expression", &self.expression())
            .finish_non_exhaustive()
    }
}

/// Two formulas are equal if they are the same formula of one
/// [`bind`](super::Formulas::bind).
impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.set, &other.set) && self.number == other.number
    }
}

impl Eq for Formula {}
