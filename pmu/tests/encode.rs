//! `pmu encode` as a user meets it.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

#[allow(dead_code)]
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

use machines::Machine;
use run::{PMU, Run};

fn run_with(arguments: &[&str], input: &str) -> Run {
    let mut child = run::command()
        .arg("encode")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("encode runs");
    // It may end before it has read anything.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("encode ends");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}

fn run(arguments: &[&str]) -> Run {
    run_with(arguments, "")
}

/// Events on a made-up machine.
fn on(machine: &str, cpuid: &str, arguments: &[&str]) -> Run {
    let machine = Machine::named(machine);
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    run(&[&["--sysfs", root, "--cpuid", cpuid], arguments].concat())
}

const SAPPHIRE_RAPIDS: &str = "GenuineIntel-6-8F-4";
const NEOVERSE_N1: &str = "0x00000000413fd0c1";
const POWER9: &str = "0x004e1200";

#[test]
fn help_and_version() {
    for option in ["--help", "-h"] {
        let help = run(&[option]);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
        assert!(help.out.contains("Usage: pmu encode [OPTIONS] <EVENT>..."), "{}", help.out);
        for option in ["--cpuid", "--model", "--sysfs", "--json", "EVENT"] {
            assert!(help.out.contains(option), "{option} in {}", help.out);
        }
        assert!(help.out.lines().all(|line| line.chars().count() <= 100), "{}", help.out);
    }
    assert!(run(&["--version"]).out.starts_with("pmu-encode "));
}

#[test]
fn bad_usage() {
    let cases: &[(&[&str], &str)] = &[
        (
            &[],
            "required arguments were not provided:
  <EVENT>...",
        ),
        (
            &["--json"],
            "required arguments were not provided:
  <EVENT>...",
        ),
        (&["--jsn", "cycles"], "a similar argument exists: '--json'"),
        (&["-x"], "unexpected argument '-x' found"),
        (&["--sysfs"], "a value is required for '--sysfs <DIR>'"),
        (&["--json=1", "cycles"], "unexpected value '1' for '--json' found"),
    ];
    for (arguments, message) in cases {
        let run = run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
        assert_eq!(run.out, "");
    }
}

#[test]
fn one_line_an_attribute() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        (
            "sapphirerapids",
            SAPPHIRE_RAPIDS,
            "INST_RETIRED.ANY:u",
            &["INST_RETIRED.ANY:u pmu=cpu type=4 config=0xc0 period=2000003 exclude_kernel \
               exclude_hv exclude_guest"],
        ),
        (
            "sapphirerapids",
            SAPPHIRE_RAPIDS,
            "{cpu/mem-loads,ldlat=30/P,cycles}:D,faults",
            &[
                "cpu/mem-loads,ldlat=30/P pmu=cpu type=4 config=0x1cd config1=0x1f precise_ip=3 \
                 precise_max pinned group=leads",
                "cycles type=0 config=0x0 exclude_guest group=joins",
                "faults pmu=software type=1 config=0x2 exclude_guest",
            ],
        ),
        (
            "alderlake",
            "none",
            "cycles",
            &[
                "cycles pmu=cpu_atom type=0 config=0xa00000000 exclude_guest cpus=4-7",
                "cycles pmu=cpu_core type=0 config=0x400000000 exclude_guest cpus=0-3",
            ],
        ),
        (
            "neoverse-n1",
            NEOVERSE_N1,
            "br_mis_pred,hnf_cache_miss",
            &[
                "br_mis_pred pmu=armv8_pmuv3_0 type=8 config=0x10 exclude_guest cpus=0-3",
                "hnf_cache_miss pmu=arm_cmn_0 type=9 config=0x10005 exclude_guest cpus=0",
            ],
        ),
        (
            "power9",
            POWER9,
            "PM_1FLOP_CMPL",
            &["PM_1FLOP_CMPL pmu=cpu type=4 config=0x45050 exclude_guest"],
        ),
        (
            "skylakex",
            "none",
            "imc_0/cas_count_read/",
            &["imc_0/cas_count_read/ pmu=uncore_imc_0 type=8 config=0x304 exclude_guest \
               scale=0.00006103515625 unit=MiB cpus=0"],
        ),
    ];
    for (machine, cpuid, event, lines) in cases {
        let run = on(machine, cpuid, &[event]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{event}");
        assert_eq!(run.out.lines().collect::<Vec<_>>(), *lines, "{event}");
    }
}

