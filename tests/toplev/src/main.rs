//! Metrics, thresholds and bottlenecks beside those of toplev, of pmu-tools.

extern crate pmu_events as pmu_events_core;

mod compare;
mod core;
#[path = "../../consistent/counts.rs"]
#[allow(dead_code, reason = "values of tests/consistent")]
mod counts;
#[path = "../../common/exceptions.rs"]
mod except;
mod exceptions;
mod models;
mod names;
#[path = "../../consistent/parts.rs"]
mod parts;
mod same;
#[path = "../../consistent/scales.rs"]
#[allow(dead_code, reason = "values of tests/consistent")]
mod scales;
#[path = "../../kernel/src/situations.rs"]
#[allow(dead_code, reason = "counts of tests/kernel")]
mod situations;
#[path = "../../perfmon/src/written/spelling.rs"]
mod spelling;
mod toplev;
mod verdict;

use std::process::ExitCode;

const USAGE: &str = "usage: pmu-events-toplev-comparison PMU_TOOLS [FILE…]\n\
                     PMU_TOOLS is a checkout of pmu-tools, FILE the start of one of its \
                     *_ratios.py";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(checkout) = words.next() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let files: Vec<String> = words.collect();
    match compare::all(checkout.as_ref(), &files) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
