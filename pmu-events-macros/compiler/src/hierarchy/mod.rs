//! The hierarchy that the metrics of a model form: the tree of top-down analysis, or a
//! CPI stack. It follows from groups, thresholds and formulas:
//!
//! - The first level consists of the metrics in the group `TopdownL1` (`TopDownL1`,
//!   `PipelineL1`, …). Without such a group, it is the top of a CPI stack (`cpi_breakdown`,
//!   `CPI`), otherwise Arm's `Cycle_Accounting`.
//! - A metric of the group `M_group` lies beneath the metric `M`, as in Intel's and AMD's
//!   trees.
//! - Any other metric of level two or more lies beneath the metric of the level above that
//!   its threshold names, of whose formula it is a part (`A - B - C`, `A = B + C`), or
//!   with whose name its own name begins.
//! - The metrics of Arm's `Topdown_Frontend` lie beneath `frontend_bound`. A metric `A / B`
//!   lies beneath the one that is `B / C`, others by the words that their names share.
//! - In a CPI stack, sums and differences of events place a metric like those of metrics.
//!   Otherwise, names do: `PM_EXEC_STALL_DMISS` is a part of `PM_EXEC_STALL`. The stack has
//!   one top, and a metric that no rule places lies beneath it. A metric that is only
//!   another name of a node is no node.
//! - A metric of the group `M_indicators`, which the decision trees of Arm's telemetry become,
//!   lies beneath the metric `M` that it explains. Where no tree says so, the groups of
//!   Arm's second stage, such as `ITLB_Effectiveness`, lie beneath the first level.

mod formula;
mod levels;
mod member;
mod places;
mod rule;
mod second_stage;
mod stack;

use crate::assemble::tree::Table;
use crate::cost::parallel;
use crate::formula::{Formulas, Resolved};
use member::Member;
use places::Places;
pub use rule::Rule;

/// A metric in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The number of the metric in its table.
    pub(crate) metric: usize,
    /// That of the metric above.
    pub(crate) parent: Option<usize>,
    pub(crate) rule: Rule,
    /// Whether the value is a share of the parent's.
    pub(crate) is_of_parent: bool,
}

/// The hierarchies of all tables.
pub(crate) fn of_tables(resolved: &Resolved<'_>) -> Vec<Vec<Node>> {
    let Resolved { tree, formulas } = resolved;
    parallel::map(tree.tables.len(), |number| of_table(&tree.tables[number], &formulas[number]))
}

/// The nodes of a table, in the order of its metrics.
fn of_table(table: &Table<'_>, formulas: &[Formulas]) -> Vec<Node> {
    let mut pmus: Vec<&str> = table.metrics.iter().map(|item| &*item.entry.pmu).collect();
    pmus.sort_unstable();
    pmus.dedup();
    let mut nodes: Vec<Node> =
        pmus.into_iter().flat_map(|pmu| of_pmu(table, formulas, pmu)).collect();
    nodes.sort_unstable_by_key(|node| node.metric);
    nodes
}

fn of_pmu(table: &Table<'_>, formulas: &[Formulas], pmu: &str) -> Vec<Node> {
    let metrics = table.metrics.iter().zip(formulas).enumerate();
    let of_pmu = metrics.filter(|(_, (item, _))| item.entry.pmu == pmu);
    let mut members: Vec<Member<'_>> =
        of_pmu.map(|(number, (item, formulas))| Member::new(number, item, formulas)).collect();
    // Of several with one name, look-up finds the first.
    members.dedup_by(|later, first| later.key == first.key);
    let places = Places::of(&members);
    let node = |(member, place): (&Member<'_>, &places::Place)| {
        Some(Node {
            metric: member.number,
            parent: place.parent.map(|parent| members[parent].number),
            rule: place.rule?,
            is_of_parent: place.is_of_parent,
        })
    };
    members.iter().zip(&places).filter_map(node).collect()
}
