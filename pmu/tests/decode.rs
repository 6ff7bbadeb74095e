//! `pmu decode` as a user meets it.

use std::process::{Command, Output};

use serde_json::{Value, json};

#[allow(dead_code)]
#[path = "../../tests/machines/mod.rs"]
mod machines;

use machines::Machine;

const SAPPHIRE_RAPIDS: [&str; 2] = ["--cpuid", "GenuineIntel-6-8F-4"];
const ZEN3: [&str; 2] = ["--cpuid", "AuthenticAMD-25-11-1"];

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pmu"))
        .arg("decode")
        .args(arguments)
        .env_remove("PERF_CPUID")
        .env_remove("SYSFS_PATH")
        .env("COLUMNS", "100")
        .output()
        .expect("pmu runs");
    let Output { status, stdout, stderr } = output;
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// The objects of `--json`, one a line.
#[track_caller]
fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The names of the events of each code.
fn names(arguments: &[&str]) -> Vec<Vec<String>> {
    let (_, out, err) = run(&[&["--json"], arguments].concat());
    let decoded = objects(&out);
    assert!(decoded.iter().all(|one| one["kind"] == "code"), "{out}{err}");
    let of = |one: &Value| {
        let events = one["events"].as_array().expect("a list").iter().map(|event| &event["name"]);
        let names = one["names"].as_array().expect("a list").iter();
        events.chain(names).map(|name| name.as_str().expect("a name").into()).collect()
    };
    decoded.iter().map(of).collect()
}

#[test]
fn codes_have_events() {
    let cases: &[(&[&str], &str, &[&str])] = &[
        (&ZEN3, "cpu/event=0x44,umask=0x8/", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "r844", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "0x844", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "4:0x844", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "event=0x44,umask=0x8", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "config=0x844", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "pmu=cpu config=0x844 config1=0", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "cpu/event=0x44,umask=0x8,period=7/", &["ls_any_fills_from_sys.dram_io_near"]),
        (&ZEN3, "0:0x1", &["instructions"]),
        (&ZEN3, "1:2", &["page-faults", "faults"]),
        (&ZEN3, "r100000000", &[]),
        (&SAPPHIRE_RAPIDS, "uncore_cha/event=0x1/", &["UNC_CHA_CLOCKTICKS"]),
        (&["--model", "neoverse-n1"], "r3", &["l1d_cache_refill"]),
        (&["--model", "power9"], "r2", &["PM_INST_CMPL"]),
    ];
    for (subject, code, expected) in cases {
        let found = names(&[*subject, &[*code]].concat());
        let found: Vec<String> = found.concat().iter().map(|name| name.to_lowercase()).collect();
        for name in *expected {
            assert!(found.contains(&name.to_lowercase()), "{code}: {found:?}");
        }
        assert_eq!(found.is_empty(), expected.is_empty(), "{code}: {found:?}");
    }
}

#[test]
fn the_nearest_events_tell_what_differs() {
    let (code, out, err) = run(&[&SAPPHIRE_RAPIDS[..], &["r4010023c", "--nearest", "1"]].concat());
    assert_eq!(code, Some(1), "{out}{err}");
    let expected = "\
r4010023c: pmu=cpu config=0x4010023c: no event; the nearest are
  CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE  event=0x3c,period=25003,umask=2
      cmask=0x0 instead of 0x40
      config=0x23c instead of 0x4010023c
";
    assert_eq!(out, expected);
    assert_eq!(
        err,
        "pmu decode: note: using built-in formats of GenuineIntel-6-8F-4's PMUs, not sysfs\n"
    );
}

#[test]
fn sysfs_takes_the_place_of_built_in_formats() {
    let machine = Machine::named("sapphirerapids");
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let (code, out, err) =
        run(&[&SAPPHIRE_RAPIDS[..], &["--sysfs", root, "cpu/event=0xc9,umask=0x1/", "6:3"]]
            .concat());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    for name in ["RTM_RETIRED.START", "pperf"] {
        assert!(out.lines().any(|line| line.trim_start().starts_with(name)), "{name} in {out}");
    }
}

#[test]
fn json_has_the_keys_of_list() {
    let (code, out, _) = run(&[&ZEN3[..], &["--json", "r844", "rf44"]].concat());
    assert_eq!(code, Some(1));
    let decoded = objects(&out);
    assert_eq!(decoded[0]["config"], json!("0x844"));
    assert_eq!(decoded[0]["pmu"], json!("cpu"));
    let list = Command::new(env!("CARGO_BIN_EXE_pmu"))
        .args(["list", "--json", "ls_any_fills_from_sys.dram_io_near"])
        .args(ZEN3)
        .output()
        .expect("pmu runs");
    let listed: Value = serde_json::from_slice(&list.stdout).expect("it is JSON");
    let mut listed = listed;
    assert_eq!(listed.as_object_mut().and_then(|keys| keys.remove("kind")), Some(json!("event")));
    assert_eq!(decoded[0]["events"][0], listed);
    assert!(decoded[1]["nearest"][0]["differs"]["umask"]["given"] == json!("0xf"), "{out}");
}

#[test]
fn what_cannot_be_decoded() {
    let cases: &[(&[&str], &str)] = &[
        (&["--model", "zen", "r1"], "pmu decode: no model is named `zen`"),
        (&["--cpuid", "GenuineIntel-6-8F-4", "cpu/evnt=1/"], "did you mean `event`?"),
        (&["--cpuid", "GenuineIntel-6-8F-4", "r"], "pmu decode: "),
    ];
    for (arguments, message) in cases {
        let (code, _, err) = run(arguments);
        assert_eq!(code, Some(1), "{arguments:?}");
        assert!(err.contains(message), "{arguments:?}: {err}");
    }
    assert_eq!(run(&[]).0, Some(2));
}
