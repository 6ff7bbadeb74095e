//! The keys of the output for programs, as real runs have them: `api/json` lists them, so that
//! every change is seen in review. `.ci/api --write` writes the listings anew.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)]
#[path = "../../tests/common/recording.rs"]
mod recording;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;

/// With this variable, the listings are written instead of compared.
const WRITES: &str = "PMU_EVENTS_WRITES_LISTINGS";

/// Objects whose keys are names of terms.
const OF_TERMS: [&str; 3] = ["terms", "differs", "config_terms[]"];

const SAPPHIRE_RAPIDS: &str = "GenuineIntel-6-8F-4";
/// An error of the sources hides an event's code from perf.
const WITH_ERRORS: &str = "GenuineIntel-6-55-4";
/// Newer than the table that it gets.
const LATER: &str = "AuthenticAMD-26-128-0";

/// What a key has as values, and in how many objects of those above it.
#[derive(Default)]
struct Key {
    types: BTreeSet<&'static str>,
    count: usize,
}

/// The keys of some objects, by path.
#[derive(Default)]
struct Keys {
    /// Those of events within other objects.
    of_events: BTreeSet<String>,
    /// How many objects there are of a path.
    objects: BTreeMap<String, usize>,
    keys: BTreeMap<String, Key>,
}

impl Keys {
    fn add(&mut self, line: &str) {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let kind = value["kind"].as_str().map(|kind| format!("{kind}."));
        self.object(&kind.unwrap_or_default(), &value);
    }

    fn object(&mut self, path: &str, object: &Value) {
        *self.objects.entry(path.into()).or_default() += 1;
        let parent = path.trim_end_matches('.').rsplit('.').next().unwrap_or_default();
        let is_of_terms = OF_TERMS.contains(&parent);
        let mut seen = BTreeSet::new();
        for (key, value) in object.as_object().expect("it is an object") {
            // Each of these takes its own place.
            let key = if is_of_terms && key != "weak" { "*" } else { key };
            let key = format!("{path}{key}");
            self.value(&key, value);
            if seen.insert(key.clone()) {
                self.keys.entry(key).or_default().count += 1;
            }
        }
    }

    fn value(&mut self, path: &str, value: &Value) {
        let types = &mut self.keys.entry(path.into()).or_default().types;
        match value {
            Value::Null => _ = types.insert("null"),
            Value::Bool(_) => _ = types.insert("boolean"),
            Value::Number(_) => _ = types.insert("number"),
            Value::String(_) => _ = types.insert("string"),
            Value::Array(values) => {
                types.insert("array");
                for value in values {
                    self.value(&format!("{path}[]"), value);
                }
            }
            Value::Object(object) if object.contains_key("vendor_event_string") => {
                types.insert("event");
                // One that is only near says how it differs.
                let (further, own) =
                    object.clone().into_iter().partition(|(key, _)| key == "differs");
                self.of_events.extend(Map::into_iter(own).map(|(key, _)| key));
                self.object(&format!("{path}."), &Value::Object(further));
            }
            Value::Object(_) => {
                types.insert("object");
                self.object(&format!("{path}."), value);
            }
        }
    }

    /// A line for each key; `?` where some objects lack it.
    fn listing(&self) -> String {
        let mut listing = String::new();
        for (path, Key { types, count }) in &self.keys {
            let parent = path.rfind('.').map_or("", |end| &path[..=end]);
            let is_element = path.ends_with("[]");
            let is_always = is_element || self.objects[parent] == *count;
            let types: Vec<&str> = types.iter().copied().collect();
            let mark = if is_always { "" } else { "?" };
            writeln!(listing, "{path}{mark}: {}", types.join(" | ")).expect("it is a string");
        }
        listing
    }

    /// Compares them with the listing of a command.
    fn assert_listed(&self, command: &str) {
        let file = Path::new("../api/json").join(command).with_extension("txt");
        let now = self.listing();
        if std::env::var_os(WRITES).is_some() {
            return fs::write(&file, now).expect("the listing can be written");
        }
        let listed = fs::read_to_string(&file).unwrap_or_default();
        let (before, after): (BTreeSet<_>, BTreeSet<_>) =
            (listed.lines().collect(), now.lines().collect());
        let gone: Vec<_> = before.difference(&after).collect();
        let new: Vec<_> = after.difference(&before).collect();
        assert!(
            gone.is_empty() && new.is_empty(),
            "{}: gone: {gone:#?}\nnew: {new:#?}\nif that is meant: .ci/api --write",
            file.display(),
        );
    }
}

