//! Retirement latencies of samples, in `pmu stat` and `pmu topdown`, on a simulated kernel whose
//! samples have known ones.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // As above.
#[path = "common/run.rs"]
mod run;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;
use run::Run;

/// The program runs for 10 ms with loads that take 40 cycles, and for 30 ms with such that take 60:
/// 55 in the mean. Each microsecond has 1000 cycles and 10 loads, which wait for 55% of the time.
fn scenario(pmu: &str) -> String {
    let mut text = format!(
        "cpus 2\npmu 4 core counters=4 {pmu}\nprogram cpu=0 us=10000 phase=0\n\
         program cpu=1 us=30000 phase=1\n\
         latency 4 config=4 phase=0 cycles=40\nlatency 4 config=4 phase=1 cycles=60\n"
    );
    for phase in 0..2 {
        for rate in ["config=1 user=1000", "config=4 user=10", "config=5 user=1"] {
            text.push_str(&format!("rate 4 phase={phase} {rate}\n"));
        }
    }
    text
}

fn run(pmu: &str, arguments: &[&str]) -> Run {
    let machine = Machine::of(
        "/devices/system/cpu/online\t0-1\n/devices/system/cpu/present\t0-1\n\
         software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\n",
    );
    let mut command = simulated::pmu(&machine, "samples-2", &scenario(pmu));
    let (name, rest) = arguments.split_first().expect("it has a command");
    command.arg(name).args(["--tree", "../tests/trees/topdown-samples"]).args(rest);
    run::finish(&mut command)
}

fn objects(run: &Run) -> Vec<Value> {
    run.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The value of a metric, and whether it is an estimate.
fn value(run: &Run, name: &str) -> Option<(f64, bool)> {
    let all = objects(run);
    // The unit has the name, as in perf.
    let names = |one: &&Value| one["metric-unit"].as_str().is_some_and(|unit| unit.ends_with(name));
    let metric = all.iter().find(|one| one["name"] == name || names(one))?;
    let value = metric.get("metric-value").or(metric.get("value"))?;
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok())?;
    let is_estimate = metric.get("metric-estimate").or(metric.get("estimate"));
    Some((number, is_estimate.and_then(Value::as_bool).unwrap_or(false)))
}

const SAMPLED: [&str; 2] = ["--retire-latency", "sampled"];

#[test]
fn means_of_samples() {
    // Options, the share of the cycles, and whether it is an estimate.
    let cases: [(&str, &[&str], f64, bool); 7] = [
        ("", &[], 100.0, true),
        ("", &SAMPLED, 55.0, false),
        ("", &["--record-tpebs"], 55.0, false),
        ("", &["--retire-latency", "sampled,max"], 60.0, false),
        ("", &["--record-tpebs", "--tpebs-mode", "MIN"], 40.0, false),
        // What somebody states goes before the tables, and samples before that.
        ("", &["--retire-latency", "LOADS=20"], 20.0, false),
        ("nosamples", &SAMPLED, 100.0, true),
    ];
    for (pmu, options, expected, is_estimate) in cases {
        for command in [&["stat", "-j", "-M", "top_waits"][..], &["topdown", "-j", "-l", "1"]] {
            let run = run(pmu, &[command, options, &["true"]].concat());
            assert_eq!(run.code, Some(0), "{command:?} {options:?}: {}", run.err);
            let (found, marked) = value(&run, "top_waits").unwrap_or_else(|| panic!("{}", run.err));
            assert!((found - expected).abs() < 1e-6, "{command:?} {options:?}: {}", run.err);
            assert_eq!(marked, is_estimate, "{command:?} {options:?}: {}", run.err);
        }
    }
}

/// Why samples do not tell a latency.
#[test]
fn notes() {
    let cases: [(&str, &str, &str); 3] = [
        ("nosamples", "top_waits", "note: retirement latencies cannot be sampled: `LOADS:p`: "),
        ("precise=0", "top_waits", "note: retirement latencies cannot be sampled: `LOADS:p`: "),
        (
            "",
            "rare_waits",
            "note: no sample tells the retirement latency of `RARE`, which occurs too rarely; that \
             of the tables is taken",
        ),
    ];
    for (pmu, metric, expected) in cases {
        let run = run(pmu, &[&["stat", "-M", metric], &SAMPLED[..], &["true"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.err.contains(expected), "{pmu} {metric}: {}", run.err);
        assert!(run.err.contains("(estimate)"), "{pmu} {metric}: {}", run.err);
    }
    let found = run("", &["stat", "-M", "top_waits", "--record-tpebs", "true"]);
    assert!(!found.err.contains("estimate") && !found.err.contains("note: no"), "{}", found.err);
}

/// An interval has the latencies of the samples so far.
#[test]
fn intervals() {
    let arguments = ["stat", "-j", "-I", "10", "-M", "top_waits", "--record-tpebs", "sleep", "0.1"];
    let run = run("", &arguments);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let all = objects(&run);
    let is_it = |one: &&Value| one["metric-unit"] == "%  top_waits";
    let values = all.iter().filter(is_it).filter_map(|one| one["metric-value"].as_str());
    let values: Vec<&str> = values.filter(|value| *value != "nan").collect();
    assert_eq!(values, ["40.000000", "50.000000", "53.333333", "55.000000"], "{}", run.err);
}

#[test]
fn wrong_words() {
    for (arguments, expected) in [
        (
            ["--retire-latency", "sample"],
            "expected `mean`, `min`, `max`, `sampled` or EVENT=CYCLES",
        ),
        (["--tpebs-mode", "last"], "expected `mean`, `min` or `max`"),
    ] {
        let run = run("", &[&["stat", "-M", "top_waits"], &arguments[..], &["true"]].concat());
        assert_eq!(run.code, Some(125), "{}", run.err);
        assert!(run.err.contains(expected), "{}", run.err);
    }
}
