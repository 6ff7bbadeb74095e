//! `pmu topdown` as a user meets it: a made-up tree whose events software counts,
//! and machines on which nothing of a tree can be counted.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[path = "../../tests/common/deny.rs"]
mod deny;
#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // As above.
#[path = "../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)] // As above.
#[path = "common/run.rs"]
mod run;

use machines::Machine;
use rights::{Rights, rights};
use run::Run;

const SOFTWARE: [&str; 4] = ["--tree", "../tests/trees/topdown-software", "--cpuid", "soft-1"];

fn run(arguments: &[&str]) -> Run {
    run_changed(arguments, |_| ())
}

fn run_changed(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Run {
    let mut command = run::command();
    command.arg("topdown").args(arguments);
    change(&mut command);
    run::finish(&mut command)
}

/// A run that has to be permitted to count; where nobody may, it says so.
#[track_caller]
fn counted(arguments: &[&str]) -> Option<Run> {
    permitted(run(&[&SOFTWARE, arguments].concat()))
}

/// A run that counted, or nothing where nobody may.
#[track_caller]
fn permitted(run: Run) -> Option<Run> {
    if rights() > Rights::Nothing {
        return Some(run);
    }
    let reasons = ["not permitted", "not support", "no perf_event_open"];
    assert!(reasons.iter().any(|reason| run.err.contains(reason)), "{}", run.err);
    None
}

#[test]
fn a_tree_in_text() {
    let Some(run) = counted(&["true"]) else { return };
    let expected = "
 Top-down analysis of 'true':

 top_nothing           0.0%                           0%
 top_time            100.0% < ####################  100%
   top_faults         75.0% < ###############        75%
     top_deep         50.0%   ##########             67%
   top_rest           25.0%   #####                  25%

 top_faults: 75.0%
   Three quarters. Touch less memory.
   To find the code: perf record -e software_only

 Counted in 3 runs of the command:
   1. level 1: top_nothing, top_time
   2. level 2: top_faults, top_rest
   3. level 3: top_deep
";
    assert_eq!(run.code, Some(0), "{}", run.err);
    // How long the command waits is nobody's to say.
    let (title, rest) = run.err.split_at(run.err.find(" CPUs used: ").expect("it is there"));
    let (_, rest) = rest.split_once("\n\n").expect("a line is empty");
    let tree = format!("{title}{rest}");
    // Rights decide whether there is a note about the kernel.
    assert!(tree.starts_with(expected), "{}", run.err);
    assert_eq!(run.out, "");
}

/// Each interval has the tree of its own counts, and their number ends the program.
#[test]
fn intervals() {
    let arguments = ["-I", "20", "--interval-count", "3", "--", "sleep", "0.5"];
    let Some(run) = counted(&arguments) else { return };
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err.matches(" top_time            100.0% <").count(), 3, "{}", run.err);
    assert_eq!(run.err.matches("Top-down analysis of 'sleep 0.5'").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("idle: ").count(), 3, "{}", run.err);
    // Software needs no counters.
    assert!(!run.err.contains("multiplexed"), "{}", run.err);
    // The same as fields, whose names are there once.
    let Some(run) = counted(&[&["-x,", "-l1"], &arguments[..]].concat()) else { return };
    let rows = run.err.lines().filter(|line| line.contains(",top_time,")).count();
    assert_eq!((rows, run.err.matches("interval,cgroup,place").count()), (3, 1), "{}", run.err);
}

/// Each thread of a process, and each CPU, has its own tree.
#[test]
fn parts_of_what_is_counted() {
    let own = std::process::id().to_string();
    let napping = std::thread::spawn(|| std::thread::sleep(std::time::Duration::from_secs(2)));
    let cases: [(&[&str], bool); 2] =
        [(&["-a", "-A", "-d", "40"], false), (&["-p", &own, "--per-thread", "-d", "40"], true)];
    for (arguments, is_of_threads) in cases {
        // Whole CPUs need more rights than tasks.
        if !is_of_threads && rights() < Rights::Cpus {
            continue;
        }
        let Some(run) = counted(&[&["-j"], arguments].concat()) else { return };
        let objects = run.err.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
        let nodes: Vec<Value> = objects.filter(|one: &Value| one["kind"] == "node").collect();
        let places: BTreeSet<&str> =
            nodes.iter().map(|node| node["place"].as_str().expect("it has one")).collect();
        assert!(!places.is_empty(), "{}", run.err);
        for place in places {
            assert_eq!(place.starts_with("CPU"), !is_of_threads, "{place}");
            let own: Vec<&Value> = nodes.iter().filter(|node| node["place"] == place).collect();
            let names: BTreeSet<&str> =
                own.iter().filter_map(|node| node["name"].as_str()).collect();
            assert_eq!(names.len(), own.len(), "{place}: {}", run.err);
        }
    }
    napping.join().expect("it does not panic");
}

