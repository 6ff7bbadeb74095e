//! Metric groups: those of each model, and their descriptions.

use pmu_events_core::__private::name;
use pmu_events_core::__private::wire::record::{GroupRecord, ModelRecord};
use pmu_events_core::__private::wire::{Section, Wire};

use super::shared::Reader;
use crate::assemble::tree::{Table, Tree};
use crate::options::Text;

/// Where the lists of the next model begin.
pub(super) fn end_of_lists(wire: &Wire<'_>, record: &ModelRecord) -> u32 {
    if record.metric_count == 0 {
        return record.metrics;
    }
    let groups = of_lists(wire, record);
    let end = groups.saturating_add(1).saturating_add(wire.number(Section::Lists, groups));
    u32::try_from(end).unwrap_or(u32::MAX)
}

/// The position of the number of a model's groups.
fn of_lists(wire: &Wire<'_>, record: &ModelRecord) -> usize {
    (record.metrics as usize)
        .saturating_add(record.metric_count as usize)
        .saturating_add(wire.member_numbers())
}

/// Whether the groups of a model read back, by name.
pub(super) fn of_model(wire: &Wire<'_>, record: &ModelRecord, table: &Table<'_>) -> bool {
    if table.metrics.is_empty() {
        return true;
    }
    let lists = table.metrics.iter().filter_map(|item| item.entry.metric.groups.as_ref());
    let mut lists: Vec<&str> = lists.map(|groups| &*groups.text).collect();
    lists.sort_unstable();
    lists.dedup();
    let names = lists.iter().flat_map(|list| list.split(';')).filter(|name| !name.is_empty());
    let mut names: Vec<&str> = names.collect();
    names.sort_by(|a, b| name::cmp(a, b));
    names.dedup_by(|a, b| name::eq(a, b));
    let first = of_lists(wire, record);
    let records = wire.section(Section::Groups);
    wire.number(Section::Lists, first) == names.len()
        && names.iter().zip(first + 1..).all(|(meant, at)| {
            let group = GroupRecord::nth(records, wire.number(Section::Lists, at));
            name::eq(wire.str(group.name), meant)
        })
}

impl<'t> Reader<'_, 't> {
    /// Whether the descriptions of a tree's groups read back.
    pub(super) fn groups(&mut self, tree: &'t Tree<'_>) -> bool {
        let records = self.wire.section(Section::Groups);
        let all = (0..records.len() / GroupRecord::SIZE).map(|n| GroupRecord::nth(records, n));
        let described: Vec<GroupRecord> = all.filter(|group| group.description != 0).collect();
        let is_kept = self.keeps(Text::Brief);
        described.len() == if is_kept { tree.groups.len() } else { 0 }
            && tree.groups.iter().zip(described).all(|(group, record)| {
                self.wire.str(record.name) == group.name.text
                    && self.is_this(record.description, &group.description.text)
            })
    }
}
