//! `pmu audit` on files of made-up projects.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use pmu_events::Event;
use pmu_events::arch::x86;
use serde_json::{Value, json};

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

use run::Run;

/// A directory with some files.
fn project(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit").join(name);
    let _ = fs::remove_dir_all(&root);
    for (path, content) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("it is in the project")).expect("it can be made");
        fs::write(path, content).expect("it can be written");
    }
    root
}

fn audit(root: &Path, arguments: &[&str]) -> Run {
    let mut command = run::command();
    // Paths in the output are those that are given.
    command.current_dir(root).arg("audit").args(arguments).arg(".");
    run::finish(&mut command)
}

/// The objects of `--format json --all`, and the exit status.
fn objects(root: &Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let Run { code, out, err } = audit(root, &[&["--format", "json", "--all"], arguments].concat());
    let parse =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}{err}"));
    (code, out.lines().map(parse).collect())
}

/// Each candidate as `path:line:column verdict text`.
fn candidates(root: &Path, arguments: &[&str]) -> Vec<String> {
    let (_, objects) = objects(root, arguments);
    let is_candidate = |one: &&Value| one["kind"] == "candidate";
    let shown = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap_or("-").to_string();
        let path = text("path");
        let path = path.trim_start_matches("./");
        format!("{path}:{}:{} {} {}", one["line"], one["column"], text("verdict"), text("text"))
    };
    objects.iter().filter(is_candidate).map(shown).collect()
}

#[test]
fn lists_of_likwid() {
    let list = b"\
EVENT_TEMP_CORE          0x00   TMP0
UMASK_TEMP_CORE          0x00

EVENT_L2_RQSTS           0x24 PMC
UMASK_L2_RQSTS_MISS      0x3F
UMASK_L2_RQSTS_DEMAND_DATA_RD_MISS 0x22
UMASK_L2_RQSTS_REFERENCES 0x3F
UMASK_L2_RQSTS_MY_OWN    0x21

EVENT_UOPS_ISSUED        0x0E PMC
DEFAULT_OPTIONS_UOPS_ISSUED_STALL_CYCLES EVENT_OPTION_THRESHOLD=0x1,EVENT_OPTION_INVERT=1
UMASK_UOPS_ISSUED_STALL_CYCLES 0x01
UMASK_UOPS_ISSUED_ANY    0x01
";
    let root = project("likwid", &[("perfmon_skylake_events.txt", list)]);
    let path = "perfmon_skylake_events.txt";
    assert_eq!(
        candidates(&root, &[]),
        [
            format!("{path}:2:1 open UMASK_TEMP_CORE 0x00"),
            format!("{path}:5:1 right UMASK_L2_RQSTS_MISS 0x3F"),
            format!("{path}:6:1 another-event UMASK_L2_RQSTS_DEMAND_DATA_RD_MISS 0x22"),
            format!("{path}:7:1 only-a-part UMASK_L2_RQSTS_REFERENCES 0x3F"),
            format!("{path}:8:1 own-name UMASK_L2_RQSTS_MY_OWN 0x21"),
            format!("{path}:12:1 right UMASK_UOPS_ISSUED_STALL_CYCLES 0x01"),
            format!("{path}:13:1 right UMASK_UOPS_ISSUED_ANY 0x01"),
        ]
    );
    let (code, all) = objects(&root, &[]);
    assert_eq!(code, Some(1));
    let wrong = all.iter().find(|one| one["verdict"] == "another-event").expect("there is one");
    assert_eq!(
        (&wrong["fix"], &wrong["cpu"]),
        (&json!("event=0x24,umask=0x21"), &json!("x86/skylake"))
    );
    let evidence = wrong["evidence"].as_str().expect("a sentence");
    assert!(evidence.starts_with("event=0x24,umask=0x22 counts L2_RQSTS.RFO_MISS; "), "{evidence}");
}

/// A counter of LIKWID's is one less than that of POWER's codes, which have more than one for some
/// events.
#[test]
fn counters_of_power() {
    let power9 = b"\
EVENT_PM_PMC1_OVERFLOW 0x10 PMC2
UMASK_PM_PMC1_OVERFLOW 0x00
EVENT_PM_PMC2_OVERFLOW 0x10 PMC1
UMASK_PM_PMC2_OVERFLOW 0x00
EVENT_PM_LD_MISS_L1 0xF0 PMC3
UMASK_PM_LD_MISS_L1 0x00
EVENT_PM_L3_PF0_BUSY 0xB4 PMC3
UMASK_PM_L3_PF0_BUSY 0x60
EVENT_PM_RUN_INST_CMPL 0xFA PMC3|PMC4
UMASK_PM_RUN_INST_CMPL 0x00
EVENT_PM_LSU0_ERAT_HIT 0x94 PMC0|PMC1|PMC2|PMC3
UMASK_PM_LSU0_ERAT_HIT 0xE0
EVENT_PM_DTLB_MISS_4K 0x56 PMC2
UMASK_PM_DTLB_MISS_4K 0xC0
EVENT_PM_PMC4_OVERFLOW 0x10 PMC18446744073709551615
UMASK_PM_PMC4_OVERFLOW 0x00
EVENT_PM_PMC4_OVERFLOW 0x10 PMC255
UMASK_PM_PMC4_OVERFLOW 0x00
";
    let power8 = b"\
EVENT_PM_1LPAR_CYC 0x5E PMC0
UMASK_PM_1LPAR_CYC 0x0F
EVENT_PM_L2_RTY_LD 0x8C PMC2
UMASK_PM_L2_RTY_LD 0x07
";
    let raw = b"on power9: -e r400f0 -e r10010\n";
    let root = project(
        "power",
        &[
            ("perfmon_power9_events.txt", power9),
            ("perfmon_power8_events.txt", power8),
            ("raw.sh", raw),
        ],
    );
    assert_eq!(
        candidates(&root, &[]),
        [
            "perfmon_power8_events.txt:2:1 right UMASK_PM_1LPAR_CYC 0x0F",
            // POWER9 has the name, for another code.
            "perfmon_power8_events.txt:4:1 open UMASK_PM_L2_RTY_LD 0x07",
            "perfmon_power9_events.txt:2:1 another-event UMASK_PM_PMC1_OVERFLOW 0x00",
            "perfmon_power9_events.txt:4:1 another-event UMASK_PM_PMC2_OVERFLOW 0x00",
            // No event has the code: it may be a second one of this event.
            "perfmon_power9_events.txt:6:1 open UMASK_PM_LD_MISS_L1 0x00",
            // The event in another counter.
            "perfmon_power9_events.txt:8:1 right UMASK_PM_L3_PF0_BUSY 0x60",
            "perfmon_power9_events.txt:10:1 right UMASK_PM_RUN_INST_CMPL 0x00",
            "perfmon_power9_events.txt:12:1 another-event UMASK_PM_LSU0_ERAT_HIT 0xE0",
            "perfmon_power9_events.txt:14:1 open UMASK_PM_DTLB_MISS_4K 0xC0",
            // Counters that no CPU has.
            "perfmon_power9_events.txt:16:1 right UMASK_PM_PMC4_OVERFLOW 0x00",
            "perfmon_power9_events.txt:18:1 open UMASK_PM_PMC4_OVERFLOW 0x00",
            "raw.sh:1:15 open r400f0",
            "raw.sh:1:25 right r10010",
        ]
    );
    let (_, all) = objects(&root, &[]);
    let wrong = all.iter().find(|one| one["verdict"] == "another-event").expect("there is one");
    assert_eq!(
        wrong["evidence"],
        json!("event=0x30010 counts PM_PMC2_OVERFLOW; PM_PMC1_OVERFLOW is event=0x20010")
    );
}