fn pmu(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu"));
    command.args(arguments).env_remove("PERF_CPUID").env_remove("SYSFS_PATH");
    command
}

/// The objects that a command prints.
fn lines(command: &mut Command) -> Vec<String> {
    let output = command.output().expect("it runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("it is UTF-8");
    let objects: Vec<String> =
        text.lines().filter(|line| line.starts_with('{')).map(String::from).collect();
    assert!(!objects.is_empty(), "{command:?}: {text}");
    objects
}

fn keys(lines: impl IntoIterator<Item = String>) -> Keys {
    let mut keys = Keys::default();
    for line in lines {
        keys.add(&line);
    }
    keys
}

/// The objects that a command prints on a made-up machine.
fn on(machine: &Machine, arguments: &[&str]) -> Vec<String> {
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    lines(pmu(arguments).args(["--sysfs", root]))
}

#[test]
fn list() {
    let machine = Machine::named("tracing");
    let events = [
        &["list", "--json", "--deprecated", "--cpuid", SAPPHIRE_RAPIDS][..],
        &["list", "--json", "--deprecated", "--cpuid", WITH_ERRORS],
        &["list", "--json", "--cpuid", OF_GRANITE_RAPIDS],
        &["list", "--json", "metricgroups", "--cpuid", SAPPHIRE_RAPIDS],
        &["list", "--json", "--cpuid", LATER, "ex_ret_instr"],
    ];
    let mut all = events.map(|arguments| on(&machine, arguments)).concat();
    for tables in [&["--models"][..], &["--sys", "hnf_cache_miss"]] {
        all.append(&mut lines(pmu(&["list", "--json"]).args(tables)));
    }
    keys(all).assert_listed("list");
}

#[test]
fn encode() {
    let of_sapphire_rapids = [
        "{inst_retired.any,cycles}:u,page-faults,rf4,msr/tsc/",
        "cycles/period=7,name=x,metric-id=y,call-graph=fp,percore/,mem:0x10/8:w",
        "mem_trans_retired.load_latency_gt_8:pp",
        "cyles",
    ];
    let of_mesh = ["arm_cmn_0/hnf_cache_miss,nodeid=0x78/"];
    let encode = |machine: &str, cpuid: &str, events: &[&str]| {
        on(&Machine::named(machine), &[&["encode", "--json", "--cpuid", cpuid], events].concat())
    };
    let runs = [
        encode("sapphirerapids", SAPPHIRE_RAPIDS, &of_sapphire_rapids),
        encode("skylakex", WITH_ERRORS, &["unc_m_rpq_inserts,unc_cha_llc_lookup.any"]),
        encode("two-meshes", "0x00000000413fd0c1", &of_mesh),
        encode("zen4", LATER, &["cycles"]),
    ];
    keys(runs.concat()).assert_listed("encode");
}

#[test]
fn report() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/little.data");
    let file = file.to_str().expect("it is text");
    let all = "comm,pid,tid,cpu,module,function,line";
    let runs = [
        lines(pmu(&["report", "--json", "-i", file]).args(["--children", "--sort", all])),
        lines(&mut pmu(&["report", "--json", "-i", file, "--sort", "comm"])),
        accesses(),
    ];
    keys(runs.concat()).assert_listed("report");
}

/// Of a sample that says what it accessed.
fn accesses() -> Vec<String> {
    use recording::{ADDR, DATA_SOURCE, OF_USER, PAGE_SIZE, PHYSICAL_ADDRESS, Recording, WEIGHTS};
    let fields = ADDR | WEIGHTS | DATA_SOURCE | PHYSICAL_ADDRESS | PAGE_SIZE;
    let mut recording = Recording::new(fields);
    recording.sample(OF_USER, 0x1000, Some(0x2000), &[7, 2, 0x3000, 4096]);
    let file = std::env::temp_dir().join(format!("pmu-json-keys-{}", std::process::id()));
    fs::write(&file, recording.bytes()).expect("it can be written");
    let all = "data,data-module,cache-line,physical-address,page-size,memory,snoop,tlb,locked,\
               blocked,weight,latency,retire-latency";
    let path = file.to_str().expect("it is text");
    let found = lines(&mut pmu(&["report", "--json", "--mem-mode", "-i", path, "--sort", all]));
    let _ = fs::remove_file(&file);
    found
}

