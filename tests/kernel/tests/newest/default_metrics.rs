//! The metrics that perf shows by default, on every CPU: their values are those that perf
//! computes.

use std::fmt::Write as _;

use pmu_events::arch::common::COMMON;
use pmu_events::expr::Identifier;
use pmu_events::{Metric, Model, Scope};
use pmu_events_kernel_comparison::beside::perf::Perf;
use pmu_events_kernel_comparison::compiled::compiled;

use crate::machines::Machine;
use crate::{built_from, program};

const METRICS: usize = 17;

/// The kernel's formulas and ours, from counts that are all different.
#[test]
fn values() {
    let arch = compiled(&built_from(), "common").unwrap_or_else(|report| panic!("{report}"));
    let machine = Machine::empty();
    let system = machine.system();
    let on_machine = system.machine(&Scope::ThisThread);
    let mut perf = Perf::on(program(), system.sysfs(), "none");
    let theirs = (arch.model)("common").expect("jevents knows its row");
    let names = |model: Model| model.metrics().map(|one| one.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(theirs).len(), METRICS);
    assert_eq!(names(COMMON), names(theirs));
    for metric in theirs.metrics().chain(COMMON.metrics()) {
        let count = |event: Identifier<'_>| count_of(&event.escaped().to_string());
        let ours = metric.evaluate_on(&on_machine, count);
        let question = question(metric);
        let answer = perf.ask(&question).unwrap_or_else(|| panic!("perf dies: {question}"));
        let value: f64 = answer[0].parse().unwrap_or_else(|_| panic!("{answer:?}: {question}"));
        let expected = value * metric.scale().0;
        let differs = (ours - expected).abs() > expected.abs() * 1e-12;
        assert!(!differs && ours > 0.0, "{}: {ours}, perf: {expected}", metric.name());
    }
}

/// A count that is made of an event's name.
fn count_of(event: &str) -> f64 {
    let sum = event.bytes().fold(7_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 1_000_003);
    (sum + 1) as f64
}

/// The same formula and counts for perf.
fn question(metric: Metric) -> String {
    let mut question = format!("formula\t{}", metric.expression());
    for event in metric.events() {
        let name = event.escaped().to_string();
        let _ = write!(question, "\t{}={}", name.replace('\\', ""), count_of(&name));
    }
    question
}
