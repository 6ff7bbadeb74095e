//! Ensures that the look-ups read everything as intended: everything that was
//! packed is read with the core's own decoder and compared.

mod events;
mod groups;
mod hierarchy;
mod metrics;
mod rows;
mod shared;
#[cfg(test)]
mod tests;

use pmu_events_core::__private::wire::record::{ModelRecord, RunRecord};
use pmu_events_core::__private::wire::{Section, Wire};

use crate::assemble::tree::Table;
use crate::cost::parallel;
use crate::formula::Resolved;
use crate::hierarchy::Node;
use crate::options::Text;
use crate::pack::Packed;
use crate::validate::Patterns;
use shared::Reader;

/// Reads the packed constants. `Err` describes a bug of this crate.
pub(crate) fn check(
    resolved: &Resolved<'_>,
    hierarchies: &[Vec<Node>],
    patterns: &Patterns<'_>,
    level: Text,
    packed: &Packed,
) -> Result<(), String> {
    let wire =
        Wire::read(&packed.strings, &packed.tables).ok_or("the header does not read back")?;
    let Resolved { tree, formulas } = resolved;
    let models = wire.section(Section::Models);
    if models.len() != tree.tables.len() * ModelRecord::SIZE {
        return Err("the models do not read back".to_owned());
    }
    let mut starts = Starts::default();
    let lacks = Reader::new(&wire, patterns, level);
    for (number, (table, nodes)) in tree.tables.iter().zip(hierarchies).enumerate() {
        let record = ModelRecord::nth(models, number);
        if wire.str(record.name) != table.directory.path
            || wire.optional(record.origin) != table.origin.as_deref()
            || !lacks.is_long(record.lacks, &table.lacks)
            || (record.sys == 1) != table.directory.sys
            || record.entry_count as usize != table.events.len()
            || record.metric_count as usize != table.metrics.len()
            || !starts.are_of(&wire, &record)
            || !runs(&wire, &record, table)
            || !hierarchy::reads_back(&wire, &record, nodes)
        {
            return Err(format!("model {} does not read back", table.directory.path));
        }
    }
    // A reader remembers what it has read for other models; one for each
    // processor, so that little is read twice.
    let shares = parallel::shares(tree.tables.iter().map(|t| t.events.len() + t.metrics.len()));
    let checked = parallel::map(shares.len(), |share| {
        let mut reader = Reader::new(&wire, patterns, level);
        shares[share].clone().try_for_each(|number| {
            let (table, record) = (&tree.tables[number], ModelRecord::nth(models, number));
            let fail = |key: &str| format!("{}/{key} does not read back", table.directory.path);
            reader.events(&record, table).map_err(fail)?;
            reader.metrics(&record, table, &formulas[number]).map_err(fail)?;
            if groups::of_model(&wire, &record, table) {
                Ok(())
            } else {
                Err(fail("metric groups"))
            }
        })
    });
    checked.into_iter().collect::<Result<(), String>>()?;
    let mut reader = Reader::new(&wire, patterns, level);
    if !reader.groups(tree) {
        return Err("the descriptions of metric groups do not read back".to_owned());
    }
    rows::check(&wire, tree, patterns)
}

/// Where the parts of the next model begin: after those of the previous one.
#[derive(Default)]
struct Starts {
    runs: u32,
    entries: u32,
    buckets: u32,
    slots: u32,
    metrics: u32,
    nodes: u32,
}

impl Starts {
    fn are_of(&mut self, wire: &Wire<'_>, record: &ModelRecord) -> bool {
        let Starts { runs, entries, buckets, slots, metrics, nodes } = *self;
        *self = Starts {
            runs: runs.wrapping_add(record.run_count),
            entries: entries.wrapping_add(record.entry_count),
            buckets: buckets.wrapping_add(record.bucket_count),
            slots: slots.wrapping_add(record.slot_count),
            metrics: groups::end_of_lists(wire, record),
            nodes: nodes.wrapping_add(record.node_count),
        };
        [runs, entries, buckets, slots, metrics, nodes]
            == [
                record.runs,
                record.entries,
                record.buckets,
                record.slots,
                record.metrics,
                record.nodes,
            ]
    }
}

/// Whether the PMUs of a model and their counters read back.
fn runs(wire: &Wire<'_>, record: &ModelRecord, table: &Table<'_>) -> bool {
    let meant = table.events.chunk_by(|a, b| a.entry.pmu == b.entry.pmu);
    let (mut first, mut count) = (0, 0);
    let records = wire.section(Section::Runs);
    let all = meant.enumerate().all(|(number, events)| {
        let run = RunRecord::nth(records, record.runs as usize + number);
        let pmu = &*events[0].entry.pmu;
        let counters = table.counters.iter().find(|(unit, _)| unit == pmu);
        let [general, fixed] = counters.map_or([None, None], |&(_, numbers)| numbers);
        let is_same = wire.nth_str(Section::Pmus, run.pmu as usize) == pmu
            && run.general == general.unwrap_or(u8::MAX)
            && run.fixed == fixed.unwrap_or(u8::MAX)
            && run.first as usize == first
            && run.count as usize == events.len();
        first += events.len();
        count += 1;
        is_same
    });
    all && record.run_count == count
}
