//! The first finding of the library's drill-down beside the bottleneck that toplev names.

use std::fmt;

use pmu_events::topdown::{Drill, EventCount, Hierarchy};

use crate::core::Core;
use crate::names;
use crate::toplev::{Node, bottleneck};

/// How the two compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The same node, or none on both sides.
    Same,
    /// toplev stops above, because the largest part is not clearly so.
    PartOfTheirs,
    /// toplev goes on below.
    WholeOfTheirs,
    /// Another node.
    Different,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Same => "the same",
            Verdict::PartOfTheirs => "a part of toplev's",
            Verdict::WholeOfTheirs => "of which toplev's is a part",
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
        drill.learn(&step, core.counts, |_, identifier| EventCount {
            value: core.operand(identifier.as_str()),
            running: 1.0,
        });
    }
    let ours = drill.leaves().first().map(|found| found.number);
    let theirs = bottleneck(nodes).and_then(|node| names::find(core.kind, node));
    let theirs = theirs.and_then(|metric| tree.find(metric.name()));
    let above = |number: usize| {
        std::iter::successors(Some(number), |&number| tree.nodes()[number].parent())
    };
    match (ours, theirs) {
        (ours, theirs) if ours == theirs => Verdict::Same,
        (Some(ours), Some(theirs)) if above(ours).any(|number| number == theirs) => {
            Verdict::PartOfTheirs
        }
        (Some(ours), Some(theirs)) if above(theirs).any(|number| number == ours) => {
            Verdict::WholeOfTheirs
        }
        _ => Verdict::Different,
    }
}
