//! The perfect hash of a model's names ([`pmu_events_core::__private::wire::index`]).

use pmu_events_core::__private::wire::index::{bucket, buckets_for, slot, slots_for};

/// The index of one model.
pub(crate) struct Index {
    pub(crate) displacements: Vec<u8>,
    /// Entry numbers; `FREE` in slots without a name.
    pub(crate) slots: Vec<u32>,
    /// The number of slots.
    slot_count: u32,
}

/// A slot without name.
pub(crate) const FREE: u32 = u32::MAX;

/// Builds the index of distinct names, given as hash and entry. `None` if no
/// size up to twice the names works: two names have the same hash.
pub(crate) fn build(names: &[(u64, u32)]) -> Option<Index> {
    let mut slots = slots_for(names.len());
    while slots <= 2 * names.len() + 16 {
        if let Some(index) = attempt(names, slots) {
            return Some(index);
        }
        slots += names.len() / 16 + 1;
    }
    None
}

fn attempt(names: &[(u64, u32)], slots: usize) -> Option<Index> {
    let buckets = buckets_for(names.len());
    let bucket_count = u32::try_from(buckets).ok()?;
    let slot_count = u32::try_from(slots).ok()?;
    // Names by bucket: counted, then filled in.
    let mut starts = vec![0u32; buckets + 2];
    let bucket_of: Vec<u32> = names.iter().map(|&(hash, _)| bucket(hash, bucket_count)).collect();
    bucket_of.iter().for_each(|&bucket| starts[bucket as usize + 2] += 1);
    for bucket in 2..starts.len() {
        starts[bucket] += starts[bucket - 1];
    }
    let mut members = vec![0u32; names.len()];
    for (name, &bucket) in (0..).zip(&bucket_of) {
        let at = &mut starts[bucket as usize + 1];
        members[*at as usize] = name;
        *at += 1;
    }
    let size = |bucket: usize| starts[bucket + 1] - starts[bucket];
    let mut order: Vec<(u32, u32)> =
        (0..buckets).map(|bucket| u32::MAX - size(bucket)).zip(0..).collect();
    order.sort_unstable();
    let displacements = vec![0; buckets];
    let mut index = Index { displacements, slot_count, slots: vec![FREE; slots] };
    for (_, bucket) in order {
        let bucket = bucket as usize;
        let members = &members[starts[bucket] as usize..starts[bucket + 1] as usize];
        index.displacements[bucket] = index.place(names, members)?;
    }
    Some(index)
}

impl Index {
    /// Finds a displacement that gives each member a free slot, and fills them.
    fn place(&mut self, names: &[(u64, u32)], members: &[u32]) -> Option<u8> {
        'displacements: for displacement in 0..=u8::MAX {
            for (n, &member) in members.iter().enumerate() {
                let (hash, entry) = names[member as usize];
                let slot = slot(hash, displacement, self.slot_count) as usize;
                if self.slots[slot] != FREE {
                    // Undo the slots that this attempt has filled.
                    for &member in &members[..n] {
                        let (hash, _) = names[member as usize];
                        let slot = pmu_events_core::__private::wire::index::slot;
                        let slot = slot(hash, displacement, self.slot_count) as usize;
                        self.slots[slot] = FREE;
                    }
                    continue 'displacements;
                }
                self.slots[slot] = entry;
            }
            return Some(displacement);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pmu_events_core::__private::name;

    #[test]
    fn every_name_has_its_slot() {
        for count in [0, 1, 2, 3, 10, 257, 6000] {
            let names: Vec<_> =
                (0..count).map(|n| (name::hash(&format!("unc_m{n}_cas.rd")), n)).collect();
            let index = build(&names).unwrap();
            let buckets = u32::try_from(index.displacements.len()).unwrap();
            for &(hash, entry) in &names {
                let bucket = bucket(hash, buckets) as usize;
                let slot = slot(hash, index.displacements[bucket], index.slot_count);
                assert_eq!(index.slots[slot as usize], entry, "{count}");
            }
            assert!(index.slots.len() <= count as usize * 5 / 4 + 4, "{count}");
        }
    }

    #[test]
    fn equal_hashes_are_refused() {
        assert!(build(&[(7, 0), (7, 1)]).is_none());
    }
}
