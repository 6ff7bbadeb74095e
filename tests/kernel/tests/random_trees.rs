//! Event trees made at random: the compiler's tables against jevents', event by
//! event. `PMU_EVENTS_SEED` chooses other trees, `PMU_EVENTS_TREES` how many.

use std::fs;
use std::path::{Path, PathBuf};

use pmu_events::__private::pmu;
use pmu_events_kernel_comparison as comparison;
use serde_json::{Map, Value, json};

use comparison::compiled::compiled;
use comparison::difference;
use comparison::{kernel_root, lookups, reference, tables};

/// A small generator (xorshift64*): the same trees on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn number(&mut self) -> u64 {
        let bits = self.below(33);
        (self.below(1 << 31) as u64) >> (32 - bits).min(30)
    }

    /// As Python's `int(text, 0)` takes it.
    fn code(&mut self) -> String {
        let number = self.number();
        match self.below(6) {
            0 => format!("{number}"),
            1 => format!("0x{number:X}"),
            2 => format!("0X{number:x}"),
            3 => format!("0b{number:b}"),
            4 => format!(" 0x{number:x} "),
            _ => format!("{number:#x}"),
        }
    }

    /// As jevents takes a field: decimal, or hexadecimal with a small `0x`.
    fn field(&mut self) -> String {
        let number = self.number();
        match self.below(4) {
            0 => format!("{number}"),
            1 => format!("0x{number:02X}"),
            2 => format!("00{number}"),
            _ => format!("{number:#x}"),
        }
    }

    fn text(&mut self) -> String {
        const WORDS: &[&str] = &[
            "Counts",
            "the",
            "cycles",
            "é",
            "a \"quoted\" word",
            "100%",
            "x\ny",
            "tab\t",
            "(Precise Event)",
            "e.g.",
            "two  spaces",
            "r\r",
            "😀",
            "`",
            "0",
            "of",
            "a",
            "path/name",
        ];
        let mut text = (0..self.below(8)).map(|_| self.of(WORDS)).collect::<Vec<_>>().join(" ");
        text.push_str(self.of(&["", ".", ". ", ".  ", "..", " ."]));
        text
    }
}

const FIELDS: &[&str] = &[
    "AnyThread",
    "PortMask",
    "CounterMask",
    "EdgeDetect",
    "FCMask",
    "Invert",
    "SampleAfterValue",
    "UMask",
    "NodeType",
    "RdWrMask",
    "EnAllCores",
    "EnAllSlices",
    "SliceId",
    "ThreadMask",
];

const FORMULAS: &[&str] = &[
    "A / B",
    "A if B > 1 else C",
    "min(A, B) + max(C, 2)",
    "d_ratio(A, B)",
    "A * 100 % B",
    "(A & B) | C",
    "1 - A",
    "A if #smt_on else 0",
    "has_event(A) * B",
    "A:k + cpu@B\\,cmask\\=1@",
];

/// An event or metric; `number` makes its name the only one of its kind.
fn object(random: &mut Random, number: usize, standards: usize) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| _ = object.insert(key.to_owned(), value);
    let is_metric = random.one_in(8);
    if is_metric {
        put("MetricName", format!("{}_{number}", random.of(&["metric", "Ratio"])).into());
        put("MetricExpr", random.of(FORMULAS).into());
        if random.one_in(3) {
            put("MetricThreshold", format!("{} > 0.1", random.of(&["A", "B", "A / C"])).into());
        }
        if random.one_in(2) {
            put("MetricGroup", random.of(&["G1", "G1;G2", "G2;G3;G1", "G3;"]).into());
        }
        if random.one_in(4) {
            put(
                "MetricConstraint",
                random.of(&["NO_GROUP_EVENTS", "NO_NMI_WATCHDOG", "NO_GROUP_EVENTS_SMT"]).into(),
            );
        }
        if random.one_in(4) {
            put("AggregationMode", random.of(&["PerChip", "PerCore"]).into());
        }
    } else if standards > 0 && random.one_in(5) {
        put(
            "ArchStdEvent",
            format!("{}_{}", random.of(&["std", "STD"]), random.below(standards)).into(),
        );
        put("EventName", format!("OWN.{number}").into());
    } else if number < 6 && random.one_in(2) {
        let fixed = [
            "INST_RETIRED.ANY",
            "inst_retired.any_p",
            "CPU_CLK_UNHALTED.REF",
            "CPU_CLK_UNHALTED.THREAD",
            "cpu_clk_unhalted.core",
            "CPU_CLK_UNHALTED.THREAD_ANY",
        ];
        put("EventName", fixed[number].into());
    } else {
        put("EventName", format!("{}{number}", random.of(&["EVENT.", "event-", "Ev_"])).into());
    }
    if !random.one_in(8) {
        let code = random.code();
        let list = random.one_in(6);
        put("EventCode", if list { format!("{code},{}", random.code()) } else { code }.into());
    }
    for (key, rarely) in [("ConfigCode", 12), ("EventidCode", 12)] {
        if random.one_in(rarely) {
            put(key, random.code().into());
        }
    }
    if random.one_in(10) {
        put("ExtSel", random.below(9).to_string().into());
    }
    for key in FIELDS {
        if random.one_in(7) {
            put(key, random.field().into());
        }
    }
    for key in ["BriefDescription", "PublicDescription"] {
        if random.one_in(2) {
            put(key, random.text().into());
        }
    }
    let units: Vec<&str> = pmu::UNITS.iter().take(22).map(|&(unit, _)| unit).collect();
    match random.below(6) {
        0 => put("Unit", random.of(&units).into()),
        1 => put("Unit", random.of(&["CHA", "iMC", "cbo", "qpi ll", "New_Unit", ""]).into()),
        _ => {}
    }
    if random.one_in(8) {
        put(
            "MSRIndex",
            random.of(&["0x3F6", "0x1a6,0x1a7", "0x1A7", "0x3F7", "0x1a6, 0x1a7"]).into(),
        );
        put("MSRValue", random.of(&["0x10", "3", "0x3F803C0001", "007"]).into());
    }
    let optional: &[(&str, &[&str])] = &[
        ("Filter", &["edge=1", "config1=0x1", "filter_opc=0x182"]),
        ("PEBS", &["0", "1", "2", "3"]),
        ("Data_LA", &["0", "1"]),
        ("Errata", &["HSD1", "ABC 12, DEF 3"]),
        ("PerPkg", &["0", "1"]),
        ("Deprecated", &["0", "1"]),
        ("ScaleUnit", &["64Bytes", "1e-6MB/s", "100%", "64 Bytes"]),
        ("Compat", &["v1", "v[12]|w.*"]),
        // jevents does not read these.
        ("Counter", &["0,1", "0,", "0-3", "any", "FIXED", "N/A"]),
        ("Experimental", &["1", "true"]),
        ("NoSuchKey", &["x"]),
    ];
    for (key, values) in optional {
        // Ours are metrics' descriptions as they are written; no tree has notes there.
        let is_note = matches!(*key, "PEBS" | "Data_LA" | "Errata");
        if random.one_in(9) && !(is_metric && is_note) {
            put(key, random.of(values).into());
        }
    }
    if random.one_in(30) {
        put(random.of(&["Filter", "Compat", "Unit", "ScaleUnit"]), Value::Null);
    }
    object.into()
}

