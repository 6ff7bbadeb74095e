//! `pmu stat -M` as a user meets it: metrics of the made-up tree, whose
//! events software and the time-stamp counter count, and of a CPU that is not
//! here.

#![cfg(target_os = "linux")]

use std::sync::LazyLock;

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // As above.
#[path = "../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)] // As above.
#[path = "common/stat.rs"]
mod stat;

use machines::Machine;
use rights::{Rights, rights};
use stat::{counted, number, objects};

/// The model whose metrics need no PMU of a core.
const MADE_UP: [&str; 4] = ["--tree", "../arch/test", "--cpuid", "testlater-1"];

/// Some milliseconds on a CPU, and page faults.
const BUSY: [&str; 3] = ["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"];

/// A machine whose time-stamp counter is the kernel's clock, which ticks once a
/// nanosecond and can be counted wherever anything can.
static WITH_TSC: LazyLock<Machine> = LazyLock::new(|| {
    Machine::of(
        "msr/type\t1\nmsr/format/event\tconfig:0-63\nmsr/events/tsc\tevent=0x00\n\
         /devices/system/cpu/online\t0",
    )
});

static WITHOUT_TSC: LazyLock<Machine> = LazyLock::new(Machine::empty);

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let run = stat::run(arguments);
    (run.code, run.err)
}

fn on(machine: &Machine) -> [&str; 2] {
    ["--sysfs", machine.root().to_str().expect("its path is UTF-8")]
}

/// What it shows, for a run that must do; none where nobody may count.
#[track_caller]
fn shown_on(machine: &Machine, arguments: &[&str], command: &[&str]) -> Option<String> {
    let run = counted(&[&MADE_UP[..], &on(machine)[..], arguments, command].concat())?;
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.err);
    Some(run.err)
}

/// The same for a run that must fail because of a metric; without the lines that
/// say so, which are given apart.
#[track_caller]
fn shown_without_metric(
    machine: &Machine,
    arguments: &[&str],
    command: &[&str],
) -> Option<(String, String)> {
    let run = counted(&[&MADE_UP[..], &on(machine)[..], arguments, command].concat())?;
    assert_eq!(run.code, Some(125), "{arguments:?}: {}", run.err);
    Some(apart(&run.err))
}

/// What is shown on a machine that has the clock, or fails without it.
#[track_caller]
fn shown_if(machine: &Machine, arguments: &[&str]) -> Option<String> {
    if machine.path("msr").exists() {
        return shown_on(machine, arguments, &BUSY);
    }
    shown_without_metric(machine, arguments, &BUSY).map(|(shown, _)| shown)
}

/// What is shown, and what is said of it.
fn apart(shown: &str) -> (String, String) {
    shown.split_inclusive('\n').partition(|line| !line.starts_with("pmu stat: "))
}

#[track_caller]
fn shown(arguments: &[&str], command: &[&str]) -> Option<String> {
    shown_on(&WITH_TSC, arguments, command)
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
    // Without the modifier that the machine's settings add.
    let of_user = [format!("{event}:u"), format!("{event}u")];
    let named = |object: &&Value| {
        object["event"].as_str().is_some_and(|name| name == event || of_user.contains(&name.into()))
    };
    let found = objects.iter().find(named);
    number(&found.unwrap_or_else(|| panic!("no {event} in {objects:?}"))["counter-value"])
}

fn is_close(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() < 1e-5
}

#[test]
fn a_metric_of_software_events_is_what_they_come_to() {
    let Some(shown) = shown(&["-j", "-M", "faults_a_second"], &BUSY) else { return };
    let objects = objects(&shown);
    let (value, verdict) = metric(&objects, "faults_a_second");
    let expected = count(&objects, "page-faults") / (count(&objects, "duration_time") * 1e-9);
    assert!(value > 0.0 && is_close(value, expected), "{value}, not {expected}");
    assert_eq!(verdict, "bad", "above its threshold");
}

