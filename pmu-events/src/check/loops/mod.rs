//! Loops whose counts are known.

mod caches;
mod exact;
mod touch;

use core::hint::black_box;
use core::ops::RangeInclusive;
use std::thread;
use std::time::Duration;
use std::vec;
use std::vec::Vec;

use crate::system::System;
use caches::Caches;
use exact::STEP;

/// Work of a known length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loop {
    /// Steps of few instructions.
    Spin,
    /// Branches that no predictor knows.
    Guess,
    /// Dependent loads from the first cache.
    LoadNear,
    /// Dependent loads from beyond the first caches.
    LoadFar,
    /// Stores into the first cache.
    Store,
    /// The first touch of memory.
    Touch,
    /// Short sleeps.
    Sleep,
    /// All of these but sleeps, for an event of which nothing is known.
    All,
}

const SPINS: u64 = 1_000_000;
const GUESSES: u64 = 50_000;
const LOADS: u64 = 20_000;
const PAGES: usize = 256;
const SLEEPS: u64 = 4;

/// More than a line of any cache: no load finds what another one has brought, not even the other
/// half of a pair of lines.
const DISTANCE: usize = 256;
const NEAR: usize = 8 << 10;
const FAR: usize = 16 << 20;

/// The loops, and the memory that they need.
#[derive(Debug)]
pub(super) struct Loops {
    near: Vec<u32>,
    /// Made when it is first needed.
    far: Vec<u32>,
    caches: Caches,
}

impl Loops {
    pub(super) fn new(system: &System) -> Self {
        Loops { near: circle(NEAR), far: Vec::new(), caches: Caches::of(system) }
    }

    /// Makes what a loop needs, which must not be counted.
    pub(super) fn prepare(&mut self, which: Loop) {
        if matches!(which, Loop::LoadFar | Loop::All) && self.far.is_empty() {
            self.far = circle(FAR);
        }
    }

    /// Runs a loop that was prepared.
    pub(super) fn run(&self, which: Loop) {
        match which {
            Loop::Spin => exact::spin(SPINS),
            Loop::Guess => guess(GUESSES),
            Loop::LoadNear => chase(&self.near, LOADS),
            Loop::LoadFar => chase(&self.far, LOADS),
            Loop::Store => store(LOADS),
            Loop::Touch => touch::touch(PAGES),
            Loop::Sleep => (0..SLEEPS).for_each(|_| thread::sleep(Duration::from_micros(20))),
            Loop::All => {
                for each in [Loop::Spin, Loop::Guess, Loop::LoadFar, Loop::Store, Loop::Touch] {
                    self.run(each);
                }
            }
        }
    }

    /// What a loop is, in words.
    pub(super) fn words(which: Loop) -> &'static str {
        match which {
            Loop::Spin => "a loop of 1,000,000 steps",
            Loop::Guess => "50,000 branches on random bits",
            Loop::LoadNear => "20,000 loads from 8 KiB",
            Loop::LoadFar => "20,000 loads from 16 MiB",
            Loop::Store => "20,000 stores into 8 KiB",
            Loop::Touch => "the first touch of 1 MiB",
            Loop::Sleep => "4 short sleeps",
            Loop::All => "all loops",
        }
    }

    /// Instructions of [`Loop::Spin`]. What starts and stops the counters is a fraction of a
    /// percent.
    pub(super) fn instructions() -> RangeInclusive<u64> {
        about(STEP.instructions)
    }

    /// Branches of [`Loop::Spin`].
    pub(super) fn branches() -> RangeInclusive<u64> {
        about(STEP.branches)
    }

    /// Cycles of [`Loop::Spin`]: no CPU executes more than eight instructions in one, and none is
    /// so slow, not even one that is emulated.
    pub(super) fn cycles() -> RangeInclusive<u64> {
        let [least, most] = STEP.instructions;
        SPINS * least / 8..=SPINS * most * 64
    }

    /// Mispredictions of [`Loop::Guess`]: half of them, and some CPUs count those of paths that
    /// were not taken in the end.
    pub(super) fn mispredictions() -> RangeInclusive<u64> {
        GUESSES / 4..=GUESSES * 2
    }

    /// Accesses of [`Loop::LoadNear`] and [`Loop::Store`]. Without optimization, a compiler keeps
    /// variables in memory.
    pub(super) fn accesses() -> RangeInclusive<u64> {
        LOADS - LOADS / 10..=LOADS * 32
    }

    /// What leaves a cache of [`Loop::LoadFar`]: that of a level or, without one, the last. Not
    /// all does, because the memory was written just before, and prefetchers add to it.
    pub(super) fn misses(&self, level: Option<u32>) -> RangeInclusive<u64> {
        let size = self.caches.size(level);
        // A cache of half the size may hold most of what was written last.
        let may_hold = match level {
            Some(_) => size.is_some_and(|size| size >= FAR / 2),
            None => size.is_none_or(|size| size >= FAR / 2),
        };
        let least = if may_hold { 0 } else { LOADS / 8 };
        least..=LOADS * 64
    }

    /// Page faults of [`Loop::Touch`]: one of a huge page, or one for each of the smallest pages and
    /// for those that describe them.
    pub(super) fn faults() -> RangeInclusive<u64> {
        1..=PAGES as u64 * 4
    }

    /// Switches of [`Loop::Sleep`]. On a busy machine, others run in between, at most as often as
    /// the kernel can switch in a second.
    pub(super) fn switches() -> RangeInclusive<u64> {
        1..=1_000_000
    }
}

