//! Each command says once that its tables were not made for a CPU: on standard error, and
//! in JSON.

use std::fs;
use std::path::Path;

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

use machines::Machine;
use run::Run;

/// A made-up later CPU of AMD's, and one of an Intel family that no table has.
const LATER: &str = "AuthenticAMD-26-F8-0";
const UNKNOWN: &str = "GenuineIntel-31-1-0";

const OF_LATER: &str = "no table is made for CPU `AuthenticAMD-26-F8-0`: the events are those of `";
const OF_UNKNOWN: &str = "no table is made for CPU `GenuineIntel-31-1-0`: `architecture` has the \
                          events that the architecture names, and the CPU may lack some";

fn run(arguments: &[&str]) -> Run {
    run_with(arguments, &[])
}

fn run_with(arguments: &[&str], environment: &[(&str, &str)]) -> Run {
    run::finish(run::command().args(arguments).envs(environment.iter().copied()))
}

/// The notes of JSON, one object a line.
fn notes(out: &str) -> Vec<String> {
    let objects = out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let notes = objects.filter(|object| object["kind"] == "note");
    notes.map(|object| object["note"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn list_encode_decode() {
    let cases: [(&[&str], &str, &str); 8] = [
        (&["list", "--cpuid", LATER, "ex_ret_instr"], OF_LATER, "list"),
        (&["list", "--cpuid", LATER, "metrics", "ipc"], OF_LATER, "list"),
        (&["list", "--cpuid", LATER, "metricgroups"], OF_LATER, "list"),
        (&["encode", "--cpuid", LATER, "ex_ret_instr"], OF_LATER, "encode"),
        (&["decode", "--cpuid", LATER, "rc0"], OF_LATER, "decode"),
        (&["list", "--cpuid", UNKNOWN], OF_UNKNOWN, "list"),
        (&["encode", "--cpuid", UNKNOWN, "longest_lat_cache.miss"], OF_UNKNOWN, "encode"),
        (&["decode", "--cpuid", UNKNOWN, "r412e"], OF_UNKNOWN, "decode"),
    ];
    for (arguments, note, command) in cases {
        let text = run(arguments);
        assert_eq!(text.code, Some(0), "{arguments:?}: {}", text.err);
        let line = format!("pmu {command}: note: {note}");
        assert_eq!(text.err.matches(&line).count(), 1, "{arguments:?}: {}", text.err);
        assert_eq!(text.err.matches("no table is made").count(), 1, "{arguments:?}: {}", text.err);
        let json = run(&[arguments, &["--json"]].concat());
        let found = notes(&json.out);
        assert!(matches!(&found[..], [one] if one.starts_with(note)), "{arguments:?}: {found:?}");
    }
    // Who names a model, or a CPU that has a table, is told nothing.
    for arguments in [
        &["list", "--model", "amdzen5", "ex_ret_instr"][..],
        &["list", "--cpuid", "AuthenticAMD-26-44-0", "ex_ret_instr"],
        &["encode", "--model", "amdzen5", "ex_ret_instr"],
        &["encode", "--model", "neoverse-n1", "inst_retired"],
        &["encode", "--model", "power9", "pm_cyc"],
        &["encode", "--model", "x86/architecture", "inst_retired.any_p"],
    ] {
        let run = run(arguments);
        assert_eq!(
            (run.code, run.err.contains("no table is made")),
            (Some(0), false),
            "{}",
            run.err
        );
    }
}

#[test]
fn pages() {
    for (cpuid, note) in [(LATER, OF_LATER), (UNKNOWN, OF_UNKNOWN)] {
        let run = run(&["page", "--cpuid", cpuid, "--html", "-"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(run.err.matches(&format!("pmu page: note: {note}")).count(), 1, "{}", run.err);
    }
}

/// Software events are enough: the note is about the machine.
#[cfg(target_os = "linux")]
#[test]
fn stat() {
    let stat = |shape: &[&str]| {
        let all = [&["stat", "--cpuid", LATER, "-e", "duration_time"], shape, &["true"]].concat();
        let run = run(&all);
        assert_eq!(run.code, Some(0), "{all:?}: {}", run.err);
        run.err
    };
    let line = format!("note: {OF_LATER}");
    assert_eq!(stat(&[]).matches(&line).count(), 1);
    assert_eq!(stat(&["-x,"]).matches(&line).count(), 1);
    let json = stat(&["-j", "-r2"]);
    let objects: Vec<Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |object: &Value| object["notes"][0].as_str().map(|note| note.starts_with(OF_LATER));
    assert_eq!(of(&objects[0]), Some(true), "{json}");
    assert_eq!(json.matches(OF_LATER).count(), 1, "{json}");
}

/// What is refused has no report, and the note may be the reason.
#[cfg(target_os = "linux")]
#[test]
fn refused() {
    for (arguments, message) in [
        (&["stat", "--cpuid", LATER, "-e", "nosuchevent", "true"][..], "nosuchevent"),
        (&["stat", "--cpuid", LATER, "-j", "-e", "nosuchevent", "true"], "nosuchevent"),
        (&["stat", "--cpuid", LATER, "-x,", "-e", "nosuchevent", "true"], "nosuchevent"),
        (&["stat", "--cpuid", LATER, "-M", "nosuchmetric", "true"], "nosuchmetric"),
        (&["stat", "--cpuid", UNKNOWN, "-M", "nosuchmetric", "true"], "nosuchmetric"),
        (&["topdown", "--cpuid", UNKNOWN, "true"], "no top-down tree"),
    ] {
        let run = run(arguments);
        assert_ne!(run.code, Some(0), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
        assert_eq!(run.err.matches("no table is made").count(), 1, "{arguments:?}: {}", run.err);
    }
}

/// The report has the note.
#[cfg(target_os = "linux")]
#[test]
fn topdown() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topdown-later");
    fs::create_dir_all(root.join("soft")).expect("it is made");
    for file in fs::read_dir("../tests/trees/topdown-software/soft").expect("it is there") {
        let file = file.expect("it can be read");
        fs::copy(file.path(), root.join("soft").join(file.file_name())).expect("it is copied");
    }
    for (file, text) in [
        ("mapfile.csv", "header\nsoft-[0-9],v1,soft,core\n"),
        ("cpus.csv", "header\nsoft-1,soft\n"),
    ] {
        fs::write(root.join(file), text).expect("it is written");
    }
    let tree = root.to_str().expect("it is UTF-8");
    let note = "note: no table is made for CPU `soft-2`: the events are those of `soft`";
    for (cpuid, count) in [("soft-1", 0), ("soft-2", 1)] {
        let arguments = ["topdown", "--tree", tree, "--cpuid", cpuid, "true"];
        let text = run(&arguments);
        // In the report, which is on standard error, or beside the refusal.
        assert_eq!(text.err.matches(note).count(), count, "{}", text.err);
        let json = run(&[&["topdown", "--json"], &arguments[1..]].concat());
        assert_eq!(json.err.matches(&note["note: ".len()..]).count(), count, "{}", json.err);
    }
}

/// The driver's events say which of the common ones a core has.
#[test]
fn common_events_of_an_arm_core() {
    const MIDR: &str = "/devices/system/cpu/cpu0/regs/identification/midr_el1";
    let machine = |events: &str| {
        Machine::of(&format!(
            "{MIDR}\t0x00000000ff0f0010\n/devices/system/cpu/online\t0\n\
             armv8_pmuv3_0/type\t8\narmv8_pmuv3_0/cpus\t0\narmv8_pmuv3_0/format/event\tconfig:0-15\n\
             {events}"
        ))
    };
    let with = machine(
        "armv8_pmuv3_0/events/cpu_cycles\tevent=0x0011\narmv8_pmuv3_0/events/cnt_cycles\tevent=0x4004",
    );
    let without = machine("");
    let list = |machine: &Machine, word: &str| {
        let root = machine.root().to_str().expect("it is UTF-8").to_owned();
        run_with(&["list", word], &[("SYSFS_PATH", &root)])
    };
    let note =
        "pmu list: note: no table is made for CPU `0x00000000ff0f0010`: `architecture` has the";
    for (machine, word, is_there) in [
        (&with, "cpu_cycles", true),
        (&with, "cnt_cycles", true),
        (&with, "l1d_cache_refill", false),
        (&without, "l1d_cache_refill", true),
    ] {
        let run = list(machine, word);
        let of_table = run.out.contains("arm64/architecture");
        assert_eq!(of_table, is_there, "{word}: {}{}", run.out, run.err);
        assert_eq!(run.err.matches(note).count(), 1, "{word}: {}", run.err);
    }
    let root = with.root().to_str().expect("it is UTF-8");
    let missing = run(&["encode", "--sysfs", root, "l1d_cache_refill"]);
    assert_eq!(missing.code, Some(1), "{}{}", missing.out, missing.err);
    let there = run(&["encode", "--sysfs", root, "cpu_cycles,cnt_cycles"]);
    assert_eq!(there.code, Some(0), "{}{}", there.out, there.err);
}

/// The models from which to choose are those of the CPU's architecture.
#[test]
fn models_of_the_own_architecture() {
    for (cpuid, own, other) in [
        ("HygonGenuine-24-1-1", "\n  x86/amdzen1\n", "  arm64/"),
        ("0x00390000", "\n  powerpc/power9\n", "  x86/"),
    ] {
        let by_name = run(&["list", "--cpuid", cpuid]);
        let of_host = run_with(&["list"], &[("PERF_CPUID", cpuid)]);
        for run in [by_name, of_host] {
            assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
            let first = format!("pmu list: no model is known for CPU `{cpuid}`\n");
            assert!(run.err.starts_with(&first), "{}", run.err);
            assert!(run.err.contains(own) && !run.err.contains(other), "{}", run.err);
        }
    }
}

/// The value of a register as people write it is not always what map files have.
#[test]
fn cpuids_that_lack_a_prefix_or_zeros() {
    for (cpuid, hint) in [
        ("004b0100", "did you mean `0x004b0100`, a CPU of powerpc/power8?\n"),
        ("0x4e1202", "did you mean `0x004e1202`, a CPU of powerpc/power9?\n"),
        ("0X004E1202", "did you mean `0x004e1202`, a CPU of powerpc/power9?\n"),
        ("0x00000000000000001", "Choose one with `--model`:"),
        ("x86", "Choose one with `--model`:"),
        ("", "Choose one with `--model`:"),
    ] {
        let run = run(&["list", "--cpuid", cpuid]);
        let expected = format!("pmu list: no model is known for CPU `{cpuid}`\n{hint}");
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{cpuid}: {}", run.err);
        assert!(run.err.starts_with(&expected), "{cpuid}: {}", run.err);
    }
}
