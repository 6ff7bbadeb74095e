//! `pmu topdown` as a user meets it: a made-up tree whose events software counts,
//! and machines on which nothing of a tree can be counted.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // As above.
#[path = "../../tests/common/rights.rs"]
mod rights;

use machines::Machine;
use rights::{Rights, rights};

const SOFTWARE: [&str; 4] = ["--tree", "../tests/trees/topdown-software", "--cpuid", "soft-1"];

struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu"));
    command.arg("topdown").args(arguments).stdin(Stdio::null());
    command.env_remove("SYSFS_PATH").env_remove("PERF_CPUID");
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// A run that has to be permitted to count; where nobody may, it says so.
#[track_caller]
fn counted(arguments: &[&str]) -> Option<Run> {
    let run = run(&[&SOFTWARE, arguments].concat());
    if rights() > Rights::Nothing {
        return Some(run);
    }
    let reasons = ["not permitted", "not supported", "no perf_event_open"];
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
   1. level 1 (multiplexed if need be): top_nothing, top_time
   2. level 2 (multiplexed if need be): top_faults, top_rest
   3. level 3 (multiplexed if need be): top_deep
";
    assert_eq!(run.code, Some(0), "{}", run.err);
    // Rights decide whether there is a note about the kernel.
    assert!(run.err.starts_with(expected), "{}", run.err);
    assert_eq!(run.out, "");
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
            kind => assert_eq!(kind, Some("note"), "{line}"),
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

/// Tasks are counted for some time in each pass.
#[test]
fn tasks() {
    let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("it runs");
    let id = busy.id().to_string();
    // On a machine under load, the task may not run at all in the short time of a pass.
    let mut found = None;
    for duration in (0..8).map(|n| 30 << n) {
        found = shown(&["-p", &id, "-d", &duration.to_string()]);
        if found.as_ref().is_none_or(|(_, _, leaves, _)| leaves == "top_faults") {
            break;
        }
    }
    busy.kill().and_then(|()| busy.wait()).expect("it can be ended");
    if let Some((code, _, leaves, passes)) = found {
        assert_eq!((code, leaves.as_str(), passes), (Some(0), "top_faults", 3));
    }
}

#[test]
fn what_cannot_be_counted() {
    let ran = Path::new(env!("CARGO_TARGET_TMPDIR")).join("topdown-ran");
    let _ = std::fs::remove_file(&ran);
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