/// Lets about a microsecond pass.
pub(super) fn pause() {
    exact::spin(2_000);
}

fn about([least, most]: [u64; 2]) -> RangeInclusive<u64> {
    let (least, most) = (SPINS * least, SPINS * most);
    least - least / 100..=most + most / 20
}

/// Places in memory, each of which has the number of the next, in an order that no prefetcher
/// knows and that visits all of them before it begins again.
fn circle(bytes: usize) -> Vec<u32> {
    // A linear congruential generator has its full period if its constant is odd and its factor
    // is one more than a multiple of 4 (Hull and Dobell, 1962).
    const FACTOR: u32 = 1_664_525;
    const CONSTANT: u32 = 1_013_904_223;
    let step = DISTANCE / size_of::<u32>();
    let places = (bytes / DISTANCE) as u32;
    let mut all = vec![0_u32; bytes / size_of::<u32>()];
    for place in 0..places {
        let next = place.wrapping_mul(FACTOR).wrapping_add(CONSTANT) % places;
        all[place as usize * step] = next * step as u32;
    }
    all
}

fn chase(all: &[u32], loads: u64) {
    let mut at = 0;
    for _ in 0..loads {
        at = black_box(all[at as usize]);
    }
    black_box(at);
}

fn store(stores: u64) {
    let mut into = [0_u32; NEAR / size_of::<u32>()];
    for n in 0..stores as usize {
        into[n % (NEAR / size_of::<u32>())] = n as u32;
        // Otherwise a later store would make this one needless.
        black_box(&mut into);
    }
}

/// The black boxes keep the branches: neither side can be computed beforehand.
fn guess(branches: u64) {
    let (mut bits, mut sum) = (0x9e37_79b9_7f4a_7c15_u64, 0_u64);
    for _ in 0..branches {
        // Marsaglia's xorshift.
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        if black_box(bits) & 1 == 1 {
            sum = black_box(sum).wrapping_add(1);
        } else {
            sum = black_box(sum).wrapping_mul(3);
        }
    }
    black_box(sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each place comes once before the first one comes again.
    #[test]
    fn circles_are_whole() {
        for bytes in [NEAR, 1 << 20] {
            let all = circle(bytes);
            let places = bytes / DISTANCE;
            let (mut at, mut seen) = (0_u32, std::collections::BTreeSet::new());
            while seen.insert(at) {
                at = all[at as usize];
            }
            assert_eq!((seen.len(), at), (places, 0));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no instructions of a CPU")]
    fn every_loop_ends() {
        let mut loops = Loops::new(&System::at("/nonexistent"));
        for which in [Loop::LoadNear, Loop::Sleep, Loop::All] {
            loops.prepare(which);
            loops.run(which);
        }
    }
}
