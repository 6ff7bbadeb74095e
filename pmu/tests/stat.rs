//! `pmu stat` as a user meets it, on the machine that the test runs on.
//!
//! Nothing is skipped: where a machine has more or less, or permits more or
//! less, another answer is expected. `rights` says what it permits. What needs
//! no counter is tested with `duration_time`, which needs no system call.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "../../tests/common/rights.rs"]
mod rights;
#[path = "common/stat.rs"]
mod stat;

use machines::Machine;
use rights::{Rights, has_hardware, rights};
use stat::{
    PMU, Run, assert_refused, command, counted, finish, in_intervals, number, objects, run,
};

/// The numbers of a run, by event; none where nobody may count.
#[track_caller]
fn counts(arguments: &[&str]) -> Option<(BTreeMap<String, f64>, Run)> {
    let run = counted(&[&["--json"], arguments].concat())?;
    assert_eq!(run.code, Some(0), "{arguments:?} {}", run.err);
    Some((by_event(&run), run))
}

fn by_event(run: &Run) -> BTreeMap<String, f64> {
    let named = |object: &serde_json::Value| {
        let event = object["event"].as_str().expect("it is a text");
        (event.to_string(), number(&object["counter-value"]))
    };
    objects(&run.err).iter().map(named).collect()
}

/// Without a modifier that the machine's settings add.
fn of_event(counts: &BTreeMap<String, f64>, name: &str) -> f64 {
    let of_user = [format!("{name}:u"), format!("{name}u")];
    let found = counts.get(name).or_else(|| of_user.iter().find_map(|name| counts.get(name)));
    *found.unwrap_or_else(|| panic!("no {name} in {counts:?}"))
}

#[test]
fn help_and_version() {
    for option in ["--help", "-h"] {
        let help = run(&[option]);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
        assert!(help.out.contains("Usage: pmu stat [OPTIONS] "), "{}", help.out);
        assert!(help.out.lines().all(|line| line.chars().count() <= 100), "{}", help.out);
    }
    assert!(run(&["--version"]).out.starts_with("pmu-stat "));
}

#[test]
fn bad_usage() {
    let alone = "needs whole CPUs: `-a` or `-C`";
    let runs = "expected a number of runs, 1 or more, or 0 to repeat forever";
    let cases: &[(&[&str], &str)] = &[
        (&["--jsn", "true"], "a similar argument exists: '--json'"),
        (&["-q"], "unexpected argument '-q' found"),
        (&["-e"], "a value is required for '--event <EVENTS>'"),
        (&["--json=1", "true"], "unexpected value '1' for '--json-output' found"),
        (&["-r", "x", "true"], runs),
        (&["-r-2", "true"], runs),
        (&["-I", "10ms", "true"], "expected a number of 0 or more"),
        (&["-I", "-1", "true"], "-1"),
        (&["--timeout", "9", "true"], "expected 10 milliseconds or more"),
        (&["-D", "x", "true"], "expected milliseconds, or -1 to start when --control says"),
        (&["-D", "9999999999", "true"], "expected milliseconds, or -1"),
        (&["-p", "1,x"], "expected the number of a task, or several joined by commas"),
        (&["-C", "0-x"], "invalid value '0-x' for '--cpu <CPUS>'"),
        (&["-A", "true"], alone),
        (&["-C", "", "-e", "user_time", "true"], "no CPU is named"),
        (&["--per-core", "true"], alone),
        (&["--per-socket", "true"], alone),
        (&["-G", "x", "true"], "on whole CPUs: `-a` or `-C`"),
        (&["--for-each-cgroup", "x", "-p", "1"], "on whole CPUs: `-a` or `-C`"),
        (&["--interval-count=3", "true"], "`--interval-count` needs `-I`"),
        (&["-I9", "--timeout", "20", "true"], "`--timeout` does not go with `-I`"),
        (&["--interval-clear", "-I9", "true"], "`--interval-clear` needs a terminal"),
        (&["-u", "me", "true"], "`-p $(pgrep -d, -u me)` counts the processes"),
        (&["-b", "17"], "-G counts what runs in a control group"),
        (&["--per", "true"], "`--per` is ambiguous: `--per-socket`, "),
        (&["--no-event", "true"], "`--event` cannot be negated"),
        (&["--pre", "exit 3", "true"], "`--pre exit 3`: exit status: 3"),
        (&["-e", "duration_time", "--post", "exit 3", "true"], "`--post exit 3`: exit status: 3"),
        (&["--per-cache=L5", "-a"], "expected L1, L2, L3 or L4"),
        (&["--metric-only", "-r2", "true"], "`--metric-only` and `--repeat` exclude each other"),
        (&["-B", "-x,", "true"], "`--big-num` and `-x` exclude each other"),
    ];
    for (arguments, message) in cases {
        let run = run(arguments);
        assert_eq!(run.code, Some(125), "{arguments:?}");
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
        assert_eq!(run.out, "");
    }
}

