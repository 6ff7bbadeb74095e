//! `examples/stat` as a user meets it, on the machine that the test runs on.
//!
//! Nothing is skipped: where a machine has more or less, another answer is
//! expected. What every machine must permit is that a user counts software
//! events of his own tasks; a machine that forbids even that fails these tests.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use pmu_events::sysfs::Sysfs;
use serde_json::Value;

#[path = "common/cargo.rs"]
mod cargo;

static STAT: LazyLock<PathBuf> = LazyLock::new(|| cargo::example("stat"));

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
    elapsed: Duration,
}

/// What the environment of the tests says must not matter.
fn command() -> Command {
    let mut command = Command::new(&*STAT);
    command.env_remove("PERF_CPUID").env_remove("SYSFS_PATH").stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Run {
    finish(command().args(arguments))
}

fn finish(command: &mut Command) -> Run {
    LazyLock::force(&STAT);
    let start = Instant::now();
    let Output { status, stdout, stderr } = command.output().expect("stat runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    let elapsed = start.elapsed();
    Run { code: status.code(), out: text(stdout), err: text(stderr), elapsed }
}

/// The objects of `--json`.
fn objects(text: &str) -> Vec<Value> {
    let object = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    text.lines().map(object).collect()
}

fn number(value: &Value) -> f64 {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value}"))
}

/// The numbers of a run, by event.
fn counts(arguments: &[&str]) -> (BTreeMap<String, f64>, Run) {
    let run = run(&[&["--json"], arguments].concat());
    assert_eq!(run.code, Some(0), "{arguments:?} {}", run.err);
    let object = |object: &Value| {
        (object["event"].as_str().unwrap().to_string(), number(&object["counter-value"]))
    };
    (objects(&run.err).iter().map(object).collect(), run)
}

/// Without a modifier that the machine's settings add.
fn of_event(counts: &BTreeMap<String, f64>, name: &str) -> f64 {
    let of_user = [format!("{name}:u"), format!("{name}u")];
    let found = counts.get(name).or_else(|| of_user.iter().find_map(|name| counts.get(name)));
    *found.unwrap_or_else(|| panic!("no {name} in {counts:?}"))
}

fn has_hardware() -> bool {
    Sysfs::new().core_pmus().next().is_some()
}

/// Whether what `kernel.perf_event_paranoid` permits at this level and below is
/// permitted here: 1, the kernel; 0, whole CPUs.
fn may(paranoid_at_most: i32) -> bool {
    // SAFETY: it has no arguments and cannot fail.
    let is_root = unsafe { libc::geteuid() } == 0;
    let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    let level: i32 = level.expect("Linux has it").trim().parse().expect("it is a number");
    is_root || level <= paranoid_at_most
}

#[test]
fn help_and_version() {
    for option in ["--help", "-h"] {
        let help = run(&[option]);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
        assert!(help.out.starts_with("Usage: stat "), "{}", help.out);
        assert!(help.out.lines().all(|line| line.chars().count() <= 80), "{}", help.out);
    }
    assert!(run(&["--version"]).out.starts_with("stat "));
}

#[test]
fn bad_usage() {
    let nobody = "there is neither a command nor -p, -t, -a or -C to say what is counted";
    let cases: &[(&[&str], &str)] = &[
        (&[], nobody),
        (&["-e", "task-clock"], nobody),
        (&["--jsn", "true"], "unknown option `--jsn`; did you mean `--json`?"),
        (&["-q"], "unknown option `-q`; commands that begin with `-` go behind `--`"),
        (&["-e"], "`-e` needs a value"),
        (&["--json=1", "true"], "`--json` takes no value"),
        (&["-r", "x", "true"], "`-r` needs a number, not `x`"),
        (&["-r0", "true"], "`-r` needs 1 or more"),
        (&["-p", "1,x"], "`x` is no id of a task"),
        (&["-C", "0-x"], "`0-x` is no range of CPUs"),
        (&["-a", "-p", "1"], "`--all-cpus` and `--pid` do not go together"),
        (&["-A", "true"], "`--no-aggr` needs whole CPUs: `--all-cpus` or `--cpu`"),
        (&["-j", "-x,", "true"], "`--json` and `--field-separator` do not go together"),
        (&["-a", "-r2"], "`--repeat` needs a command"),
        (&["-r2", "-I9", "true"], "`--repeat` and `--interval` do not go together"),
        (&["--interval-count=3", "true"], "`--interval-count` needs `--interval`"),
    ];
    for (arguments, message) in cases {
        let run = run(arguments);
        assert_eq!(run.code, Some(125), "{arguments:?}");
        assert_eq!(run.err, format!("stat: {message}\nTry `stat --help`.\n"));
        assert_eq!(run.out, "");
    }
}

/// The time-stamp counter of x86 is a PMU without hardware counters.
#[test]
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn counts_of_a_command() {
    assert!(Sysfs::new().pmu("msr").is_some(), "every x86 kernel has the PMU `msr`");
    // It has no notion of user space: who may not count the kernel has no TSC.
    if !may(1) {
        let run = run(&["-e", "msr/tsc/", "true"]);
        assert!(run.err.contains("<not supported>"), "{}", run.err);
        assert!(run.err.contains("perf_event_paranoid"), "{}", run.err);
        return;
    }
    let (counts, run) =
        counts(&["-e", "msr/tsc/", "-e", "task-clock", "-e", "page-faults", "--", "true"]);
    let (tsc, clock) = (of_event(&counts, "msr/tsc/"), of_event(&counts, "task-clock"));
    let milliseconds = run.elapsed.as_secs_f64() * 1e3;
    assert!(clock > 0.0 && clock <= milliseconds, "{clock} of {milliseconds} ms");
    // It runs while the task does, at 0.4 to 10 GHz.
    let gigahertz = tsc / (clock * 1e6);
    assert!((0.4..10.0).contains(&gigahertz), "{gigahertz} GHz: {tsc} in {clock} ms");
    // A program is mapped, not read.
    let faults = of_event(&counts, "page-faults");
    assert!((1.0..1e5).contains(&faults), "{faults}");
}

/// Nearly all the work is a child's.
#[test]
fn what_the_command_starts_is_counted_too() {
    let work = "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; true";
    let (all, run) = counts(&["-e", "user_time,system_time,task-clock", "sh", "-c", work]);
    let (alone, _) = counts(&["-i", "-e", "task-clock", "sh", "-c", work]);
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
    let run = run(&["-j", "-e", group, "sleep", "0.01"]);
    let objects = objects(&run.err);
    assert_eq!(objects.len(), 3, "{}", run.err);
    let times: Vec<&Value> = objects.iter().map(|object| &object["event-runtime"]).collect();
    assert!(times[0].as_u64() > Some(0) && times.iter().all(|time| *time == times[0]));
    assert!(number(&objects[2]["counter-value"]) >= 0.0);
}

/// Exactly what the machine has not is shown as such.
#[test]
fn hardware_events_count_or_are_said_not_to_be_there() {
    let run = run(&["true"]);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.out, "", "the command's own output has standard output for itself");
    for event in ["task-clock", "page-faults"] {
        let line = run.err.lines().find(|line| line.contains(event)).expect("it is shown");
        assert!(!line.contains('<'), "{line}");
    }
    let cycles = run.err.lines().find(|line| line.contains("cycles") && !line.contains("note"));
    let is_lacking = cycles.expect("it is shown").contains("<not supported>");
    assert_eq!(is_lacking, !has_hardware(), "{}", run.err);
    let note = "this machine has no hardware PMU";
    assert_eq!(run.err.contains(note), !has_hardware(), "{}", run.err);
}

