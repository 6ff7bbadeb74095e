//! The places of metrics in the hierarchy of their model, which the compiler finds.

use super::Metric;
use crate::model::Model;
use crate::wire::record::{NodeRecord, node};

/// A metric in its place.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The metric.
    pub metric: Metric,
    /// Its number in the model, by which others name it as their parent.
    pub number: u32,
    /// The number of the metric above.
    pub parent: Option<u32>,
    /// Whether the value is a share of the parent's.
    pub is_of_parent: bool,
    /// Whether the value explains the parent and is no part of it.
    pub is_indicator: bool,
}

/// Returns the nodes of a model, sorted by the names of their metrics.
pub fn nodes(model: Model) -> impl Iterator<Item = Node> {
    let metrics = model.metrics();
    model.nodes().filter_map(move |record| {
        let NodeRecord { metric: number, parent, kind } = record;
        Some(Node {
            metric: metrics.nth_metric(number as usize)?,
            number,
            parent: parent.checked_sub(1),
            is_of_parent: kind == node::PART_OF_PARENT,
            is_indicator: kind == node::INDICATOR,
        })
    })
}
