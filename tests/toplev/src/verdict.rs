//! The first finding of the library's drill-down beside the bottleneck that toplev names.

use std::fmt;

use pmu_events::topdown::{Drill, EventCount, Hierarchy};

use crate::core::Core;
use crate::names;
use crate::toplev::{CLEARLY, Node, bottleneck};

/// How the two compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The same node, or none on both sides.
    Same,
    /// toplev stops above, because the largest part is not clearly so: if it did not, it would
    /// name the same node.
    SameIfTheyWentOn,
    /// What the parts of a node leave of it, where toplev names one of these parts although it
    /// explains little.
    RestOfTheirs,
    /// Another node.
    Different,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Same => "the same",
            Verdict::SameIfTheyWentOn => "the same where toplev stops above it",
            Verdict::RestOfTheirs => "the rest of a node of which toplev names a small part",
            Verdict::Different => "different",
        })
    }
}

/// Walks down both trees.
///
/// # Panics
///
/// If the kind of cores has no tree.
#[must_use]
pub fn of(core: &Core<'_>, nodes: &[Node]) -> Verdict {
    let trees = Hierarchy::of(core.kind.model);
    let tree = trees.iter().find(|tree| tree.pmu() == core.kind.pmu).expect("it has a tree");
    let mut drill = Drill::new(tree).with_latencies(core.latencies());
    while let Some(step) = drill.next_step() {
        drill.learn(&step, core.counts, |_, identifier| {
            EventCount::new(core.operand(identifier.as_str()), 1.0)
        });
    }
    let first = drill.leaves().first().copied();
    let ours = first.map(|leaf| leaf.number());
    let is_rest = first.is_some_and(|leaf| leaf.rest().is_some());
    // The nearest that the library has, too.
    let parent = |node: &&Node| nodes.iter().find(|other| other.name == node.parent);
    let named = |clearly: f64| {
        std::iter::successors(bottleneck(nodes, clearly), parent)
            .find_map(|node| tree.find(names::find(core.kind, node)?.name()))
    };
    let theirs = named(CLEARLY);
    let above = |number: usize| {
        std::iter::successors(Some(number), |&number| tree.nodes()[number].parent())
    };
    let further = named(f64::NEG_INFINITY);
    match (ours, further) {
        _ if ours == theirs => Verdict::Same,
        _ if ours == further => Verdict::SameIfTheyWentOn,
        (Some(ours), Some(further)) if is_rest && above(further).any(|number| number == ours) => {
            Verdict::RestOfTheirs
        }
        _ => Verdict::Different,
    }
}