/// The counts of a file are walked through as far as it has some, and written as they are asked for.
#[test]
fn counts_from_a_file() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topdown-imported");
    let path = file.to_str().expect("it is UTF-8");
    let both = "1.5,msec,task-clock,9,100.00,0.25,CPUs utilized\n40,,page-faults,9,50.00,,\n";
    fs::write(&file, format!("# started on Monday\n\n{both}")).expect("it can be written");
    let imported = |options: &[&str]| {
        let run = run(&[&SOFTWARE, options, &["--import", path]].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
        run.err
    };
    let text = imported(&[]);
    let tree = " top_nothing           0.0%                           0%  (50.0%)\n \
                top_time            100.0% < ####################  100%\n   top_faults         \
                75.0% < ###############        75%  (50.0%)\n     top_deep         50.0%";
    assert!(text.contains(tree), "{text}");
    assert!(text.contains(" CPUs used: 0.25; idle: 75.0% of the time\n"), "{text}");
    assert!(text.contains(&format!("Top-down analysis of the counts in `{path}`:")), "{text}");
    assert!(!text.contains("note:"), "{text}");
    // Where the file ends, so does the walk.
    fs::write(&file, "1.5,msec,task-clock,9,100.00,,\n").expect("it can be written");
    let text = imported(&[]);
    assert!(text.contains(" top_nothing   not counted") && text.contains(" top_time "), "{text}");
    assert!(text.contains("note: the file has no counts of deeper levels"), "{text}");
    assert!(!text.contains("CPUs used"), "{text}");
    // Intervals and units; what has none of the events has no tree.
    let line = |time: &str, unit: &str, event: &str| {
        format!("     {time}.000000000,{unit},2,40,,{event},9,100.00,,\n")
    };
    let all = [("1", "S0"), ("1", "S1"), ("2", "S0")].map(|(time, unit)| {
        let event = if unit == "S1" { "cycles" } else { "page-faults" };
        line(time, unit, event)
    });
    fs::write(&file, all.concat()).expect("it can be written");
    let rows = imported(&["-x,", "-l1"]);
    let rows: Vec<&str> = rows.lines().filter(|row| row.contains(",top_nothing,")).collect();
    let starts = ["1.000000000,,S0,soft,", "2.000000000,,S0,soft,"];
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().zip(starts).all(|(row, start)| row.starts_with(start)), "{rows:?}");
}

/// What excludes each other, and files that have no counts of the tree.
#[test]
fn modes_that_are_refused() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topdown-counts");
    fs::write(&file, "12,,no_such_event,9,100.00,,\n").expect("it can be written");
    let file = file.to_str().expect("it is UTF-8");
    let cases: [(&[&str], &str); 14] = [
        (&["--per-core", "true"], "needs whole CPUs: `-a` or `-C`"),
        (&["--per-thread", "true"], "`--per-thread` needs -p, -t or -a"),
        (&["--for-each-cgroup", "a", "true"], "control groups are counted on whole CPUs"),
        (&["--for-each-cgroup", "no/such", "-a"], "control group `no/such` cannot be opened"),
        (&["--user", "--kernel", "true"], "cannot be used with"),
        (&["-j", "-x,", "true"], "cannot be used with"),
        (&["--interval-count", "3", "true"], "`--interval-count` needs `-I`"),
        (&["-I", "x", "true"], "expected a number of 0 or more"),
        (&["-o", "x", "--log-fd", "5", "true"], "`--output` and `--log-fd` exclude each other"),
        (&["--import", file, "true"], "cannot be used with"),
        (&["--import", file, "--per-core"], "cannot be used with"),
        (&["--import", file, "--single-run"], "cannot be used with"),
        (&["--import", file], "has no counts of all events of a node of the tree"),
        (&["--import", "/nonexistent"], "/nonexistent"),
    ];
    for (arguments, why) in cases {
        let run = run(&[&SOFTWARE, arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(125), ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(why), "{arguments:?}: {}", run.err);
    }
}

