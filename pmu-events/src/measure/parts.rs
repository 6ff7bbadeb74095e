//! Metrics that are too large for one group.

use std::borrow::Cow;
use std::vec::Vec;

use super::lists::Places;
use super::operand::Operand;
use super::raw_count::RawCount;

/// The parts of a metric whose events do not fit one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parts {
    /// For each operand, its part.
    of: Vec<usize>,
    /// For each part, the operand that is its reference; empty if there is one part.
    references: Vec<Option<usize>>,
}

impl Parts {
    /// Adds the references as operands: one that a formula has is in one of the parts only.
    pub(super) fn of(
        places: &Places,
        operands: &mut Vec<Operand>,
        number: impl Fn(usize, &str) -> Option<usize>,
    ) -> Self {
        let mut parts = Parts { of: places.parts.clone(), references: Vec::new() };
        let Some(reference) = &places.reference else {
            parts.references = std::vec![None; places.part_lists.len()];
            return parts;
        };
        let pmu = operands.iter().zip(&places.lists).find_map(|(operand, list)| {
            places.part_lists.iter().any(|(of, _)| Some(*of) == *list).then_some(operand.pmu)
        });
        for (part, &(list, has_reference)) in places.part_lists.iter().enumerate() {
            let number = if has_reference { number(list, reference) } else { None };
            let own = operands.iter().position(|one| one.number.is_some() && one.number == number);
            parts.references.push(number.map(|number| {
                own.unwrap_or_else(|| {
                    operands.push(Operand {
                        identifier: Cow::Owned(reference.clone()),
                        event: reference.clone(),
                        number: Some(number),
                        pmu: pmu.flatten(),
                    });
                    parts.of.push(part);
                    operands.len() - 1
                })
            }));
        }
        parts
    }
}

impl Parts {
    /// The number of groups.
    pub(super) fn count(&self) -> usize {
        self.references.len().max(1)
    }

    /// The count of an operand, as if it had been counted at the time of the first part.
    pub(super) fn combined(
        &self,
        operand: usize,
        reading: &impl Fn(usize) -> RawCount,
    ) -> RawCount {
        let own = reading(operand);
        let part = self.of.get(operand).copied().unwrap_or_default();
        let reference = |part: usize| self.references.get(part).copied().flatten();
        match (reference(0), reference(part)) {
            (Some(first), Some(second)) if part != 0 => {
                own.at_time_of(reading(first), reading(second))
            }
            _ => own,
        }
    }
}
