//! From which part of the whole a node without a threshold is a finding.
//!
//! The largest part of little is little: where 1 % of the cycles wait for the front end and
//! nothing for the back end, the front end is all of what is lost, and not worth a look. So a
//! share of the level is not enough where tables state no thresholds (Arm's and AMD's, and POWER's
//! stacks).

use super::hierarchy::Node;
use pmu_events_core::__private::name;

pub(super) const SHARE: f64 = 0.25;

pub(super) const LEAST: f64 = 0.05;

/// The words with which names on the first level say what is meant, and the part of the whole. The
/// parts are those with which Intel's tables, the only ones with thresholds, compare the same four
/// kinds of slots. Slots that retire are no loss: they are a finding only where nothing else is, and
/// never beside a half that is mispredicted.
const FIRST_LEVEL: [(&str, f64); 4] =
    [("retir", WORK), ("back", 0.2), ("front", 0.15), ("spec", 0.15)];

const WORK: f64 = 0.7;

/// In POWER's stacks, cycles in which instructions complete.
const WORK_OF_STACK: &str = "completion_cpi";

/// The part of the whole that is much, for each node, whatever its share in its parent. `None` if
/// the share matters, too.
#[must_use]
pub fn alone(node: &Node) -> Option<f64> {
    let name = node.metric().name();
    if name::eq(name, WORK_OF_STACK) {
        return Some(WORK);
    }
    let folded = name.to_ascii_lowercase();
    let of_level = FIRST_LEVEL.iter().find(|(word, _)| folded.contains(word));
    of_level.map(|(_, least)| *least).filter(|_| node.parent().is_none())
}

/// Whether a node is much: its share in its parent, and its part of the whole.
pub(super) fn is_much(node: &Node, share: f64, part: f64) -> bool {
    match alone(node) {
        Some(least) => part >= least,
        None => share >= SHARE && part >= LEAST,
    }
}

/// Whether what the parts of a node leave of it is much.
pub(super) fn is_much_of_rest(node: &Node, rest: f64, part: f64) -> bool {
    rest >= SHARE && part >= alone(node).unwrap_or(LEAST)
}
