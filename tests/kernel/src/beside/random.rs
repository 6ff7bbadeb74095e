//! Chance that a seed repeats, on every machine.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence for each seed and stream: what one stream takes moves no
    /// other.
    #[must_use]
    pub fn new(seed: u64, stream: &str) -> Self {
        let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Random(stream.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, mix))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below another, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("it is a length");
        usize::try_from(self.bits() % end).expect("it is below a length")
    }

    /// True in a given percentage of cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub fn one<'a, T: ?Sized + 'a>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// One of a list's.
    pub fn of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// The number of a choice, by weights.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut at = self.below(weights.iter().sum());
        for (choice, &weight) in weights.iter().enumerate() {
            if at < weight {
                return choice;
            }
            at -= weight;
        }
        unreachable!("it is below the sum")
    }
}