const VERDICT: [&str; 4] = ["--tree", "../tests/trees/topdown-software", "--cpuid", "soft-3"];

/// Nonsense has a mark and a word, what overlaps is not ranked, and the rest of a node is named.
#[test]
fn a_verdict_in_text() {
    let Some(run) = permitted(run(&[&VERDICT[..], &["true"]].concat())) else { return };
    let expected = "
 top_back                 90.0% < ##################     90%
   back_core              30.0% < ######                 33%
     core_divider         12.0% < ##                     40%
     core_ports           25.0% < #####                  83%
   back_memory            60.0% < ############           67%
     memory_cache         20.0% < ####                   33%
     memory_far         6800.0%                        11333%  (implausible)
 top_front               -50.0%                         -50%  (implausible)
 top_retiring             10.0%   ##                     10%

 back_memory: 60.0%; the rest of this node, beside its parts: 67% of it
   Memory.

 memory_cache: 20.0%
   Caches.

 core_divider: 12.0%  (overlaps)
   Divisions.

 core_ports: 25.0%  (overlaps)
   Ports.

 Findings marked (overlaps) are parts of the same time: which comes first says nothing.

 Implausible, below 0 or above 100% of the whole, and so neither ranked nor descended
 into: memory_far, top_front. The counts do not belong together, or one of them is wrong.
";
    assert!(run.err.contains(expected), "{}", run.err);
}

/// The same in JSON: what a program cannot read from marks has a key.
#[test]
fn a_verdict_in_json() {
    let Some(run) = permitted(run(&[&VERDICT[..], &["-j", "true"]].concat())) else { return };
    let nodes = run.err.lines().map(|line| serde_json::from_str(line).expect("it is an object"));
    let nodes: Vec<Value> = nodes.filter(|node: &Value| node["kind"] == "node").collect();
    // Name, whether it makes no sense, whether it is over, rank, whether it overlaps, share.
    let expected = [
        ("top_back", false, Some(true), None, false, 0.9),
        ("back_core", false, Some(true), None, false, 0.3333),
        ("core_divider", false, Some(true), Some(3), true, 0.4),
        ("core_ports", false, Some(true), Some(3), true, 0.8333),
        ("back_memory", false, Some(true), Some(1), false, 0.6667),
        ("memory_cache", false, Some(true), Some(2), false, 0.3333),
        ("memory_far", true, None, None, false, 113.3333),
        ("top_front", true, None, None, false, -0.5),
        ("top_retiring", false, Some(false), None, false, 0.1),
    ];
    assert_eq!(nodes.len(), expected.len(), "{}", run.err);
    for (node, (name, implausible, over, rank, overlaps, share)) in nodes.iter().zip(expected) {
        assert_eq!(node["name"], name, "{node}");
        assert_eq!(node["implausible"], implausible, "{node}");
        assert_eq!(node["over"].as_bool(), over, "{node}");
        assert_eq!(node["rank"].as_u64(), rank, "{node}");
        assert_eq!(node["leaf"], rank.is_some(), "{node}");
        assert_eq!(node["overlaps"], overlaps, "{node}");
        let found = node["share"].as_f64().expect("it is a number");
        assert!((found - share).abs() < 1e-3, "{node}");
        let rest = if name == "back_memory" { Some(2) } else { None };
        assert_eq!(node["rest"].as_f64().map(|rest| (3.0 * rest).round() as u64), rest, "{node}");
    }
}

