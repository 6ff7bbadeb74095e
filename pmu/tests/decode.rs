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
        (&ZEN3, "PERF_COUNT_HW_INSTRUCTIONS", &["instructions"]),
        (&ZEN3, "PERF_COUNT_SW_PAGE_FAULTS", &["page-faults", "faults"]),
        (
            &ZEN3,
            "type = PERF_TYPE_HW_CACHE, config = PERF_COUNT_HW_CACHE_DTLB | \
             PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16",
            &["dtlb-load-misses"],
        ),
        (&ZEN3, "PERF_TYPE_RAW, 0x844", &["ls_any_fills_from_sys.dram_io_near"]),
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

/// Values of event selectors, which also say when to count.
#[test]
fn bits_that_select_no_event_do_not_matter() {
    let cases: &[(&[&str], &str, &str, &str)] = &[
        // As rr has them for every Intel since Nehalem.
        (&["--model", "skylake"], "0x5101c4", "BR_INST_RETIRED.CONDITIONAL", "0x510000"),
        (&SAPPHIRE_RAPIDS, "0x5111c4", "BR_INST_RETIRED.COND", "0x510000"),
        (&SAPPHIRE_RAPIDS, "r5300c0", "INST_RETIRED.ANY_P", "0x530000"),
        (&ZEN3, "0x5100d1", "ex_ret_cond", "0x510000"),
        (&ZEN3, "0x300005300c0", "ex_ret_instr", "0x30000530000"),
        (&["--model", "neoverse-n1"], "0x88000011", "CPU_CYCLES", "0x88000000"),
        (&SAPPHIRE_RAPIDS, "config=0x53003c", "CPU_CLK_UNHALTED.THREAD_P", "0x530000"),
        // Without such bits.
        (&SAPPHIRE_RAPIDS, "r3c", "CPU_CLK_UNHALTED.THREAD_P", "0x0"),
    ];
    for (subject, code, name, bits) in cases {
        let arguments = [*subject, &["--json", code]].concat();
        let (status, out, err) = run(&arguments);
        let decoded = objects(&out);
        assert_eq!((status, decoded.len()), (Some(0), 1), "{code}: {out}{err}");
        assert_eq!(decoded[0]["control"]["bits"], json!(bits), "{code}");
        let events = decoded[0]["events"].as_array().expect("a list");
        let has = |name: &str| {
            events.iter().any(|event| {
                event["name"].as_str().is_some_and(|own| own.eq_ignore_ascii_case(name))
            })
        };
        assert!(has(name), "{code}: {out}");
    }
    let (_, out, _) = run(&[&SAPPHIRE_RAPIDS[..], &["0x5111c4"]].concat());
    assert!(out.contains("0x510000 selects no event: user, interrupt, enable\n"), "{out}");
}

/// Codes and names as manuals, logs and other tools have them, with an event that each means.
#[test]
fn codes_as_others_write_them() {
    let skylake = ["--model", "skylake"];
    let alderlake = ["--model", "alderlake"];
    let cases: &[(&[&str], &str, &[&str])] = &[
        (&skylake, "D1.01", &["MEM_LOAD_RETIRED.L1_HIT"]),
        (&ZEN3, "0C0.00", &["ex_ret_instr"]),
        (&["--model", "amdzen4"], "1A0.1E", &["de_no_dispatch_per_slot.backend_stalls"]),
        (&["--model", "amdzen4"], "r100001ea0", &["de_no_dispatch_per_slot.backend_stalls"]),
        (
            &["--model", "amdzen4"],
            "event=0x1a0,umask=0x1e",
            &["de_no_dispatch_per_slot.backend_stalls"],
        ),
        (&ZEN3, "PMCx0C1", &["ex_ret_ops"]),
        (&ZEN3, "PMCx044.08", &["ls_any_fills_from_sys.dram_io_near"]),
        // Both registers of offcore responses.
        (&skylake, "0x5301b7 0x10001", &["OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE"]),
        (
            &skylake,
            "config=0x1bb,config1=0x10001",
            &["OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE"],
        ),
        (&SAPPHIRE_RAPIDS, "config=0x12b,config1=0x10001", &["OCR.DEMAND_DATA_RD.ANY_RESPONSE"]),
        (
            &skylake,
            "type 4 size 136 config 0x1b7 { bp_addr, config1 } 0x10001",
            &["OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE"],
        ),
        (&skylake, "type: 0, config: 1", &["instructions"]),
        // libpfm4 and LIKWID.
        (&skylake, "L2_RQSTS:MISS", &["L2_RQSTS.MISS"]),
        (&skylake, "skl::L2_RQSTS:MISS:u", &["L2_RQSTS.MISS"]),
        (&skylake, "L2_RQSTS_MISS", &["L2_RQSTS.MISS"]),
        (&skylake, "L2_RQSTS_MISS:PMC1", &["L2_RQSTS.MISS"]),
        (&skylake, "UOPS_ISSUED:ANY:c=1:i", &["UOPS_ISSUED.STALL_CYCLES"]),
        // Several cores.
        (&alderlake, "cpu_atom/event=0xc4,umask=0x7e/", &["BR_INST_RETIRED.COND"]),
        // Arm's PMU has the name of the core on many machines.
        (&["--model", "neoverse-n1"], "armv8_neoverse_n1/event=0x11/", &["CPU_CYCLES"]),
        (&["--model", "power9"], "0x4d056", &["PM_NON_FMA_FLOP_CMPL"]),
        // libpfm4's generic events.
        (&skylake, "L1D:READ:MISS", &["L1-dcache-load-misses"]),
        (&skylake, "perf::PERF_COUNT_HW_CACHE_LL:READ:MISS:u", &["LLC-load-misses"]),
        (&skylake, "perf::BRANCHES", &["branches"]),
    ];
    for (subject, code, expected) in cases {
        let arguments = [*subject, &["--", code]].concat();
        let found = names(&[*subject, &[code]].concat()).concat();
        for name in *expected {
            assert!(
                found.iter().any(|own| own.eq_ignore_ascii_case(name)),
                "{arguments:?}: {found:?}"
            );
        }
    }
}