/// A name of another CPU's event is no event of that CPU without its code.
#[test]
fn names_of_other_cpus() {
    let nehalem = b"\
EVENT_HW_INT 0x1D PMC
UMASK_HW_INT_RCV 0x01
EVENT_OTHER 0x53 PMC
UMASK_L1D_CACHE_LOCK_FB_HIT 0x01
EVENT_BR_MISP_RETIRED 0xC5 PMC
UMASK_BR_MISP_RETIRED_ALL_BRANCHES 0x00
UMASK_BR_MISP_RETIRED_NEAR_CALL 0x02
UMASK_MY_OWN 0x00
";
    let thunder = b"\
EVENT_OP_RETIRED 0xE8 PMC
UMASK_OP_RETIRED 0x00
EVENT_BR_IND_MIS_PRED_RETIRED 0xE1 PMC
UMASK_BR_IND_MIS_PRED_RETIRED 0x00
";
    let root = project(
        "others",
        &[
            ("cfg_Nehalem_common.txt", b"C5.00 BR_MISP_RETIRED.ALL_BRANCHES\n"),
            ("perfmon_cavtx2_events.txt", thunder),
            ("perfmon_nehalem_events.txt", nehalem),
            ("perfmon_westmere_events.txt", nehalem),
        ],
    );
    assert_eq!(
        candidates(&root, &[]),
        [
            // The architecture has it, and the list does not.
            "cfg_Nehalem_common.txt:1:1 open C5.00 BR_MISP_RETIRED.ALL_BRANCHES",
            "perfmon_cavtx2_events.txt:2:1 open UMASK_OP_RETIRED 0x00",
            "perfmon_cavtx2_events.txt:4:1 open UMASK_BR_IND_MIS_PRED_RETIRED 0x00",
            "perfmon_nehalem_events.txt:2:1 open UMASK_HW_INT_RCV 0x01",
            "perfmon_nehalem_events.txt:4:1 right UMASK_L1D_CACHE_LOCK_FB_HIT 0x01",
            "perfmon_nehalem_events.txt:6:1 open UMASK_BR_MISP_RETIRED_ALL_BRANCHES 0x00",
            "perfmon_nehalem_events.txt:7:1 right UMASK_BR_MISP_RETIRED_NEAR_CALL 0x02",
            "perfmon_nehalem_events.txt:8:1 open UMASK_MY_OWN 0x00",
            "perfmon_westmere_events.txt:2:1 open UMASK_HW_INT_RCV 0x01",
            "perfmon_westmere_events.txt:4:1 not-on-this-cpu UMASK_L1D_CACHE_LOCK_FB_HIT 0x01",
            // The architecture has it, and the list has another.
            "perfmon_westmere_events.txt:6:1 open UMASK_BR_MISP_RETIRED_ALL_BRANCHES 0x00",
            "perfmon_westmere_events.txt:7:1 right UMASK_BR_MISP_RETIRED_NEAR_CALL 0x02",
            "perfmon_westmere_events.txt:8:1 open UMASK_MY_OWN 0x00",
        ]
    );
}

