//! A formula whose names have a meaning.

use core::fmt;
use std::borrow::Cow;
use std::string::String;
use std::sync::Arc;
use std::vec;
use std::vec::Vec;

use super::program::{Meaning, Program};
use crate::Metric;
use crate::expr::{EventValue, Machine};
use crate::measure::raw_count::RawCount;
use pmu_events_core::__private::scale;

/// A formula written by a user, whose names have a meaning on a system.
///
/// Returned by [`Formulas::bind`](super::Formulas::bind), and part of a
/// [`Request`](crate::measure::Request).
///
/// ```
/// use pmu_events::System;
/// use pmu_events::measure::Formulas;
///
/// let formulas = r"per_second [1e-6M/s] = page\-faults / duration_time".parse::<Formulas>()?;
/// let bound = formulas.bind(&System::new())?;
/// assert_eq!((bound[0].name(), bound[0].scale()), ("per_second", (1e-6, "M/s")));
/// # Ok::<(), pmu_events::measure::FormulaError>(())
/// ```
#[derive(Clone)]
pub struct Formula {
    pub(super) set: Arc<Set>,
    pub(super) number: usize,
}

/// All formulas of a text, each after those that it refers to.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) formulas: Vec<Bound>,
    /// The kind of core whose metrics names mean, if there are several.
    pub(super) kind: Option<&'static str>,
}

#[derive(Debug)]
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) scale: String,
    pub(super) formula: String,
    pub(super) program: Program,
}

/// An event or a retirement latency of a formula: as spelled there, and the PMU of the
/// metric in whose formula it is.
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
        &self.bound().formula
    }

    /// Returns the PMU of the kind of core whose metrics the formula refers to; `None` if it
    /// refers to none, or if the machine's tables have only one kind.
    #[must_use]
    pub fn pmu(&self) -> Option<&'static str> {
        let kind = self.set.kind?;
        self.metrics().iter().any(|metric| metric.pmu() == kind).then_some(kind)
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
        for number in self.reached(Program::numbers) {
            for meaning in self.set.formulas[number].program.meanings() {
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
    fn reached<I: IntoIterator<Item = u8>>(&self, names: impl Fn(&Program) -> I) -> Vec<usize> {
        let formulas = &self.set.formulas;
        let mut is_needed = vec![false; self.number + 1];
        is_needed[self.number] = true;
        for number in (0..=self.number).rev() {
            if is_needed[number] {
                let program = &formulas[number].program;
                for name in names(program) {
                    if let (_, Meaning::Formula(other)) = program.name(name) {
                        is_needed[*other] = true;
                    }
                }
            }
        }
        (0..=self.number).filter(|&number| is_needed[number]).collect()
    }

    /// The events and the retirement latencies that the value needs on a machine, without
    /// duplicates.
    pub(in crate::measure) fn operands_on(&self, machine: &impl Machine) -> Vec<Needed> {
        let mut all: Vec<Needed> = Vec::new();
        let mut add = |needed: Needed| {
            if !all.contains(&needed) {
                all.push(needed);
            }
        };
        for number in self.reached(|program| program.needed_on(machine)).into_iter().rev() {
            let program = &self.set.formulas[number].program;
            for name in program.needed_on(machine) {
                match program.name(name) {
                    (name, Meaning::Event) => add((Cow::Owned(name.into()), None)),
                    (_, Meaning::Metric(metric)) => {
                        let latencies = metric.latencies_on(machine);
                        for operand in metric.events_on(machine).chain(latencies) {
                            add((Cow::Borrowed(operand.as_str()), Some(metric.pmu())));
                        }
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// The value before its scale is applied. Each formula and each metric is
    /// evaluated once. The events of a metric have the units of its tree, those of the
    /// formula itself the user's.
    pub(in crate::measure) fn unscaled_on(
        &self,
        machine: &impl Machine,
        count: impl Fn(&str, Option<&str>) -> RawCount,
    ) -> f64 {
        let formulas = &self.set.formulas;
        let mut known = vec![f64::NAN; formulas.len()];
        for number in self.reached(Program::numbers) {
            let value = |name: &str, meaning: &Meaning| match *meaning {
                Meaning::Formula(number) => EventValue::from(known[number]),
                Meaning::Metric(metric) => EventValue::from(metric.unscaled_on(machine, |event| {
                    count(event.as_str(), Some(metric.pmu())).in_formula_of_tree()
                })),
                Meaning::Event => count(name, None).in_formula_of_user(),
                Meaning::Cpuid => EventValue::UNKNOWN,
            };
            let value = formulas[number].program.evaluate(machine, value);
            known[number] = value;
        }
        known[self.number]
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
