//! What a terminal obeys never leaves as it is, wherever it comes from: sysfs, trees,
//! formulas and arguments.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use std::path::Path;
use std::process::Stdio;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;
use pmu_events_compiler::is_obeyed;

/// A sequence that changes the colour, one that names the window, a C1 one that clears
/// the screen, one that deletes, and one that turns the order of the text around.
const HOSTILE: &str = "\u{1b}[31m\u{1b}]0;x\u{7}\u{9b}2J\u{7f}\u{202e}";
/// The same as it is shown.
const SHOWN: &str = "\\u001b[31m\\u001b]0;x\\u0007\\u009b2J\\u007f\\u202e";

/// What is counted does not depend on the machine that runs the test.
const SCENARIO: &str = "cpus 1\npmu 9 core counters=4\nprogram cpu=0 us=1000\n";

/// Drivers whose names, units and labels are hostile.
fn machine() -> Machine {
    let machine = Machine::of(
        "odd/type\t9\n\
         odd/format/event\tconfig:0-7\n\
         /devices/system/cpu/online\t0\n\
         /class/hwmon/hwmon0/temp1_input\t45000",
    );
    machine.write(&format!("odd/events/e{HOSTILE}"), "event=1\n");
    machine.write("odd/events/f", "event=2\n");
    machine.write("odd/events/f.scale", "2\n");
    machine.write("odd/events/f.unit", format!("B{HOSTILE}\nover,0,two\n"));
    machine.write("/class/hwmon/hwmon0/name", format!("chip{HOSTILE}\n"));
    machine.write("/class/hwmon/hwmon0/temp1_label", format!("die{HOSTILE}\n"));
    machine
}

/// Both outputs of a command, where everything can be counted.
fn run(machine: &Machine, arguments: &[&str]) -> String {
    let mut command = simulated::pmu(machine, "GenuineIntel-6-55-4", SCENARIO);
    command.args(arguments).stdin(Stdio::null()).env("COLUMNS", "500");
    let output = command.output().expect("pmu runs");
    let [out, err] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("it is UTF-8"));
    out + &err
}

#[test]
fn nothing_leaves_that_a_terminal_obeys() {
    let machine = machine();
    let label = format!("temp_die{HOSTILE}");
    let named = format!("odd/f,name=n{HOSTILE}/");
    let formula = format!("m{HOSTILE} = duration_time");
    let cgroup = format!("g{HOSTILE}");
    let word = format!("w{HOSTILE}");
    let file = machine.path("/formulas");
    fs::write(&file, format!("m = duration_time {HOSTILE}\n")).expect("it can be written");
    let file = file.to_str().expect("it is UTF-8");
    let cases: &[(&[&str], bool)] = &[
        (&["list", "odd*", "temp*", "e*", "f"], true),
        (&["list", "--details", "temp*", "e*", "f"], true),
        (&["list", "--json", "odd*", "temp*", "e*", "f"], true),
        (&["list", &word], true),
        (&["encode", "odd/f/"], true),
        (&["encode", "--json", "odd/f/"], true),
        (&["encode", &named], true),
        (&["encode", &word], false),
        (&["decode", &word], false),
        (&["ebb", &word], false),
        (&["doctor", &word], false),
        (&["doctor", &named], true),
        (&["doctor", "--json", &named], true),
        (&["stat", "-e", "temp1", "true"], false),
        (&["stat", "-e", &label, "true"], true),
        (&["stat", "-x,", "-e", &label, "true"], true),
        (&["stat", "-j", "-e", &label, "true"], true),
        (&["stat", "-v", "-e", &label, "true"], true),
        (&["stat", "-x,", "-e", "odd/f/", "true"], true),
        (&["stat", "-e", "odd/f/", "true"], true),
        (&["stat", "--metric", &formula, "true"], false),
        (&["stat", "-x,", "--metric", &formula, "true"], false),
        (&["stat", "--metrics-file", file, "true"], false),
        (&["stat", "-M", &word, "true"], true),
        (&["stat", "-a", "-G", &cgroup, "-e", "duration_time", "true"], true),
        (&["stat", "-e", "duration_time", "true", &word], true),
        (&["stat", "-e", "duration_time", &word], true),
        (&["topdown", "true", &word], false),
        (&["lint", &word], true),
        (&["list", "--tree", &word], true),
        (&["page", "--from", &word, "--html", "-"], true),
        // clap leaves out what it takes for a sequence.
        (&[&word], false),
        (&["list", &format!("--{word}")], false),
    ];
    for (arguments, is_shown) in cases {
        let text = run(&machine, arguments);
        let odd = text.chars().find(|&c| is_obeyed(c));
        assert_eq!(odd, None, "{arguments:?}: {text:?}");
        // Some messages quote values as Rust writes them.
        let is_there = text.contains(SHOWN) || text.contains("\\u{1b}");
        assert!(is_there || !is_shown, "{arguments:?}: {text:?}");
    }
}

/// A line feed in a unit neither ends a row nor begins another.
#[test]
fn rows_of_fields_stay_rows() {
    let machine = machine();
    let text = run(&machine, &["stat", "-x|", "-e", "odd/f/,duration_time", "true"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').collect()).collect();
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [7, 7], "{text}");
    assert_eq!(rows[0][1], format!("B{SHOWN}\\u000aover,0,two"), "{text}");
    let text = run(&machine, &["stat", "-j", "-e", "odd/f/", "true"]);
    let row: serde_json::Value = serde_json::from_str(text.trim()).expect("one object");
    assert_eq!(row["unit"], format!("B{HOSTILE}\nover,0,two"), "{text}");
}

/// A page is written to a file as to standard output.
#[test]
fn pages_go_everywhere_alike() {
    let machine = machine();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("escapes.html");
    let path = path.to_str().expect("it is UTF-8");
    let page = |to| run(&machine, &["page", "--model", "silvermont", "--html", to]);
    let shown = page("-");
    assert_eq!(page(path), "");
    assert_eq!(fs::read_to_string(path).expect("it was written"), shown);
    assert!(!shown.contains(is_obeyed));
}
