//! Metrics that are too large for one group.

use std::vec::Vec;

use super::operand::Operand;
use super::raw_count::RawCount;

/// The parts of a metric whose events do not fit one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parts {
    /// For each part, the index of the operand that is its reference; empty if there is one part.
    pub(super) references: Vec<Option<usize>>,
}

impl Parts {
    /// The number of groups.
    pub(super) fn count(&self) -> usize {
        self.references.len().max(1)
    }

    /// The count of an operand, as if it had been counted at the time of the first part.
    pub(super) fn combined(
        &self,
        operands: &[Operand],
        operand: &Operand,
        reading: &impl Fn(&Operand) -> RawCount,
    ) -> RawCount {
        let own = reading(operand);
        let reference = |part: usize| self.references.get(part)?.and_then(|one| operands.get(one));
        match (reference(0), reference(operand.part)) {
            (Some(first), Some(second)) if operand.part != 0 => {
                own.at_time_of(reading(first), reading(second))
            }
            _ => own,
        }
    }
}