/// The kernel's clock as the event of a PMU: what is on every machine stands
/// for what is not.
#[test]
fn events_of_a_pmu() {
    let machine = Machine::of(
        "clock/type\t1\nclock/format/event\tconfig:0-63\nclock/events/ticks\tevent=0x01\n\
         clock/events/ticks.scale\t2\nclock/events/ticks.unit\tHalves",
    );
    let sysfs = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let arguments = ["--sysfs", sysfs, "-e", "{clock/ticks/,task-clock}", "true"];
    let Some((counts, run)) = counts(&arguments) else { return };
    let (ticks, clock) = (of_event(&counts, "clock/ticks/"), of_event(&counts, "task-clock"));
    assert!(clock > 0.0 && clock <= run.elapsed.as_secs_f64() * 1e3, "{clock} ms");
    // Both count the same nanoseconds, read one after the other; one is shown
    // in milliseconds.
    assert!((0.5..2.0).contains(&(ticks / (2e6 * clock))), "{ticks} and {clock} ms");
    let shown = objects(&run.err).into_iter().find(|object| object["unit"] == "Halves");
    assert!(shown.is_some(), "{}", run.err);
}

/// The time-stamp counter of x86 is a PMU without hardware counters. It has no
/// notion of user space: who may not count the kernel has none.
#[test]
fn the_time_stamp_counter() {
    let run = run(&["-j", "-e", "msr/tsc/,task-clock", "true"]);
    if !Path::new("/sys/bus/event_source/devices/msr/events/tsc").exists() {
        assert_eq!(run.code, Some(125), "{}", run.err);
        assert!(
            run.err.starts_with("pmu stat: there is neither a PMU nor an event `msr`"),
            "{}",
            run.err
        );
        return;
    }
    match rights() {
        Rights::Nothing => assert_refused(&run),
        Rights::User => {
            assert_eq!(objects(&run.err)[0]["counter-value"], "<not supported>");
        }
        Rights::Kernel | Rights::Cpus => {
            let counts = by_event(&run);
            let (tsc, clock) = (of_event(&counts, "msr/tsc/"), of_event(&counts, "task-clock"));
            // It runs while the task does, at 0.4 to 10 GHz.
            let gigahertz = tsc / (clock * 1e6);
            assert!((0.4..10.0).contains(&gigahertz), "{gigahertz} GHz: {tsc} in {clock} ms");
        }
    }
}

/// Nearly all the work is a child's.
#[test]
fn what_the_command_starts_is_counted_too() {
    let work = "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; true";
    let arguments = ["-e", "user_time,system_time,task-clock,page-faults", "sh", "-c", work];
    let Some((all, run)) = counts(&arguments) else { return };
    let Some((alone, _)) = counts(&["-i", "-e", "task-clock", "sh", "-c", work]) else { return };
    // A program is mapped, not read.
    let faults = of_event(&all, "page-faults");
    assert!((1.0..1e5).contains(&faults), "{faults}");
    let (all_clock, alone) = (of_event(&all, "task-clock"), of_event(&alone, "task-clock"));
    assert!(alone > 0.0 && alone < all_clock / 3.0, "{alone} and {all_clock} ms");
    assert!(all_clock <= run.elapsed.as_secs_f64() * 1e3, "{all_clock} ms");
    // The kernel's two accounts of one thing; the second includes what the
    // command was before it was one.
    let spent = (all["user_time"] + all["system_time"]) / 1e6;
    assert!((spent - all_clock).abs() < 20.0 + all_clock / 2.0, "{spent} and {all_clock} ms");
}

#[test]
fn groups_are_scheduled_together() {
    let group = "{task-clock,page-faults,context-switches}";
    let Some(run) = counted(&["-j", "-e", group, "sleep", "0.01"]) else { return };
    let objects = objects(&run.err);
    assert_eq!(objects.len(), 3, "{}", run.err);
    let times: Vec<_> = objects.iter().map(|object| &object["event-runtime"]).collect();
    assert!(times[0].as_u64() > Some(0) && times.iter().all(|time| *time == times[0]));
    assert!(number(&objects[2]["counter-value"]) >= 0.0);
}

