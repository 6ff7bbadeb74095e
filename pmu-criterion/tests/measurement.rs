//! criterion with counters in place of its clock.

use std::time::Duration;

use criterion::Criterion;
use criterion::measurement::Measurement;
use pmu_criterion::Pmu;
use pmu_events::System;
use pmu_events::open::ErrorKind;

fn pmu(events: &str) -> Pmu {
    Pmu::open(&System::new(), events).expect("a clock needs no rights")
}

/// A whole benchmark, by criterion's own loop and by one that tells the iterations.
#[test]
fn benchmarks() {
    let pmu = pmu("duration_time,no_such_event");
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(10))
        .measurement_time(Duration::from_millis(50))
        .output_directory(env!("CARGO_TARGET_TMPDIR").as_ref())
        .with_measurement(pmu.clone());
    let work = || (0..100u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
    criterion.bench_function("plain", |b| b.iter(work));
    let totals = pmu.take_totals();
    assert!(totals.reading()["duration_time"].exact().expect("a time") > 0.0);
    assert_eq!(totals.iterations(), None);
    criterion.bench_function("custom", |b| b.iter_custom(pmu.custom(work)));
    let totals = pmu.take_totals();
    assert!(totals.iterations().is_some_and(|iterations| iterations > 10), "{totals}");
    let text = totals.to_string();
    assert!(text.contains(" s duration_time, ") && text.contains(" an iteration\n"), "{text}");
    assert!(text.contains("unknown no_such_event: "), "{text}");
    assert!(pmu.take_totals().reading().events().is_empty());
}

/// Values add up, and nothing is zero.
#[test]
fn values() {
    let pmu = pmu("duration_time");
    assert_eq!(pmu.to_f64(&pmu.zero()), 0.0);
    let (one, two) = (pmu.end(pmu.start()), pmu.end(pmu.start()));
    let sum = pmu.to_f64(&one) + pmu.to_f64(&two);
    assert!((pmu.to_f64(&pmu.add(&one, &two)) - sum).abs() < 1e-12);
    assert_eq!(pmu.to_f64(&pmu.add(&pmu.zero(), &one)), pmu.to_f64(&one));
}

/// What the machine cannot count is refused with the reason that it has.
#[test]
fn refusals() {
    let cases = [
        ("no_such_event", Some(ErrorKind::Unresolved), "no_such_event"),
        ("{duration_time", Some(ErrorKind::Syntax), ""),
        ("no_such_event,duration_time", Some(ErrorKind::Unresolved), "no_such_event"),
        ("", Some(ErrorKind::Syntax), ""),
    ];
    for (events, kind, part) in cases {
        let error = Pmu::open(&System::new(), events).expect_err(events);
        assert_eq!(error.of_event().map(|error| error.kind()), kind, "{events}: {error}");
        assert!(error.to_string().contains(part), "{events}: {error}");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}

/// A metric of a machine without PMUs lacks its events.
#[test]
fn metrics_without_events() {
    // The tables are those of the architecture that the test is built for.
    let cpuid = match std::env::consts::ARCH {
        "x86_64" => "GenuineIntel-6-8F-4",
        "aarch64" => "0x00000000410fd0c0",
        "powerpc64" => "0x004e1202",
        _ => return,
    };
    let empty = System::at(env!("CARGO_TARGET_TMPDIR")).with_cpuid(cpuid);
    let error = Pmu::open(&empty, "ipc").expect_err("no PMU counts instructions");
    assert!(error.to_string().starts_with("`ipc`: "), "{error}");
    assert!(error.to_string().contains("PMU"), "{error}");
}