/// A code may count an event under a condition, or several events at once.
#[test]
fn conditions_and_sums() {
    let of = |subject: &[&str], code: &str| {
        let (status, out, err) = run(&[subject, &["--json", code]].concat());
        let mut decoded = objects(&out);
        assert_eq!((status, decoded.len()), (Some(0), 1), "{code}: {out}{err}");
        decoded.remove(0)
    };
    let named = |events: &Value| -> Vec<String> {
        let events = events.as_array().expect("a list").iter();
        events.map(|event| event["name"].as_str().expect("a name").to_lowercase()).collect()
    };
    let skylake = ["--model", "skylake"];
    let one = of(&skylake, "event=0x0e,umask=0x1,cmask=3,inv");
    assert_eq!(named(&one["restricted"]["events"]), ["uops_issued.any"]);
    assert_eq!((&one["restricted"]["cmask"], &one["restricted"]["inv"]), (&json!(3), &json!(true)));

    let one = of(&["--model", "amdzen4"], "event=0x43,umask=0x18");
    let names = named(&one["sum"]["events"]);
    let expected = ["ls_dmnd_fills_from_sys.dram_io_near", "ls_dmnd_fills_from_sys.far_cache"];
    assert_eq!(names, expected);
    let whole = &one["sum"]["part_of"];
    assert_eq!(
        (&whole["event"]["name"], &whole["umask"]),
        (&json!("ls_dmnd_fills_from_sys.all"), &json!("0xe7"))
    );

    // Nothing adds up to no unit mask.
    let (code, out, err) = run(&["--json", "--model", "amdzen4", "event=0xae"]);
    let one = &objects(&out)[0];
    assert_eq!(code, Some(1), "{err}");
    assert!(one["sum"].is_null() && one["nearest"][0].is_object(), "{one}");

    // The masks of Intel's L2 share a bit.
    let (_, out, _) = run(&[&SAPPHIRE_RAPIDS[..], &["r2324"]].concat());
    for line in [
        "L2_RQSTS.DEMAND_DATA_RD_MISS + L2_RQSTS.RFO_MISS\n",
        "L2_RQSTS.ALL_DEMAND_MISS without L2_RQSTS.CODE_RD_MISS\n",
    ] {
        assert!(out.contains(line), "{out}");
    }

    let (_, out, _) = run(&["--model", "skylake", "event=0x0e,umask=0x1,cmask=3,inv"]);
    assert!(out.contains("cmask=0x3,inv: cycles in which it occurs fewer than 3 times\n"), "{out}");
}

#[test]
fn the_nearest_events_tell_what_differs() {
    let (code, out, err) = run(&[&SAPPHIRE_RAPIDS[..], &["r403c", "--nearest", "1"]].concat());
    assert_eq!(code, Some(1), "{out}{err}");
    let expected = "\
r403c: pmu=cpu of sapphirerapids config=0x403c: no event; the nearest are
  CPU_CLK_UNHALTED.THREAD       event=0x3c,period=2000003
      umask=0x0 instead of 0x40
";
    assert_eq!(out, expected);
    assert_eq!(
        err,
        "pmu decode: note: using built-in formats of GenuineIntel-6-8F-4's PMUs, not sysfs\n"
    );
    // Formats of a register overlap: the event has none of them.
    let (_, out, _) = run(&["--model", "goldmont", "0x1b7 0x10001", "--nearest", "1"]);
    assert!(out.contains("\n      config1=0x0 instead of 0x10001\n"), "{out}");
    // Another code of two bits' distance is not near to one that has events.
    let (_, out, _) =
        run(&[&SAPPHIRE_RAPIDS[..], &["--json", "r4051", "--nearest", "50"]].concat());
    let near = objects(&out).remove(0)["nearest"].as_array().expect("a list").clone();
    assert!(!near.is_empty(), "{out}");
    assert!(near.iter().all(|event| event["terms"]["event"] == json!(0x51)), "{out}");
}