/// Exactly what the machine has not is shown as such.
#[test]
fn hardware_events_count_or_are_said_not_to_be_there() {
    let Some(run) = counted(&["true"]) else { return };
    assert_eq!(run.code, Some(0));
    assert_eq!(run.out, "", "the command's own output has standard output for itself");
    for event in ["task-clock", "page-faults"] {
        let line = run.err.lines().find(|line| line.contains(event)).expect("it is shown");
        assert!(!line.contains('<'), "{line}");
    }
    let cycles = run.err.lines().find(|line| line.contains("cycles") && !line.contains("note"));
    let is_lacking = cycles.expect("it is shown").contains("<not supported>");
    assert_eq!(is_lacking, !has_hardware(), "{}", run.err);
    // Of what there is, nothing is known without sysfs.
    let note = match Path::new("/sys/bus/event_source/devices").is_dir() {
        true => "this machine has no hardware PMU",
        false => "neither this kernel nor a PMU of this machine has this event",
    };
    assert_eq!(run.err.contains(note), !has_hardware(), "{}", run.err);
}

#[test]
fn a_group_whose_leader_is_not_there() {
    let arguments = ["-e", "{cycles,task-clock}", "-e", "{page-faults,cycles}", "true"];
    let Some(run) = counted(&arguments) else { return };
    assert_eq!(run.code, Some(0));
    let lacking = run.err.lines().filter(|line| line.contains("<not supported>")).count();
    assert_eq!(lacking, if has_hardware() { 0 } else { 3 }, "{}", run.err);
    assert!(run.err.contains("page-faults"));
}

#[test]
fn repeats_have_a_mean_and_a_deviation() {
    let run = run(&["-j", "-r", "4", "-e", "duration_time,user_time", "sleep", "0.01"]);
    let objects = objects(&run.err);
    assert_eq!((run.code, objects.len()), (Some(0), 2), "{}", run.err);
    for object in &objects {
        assert!(number(&object["counter-value"]) >= 0.0, "{object}");
        let noise = object["variance"].as_f64().expect("it is a number");
        assert!((0.0..=200.0).contains(&noise), "{object}");
    }
    let run = self::run(&["-r3", "-e", "duration_time", "sleep", "0.01"]);
    let text = run.err;
    assert!(text.contains("for 'sleep 0.01' (3 runs):"), "{text}");
    assert!(text.contains("seconds time elapsed  ( +-"), "{text}");
    let mean: f64 = text
        .lines()
        .find(|line| line.contains("time elapsed"))
        .and_then(|line| line.split_whitespace().next()?.parse().ok())
        .expect("a line has the time");
    assert!(mean >= 0.01 && 3.0 * mean <= run.elapsed.as_secs_f64(), "{text}");
}

#[test]
fn intervals_come_in_time_and_add_up() {
    let (mut shown, mut times) = (0, Vec::new());
    let is_enough = |object: &serde_json::Value| {
        shown += 1;
        times.push(object["interval"].as_f64().expect("it is a number"));
        shown == 5
    };
    let arguments = ["-I", "30", "-e", "duration_time"];
    let (objects, elapsed) = in_intervals(&arguments, is_enough);
    assert!(times.len() >= 5, "{times:?}");
    assert!(times[0] >= 0.03 && times.is_sorted(), "{times:?}");
    let elapsed = elapsed.as_secs_f64();
    assert!(*times.last().expect("there are five") <= elapsed, "{times:?}");
    // Each shows its own time: together, they are no longer than all.
    let sum: f64 = objects.iter().map(|object| number(&object["counter-value"])).sum::<f64>() / 1e9;
    assert!(sum <= elapsed && sum >= times[times.len() - 2], "{sum} s of {elapsed} s: {times:?}");

    let arguments = ["-I20", "--interval-count", "2", "-e", "duration_time", "sleep", "0.1"];
    let text = run(&arguments);
    assert_eq!(text.err.lines().count(), 3, "{}", text.err);
    assert!(text.err.starts_with("#           time"), "{}", text.err);
    // The command goes on to its end.
    assert!(text.elapsed.as_millis() >= 100);

    // The first begins where the delay ends.
    let arguments = ["-D50", "-I200", "--interval-count", "1", "-e", "duration_time", "sleep", "1"];
    let late = run(&arguments);
    assert!(late.err.starts_with("Events disabled\nEvents enabled\n"), "{}", late.err);
    let time = late.err.lines().nth(3).and_then(|line| line.split_whitespace().next());
    let time: f64 = time.and_then(|time| time.parse().ok()).expect("a time");
    assert!((0.2..0.9).contains(&time), "{}", late.err);
}

