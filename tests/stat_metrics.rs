//! `examples/stat -M` as a user meets it: metrics of the made-up tree, whose
//! events software and the time-stamp counter count, and of a CPU that is not
//! here.

#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use pmu_events::sysfs::Sysfs;
use serde_json::Value;

#[path = "common/cargo.rs"]
mod cargo;

static STAT: LazyLock<PathBuf> = LazyLock::new(|| cargo::example("stat"));

/// The model whose metrics need no PMU of a core.
const MADE_UP: [&str; 2] = ["--cpuid", "testlater-1"];

/// Some milliseconds on a CPU, and page faults.
const BUSY: [&str; 3] = ["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"];

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(&*STAT);
    command.env_remove("PERF_CPUID").env_remove("SYSFS_PATH").stdin(Stdio::null());
    let Output { status, stderr, .. } = command.args(arguments).output().expect("stat runs");
    (status.code(), String::from_utf8(stderr).expect("the output is UTF-8"))
}

/// What it shows, for a run that must do.
fn shown(arguments: &[&str], command: &[&str]) -> String {
    let (code, shown) = run(&[&MADE_UP, arguments, command].concat());
    assert_eq!(code, Some(0), "{arguments:?}: {shown}");
    shown
}

fn objects(text: &str) -> Vec<Value> {
    let object = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(object).collect()
}

fn number(value: &Value) -> f64 {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value}"))
}

/// Value and threshold of a metric among the objects, by unit and name.
fn metrics(objects: &[Value], what: &str) -> Vec<(f64, String)> {
    let verdict = |object: &Value| object["metric-threshold"].as_str().unwrap_or("").to_string();
    let found = objects.iter().filter(|object| object["metric-unit"] == what);
    found.map(|object| (number(&object["metric-value"]), verdict(object))).collect()
}

fn metric(objects: &[Value], what: &str) -> (f64, String) {
    match <[_; 1]>::try_from(metrics(objects, what)) {
        Ok([one]) => one,
        Err(other) => panic!("{what}: {other:?} in {objects:?}"),
    }
}

fn count(objects: &[Value], event: &str) -> f64 {
    let named = |object: &&Value| {
        object["event"].as_str().is_some_and(|name| name.trim_end_matches(":u") == event)
    };
    let found = objects.iter().find(named);
    number(&found.unwrap_or_else(|| panic!("no {event} in {objects:?}"))["counter-value"])
}

/// The time-stamp counter is an event of x86, which cannot leave out the kernel.
fn has_tsc() -> bool {
    // SAFETY: it has no arguments and cannot fail.
    let is_root = unsafe { libc::geteuid() } == 0;
    let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    let level: i32 = level.expect("Linux has it").trim().parse().expect("it is a number");
    let sysfs = Sysfs::new();
    (is_root || level <= 1) && sysfs.pmu("msr").is_some_and(|pmu| pmu.event("tsc").is_some())
}

fn is_close(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() < 1e-5
}

#[test]
fn a_metric_of_software_events_is_what_they_come_to() {
    let objects = objects(&shown(&["-j", "-M", "faults_a_second"], &BUSY));
    let (value, verdict) = metric(&objects, "faults_a_second");
    let expected = count(&objects, "page-faults") / (count(&objects, "duration_time") * 1e-9);
    assert!(value > 0.0 && is_close(value, expected), "{value}, not {expected}");
    assert_eq!(verdict, "bad", "above its threshold");
}

#[test]
fn the_clock_ticks_as_clocks_do() {
    let objects = objects(&shown(&["-j", "-M", "TICKS_A_NANOSECOND"], &BUSY));
    let what = "GHz  ticks_a_nanosecond";
    if has_tsc() {
        let (value, verdict) = metric(&objects, what);
        assert!((0.1..10.0).contains(&value), "{value} ticks to a nanosecond");
        assert_eq!(verdict, "good", "below its threshold");
        // The clock counts nanoseconds, and is shown in milliseconds.
        let clock = 1e6 * count(&objects, "task-clock");
        assert!(is_close(value, count(&objects, "msr/tsc/") / clock), "{objects:?}");
    } else {
        assert!(objects.iter().any(|object| object["counter-value"] == "<not supported>"));
        let found = objects.iter().find(|object| object["metric-unit"] == what).unwrap();
        assert_eq!((&found["metric-value"], found.get("metric-threshold")), (&"nan".into(), None));
    }
}

#[test]
fn a_group_stands_for_its_metrics() {
    let shown = shown(&["-j", "-M", "cLOCKs"], &BUSY);
    for name in ["clock_rate", "faults_a_second", "ticks_a_nanosecond"] {
        assert_eq!(shown.matches(&format!("{name}\"")).count(), 1, "{name}: {shown}");
    }
    assert!(!shown.contains("ticks_a_fault") && !shown.contains("only_a_number"), "{shown}");
    // What several need outside of groups is there once, and so is the time.
    assert_eq!(shown.matches("\"duration_time\"").count(), 1, "{shown}");
    // A metric that is named besides comes once.
    let twice = objects(&self::shown(&["-j", "-M", "Clocks,faults_a_second"], &BUSY));
    assert_eq!(metrics(&twice, "faults_a_second").len(), 1);
}

