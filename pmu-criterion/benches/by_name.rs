//! A benchmark that measures time, and beside it events and metrics by name. On a machine that
//! lacks one, it prints the reason.

use std::hint::black_box;

use criterion::Criterion;
use pmu_criterion::Pmu;
use pmu_events::System;

fn sort(numbers: &[u64]) -> Vec<u64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted
}

fn main() {
    let numbers: Vec<u64> = (0..1000).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let time = Criterion::default().configure_from_args();
    let mut time = time;
    time.bench_function("sort/time", |b| b.iter(|| sort(black_box(&numbers))));

    let system = System::new();
    for wanted in ["{instructions,cycles}:u", "ipc", "{task-clock,page-faults}"] {
        let pmu = match Pmu::open(&system, wanted) {
            Ok(pmu) => pmu,
            Err(why) => {
                println!("{wanted}: {why}");
                continue;
            }
        };
        let mut criterion =
            Criterion::default().configure_from_args().with_measurement(pmu.clone());
        let name = format!("sort/{wanted}");
        criterion
            .bench_function(&name, |b| b.iter_custom(pmu.custom(|| sort(black_box(&numbers)))));
        print!("{}", pmu.take_totals());
    }
    Criterion::default().final_summary();
}