#[test]
fn the_clock_ticks_as_clocks_do() {
    let arguments = ["-j", "-M", "TICKS_A_NANOSECOND"];
    let what = "GHz  ticks_a_nanosecond";
    let Some(shown) = shown(&arguments, &BUSY) else { return };
    let objects = objects(&shown);
    let (value, verdict) = metric(&objects, what);
    // Two clocks of one group, read one after the other.
    assert!((0.5..2.0).contains(&value), "{value} ticks to a nanosecond");
    assert_eq!(verdict, "good", "below its threshold");
    // The clock counts nanoseconds, and is shown in milliseconds.
    let clock = 1e6 * count(&objects, "task-clock");
    assert!(is_close(value, count(&objects, "msr/tsc/") / clock), "{objects:?}");

    let Some((shown, said)) = shown_without_metric(&WITHOUT_TSC, &arguments, &BUSY) else {
        return;
    };
    let expected = "pmu stat: metric `ticks_a_nanosecond` cannot be counted: there is neither a PMU \
                    nor an event `msr`\n";
    assert_eq!(said, expected);
    let objects = self::objects(&shown);
    assert!(objects.iter().any(|object| object["counter-value"] == "<not supported>"));
    let found = objects.iter().find(|object| object["metric-unit"] == what).unwrap();
    assert_eq!((&found["metric-value"], found.get("metric-threshold")), (&"nan".into(), None));
}

#[test]
fn a_group_stands_for_its_metrics() {
    let Some(shown) = shown(&["-j", "-M", "cLOCKs"], &BUSY) else { return };
    for name in ["clock_rate", "faults_a_second", "ticks_a_nanosecond"] {
        assert_eq!(shown.matches(&format!("{name}\"")).count(), 1, "{name}: {shown}");
    }
    assert!(!shown.contains("ticks_a_fault") && !shown.contains("only_a_number"), "{shown}");
    // What several need outside of groups is there once, and so is the time.
    assert_eq!(shown.matches("\"duration_time\"").count(), 1, "{shown}");
    // A metric that is also named by itself appears once.
    let Some(shown) = self::shown(&["-j", "-M", "Clocks,faults_a_second"], &BUSY) else { return };
    let twice = objects(&shown);
    assert_eq!(metrics(&twice, "faults_a_second").len(), 1);
}

#[test]
fn metrics_stand_beside_events() {
    let arguments =
        ["-j", "-e", "context-switches", "-M", "faults_a_second", "-M", "only_a_number"];
    let Some(shown) = shown(&arguments, &BUSY) else { return };
    let objects = objects(&shown);
    let events: Vec<&str> = objects.iter().filter_map(|object| object["event"].as_str()).collect();
    let names = events.iter().map(|event| event.trim_end_matches(":u")).collect::<Vec<_>>();
    assert_eq!(names, ["context-switches", "page-faults", "duration_time"]);
    assert_eq!(metric(&objects, "only_a_number"), (42.0, String::new()));
}

#[test]
fn metrics_refer_to_metrics() {
    let Some(shown) = shown(&["-j", "-M", "faults,clock_rate"], &BUSY) else { return };
    let objects = objects(&shown);
    let (faults, _) = metric(&objects, "faults_a_second");
    let (rate, _) = metric(&objects, "GHz  clock_rate");
    let (ticks, verdict) = metric(&objects, "ticks  ticks_a_fault");
    assert!(faults > 0.0 && rate > 0.0, "{objects:?}");
    // Page faults are counted in two groups, not at the same moments.
    assert!((ticks * faults / (1e9 * rate) - 1.0).abs() < 0.1, "{objects:?}");
    assert_eq!(verdict, "", "it has no threshold");
}

#[test]
fn people_read_values_units_and_thresholds() {
    let arguments = ["-M", "faults_a_second,ticks_a_nanosecond"];
    for (machine, verdict) in
        [(&WITH_TSC, " GHz  ticks_a_nanosecond  (threshold not crossed)"), (&WITHOUT_TSC, " nan ")]
    {
        let Some(shown) = shown_if(machine, &arguments) else { return };
        let line = |what: &str| {
            let found = shown.lines().find(|line| line.contains(what));
            found.unwrap_or_else(|| panic!("no {what} in {shown}"))
        };
        // Beside the clock, its rate stands first and the metric below.
        let faults = line(" faults_a_second");
        assert!(faults.trim_start().starts_with("# "), "{shown}");
        assert!(faults.ends_with("(threshold crossed)"), "{shown}");
        assert!(line(" GHz  ticks_a_nanosecond").contains(verdict), "{shown}");
    }
    // Without it, the metric follows its event.
    let Some(alone) = shown(&["-M", "faults_a_second"], &BUSY) else { return };
    let line = alone.lines().find(|line| line.contains(" faults_a_second")).unwrap();
    assert!(line.contains("page-faults") && line.contains(" # "), "{alone}");
}