#[test]
fn metrics_stand_beside_events() {
    let arguments =
        ["-j", "-e", "context-switches", "-M", "faults_a_second", "-M", "only_a_number"];
    let objects = objects(&shown(&arguments, &BUSY));
    let events: Vec<&str> = objects.iter().filter_map(|object| object["event"].as_str()).collect();
    let names = events.iter().map(|event| event.trim_end_matches(":u")).collect::<Vec<_>>();
    assert_eq!(names, ["context-switches", "page-faults", "duration_time"]);
    assert_eq!(metric(&objects, "only_a_number"), (42.0, String::new()));
}

#[test]
fn metrics_refer_to_metrics() {
    let objects = objects(&shown(&["-j", "-M", "faults,clock_rate"], &BUSY));
    let (faults, _) = metric(&objects, "faults_a_second");
    if has_tsc() {
        let (rate, _) = metric(&objects, "GHz  clock_rate");
        let (ticks, verdict) = metric(&objects, "ticks  ticks_a_fault");
        // Page faults are counted in two groups, not at the same moments.
        assert!((ticks * faults / (1e9 * rate) - 1.0).abs() < 0.1, "{objects:?}");
        assert_eq!(verdict, "", "it has no threshold");
    }
    assert!(faults > 0.0);
}

#[test]
fn people_read_values_units_and_thresholds() {
    let shown = shown(&["-M", "faults_a_second,ticks_a_nanosecond"], &BUSY);
    let line = |what: &str| {
        let found = shown.lines().find(|line| line.contains(what));
        found.unwrap_or_else(|| panic!("no {what} in {shown}"))
    };
    // Beside the clock, its rate stands first and the metric below.
    let faults = line(" faults_a_second");
    assert!(faults.trim_start().starts_with("# "), "{shown}");
    assert!(faults.ends_with("(threshold crossed)"), "{shown}");
    let ticks = line(" GHz  ticks_a_nanosecond");
    match has_tsc() {
        true => assert!(ticks.ends_with("(threshold not crossed)"), "{shown}"),
        false => assert!(ticks.contains(" nan "), "{shown}"),
    }
    // Without it, the metric stands behind its event.
    let alone = self::shown(&["-M", "faults_a_second"], &BUSY);
    let line = alone.lines().find(|line| line.contains(" faults_a_second")).unwrap();
    assert!(line.contains("page-faults") && line.contains(" # "), "{alone}");
}

#[test]
fn programs_read_fields() {
    let shown = shown(&["-x", ";", "-e", "context-switches", "-M", "faults"], &BUSY);
    let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split(';').collect()).collect();
    // Count, unit, event, time, share, value, what it is, threshold.
    assert!(lines.iter().all(|fields| fields.len() == 8), "{shown}");
    let of = |what: &str| lines.iter().find(|fields| fields[6] == what);
    let fields = of("faults_a_second").unwrap_or_else(|| panic!("{shown}"));
    assert!(fields[5].parse::<f64>().unwrap() > 0.0 && fields[7] == "bad", "{shown}");
    let fields = of("ticks  ticks_a_fault").unwrap_or_else(|| panic!("{shown}"));
    assert_eq!((fields[5].parse::<f64>().is_ok(), fields[7]), (has_tsc(), ""), "{shown}");
}

#[test]
fn repeats_give_the_metric_of_the_means() {
    let objects = objects(&shown(&["-j", "-r", "4", "-M", "faults_a_second"], &BUSY));
    let (value, _) = metric(&objects, "faults_a_second");
    let expected = count(&objects, "page-faults") / (count(&objects, "duration_time") * 1e-9);
    assert!(is_close(value, expected), "{value}, not {expected}");
}

#[test]
fn intervals_have_their_own_values() {
    // Something runs in each of them: else nothing is counted.
    let naps = ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.02; done"];
    let objects = objects(&shown(&["-j", "-I", "100", "-M", "faults_a_second"], &naps));
    let values = metrics(&objects, "faults_a_second");
    assert!(values.len() >= 3, "{objects:?}");
    let in_each = |event: &'static str| {
        let is_it = move |object: &&Value| {
            object["event"].as_str().is_some_and(|name| name.trim_end_matches(":u") == event)
        };
        objects.iter().filter(is_it).map(|object| number(&object["counter-value"]))
    };
    for (((value, _), faults), time) in
        values.iter().zip(in_each("page-faults")).zip(in_each("duration_time"))
    {
        // Of an interval, not of all that was counted before.
        assert!(time < 2e8, "{objects:?}");
        assert!((value - 1e9 * faults / time).abs() <= 1e-3 * value.abs(), "{objects:?}");
    }
}

