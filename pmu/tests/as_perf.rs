//! What `pmu` answers under the name `perf`, except for `stat`. `tests/tools` compares
//! the lists with perf's own.

#![cfg(target_os = "linux")]

use std::os::unix::process::CommandExt as _;
use std::process::Command;

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/run.rs"]
mod run;
#[cfg(target_env = "gnu")]
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;
use run::{Run, finish};

const ALDERLAKE: &str = "GenuineIntel-6-97-2";

fn perf(arguments: &[&str]) -> Run {
    finish(run::command().arg0("/usr/bin/perf").args(arguments))
}

fn on(machine: &Machine, cpuid: &str) -> Command {
    let mut command = run::command();
    command.arg0("perf").env("SYSFS_PATH", machine.root()).env("PERF_CPUID", cpuid);
    // Made-up machines have no tracepoints, which is an error of the whole list alone.
    machine.write("/kernel/tracing/events/sched/sched_switch/id", "308\n");
    machine.write("/kernel/tracing/events/sched/enable", "0\n");
    command
}

/// A list without an error.
#[track_caller]
fn list(machine: &Machine, cpuid: &str, arguments: &[&str]) -> String {
    let run = finish(on(machine, cpuid).arg("list").args(arguments));
    assert_eq!((run.code, &*run.err), (Some(0), ""), "{arguments:?}");
    run.out
}

#[test]
fn version() {
    let expected = format!("perf version 6.12.0-pmu-{}\n", env!("CARGO_PKG_VERSION"));
    for arguments in [&["--version"][..], &["-v"], &["version"], &["version", "--build-options"]] {
        let run = perf(arguments);
        assert_eq!((run.code, run.out, &*run.err), (Some(0), expected.clone(), ""));
    }
}

#[test]
fn commands() {
    for (arguments, code, out, err) in [
        (&["--help"][..], 0, "usage: perf [--version] [--help] [OPTIONS] COMMAND", ""),
        (&["help"], 0, "   stat ", ""),
        (&["-h"], 0, "   list ", ""),
        (&[], 1, "usage: perf ", ""),
        (&["--no-pager", "--list-cmds"], 0, "help list record report script stat version", ""),
        (&["help", "list"], 0, "perf list [<options>] [hw|sw|cache", ""),
        (&["list", "--help"], 0, "--cputype", ""),
        (&["stat", "--help"], 0, "Usage: perf stat ", ""),
        (&["list", "-h"], 129, "", "--long-desc"),
        (&["help", "help"], 0, "usage: perf ", ""),
        (&["annotate", "-i", "x"], 1, "", "perf: 'annotate' is not available: this is pmu "),
        (&["help", "sched"], 1, "", "perf: 'sched' is not available"),
        (&["report", "--help"], 0, "Usage: perf report ", ""),
        (&["lst"], 1, "", "perf: 'lst' is not a perf-command. See 'perf --help'."),
        (&["lst"], 1, "", "Did you mean this?\n\tlist\n"),
        (&["--nix"], 129, "", "Unknown option: --nix\n\n Usage: perf "),
        (&["--debug"], 129, "", "No value given for --debug.\n"),
        (&["--debug", "verbose=1", "nix"], 1, "", "'nix' is not a perf-command"),
        (&["list", "--nix"], 129, "", "  Error: unknown option `nix'\n"),
        (&["list", "-jx"], 129, "", "  Error: unknown option `x'\n"),
        (&["list", "--unit"], 129, "", "  Error: a value is required for '--unit <PMU>'"),
        (&["list", "--cputype", "nix"], 255, "", "ERROR: no PMU is called `nix`\n"),
        (&["list", "-o", "/nix/nix", "sw"], 1, "", "perf list: cannot write /nix/nix: "),
        (&["stat", "--nix", "true"], 129, "", "  Error: unknown option `nix'\n"),
        (&["topdown"], 1, "", "'topdown' is not a perf-command"),
    ] {
        let run = perf(arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.err);
        for (stream, part) in [(&run.out, out), (&run.err, err)] {
            assert!(stream.contains(part), "{arguments:?}: `{part}` in {stream}");
            assert_eq!(stream.is_empty(), part.is_empty(), "{arguments:?}: {stream}");
        }
    }
}