#[test]
fn a_group_whose_leader_is_not_there() {
    let run = run(&["-e", "{cycles,task-clock}", "-e", "{page-faults,cycles}", "true"]);
    assert_eq!(run.code, Some(0));
    let lacking = run.err.lines().filter(|line| line.contains("<not supported>")).count();
    assert_eq!(lacking, if has_hardware() { 0 } else { 3 }, "{}", run.err);
    assert!(run.err.contains("page-faults"));
}

#[test]
fn repeats_have_a_mean_and_a_deviation() {
    let run = run(&["-j", "-r", "4", "-e", "task-clock,page-faults", "sleep", "0.01"]);
    for object in objects(&run.err) {
        assert!(number(&object["counter-value"]) > 0.0, "{object}");
        let noise = object["variance"].as_f64().expect("it is a number");
        assert!((0.0..200.0).contains(&noise), "{object}");
    }
    let text = self::run(&["-r3", "-e", "task-clock", "sleep", "0.01"]).err;
    assert!(text.contains("for 'sleep 0.01' (3 runs):"), "{text}");
    assert!(text.contains("seconds time elapsed  ( +-"), "{text}");
    let mean: f64 = text
        .lines()
        .find(|line| line.contains("time elapsed"))
        .and_then(|line| line.split_whitespace().next()?.parse().ok())
        .expect("a line has the time");
    assert!((0.01..1.0).contains(&mean), "{text}");
}

