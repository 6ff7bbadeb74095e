//! A benchmark that has the counters of `pmu stat` or `perf stat` enabled while samples are
//! measured, and only then:
//!
//! ```text
//! $ mkfifo ctl ack
//! $ CONTROL=fifo:ctl,ack pmu stat --delay=-1 --control fifo:ctl,ack -- target/release/deps/switched-… --bench
//! ```
//!
//! Without the variable, it measures time alone.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use pmu_events::control::{Control, Error};

fn sort(numbers: &[u64]) -> Vec<u64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted
}

/// The time of a sample.
fn sample(iterations: u64, numbers: &[u64]) -> Duration {
    let start = Instant::now();
    for _ in 0..iterations {
        black_box(sort(black_box(numbers)));
    }
    start.elapsed()
}

fn main() -> Result<(), Error> {
    let numbers: Vec<u64> = (0..1000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut control = match std::env::var("CONTROL") {
        Ok(address) => Some(Control::connect(&address.parse()?)?),
        Err(_) => None,
    };
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("sort", |b| {
        b.iter_custom(|iterations| match &mut control {
            Some(control) => control
                .during(|| sample(iterations, &numbers))
                .unwrap_or_else(|error| panic!("{error}")),
            None => sample(iterations, &numbers),
        });
    });
    criterion.final_summary();
    Ok(())
}
