//! Evaluation of metrics' programs.

use super::needs::MAX_METRICS;
use super::siblings::Siblings;
use crate::expr::evaluate::Names;
use crate::expr::{EventValue, Identifier, Machine, Query};
use crate::wire::Wire;
use crate::wire::program::{Name, Program};
use crate::wire::record::{FormulaRecord, MetricRecord, ReferenceRecord};

/// The maximum depth of references from metric to metric.
pub const MAX_NESTING: usize = 32;

/// The number of metrics whose value an evaluation remembers, initially and at
/// most: twice the number that one may refer to, so that probing stays short.
const FEW_KNOWN: usize = 8;
const MOST_KNOWN: usize = 2 * MAX_METRICS;

/// Computes a metric's formula; NaN if something is unknown.
#[inline]
pub(super) fn value<'a, R: Into<EventValue>>(
    siblings: &Siblings<'a>,
    metric: &MetricRecord,
    formula: u16,
    machine: &impl Machine,
    values: &mut impl FnMut(Identifier<'a>) -> R,
) -> f64 {
    let Some(formula) = siblings.wire.formula(formula) else {
        return f64::NAN;
    };
    let (wire, siblings) = (siblings.wire, Some(siblings));
    let known = Known::default();
    let mut run = Run { wire, siblings, machine, values, known, nesting: 0, is_cut: false };
    run.formula(&formula, metric.pmu)
}

/// Computes a formula from the values of the events and metrics that it names; NaN
/// if something is unknown.
pub(super) fn value_by_names<'a, R: Into<EventValue>>(
    wire: &'a Wire<'a>,
    formula: u16,
    machine: &impl Machine,
    values: &mut impl FnMut(Identifier<'a>) -> R,
) -> f64 {
    let Some(formula) = wire.formula(formula) else {
        return f64::NAN;
    };
    let (siblings, known) = (None, Known::default());
    let mut run = Run { wire, siblings, machine, values, known, nesting: 0, is_cut: false };
    run.formula(&formula, 0)
}

/// One evaluation.
struct Run<'s, 'a, M, V> {
    wire: &'s Wire<'a>,
    /// `None` if metrics are among the values.
    siblings: Option<&'s Siblings<'a>>,
    machine: &'s M,
    values: &'s mut V,
    known: Known,
    nesting: usize,
    /// Whether the current formula was nested too deeply.
    is_cut: bool,
}

impl<'a, M: Machine, V: FnMut(Identifier<'a>) -> R, R: Into<EventValue>> Run<'_, 'a, M, V> {
    #[inline]
    fn formula(&mut self, formula: &FormulaRecord, pmu: u16) -> f64 {
        let program = self.wire.program(formula);
        let machine = self.machine;
        program.code().value(machine, &mut Own { run: self, program, pmu })
    }

    /// The value of another metric, which is computed once.
    #[cold]
    #[inline(never)]
    fn metric(&mut self, reference: ReferenceRecord, pmu: u16) -> f64 {
        let Some(siblings) = self.siblings else {
            return (self.values)(self.wire.metric_name(reference)).into().value;
        };
        let Some(number) = siblings.resolve(reference, pmu) else {
            return f64::NAN;
        };
        if self.nesting == MAX_NESTING {
            self.is_cut = true;
            return f64::NAN;
        }
        match self.known.entry(number) {
            // A metric that was nested too deeply there may not be so here.
            Some(entry) if entry.metric == number && self.nesting >= usize::from(entry.cut_at) => {
                return entry.value;
            }
            // A metric that refers to itself has no value; this entry ends the
            // recursion.
            Some(entry) => *entry = Entry { metric: number, cut_at: 0, value: f64::NAN },
            // More metrics than a compiled tree can refer to.
            None => return f64::NAN,
        }
        let record = self.wire.metric_record(number as usize);
        let Some(formula) = self.wire.formula(record.expression) else {
            return f64::NAN;
        };
        let outer = core::mem::replace(&mut self.is_cut, false);
        self.nesting += 1;
        let value = self.formula(&formula, record.pmu);
        self.nesting -= 1;
        if let Some(entry) = self.known.entry(number) {
            entry.value = value;
            entry.cut_at = if self.is_cut { self.nesting as u8 } else { 0 };
        }
        self.is_cut |= outer;
        value
    }
}

/// One formula, of a metric of a PMU.
struct Own<'r, 's, 'a, M, V> {
    run: &'r mut Run<'s, 'a, M, V>,
    program: Program<'a>,
    pmu: u16,
}

impl<'a, M: Machine, V: FnMut(Identifier<'a>) -> R, R: Into<EventValue>> Names<u8>
    for Own<'_, '_, 'a, M, V>
{
    #[inline(always)]
    fn value(&mut self, number: u8) -> f64 {
        match self.run.wire.name(self.program.identifier(number)) {
            Name::Event(identifier) => (self.run.values)(identifier).into().value,
            Name::Metric(reference) => self.run.metric(reference, self.pmu),
        }
    }

    #[inline(always)]
    fn answer(&mut self, query: Query, number: u8) -> f64 {
        match self.run.wire.name(self.program.identifier(number)) {
            Name::Event(identifier) => {
                query.answer(identifier, self.run.machine, &mut *self.run.values)
            }
            Name::Metric(_) => f64::NAN,
        }
    }
}

/// The metrics whose value is known: without this, a metric that many others
/// refer to would be computed for each of them. The large table is only created
/// when needed, because clearing it takes as long as computing a formula.
#[derive(Default)]
struct Known {
    /// Enough for most formulas.
    few: Option<[Entry; FEW_KNOWN]>,
    many: Option<[Entry; MOST_KNOWN]>,
}

#[derive(Clone, Copy)]
struct Entry {
    metric: u32,
    /// The depth from which the metric is nested too deeply; 0 if it is not.
    cut_at: u8,
    value: f64,
}

impl Entry {
    const FREE: Self = Entry { metric: u32::MAX, cut_at: 0, value: 0.0 };
}

impl Known {
    /// The entry of a metric, or a free one for it, if any.
    #[inline]
    fn entry(&mut self, metric: u32) -> Option<&mut Entry> {
        if self.many.is_none() {
            let few = self.few.get_or_insert([Entry::FREE; FEW_KNOWN]);
            if place(few, metric).is_none() {
                let many = self.many.insert([Entry::FREE; MOST_KNOWN]);
                for entry in few {
                    if let Some(place) = place(many, entry.metric) {
                        many[place] = *entry;
                    }
                }
            }
        }
        let all = match (&mut self.few, &mut self.many) {
            (_, Some(many)) => &mut many[..],
            (Some(few), None) => &mut few[..],
            (None, None) => return None,
        };
        let place = place(all, metric)?;
        all.get_mut(place)
    }
}

/// The slot of a metric in a table whose size is a power of two, or the free
/// slot where it belongs.
#[inline]
fn place(all: &[Entry], metric: u32) -> Option<usize> {
    let start = metric as usize;
    let mut places = (start..start + all.len()).map(|place| place & (all.len() - 1));
    places.find(|&place| all[place].metric == metric || all[place].metric == Entry::FREE.metric)
}