#[test]
fn programs_read_fields() {
    let arguments = ["-x", ";", "-e", "context-switches", "-M", "faults"];
    for (machine, has_tsc) in [(&WITH_TSC, true), (&WITHOUT_TSC, false)] {
        let Some(shown) = shown_if(machine, &arguments) else { return };
        let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split(';').collect()).collect();
        // Count, unit, event, time, share, value, what it is, threshold.
        assert!(lines.iter().all(|fields| fields.len() == 8), "{shown}");
        let of = |what: &str| lines.iter().find(|fields| fields[6] == what);
        let fields = of("faults_a_second").unwrap_or_else(|| panic!("{shown}"));
        assert!(fields[5].parse::<f64>().unwrap() > 0.0 && fields[7] == "bad", "{shown}");
        let fields = of("ticks  ticks_a_fault").unwrap_or_else(|| panic!("{shown}"));
        assert_eq!((fields[5].parse::<f64>().is_ok(), fields[7]), (has_tsc, ""), "{shown}");
    }
}

#[test]
fn repeats_give_the_metric_of_the_means() {
    let Some(shown) = shown(&["-j", "-r", "4", "-M", "faults_a_second"], &BUSY) else {
        return;
    };
    let objects = objects(&shown);
    let (value, _) = metric(&objects, "faults_a_second");
    let expected = count(&objects, "page-faults") / (count(&objects, "duration_time") * 1e-9);
    assert!(is_close(value, expected), "{value}, not {expected}");
}

#[test]
fn intervals_have_their_own_values() {
    const METRIC: &str = "faults_a_second";
    let is_metric = |object: &Value| object["metric-unit"] == METRIC;
    let number_of = |value: &Value| value.as_str().and_then(|text| text.parse::<f64>().ok());
    let Some(_) = shown(&["-M", METRIC], &BUSY) else { return };
    // In some nothing may run, and nothing is counted.
    let mut counted = 0;
    let arguments = [&MADE_UP[..], &["-I", "50", "-M", METRIC]].concat();
    let (objects, elapsed) = stat::in_intervals(&arguments, |object| {
        let has_value = is_metric(object) && number_of(&object["metric-value"]).is_some();
        counted += usize::from(has_value);
        counted == 4 && has_value
    });
    // Page faults with the metric, then the time.
    let intervals =
        objects.chunks(2).filter(|objects| number_of(&objects[0]["counter-value"]).is_some());
    let mut sum = 0.0;
    let mut values = 0;
    for objects in intervals {
        assert!(is_metric(&objects[0]) && objects[1]["event"] == "duration_time", "{objects:?}");
        let (value, _) = metric(objects, METRIC);
        let (faults, time) =
            (number(&objects[0]["counter-value"]), count(objects, "duration_time"));
        assert!((value - 1e9 * faults / time).abs() <= 1e-3 * value.abs(), "{objects:?}");
        sum += time / 1e9;
        values += 1;
    }
    assert!(values >= 4, "{objects:?}");
    // Of an interval, not of all that was counted before: that would be more
    // than there was.
    assert!(sum <= elapsed.as_secs_f64(), "{sum} s of {elapsed:?}: {objects:?}");
}

#[test]
fn whole_cpus() {
    let arguments = ["-j", "-C", "0", "-M", "clock_rate"];
    if rights() < Rights::Cpus {
        let (code, shown) = run(&[&MADE_UP[..], &on(&WITH_TSC), &arguments[..], &BUSY].concat());
        match rights::has_no_counters() {
            true => assert!(shown.contains("not supported"), "{shown}"),
            false => {
                assert_eq!((code, shown.contains("not permitted")), (Some(125), true), "{shown}")
            }
        }
        return;
    }
    let shown = shown(&arguments, &BUSY).expect("it is permitted");
    let (rate, verdict) = metric(&objects(&shown), "GHz  clock_rate");
    assert!((0.5..2.0).contains(&rate), "{shown}");
    assert_eq!(verdict, "good", "{shown}");
}

