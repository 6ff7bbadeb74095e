//! `pmu stat record` and `pmu stat report` on a simulated machine: what is read shows what was
//! counted.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use std::process::Output;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;

/// Two sockets of two cores, with a cache and a node each.
const SYSFS: &str = "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\n\
    /devices/system/cpu/cpu0/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu1/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu2/topology/physical_package_id\t1\n\
    /devices/system/cpu/cpu3/topology/physical_package_id\t1\n\
    /devices/system/cpu/cpu0/topology/core_id\t0\n/devices/system/cpu/cpu1/topology/core_id\t1\n\
    /devices/system/cpu/cpu2/topology/core_id\t0\n/devices/system/cpu/cpu3/topology/core_id\t1\n\
    /devices/system/cpu/cpu0/cache/index0/level\t3\n\
    /devices/system/cpu/cpu0/cache/index0/shared_cpu_list\t0-1\n\
    /devices/system/cpu/cpu1/cache/index0/level\t3\n\
    /devices/system/cpu/cpu1/cache/index0/shared_cpu_list\t0-1\n\
    /devices/system/cpu/cpu2/cache/index0/level\t3\n\
    /devices/system/cpu/cpu2/cache/index0/shared_cpu_list\t2-3\n\
    /devices/system/cpu/cpu3/cache/index0/level\t3\n\
    /devices/system/cpu/cpu3/cache/index0/shared_cpu_list\t2-3\n\
    /devices/system/node/online\t0-1\n/devices/system/node/node0/cpulist\t0-1\n\
    /devices/system/node/node1/cpulist\t2-3\n\
    software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7";

/// The command is on CPU 0 for 30 ms and on CPU 2 for 90 ms.
const SCENARIO: &str = "cpus 4\npmu 0 core counters=6\npmu 4 core counters=2\n\
    program cpu=0 us=30000\nprogram cpu=2 us=90000\n\
    rate 0 config=0 user=3000\nrate 0 config=1 user=4500\nrate 4 config=1 user=1000\n\
    rate 4 config=2 user=10\nrate 4 config=3 user=7\nrate 1 config=2 user=2\n";

/// Another machine than the one on which a file was made.
const ELSEWHERE: &str = "/devices/system/cpu/online\t0\n/devices/system/cpu/present\t0";

fn run(machine: &Machine, arguments: &[&str]) -> Output {
    let mut command = simulated::pmu(machine, "none", SCENARIO);
    command.current_dir(machine.root()).arg("stat").args(arguments);
    command.output().expect("it runs")
}

#[track_caller]
fn text(machine: &Machine, arguments: &[&str]) -> String {
    let output = run(machine, arguments);
    let text = String::from_utf8(output.stderr).expect("it is text");
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

/// A file made on one machine, and read on another one.
fn recorded(machine: &Machine, arguments: &[&str]) -> (String, Machine) {
    let counted = text(machine, &[&["record"], arguments].concat());
    let elsewhere = Machine::of(ELSEWHERE);
    fs::copy(machine.path("/perf.data"), elsewhere.path("/perf.data")).expect("it can be copied");
    (counted, elsewhere)
}

/// What `stat` shows is what `stat report` shows, in each form and on each level.
#[test]
fn what_was_counted_is_shown_again() {
    let events = "cpu/event=1/,task-clock,page-faults,instructions,cycles,cpu/event=9/";
    let cases: &[(&[&str], &[&str])] = &[
        (&["-x,"], &["true"]),
        (&["-j"], &["true"]),
        // More events than counters, of which each has an estimate.
        (&["-x,"], &["-e", "cpu/event=1/,cpu/event=2/,cpu/event=3/", "true"]),
        (&["-x,", "-a"], &["true"]),
        (&["-x,", "-a", "-A"], &["true"]),
        (&["-j", "-a", "--per-core"], &["true"]),
        (&["-x,", "-a", "--per-socket"], &["true"]),
        (&["-x,", "-a", "--per-die"], &["true"]),
        (&["-x,", "-a", "--per-cache"], &["true"]),
        (&["-x,", "-a", "--per-cache=L3"], &["true"]),
        (&["-x,", "-a", "--per-node"], &["true"]),
        (&["-x,", "-C", "2", "-A"], &["true"]),
        (&["-x,", "--no-scale", "-e", "cpu/event=2/,cpu/event=3/"], &["true"]),
        (&["-x,", "-e", "duration_time"], &["true"]),
    ];
    for (options, command) in cases {
        let machine = Machine::of(SYSFS);
        let arguments = [options, &["-e", events][..], command].concat();
        let (counted, elsewhere) = recorded(&machine, &arguments);
        let shape = &options[..1];
        let again = text(&elsewhere, &[shape, &["report"]].concat());
        assert_eq!(again, counted, "{arguments:?}");
    }
}

/// The level may also be asked for when the file is read.
#[test]
fn other_levels_than_that_of_the_recording() {
    let machine = Machine::of(SYSFS);
    let (_, elsewhere) = recorded(&machine, &["-a", "-e", "cpu/event=1/", "true"]);
    let cases: &[(&str, &[&str])] = &[
        ("-A", &["CPU0,30000000", "CPU1,0", "CPU2,90000000", "CPU3,0"]),
        ("--per-socket", &["S0,2,30000000", "S1,2,90000000"]),
        ("--per-cache", &["S0-D0-L3-ID0,2,30000000", "S1-D0-L3-ID2,2,90000000"]),
        ("--per-node", &["N0,2,30000000", "N1,2,90000000"]),
    ];
    for (level, expected) in cases {
        let shown = text(&elsewhere, &["report", "-x,", level]);
        for (line, expected) in shown.lines().zip(*expected) {
            assert!(line.starts_with(&format!("{expected},")), "{level}: {shown}");
        }
        assert_eq!(shown.lines().count(), expected.len(), "{shown}");
    }
}

/// Each interval has its own counts, though the file has sums.
#[test]
fn intervals() {
    let machine = Machine::of(SYSFS);
    let (counted, elsewhere) =
        recorded(&machine, &["-I", "50", "-x,", "-e", "cpu/event=1/,page-faults", "sleep", "1"]);
    let again = text(&elsewhere, &["report", "-x,"]);
    assert!(counted.lines().count() > 2, "{counted}");
    assert_eq!(again, counted);
}

/// A file that lacks what is asked for, or its end, says so.
#[test]
fn files_that_lack_something() {
    let machine = Machine::of(SYSFS);
    text(&machine, &["record", "-e", "cpu/event=1/,page-faults", "true"]);
    let refused = |arguments: &[&str]| {
        let output = run(&machine, &[&["report"], arguments].concat());
        assert_eq!(output.status.code(), Some(125), "{arguments:?}");
        String::from_utf8(output.stderr).expect("it is text")
    };
    assert!(refused(&["--per-core"]).contains("the counts are those of tasks"));
    text(&machine, &["record", "-a", "-e", "cpu/event=1/,page-faults", "true"]);
    let whole = fs::read(machine.path("/perf.data")).expect("it is there");
    let message = refused(&["--per-cluster"]);
    assert!(message.contains("shares a cluster"), "{message}");
    let ends_well = |damaged: &[u8], what: &str| {
        fs::write(machine.path("/perf.data"), damaged).expect("it can be written");
        let output = run(&machine, &["report", "--per-core"]);
        let code = output.status.code();
        assert!(code == Some(125) || code == Some(0), "{what}: {output:?}");
    };
    for at in (0..whole.len()).step_by(7) {
        ends_well(&whole[..at], &format!("{at} bytes"));
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        ends_well(&damaged, &format!("byte {at}"));
    }
}
