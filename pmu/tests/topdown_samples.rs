//! `pmu topdown --sample` on a simulated kernel, which is preloaded into the program: the functions
//! that it shows are those in which the described program causes the events.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use std::process::Command;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // As above.
#[path = "common/run.rs"]
mod run;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;
use run::Run;

const TREE: [&str; 2] = ["--tree", "../tests/trees/topdown-samples"];

/// Where the program has the code of its functions: that of `pmu`, two symbols of which every
/// program has.
fn code() -> String {
    const START: u64 = 0x5000_0000;
    let path = env!("CARGO_BIN_EXE_pmu");
    let bytes = fs::read(path).expect("it is there");
    let file = object::File::parse(&*bytes).expect("it is ELF");
    let text = file.section_by_name(".text").expect("it has code");
    let (offset, _) = text.file_range().expect("it is in the file");
    let length = text.size().next_multiple_of(4096) + 4096;
    let first = offset / 4096 * 4096;
    let at = |name: &str| {
        let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name));
        let in_text = symbol.expect("it has the symbol").address() - text.address();
        START + in_text + offset - first
    };
    format!(
        "map start={START:#x} length={length:#x} offset={first:#x} file={path}\n\
         code phase=0 address={:#x}\ncode phase=1 address={:#x}\n",
        at("_start"),
        at("main")
    )
}

/// A program that is in `_start` for 10 ms and in `main` for 30 ms. Of its cycles, half are misses;
/// a fifth of these is in the kernel.
fn scenario(pmu: &str) -> String {
    let mut text = format!("cpus 2\npmu 4 core counters=4 {pmu}\n{}", code());
    text.push_str("program cpu=0 us=10000 phase=0\nprogram cpu=1 us=30000 phase=1\n");
    for phase in 0..2 {
        for rate in
            ["config=1 user=1600 kernel=400", "config=2 user=800 kernel=200", "config=3 user=1"]
        {
            text.push_str(&format!("rate 4 phase={phase} {rate}\n"));
        }
    }
    text
}

fn machine() -> Machine {
    Machine::of(
        "/devices/system/cpu/online\t0-1\n/devices/system/cpu/present\t0-1\n\
         software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\n",
    )
}

fn command(machine: &Machine, scenario: &str, arguments: &[&str]) -> Command {
    let mut command = simulated::pmu(machine, "samples-1", scenario);
    command.arg("topdown").args(TREE).args(arguments);
    command
}

fn sampled(pmu: &str, arguments: &[&str]) -> Run {
    let machine = machine();
    run::finish(&mut command(&machine, &scenario(pmu), arguments))
}

/// The objects of a kind.
fn objects(run: &Run, kind: &str) -> Vec<Value> {
    let all = run.err.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
    all.filter(|object: &Value| object["kind"] == kind).collect()
}

fn notes(run: &Run) -> Vec<String> {
    let notes = objects(run, "note");
    notes.iter().filter_map(|note| note["note"].as_str()).map(String::from).collect()
}

#[test]
fn functions_beneath_a_finding() {
    let run = sampled("", &["--sample", "--", "echo", "ran"]);
    // Once for each pass, and once for the samples.
    assert_eq!((run.code, run.out.as_str()), (Some(0), "ran\nran\n"), "{}", run.err);
    // 40 million misses, each ten-thousandth a sample; one sample of BUBBLES is too few.
    let expected = "
   To find the code: perf record -e MISSES:pp,BUBBLES
   4000 samples of MISSES:pp:
     60.0%  main                pmu
     20.0%  _start              pmu
     15.0%  0xffffffff81001000  [kernel.kallsyms]
      5.0%  0xffffffff81000000  [kernel.kallsyms]
   1 sample of BUBBLES:
    100.0%  main  pmu
";
    assert!(run.err.contains(expected), "{}", run.err);
    let note = " note: `BUBBLES` has too few samples, 1: with 100, a share of one half is known to \
                within 10%; a longer run";
    assert!(run.err.contains(note), "{}", run.err);
}