#[test]
fn what_is_not_here_is_said() {
    // The made-up model's own event, on a machine without a PMU for it.
    let arguments = ["-M", "shows_events,shows_none,faults_a_second"];
    let Some((shown, said)) = shown_without_metric(&WITH_TSC, &arguments, &BUSY) else { return };
    let expected = "pmu stat: metrics `shows_events`, `shows_none` cannot be counted: this machine \
                    has no core PMU\n";
    assert_eq!(said, expected);
    let line = shown.lines().find(|line| line.contains("LATENCY.ALL")).unwrap();
    assert!(line.contains("<not supported>") && line.contains(" nan "), "{shown}");
    let why = "this machine has no core PMU, which would have such an event";
    assert!(shown.contains(&format!("note: `LATENCY.ALL`: {why}")), "{shown}");
    // The other is counted all the same.
    assert!(shown.contains("(threshold crossed)"), "{shown}");
    // There is no counter that would have to be permitted.
    let arguments = [&MADE_UP[..], &on(&WITHOUT_TSC), &["-M", "shows_events"]].concat();
    let (code, shown) = run(&[&arguments[..], &["-j"], &BUSY].concat());
    assert_eq!(code, Some(125), "{shown}");
    let (shown, said) = apart(&shown);
    assert!(said.contains("cannot be counted: this machine has no core PMU\n"), "{said}");
    let json = objects(&shown);
    assert_eq!(json[0]["counter-value"], "<not supported>");
    assert_eq!(
        (&json[0]["event"], &json[0]["metric-value"]),
        (&"LATENCY.ALL".into(), &"nan".into())
    );
    // A command that fails does so with its own status.
    let (code, shown) = run(&[&arguments[..], &["sh", "-c", "exit 3"]].concat());
    assert_eq!((code, apart(&shown).1), (Some(3), said), "{shown}");
}

#[test]
fn a_real_cpu_that_is_not_this_one() {
    let arguments = ["--cpuid", "GenuineIntel-6-8F-4", "--sysfs", "/proc/self/fdinfo"];
    let (code, shown) = run(&[&arguments, &["-M", "TopdownL1"][..], &["true"]].concat());
    assert_eq!(code, Some(125), "{shown}");
    assert!(shown.contains(" cannot be counted: this machine has no core PMU\n"), "{shown}");
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
    let arguments = ["-M", "faults_a_slot,faults_a_second"];
    let Some(shown) = shown_on(&WITHOUT_TSC, &arguments, &["true"]) else { return };
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
            "pmu stat: no metric and no metric group is called `clock_rat`; did you mean `clock_rate`?\n",
        ),
        (
            "faults_a_second,Clock",
            "pmu stat: no metric and no metric group is called `Clock`; did you mean `Clocks`?\n",
        ),
        ("faults_a_second,", "pmu stat: `` is not the name of a metric\n"),
    ];
    for (names, expected) in cases {
        let (code, shown) = run(&[&MADE_UP, &["-M", names, "true"][..]].concat());
        assert_eq!((code, shown.as_str()), (Some(125), expected), "{names}");
    }
    let (code, shown) = run(&[&MADE_UP, &["-M", "quite_another_thing", "true"][..]].concat());
    assert_eq!(code, Some(125));
    assert!(
        shown.ends_with("`pmu list metrics` and `pmu list metricgroups` show them\n"),
        "{shown}"
    );
    // A CPU of which nothing is known has no metrics but those of every CPU.
    let (code, shown) = run(&["--cpuid", "unheard-of", "-M", "ipc", "true"]);
    assert_eq!(code, Some(125));
    let expected = "pmu stat: no metric and no metric group is called `ipc`; `pmu list metrics` \
                    and `pmu list metricgroups` show them\n\
                    pmu stat: note: there is no table of this CPU's events: no model is known for \
                    CPU `unheard-of`\n";
    assert!(shown.starts_with(expected), "{shown}");
}

/// A quantity of one name that the CPU cannot count: by name, and in a group.
#[test]
fn what_the_cpu_lacks() {
    let machine = Machine::named("zen4");
    let sysfs = on(&machine);
    let run = |metrics: &str| {
        let fixed = ["--cpuid", "AuthenticAMD-25-61-2", "-M", metrics, "true"];
        stat::run(&[&sysfs[..], &fixed].concat())
    };
    let latency = run("common.memory_latency");
    assert_eq!(latency.code, Some(125));
    let why = "this CPU cannot count `common.memory_latency`: The latency is known in cycles only";
    assert!(latency.err.contains(why), "{}", latency.err);
}
