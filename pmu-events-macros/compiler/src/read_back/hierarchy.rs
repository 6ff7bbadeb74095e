//! Hierarchies: every node.

use pmu_events_core::__private::wire::record::{ModelRecord, NodeRecord, node};
use pmu_events_core::__private::wire::{Section, Wire};

use crate::hierarchy::{Node, Rule};

/// Whether the nodes of a model read back.
pub(super) fn reads_back(wire: &Wire<'_>, record: &ModelRecord, nodes: &[Node]) -> bool {
    let records = wire.section(Section::Nodes);
    record.node_count as usize == nodes.len()
        && nodes.iter().enumerate().all(|(number, meant)| {
            let is = NodeRecord::nth(records, record.nodes as usize + number);
            is.metric as usize == meant.metric
                && is.parent.checked_sub(1).map(|parent| parent as usize) == meant.parent
                && (is.kind == node::INDICATOR) == (meant.rule == Rule::Indicator)
                && (is.kind == node::PART_OF_PARENT)
                    == (meant.is_of_parent && meant.rule != Rule::Indicator)
        })
}