/// A group of events on several PMUs is one for each PMU.
#[test]
fn groups_of_several_pmus() {
    let run = on("skylakex", "none", &["--json", "{imc/event=1/,imc/event=2/,msr/tsc/}"]);
    let object: Value = serde_json::from_str(&run.out).unwrap();
    let groups: Vec<(&str, u64, u64)> = object["evsels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let members = one["nr_members"].as_u64().unwrap();
            (one["pmu"].as_str().unwrap(), one["leader_idx"].as_u64().unwrap(), members)
        })
        .collect();
    // `msr` is a software PMU, which joins the first.
    assert_eq!(
        groups[..5],
        [
            ("uncore_imc_0", 0, 3),
            ("uncore_imc_0", 0, 0),
            ("msr", 0, 0),
            ("uncore_imc_1", 3, 2),
            ("uncore_imc_1", 3, 0)
        ]
    );
    assert_eq!(groups.len(), 13);
}

#[test]
fn json_has_the_keys_of_perf() {
    let run = on("sapphirerapids", SAPPHIRE_RAPIDS, &["--json", "inst_retired.any", "cyles"]);
    assert_eq!(run.code, Some(1));
    let objects: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!((&objects[0]["event"], &objects[0]["ret"]), (&json!("inst_retired.any"), &json!(0)));
    let expected = json!({
        "name": "inst_retired.any", "pmu": "cpu", "type": 4, "config": "0xc0", "config1": "0x0",
        "config2": "0x0", "config3": "0x0", "config4": "0x0", "unit": "", "scale": 1, "per_pkg": 0, "snapshot": 0,
        "percore": 0, "config_terms": [{"weak": 1, "period": 2_000_003}],
        "record_period": 2_000_003, "record_freq": 0, "exclude_guest": 1, "nr_members": 1,
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&objects[0]["evsels"][0][key], value, "{key}");
    }
    assert_eq!(objects[1]["ret"], json!(-22));
    assert_eq!(objects[1]["evsels"], json!([]));
    assert_eq!(objects[1]["errors"][0][0], json!(0));
}