/// Lines as they should be bring no finding, and each that has the unit mask of another event brings
/// one. Which events of the tables they have is random.
#[test]
fn right_lines_and_wrong_ones() {
    const OF_EACH: usize = 100;
    let models = [
        ("skylake", x86::SKYLAKE),
        ("icelakeX", x86::ICELAKEX),
        ("sapphirerapids", x86::SAPPHIRERAPIDS),
        ("graniterapids", x86::GRANITERAPIDS),
        ("zen4", x86::AMDZEN4),
    ];
    let value = |event: Event, term: &str| {
        event.terms().last_named(term).and_then(|term| term.number()).unwrap_or_default()
    };
    let is_plain = |event: &Event| {
        let terms = ["event", "umask", "cmask", "inv", "edge", "period"];
        event.pmu() == "default_core"
            && !event.is_deprecated()
            && event.event_string() == event.vendor_event_string()
            && event.terms().all(|term| terms.contains(&term.name()))
            && value(*event, "event") != 0
    };
    let lines = |event: Event, umask: u64| {
        let name = event.name().replace('.', "_").to_uppercase();
        let options = [("cmask", "THRESHOLD"), ("inv", "INVERT"), ("edge", "EDGE")];
        let options = options.map(|(term, option)| (value(event, term), option));
        let options = options.iter().filter(|(value, _)| *value != 0);
        let options: Vec<String> =
            options.map(|(value, option)| format!("EVENT_OPTION_{option}={value:#x}")).collect();
        let mut lines = format!("EVENT_{name} {:#x} PMC\n", value(event, "event"));
        if !options.is_empty() {
            lines += &format!("DEFAULT_OPTIONS_{name} {}\n", options.join(","));
        }
        lines + &format!("UMASK_{name} {umask:#x}\n")
    };
    let mut random = 28_u64;
    let mut below = |n: usize| {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        (random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    };
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    for (name, model) in models {
        let events: Vec<Event> = model.events().filter(is_plain).collect();
        let (mut of_right, mut of_wrong, mut has) = (String::new(), String::new(), 0);
        while has < OF_EACH {
            let event = events[below(events.len())];
            let umask = value(event, "umask");
            let is_other = |other: &&Event| {
                value(**other, "event") == value(event, "event") && value(**other, "umask") != umask
            };
            let others: Vec<&Event> = events.iter().filter(is_other).collect();
            let Some(&&other) = others.get(below(others.len().max(1))) else { continue };
            of_right += &lines(event, umask);
            of_wrong += &lines(event, value(other, "umask"));
            has += 1;
        }
        right.push((format!("perfmon_{name}_events.txt"), of_right));
        wrong.push((format!("perfmon_{name}_events.txt"), of_wrong));
    }
    let verdicts = |name: &str, files: &[(String, String)]| -> Vec<String> {
        let files: Vec<(&str, &[u8])> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
        let (_, all) = objects(&project(name, &files), &[]);
        let of =
            |one: &Value| one["verdict"].as_str().map(|verdict| (verdict.into(), one.to_string()));
        all.iter()
            .filter_map(of)
            .map(|(verdict, one): (String, String)| format!("{verdict} {one}"))
            .collect()
    };
    let right = verdicts("right", &right);
    assert_eq!(right.len(), 5 * OF_EACH);
    let found: Vec<&String> = right.iter().filter(|one| !one.starts_with("right ")).collect();
    assert!(found.is_empty(), "{found:#?}");
    let wrong = verdicts("wrong", &wrong);
    assert_eq!(wrong.len(), 5 * OF_EACH);
    let is_found =
        |one: &&String| one.starts_with("another-event ") || one.starts_with("only-a-part ");
    let missed: Vec<&String> = wrong.iter().filter(|one| !is_found(one)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// A CPU whose vendor's codes have other parts.
#[test]
fn lists_of_other_vendors() {
    let arm = b"EVENT_INST_RETIRED 0x08 PMC\nUMASK_INST_RETIRED 0x00\n\
        EVENT_CPU_CYCLES 0x12 PMC\nUMASK_CPU_CYCLES 0x00\n";
    let power = b"EVENT_PM_INST_FROM_L2 0x42 PMC0\nUMASK_PM_INST_FROM_L2 0x40\n\
        EVENT_PM_RUN_CYC 0x02 PMC\nUMASK_PM_RUN_CYC 0x00\n";
    let root = project(
        "likwid-others",
        &[("perfmon_neon1_events.txt", arm), ("perfmon_power9_events.txt", power)],
    );
    let found = candidates(&root, &[]);
    assert_eq!(
        found[..3],
        [
            "perfmon_neon1_events.txt:2:1 right UMASK_INST_RETIRED 0x00",
            "perfmon_neon1_events.txt:4:1 another-event UMASK_CPU_CYCLES 0x00",
            "perfmon_power9_events.txt:2:1 right UMASK_PM_INST_FROM_L2 0x40",
        ]
    );
}

#[test]
fn lists_of_nanobench() {
    let list = b"# Codes\n\n3C.00 CORE_CYCLES\nD1.01 MEM_LOAD_RETIRED.L1_HIT\n\
        D1.02 MEM_LOAD_RETIRED.L1_MISS\nA3.14.CMSK=20 CYCLE_ACTIVITY.STALLS_MEM_ANY\n";
    let root = project("nanobench", &[("cfg_Skylake_common.txt", list)]);
    let path = "cfg_Skylake_common.txt";
    assert_eq!(
        candidates(&root, &[]),
        [
            format!("{path}:3:1 own-name 3C.00 CORE_CYCLES"),
            format!("{path}:4:1 right D1.01 MEM_LOAD_RETIRED.L1_HIT"),
            format!("{path}:5:1 another-event D1.02 MEM_LOAD_RETIRED.L1_MISS"),
            format!("{path}:6:1 right A3.14.CMSK=20 CYCLE_ACTIVITY.STALLS_MEM_ANY"),
        ]
    );
}

/// Labels of a program's own, which may say more than the code counts.
#[test]
fn labels() {
    let config = br#"{
  "events": {
    "L1_Any_Fills_DRAM": "cpu/event=0x44,umask=0x8/",
    "L1_Local_Fills_DRAM": "cpu/event=0x44,umask=0x8/",
    "L1_Fills_DRAM_and_IO": "cpu/event=0x44,umask=0x48/",
    "Near_And_Far_Cache": "cpu/event=0x44,umask=0x14/",
    "Nothing": "cpu/event=0xfe,umask=0x8/"
  },
  "metrics": { "l3-mpki": "L1_Any_Fills_DRAM / Instructions * 1000" }
}"#;
    let root = project("labels", &[("amd_genoa_pmu_config.json", config)]);
    let path = "amd_genoa_pmu_config.json";
    assert_eq!(
        candidates(&root, &[]),
        [
            format!("{path}:3:27 only-a-part L1_Any_Fills_DRAM: cpu/event=0x44,umask=0x8/"),
            format!("{path}:4:29 right L1_Local_Fills_DRAM: cpu/event=0x44,umask=0x8/"),
            format!("{path}:5:30 right L1_Fills_DRAM_and_IO: cpu/event=0x44,umask=0x48/"),
            format!("{path}:6:28 right Near_And_Far_Cache: cpu/event=0x44,umask=0x14/"),
            format!("{path}:7:17 not-on-this-cpu Nothing: cpu/event=0xfe,umask=0x8/"),
        ]
    );
    let (_, all) = objects(&root, &[]);
    assert_eq!(all[0]["fix"], json!("event=0x44,umask=0x48"));

    // Without an event for both halves.
    let root = project("labels-zen3", &[("amd_milan_pmu_config.json", config)]);
    let (_, all) = objects(&root, &[]);
    assert_eq!(
        (&all[0]["verdict"], &all[0]["fix"]),
        (&json!("only-a-part"), &json!("event=0x44,umask=0x48"))
    );
}

/// Names that files give to codes of their own, and use.
#[test]
fn names_of_their_own() {
    let list = b"cpu/event=0x70,umask=0x1f,name='l2_pf_hit_l2.all'/,\n\
        cpu/event=0x44,umask=0x8,cmask=1,name='ls_any_fills_from_sys.all:c1'/;\n";
    let formulas =
        br#"[{ "name": "x", "expression": "[l2_pf_hit_l2.all] / [l2_pf_miss_l2_l3.all]" }]"#;
    let root = project("own", &[("turin.txt", list), ("turin.json", formulas)]);
    assert_eq!(
        candidates(&root, &[]),
        [
            "turin.json:1:33 own-name l2_pf_hit_l2.all",
            "turin.json:1:54 not-on-this-cpu l2_pf_miss_l2_l3.all",
            "turin.txt:1:1 own-name cpu/event=0x70,umask=0x1f,name='l2_pf_hit_l2.all'/",
            "turin.txt:2:1 right cpu/event=0x44,umask=0x8,cmask=1,name='ls_any_fills_from_sys.all:c1'/",
        ]
    );
}

#[test]
fn trees_and_other_json() {
    let tree = br#"[
  { "EventName": "L2_RQSTS.MISS", "EventCode": "0x24", "UMask": "0x3f" },
  { "EventName": "L2_RQSTS.ALL_RFO", "EventCode": "0x24", "UMask": "0xe4" },
  { "EventName": "UNC_X", "EventCode": "0x24", "UMask": "0xe4", "Unit": "CBO" }
]"#;
    let cadvisor = br#"{ "core": { "events": ["INST_RETIRED.ANY"], "custom_events": [
  { "type": 4, "config": ["0x5300c0"], "name": "instructions_retired" },
  { "type": 18, "config": ["0x304"], "name": "uncore" } ] } }"#;
    let stat = b"{\"counter-value\" : \"1.0\", \"event\" : \"inst_retired.any:u\"}\n\
        {\"counter-value\" : \"2.0\", \"event\" : \"br_misp_retired.conditional\"}\n\
        {\"event\" : \"cpu/inst_retired.any/u\"}\n\
        {\"counter-value\" : \"3.0\", \"unit\" : \"\", \"event\" : \"nobodys_event:u\"}\n";
    let arm =
        b"{\"event\" : \"armv8_pmuv3_0/l1d_cache_refill/\"}\n{\"event\" : \"inst_retired:u\"}\n";
    let root = project(
        "json",
        &[
            ("arch/skylake/cache.json", tree),
            ("cadvisor.json", cadvisor),
            ("stat.json", stat),
            ("neoverse-n1/stat.json", arm),
        ],
    );
    assert_eq!(
        candidates(&root, &["--model", "sapphirerapids"]),
        [
            "arch/skylake/cache.json:2:19 right L2_RQSTS.MISS",
            "arch/skylake/cache.json:3:19 another-event L2_RQSTS.ALL_RFO",
            "arch/skylake/cache.json:4:19 open UNC_X",
            "cadvisor.json:1:25 right INST_RETIRED.ANY",
            "cadvisor.json:2:3 right { \"type\": 4, \"config\": [\"0x5300c0\"], \"name\": \"instructions_retired\" }",
            "neoverse-n1/stat.json:1:27 right l1d_cache_refill",
            "neoverse-n1/stat.json:2:13 right inst_retired",
            "stat.json:1:38 right inst_retired.any",
            "stat.json:2:38 not-on-this-cpu br_misp_retired.conditional",
            "stat.json:3:17 right inst_retired.any",
            "stat.json:4:51 open nobodys_event",
        ]
    );
}

