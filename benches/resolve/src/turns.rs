//! Times of several sides, which take turns.
//!
//! The time is the processor's for this thread, in user and kernel mode: all
//! sides have one thread and wait for nothing, and what else the machine does
//! is none of their business.

use std::hint::black_box;
use std::time::Duration;

use crate::allocations;
use crate::processor_time::now;

const ROUNDS: usize = 15;
/// Of at least so long each.
const ROUND: Duration = Duration::from_millis(10);

/// One side: its name, and what it does, which returns something to look at.
pub type Side<'a> = (&'a str, &'a dyn Fn() -> u64);

/// Measures one figure of all sides, and prints for each the median over the
/// rounds, the minimum, and the allocations of one of the `ops` of a call.
pub fn measure(figure: &str, ops: usize, sides: &[Side<'_>]) {
    let calls: Vec<u32> = sides.iter().map(|(_, work)| calls(*work)).collect();
    let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); sides.len()];
    for _ in 0..ROUNDS {
        for (n, (_, work)) in sides.iter().enumerate() {
            let per_op = f64::from(calls[n]) * ops as f64;
            rounds[n].push(time(calls[n], *work).as_secs_f64() * 1e9 / per_op);
        }
    }
    for ((side, work), mut rounds) in sides.iter().zip(rounds) {
        rounds.sort_by(f64::total_cmp);
        let before = allocations::count();
        black_box(work());
        let allocations = (allocations::count() - before) as f64 / ops as f64;
        println!("{side}.{figure}_ns\t{:.2}", rounds[ROUNDS / 2]);
        println!("{side}.{figure}_min_ns\t{:.2}", rounds[0]);
        println!("{side}.{figure}_allocations\t{allocations:.2}");
    }
}

fn calls(work: &dyn Fn() -> u64) -> u32 {
    let mut calls = 1;
    while time(calls, work) < ROUND {
        calls *= 2;
    }
    calls
}

fn time(calls: u32, work: &dyn Fn() -> u64) -> Duration {
    let start = now();
    for _ in 0..calls {
        black_box(work());
    }
    now() - start
}

/// The processor time of all programs that were run and have ended.
pub fn of_children() -> Duration {
    // SAFETY: numbers alone, for which zeros are fine.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a rusage.
    let status = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) };
    assert_eq!(status, 0, "Linux has this question");
    let of = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.unsigned_abs())
            + Duration::from_micros(time.tv_usec.unsigned_abs())
    };
    of(usage.ru_utime) + of(usage.ru_stime)
}