/// Under its own name, the program has its own commands and output.
#[test]
fn own_name() {
    for name in ["pmu", "/opt/perf/pmu", "perf-list"] {
        let run = finish(run::command().arg0(name).arg("--version"));
        assert_eq!(run.out, format!("pmu {}\n", env!("CARGO_PKG_VERSION")), "{name}");
    }
}

#[test]
fn events_of_drivers_and_tables() {
    let machine = Machine::named("alderlake");
    let text = list(&machine, ALDERLAKE, &["--details", "pmu"]);
    for lines in [
        // Of a driver's event, nothing is known but its terms; those of cores have two names.
        "  mem-loads OR cpu_atom/mem-loads/                   [Kernel PMU event]\n\
         \x20       cpu_atom/event=0xd0,umask=0x5,ldlat=0x3/\n",
        "  power/energy-pkg/                                  [Kernel PMU event]\n\
         \x20       power/event=0x2/\n",
        // Instances have one name, and events that only one has stay.
        "  uncore_imc_free_running/data_read/                 [Kernel PMU event]\n\
         \x20       uncore_imc_free_running/event=0xff,umask=0x20/\n",
        "        Unit: uncore_imc_free_running_1]\n",
        // Topics have a line, and names of tables are in lower case.
        "\npipeline:\n",
    ] {
        assert!(text.contains(lines), "{lines} in {text}");
    }
    assert!(!text.contains("BR_"), "{text}");
    let each = list(&machine, ALDERLAKE, &["-v", "--unit", "*free_running*", "pmu"]);
    assert!(each.starts_with("  uncore_imc_free_running_0/data_read/"), "{each}");
    assert!(!each.contains("Unit:") && !each.contains("[Free-running count"), "{each}");
    let names = list(&machine, ALDERLAKE, &["--raw-dump", "--cputype", "atom", "mem-"]);
    assert!(names.starts_with("cpu_atom/mem-loads/ "), "{names}");
}

#[test]
fn descriptions() {
    let machine = Machine::named("alderlake");
    let lines = |arguments: &[&str]| list(&machine, ALDERLAKE, arguments).lines().count();
    let all = ["--unit", "cpu_core", "br_inst_retired"];
    let without = ["--no-desc", "--unit", "cpu_core", "br_inst_retired"];
    assert!(lines(&all) > lines(&without));
    // The last of two wins, and a long option may be shortened.
    let both = ["--no-desc", "--des", "--unit", "cpu_core", "br_inst_retired"];
    assert_eq!(lines(&both), lines(&all));
    let output = finish(on(&machine, ALDERLAKE).env("COLUMNS", "60").args([
        "list",
        "--unit",
        "cpu_core",
        "br_inst_retired",
    ]));
    assert!(output.out.lines().all(|line| line.len() <= 60), "{}", output.out);
}

/// Deprecated events are hidden in a list for people, and marked in one for programs.
#[test]
fn deprecated_events() {
    let machine = Machine::named("alderlake");
    let shown = |arguments: &[&str]| list(&machine, ALDERLAKE, arguments);
    let json = objects(&shown(&["-j", "pmu"]));
    let marked = json.iter().find(|object| object["Deprecated"] == "1").expect("there are some");
    let name = marked["EventName"].as_str().expect("a name");
    assert!(!shown(&[name]).contains(&format!("  {name}\n")));
    assert!(shown(&["--deprecated", name]).contains(&format!("  {name}\n")));
}

fn objects(text: &str) -> Vec<Value> {
    match serde_json::from_str(text).expect("it is JSON") {
        Value::Array(objects) => objects,
        other => panic!("{other}"),
    }
}

