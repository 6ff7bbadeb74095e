//! Programs of metrics, run.

use super::siblings::Siblings;
use crate::expr::{Identifier, MAX_DEPTH, Machine, Reading, Stack, literal_value, query_value};
use crate::wire::Wire;
use crate::wire::program::{Name, Program, Step};
use crate::wire::record::{FormulaRecord, MetricRecord, ReferenceRecord};

/// How many metrics may refer to each other in a row.
pub const MAX_NESTING: usize = 32;

/// Of how many metrics an evaluation remembers the value.
const MOST_KNOWN: usize = 128;

/// Programs that need no more than this take a smaller stack.
const USUAL_DEPTH: usize = 8;

/// The value of a formula of a metric; NaN where something is not known.
#[inline]
pub(super) fn value<'a, R: Into<Reading>>(
    siblings: &Siblings<'a>,
    metric: &MetricRecord,
    formula: u16,
    machine: &impl Machine,
    values: &mut impl FnMut(Identifier<'a>) -> R,
) -> f64 {
    let Some(formula) = siblings.wire.formula(formula) else {
        return f64::NAN;
    };
    let mut run = Run { siblings, machine, values, known: None, nesting: 0 };
    run.formula(&formula, metric.pmu)
}

/// One evaluation.
struct Run<'s, 'a, M, V> {
    siblings: &'s Siblings<'a>,
    machine: &'s M,
    values: &'s mut V,
    /// Room for them is made when it is needed.
    known: Option<Known>,
    nesting: usize,
}

impl<'a, M: Machine, V: FnMut(Identifier<'a>) -> R, R: Into<Reading>> Run<'_, 'a, M, V> {
    #[inline]
    fn formula(&mut self, formula: &FormulaRecord, pmu: u16) -> f64 {
        let program = self.siblings.wire.program(formula);
        // Room for few is made faster.
        let (mut few, mut many);
        let room: &mut [f64] = if usize::from(program.depth) <= USUAL_DEPTH {
            few = [0.0; USUAL_DEPTH];
            &mut few
        } else {
            many = [0.0; MAX_DEPTH + 1];
            &mut many
        };
        self.program(&program, Stack::new(room), pmu).unwrap_or(f64::NAN)
    }

    /// `None` where the formula is given up.
    #[inline(always)]
    fn program(&mut self, program: &Program<'a>, mut stack: Stack<'_>, pmu: u16) -> Option<f64> {
        let wire = self.siblings.wire;
        let code = program.code();
        let mut at = 0;
        while let Some(&first) = code.get(at) {
            at += 1;
            // Most steps are of these three kinds.
            let value = if let Some(number) = Step::short_identifier(first) {
                self.identifier(wire, program, number, pmu)
            } else if let Some(number) = Step::short_constant(first) {
                program.constant(number)
            } else if let Some(operator) = Step::operator(first) {
                stack.binary(operator)?;
                continue;
            } else {
                let (step, rest) = Step::read(code.get(at - 1..)?)?;
                at = code.len() - rest.len();
                match step {
                    Step::Identifier(number) => self.identifier(wire, program, number, pmu),
                    Step::Constant(number) => program.constant(number),
                    Step::Literal(literal) => literal_value(literal, self.machine)?,
                    Step::Query(query, number) => {
                        let Name::Event(identifier) = wire.name(program.identifier(number)) else {
                            return None;
                        };
                        query_value(query, identifier, self.machine, self.values)
                    }
                    Step::Negate => {
                        stack.negate()?;
                        continue;
                    }
                    Step::Binary(operator) => {
                        stack.binary(operator)?;
                        continue;
                    }
                    Step::Function(function) => {
                        stack.function(function)?;
                        continue;
                    }
                    Step::IfElse => {
                        stack.if_else()?;
                        continue;
                    }
                }
            };
            // Most values are their operator's right one, and need not wait.
            if let Some(&next) = code.get(at)
                && let Some(operator) = Step::operator(next)
            {
                at += 1;
                stack.binary_with(operator, value)?;
            } else {
                stack.push(value)?;
            }
        }
        Some(stack.result())
    }

    #[inline(always)]
    fn identifier(&mut self, wire: &Wire<'a>, program: &Program<'a>, number: u8, pmu: u16) -> f64 {
        match wire.name(program.identifier(number)) {
            Name::Event(identifier) => (self.values)(identifier).into().value,
            Name::Metric(reference) => self.metric(reference, pmu),
        }
    }

    /// The value of another metric, which is worked out once.
    #[cold]
    #[inline(never)]
    fn metric(&mut self, reference: ReferenceRecord, pmu: u16) -> f64 {
        let Some(number) = self.siblings.resolve(reference, pmu) else {
            return f64::NAN;
        };
        if let Some(value) = self.known.as_ref().and_then(|known| known.find(number)) {
            return value;
        }
        if self.nesting == MAX_NESTING {
            return f64::NAN;
        }
        // What refers to itself has no value, and is not followed for ever.
        self.known.get_or_insert_default().add(number, f64::NAN);
        let record = self.siblings.wire.metric_record(number as usize);
        let Some(formula) = self.siblings.wire.formula(record.expression) else {
            return f64::NAN;
        };
        self.nesting += 1;
        let value = self.formula(&formula, record.pmu);
        self.nesting -= 1;
        self.known.get_or_insert_default().add(number, value);
        value
    }
}

/// Metrics whose value is known: without it, one that many others refer to is
/// worked out for each of them.
struct Known {
    /// Plus one; zero is free.
    numbers: [u32; MOST_KNOWN],
    values: [f64; MOST_KNOWN],
}

impl Default for Known {
    fn default() -> Self {
        Known { numbers: [0; MOST_KNOWN], values: [0.0; MOST_KNOWN] }
    }
}

impl Known {
    /// The place of a number, or the free one where it belongs. When there is
    /// neither, a value is worked out again.
    fn place(&self, number: u32) -> Option<usize> {
        let start = number as usize;
        let mut places = (0..MOST_KNOWN).map(|n| (start + n) % MOST_KNOWN);
        places.find(|&place| {
            self.numbers[place] == number.wrapping_add(1) || self.numbers[place] == 0
        })
    }

    fn find(&self, number: u32) -> Option<f64> {
        let place = self.place(number)?;
        (self.numbers[place] != 0).then(|| self.values[place])
    }

    fn add(&mut self, number: u32, value: f64) {
        if let Some(place) = self.place(number) {
            self.numbers[place] = number.wrapping_add(1);
            self.values[place] = value;
        }
    }
}
