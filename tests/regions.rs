//! Regions on this machine's own clock: what they cost, what they print, and what a child sees.

#![cfg(target_os = "linux")]

use pmu_events::System;
use pmu_events::region::{Regions, Report};
use serde_json::Value;

fn regions(events: &str) -> Regions {
    Regions::open(&System::new(), events).expect("it is a list of events")
}

fn time(report: &Report, label: &str) -> f64 {
    report.label(label).expect("it was entered").reading()["duration_time"].exact().expect("a time")
}

/// What the regions count of themselves can be subtracted, once.
#[test]
fn overhead() {
    let regions = regions("duration_time");
    let thread = regions.thread().expect("a clock needs no rights");
    {
        let _outer = thread.enter("outer");
        (0..100).for_each(|_| thread.count("inner", || ()));
    }
    let report = regions.report();
    let [own, nested] = [
        report.overhead("duration_time").expect("it is counted"),
        report.nested_overhead("duration_time").expect("it is counted"),
    ];
    assert_eq!(report.overhead("cycles"), None);
    let less = report.clone().without_overhead();
    for (label, overhead) in [("outer", own + 100 * nested), ("inner", 100 * own)] {
        let (with, without) = (time(&report, label), time(&less, label));
        let expected = (with - overhead as f64 * 1e-9).max(0.0);
        assert!((without - expected).abs() < 1e-12, "{label}: {with} {without} {overhead}");
    }
    assert_eq!(time(&less.clone().without_overhead(), "inner"), time(&less, "inner"));
    // A clock of few ticks may not move during an empty region.
    let line = |verb: &str| match own {
        0 => String::new(),
        own => format!("{verb} for each region: {own} of duration_time\n"),
    };
    assert!(report.to_string().ends_with(&line("Included")), "{report}");
    assert!(less.to_string().ends_with(&line("Subtracted")), "{less}");
    assert_eq!(report.to_string().matches("for each region").count(), usize::from(own > 0));
}

#[test]
fn json() {
    let regions = regions("duration_time,no_such_event");
    let thread = regions.thread().expect("a clock needs no rights");
    let work =
        || std::hint::black_box((0..10_000).fold(0u64, |sum, n| std::hint::black_box(sum ^ n)));
    thread.count("a \"label\"\n", work);
    let report: Value = serde_json::from_str(&regions.report().to_json()).expect("it is JSON");
    let label = &report["labels"][0];
    let numbers = ["label", "regions", "within", "panicked", "forked", "unclosed"];
    let expected = serde_json::json!(["a \"label\"\n", 1, 0, 0, 0, 0]);
    assert_eq!(Value::from(numbers.map(|key| label[key].clone()).to_vec()), expected);
    let [time, missing] = &label["events"].as_array().expect("a list")[..] else {
        panic!("{label}")
    };
    assert_eq!(
        (&time["unit"], &time["share"], &time["reason"]),
        (&"s".into(), &1.into(), &Value::Null)
    );
    assert!(time["value"].as_f64().is_some_and(|value| value > 0.0), "{time}");
    assert_eq!((&missing["value"], &missing["share"]), (&Value::Null, &Value::Null));
    assert!(
        missing["reason"].as_str().is_some_and(|why| why.contains("no_such_event")),
        "{missing}"
    );
    assert_eq!(report["overhead"][0]["name"], "duration_time");
    assert_eq!(report["is_overhead_subtracted"], false);
}

/// A region that continues in a child is not one of the child's, and the parent's is whole.
#[test]
fn forks() {
    let regions = regions("duration_time");
    let thread = regions.thread().expect("a clock needs no rights");
    let outer = thread.enter("outer");
    // SAFETY: the child calls nothing that a lock of another thread could stop: regions do not
    // wait for locks in a child.
    match unsafe { libc::fork() } {
        -1 => panic!("{}", std::io::Error::last_os_error()),
        0 => {
            drop(outer);
            thread.count("outer", || ());
            let report = regions.report();
            let label = &report.labels()[0];
            let is_said = (label.regions(), label.forked(), label.unclosed()) == (0, 2, 0);
            // SAFETY: it ends the process.
            unsafe { libc::_exit(if is_said { 7 } else { 8 }) }
        }
        child => {
            let mut status = 0;
            // SAFETY: the pointer is valid, and the process is a child.
            let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
            assert_eq!((ended, libc::WEXITSTATUS(status)), (child, 7));
        }
    }
    drop(outer);
    let report = regions.report();
    assert_eq!((report.labels()[0].regions(), report.labels()[0].forked()), (1, 0));
    assert!(time(&report, "outer") > 0.0);
}