/// Source text: the line says for which CPU a code is.
#[test]
fn source_text() {
    let c = "\
static const struct config all[] = {
  { IntelSandyBridge, \"Sandy Bridge\", 0x5101c4, 0 },
  { IntelIceLake, \"Ice Lake\", 0x5111c4, 0 },
  { IntelSapphireRapids, \"µ Sapphire Rapids\", 0x5101c4, 0 },
  { AMDZen3, \"Zen 3\", 0x5100d1, 0 },
  { AMDZen3, \"Zen 3\", 0x5107d1, 0 },
};
attr.type = PERF_TYPE_RAW; attr.config = 0x412e; /* on skylake: LONGEST_LAT_CACHE.MISS */
x = (0x01 << 8) | 0x08;
run(\"perf stat -e r412e,cpu/event=0x3c,umask=0x0/ ls\");
";
    let root = project("source", &[("counters.c", c.as_bytes())]);
    let expected = [
        "2:39 right 0x5101c4",
        "3:31 right 0x5111c4",
        "4:47 right 0x5101c4",
        "5:23 right 0x5100d1",
        "6:23 not-on-this-cpu 0x5107d1",
        "8:42 right LONGEST_LAT_CACHE.MISS: 0x412e",
        "9:5 open (0x01 << 8) | 0x08",
        "10:19 open r412e",
        "10:25 open cpu/event=0x3c,umask=0x0/",
    ];
    assert_eq!(candidates(&root, &[]), expected.map(|one| format!("counters.c:{one}")));
    // The option only serves what does not say it itself.
    let with_model = candidates(&root, &["--model", "zen4"]);
    assert_eq!(
        with_model[6..].iter().filter(|one| one.contains(" open ")).count(),
        0,
        "{with_model:?}"
    );
    assert_eq!(with_model[0], "counters.c:2:39 right 0x5101c4");
}

/// What the kernel encodes has one meaning on each CPU, and what it counts is its choice.
#[test]
fn constants_of_the_kernel() {
    let rust = "\
fn event(name: &str) -> Result<Event> {
    match name {
        \"PAGE_FAULTS\" => Ok((events::Software::PAGE_FAULTS, \"Faults.\")),
        // \"DUMMY\" => Ok(events::Software::DUMMY),
        \"CGROUP_SWITCHES\" => Ok((
            events::Software::DUMMY,
            \"Switches.\",
        )),
        \"cycles\" => PERF_COUNT_HW_CPU_CYCLES,
        _ => PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8
            | PERF_COUNT_HW_CACHE_RESULT_MISS << 16,
    }
}
";
    let root = project("kernel", &[("events.rs", rust.as_bytes())]);
    let expected = [
        "events.rs:3:38 right Software::PAGE_FAULTS",
        "events.rs:6:21 another-event CGROUP_SWITCHES: Software::DUMMY",
        "events.rs:9:21 open cycles: PERF_COUNT_HW_CPU_CYCLES",
        "events.rs:10:14 open PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_…",
    ];
    assert_eq!(candidates(&root, &[]), expected);
    // They are the same for a CPU.
    assert_eq!(candidates(&root, &["--model", "zen4"]), expected);
    let (code, all) = objects(&root, &[]);
    let sentence = "the constant is that of dummy, on each CPU; CGROUP_SWITCHES is cgroup-switches";
    assert_eq!(code, Some(1));
    assert_eq!((&all[1]["evidence"], &all[1]["cpu"]), (&json!(sentence), &Value::Null));
}

/// A number that may be a value of an event selector is never passed over, nor taken for one that
/// the CPU does not have.
#[test]
fn bare_selectors() {
    let c = b"wrmsr(0x186, 0x5301c4);\ncolor = 0x5307ff;\nid = 0x51525354;\nmask = 0xffff;\n";
    let root = project("bare", &[("a.c", c)]);
    let found = |verdicts: [&str; 2]| {
        let [one, other] = verdicts;
        [format!("a.c:1:14 {one} 0x5301c4"), format!("a.c:2:9 {other} 0x5307ff")]
    };
    assert_eq!(candidates(&root, &[]), found(["open", "open"]));
    assert_eq!(candidates(&root, &["--model", "skylake"]), found(["right", "open"]));
}

/// A block is for the CPUs of its head. A name behind a code is the code's.
#[test]
fn blocks_of_source_text() {
    let rust = "\
fn events(cpu: &str) -> u64 {
    match cpu {
        // Only a comment: zen4
        \"skylake\" | \"haswell\"
        | \"sapphirerapids\" => {
            let load = (0x01 << 8) | 0x08; // DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK

            load
        }
        \"zen3\" => (0xff << 8) | 0x45,
        \"zen\" => (0xff << 8) | 0x45,
        \"icelakex\" => of(cha, (0x0f << 8) | 0x34),
        _ => raw((0x00 << 8) | 0x3c),
    }
}
";
    let root = project("blocks", &[("events.rs", rust.as_bytes())]);
    let (_, all) = objects(&root, &[]);
    let found: Vec<_> = all
        .iter()
        .filter(|one| one["kind"] == "candidate")
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap_or("-");
            format!("{} {} {} {}", one["line"], text("cpu"), one["cpu_line"], text("verdict"))
        })
        .collect();
    assert_eq!(
        found,
        [
            "6 x86/sapphirerapids 5 not-on-this-cpu",
            "6 x86/skylake 5 right",
            "6 x86/haswell 5 right",
            "10 x86/amdzen3 10 right",
            "11 - null open",
            "12 x86/icelakex 12 open",
            "13 - null open",
        ]
    );
}

