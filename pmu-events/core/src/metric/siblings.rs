//! The metrics of one model, which refer to each other by name.

use crate::wire::record::ReferenceRecord;
use crate::wire::{Section, Wire, read_u64};

/// The metrics of one model.
#[derive(Clone, Copy, Debug)]
pub struct Siblings<'a> {
    /// The tree.
    pub wire: &'a Wire<'a>,
    /// The start of the bitmap of the model's metrics, in numbers of the list.
    pub members: u32,
}

impl Siblings<'_> {
    /// Finds the metric that a reference in a metric of PMU number `pmu` means:
    /// the model's own, on the same PMU if there is one.
    #[must_use]
    #[inline(always)]
    pub fn resolve(&self, reference: ReferenceRecord, pmu: u16) -> Option<u32> {
        let members = Members::of(self);
        let ReferenceRecord { first, count } = reference;
        let bits = members.window(first, u32::from(count).min(WINDOW));
        // Usually the model has one metric of the name.
        if u32::from(count) <= WINDOW && bits.is_power_of_two() {
            return Some(first.wrapping_add(bits.trailing_zeros()));
        }
        self.one_of_several(reference, pmu)
    }

    #[cold]
    fn one_of_several(&self, reference: ReferenceRecord, pmu: u16) -> Option<u32> {
        let members = Members::of(self);
        let mut meant = None;
        let mut next = reference.first;
        let behind = reference.first.saturating_add(u32::from(reference.count));
        while next < behind {
            let count = (behind - next).min(WINDOW);
            let mut bits = members.window(next, count);
            while bits != 0 {
                let number = next + bits.trailing_zeros();
                if self.wire.metric_record(number as usize).pmu == pmu {
                    return Some(number);
                }
                meant = meant.or(Some(number));
                bits &= bits - 1;
            }
            next += count;
        }
        meant
    }
}

/// The number of bits inspected in one step.
const WINDOW: u32 = 56;

/// A bit for each metric of the tree: whether the model has it.
struct Members<'a>(&'a [u8]);

impl<'a> Members<'a> {
    #[inline]
    fn of(siblings: &Siblings<'a>) -> Self {
        let bytes = siblings.wire.section(Section::Lists);
        let start = (siblings.members as usize).saturating_mul(siblings.wire.number_size());
        Members(bytes.get(start..).unwrap_or_default())
    }

    /// The bits of up to [`WINDOW`] metrics.
    #[inline]
    fn window(&self, first: u32, count: u32) -> u64 {
        // The bitmap of the last model is followed by eight more bytes.
        let word = read_u64(self.0, first as usize / 8);
        word >> (first % 8) & ((1 << count) - 1)
    }
}
