//! Tables whose keys are a few numbers: what each sample looks up.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A table of numbers.
pub(crate) type Table<K, V> = HashMap<K, V, Seed>;

/// What no file can know, so that none is made of keys with the same hash.
#[derive(Clone, Debug)]
pub(crate) struct Seed {
    start: u64,
    factor: u64,
}

impl Default for Seed {
    fn default() -> Self {
        let random = RandomState::new();
        Seed { start: random.hash_one(0), factor: random.hash_one(1) | 1 }
    }
}

impl BuildHasher for Seed {
    type Hasher = Product;

    fn build_hasher(&self) -> Product {
        Product { state: self.start, factor: self.factor }
    }
}

/// Multiplies each number with the seed's factor, and folds the product.
pub(crate) struct Product {
    state: u64,
    factor: u64,
}

impl Hasher for Product {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.state = folded(self.state ^ number, self.factor);
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        // Of numbers in steps of the same size, one product is in steps, too.
        folded(self.state, 0x9e37_79b9_7f4a_7c15)
    }
}

#[inline]
fn folded(number: u64, factor: u64) -> u64 {
    let product = u128::from(number) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses differ in few bits; both ends of their hashes, which a table uses, do not.
    #[test]
    fn hashes_of_addresses_differ() {
        let seed = Seed { start: 0x0123_4567_89ab_cdef, factor: 0xd1b5_4a32_d192_ed03 };
        for step in [1, 8, 4096, 1 << 32] {
            let hashes = (0..4096_u64).map(|n| seed.hash_one(0x40_0000 + n * step));
            let (mut low, mut high) = ([0_u32; 64], [0_u32; 64]);
            for hash in hashes {
                low[(hash & 63) as usize] += 1;
                high[(hash >> 58) as usize] += 1;
            }
            // 64 are expected of each; eight standard deviations are allowed.
            for count in low.into_iter().chain(high) {
                assert!(count < 128, "{step}: {count}");
            }
        }
        assert_ne!(seed.hash_one("a"), seed.hash_one("a\0"));
    }
}