/// Codes of POWER may leave out the counter, or name another one.
#[test]
fn counters_in_codes() {
    let (code, out, _) = run(&["--model", "power9", "0xfa", "0x400fa", "0x600f4"]);
    assert_eq!(code, Some(1), "{out}");
    let expected = "\
0x600f4: pmu=cpu of power9 config=0x600f4: no event; the nearest are
  PM_RUN_CYC                    event=0x200f4
      pmc=0x2 instead of 0x6
";
    let (of_any, of_another) = out.split_once("\n0x600f4").expect("each code has its place");
    assert!(of_another.starts_with(&expected["0x600f4".len()..]), "{out}");
    let (of_any, of_one) = of_any.split_once("\n0x400fa").expect("each code has its place");
    let remark = "      without a counter: it depends on the one that it gets\n";
    assert!(of_any.contains(remark) && of_any.contains("PM_RUN_INST_CMPL"), "{out}");
    assert!(!of_one.contains(remark) && of_one.contains("PM_RUN_INST_CMPL"), "{out}");
}

/// Tables of Arm's CPUs may lack what the architecture has.
#[test]
fn events_of_the_architecture() {
    let (code, out, _) = run(&["--model", "thunderx2", "0x1"]);
    assert_eq!(code, Some(0), "{out}");
    let expected = "\
0x1: pmu=armv8_pmuv3_0 of cavium/thunderx2 config=0x1
      the CPU's table lacks this event of arm64/architecture
  L1I_CACHE_REFILL              event=1
";
    assert!(out.starts_with(expected), "{out}");
    for arguments in [["--model", "thunderx2", "0xfffe"], ["--model", "apple/m1", "0x11"]] {
        let (code, out, _) = run(&arguments);
        assert_eq!(code, Some(1), "{out}");
    }
}

/// The PMU of an event that the kernel encodes.
#[test]
fn pmus_of_generic_events() {
    let cases: &[(&str, &[&str], &[Option<&str>])] = &[
        ("skylake", &["0:3", "cycles", "3:0x10002", "L1D:READ:MISS"], &[Some("cpu"); 4]),
        ("skylake", &["1:2", "PERF_COUNT_SW_DUMMY"], &[Some("software"); 2]),
        ("neoverse-n1", &["0:3"], &[Some("armv8_pmuv3_0")]),
        (
            "alderlake",
            &["0:0", "0:0x400000000", "0:0x500000000000"],
            &[Some("cpu_core"), Some("cpu_core"), None],
        ),
    ];
    for (model, codes, expected) in cases {
        let (_, out, err) = run(&[&["--model", model, "--json"], *codes].concat());
        let pmus: Vec<Value> = objects(&out).iter().map(|one| one["pmu"].clone()).collect();
        let expected: Vec<Value> = expected.iter().map(|pmu| json!(pmu)).collect();
        assert_eq!(pmus, expected, "{model} {codes:?}: {err}");
    }
    let (_, out, _) = run(&["--model", "skylake", "0:3"]);
    let (_, of_kernel, _) = run(&["--model", "skylake", "1:2"]);
    assert!(of_kernel.starts_with("1:2: pmu=software type=1 config=0x2\n"), "{of_kernel}");
    assert!(out.starts_with("0:3: pmu=cpu of skylake type=0 config=0x3\n  cache-misses"), "{out}");
}

/// A name that the CPU lacks is explained by the code that it has on others.
#[test]
fn names_of_other_cpus() {
    let arguments = [&SAPPHIRE_RAPIDS[..], &["br_misp_retired.conditional"]].concat();
    let (code, out, err) = run(&arguments);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("BR_MISP_RETIRED.COND_TAKEN"), "{out}{err}");
    assert!(out.contains("is no event of sapphirerapids; on "), "{out}{err}");
    // Codes of another vendor have nothing to do with those of this one.
    let (code, out, err) = run(&[&SAPPHIRE_RAPIDS[..], &["ex_ret_instr"]].concat());
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("\nit is an event of x86/amdzen1, another vendor's CPU\n"), "{err}");
    let (_, _, err) = run(&[&SAPPHIRE_RAPIDS[..], &["no_such.event"]].concat());
    assert!(!err.contains("vendor"), "{err}");
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
    let (code, out, _) = run(&[&ZEN3[..], &["--json", "r844", "r80c1"]].concat());
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
    assert!(decoded[1]["nearest"][0]["differs"]["umask"]["given"] == json!("0x80"), "{out}");
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