/// The command that is sampled gets the signals that the one before got.
#[test]
fn signals_of_the_command() {
    let run = sampled("", &["--sample", "--", "grep", "SigBlk", "/proc/self/status"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines.len() == 2 && lines[0] == lines[1], "{}{}", run.out, run.err);
}

/// Share and number of samples of each function of an event.
fn shares(run: &Run, event: &str) -> Vec<(String, u64, f64)> {
    let of_event = objects(run, "function").into_iter().filter(|one| one["event"] == event);
    of_event
        .map(|one| {
            let (name, samples) = (one["name"].as_str(), one["function_samples"].as_u64());
            let share = one["share"].as_f64().expect("it is a number");
            (name.expect("it has one").into(), samples.expect("it has some"), share)
        })
        .collect()
}

#[test]
fn precision_periods_and_levels() {
    let first = |run: &Run, event| shares(run, event).first().cloned();
    let main = |samples, share| Some(("main".into(), samples, share));
    // The machine, options, the event as it is sampled, its first function, and a note.
    let cases: [(&str, &[&str], &str, Option<(String, u64, f64)>, &str); 7] = [
        ("", &[], "MISSES:pp", main(2_400, 0.6), "`BUBBLES` has too few samples, 1: "),
        ("", &["--sample-args", "-c 1000"], "MISSES:pp", None, " samples were lost, because"),
        (
            "",
            &["--sample-args", "-c 100000"],
            "MISSES:pp",
            main(240, 0.6),
            "no sample of `BUBBLES` was taken",
        ),
        ("", &["--sample-args=+F 1000"], "MISSES:pp", None, "has too few"),
        ("", &["--user"], "MISSES:ppu", main(2_400, 0.75), "`BUBBLES:u` has too few samples"),
        ("precise=0", &[], "MISSES", main(2_400, 0.6), "`MISSES:pp` cannot be sampled precisely ("),
        ("nosamples", &[], "MISSES", None, "`BUBBLES` cannot be sampled: "),
    ];
    for (pmu, options, event, expected, note) in cases {
        // As toplev spells it.
        let run = sampled(pmu, &[&["-j", "--run-sample"], options, &["true"]].concat());
        assert_eq!(run.code, Some(0), "{options:?}: {}", run.err);
        if expected.is_some() {
            assert_eq!(first(&run, event), expected, "{options:?}: {}", run.err);
        }
        let notes = notes(&run);
        assert!(notes.iter().any(|one| one.contains(note)), "{options:?}: {notes:?}");
    }
    // Nothing at all can be sampled: the tree is there, and the reasons are.
    let run = sampled("nosamples", &["-j", "--sample", "true"]);
    assert!(objects(&run, "function").is_empty() && !objects(&run, "node").is_empty());
    let notes = notes(&run);
    let last = "no event of the findings can be sampled, so that nothing was";
    assert_eq!(notes.last().map(String::as_str), Some(last), "{notes:?}");
}

/// What nobody finds is not sampled; nor is a command that fails run once more.
#[test]
fn nothing_to_sample() {
    let machine = machine();
    let scenario = scenario("").replace("config=2 user=800 kernel=200", "config=2 user=1");
    let run = run::finish(&mut command(&machine, &scenario, &["-j", "--sample", "echo", "ran"]));
    assert_eq!((run.code, run.out.as_str()), (Some(0), "ran\n"), "{}", run.err);
    assert_eq!(notes(&run), ["there is no finding, so that nothing was sampled"], "{}", run.err);
    let run = sampled("", &["-j", "--sample", "sh", "-c", "echo ran; exit 3"]);
    assert_eq!((run.code, run.out.as_str()), (Some(3), "ran\n"), "{}", run.err);
    let note = "nothing was sampled, because the run did not end well";
    assert!(notes(&run).iter().any(|one| one == note), "{}", run.err);
}

/// A table for programs has the functions, too, and a recording that is kept is one of `pmu report`.
#[test]
fn fields_and_a_recording() {
    let machine = machine();
    let kept = machine.path("/kept.data");
    let args = format!("-g -o {}", kept.display());
    let arguments = ["-x;", "--sample", "--sample-args", &args, "true"];
    let run = run::finish(&mut command(&machine, &scenario(""), &arguments));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let row = ";;;samples;default_core;;main;top_misses;2400;samples of MISSES:pp;0.6;;;;";
    assert!(run.err.lines().any(|line| line == row), "{}", run.err);
    let path = kept.to_str().expect("it is UTF-8");
    let report =
        run::finish(run::command().args(["report", "--csv", "-s", "function", "-i", path]));
    assert_eq!(report.code, Some(0), "{}", report.err);
    let line = "MISSES:pp,0.600000,2400,24000000,main,user";
    assert!(report.out.lines().any(|one| one == line), "{}", report.out);
}

/// Whole CPUs are sampled for as long as a pass counts them.
#[test]
fn whole_cpus() {
    let machine = machine();
    // What ran before the recording is known from procfs.
    let id = u32::MAX;
    let code = code();
    let value = |name: &str| {
        let words = code.lines().next().expect("it has one").split(' ');
        let word = words.filter_map(|word| word.strip_prefix(name)).next().expect("it is there");
        u64::from_str_radix(word.trim_start_matches("=0x"), 16).unwrap_or_default()
    };
    let (start, length, offset) = (value("start"), value("length"), value("offset"));
    let maps = format!(
        "{start:08x}-{:08x} r-xp {offset:08x} 00:00 7 {}\n",
        start + length,
        env!("CARGO_BIN_EXE_pmu")
    );
    machine.write(&format!("/proc/{id}/maps"), &maps);
    machine.write(&format!("/proc/{id}/status"), format!("Name:\tx\nTgid:\t{id}\nPPid:\t1\n"));
    machine.write(&format!("/proc/{id}/comm"), "x\n");
    machine.write(&format!("/proc/{id}/task/{id}/comm"), "x\n");
    let mut command = command(&machine, &scenario(""), &["-j", "--sample", "-a", "-d", "20"]);
    let run = run::finish(command.env("PROCFS_PATH", machine.path("/proc")));
    assert_eq!(run.code, Some(0), "{}", run.err);
    // The pass is over when `main` has been running for 10 ms, and the samples are of the next 20.
    let found = shares(&run, "MISSES:pp");
    assert_eq!(found.first(), Some(&("main".into(), 1_600, 0.8)), "{}", run.err);
}

#[test]
fn wrong_usage() {
    let cases: [(&[&str], &str); 8] = [
        (&["--sample-args", "-g", "true"], "--sample"),
        (&["--sample", "-I", "100", "true"], "cannot be used with"),
        (&["--sample", "--import", "x"], "cannot be used with"),
        (&["--sample", "-a", "--per-core"], "cannot be used with"),
        (
            &["--sample", "--sample-args", "-e cycles", "true"],
            "`--sample-args` takes options of `pmu record`: `events` has no place there: the findings \
             say what is sampled",
        ),
        (&["--sample", "--sample-args", "-c", "true"], "a value is required for '--count <N>'"),
        (&["--sample", "--sample-args", "--nothing", "true"], "unexpected argument '--nothing'"),
        (&["--sample", "--sample-args", "-o /nowhere/x", "true"], "/nowhere/x: cannot be written"),
    ];
    for (arguments, expected) in cases {
        let run = sampled("", arguments);
        assert_eq!(run.code, Some(125), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
    }
}