#[test]
fn fields_are_those_of_perf() {
    let arguments = ["-x", ";", "-e", "task-clock", "-e", "page-faults", "sleep", "0.01"];
    let Some(run) = counted(&arguments) else { return };
    let lines: Vec<Vec<&str>> = run.err.lines().map(|line| line.split(';').collect()).collect();
    assert_eq!(lines.len(), 2);
    // Count, unit, event, time, share, and two of what follows.
    assert!(lines.iter().all(|fields| fields.len() == 7), "{}", run.err);
    assert_eq!((lines[0][1], lines[0][4], lines[0][6]), ("msec", "100.00", "CPUs utilized"));
    assert!(lines[0][2].starts_with("task-clock") && lines[1][2].starts_with("page-faults"));
    assert!(lines[0][0].parse::<f64>().unwrap() > 0.0 && lines[0][3].parse::<u64>().unwrap() > 0);
    let more = self::run(&["-x,", "-r2", "-e", "page-faults", "true"]);
    let fields: Vec<&str> = more.err.trim_end().split(',').collect();
    assert_eq!(fields.len(), 8, "{}", more.err);
    assert!(fields[3].ends_with('%'), "{}", more.err);
}

#[test]
fn it_ends_as_the_command_does() {
    let cases: &[(&[&str], i32, bool)] = &[
        (&["sh", "-c", "exit 3"], 3, true),
        (&["sh", "-c", "kill -KILL $$"], 137, true),
        (&["--", "sh", "-c", "exit 0"], 0, true),
        (&["-r", "2", "false"], 1, true),
        (&["/nonexistent/program"], 127, false),
        (&["program-that-nobody-has"], 127, false),
        (&["/proc/version"], 126, false),
        (&["/proc"], 126, false),
    ];
    for &(command, code, is_counted) in cases {
        let run = run(&[&["-e", "duration_time"], command].concat());
        assert_eq!(run.code, Some(code), "{command:?} {}", run.err);
        assert_eq!(run.err.contains("duration_time"), is_counted, "{command:?} {}", run.err);
        assert_eq!(run.err.starts_with("pmu stat: "), !is_counted, "{command:?} {}", run.err);
    }
}

/// The command's arguments are its own, also those that look like ours.
#[test]
fn the_command_gets_its_words_and_streams() {
    let run = run(&["-e", "duration_time", "echo", "-e", "--json", "x"]);
    assert!(run.out.ends_with("--json x\n"), "{:?}", run.out);
    let no_text = OsStr::from_bytes(b"\xff\xfe");
    let mut command = command();
    command.args(["-e", "duration_time", "printf", "%s"]).arg(no_text);
    let output = command.output().expect("stat runs");
    assert_eq!(output.stdout, b"\xff\xfe");
}

#[test]
fn tasks_that_run() {
    let mut sleeper =
        Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell is there");
    let id = sleeper.id().to_string();
    for (option, arguments) in [("-p", ["--timeout", "100"]), ("-t", ["sleep", "0.1"])] {
        let arguments =
            [&["-e", "task-clock,user_time,duration_time", option, &id], &arguments[..]].concat();
        let Some((counts, run)) = counts(&arguments) else { continue };
        let clock = of_event(&counts, "task-clock");
        assert!(clock > 0.0 && clock <= run.elapsed.as_secs_f64() * 1e3, "{option} {counts:?}");
        assert!(counts["duration_time"] >= 1e8, "{option} {counts:?}");
        // The kernel tells the time of other tasks in ticks of up to 10 ms, of which
        // one may end at each end of the measurement.
        assert!(counts["user_time"] <= counts["duration_time"] + 2e7, "{option} {counts:?}");
    }
    // It ends when the last task has.
    let mut child = command()
        .args(["-I", "10", "-e", "duration_time", "-p", &id])
        .stderr(Stdio::piped())
        .spawn()
        .expect("stat runs");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    // A head, and the first interval: it has begun.
    assert!(lines.by_ref().take(2).all(|line| line.is_ok()));
    sleeper.kill().expect("it runs");
    sleeper.wait().expect("it ends");
    lines.for_each(drop);
    assert_eq!(child.wait().expect("it is a child").code(), Some(0));
    // SAFETY: it has no arguments and cannot fail.
    let this = unsafe { libc::getpid() }.to_string();
    let run = run(&["-e", "duration_time", "-p", &this, "true"]);
    assert!(run.err.contains(&format!("process id '{this}'")), "{}", run.err);

    let gone = self::run(&["-e", "task-clock", "-p", "2147483647"]);
    assert_eq!(gone.code, Some(125));
    assert_eq!(gone.err, "pmu stat: there is no process 2147483647\n");
    let gone = self::run(&["-e", "task-clock", "-t", "2147483647"]);
    assert_eq!(gone.code, Some(125));
    assert_eq!(gone.err, "pmu stat: there is no thread 2147483647\n");
}

