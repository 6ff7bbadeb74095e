//! Times of several sides, which take turns.
//!
//! The time is the processor's for this thread, in user and kernel mode. A ratio is that of
//! two sides in one round, a few milliseconds apart, and the median over the rounds: what
//! makes the machine slower for longer than that does not change it.

use std::hint::black_box;
use std::time::Duration;

use crate::allocations;
use crate::processor_time::now;

/// Of at least so long each.
const ROUND: Duration = Duration::from_millis(2);

/// One side: its name, and what it does, which returns something to look at.
pub type Side<'a> = (&'a str, &'a mut dyn FnMut() -> u64);

/// Measures one figure of all sides, and prints for each the median over the rounds, that of
/// its ratio to the first side, and the allocations of a call.
pub fn measure(figure: &str, rounds: usize, sides: &mut [Side<'_>]) {
    let calls: Vec<u32> = sides.iter_mut().map(|(_, work)| calls(*work)).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); sides.len()];
    for round in 0..rounds {
        for n in 0..sides.len() {
            // Each is first as often as last.
            let n = (n + round) % sides.len();
            let time = time(calls[n], sides[n].1).as_secs_f64();
            times[n].push(time * 1e9 / f64::from(calls[n]));
        }
    }
    for (n, (side, work)) in sides.iter_mut().enumerate() {
        let ratios = times[n].iter().zip(&times[0]).map(|(own, first)| own / first).collect();
        println!("{side}.{figure}_ns\t{:.2}", median(times[n].clone()));
        println!("{side}.{figure}_ratio\t{:.4}", median(ratios));
        let before = allocations::count();
        black_box(work());
        println!("{side}.{figure}_allocations\t{}", allocations::count() - before);
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn calls(work: &mut dyn FnMut() -> u64) -> u32 {
    let mut calls = 1;
    while time(calls, work) < ROUND {
        calls *= 2;
    }
    calls
}

fn time(calls: u32, work: &mut dyn FnMut() -> u64) -> Duration {
    let start = now();
    for _ in 0..calls {
        black_box(work());
    }
    now() - start
}
