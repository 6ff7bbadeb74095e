//! A benchmark with criterion, which measures instructions and a metric by name, on Arm.

use std::fs;
use std::time::Duration;

use criterion::Criterion;
use pmu_criterion::Pmu;

use crate::counts::expected::{MODIFIER, NAMES};
use crate::machine::Machine;
use crate::report::Report;
use crate::work::{self, CYCLES, PER_TURN};

const TURNS: u64 = 10_000;

/// What the loop of iterations adds to each, and its share of the reads at both ends.
const ROOM: f64 = 100.0;

const RESULTS: &str = "/tmp/criterion";

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    let system = machine.system();
    let open = |wanted: &str| {
        Pmu::open(&system, wanted).unwrap_or_else(|error| panic!("{wanted}: {error}"))
    };
    let pmu = open(&format!("{{{},{}}}{MODIFIER}", NAMES[0], NAMES[1]));
    let each = (PER_TURN * TURNS) as f64;
    let by_loop = measured("plain", &pmu, false);
    within(report, "criterion: instructions", [each, each + ROOM], by_loop);
    drop(pmu.take_totals()); // With those of criterion's own loop, whose number nobody tells.
    let by_custom = measured("custom", &pmu, true);
    within(report, "criterion: instructions, custom", [each, each + ROOM], by_custom);
    let totals = pmu.take_totals();
    let iterations = totals.iterations().expect("they are told") as f64;
    let cycles = totals.reading()[1].exact().expect("it is counted") / iterations;
    let expected = CYCLES as f64 * each;
    within(report, "criterion: cycles", [expected, expected + CYCLES as f64 * ROOM], cycles);
    // The kernel, which metrics count, too, takes a part of each iteration.
    let ipc = measured("ipc", &open("ipc"), true);
    within(report, "criterion: ipc", [0.95 / CYCLES as f64, 1.05 / CYCLES as f64], ipc);
}

/// The mean that criterion finds and writes for an iteration.
fn measured(name: &str, pmu: &Pmu, is_custom: bool) -> f64 {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(5))
        .measurement_time(Duration::from_millis(20))
        .output_directory(RESULTS.as_ref())
        .with_measurement(pmu.clone());
    criterion.bench_function(name, |bencher| {
        if is_custom {
            bencher.iter_custom(pmu.custom(|| work::spin(TURNS)));
        } else {
            bencher.iter(|| work::spin(TURNS));
        }
    });
    let estimates = fs::read_to_string(format!("{RESULTS}/{name}/new/estimates.json"));
    let estimates = estimates.expect("criterion writes its estimates");
    let mean = estimates.split_once("\"mean\"").and_then(|(_, mean)| {
        let (_, point) = mean.split_once("\"point_estimate\":")?;
        point.split(',').next()?.parse().ok()
    });
    mean.expect("the estimates have a mean")
}

fn within(report: &mut Report, name: &str, [least, most]: [f64; 2], measured: f64) {
    let holds = (least..=most).contains(&measured);
    report.check(name, format!("{least} to {most}"), format!("{measured:.3}"), holds);
}