#[test]
fn whole_cpus() {
    let arguments = ["-a", "-j", "-A", "-e", "cpu-clock", "--timeout", "100"];
    let Some(run) = counted(&arguments) else { return };
    if rights() < Rights::Cpus {
        assert_eq!(run.code, Some(125));
        assert!(run.err.contains("not permitted"), "{}", run.err);
        return;
    }
    let objects = objects(&run.err);
    // A line for all of them, and one for each that is online.
    let stat = std::fs::read_to_string("/proc/stat").expect("Linux has it");
    let words = stat.lines().filter_map(|line| line.split_once(' ')).map(|(word, _)| word);
    let online: Vec<&str> =
        words.filter_map(|word| word.strip_prefix("cpu")).filter(|cpu| !cpu.is_empty()).collect();
    let cpus: Vec<&str> = objects.iter().map(|o| o["cpu"].as_str().expect("a text")).collect();
    assert_eq!(cpus, online);
    for object in &objects {
        let milliseconds = number(&object["counter-value"]);
        assert!((90.0..run.elapsed.as_secs_f64() * 1e3).contains(&milliseconds), "{object}");
    }
    // Together, they are the sum.
    let Some((sum, _)) = counts(&["-C", "0", "-e", "cpu-clock", "sleep", "0.05"]) else { return };
    assert!(sum["cpu-clock"] >= 45.0, "{sum:?}");
    let none = self::run(&["-C", "1000000", "-e", "cpu-clock", "true"]);
    assert_eq!(none.code, Some(125), "{}", none.err);
    assert!(none.err.contains("CPU 1000000 is offline"), "{}", none.err);
}