#[test]
fn intervals_come_in_time_and_add_up() {
    let work = "for n in 1 2 3 4 5 6; do sleep 0.02; done";
    let run = run(&["-j", "-I", "30", "-e", "task-clock,duration_time", "sh", "-c", work]);
    let objects = objects(&run.err);
    let times: Vec<f64> =
        objects.iter().step_by(2).map(|object| object["interval"].as_f64().unwrap()).collect();
    assert!(times.len() >= 4, "{times:?}");
    assert!(times[0] >= 0.03 && times.is_sorted(), "{times:?}");
    let last = *times.last().unwrap();
    assert!(last <= run.elapsed.as_secs_f64(), "{last}");
    let sum: f64 = objects.iter().skip(1).step_by(2).map(|o| number(&o["counter-value"])).sum();
    assert!((sum / 1e9 - last).abs() < 0.02, "{sum} ns in {last} s");

    let text = self::run(&["-I20", "--interval-count", "2", "-e", "task-clock", "sleep", "0.1"]);
    assert_eq!(text.err.lines().count(), 3, "{}", text.err);
    assert!(text.err.starts_with("#           time"), "{}", text.err);
    // The command goes on to its end.
    assert!(text.elapsed >= Duration::from_millis(100));
}

#[test]
fn fields_are_those_of_perf() {
    let run = run(&["-x", ";", "-e", "task-clock", "-e", "page-faults", "sleep", "0.01"]);
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
        let run = run(&[&["-e", "task-clock"], command].concat());
        assert_eq!(run.code, Some(code), "{command:?} {}", run.err);
        assert_eq!(run.err.contains("task-clock"), is_counted, "{command:?} {}", run.err);
        assert_eq!(run.err.starts_with("stat: "), !is_counted, "{command:?} {}", run.err);
    }
}

/// The command's arguments are its own, also those that look like ours.
#[test]
fn the_command_gets_its_words_and_streams() {
    let run = run(&["-e", "task-clock", "echo", "-e", "--json", "x"]);
    assert!(run.out.ends_with("--json x\n"), "{:?}", run.out);
    let no_text = OsStr::from_bytes(b"\xff\xfe");
    let mut command = command();
    command.args(["-e", "task-clock", "printf", "%s"]).arg(no_text);
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
        let (counts, run) = counts(&arguments);
        let clock = of_event(&counts, "task-clock");
        assert!(clock > 5.0 && clock <= run.elapsed.as_secs_f64() * 1e3, "{option} {counts:?}");
        assert!(counts["duration_time"] >= 1e8, "{option} {counts:?}");
        assert!(counts["user_time"] <= counts["duration_time"], "{option} {counts:?}");
    }
    // It ends when the last task has.
    let killer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(150));
        sleeper.kill().expect("it runs");
        sleeper.wait().expect("it ends");
    });
    let run = run(&["-e", "task-clock", "-p", &id]);
    killer.join().unwrap();
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains(&format!("process id '{id}'")), "{}", run.err);

    let gone = self::run(&["-e", "task-clock", "-p", "2147483647"]);
    assert_eq!(gone.code, Some(125));
    assert_eq!(gone.err, "stat: there is no process 2147483647\n");
    let gone = self::run(&["-e", "task-clock", "-t", "2147483647"]);
    assert_eq!(gone.err, "stat: `task-clock`: there is no thread 2147483647\n");
}

#[test]
fn whole_cpus() {
    let arguments = ["-a", "-j", "-A", "-e", "cpu-clock", "--timeout", "100"];
    let run = run(&arguments);
    if !may(0) {
        assert_eq!(run.code, Some(125));
        assert!(run.err.contains("counting whole CPUs needs 0 or less"), "{}", run.err);
        return;
    }
    let objects = objects(&run.err);
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online").expect("Linux has it");
    let online: pmu_events::sysfs::CpuSet = online.parse().expect("it is a list of CPUs");
    let cpus: Vec<String> = objects.iter().map(|o| o["cpu"].as_str().unwrap().into()).collect();
    assert_eq!(cpus, online.iter().map(|cpu| cpu.to_string()).collect::<Vec<_>>());
    for object in &objects {
        let milliseconds = number(&object["counter-value"]);
        assert!((90.0..5000.0).contains(&milliseconds), "{object}");
    }
    // Together, they are the sum.
    let (sum, _) = counts(&["-C", "0", "-e", "cpu-clock", "sleep", "0.05"]);
    assert!(sum["cpu-clock"] >= 45.0, "{sum:?}");
    let none = self::run(&["-C", "1000000", "-e", "cpu-clock", "true"]);
    assert_eq!(none.code, Some(125), "{}", none.err);
    assert!(none.err.contains("CPU 1000000 is offline"), "{}", none.err);
}

