//! The metrics of one model, which refer to each other by name.

use crate::wire::record::ReferenceRecord;
use crate::wire::{Section, Wire};

/// The metrics of one model, as a part of the lists of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Siblings<'a> {
    /// The tree.
    pub wire: &'a Wire<'a>,
    /// Where the model's metrics begin in the lists.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

impl<'a> Siblings<'a> {
    fn nth(&self, n: u32) -> u32 {
        self.wire.number(Section::Lists, self.first as usize + n as usize) as u32
    }

    /// The metric that a reference of a metric of PMU number `pmu` means: the
    /// model's own, of the same PMU if it has one.
    #[must_use]
    pub fn resolve(&self, reference: ReferenceRecord, pmu: u16) -> Option<u32> {
        // Metrics are numbered, and listed, by name.
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.nth(middle) < reference.first { low = middle + 1 } else { high = middle }
        }
        let behind = reference.first.saturating_add(u32::from(reference.count));
        let most = usize::from(reference.count);
        let named =
            || (low..self.count).map(|n| self.nth(n)).take_while(|&n| n < behind).take(most);
        if reference.count == 1 {
            return named().next();
        }
        let on_pmu = |&number: &u32| self.wire.metric_record(number as usize).pmu == pmu;
        named().find(on_pmu).or_else(|| named().next())
    }
}
