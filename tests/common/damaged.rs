//! What random damage and splicing make of the seeds of a fuzz target, the same in every run.

use std::fs;
use std::path::Path;

/// A small generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 33) as usize % limit.max(1)
    }

    fn part<'a>(&mut self, whole: &'a [u8]) -> &'a [u8] {
        let from = self.below(whole.len() + 1);
        let len = 1 + self.below(12);
        &whole[from..whole.len().min(from + len)]
    }
}

/// The files of a directory.
pub fn seeds(directory: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(directory).expect("the target has seeds");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it is readable").path()).collect();
    paths.sort();
    assert!(paths.len() > 2, "{} has seeds", directory.display());
    paths.iter().map(|path| fs::read(path).expect("it is readable")).collect()
}

/// So many copies of seeds, each damaged in up to four places, also by these bytes.
pub fn copies(seeds: &[Vec<u8>], bytes: &[u8], number: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random(1);
    (0..number).map(move |_| {
        let mut data = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(data.len() + 1);
            let other = &seeds[random.below(seeds.len())];
            match random.below(4) {
                0 => data.truncate(at),
                1 => drop(data.drain(at..data.len().min(at + 1 + random.below(6)))),
                2 => data.insert(at, bytes[random.below(bytes.len())]),
                _ => drop(data.splice(at..at, random.part(other).iter().copied())),
            }
        }
        data
    })
}