#[test]
fn decode() {
    let runs = [
        &["decode", "--json", "--cpuid", SAPPHIRE_RAPIDS, "r1c0", "r13c", "r1bad"][..],
        &["decode", "--json", "--cpuid", WITH_ERRORS, "r3c", "rc0"],
        &["decode", "--json", "--cpuid", LATER, "rc0"],
        // Conditions, a sum that is a part of an event, and control bits.
        &["decode", "--json", "--cpuid", SAPPHIRE_RAPIDS, "r101003c", "r2324", "r5111c4"],
    ];
    let machine = Machine::named("sapphirerapids");
    let runs = runs.map(|arguments| on(&machine, arguments));
    let keys = keys(runs.concat());
    keys.assert_listed("decode");
    // Events have the keys that `pmu list` has.
    let listed = lines(&mut pmu(&["list", "--json", "--model=sapphirerapids", "inst_retired.any"]));
    let event: Value = serde_json::from_str(&listed[0]).expect("it is an object");
    let listed = event.as_object().expect("it is an object").keys();
    let listed: BTreeSet<&String> = listed.filter(|key| *key != "kind").collect();
    assert_eq!(keys.of_events.iter().collect::<BTreeSet<_>>(), listed);
}

#[test]
fn audit() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("json-keys-audit");
    fs::create_dir_all(&root).expect("it can be made");
    let list = "EVENT_L2_RQSTS 0x24 PMC\nUMASK_L2_RQSTS_MISS 0x3f\nUMASK_L2_RQSTS_REFERENCES 0x1\n";
    let long = "x".repeat(1 << 17);
    for (name, content) in [
        ("long", long.as_str()),
        ("perfmon_skylake_events.txt", list),
        ("source.c", "\"r412e\"; skylake(0x5101c4);\n\"r412e\"\n"),
        ("binary", "\0"),
    ] {
        fs::write(root.join(name), content).expect("it can be written");
    }
    let objects = lines(pmu(&["audit", "--format", "json", "--all"]).arg(&root));
    keys(objects).assert_listed("audit");
}

const SYSFS: &str = "/devices/system/cpu/online\t0-1\n/devices/system/cpu/present\t0-1\n\
    /devices/system/cpu/cpu0/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu0/topology/core_id\t0\n\
    /devices/system/cpu/cpu1/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu1/topology/core_id\t1\n\
    software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\n\
    uncore_imc_0/type\t20\nuncore_imc_0/cpumask\t0\nuncore_imc_0/format/event\tconfig:0-7\n\
    uncore_imc_1/type\t21\nuncore_imc_1/cpumask\t1\nuncore_imc_1/format/event\tconfig:0-7";

/// One of the memory controllers has no such event.
const SCENARIO: &str = "cpus 2\npmu 4 core counters=2\npmu 20 uncore counters=2 cpus=0\n\
    pmu 21 uncore counters=2 cpus=1\nprogram cpu=0 us=30000\nprogram cpu=1 us=90000\n\
    rate 4 config=1 user=1000\nrate 4 config=2 user=10\nrate 4 config=3 user=7\n\
    rate 1 config=2 user=2\nrate 20 config=1 user=5\nrefuse 21 errno=2\n";

/// A thread of Granite Rapids that loads from its own memory.
const GRANITE_RAPIDS: &str = "cpus 8\npmu 4 core counters=60\nprogram cpu=0 us=1000000\n\
    rate 4 config=0x3c user=3620\nrate 4 config=0x1d3 user=8\n";
const OF_GRANITE_RAPIDS: &str = "GenuineIntel-6-AD-1";