/// The names of the nodes and of the leaves, and the number of passes.
fn shown(arguments: &[&str]) -> Option<(Option<i32>, String, String, usize)> {
    let run = counted(&[&["-j"], arguments].concat())?;
    let (mut nodes, mut leaves, mut passes) = (Vec::new(), Vec::new(), 0);
    for line in run.err.lines() {
        let object: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        match object["kind"].as_str() {
            Some("topdown") => passes = object["passes"].as_array().map_or(0, Vec::len),
            Some("node") => {
                let name = object["name"].as_str().expect("it has one").to_string();
                if object["leaf"] == true {
                    leaves.push(name.clone());
                }
                nodes.push(name);
            }
            kind => assert!(matches!(kind, Some("note" | "utilization")), "{line}"),
        }
    }
    Some((run.code, nodes.join(" "), leaves.join(" "), passes))
}

#[test]
fn depth_and_passes() {
    const ALL: &str = "top_nothing top_time top_faults top_deep top_rest";
    let cases: [(&[&str], i32, &str, &str, usize); 6] = [
        (&["true"], 0, ALL, "top_faults", 3),
        (&["--level", "1", "true"], 0, "top_nothing top_time", "top_time", 1),
        (&["-l2", "true"], 0, "top_nothing top_time top_faults top_rest", "top_faults", 2),
        (&["--single-run", "true"], 0, "top_nothing top_time top_faults top_rest", "top_faults", 1),
        (&["--single-run", "--all", "-l3", "true"], 0, ALL, "top_faults", 1),
        // A command that fails does not run again.
        (&["--", "sh", "-c", "exit 7"], 7, "top_nothing top_time", "top_time", 1),
    ];
    for (arguments, code, nodes, leaves, passes) in cases {
        let Some(found) = shown(arguments) else { return };
        let expected = (Some(code), nodes.to_string(), leaves.to_string(), passes);
        assert_eq!(found, expected, "{arguments:?}");
    }
}

/// What is known when a later pass cannot be counted is shown: here, the command has
/// removed itself.
#[test]
fn a_later_pass_that_fails() {
    let link = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topdown-removes-itself");
    let _ = fs::remove_file(&link);
    std::os::unix::fs::symlink("/bin/sh", &link).expect("a link can be made");
    let name = link.to_str().expect("UTF-8");
    let Some(run) = counted(&[name, "-c", "rm \"$0\"", name]) else { return };
    assert_eq!(run.code, Some(127), "{}", run.err);
    let first = run.err.lines().find(|line| line.starts_with(" top_time"));
    assert!(first.is_some_and(|line| line.contains("100.0%")), "{}", run.err);
    assert!(!run.err.contains("top_faults"), "{}", run.err);
    let note = "a pass failed, so that deeper levels are not known";
    assert!(run.err.contains(note), "{}", run.err);
    let last = run.err.lines().last().unwrap_or_default();
    assert!(last.starts_with("pmu topdown: ") && last.contains(name), "{}", run.err);
}

