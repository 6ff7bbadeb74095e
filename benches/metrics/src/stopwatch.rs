//! The time of one call.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::allocations;

/// A look at the clock is a thousandth of that.
const ROUND: Duration = Duration::from_micros(30);

/// How long one contestant works before the next one does.
pub const SLICE: Duration = Duration::from_millis(1);

/// What a slice of time showed.
pub struct Slice {
    /// Nanoseconds of a call in the fastest round, which other programs
    /// disturbed least.
    pub nanoseconds: f64,
    /// Of all rounds together.
    pub allocations: u64,
}

/// Calls `work`, which is compiled into the loop, for a slice of time.
pub fn slice(mut work: impl FnMut() -> f64) -> Slice {
    let allocations = allocations::count();
    let mut calls = 1;
    while round(calls, &mut work) < ROUND {
        calls *= 2;
    }
    let mut fastest = Duration::MAX;
    let start = Instant::now();
    while start.elapsed() < SLICE {
        fastest = fastest.min(round(calls, &mut work));
    }
    Slice {
        nanoseconds: fastest.as_nanos() as f64 / f64::from(calls),
        allocations: allocations::count() - allocations,
    }
}

#[inline(always)]
fn round(calls: u32, mut work: impl FnMut() -> f64) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(work());
    }
    start.elapsed()
}
