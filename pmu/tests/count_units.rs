//! What one count stands for and covers, and which event replaces a deprecated one, as
//! the commands show it and count by it.

#![cfg(target_os = "linux")]
// `run` and `stat` both set the signals of their commands.
#![allow(clippy::duplicate_mod)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/common/html.rs"]
mod html;
#[allow(dead_code)] // As above.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // As above.
#[path = "../../tests/common/rights.rs"]
mod rights;
#[allow(dead_code)] // As above.
#[path = "common/run.rs"]
mod run;
#[allow(dead_code)] // As above.
#[path = "common/stat.rs"]
mod stat;

use machines::Machine;
use rights::{Rights, rights};
use stat::{assert_refused, number, objects};

/// Events of a PMU that stands for the kernel's clock, which counts nanoseconds.
const EVENTS: &str = r#"[
{"EventName": "TICKS", "EventCode": "0", "Unit": "clock", "PerPkg": "1"},
{"EventName": "LINES", "EventCode": "0", "Unit": "clock", "CountUnit": "64Bytes"},
{"EventName": "SCALED", "EventCode": "0", "Unit": "clock", "CountUnit": "64Bytes", "ScaleUnit": "2Halves"},
{"EventName": "ANY", "EventCode": "3", "AnyThread": "1", "CounterMask": "2"},
{"EventName": "SHARED", "EventCode": "4", "CountScope": "cluster"},
{"EventName": "OLD.SHARED", "EventCode": "4", "Deprecated": "1"}
]"#;
const MAP_FILE: &str = "Family-model,Version,Filename,EventType\nquartz-1,v1,quartz,core\n";

fn tree(test: &str) -> PathBuf {
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("count-units-{test}/soc"));
    fs::create_dir_all(tree.join("quartz")).expect("it is made");
    fs::write(tree.join("mapfile.csv"), MAP_FILE).expect("it is written");
    fs::write(tree.join("quartz/other.json"), EVENTS).expect("it is written");
    tree
}

fn shown(test: &str, command: &str, arguments: &[&str]) -> String {
    let subject = [command, "--cpuid", "quartz-1", "--tree"];
    let mut command = run::command();
    let run =
        run::finish(command.args(subject).arg(tree(test)).args(arguments).env("COLUMNS", "120"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    run.out
}

#[test]
fn list_says_it() {
    let text = shown("list", "list", &["--details", "--deprecated"]);
    let facts: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| {
            ["one count", "scope", "successor"].iter().any(|label| line.starts_with(label))
        })
        .collect();
    let fact = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let facts: Vec<String> = facts.into_iter().map(fact).collect();
    let expected = [
        "one count cycles",
        "scope core",
        "successor SHARED",
        "scope cluster",
        "one count 64 bytes",
        "one count 64 bytes",
        "scope package",
    ];
    assert_eq!(facts, expected, "{text}");
}

#[test]
fn list_has_it_for_programs() {
    let text = shown("json", "list", &["--json", "--deprecated"]);
    let events: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let of = |name: &str, key: &str| {
        events.iter().find(|event| event["name"] == name).expect(name)[key].clone()
    };
    assert_eq!(of("LINES", "count_unit"), json!({"quantity": "bytes", "factor": 64.0}));
    assert_eq!(of("ANY", "count_unit"), json!({"quantity": "cycles", "factor": 1.0}));
    assert_eq!(of("TICKS", "count_unit"), Value::Null);
    assert_eq!(of("TICKS", "scope"), "package");
    assert_eq!(of("SHARED", "scope"), "cluster");
    assert_eq!(of("OLD.SHARED", "successor"), "SHARED");
    assert_eq!(of("SHARED", "successor"), Value::Null);
}

#[test]
fn a_page_links_to_the_successor() {
    let path = tree("page").with_file_name("page.html");
    shown("page", "page", &["--html", path.to_str().expect("its path is UTF-8")]);
    let page = html::parse(&fs::read_to_string(&path).expect("it is written"));
    let old = page.by_id("event-OLD.SHARED");
    let link = old.find(|element| element.has_class("to-event")).expect("there is a link");
    assert_eq!(link.attribute("href"), Some("#event-SHARED"));
    assert!(page.by_id("event-LINES").text().contains("64 bytes"));
}

/// Counts of one clock, three times.
#[test]
fn stat_multiplies() {
    let machine = Machine::of(
        "uncore_clock/type\t1\nuncore_clock/format/event\tconfig:0-63\nuncore_clock/cpumask\t0\n\
         /devices/system/cpu/online\t0",
    );
    let tree = tree("stat");
    let paths = [tree.to_str(), machine.root().to_str()].map(|path| path.expect("it is UTF-8"));
    let arguments = |more: &[&'static str]| {
        let common = ["--cpuid", "quartz-1", "--tree", paths[0], "--sysfs", paths[1]];
        [&common[..], more].concat()
    };
    let events = ["-a", "-e", "ticks,lines,scaled", "true"];
    let run = stat::run(&arguments(&[&["--json"], &events[..]].concat()));
    if rights() < Rights::Cpus {
        return assert_refused(&run);
    }
    assert_eq!(run.code, Some(0), "{}", run.err);
    let all = objects(&run.err);
    let of = |name: &str| {
        let object = all.iter().find(|object| object["event"] == name).expect(name);
        (number(&object["counter-value"]), object["unit"].as_str().unwrap_or_default().to_owned())
    };
    let (ticks, lines, scaled) = (of("ticks"), of("lines"), of("scaled"));
    assert_eq!([&ticks.1, &lines.1, &scaled.1], ["", "Bytes", "Halves"]);
    // Clocks that were started one after the other.
    let is_near = |value: f64, factor: f64| (0.5..2.0).contains(&(value / ticks.0 / factor));
    assert!(is_near(lines.0, 64.0) && is_near(scaled.0, 2.0), "{ticks:?} {lines:?} {scaled:?}");

    // It says so, and does not do it where perf's encoding is wanted.
    let run = stat::run(&arguments(&events));
    let note =
        "`lines`: one count stands for 64 bytes, and is shown as that; perf has no scale for it";
    assert!(run.err.contains(note), "{}", run.err);
    let run = stat::run(&arguments(&[&["--encoding", "perf"], &events[..]].concat()));
    assert!(!run.err.contains("one count") && !run.err.contains("Bytes"), "{}", run.err);
}