/// Tasks are counted for some time in each pass.
/// Ends with the test, also where that fails.
struct Killed(std::process::Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[test]
fn tasks() {
    let busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("it runs");
    let busy = Killed(busy);
    let id = busy.0.id().to_string();
    // On a machine under load, the task may not run at all in the short time of a pass.
    let mut found = None;
    for duration in (0..8).map(|n| 30 << n) {
        found = shown(&["-p", &id, "-d", &duration.to_string()]);
        if found.as_ref().is_none_or(|(_, _, leaves, _)| leaves == "top_faults") {
            break;
        }
    }
    drop(busy);
    if let Some((code, _, leaves, passes)) = found {
        assert_eq!((code, leaves.as_str(), passes), (Some(0), "top_faults", 3));
    }
}

#[test]
fn what_cannot_be_counted() {
    let ran = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topdown-ran");
    let _ = fs::remove_file(&ran);
    let empty = Machine::empty();
    let sysfs = ["--sysfs", empty.root().to_str().expect("its path is UTF-8")];
    let slots = ["--tree", "../tests/trees/topdown", "--cpuid", "slots"];
    let without = ["--tree", "../tests/trees/metrics", "--cpuid", "soc"];
    let unknown = ["--tree", "../tests/trees/metrics", "--cpuid", "nothing"];
    let command = ["touch", ran.to_str().expect("it is UTF-8")];
    let cases: [(&[&str], &str); 3] = [
        (
            &slots,
            "pmu topdown: the first level cannot be counted: this machine has no core PMU; nothing \
             was counted\npmu topdown: note: there is no hardware PMU of a core below",
        ),
        (
            &without,
            "pmu topdown: the metrics of `soc` form no top-down tree; nothing was counted\n",
        ),
        (
            &unknown,
            "pmu topdown: this CPU has no table with metrics; nothing was counted\npmu topdown: \
             note: there is no table of this CPU's events",
        ),
    ];
    for (selected, expected) in cases {
        let run = run(&[selected, &sysfs, &command].concat());
        assert_eq!(run.code, Some(125), "{selected:?}: {}", run.err);
        assert!(run.err.starts_with(expected), "{selected:?}: {}", run.err);
    }
    assert!(!ran.exists(), "a command ran in vain");
    let bad: [&[&str]; 4] = [&[], &["--level", "0", "true"], &["-d", "x", "true"], &["-p", "0"]];
    for arguments in bad {
        assert_eq!(run(arguments).code, Some(125), "{arguments:?}");
    }
    let run = run(&[&SOFTWARE[..], &["no-such-program"]].concat());
    assert!(matches!(run.code, Some(127 | 125)), "{}", run.err);
}

/// On a machine of its own, whatever that of the test has.
fn on(machine: &Machine, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Run {
    let root = machine.root().to_str().expect("its path is UTF-8");
    run_changed(&[&["--sysfs", root], arguments].concat(), |command| {
        command.env("PROCFS_PATH", machine.root().join("proc"));
        change(command);
    })
}

/// The clock of whole CPUs runs while they idle; what idles is known from procfs.
#[test]
fn idle_cpus() {
    if rights() < Rights::Cpus {
        return;
    }
    let online = fs::read_to_string("/sys/devices/system/cpu/online").expect("it can be read");
    let machine = Machine::of(&format!("/devices/system/cpu/online\t{}", online.trim()));
    machine.write("/proc/stat", "cpu0 100 0 0 100\ncpu1 100 0 0 100\n");
    machine.write("/later", "cpu0 150 0 0 150\ncpu1 100 0 0 200\n");
    let [stat, later] = ["/proc/stat", "/later"].map(|path| machine.path(path));
    let [stat, later] = [&stat, &later].map(|path| path.to_str().expect("it is UTF-8"));
    for (target, expected) in [(&["-a"][..], (0.5, 2, 0.75)), (&["-C", "0"], (0.5, 1, 0.5))] {
        machine.write("/proc/stat", "cpu0 100 0 0 100\ncpu1 100 0 0 100\n");
        let all = [&SOFTWARE, &["-j", "-l1"][..], target, &["--", "cp", later, stat]].concat();
        let run = on(&machine, &all, |_| ());
        let objects = run.err.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let used: Vec<Value> = objects.filter(|one| one["kind"] == "utilization").collect();
        let [used] = &used[..] else { panic!("{}", run.err) };
        let found = (&used["cpus_used"], &used["cpus"], &used["idle"]);
        let (cpus_used, cpus, idle) = expected;
        assert_eq!(found, (&cpus_used.into(), &cpus.into(), &idle.into()), "{used}");
    }
}

/// A watchdog that holds a counter is said, and passes are smaller. POWER's holds none.
#[test]
fn watchdogs() {
    const NOTE: &str = " note: the NMI watchdog holds a counter, so that less is counted at once; \
                        `sysctl kernel.nmi_watchdog=0` frees it\n";
    // The core counts what software counts.
    let cpu = "cpu/type\t1\ncpu/format/event\tconfig:0-7";
    let two = "Counted in 2 runs of the command:\n   1. level 1: top_faults\n   2. level 1: \
               top_switches\n";
    let cases = [("soft-2", "0", false), ("soft-2", "1", true), ("0x004e1202", "1", false)];
    for (cpuid, setting, holds_one) in cases {
        let machine = Machine::of(&format!("/proc/sys/kernel/nmi_watchdog\t{setting}\n{cpu}"));
        let tree = ["--tree", "../tests/trees/topdown-software", "--cpuid", cpuid, "true"];
        let Some(run) = permitted(on(&machine, &tree, |_| ())) else { return };
        let context = format!("{cpuid} {setting}: {}", run.err);
        assert_eq!(run.code, Some(0), "{context}");
        // One pass is not mentioned.
        assert_eq!(run.err.contains(two), holds_one, "{context}");
        assert_eq!(run.err.contains(NOTE), holds_one, "{context}");
        assert_eq!(run.err.contains("Counted in"), holds_one, "{context}");
    }
}

/// Without rights, the cause is said, and that nothing was counted; the command does not
/// run.
#[test]
fn without_rights() {
    let ran = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topdown-ran-without-rights");
    let _ = fs::remove_file(&ran);
    let ran = ran.to_str().expect("it is UTF-8");
    let cases = [
        (libc::EACCES, "`: not permitted"),
        (libc::EPERM, "`: not permitted: a sandbox, such as a container's"),
        (libc::ENOSYS, "no perf_event_open"),
    ];
    let machine = Machine::of("/devices/system/cpu/online\t0");
    for (errno, why) in cases {
        for arguments in [&["touch", ran][..], &["--single-run", "touch", ran], &["-a"]] {
            let all = [&SOFTWARE, arguments].concat();
            let run = on(&machine, &all, |command| deny::deny(command, errno));
            let context = format!("{errno} {arguments:?}: {}", run.err);
            assert_eq!((run.code, run.out.as_str()), (Some(125), ""), "{context}");
            let start = "pmu topdown: the first level cannot be counted: ";
            assert!(run.err.starts_with(start) && run.err.contains(why), "{context}");
            assert!(run.err.contains("; nothing was counted\n"), "{context}");
        }
    }
    assert!(!Path::new(ran).exists(), "a command ran in vain");
}

/// Each kind of core has its own tree; one that the machine lacks is not counted, and
/// the others are.
#[test]
fn kinds_of_cores() {
    // They count what software counts.
    let kind = |name: &str, cpus: &str| {
        format!("{name}/type\t1\n{name}/cpus\t{cpus}\n{name}/format/event\tconfig:0-7\n")
    };
    let (big, small) = (kind("cpu_core", "0"), kind("cpu_atom", "0"));
    let missing = |pmu, metrics: &str, event| {
        let why = format!("event `{event}` is of PMU `{pmu}`, which this machine does not have");
        format!(" note: `{event}`: {why}\n note: metrics {metrics} cannot be counted: {why}\n")
    };
    let no_small = missing("cpu_atom", "`small_nothing`, `small_time`", "BUSY");
    let no_big = missing("cpu_core", "`big_nothing`, `big_time`", "WORK");
    let counted = |name: &str| format!("{name}           100.0% < ####################  100%\n");
    let not = |name: &str| format!("{name}      not counted\n");
    let both = big.clone() + &small;
    let cases = [
        (&both, vec![counted(" big_time"), counted(" small_time")]),
        (&big, vec![counted(" big_time"), not(" small_time"), no_small]),
        (&small, vec![not(" big_time"), counted(" small_time"), no_big]),
    ];
    let tree = ["--tree", "../tests/trees/topdown-hybrid", "--cpuid", "hybrid-1", "true"];
    for (text, expected) in cases {
        let Some(run) = permitted(on(&Machine::of(text), &tree, |_| ())) else { return };
        assert_eq!(run.code, Some(0), "{text}: {}", run.err);
        assert!(run.err.contains(" cpu_core (hybrid)\n"), "{text}: {}", run.err);
        assert!(run.err.contains(" cpu_atom (hybrid)\n"), "{text}: {}", run.err);
        for part in expected {
            assert!(run.err.contains(&part), "{text}: `{part}` is not in {}", run.err);
        }
    }
    // Neither kind: nothing can be counted.
    let run = on(&Machine::empty(), &tree, |_| ());
    let expected = "pmu topdown: the first level cannot be counted: `WORK`: event `WORK` is of PMU \
                    `cpu_core`, which this machine does not have; nothing was counted\n\
                    pmu topdown: note: there is no hardware PMU of a core below";
    assert!(run.code == Some(125) && run.err.starts_with(expected), "{}", run.err);
}