#[test]
fn whole_cpus() {
    let (code, shown) =
        run(&[&MADE_UP, &["-j", "-C", "0", "-M", "clock_rate"][..], &BUSY].concat());
    let may_not = shown.contains("perf_event_paranoid");
    match code {
        Some(0) if has_tsc() => {
            let (rate, verdict) = metric(&objects(&shown), "GHz  clock_rate");
            assert!((0.1..10.0).contains(&rate), "{shown}");
            assert_eq!(verdict, "good", "{shown}");
        }
        Some(0) => assert!(shown.contains("\"nan\""), "{shown}"),
        _ => assert!(may_not, "{shown}"),
    }
}

#[test]
fn what_is_not_here_is_said() {
    // The made-up model's own event, of a PMU that is on no machine.
    let shown = shown(&["-M", "shows_events,faults_a_second"], &BUSY);
    let line = shown.lines().find(|line| line.contains("LATENCY.ALL")).unwrap();
    assert!(line.contains("<not supported>") && line.contains(" nan "), "{shown}");
    assert!(shown.contains("note: `LATENCY.ALL`: no PMU of this machine has such an event"));
    // The other is counted all the same.
    assert!(shown.contains("(threshold crossed)"), "{shown}");
    let json = objects(&self::shown(&["-j", "-M", "shows_events"], &BUSY));
    assert_eq!(json[0]["counter-value"], "<not supported>");
    assert_eq!(
        (&json[0]["event"], &json[0]["metric-value"]),
        (&"LATENCY.ALL".into(), &"nan".into())
    );
}

#[test]
fn a_real_cpu_that_is_not_this_one() {
    let arguments = ["--cpuid", "GenuineIntel-6-8F-4", "--sysfs", "/proc/self/fdinfo"];
    let (code, shown) = run(&[&arguments, &["-M", "TopdownL1"][..], &["true"]].concat());
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("<not supported>") && shown.contains(" nan "), "{shown}");
    for name in ["tma_retiring", "tma_bad_speculation", "tma_frontend_bound", "tma_backend_bound"] {
        let line = shown.lines().find(|line| line.contains(&format!("%  {name}")));
        // Nothing was counted, so that nothing is crossed or not.
        let line = line.unwrap_or_else(|| panic!("{name}: {shown}"));
        assert!(line.contains(" nan ") && line.ends_with(name), "{line}");
    }
}

#[test]
fn a_literal_that_the_machine_does_not_say() {
    let empty = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("stat-metrics-no-pmus");
    std::fs::create_dir_all(empty.join("bus/event_source/devices")).expect("a scratch directory");
    let sysfs = ["--sysfs", empty.to_str().expect("its path is UTF-8")];
    let shown = shown(&[&sysfs[..], &["-M", "faults_a_slot,faults_a_second"]].concat(), &["true"]);
    let is_nan = |name: &str| {
        let line = shown.lines().find(|line| line.contains(name));
        line.unwrap_or_else(|| panic!("{name}: {shown}")).contains(" nan ")
    };
    assert!(is_nan(" faults_a_slot") && !is_nan(" faults_a_second"), "{shown}");
    let note = " note: `#slots`: this machine does not say what it is; metrics with it are nan";
    assert!(shown.contains(note), "{shown}");
}

#[test]
fn unknown_names() {
    let cases = [
        (
            "clock_rat",
            "stat: no metric and no metric group is called `clock_rat`; did you mean `clock_rate`?\n",
        ),
        (
            "faults_a_second,Clock",
            "stat: no metric and no metric group is called `Clock`; did you mean `Clocks`?\n",
        ),
        ("faults_a_second,", "stat: `` is no name of a metric\n"),
    ];
    for (names, expected) in cases {
        let (code, shown) = run(&[&MADE_UP, &["-M", names, "true"][..]].concat());
        assert_eq!((code, shown.as_str()), (Some(125), expected), "{names}");
    }
    let (code, shown) = run(&[&MADE_UP, &["-M", "quite_another_thing", "true"][..]].concat());
    assert_eq!(code, Some(125));
    assert!(shown.ends_with("`list metrics`, `list metricgroups`\n"), "{shown}");
    // A CPU of which nothing is known has no metrics.
    let (code, shown) = run(&["--cpuid", "unheard-of", "-M", "ipc", "true"]);
    assert_eq!(code, Some(125));
    let expected = "stat: there is no metric `ipc`: this CPU has no table with metrics\n\
                    stat: note: there is no table of this CPU's events: no model is known for \
                    CPU `unheard-of`\n";
    assert!(shown.starts_with(expected), "{shown}");
}