/// The time of a CPU that no machine has cannot be read.
#[test]
fn what_cannot_be_read_is_said() {
    let run = run(&["-C", "1000000", "-e", "user_time", "true"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("<not counted>"), "{}", run.err);
    assert!(run.err.contains(" note: `user_time`: CPU 1000000 is offline\n"), "{}", run.err);
}

/// A core by its numbers on a made-up machine, in all outputs.
#[test]
fn cores_and_sockets() {
    let machine = Machine::of(
        "/devices/system/cpu/online\t0\n\
         /devices/system/cpu/cpu0/topology/physical_package_id\t3\n\
         /devices/system/cpu/cpu0/topology/core_id\t5",
    );
    let sysfs = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let arguments = ["--sysfs", sysfs, "-C", "0", "-e", "cpu-clock,duration_time"];
    let run = |more: &[&str]| run(&[&arguments[..], more, &["sleep", "0.05"]].concat());
    let json = run(&["--per-core", "-j"]);
    if rights() < Rights::Cpus {
        return assert_refused(&json);
    }
    let shown = objects(&json.err);
    assert_eq!((&shown[0]["core"], &shown[0]["aggregate-number"]), (&"S3-D0-C5".into(), &1.into()));
    assert!(number(&shown[0]["counter-value"]) >= 45.0, "{}", json.err);
    // The time is no core's.
    assert_eq!((&shown[1]["event"], shown[1].get("core")), (&"duration_time".into(), None));
    let shown = objects(&run(&["--per-socket", "-j"]).err);
    assert_eq!((&shown[0]["socket"], shown[0].get("core")), (&"S3".into(), None));

    let fields = run(&["--per-socket", "-x,"]).err;
    let lines: Vec<&str> = fields.lines().collect();
    assert!(lines[0].starts_with("S3,1,") && lines[1].starts_with(",1,"), "{fields}");

    let text = run(&["--per-core"]).err;
    assert!(text.lines().any(|line| line.starts_with("S3-D0-C5              1 ")), "{text}");
    let text = run(&["--per-socket", "-I", "20"]).err;
    assert!(text.starts_with("#           time socket cpus             counts unit "), "{text}");
    let is_socket = |line: &str| line.split_whitespace().nth(1) == Some("S3");
    assert!(text.lines().any(is_socket), "{text}");

    // A die has a number where the machine says so; a core must have one.
    machine.write("/devices/system/cpu/cpu0/topology/die_id", "2\n");
    let shown = objects(&run(&["--per-core", "-j"]).err);
    assert_eq!(shown[0]["core"], "S3-D2-C5");
    machine.write("/devices/system/cpu/cpu0/topology/core_id", "x\n");
    let odd = run(&["--per-core"]);
    assert_eq!(odd.code, Some(125));
    assert!(odd.err.ends_with("/cpu0/topology/core_id: invalid number `x`\n"), "{}", odd.err);
}

/// The table knows the event and the machine lacks its PMU: the others are
/// counted, each in its place. A slip ends it.
#[test]
fn events_of_absent_pmus() {
    let machine = Machine::empty();
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let run = |events: &str| {
        run(&["--cpuid", "AuthenticAMD-25-61-2", "--sysfs", root, "-e", events, "-j", "true"])
    };
    let counted = run("duration_time,ex_ret_instr,user_time");
    assert_eq!(counted.code, Some(0), "{}", counted.err);
    let shown = objects(&counted.err);
    let of = |n: usize| {
        let text = |key: &str| shown[n][key].as_str().expect("a text").to_owned();
        (text("event"), text("counter-value") == "<not supported>")
    };
    assert_eq!(
        [0, 1, 2].map(of).map(|(name, _)| name),
        ["duration_time", "ex_ret_instr", "user_time"]
    );
    assert_eq!([0, 1, 2].map(of).map(|(_, is_missing)| is_missing), [false, true, false]);
    let misspelt = run("duration_time,ex_ret_intsr");
    assert_eq!(misspelt.code, Some(125), "{}", misspelt.err);
    assert!(misspelt.err.contains("did you mean `ex_ret_instr`?"), "{}", misspelt.err);
}

/// What can be seen of control groups without any of one's own. `cgroup2` and
/// rights to count CPUs are not everywhere: what each machine answers follows from
/// that.
#[test]
fn control_groups() {
    let usage: &[(&[&str], &str)] = &[
        (&["-G", "a", "true"], "control groups are counted on whole CPUs"),
        (&["--for-each-cgroup", "a", "true"], "control groups are counted on whole CPUs"),
        (&["-a", "-G", "a", "--for-each-cgroup", "b"], "cannot be used with"),
        (&["-a", "-e", "cs", "--metric", "x=cs", "-G", "a,b"], "does not apply to metrics"),
        (&["-a", "-e", "cs", "-G", ""], "expected the name of a control group"),
    ];
    for (arguments, message) in usage {
        let run = run(arguments);
        assert_eq!(run.code, Some(125), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
    }
    let is_mounted = {
        let mounts = std::fs::read_to_string("/proc/mounts").expect("Linux has it");
        let counts = |line: &str| {
            let fields: Vec<&str> = line.split(' ').collect();
            fields[2] == "cgroup2"
                || fields[2] == "cgroup" && fields[3].split(',').any(|one| one == "perf_event")
        };
        mounts.lines().any(counts)
    };
    let no_such = [
        (&["-G", "no/such"][..], "control group `no/such` cannot be opened: "),
        (&["-G", "/,no/such"], "control group `no/such` cannot be opened: "),
        (&["--for-each-cgroup", "no/such"], "control group `no/such` cannot be opened: "),
        (&["--for-each-cgroup", "no[s]uch*"], "no control group below "),
    ];
    for (option, message) in no_such {
        let run = run(&[&["-C", "0", "-e", "cpu-clock,cs"], option, &["true"]].concat());
        assert_eq!(run.code, Some(125), "{option:?}: {}", run.err);
        let message =
            if is_mounted { message } else { "no hierarchy of control groups is mounted" };
        assert!(run.err.starts_with(&format!("pmu stat: {message}")), "{option:?}: {}", run.err);
    }
    if !is_mounted {
        return;
    }
    // The root holds everything, and an event may be counted outside of any.
    let run = run(&["-j", "-C", "0", "-e", "cpu-clock,cpu-clock", "-G", "/,", "sleep", "0.05"]);
    if rights() < Rights::Cpus {
        return assert_refused(&run);
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    let groups: Vec<_> = objects(&run.err).iter().map(|one| one["cgroup"].clone()).collect();
    assert_eq!(groups, ["/", ""], "{}", run.err);
    let each = ["-C", "0", "-e", "cpu-clock,duration_time", "--for-each-cgroup", "/", "true"];
    let lines = self::run(&[&["-x,"][..], &each].concat()).err;
    let fields: Vec<Vec<&str>> = lines.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        fields.iter().map(|f| (f[2], f[3])).collect::<Vec<_>>(),
        [("cpu-clock", "/"), ("duration_time", "/")]
    );
    let text = self::run(&each).err;
    assert!(text.lines().any(|line| line.contains(" cpu-clock                 / ")), "{text}");
    // Metrics are counted in a group, too.
    for option in ["-G", "--for-each-cgroup"] {
        let run = self::run(&["-j", "-C", "0", "--metric", "twice=2*cs", option, "/", "true"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let lines = objects(&run.err);
        let shown: Vec<_> = lines.iter().map(|one| (&one["cgroup"], &one["metric-unit"])).collect();
        assert_eq!(shown, [(&"/".into(), &"twice".into())], "{}", run.err);
    }
}

/// Each `-d` adds to what is there, as in perf. A machine without a core PMU has
/// none of them, which is not an error.
#[test]
fn details_of_caches() {
    let loads = ["L1-dcache-loads", "L1-dcache-load-misses", "LLC-loads", "LLC-load-misses"];
    let more = ["L1-icache-loads", "L1-icache-load-misses", "dTLB-loads", "dTLB-load-misses"];
    let most = ["iTLB-loads", "iTLB-load-misses"];
    let prefetches = ["L1-dcache-prefetches", "L1-dcache-prefetch-misses"];
    let all = [&loads[..], &more, &most, &prefetches].concat();
    for machine in [Machine::named("zen4"), Machine::empty()] {
        let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
        let run = |arguments: &[&str]| counted(&[&["--sysfs", root], arguments].concat());
        for (option, details) in [("-d", 4), ("-dd", 10), ("-ddd", 12), ("-dddd", 12)] {
            let Some(run) = run(&["-j", "-e", "duration_time", option, "true"]) else { return };
            assert_eq!(run.code, Some(0), "{}", run.err);
            let shown = objects(&run.err);
            let names = shown.iter().map(|object| object["event"].as_str().expect("a text"));
            let names: Vec<&str> = names.map(|name| name.trim_end_matches(":u")).collect();
            assert_eq!(names, [&["duration_time"], &all[..details]].concat(), "{option}");
        }
        let Some(run) = run(&["--detailed", "true"]) else { return };
        let at =
            |what: &str| run.err.find(what).unwrap_or_else(|| panic!("no {what} in {}", run.err));
        assert!(at("branch-misses") < at("L1-dcache-loads"), "{}", run.err);
    }
    let machine = Machine::empty();
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let run = run(&["--sysfs", root, "-e", "duration_time", "-d", "true"]);
    let note = "note: `L1-dcache-loads`, `L1-dcache-load-misses`, `LLC-loads`, `LLC-load-misses`: \
                this machine has no core PMU, which would have such an event";
    assert!(run.err.contains(note), "{}", run.err);
    assert!(run.err.contains("<not supported>      LLC-loads"), "{}", run.err);
}

#[test]
fn how_events_are_open() {
    let event = "{task-clock,page-faults:u},duration_time";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stat-verbose.json");
    let path = file.to_str().expect("the scratch directory's name is UTF-8");
    let run = run(&["-v", "-j", "-o", path, "-e", event, "true"]);
    if rights::has_no_counters() {
        let why = "pmu stat: `task-clock` is not open: this kernel has no perf_event_open";
        return assert!(run.err.contains(why), "{}", run.err);
    }
    if rights() == Rights::Nothing {
        return assert_refused(&run);
    }
    let said = run.err;
    // `struct perf_event_attr`: software is type 1, its clock 1, its faults 2;
    // times and the group are read.
    let clock = said.lines().find(|line| line.starts_with("pmu stat: `task-clock"));
    let clock = clock.unwrap_or_else(|| panic!("no clock in {said}"));
    assert!(clock.contains(": type=1 config=0x1 read_format=0xb disabled inherit "), "{said}");
    assert!(clock.contains(" enable_on_exec"), "{said}");
    let faults = "pmu stat: `page-faults:u`: type=1 config=0x2 read_format=0xb inherit \
                  exclude_kernel exclude_hv";
    assert!(said.contains(faults), "{said}");
    assert!(said.contains("pmu stat: `page-faults:u` is open for thread "), "{said}");
    assert!(said.contains("pmu stat: `duration_time` needs no counter\n"), "{said}");
    let user_only = "was refused at first; changed: exclude_kernel=1, exclude_hv=1";
    assert_eq!(said.contains(user_only), rights() < Rights::Kernel, "{said}");
    // The counts are where they always are.
    let written = std::fs::read_to_string(&file).expect("it was written");
    assert_eq!(objects(&written).len(), 3, "{written}");
}

/// Who may count less, counts less, and is told so. As root, this becomes
/// somebody else.
#[test]
fn a_user_without_rights() {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    let mut command = command();
    if may_become_others() {
        // The build directory may be closed to others.
        let copy = std::env::temp_dir().join(format!("pmu-events-stat-{}", std::process::id()));
        // By another process: what another test starts meanwhile would inherit
        // the open file, and a file that can be written does not run (ETXTBSY).
        let copied =
            Command::new("cp").args([Path::new(PMU), &copy]).status().expect("there is `cp`");
        assert!(copied.success(), "the directory for temporary files can be written");
        command = stat::of_program(&copy);
        command.uid(NOBODY).gid(NOBODY).current_dir("/");
    }
    let run = finish(command.args(["-e", "task-clock,page-faults", "true"]));
    let copy = Path::new(command.get_program());
    if copy != Path::new(PMU) {
        std::fs::remove_file(copy).expect("it is there");
    }
    let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    // Without the file, the kernel has no counters.
    let level = level.map_or(2, |text| text.trim().parse::<i32>().expect("it is a number"));
    if rights() == Rights::Nothing || level > 2 {
        return assert_refused(&run);
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err.contains("task-clock:u"), level > 1, "{}", run.err);
    let note = "the kernel is left out, because kernel.perf_event_paranoid does not permit";
    assert_eq!(run.err.contains(note), level > 1, "{}", run.err);
}

/// A root of a container may lack the right.
fn may_become_others() -> bool {
    const CAP_SETUID: u32 = 7;
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let set = u64::from_str_radix(line.expect("Linux shows it").trim(), 16);
    set.expect("it is a number") >> CAP_SETUID & 1 == 1
}

/// The command gets the signal, and what it did until then is shown.
#[test]
fn time_is_over() {
    let run = run(&["--timeout", "100", "-e", "duration_time", "sleep", "600"]);
    assert_eq!(run.code, Some(128 + libc::SIGTERM), "{}", run.err);
    assert!(run.err.contains("duration_time"), "{}", run.err);
}

#[test]
fn a_delay_leaves_out_the_beginning() {
    let busy = "while :; do :; done";
    let arguments = ["-j", "-D", "400", "--timeout", "600", "-e", "task-clock,duration_time"];
    let Some(run) = counted(&[&arguments[..], &["sh", "-c", busy]].concat()) else { return };
    assert_eq!(run.code, Some(128 + libc::SIGTERM), "{}", run.err);
    let late = by_event(&run);
    let rest = run.elapsed.as_secs_f64() - 0.4;
    assert!(late["duration_time"] / 1e9 <= rest, "{late:?} of {rest} s");
    assert!(of_event(&late, "task-clock") / 1e3 <= rest, "{late:?} of {rest} s");
}

/// The times that a command spent are counted as its other events are: not before the delay,
/// and not for its children where those are not counted.
#[test]
fn times_of_what_is_not_counted() {
    // It ends before the delay does.
    let run = run(&["-j", "-D", "600000", "-e", "user_time,system_time,duration_time", "true"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let counts = objects(&run.err);
    assert_eq!(counts.len(), 3, "{}", run.err);
    for count in counts {
        assert_eq!(count["counter-value"], "<not counted>", "{count}");
    }
    // A child does all the work.
    let work = "(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); :";
    let spent = |options: &[&str]| {
        let arguments = [options, &["-e", "user_time", "sh", "-c", work]].concat();
        let run = stat::run(&arguments);
        assert_eq!(run.code, Some(0), "{}", run.err);
        let number = |unit: &str| {
            let line = run.err.lines().find(|line| line.contains(unit)).expect("it is shown");
            line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).expect(unit)
        };
        (number(" ns   user_time") / 1e9, number(" seconds user"))
    };
    let (with, all) = spent(&[]);
    assert!(all > 0.05 && (with - all).abs() < 1e-3, "{with} of {all} s");
    let (without, all) = spent(&["--no-inherit"]);
    assert!(without < 0.5 * all, "{without} of {all} s");
}

#[test]
fn errors_point_at_what_is_wrong() {
    // The nearest name of a CPU's table could be another.
    let arguments = ["--cpuid", "unheard-of", "-e", "task-clock", "-e", "page-faults,cycels"];
    let run = run(&[&arguments[..], &["true"]].concat());
    assert_eq!(run.code, Some(125));
    let expected = "pmu stat: no PMU has an event `cycels`; did you mean `cycles`?\n  \
                    page-faults,cycels\n              ^^^^^^\n";
    assert!(run.err.starts_with(expected), "{}", run.err);
}

#[test]
fn a_file_gets_the_output() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stat-output.json");
    let path = file.to_str().expect("the scratch directory's name is UTF-8");
    let run = run(&["-j", "-o", path, "-e", "duration_time", "sh", "-c", "echo err >&2"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), "err\n"));
    let written = std::fs::read_to_string(&file).expect("it was written");
    assert!(number(&objects(&written)[0]["counter-value"]) > 0.0, "{written}");
    // What is there stays, or goes.
    for (append, lines) in [(true, 2), (true, 3), (false, 1), (true, 2)] {
        let option = if append { &["--append"][..] } else { &[] };
        let run =
            self::run(&[&["-j", "-o", path, "-e", "duration_time"], option, &["true"]].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        let written = std::fs::read_to_string(&file).expect("it was written");
        assert_eq!(objects(&written).len(), lines, "{written}");
    }
    std::fs::remove_file(&file).expect("it is there");
    let run = self::run(&["-j", "-o", path, "--append", "-e", "duration_time", "true"]);
    assert_eq!((run.code, file.exists()), (Some(0), true), "a new file: {}", run.err);
    let run = self::run(&["-o", "/nonexistent/file", "true"]);
    assert_eq!(run.code, Some(125));
    assert!(run.err.starts_with("pmu stat: cannot write `/nonexistent/file`: "), "{}", run.err);
}