#[test]
fn stat() {
    let small = Machine::of(SYSFS);
    let of_small = |cpuid: &str, arguments: &[&str]| {
        let all = [&["stat", "-j"], arguments, &["true"]].concat();
        lines(simulated::pmu(&small, cpuid, SCENARIO).args(all))
    };
    let large = Machine::named("sapphirerapids");
    let of_large = |arguments: &[&str]| {
        let all = [&["stat", "-j"], arguments, &["true"]].concat();
        lines(simulated::pmu(&large, OF_GRANITE_RAPIDS, GRANITE_RAPIDS).args(all))
    };
    let metric = "m = cpu@event\\=1@ / cpu@event\\=2@ + page\\-faults";
    let runs = [
        of_small("none", &["-e", "cpu/event=1/,uncore_imc/event=1/,task-clock,page-faults"]),
        of_small("none", &["-r", "2", "-e", "cpu/event=1/"]),
        of_small("none", &["-a", "-A", "-e", "cpu/event=1/"]),
        of_small("none", &["-a", "--per-core", "-e", "cpu/event=1/"]),
        of_small("none", &["-a", "--per-socket", "-e", "cpu/event=1/"]),
        of_small("none", &["-a", "--per-die", "-e", "cpu/event=1/"]),
        of_small("none", &["-a", "--per-cluster", "-e", "cpu/event=1/"]),
        of_small("none", &["-a", "--per-cache", "-e", "cpu/event=1/"]),
        of_small("none", &["-a", "--per-node", "-e", "cpu/event=1/"]),
        of_small(
            "none",
            &["-p", &std::process::id().to_string(), "--per-thread", "-e", "cpu/event=1/"],
        ),
        of_small("none", &["-I", "50", "-e", "cpu/event=1/"]),
        of_small("none", &["--metric", metric]),
        of_small(LATER, &["-e", "duration_time"]),
        of_large(&["-M", "tma_local_mem,ipc"]),
        of_large(&["-M", "TopdownL1"]),
    ];
    keys(runs.concat()).assert_listed("stat");
}

#[test]
fn topdown() {
    let machine = Machine::named("sapphirerapids");
    let of = |arguments: &[&str]| {
        let all = [&["topdown", "--json", "--single-run", "--level", "2"], arguments].concat();
        let mut command = simulated::pmu(&machine, OF_GRANITE_RAPIDS, GRANITE_RAPIDS);
        lines(command.args(all))
    };
    let runs = [
        of(&["--all", "true"]),
        of(&["--bottlenecks", "true"]),
        of(&["-I", "100", "true"]),
        of(&["-a", "-A", "true"]),
        of(&["--sample", "true"]),
    ];
    keys(runs.concat()).assert_listed("topdown");
}

#[test]
fn doctor() {
    let machine = Machine::of(SYSFS);
    let events = "cycles:u,cpu/event=1/,nothing";
    let of_small = |cpuid: &str, scenario: &str, arguments: &[&str]| {
        let all = [&["doctor", "--json"], arguments].concat();
        lines(simulated::pmu(&machine, cpuid, scenario).args(all))
    };
    let own = format!("{SCENARIO}own us=50\n");
    let refused = format!("{own}refuse 0 errno=13\n");
    let runs = [
        of_small("none", &own, &[events, "--budget", "cycles:u,nothing"]),
        of_small("none", &refused, &["cycles:u"]),
        of_small(LATER, &own, &["cycles:u"]),
        lines(&mut pmu(&["doctor", "--json", "--model=amdzen4", "--budget=ex_ret_instr"])),
    ];
    keys(runs.concat()).assert_listed("doctor");
}

#[test]
fn lint() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("json-keys");
    fs::create_dir_all(root.join("w1")).expect("the scratch directory can be written");
    let map = "Family-model,Version,Filename,EventType\nw-1,v1,w1,core\n";
    fs::write(root.join("mapfile.csv"), map).expect("it can be written");
    let events = r#"[{"EventName": "HIT", "EventCode": "ff"}]"#;
    fs::write(root.join("w1/cache.json"), events).expect("it can be written");
    let broken = root.to_str().expect("it is UTF-8");
    let stacks = "../tests/trees/topdown";
    let runs = [&["lint", "--json", broken][..], &["lint", "--json", "--hierarchy", stacks]];
    keys(runs.iter().flat_map(|run| lines(&mut pmu(run)))).assert_listed("lint");
}
