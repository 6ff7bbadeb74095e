//! Metrics: every field, and every step of every program.

use std::sync::Arc;

use pmu_events_core::__private::Siblings;
use pmu_events_core::__private::name;
use pmu_events_core::__private::wire::program::{self as packed, Step};
use pmu_events_core::__private::wire::record::{FormulaRecord, ModelRecord};
use pmu_events_core::__private::wire::{BRIEF, LongRef, PUBLIC, Section, Wire, read_u8};

use super::shared::Reader;
use crate::assemble::tree::{Item, Table};
use crate::entry::Metric;
use crate::formula::{Formulas, Name, Program};
use crate::options::Text;

impl<'t> Reader<'_, 't> {
    /// `Err` is the name of a metric that does not read back.
    pub(super) fn metrics(
        &mut self,
        record: &ModelRecord,
        table: &'t Table<'_>,
        formulas: &'t [Formulas],
    ) -> Result<(), &'t str> {
        let wire = self.wire;
        let siblings = Siblings { wire, members: record.metrics + record.metric_count };
        let start = siblings.members as usize * wire.number_size();
        let mut members = Vec::with_capacity(table.metrics.len());
        for (n, (item, formulas)) in table.metrics.iter().zip(formulas).enumerate() {
            let number = wire.number(Section::Lists, record.metrics as usize + n);
            let bits = read_u8(wire.section(Section::Lists), start + number / 8);
            if bits >> (number % 8) & 1 == 0 || !self.is_metric(number, item, formulas, &siblings) {
                return Err(&item.key);
            }
            members.push(number);
        }
        members.sort_unstable();
        members.dedup();
        let bytes = if members.is_empty() { 0 } else { wire.member_numbers() * wire.number_size() };
        let bits = (start..start + bytes).map(|at| read_u8(wire.section(Section::Lists), at));
        let count: usize = bits.map(|bits| bits.count_ones() as usize).sum();
        if count == members.len() { Ok(()) } else { Err("the bits of its metrics") }
    }

    fn is_metric(
        &mut self,
        number: usize,
        item: &'t Item<'_>,
        formulas: &'t Formulas,
        siblings: &Siblings<'_>,
    ) -> bool {
        let entry = &item.entry;
        // A new field must be considered here.
        let Metric {
            name,
            // Their programs are.
            expression: _,
            threshold: _,
            groups,
            no_group,
            default_group,
            sample_with,
            difference,
            aggregation,
            constraint,
            show_events,
        } = &entry.metric;
        let wire = self.wire;
        let metric = wire.metric_record(number);
        let traits = wire.metric_traits(metric.traits);
        Some(wire.str(metric.name)) == name.as_ref().map(|name| &*name.text)
            && wire.nth_str(Section::Pmus, usize::from(metric.pmu)) == entry.pmu
            && wire.nth_str(Section::Topics, usize::from(traits.topic)) == item.topic
            && match groups {
                Some(groups) => wire.long(traits.groups) == groups.text,
                None => traits.groups == LongRef::default(),
            }
            && self.is(traits.no_group, no_group)
            && self.is(traits.default_group, default_group)
            && self.is(traits.sample_with, sample_with)
            && self.is_kept(traits.difference, difference)
            && self.is(traits.scale_unit, &entry.texts.scale_unit)
            && self.is(traits.compat, &entry.texts.compat)
            && self.is_compat(traits.compat_pattern, &entry.texts.compat)
            && traits.aggregation == aggregation.unwrap_or(0)
            && traits.constraint == constraint.unwrap_or(0)
            && (traits.show_events == 1) == (*show_events == Some(true))
            && self.is_text(wire.metric_text(number, BRIEF), &entry.brief, Text::Brief)
            && self.is_text(wire.metric_text(number, PUBLIC), &entry.public, Text::Full)
            && self.is_formula(metric.expression, &formulas.expression)
            && self.is_formula(metric.threshold, &formulas.threshold)
            && [(metric.expression, &formulas.expression), (metric.threshold, &formulas.threshold)]
                .into_iter()
                .all(|(number, program)| finds_metrics(siblings, metric.pmu, number, program))
    }

    fn is_formula(&mut self, number: u16, program: &'t Option<Program>) -> bool {
        let Some(program) = program else {
            return number == 0;
        };
        let is_same = self.formulas.get(&number).is_some_and(|&seen| {
            Arc::ptr_eq(&seen.shape, &program.shape) && seen.names == program.names
        });
        self.formulas.insert(number, program);
        let formula = self.wire.formula(number);
        is_same || formula.is_some_and(|formula| reads_back_as(self.wire, &formula, program))
    }
}

/// Whether a formula's program reads back, step by step.
fn reads_back_as(wire: &Wire<'_>, formula: &FormulaRecord, meant: &Program) -> bool {
    let program = wire.program(formula);
    let code = program.code();
    let mut left = code.steps;
    let steps = meant.shape.steps.iter().all(|&meant_step| {
        let Some((step, rest)) = Step::read(left) else {
            return false;
        };
        left = rest;
        match (step, meant_step) {
            (Step::Constant(is), Step::Constant(meant_to_be)) => {
                let meant_to_be = meant.shape.numbers[usize::from(meant_to_be)];
                code.constant(is).to_bits() == meant_to_be.to_bits()
            }
            (step, meant_step) => step == meant_step,
        }
    });
    let names = (0..=u8::MAX).zip(&meant.names).all(|(number, meant)| {
        match (wire.name(program.identifier(number)), meant) {
            (packed::Name::Event(is), Name::Event(meant)) => is.as_str() == meant,
            (packed::Name::Metric(_), Name::Metric(_)) => true,
            _ => false,
        }
    });
    code.depth == meant.shape.depth
        && usize::from(program.identifier_count()) == meant.names.len()
        && steps
        && left.is_empty()
        && names
}

/// Whether the metrics that a formula of a model refers to are found.
fn finds_metrics(siblings: &Siblings<'_>, pmu: u16, formula: u16, meant: &Option<Program>) -> bool {
    let wire = siblings.wire;
    let (Some(formula), Some(meant)) = (wire.formula(formula), meant) else {
        return true;
    };
    let program = wire.program(&formula);
    (0..=u8::MAX).zip(&meant.names).all(|(number, meant)| {
        let Name::Metric(meant) = meant else {
            return true;
        };
        let packed::Name::Metric(is) = wire.name(program.identifier(number)) else {
            return false;
        };
        // All metrics of the name, and no other.
        let named = |n: u32| name::eq(wire.str(wire.metric_record(n as usize).name), meant);
        let behind = is.first.saturating_add(u32::from(is.count));
        let before = is.first.checked_sub(1);
        if named(behind) || before.is_some_and(named) || !(is.first..behind).all(named) {
            return false;
        }
        let found = siblings.resolve(is, pmu);
        found.is_some_and(named)
    })
}
