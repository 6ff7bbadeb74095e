//! Nothing is emitted that the look-ups do not read as it was meant.

use std::collections::HashMap;
use std::sync::Arc;

use pmu_events_core::metric::siblings::Siblings;
use pmu_events_core::wire::program::{self as packed, Step};
use pmu_events_core::wire::record::{FormulaRecord, ModelRecord};
use pmu_events_core::wire::{Section, Wire, index, read_u8};
use pmu_events_core::{name, pmu};

use crate::assemble::{Item, Table};
use crate::fields::Value;
use crate::formula::{Formulas, Name, Program, Resolved};
use crate::pack::Packed;

/// Reads the packed constants with the core's own decoder: every table must
/// have every event, found by its name. `Err` describes a fault of ours.
pub(crate) fn check(resolved: &Resolved<'_>, packed: &Packed) -> Result<(), String> {
    let wire =
        Wire::read(&packed.strings, &packed.tables).ok_or("the header does not read back")?;
    let mut seen = Seen::new();
    let Resolved { tree, formulas } = resolved;
    for (number, (table, formulas)) in tree.tables.iter().zip(formulas).enumerate() {
        let models = wire.section(Section::Models);
        let record = ModelRecord::read(models, number * ModelRecord::SIZE);
        if wire.str(record.name) != table.directory.path
            || record.entry_count as usize != table.events.len()
            || record.metric_count as usize != table.metrics.len()
        {
            return Err(format!("model {} does not read back", table.directory.name));
        }
        events(&wire, &record, table)?;
        metrics(&wire, &record, table, formulas, &mut seen)?;
    }
    Ok(())
}

fn events(wire: &Wire<'_>, record: &ModelRecord, table: &Table<'_>) -> Result<(), String> {
    for (entry, item) in table.events.iter().enumerate() {
        let fail = || format!("{}/{} does not read back", table.directory.name, item.key);
        let number = wire.number(Section::Entries, record.entries as usize + entry);
        let event = wire.event_record(number);
        let traits = wire.traits(event.traits);
        let name = item.entry.name.as_ref().map_or("", |name| &*name.text);
        if wire.str(event.name) != name
            || wire.str(event.event) != item.entry.event
            || wire.nth_str(Section::Pmus, traits.pmu as usize) != item.entry.pmu
            || wire.nth_str(Section::Topics, traits.topic as usize) != item.topic
        {
            return Err(fail());
        }
        let hash = name::hash(name);
        let bucket = record.buckets + index::bucket(hash, record.bucket_count);
        let displacement = read_u8(wire.section(Section::Buckets), bucket as usize);
        let slot = record.slots + index::slot(hash, displacement, record.slot_count);
        let found = wire.number(Section::Slots, slot as usize);
        if found != number && !stands_for(wire, record, found, item) {
            return Err(fail());
        }
    }
    Ok(())
}

/// Whether an event that the index gives for an item's name may be another
/// PMU's: of the same model and name, and not instead of the core PMU's.
fn stands_for(wire: &Wire<'_>, record: &ModelRecord, found: usize, item: &Item<'_>) -> bool {
    let event = wire.event_record(found);
    let pmu = wire.nth_str(Section::Pmus, wire.traits(event.traits).pmu as usize);
    let mut entries = record.entries as usize..(record.entries + record.entry_count) as usize;
    name::eq(wire.str(event.name), &item.key)
        && pmu != item.entry.pmu
        && (pmu::is_core(pmu) || !pmu::is_core(&item.entry.pmu))
        && entries.any(|entry| wire.number(Section::Entries, entry) == found)
}

/// What the formula of each number has been found to be: most stand in many
/// models.
type Seen<'t> = HashMap<u16, (&'t str, &'t Program)>;

fn metrics<'t>(
    wire: &Wire<'_>,
    record: &ModelRecord,
    table: &'t Table<'_>,
    formulas: &'t [Formulas],
    seen: &mut Seen<'t>,
) -> Result<(), String> {
    let siblings = Siblings { wire, members: record.metrics + record.metric_count };
    for (n, item) in table.metrics.iter().enumerate() {
        let number = wire.number(Section::Lists, record.metrics as usize + n);
        let metric = wire.metric_record(number);
        let of_item = &item.entry.metric;
        let Formulas { expression, threshold } = &formulas[n];
        let mut reads_back = |number, text: &'t Option<Value<'_>>, program: &'t Option<Program>| {
            let (Some(text), Some(program)) = (text, program) else {
                return number == 0 && text.is_none() && program.is_none();
            };
            let is_same = match seen.get(&number) {
                Some(&(seen_text, seen)) => {
                    seen_text == text.text
                        && Arc::ptr_eq(&seen.shape, &program.shape)
                        && seen.names == program.names
                }
                None => false,
            };
            seen.insert(number, (&text.text, program));
            let formula = wire.formula(number);
            formula.is_some_and(|formula| {
                (is_same || reads_back_as(wire, &formula, &text.text, program))
                    && finds_metrics(&siblings, metric.pmu, &formula, program)
            })
        };
        if Some(wire.str(metric.name)) != of_item.name.as_ref().map(|name| &*name.text)
            || !reads_back(metric.expression, &of_item.expression, expression)
            || !reads_back(metric.threshold, &of_item.threshold, threshold)
        {
            return Err(format!("{}/{} does not read back", table.directory.name, item.key));
        }
    }
    Ok(())
}

/// Whether a formula's text and its program read back, step by step.
fn reads_back_as(wire: &Wire<'_>, formula: &FormulaRecord, text: &str, meant: &Program) -> bool {
    let program = wire.program(formula);
    let mut code = program.code();
    let steps = meant.shape.steps.iter().all(|&meant_step| {
        let Some((step, rest)) = Step::read(code) else {
            return false;
        };
        code = rest;
        match (step, meant_step) {
            (Step::Constant(is), Step::Constant(meant_to_be)) => {
                let meant_to_be = meant.shape.numbers[usize::from(meant_to_be)];
                program.constant(is).to_bits() == meant_to_be.to_bits()
            }
            (step, meant_step) => step == meant_step,
        }
    });
    let names = meant.names.iter().enumerate().all(|(number, meant)| {
        match (wire.name(program.identifier(number as u8)), meant) {
            (packed::Name::Event(is), Name::Event(meant)) => is.as_str() == meant,
            (packed::Name::Metric(_), Name::Metric(_)) => true,
            _ => false,
        }
    });
    wire.long(formula.text) == text
        && program.depth == meant.shape.depth
        && usize::from(program.identifier_count()) == meant.names.len()
        && steps
        && code.is_empty()
        && names
}

/// Whether the metrics that a formula of a model refers to are found.
fn finds_metrics(
    siblings: &Siblings<'_>,
    pmu: u16,
    formula: &FormulaRecord,
    meant: &Program,
) -> bool {
    let wire = siblings.wire;
    let program = wire.program(formula);
    meant.names.iter().enumerate().all(|(number, meant)| {
        let Name::Metric(meant) = meant else {
            return true;
        };
        let packed::Name::Metric(is) = wire.name(program.identifier(number as u8)) else {
            return false;
        };
        let found = siblings.resolve(is, pmu);
        found.is_some_and(|n| name::eq(wire.str(wire.metric_record(n as usize).name), meant))
    })
}