#[test]
fn json() {
    let machine = Machine::named("alderlake");
    let text = list(&machine, ALDERLAKE, &["-j", "--unit", "cpu_core", "topdown.slots_p"]);
    let object = &objects(&text)[0];
    let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    for key in ["Unit", "Topic", "EventName", "EventType", "BriefDescription", "Encoding"] {
        assert!(keys.iter().any(|own| *own == key), "{key} in {text}");
    }
    assert!(text.starts_with("[\n{\n\t\"Unit\": \"cpu_core\",\n\t\"Topic\": "), "{text}");
    assert!(text.ends_with("\"\n}\n]\n"), "{text}");
    let empty = Machine::of("software/type\t1\n");
    assert_eq!(list(&empty, "none", &["-j", "cpu_nix"]), "[\n]\n");
    let sched = list(&empty, "none", &["-j", "sched:*"]);
    assert_eq!(
        sched,
        "[\n{\n\t\"EventName\": \"sched:sched_switch\",\n\t\"EventType\": \"Tracepoint event\",\n\
         \t\"Encoding\": \"tracepoint/config=0x134/\"\n}\n]\n"
    );
}

#[test]
fn metrics() {
    let machine = Machine::named("alderlake");
    let shown = |arguments: &[&str]| list(&machine, ALDERLAKE, arguments);
    assert!(shown(&["metrics"]).starts_with("\nMetrics:\n\n  "));
    assert!(shown(&["metricgroup"]).starts_with("\nMetric Groups:\n\n"));
    let both = shown(&["TopdownL1"]);
    assert!(both.starts_with("\nMetric Groups:\n\nTopdownL1: ["), "{both}");
    assert!(both.contains("\n  tma_retiring\n"), "{both}");
    let details = shown(&["--details", "--no-desc", "tma_retiring"]);
    assert!(
        details.contains("  tma_retiring\n       [cpu_core@topdown\\-retiring@ / ("),
        "{details}"
    );
    // A metric in several groups is named once.
    let names = shown(&["--raw-dump", "metrics"]);
    assert_eq!(names.split(' ').filter(|name| *name == "tma_retiring").count(), 1, "{names}");
    let object = &objects(&shown(&["-j", "TopdownL1"]))[0];
    assert_eq!(object["MetricGroup"], "TopdownL1");
    assert!(object["MetricExpr"].is_string() && object["ScaleUnit"].is_string(), "{object}");
}

#[test]
fn a_file() {
    let machine = Machine::of("software/type\t1\n");
    let path = machine.path("/out");
    let file = path.to_str().expect("it is text");
    assert_eq!(list(&machine, "none", &["-o", file, "sched:*"]), "");
    let written = std::fs::read_to_string(&path).expect("it is written");
    assert_eq!(
        written,
        "  sched:sched_switch                                 [Tracepoint event]\n"
    );
}

/// They are refused, and the rest of the words is listed.
#[test]
fn static_probes() {
    let machine = Machine::of("software/type\t1\n");
    let run = finish(on(&machine, "none").args(["list", "sdt", "tracepoint"]));
    assert_eq!(run.code, Some(0));
    assert!(run.err.contains("static probes are not listed"), "{}", run.err);
    assert!(run.out.contains("sched:sched_switch"), "{}", run.out);
}

/// What the kernel opens is listed.
#[test]
#[cfg(target_env = "gnu")]
fn generic_events() {
    let machine = Machine::named("skylakex");
    let scenario = "cpus 8\npmu 4 core counters=4\nprogram cpu=0 us=10\n";
    let shown = |arguments: &[&str]| {
        let mut command = simulated::pmu(&machine, "GenuineIntel-6-55-4", scenario);
        finish(command.arg0("perf").arg("list").args(arguments))
    };
    let hardware = shown(&["hw"]).out;
    assert!(
        hardware
            .contains("  cpu-cycles OR cycles                               [Hardware event]\n"),
        "{hardware}"
    );
    let software = shown(&["sw"]).out;
    let names: Vec<&str> = software.lines().map(|line| line.split('[').next().unwrap()).collect();
    assert_eq!(names[3].trim(), "context-switches OR cs", "{software}");
    assert!(software.ends_with("\ntool:\n  duration_time\n  user_time\n  system_time\n"));
    let cache = shown(&["cache"]).out;
    assert!(cache.starts_with("\ncache:\n  L1-dcache-loads OR cpu/L1-dcache-loads/\n"), "{cache}");
}
