//! `pmu decode` as a user meets it.

use std::process::Command;

use pmu_events::__private::pmu;
use serde_json::{Value, json};

#[allow(dead_code)]
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

use machines::Machine;
use run::Run;

const SAPPHIRE_RAPIDS: [&str; 2] = ["--cpuid", "GenuineIntel-6-8F-4"];
const ZEN3: [&str; 2] = ["--cpuid", "AuthenticAMD-25-11-1"];

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = run::command();
    // The CPU that runs the test is none of those that are asked for.
    command.env("PERF_CPUID", "none").env("COLUMNS", "100");
    let Run { code, out, err } = run::finish(command.arg("decode").args(arguments));
    (code, out, err)
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
        // Their CPUIDs tell no formats: those of one are those of all.
        (&["--model", "cf_z13"], "cpum_cf/event=0/", &["CPU_CYCLES"]),
        (&["--model", "cf_z13"], "r1", &["INSTRUCTIONS"]),
        (&["--model", "bullet"], "event=0x101", &["ADDRESSGEN_INTERLOCK"]),
        (&["--model", "arm/cmn"], "arm_cmn/type=5,eventid=1/", &["hnf_cache_miss"]),
        // Which i.MX8 it is does not show without its sysfs.
        (
            &["--cpuid", "0x00000000414fd0c1"],
            "imx8_ddr/event=0x2a/",
            &["imx8mm_ddr.read_cycles", "imx8mq_ddr.read_cycles"],
        ),
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

/// An event that only the vendor's code finds is described as any other, without perf's words.
#[test]
fn descriptions_of_the_vendors_events() {
    let nehalem = ["--cpuid", "GenuineIntel-6-1A-5", "r1c0"];
    let (_, out, err) = run(&nehalem);
    assert!(
        out.contains("Instructions that retired (any counter) (can be precise)\n"),
        "{out}{err}"
    );
    assert!(out.contains("perf counts event=0xc0,period=2000003 under this name"), "{out}{err}");
}

/// What perf made of the events of a table, by PMU: their words as they are typed.
/// A line has the number of letters that it shares with the name before, the
/// others, and the words.
fn recorded<'r>(
    record: &'r str,
    words: &mut Vec<(String, String)>,
    pmu_of: fn(&'r str) -> &'r str,
) {
    let (mut pmu, mut name) = (None, String::new());
    for line in record.lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            let instance = heading.split(' ').next().and_then(|first| first.split_once(':'));
            pmu = instance.map(|(instance, _)| pmu_of(instance));
            continue;
        }
        let Some(pmu) = pmu else { continue };
        let [shared, rest, values, ..] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        name.truncate(shared.parse().expect("a number"));
        name.push_str(rest);
        let keys = ["config", "config1", "config2", "config3"];
        let terms =
            keys.iter().zip(values.split(',')).map(|(key, value)| format!("{key}=0x{value}"));
        let terms = terms.collect::<Vec<_>>().join(",");
        words.push((name.clone(), format!("{pmu}/{terms}/")));
    }
}

/// A sample of what perf makes of events leads back to them, by the formats of
/// sysfs and by those that are built in.
#[test]
fn words_of_perf_lead_back_to_events() {
    const EACH: usize = 23;
    let cases = [
        (
            "zen4",
            "AuthenticAMD-25-61-2",
            include_str!("../../tests/kernel/cases/attributes/zen4.txt"),
        ),
        ("power9", "0x004e1202", include_str!("../../tests/kernel/cases/attributes/power9.txt")),
        (
            "skylakex",
            "GenuineIntel-6-55-4",
            include_str!("../../tests/kernel/cases/attributes/skylakex.txt"),
        ),
        (
            "sapphirerapids",
            "GenuineIntel-6-8F-4",
            include_str!("../../tests/kernel/cases/attributes/sapphirerapids.txt"),
        ),
    ];
    for (name, cpuid, record) in cases {
        let machine = Machine::named(name);
        let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
        for sysfs in [Some(root), None] {
            let mut all = Vec::new();
            recorded(
                record,
                &mut all,
                match sysfs {
                    Some(_) => |instance| instance,
                    None => |instance| pmu::base_name(instance),
                },
            );
            let sample: Vec<_> = all.iter().step_by(EACH).collect();
            let mut arguments = vec!["--json", "--cpuid", cpuid];
            arguments.extend(sysfs.iter().flat_map(|root| ["--sysfs", root]));
            arguments.extend(sample.iter().map(|(_, code)| code.as_str()));
            let (_, out, err) = run(&arguments);
            let decoded = objects(&out);
            for (event, code) in sample {
                let one = decoded.iter().find(|one| one["code"] == **code);
                let one = one.unwrap_or_else(|| panic!("{name} {code}: {err}"));
                let mut events = one["events"].as_array().expect("a list").iter();
                let is_it = |known: &Value| {
                    known["name"].as_str().expect("a name").eq_ignore_ascii_case(event)
                };
                // The words are those of perf's tree, which gets some events wrong.
                let model = pmu_events::arch::model(cpuid).expect("it is known");
                let is_other = |known: pmu_events::Event| {
                    known.perf_differs().is_some_and(|perf| perf.changes_count())
                };
                let is_wrong = model.events_named(event).any(is_other);
                assert!(is_wrong || events.any(is_it), "{name} {event} {code}: {one}");
            }
        }
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
    let (code, _, err) = run(&["--model", "n13", "r1"]);
    let message = "pmu decode: no formats are built in for the PMUs of model `n13`; `--sysfs` names a \
                   machine's\n";
    assert_eq!((code, err.as_str()), (Some(1), message));
    let machine = Machine::named("zen4");
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let (code, _, err) = run(&["--model", "n13", "--sysfs", root, "r1"]);
    assert_eq!((code, err.contains("built in")), (Some(1), false), "{err}");
}

/// Models share records, and each object names the machine's.
#[test]
fn the_model_is_the_machines() {
    let of = |arguments: &[&str], key: &str| -> Vec<String> {
        let (_, out, err) = run(&[arguments, &["--json"]].concat());
        let decoded = objects(&out);
        let events = decoded.iter().flat_map(|one| one[key].as_array().expect("a list"));
        let models: Vec<String> =
            events.map(|event| event["model"].as_str().expect("a name").into()).collect();
        assert!(!models.is_empty(), "{arguments:?}: {out}{err}");
        models
    };
    let is_all = |models: &[String], model: &str| models.iter().all(|own| own == model);
    for (cpu, model) in [
        (SAPPHIRE_RAPIDS, "sapphirerapids"),
        (["--model", "graniterapids"], "graniterapids"),
        (["--model", "emeraldrapids"], "emeraldrapids"),
        (["--cpuid", "0x00000000410fd4f0"], "arm/neoverse-n2-v2"),
    ] {
        let code = if model.starts_with("arm") { "event=0x8" } else { "r3c" };
        let models = of(&[&cpu[..], &[code]].concat(), "events");
        assert!(is_all(&models, model), "{models:?} of {model}");
        let other = if model.starts_with("arm") { "event=0x1008" } else { "event=0x3c,umask=0x40" };
        let models = of(&[&cpu[..], &[other]].concat(), "nearest");
        assert!(is_all(&models, model), "{models:?} of {model}");
    }
    let models = of(&["--model", "arm/cmn", "arm_cmn/eventid=1,type=5/"], "events");
    assert!(is_all(&models, "arm/cmn"), "{models:?}");
}