/// A code beside a name in a list is not the name's.
#[test]
fn lists_of_events() {
    let shell = b"on skylake: perf stat -e r412e,inst_retired.any ls\n\
        skylake: ['cpu/event=0x24,umask=0x3f/', 'inst_retired.any']\n\
        skylake: (\"L2_RQSTS.MISS\", 0x5321c4)\nskylake: 'r3f24' # L2_RQSTS.MISS\n";
    let root = project("members", &[("a.sh", shell)]);
    assert_eq!(
        candidates(&root, &[]),
        [
            "a.sh:1:26 right r412e",
            "a.sh:1:32 right inst_retired.any",
            "a.sh:2:12 right cpu/event=0x24,umask=0x3f/",
            "a.sh:2:42 right inst_retired.any",
            "a.sh:3:28 another-event L2_RQSTS.MISS: 0x5321c4",
            "a.sh:4:11 right L2_RQSTS.MISS: r3f24",
        ]
    );
}

/// Metrics of perf's command lines, and of the lists of arguments by which programs run it.
#[test]
fn metrics_of_commands() {
    let script = "\
perf stat -M tma_frontend_bound,IPC:u true   # skylake
perf stat -M branch_misprediction_ratio,TopdownL1,nobodys true # zen4
perf stat --metrics=PipelineL1,insn_per_cycle,all true # skylake, zen5
perf stat -M ipc true
frontend_bound=ipc # neoverse-n1: perf stat -- tool -M frontend_bound
perf stat -M frontend_bound,backend_bound # neoverse-n1
perf stat -e r412e,inst_retired.any \\
   -M tma_fronted_bound # skylake
";
    let rust = "\
match cpu {
    \"zen4\" => Command::new(\"perf\")
        .args([\"stat\", \"-M\", \"tma_retiring\"])
        .arg(\"common.ipc\"),
    \"skylake\" => {
        perf([\"perf\", \"stat\", \"-M\", \"tma_retiring\"])
    }
}
";
    let events = b"perf stat -e ex_ret_instr,my_name,r3f24 ls -e ex_ret_ops # zen4\n\
        perf stat -e '{l1d_cache_refill,inst_retired.any}' # skylake\n";
    let tasks = b"{ \"icelakex\": \"perf stat -M tma_retiring,l3_fill\" }";
    let root = project(
        "metrics",
        &[
            ("a.sh", script.as_bytes()),
            ("events.sh", events),
            ("run.rs", rust.as_bytes()),
            ("icelakex.json", tasks),
            ("tasks.json", tasks),
        ],
    );
    assert_eq!(
        candidates(&root, &[]),
        [
            "a.sh:1:14 right tma_frontend_bound",
            "a.sh:1:33 right IPC",
            "a.sh:2:14 right branch_misprediction_ratio",
            "a.sh:2:41 not-on-this-cpu TopdownL1",
            "a.sh:2:51 open nobodys",
            "a.sh:3:21 not-on-this-cpu PipelineL1",
            "a.sh:3:21 right PipelineL1",
            "a.sh:3:32 right insn_per_cycle",
            "a.sh:3:32 right insn_per_cycle",
            "a.sh:3:47 right all",
            "a.sh:3:47 right all",
            "a.sh:4:14 open ipc",
            "a.sh:6:14 not-on-this-cpu frontend_bound",
            "a.sh:6:29 not-on-this-cpu backend_bound",
            "a.sh:7:14 open r412e",
            "a.sh:7:20 open inst_retired.any",
            "a.sh:8:7 open tma_fronted_bound",
            "events.sh:1:14 right ex_ret_instr",
            "events.sh:1:35 not-on-this-cpu r3f24",
            "events.sh:2:16 open l1d_cache_refill",
            "events.sh:2:33 right inst_retired.any",
            "icelakex.json:1:29 right tma_retiring",
            "icelakex.json:1:42 open l3_fill",
            "run.rs:3:31 not-on-this-cpu tma_retiring",
            "run.rs:6:38 right tma_retiring",
            "tasks.json:1:29 open tma_retiring",
            "tasks.json:1:42 open l3_fill",
        ]
    );
    let (_, all) = objects(&root, &[]);
    let evidence = |text: &str| -> String {
        let of = all.iter().find(|one| one["text"] == text && one["cpu"] != Value::Null);
        of.and_then(|one| one["evidence"].as_str()).expect("a sentence").to_string()
    };
    for (text, start, end) in [
        (
            "tma_fronted_bound",
            "no table has a metric or a group of this name",
            "; the nearest here is tma_frontend_bound",
        ),
        ("TopdownL1", "only on ampere/ampereone, ", " more"),
        ("nobodys", "no table has a metric or a group of this name", ""),
        ("all", "", " metrics of the CPU"),
    ] {
        let evidence = evidence(text);
        assert!(evidence.starts_with(start) && evidence.ends_with(end), "{text}: {evidence}");
    }
}

/// A quantity that has one name on every CPU, where a CPU cannot count it: the reason is said.
#[test]
fn metrics_that_cannot_be() {
    let lacking = x86::AMDZEN1.lacking().next().expect("there is one");
    let text = format!("perf stat -M {} # zen1\n", lacking.0);
    let root = project("lacking", &[("a.sh", text.as_bytes())]);
    let (code, all) = objects(&root, &[]);
    let expected = format!("the CPU cannot count it: {}", lacking.1);
    assert_eq!(
        (code, &all[0]["verdict"], &all[0]["evidence"]),
        (Some(1), &json!("not-on-this-cpu"), &json!(expected))
    );
}

/// Metrics in what perf and toplev print for programs.
#[test]
fn metrics_of_outputs() {
    let stat = b"\
{\"counter-value\" : \"1.0\", \"event\" : \"inst_retired.any\", \"metric-value\" : \"25.1\", \"metric-unit\" : \"%  tma_retiring\"}
{\"metric-value\" : \"0.5\", \"metric-unit\" : \"ipc\"}
{\"metric-value\" : \"0.5\", \"metric-unit\" : \"insn per cycle\"}
{\"metric-value\" : \"0.5\", \"metric-unit\" : \"K/sec\"}
{\"metric-value\" : \"0.5\", \"metric-unit\" : \"GHz\"}
{\"metric-value\" : \"0.5\", \"metric-unit\" : \"%  nobodys\"}
{\"metric-value\" : \"0.5\", \"metric-unit\" : \"%  l2_hit\\u0020\"}
{\"metric-value\" : \"none\"}
";
    let only = b"{\"%  tma_retiring\" : \"25.1\", \"%  branch_misprediction_ratio\" : \"0\", \"ipc\" : \"1\", \"a  b\": \"2\"}\n";
    let csv = b"\
# 4.8-full on Intel(R) Xeon(R) Platinum
Timestamp,CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle
1.0,CPU0,Frontend_Bound,20.1,% Slots,\"a, b\",FRONTEND_RETIRED.LATENCY_GE_4:pp,,,,
1.0,CPU0,Backend_Bound.Memory_Bound.L1_Bound,20.1,% Stalls,,,,,<==,
1.0,CPU0,CoreIPC,1.5,Metric,,,,,,
1.0,CPU0,Nobodys_Node,1.5,Metric,,,,,,
1.0,CPU0
# 4.8-full
";
    let columns = b"Area;Node;CPU0;Description;Sample;Stddev;Multiplex\nFE;Frontend_Bound;1;;;;\n";
    let other = b"Area,Node\nFE,Frontend_Bound\n";
    let trace = br#"[
{"name": "CPU0 Level1", "ph": "C", "pid": 0, "ts": 1.0, "args": {"Frontend_Bound": 20.1, "Retiring": 1}},
{"name": "CPU0 Frontend_Bound", "ph": "C", "pid": 0, "ts": 1.0, "args": {"Frontend_Bound.Fetch_Latency": 20.1}},
{"name": "x", "ph": "X", "args": {"Retiring.x": 1}}
]"#;
    let no_trace =
        br#"[{"name": "cats", "ph": "C", "pid": 0, "ts": 1.0, "args": {"Fetch_Latency": 20.1}}]"#;
    let root = project(
        "outputs",
        &[
            ("skylake/a-stat.json", stat),
            ("skylake/b-only.json", only),
            ("skylake/c.csv", csv),
            ("skylake/d.csv", columns),
            ("skylake/e.csv", other),
            ("skylake/f.json", trace),
            ("skylake/g.json", no_trace),
            ("zen4/a-stat.json", stat),
            ("zen4/c.csv", csv),
        ],
    );
    assert_eq!(
        candidates(&root, &[]),
        [
            "skylake/a-stat.json:1:38 right inst_retired.any",
            "skylake/a-stat.json:1:102 right tma_retiring",
            "skylake/a-stat.json:2:43 right ipc",
            "skylake/a-stat.json:6:46 open nobodys",
            "skylake/b-only.json:1:6 right tma_retiring",
            "skylake/b-only.json:1:34 not-on-this-cpu branch_misprediction_ratio",
            "skylake/c.csv:3:10 right Frontend_Bound",
            "skylake/c.csv:3:45 right FRONTEND_RETIRED.LATENCY_GE_4",
            "skylake/c.csv:4:10 right Backend_Bound.Memory_Bound.L1_Bound",
            "skylake/c.csv:5:10 right CoreIPC",
            "skylake/c.csv:6:10 open Nobodys_Node",
            "skylake/d.csv:2:4 right Frontend_Bound",
            "skylake/f.json:2:67 right Frontend_Bound",
            "skylake/f.json:2:91 right Retiring",
            "skylake/f.json:3:75 right Frontend_Bound.Fetch_Latency",
            "zen4/a-stat.json:1:38 not-on-this-cpu inst_retired.any",
            "zen4/a-stat.json:1:102 not-on-this-cpu tma_retiring",
            "zen4/a-stat.json:2:43 right ipc",
            "zen4/a-stat.json:6:46 open nobodys",
            "zen4/c.csv:3:10 not-on-this-cpu Frontend_Bound",
            "zen4/c.csv:3:45 not-on-this-cpu FRONTEND_RETIRED.LATENCY_GE_4",
            "zen4/c.csv:4:10 not-on-this-cpu Backend_Bound.Memory_Bound.L1_Bound",
            "zen4/c.csv:5:10 not-on-this-cpu CoreIPC",
            "zen4/c.csv:6:10 open Nobodys_Node",
        ]
    );
}

/// Sections of configuration files.
#[test]
fn sections() {
    let toml = b"top = \"r08\"\n[neoverse-n1]\nevents = [\"r08\", \"l1d_cache_refill\"]\n\n\
        [[skylake.events]]\ncode = \"r3f24\"\n[other]\ncode = \"r3f24\"\n  [ zen4 ]\n  code = \"r0844\"\n";
    let root = project("sections", &[("a.toml", toml)]);
    assert_eq!(
        candidates(&root, &[]),
        [
            "a.toml:1:8 open r08",
            "a.toml:3:12 right r08",
            "a.toml:3:19 right l1d_cache_refill",
            "a.toml:6:9 right r3f24",
            "a.toml:8:9 open r3f24",
            "a.toml:10:11 right r0844",
        ]
    );
}

/// Names without a dot, as Arm and POWER have them.
#[test]
fn names_without_a_dot() {
    let text = "count(neoverse_n1, \"l1d_cache_refill\", l1d_cache, \"my_name\");\n\
        count(power9, 'PM_RUN_INST_CMPL', 'PM_NO_SUCH');\ncount(power9, \"l1d_cache_refill\");\n";
    let root = project("no-dot", &[("a.py", text.as_bytes())]);
    assert_eq!(
        candidates(&root, &[]),
        [
            "a.py:1:21 right l1d_cache_refill",
            "a.py:2:16 right PM_RUN_INST_CMPL",
            "a.py:3:16 open l1d_cache_refill",
        ]
    );
}

/// PMUs outside the cores, by their names and by those that perf takes for them.
#[test]
fn codes_outside_the_cores() {
    let text = "\
sapphirerapids \"uncore_cha/event=0x1/\"
sapphirerapids \"imc/event=0x5,umask=0xcf,name=UNC_M_CAS_COUNT.RD/\"
sapphirerapids \"uncore_imc_0/event=0x5,umask=0xf0,name=UNC_M_CAS_COUNT.RD/\"
sapphirerapids \"uncore_imc/event=0x5,umask=0xf0,name=my_writes/\"
sapphirerapids \"uncore_cha/event=0xfe,umask=0x7/\"
sapphirerapids \"uncore_cha/event=0x1,no_such=1/\"
sapphirerapids \"uncore_fan/event=0x1/\"
zen4 \"l3/event=0x4,umask=0x1,enallcores=0x1,threadmask=0x3,name='l3_lookup_state.l3_miss'/\"
zen4 \"amd_l3/event=0x4,umask=0x1,name='l3_lookup_state.l3_hit'/\"
";
    let root = project("uncore", &[("a.sh", text.as_bytes())]);
    let (_, all) = objects(&root, &[]);
    let found: Vec<&str> = all.iter().filter_map(|one| one["verdict"].as_str()).collect();
    let expected = ["right", "right", "another-event", "own-name", "open", "open", "open"];
    assert_eq!(found[..7], expected, "{all:#?}");
    assert_eq!(found[7..], ["right", "another-event"], "{all:#?}");
    let evidence = all[2]["evidence"].as_str().expect("a sentence");
    assert!(evidence.contains(" counts UNC_M_CAS_COUNT.WR; UNC_M_CAS_COUNT.RD is "), "{evidence}");
}

/// A line with two CPUs is judged for both; a file with two in its name for none.
#[test]
fn two_cpus() {
    let line = b"case SKYLAKE: case ICELAKE: use(0x5101c4);\n";
    let list = b"EVENT_L2_RQSTS 0x24 PMC\nUMASK_L2_RQSTS_MISS 0x3f\n";
    let root = project("two", &[("a.c", line), ("skylake_haswell_events.txt", list)]);
    let (_, all) = objects(&root, &[]);
    let found: Vec<_> = all.iter().filter(|one| one["kind"] == "candidate").collect();
    let verdicts: Vec<_> = found
        .iter()
        .map(|one| (one["cpu"].as_str(), one["verdict"].as_str().expect("a word")))
        .collect();
    assert_eq!(
        verdicts,
        [(Some("x86/skylake"), "right"), (Some("x86/icelake"), "right"), (None, "open")]
    );
}

/// Names and codes of another vendor.
#[test]
fn other_vendors() {
    let tree = br#"{ "events": ["L2_RQSTS.MISS", "ex_ret_instr"] }"#;
    let root = project("vendors", &[("zen4.json", tree)]);
    let (code, all) = objects(&root, &[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        (&all[0]["verdict"], &all[1]["verdict"]),
        (&json!("not-on-this-cpu"), &json!("right"))
    );
    assert!(
        all[0]["evidence"].as_str().expect("a sentence").contains("another vendor"),
        "{}",
        all[0]
    );
}

/// Names that no table of the CPU has: the reasons are true.
#[test]
fn names_without_a_verdict() {
    let stat = b"{\"event\" : \"cycles\"}\n{\"event\" : \"page-faults\"}\n\
        {\"event\" : \"ex_ret_instr\"}\n{\"event\" : \"NO_SUCH.EVENT\", \"x\": \"BR_INST_RETIRED.NO_SUCH\"}\n";
    let root = project("reasons", &[("skylake.json", stat)]);
    let (_, all) = objects(&root, &[]);
    let found: Vec<_> = all
        .iter()
        .filter(|one| one["kind"] == "candidate")
        .map(|one| (one["verdict"].as_str(), one["evidence"].as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (Some("open"), Some("the kernel chooses an event of the CPU for cpu-cycles or cycles")),
            (Some("right"), Some("page-faults or faults, on each CPU")),
            (Some("open"), Some("an event of amdzen1, another vendor's CPU")),
            (Some("open"), Some("no table has an event of this name")),
        ]
    );
}

/// A map file is right or wrong with its reader.
#[test]
fn map_files_and_their_readers() {
    let map = b"Family-model,Version,Filename,EventType\n\
        AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]]),v1,old,core\n\
        AuthenticAMD-25-[[:xdigit:]]+,v1,new,core\n";
    let events = br#"[{ "EventName": "ex_ret_instr", "EventCode": "0xc0" }]"#;
    let tree = [
        ("x86/mapfile.csv", &map[..]),
        ("x86/old/core.json", &events[..]),
        ("x86/new/core.json", &events[..]),
    ];
    let anywhere = b"let map = get(\"mapfile.csv\");\nif Regex::new(one)?.is_match(&cpuid) {\n";
    let whole = b"let map = get(\"mapfile.csv\");\nif Regex::new(&format!(\"^{one}$\"))?.is_match(&cpuid) {\n";
    let of = |name: &str, reader: &[u8]| {
        let root = project(name, &[&tree[..], &[("src/map.rs", reader)]].concat());
        let (code, all) = objects(&root, &[]);
        let is_it = |one: &&Value| one["verdict"] == "another-model";
        (code, all.iter().filter(is_it).cloned().collect::<Vec<_>>())
    };
    let (code, found) = of("map-anywhere", anywhere);
    assert_eq!((code, found.len()), (Some(1), 1), "{found:?}");
    assert_eq!((&found[0]["path"], &found[0]["line"]), (&json!("./x86/mapfile.csv"), &json!(2)));
    let evidence = found[0]["evidence"].as_str().expect("a sentence");
    assert!(
        evidence.starts_with("./src/map.rs:2 finds the pattern in a part of the CPUID: "),
        "{evidence}"
    );
    assert!(evidence.ends_with(" of new become old"), "{evidence}");
    assert_eq!(of("map-whole", whole), (Some(0), vec![]));
}

#[test]
fn deprecated_events_are_warnings() {
    let root =
        project("deprecated", &[("icelakex.json", br#"["MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT"]"#)]);
    let Run { code, out, err } = audit(&root, &[]);
    assert!(
        out.contains(": deprecated: MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT (x86/icelakex): "),
        "{out}{err}"
    );
    assert_eq!(code, Some(3));
}

#[test]
fn text_that_is_none() {
    let mut huge = vec![b'x'; 3 << 20];
    let long = format!("{{\n\"event\": \"{}\" }}", "r3c,".repeat(1 << 15));
    huge.extend_from_slice(b" 0x5101c4 skylake\nskylake 0x5101c4\n");
    let root = project(
        "odd",
        &[
            ("binary", b"\x7fELF\0\0r412e"),
            ("empty", b""),
            ("huge", &huge),
            ("long.json", long.as_bytes()),
            ("latin1.c", b"// skylake \xe9: 0x5101c4\n"),
            (".hidden", b"skylake 0x5101c4\n"),
            ("broken.json", b"{ \"events\": [ \"cpu/event=0x3c/\", \n"),
            ("nested.json", &[b"[".repeat(200_000), b"]".repeat(200_000)].concat()),
        ],
    );
    let (code, all) = objects(&root, &[]);
    let no_text: Vec<_> = all.iter().filter(|one| one["kind"] == "no_text").collect();
    let places: Vec<_> = no_text.iter().map(|one| (&one["path"], &one["line"])).collect();
    assert_eq!(
        places,
        [
            (&json!("./binary"), &Value::Null),
            (&json!("./huge"), &json!(1)),
            (&json!("./long.json"), &json!(2)),
            (&json!("./nested.json"), &json!(1)),
        ]
    );
    let text = audit(&root, &[]).out;
    for line in ["\n./binary: has no text\n", "\n./huge:1: is too long to be read\n"] {
        assert!(text.contains(line), "{text}");
    }
    let sarif = audit(&root, &["--format", "sarif"]).out;
    assert!(sarif.contains("the line is too long to be read"), "{sarif}");
    assert_eq!(
        candidates(&root, &[]),
        [
            "broken.json:1:16 open cpu/event=0x3c/",
            "huge:2:9 right 0x5101c4",
            "latin1.c:1:15 right 0x5101c4",
        ]
    );
    assert_eq!(code, Some(0));

    let missing = run::finish(run::command().args(["audit", "/nonexistent"]));
    assert_eq!(missing.code, Some(1));
    assert!(
        missing.err.starts_with("pmu audit: /nonexistent: cannot be read: "),
        "{}",
        missing.err
    );
    for (arguments, status) in [(&["audit"][..], 2), (&["audit", "--model", "no", "."], 1)] {
        assert_eq!(run::finish(run::command().args(arguments)).code, Some(status), "{arguments:?}");
    }
}

#[test]
fn text_says_what_it_could_not_place() {
    let root = project("open", &[("a.sh", b"perf stat -e r412e true\n")]);
    let Run { code, out, .. } = audit(&root, &[]);
    let expected = "\
without a verdict, for want of a CPU: 1
  ./a.sh:1:14: r412e
1 file: no finding; 0 right, 1 without a verdict
";
    assert_eq!((code, out.as_str()), (Some(0), expected));
}

#[test]
fn sarif() {
    let line = "µ icelake 0x5100ff skylake\nperf stat -e r412e\n";
    let root = project("sarif", &[("a b.c", line.as_bytes())]);
    let Run { code, out, err } = audit(&root, &["--format", "sarif"]);
    assert_eq!(code, Some(1), "{err}");
    let log: Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(log["version"], json!("2.1.0"));
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("a list");
    assert_eq!(results.len(), 2, "{out}");
    let rule = results[0]["ruleIndex"].as_u64().expect("a number") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], results[0]["ruleId"]);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], json!("a%20b.c"));
    assert_eq!(place["region"], json!({ "startLine": 1, "startColumn": 11, "endColumn": 19 }));
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
    assert_eq!(notes.len(), 1, "{out}");
}