/// Who may count less, counts less, and is told so. As root, this becomes
/// somebody else.
#[test]
fn a_user_without_rights() {
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;
    LazyLock::force(&STAT);
    let mut command = command();
    // SAFETY: it has no arguments and cannot fail.
    if unsafe { libc::geteuid() } == 0 {
        // The build directory may be closed to others.
        let copy = std::env::temp_dir().join(format!("pmu-events-stat-{}", std::process::id()));
        std::fs::copy(&*STAT, &copy).expect("the directory for temporary files can be written");
        command = Command::new(&copy);
        command.uid(NOBODY).gid(NOBODY).current_dir("/");
    }
    let run = finish(command.args(["-e", "task-clock,page-faults", "true"]));
    let copy = PathBuf::from(command.get_program());
    if copy != *STAT {
        std::fs::remove_file(copy).expect("it is there");
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap();
    let level: i32 = level.trim().parse().unwrap();
    assert!(level <= 2, "this machine lets nobody count (perf_event_paranoid {level})");
    assert_eq!(run.err.contains("task-clock:u"), level > 1, "{}", run.err);
    let note = "the kernel is left out, because kernel.perf_event_paranoid does not permit";
    assert_eq!(run.err.contains(note), level > 1, "{}", run.err);
}

#[test]
fn interrupts_show_what_was_counted() {
    let mut sleeper = Command::new("sleep").arg("60").spawn().expect("sleep is there");
    let id = sleeper.id().to_string();
    let cases: &[&[&str]] = &[
        // Passed on, since no terminal sent it to the command as well.
        &["-e", "task-clock", "sleep", "60"],
        &["-e", "task-clock", "-p", &id],
        &["-I10000", "-e", "task-clock", "sleep", "60"],
    ];
    let code = 128 + libc::SIGINT;
    for &arguments in cases {
        let mut child =
            command().args(arguments).stderr(Stdio::piped()).spawn().expect("stat runs");
        thread::sleep(Duration::from_millis(300));
        // SAFETY: it takes numbers.
        unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), status.signal()), (Some(code), None), "{arguments:?} {err}");
        assert!(err.contains("task-clock"), "{arguments:?} {err}");
    }
    sleeper.kill().expect("it runs");
    sleeper.wait().expect("it ends");
    let run = run(&["--timeout", "100", "-e", "task-clock", "sleep", "60"]);
    assert_eq!(run.code, Some(128 + libc::SIGTERM), "{}", run.err);
    assert!(run.elapsed < Duration::from_secs(30));
}

#[test]
fn a_delay_leaves_out_the_beginning() {
    let work = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; sleep 0.5";
    let (all, _) = counts(&["-e", "task-clock", "sh", "-c", work]);
    let (late, _) = counts(&["-D", "400", "-e", "task-clock,duration_time", "sh", "-c", work]);
    assert!(of_event(&late, "task-clock") < of_event(&all, "task-clock"), "{late:?} {all:?}");
    assert!(late["duration_time"] < 1.5e9, "{late:?}");
}

#[test]
fn errors_point_at_what_is_wrong() {
    let run = run(&["-e", "task-clock", "-e", "page-faults,cycels", "true"]);
    assert_eq!(run.code, Some(125));
    let expected = "stat: no PMU has an event `cycels`; did you mean `cycles`?\n  \
                    page-faults,cycels\n              ^^^^^^\n";
    assert!(run.err.starts_with(expected), "{}", run.err);
}

#[test]
fn a_file_gets_the_output() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stat-output.json");
    let path = file.to_str().expect("the scratch directory's name is UTF-8");
    let run = run(&["-j", "-o", path, "-e", "page-faults", "sh", "-c", "echo err >&2"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), "err\n"));
    let written = std::fs::read_to_string(&file).expect("it was written");
    assert!(number(&objects(&written)[0]["counter-value"]) > 0.0, "{written}");
    let run = self::run(&["-o", "/nonexistent/file", "true"]);
    assert_eq!(run.code, Some(125));
    assert!(run.err.starts_with("stat: cannot write `/nonexistent/file`: "), "{}", run.err);
}

/// Whoever closes standard error takes nothing from the command.
#[test]
fn nobody_listens() {
    let mut child = command()
        .args(["-e", "task-clock", "sh", "-c", "sleep 0.1; exit 5"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("stat runs");
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(5));
}