#[test]
fn errors_point_at_what_is_wrong() {
    let cases = [
        (
            "cycles,instrutcions",
            "no PMU has an event `instrutcions`; did you mean `instructions`?\n  \
             cycles,instrutcions\n         ^^^^^^^^^^^^\n",
        ),
        (
            "cpu/event=1,umsk=2/",
            "unknown term `umsk` (PMU `cpu`); did you mean `umask`?\n  \
             cpu/event=1,umsk=2/\n              ^^^^\n  known terms: c1, c2, c3, event, gap, hi, \
             one, umask\n",
        ),
        (
            "cpu/event=0x10000/",
            "0x10000 is too large for `event`: at most 0xfff fits (PMU `cpu`)\n  \
             cpu/event=0x10000/\n            ^^^^^^^\n",
        ),
        (
            "uncore_fo/bar/",
            "there is neither a PMU nor an event `uncore_fo`; did you mean `uncore_foo`?\n  \
             uncore_fo/bar/\n  ^^^^^^^^^\n",
        ),
        (
            "cpu/lower,upper/",
            "two events between one pair of slashes: a counter has one\n  \
             cpu/lower,upper/\n            ^^^^^\n",
        ),
        (
            "cs,lower:R",
            "no counter counts a retirement latency (modifier `R`): samples have it, and formulas \
             take it from the tables\n  cs,lower:R\n     ^^^^^^^\n",
        ),
        (
            "cycles,",
            "expected an event or a group, found the end of the text\n  cycles,\n         ^\n",
        ),
    ];
    for (event, message) in cases {
        let run = on("edge", "none", &[event]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{event}");
        let first = format!("pmu encode: {message}");
        assert!(run.err.starts_with(&first), "{}\n{first}", run.err);
    }
}

#[test]
fn tracepoints() {
    let run = on("tracing", "none", &["sched:sched_wak*:k"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = run.out.lines().collect();
    let rest = "pmu=tracepoint type=2";
    let flags = "period=1 exclude_user exclude_hv";
    assert_eq!(
        lines,
        [
            format!("sched:sched_wakeup {rest} config=0x13f {flags}"),
            format!("sched:sched_waking {rest} config=0x140 {flags}"),
        ]
    );
    let run = on("edge", "none", &["sched:sched_switch"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("tracefs is not mounted: `mount -t tracefs "), "{}", run.err);
}

/// An interconnect has its events whatever the CPU.
#[test]
fn sys_tables_without_a_model() {
    for (cpuid, note) in
        [("0x00000000123fd0c1", "pmu encode: note: no table is made for CPU"), (NEOVERSE_N1, "")]
    {
        let run = on("neoverse-n1", cpuid, &["hnf_mc_reqs"]);
        let expected = "hnf_mc_reqs pmu=arm_cmn_0 type=9 config=0xd0005 exclude_guest cpus=0\n";
        assert_eq!((run.code, run.out.as_str()), (Some(0), expected));
        assert_eq!(run.err.lines().count(), usize::from(!note.is_empty()), "{}", run.err);
        assert!(run.err.starts_with(note), "{}", run.err);
    }
    let run = on("neoverse-n1", SAPPHIRE_RAPIDS, &["hnf_mc_reqs"]);
    assert_eq!(run.code, Some(1));
}

/// The driver of a mesh ignores the node unless `bynodeid` is set.
#[test]
fn a_node_that_is_named_in_vain() {
    let event = "arm_cmn_0/hnf_cache_miss,nodeid=0x78/";
    let run = on("neoverse-n1", NEOVERSE_N1, &[event]);
    let words = format!("{event} pmu=arm_cmn_0 type=9 config=0x7800010005 exclude_guest cpus=0\n");
    let note = format!(
        "pmu encode: note: {event}: it counts the whole mesh: without `bynodeid=1`, the driver \
         ignores `nodeid`\n"
    );
    assert_eq!((run.code, run.out, run.err), (Some(0), words, note));
    let run = on("neoverse-n1", NEOVERSE_N1, &["--json", event]);
    let line: Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(line["evsels"][0]["ignores_node"], json!(true));

    let event = "arm_cmn_0/hnf_cache_miss,bynodeid=1,nodeid=0x78/";
    let run = on("neoverse-n1", NEOVERSE_N1, &[event]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let run = on("neoverse-n1", NEOVERSE_N1, &["--json", event]);
    assert!(!run.out.contains("ignores_node"), "{}", run.out);
}

/// Every term that perf keeps, in its order.
#[test]
fn json_has_all_terms() {
    let cases = [
        (
            "cpu/period=5,inst_retired.any,percore/",
            json!([
                {"weak": 0, "period": 5},
                {"weak": 1, "period": 2_000_003},
                {"weak": 0, "percore": 1},
            ]),
        ),
        (
            "cpu/event=1,freq=0x10,time=0,call-graph=fp,stack-size=8192,name=a,metric-id=b/",
            json!([
                {"weak": 0, "freq": 16},
                {"weak": 0, "time": 0},
                {"weak": 0, "call-graph": "fp"},
                {"weak": 0, "stack-size": 8192},
            ]),
        ),
        (
            "cpu/no-inherit,no-overwrite=0,overwrite,@sink=a,branch_type=any/",
            json!([
                {"weak": 0, "inherit": 0},
                {"weak": 0, "overwrite": 1},
                {"weak": 0, "overwrite": 1},
                {"weak": 0, "drv-cfg": "sink=a"},
                {"weak": 0, "branch_type": "any"},
            ]),
        ),
        ("mem:0x10/4:w", json!([])),
    ];
    for (event, expected) in cases {
        let run = on("sapphirerapids", SAPPHIRE_RAPIDS, &["--json", event]);
        let object: Value = serde_json::from_str(&run.out).unwrap();
        let first = &object["evsels"][0];
        assert_eq!(first["config_terms"], expected, "{event}");
        let sample_period = u64::from(event.starts_with("mem:"));
        assert_eq!(first["sample_period"], json!(sample_period), "{event}");
    }
}

/// One event that is wrong does not keep the others from being shown.
#[test]
fn events_from_standard_input() {
    let machine = Machine::named("edge");
    let root = machine.root().to_str().unwrap();
    let run = run_with(
        &["--sysfs", root, "--cpuid", "none", "lower", "-", "UPPER"],
        "r1a\n\n  withperiod\nnonsense\nfaults",
    );
    assert_eq!(run.code, Some(1));
    let names: Vec<&str> = run.out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["lower", "r1a", "withperiod", "faults", "UPPER"]);
    assert!(run.err.starts_with("pmu encode: no PMU has an event `nonsense`"), "{}", run.err);
}

#[test]
fn what_may_be_behind_an_error_is_said() {
    let run = on("edge", "none", &["cpu/nonsense=1/"]);
    assert!(run.err.contains("note: there is no table of this CPU's events"), "{}", run.err);
    assert!(run.err.contains("format/rev: byte 7: range ends before it starts"), "{}", run.err);

    let empty = Machine::empty();
    let root = empty.root().to_str().unwrap();
    let run = run_with(&["--sysfs", root, "--cpuid", SAPPHIRE_RAPIDS, "inst_retired.any"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.err.contains("note: there is no hardware PMU"), "{}", run.err);

    let run = run_with(&["--sysfs", "/nonexistent", "cycles"], "");
    assert_eq!(
        (run.code, run.err.as_str()),
        (Some(1), "pmu encode: /nonexistent: is not a directory\n")
    );
}

#[test]
fn whoever_reads_may_stop() {
    let machine = Machine::named("skylakex");
    let mut child = Command::new(PMU)
        .arg("encode")
        .args(["--cpuid", "none", "--sysfs"])
        .arg(machine.root())
        .args(["cas_count_read"; 4000])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("encode runs");
    drop(child.stdout.take());
    let Output { status, stderr, .. } = child.wait_with_output().expect("encode ends");
    assert!(status.success() && stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
}

/// `--tree` replaces the events of every CPU, too.
#[test]
fn tree_without_common_events() {
    let arch = concat!(env!("CARGO_MANIFEST_DIR"), "/../arch");
    let on = |tree: &str| run(&["--tree", tree, "--model", "thunderx2", "software/cs/"]);
    let all = on(arch);
    assert_eq!(
        all.out, "software/cs/ pmu=software type=1 config=0x3 exclude_guest\n",
        "{}",
        all.err
    );
    let one = on(&format!("{arch}/arm64"));
    assert_eq!((one.code, one.out.as_str()), (Some(1), ""));
    assert!(one.err.contains("unknown term `cs` (PMU `software`)"), "{}", one.err);
}

/// As `pmu list --model`.
/// Apple's cores have PMUs of their own, whose codes are bytes.
#[test]
fn of_apple() {
    for (cpuid, pmu) in [
        ("0x00000000611f0221", "apple_icestorm_pmu"),
        ("0x00000000612f0250", "apple_firestorm_pmu"),
        ("0x00000000611f0380", "apple_blizzard_pmu"),
        ("0x00000000611f0330", "apple_avalanche_pmu"),
    ] {
        let run = run(&["--cpuid", cpuid, "inst_branch"]);
        let expected = format!("inst_branch pmu={pmu} type=? config=0x8d exclude_guest\n");
        assert_eq!((run.out, run.code), (expected, Some(0)), "{}", run.err);
        let run = self::run(&["--cpuid", cpuid, &format!("{pmu}/event=0x100/")]);
        assert_eq!(run.code, Some(1), "{}", run.out);
    }
}

#[test]
fn of_a_model() {
    for (name, cpuid, event, words) in [
        ("neoverse-v2", "0x00000000410fd4f0", "cpu_cycles", "config=0x11"),
        ("arm/neoverse-n2-v2", "0x0000000041ffd49f", "cpu_cycles", "config=0x11"),
        ("SapphireRapids", "GenuineIntel-6-8F-0", "inst_retired.any_p", "config=0xc0"),
        ("raptorlake", "GenuineIntel-6-B7-1", "inst_retired.any_p", "config=0xc0"),
        ("zen5", "AuthenticAMD-26-2-1", "ex_ret_instr", "config=0xc0"),
    ] {
        let one = run(&["--model", name, event]);
        assert_eq!(one.code, Some(0), "{name}: {}", one.err);
        assert!(one.out.contains(words), "{name}: {}", one.out);
        assert_eq!(
            one.err,
            format!("pmu encode: note: using built-in formats of {cpuid}'s PMUs, not sysfs\n")
        );
    }
    for (arguments, code, why) in [
        (&["--model", "neoverse-w", "cycles"][..], 1, "no model is named `neoverse-w`"),
        (&["--model", "zen5", "--cpuid", "x", "cycles"], 2, "cannot be used with '--cpuid <ID>'"),
    ] {
        let one = run(arguments);
        assert_eq!((one.code, one.out.as_str()), (Some(code), ""));
        assert!(one.err.contains(why), "{}", one.err);
    }
}

#[test]
fn letter_case_decides_nothing() {
    let on = |event: &str| on("neoverse-n1", NEOVERSE_N1, &[event]).out;
    assert_eq!(on("Cycles"), "Cycles type=0 config=0x0 exclude_guest\n");
    assert_eq!(on("Cycles").to_lowercase(), on("cycles"));
    assert_eq!(on("PAGE-FAULTS").to_lowercase(), on("page-faults"));
    assert_eq!(
        on("dTLB-loads:u").replacen("dTLB", "l1d", 1),
        on("l1d-loads:u").replace("0x0", "0x3")
    );
}

/// `--generic-names`: by default the kernel's event, as in perf of Linux 6.12.
#[test]
fn generic_names() {
    let cases: &[(&[&str], &str)] = &[
        (&["cpu-cycles"], "type=0"),
        (&["--generic-names", "kernel", "cpu-cycles"], "type=0"),
        (&["--generic-names", "pmu", "cpu-cycles"], "type=4"),
        (&["--generic-names", "pmu", "--generic-names=kernel", "cpu-cycles"], "type=0"),
        // The driver of these cores has no event of that name.
        (&["--generic-names", "pmu", "cycles"], "type=0"),
    ];
    for (arguments, expected) in cases {
        let run = on("skylakex", "GenuineIntel-6-55-4", arguments);
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.err);
        assert!(run.out.contains(expected), "{arguments:?}: {}", run.out);
    }
    let run = run(&["--generic-names", "perf", "cycles"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("[possible values: kernel, pmu]"), "{}", run.err);
}