fn write(path: PathBuf, items: &[Value]) {
    fs::create_dir_all(path.parent().expect("it is below the tree")).expect("it can be written");
    fs::write(path, serde_json::to_string_pretty(items).expect("it is JSON"))
        .expect("it can be written");
}

/// Writes a tree of some models below a directory.
fn tree(root: &Path, random: &mut Random) {
    const STANDARDS: usize = 20;
    let standards: Vec<Value> = (0..STANDARDS)
        .map(|n| {
            let mut standard = object(random, 100 + n, 0);
            let object = standard.as_object_mut().expect("it is one");
            for key in ["MetricName", "MetricExpr", "MetricThreshold", "MetricGroup"] {
                object.remove(key);
            }
            object.insert("EventName".to_owned(), format!("STD_{n}").into());
            standard
        })
        .collect();
    write(root.join("standard.json"), &standards);
    let mut map = String::from("Family-model,Version,Filename,EventType\n");
    for model in 0..3 + random.below(5) {
        let vendor = ["", "acme/"][model % 2];
        let directory = format!("{vendor}model-{model}");
        let mut number = 0;
        // jevents puts files that sort after `sys` into the sys table.
        for file in ["cache.json", "pipe-line.json", "soc-metrics.json"] {
            let objects: Vec<Value> = (0..random.below(40))
                .map(|_| {
                    number += 1;
                    object(random, number - 1, STANDARDS)
                })
                .collect();
            write(root.join(&directory).join(file), &objects);
        }
        let always = json!({ "EventName": "ALWAYS", "EventCode": "0x1" });
        write(root.join(&directory).join("always.json"), &[always]);
        if random.one_in(2) {
            let objects: Vec<Value> = (0..10).map(|n| object(random, n, STANDARDS)).collect();
            write(root.join(&directory).join("sys/fabric.json"), &objects);
        }
        map.push_str(&format!(
            "CPU-{model}-[0-9]+,v{model},{directory},core\nEXACT-{model},v1,{directory},core\n"
        ));
    }
    fs::write(root.join("mapfile.csv"), map).expect("it can be written");
}

fn variable(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn random_trees() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let seed = variable("PMU_EVENTS_SEED", 1);
    let (mut events, mut metrics) = (0, 0);
    for number in 0..variable("PMU_EVENTS_TREES", 12) {
        let arch_dir = scratch.join(format!("random-{}", std::process::id()));
        let _ = fs::remove_dir_all(&arch_dir);
        // Expressions of powerpc match whole CPUIDs, and its jevents' rows are plain.
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ ((seed * 1_000_003 + number) as u64 + 1));
        tree(&arch_dir.join("powerpc"), &mut random);
        let arch =
            compiled(&arch_dir, "powerpc").unwrap_or_else(|report| panic!("{number}: {report}"));
        let theirs = reference::run(&kernel_root(), &arch_dir, "powerpc", scratch);
        let mut found = tables::compare(&arch, &theirs);
        found.extend(lookups::check(&arch));
        let judged = difference::judge("powerpc", &found, &[]);
        if let Some(report) = judged.report {
            panic!("seed {seed}, tree {number}, kept in {}: {report}", arch_dir.display());
        }
        events += theirs.event_count();
        metrics += theirs.metric_count();
        fs::remove_dir_all(&arch_dir).expect("it was written here");
    }
    println!("{events} events, {metrics} metrics are the same");
    assert!(events > 100 && metrics > 10, "nothing to compare");
}
