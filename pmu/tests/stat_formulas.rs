//! `pmu stat --metric` and `--metrics-file` as a user meets them.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)] // As above.
#[path = "common/stat.rs"]
mod stat;

use stat::{counted, number, objects, run};

fn file(name: &str, contents: &[u8]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formulas");
    fs::create_dir_all(&directory).expect("it can be written");
    let path = directory.join(name);
    fs::write(&path, contents).expect("it can be written");
    path
}

/// The metrics that a run shows, with their values.
#[track_caller]
fn metrics(arguments: &[&str]) -> Option<Vec<(String, f64)>> {
    let run = counted(&[&["-j"], arguments, &["true"]].concat())?;
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.err);
    let named = objects(&run.err).into_iter().filter_map(|object| {
        let name = object["metric-unit"].as_str()?.to_string();
        Some((name, number(&object["metric-value"])))
    });
    // Other lines say what an event means in relation to others.
    let mut all: Vec<_> =
        named.filter(|(name, _)| name.starts_with("my_") || name.contains(" my_")).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Some(all)
}

#[test]
fn of_the_command_line_and_of_a_file() {
    let path = file("two", b"# Shares\nmy_half [100%] = my_whole / 2\nmy_whole = 0 * cs +\n  1\n");
    let file = ["--metrics-file", path.to_str().expect("it is UTF-8")];
    let of = |pairs: &[(&str, f64)]| -> Vec<(String, f64)> {
        pairs.iter().map(|(name, value)| (name.to_string(), *value)).collect()
    };
    let cases: [(&[&str], Vec<(String, f64)>); 4] = [
        (&["--metric", "my_one=1 + 0 * cs"], of(&[("my_one", 1.0)])),
        (&file, of(&[("%  my_half", 50.0), ("my_whole", 1.0)])),
        // A file is a place to look names up.
        (&[&file[..], &["-M", "MY_HALF"]].concat(), of(&[("%  my_half", 50.0)])),
        (
            &[&file[..], &["-M", "my_half:u", "--metric", "my_two = my_half * 4"]].concat(),
            of(&[("%  my_half:u", 50.0), ("my_two", 2.0)]),
        ),
    ];
    for (arguments, expected) in cases {
        let Some(found) = metrics(arguments) else { return };
        assert_eq!(found, expected, "{arguments:?}");
    }
}

/// The lines are in perf's units, which are not those of the formula.
#[test]
fn times_are_in_seconds() {
    let formula = ["--metric", r"my_busy [100%] = task\-clock / duration_time"];
    let Some(run) = counted(&[&["-j"], &formula[..], &["true"]].concat()) else { return };
    assert_eq!(run.code, Some(0), "{}", run.err);
    let objects = objects(&run.err);
    let of = |event: &str, unit: &str| {
        let is_it = |object: &&serde_json::Value| {
            let name = object["event"].as_str().unwrap_or_default();
            name.trim_end_matches(":u") == event && object["unit"] == unit
        };
        let found = objects.iter().find(is_it);
        number(
            &found.unwrap_or_else(|| panic!("no {event} in {unit}: {}", run.err))["counter-value"],
        )
    };
    let (milliseconds, nanoseconds) = (of("task-clock", "msec"), of("duration_time", "ns"));
    let busy = objects.iter().find(|object| object["metric-unit"] == "%  my_busy");
    let busy = number(&busy.expect("it is shown")["metric-value"]);
    // Six decimals are shown.
    let expected = 100.0 * (1e-3 * milliseconds) / (1e-9 * nanoseconds);
    assert!((busy - expected).abs() < 2e-6 + 1e-6 * expected, "{busy}, not {expected}");
}

#[test]
fn faults() {
    let path = file("faulty", b"a = cs\nb = a / (cs\n");
    let path = path.to_str().expect("it is UTF-8");
    let binary = file("binary", b"a = cs\n\xff = 1\n");
    let binary = binary.to_str().expect("it is UTF-8");
    let long = file("long", format!("a = 1{}", "+1".repeat(5_000_000)).as_bytes());
    let long = long.to_str().expect("it is UTF-8");
    let empty = file("empty", b"# nothing\n");
    let empty = empty.to_str().expect("it is UTF-8");
    let cases: [(&[&str], String); 9] = [
        (
            &["--metric", "a = cs / nothing"],
            "--metric: no PMU has an event `nothing`\n  a = cs / nothing\n           ^^^^^^^\n"
                .into(),
        ),
        (
            &["--metric", "a = b", "--metric", "b = a"],
            "--metric: formula `a` → `b` → `a` refers to itself\n  b = a\n      ^\n".into(),
        ),
        (
            &["--metric", "a = cs / 0"],
            "--metric: division by zero\n  a = cs / 0\n         ^\n".into(),
        ),
        // It does not continue the formula before it.
        (
            &["--metric", "a = cs", "--metric", "+ 1"],
            "--metric: expected `NAME = FORMULA`\n  + 1\n  ^^^\n".into(),
        ),
        (&["--metrics-file", path], format!("{path}:2:9: unclosed parenthesis\n")),
        (&["--metrics-file", binary], format!("{binary}:2: invalid UTF-8\n")),
        (&["--metrics-file", long], format!("{long}: is longer than 1 MiB\n")),
        (&["--metrics-file", empty], format!("{empty}: defines no formula\n")),
        (&["--metrics-file", "/dev/zero"], "/dev/zero: is longer than 1 MiB\n".into()),
    ];
    for (arguments, expected) in cases {
        let run = run(&[arguments, &["true"]].concat());
        assert_eq!(run.code, Some(125), "{arguments:?}: {}", run.err);
        let shown = run.err.strip_prefix("pmu stat: ").unwrap_or(&run.err);
        // Without a table, the reason follows.
        assert!(shown.starts_with(&expected), "{arguments:?}: {shown}");
    }
}
