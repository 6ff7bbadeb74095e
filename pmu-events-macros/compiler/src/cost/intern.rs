//! Stores equal things once, each with a number.
//!
//! An open-addressing table of numbers: the macro runs unoptimised, where the
//! standard map costs ten times as much as these few lines.

/// A thing that can be numbered.
pub(crate) trait Internable: Copy + Eq {
    /// Equal things have equal hashes.
    fn hash(self) -> u64;
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(MULTIPLIER);
    hash ^ (hash >> 32)
}

impl Internable for &str {
    fn hash(self) -> u64 {
        // By indices: unoptimised, each method of a slice costs as much as all of this.
        let b = self.as_bytes();
        let mut hash = b.len() as u64;
        let mut at = 0;
        while at + 8 <= b.len() {
            let word = [
                b[at],
                b[at + 1],
                b[at + 2],
                b[at + 3],
                b[at + 4],
                b[at + 5],
                b[at + 6],
                b[at + 7],
            ];
            hash = mix(hash, u64::from_le_bytes(word));
            at += 8;
        }
        let mut word = 0;
        while at < b.len() {
            word = word << 8 | b[at] as u64;
            at += 1;
        }
        mix(hash, word)
    }
}

impl<const N: usize> Internable for [u64; N] {
    fn hash(self) -> u64 {
        let mut hash = 0;
        let mut i = 0;
        while i < N {
            hash = mix(hash, self[i]);
            i += 1;
        }
        hash
    }
}

impl<K: Internable> Internable for (u64, K) {
    fn hash(self) -> u64 {
        mix(self.1.hash(), self.0)
    }
}

impl<const N: usize> Internable for [u32; N] {
    fn hash(self) -> u64 {
        let mut hash = 0;
        let mut i = 0;
        while i < N {
            hash = mix(hash, self[i] as u64);
            i += 1;
        }
        hash
    }
}

/// Numbers things from zero, in the order of their arrival.
pub(crate) struct Interner<K> {
    /// Number plus one; zero is free. A power of two, at most half full.
    slots: Vec<u32>,
    items: Vec<K>,
}

impl<K: Internable> FromIterator<K> for Interner<K> {
    fn from_iter<I: IntoIterator<Item = K>>(items: I) -> Self {
        let mut interner = Interner::new();
        for item in items {
            interner.number(item);
        }
        interner
    }
}

impl<K: Internable> Interner<K> {
    pub(crate) fn new() -> Self {
        Self::with_slots(1 << 10)
    }

    /// For few things, when there are many tables of them.
    pub(crate) fn small() -> Self {
        Self::with_slots(1 << 4)
    }

    fn with_slots(slots: usize) -> Self {
        Interner { slots: vec![0; slots], items: Vec::new() }
    }

    /// The number of a thing, new or known.
    pub(crate) fn number(&mut self, item: K) -> u32 {
        if self.items.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mut at = self.start(item);
        loop {
            match self.slots[at] {
                0 => {
                    self.items.push(item);
                    let count = u32::try_from(self.items.len());
                    self.slots[at] = count.expect("memory ends before four billion things");
                    return self.slots[at] - 1;
                }
                known if self.items[known as usize - 1] == item => return known - 1,
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// The number of a thing that is known.
    pub(crate) fn find(&self, item: K) -> Option<u32> {
        let mut at = self.start(item);
        loop {
            match self.slots[at] {
                0 => return None,
                known if self.items[known as usize - 1] == item => return Some(known - 1),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// The slot where the search for a thing begins.
    fn start(&self, item: K) -> usize {
        let mask = self.slots.len() - 1;
        // The remaining bits of the hash fit a `usize`.
        usize::try_from(item.hash() & mask as u64).unwrap_or(mask)
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 4];
        for number in 0..self.items.len() {
            let mut at = self.start(self.items[number]);
            while self.slots[at] != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = u32::try_from(number + 1).expect("it has had a number");
        }
    }

    /// Everything numbered, in the order of the numbers.
    pub(crate) fn items(&self) -> &[K] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_stable_through_growth() {
        let names: Vec<String> = (0..5000).map(|n| format!("name{n}")).collect();
        for mut interner in [Interner::new(), Interner::small()] {
            for round in 0..2 {
                for (n, name) in (0..).zip(&names) {
                    assert_eq!(interner.number(name.as_str()), n, "round {round}");
                }
            }
            assert_eq!(interner.items().len(), 5000);
        }
    }
}
