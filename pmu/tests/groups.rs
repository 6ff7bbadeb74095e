//! Every group that `pmu` opens gets counters, on a simulated kernel that accepts groups which
//! it can never schedule: it does not look at the NMI watchdog's counter when it checks one.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::ops::RangeInclusive;

use pmu_events::{Metric, Model, arch};

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;
use serde_json::Value;

/// A core PMU of Intel: general counters are the first, fixed ones follow, and perf metrics
/// have numbers of their own, as in the kernel (`INTEL_PMC_IDX_METRIC_BASE`).
struct Core {
    type_: u32,
    cpus: &'static str,
    general: u32,
    fixed: u32,
    /// Codes that only the first four counters have, for which the others are too many
    /// (`intel_icl_event_constraints` and its successors).
    lower: &'static [RangeInclusive<u64>],
}

const SKYLAKE: Core = Core { type_: 4, cpus: "0-3", general: 4, fixed: 3, lower: &[] };
const ICE_LAKE: &[RangeInclusive<u64>] = &[
    0x03..=0x0a,
    0x1f..=0x28,
    0x32..=0x32,
    0x48..=0x54,
    0x60..=0x8b,
    0xa8..=0xb0,
    0xb7..=0xbd,
    0xd0..=0xe6,
    0xf0..=0xf4,
];
const GOLDEN_COVE: &[RangeInclusive<u64>] = &[0x01..=0x2d, 0x2f..=0x3b, 0x3d..=0x8f, 0xd0..=0xdf];

impl Core {
    /// The lines of the scenario.
    fn lines(&self, has_watchdog: bool) -> String {
        let Core { type_, cpus, general, fixed, lower } = self;
        let all = (1_u64 << general) - 1;
        let bit = |number: u32| 1_u64 << (general + number);
        let metrics = general + fixed;
        let counters = metrics + if *fixed > 3 { 8 } else { 0 };
        let mut text = format!("pmu {type_} core counters={counters} cpus={cpus}\n");
        let mut add = |mask: u64, value: u64, counters: u64| {
            let line = format!(
                "constraint {type_} mask={mask:#x} value={value:#x} counters={counters:#x}\n"
            );
            text.push_str(&line);
        };
        let exactly = u64::MAX;
        // Instructions and cycles may also be on general counters; the kernel's own codes not.
        add(exactly, 0xc0, all | bit(0));
        add(exactly, 0x3c, all | bit(1));
        add(exactly, 0x300, bit(2));
        if *fixed > 3 {
            add(exactly, 0x400, bit(3));
            for metric in 0..8 {
                add(exactly, 0x8000 + 0x100 * metric, 1 << (u64::from(metrics) + metric));
            }
        }
        for code in lower.iter().cloned().flatten() {
            add(0xff, code, 0xf);
        }
        add(0, 0, all);
        if has_watchdog {
            text.push_str(&format!("taken {type_} counters={:#x}\n", bit(1)));
        }
        text
    }
}

struct Case {
    machine: &'static str,
    cpuid: &'static str,
    cores: &'static [Core],
}

const CASES: [Case; 4] = [
    Case { machine: "skylakex", cpuid: "GenuineIntel-6-55-4", cores: &[SKYLAKE] },
    Case {
        machine: "sapphirerapids",
        cpuid: "GenuineIntel-6-6A-6",
        cores: &[Core { type_: 4, cpus: "0-3", general: 8, fixed: 4, lower: ICE_LAKE }],
    },
    Case {
        machine: "alderlake",
        cpuid: "GenuineIntel-6-97-2",
        cores: &[
            Core { type_: 4, cpus: "0-3", general: 8, fixed: 4, lower: GOLDEN_COVE },
            Core { type_: 10, cpus: "4-7", general: 6, fixed: 3, lower: &[] },
        ],
    },
    Case {
        machine: "sapphirerapids",
        cpuid: "GenuineIntel-6-8F-4",
        cores: &[Core { type_: 4, cpus: "0-3", general: 8, fixed: 4, lower: GOLDEN_COVE }],
    },
];

impl Case {
    fn model(&self) -> Model {
        arch::model(self.cpuid).expect("its tree has it")
    }

    /// The objects that a command writes, where a program runs on each kind of core.
    fn objects(&self, has_watchdog: bool, ms: u32, arguments: &[&str]) -> Vec<Value> {
        let text = self.text(has_watchdog, ms, arguments);
        let objects = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let objects: Vec<Value> = objects.collect();
        assert!(!objects.is_empty(), "{}: {text}", self.cpuid);
        objects
    }

    fn text(&self, has_watchdog: bool, ms: u32, arguments: &[&str]) -> String {
        let machine = Machine::named(self.machine);
        machine.write("/proc/sys/kernel/nmi_watchdog", if has_watchdog { "1" } else { "0" });
        let mut scenario = String::from("cpus 8\n");
        for core in self.cores {
            scenario.push_str(&core.lines(has_watchdog));
        }
        for core in self.cores {
            let cpu = core.cpus.split('-').next().expect("it has a first");
            scenario.push_str(&format!("program cpu={cpu} us={ms}000\n"));
            // A cycle in each nanosecond, so that nothing divides by zero.
            scenario.push_str(&format!("rate {} config=0x3c user=1000\n", core.type_));
        }
        let output = simulated::pmu(&machine, self.cpuid, &scenario)
            .env("PROCFS_PATH", machine.root().join("proc"))
            .args(arguments)
            .output()
            .expect("it runs");
        String::from_utf8(output.stderr).expect("it is text")
    }
}

/// Beside the watchdog, which leaves the fewest counters.
#[test]
fn all_metrics_at_once() {
    for case in &CASES {
        let names: Vec<&str> = case.model().metrics().map(|metric| metric.name()).collect();
        let objects = case.objects(true, 1000, &["stat", "-j", "-M", &names.join(","), "true"]);
        let counted = |object: &&Value| {
            object["counter-value"].as_str().is_some_and(|value| value != "<not supported>")
        };
        let never = objects.iter().filter(|object| object["counter-value"] == "<not counted>");
        let never: Vec<&Value> = never.map(|object| &object["event"]).collect();
        assert!(objects.iter().filter(counted).count() > 100, "{}", case.cpuid);
        assert!(never.is_empty(), "{}: {never:?}", case.cpuid);
        let is_combined = |object: &&Value| object["metric-groups"].as_u64() >= Some(2);
        assert!(objects.iter().any(|object| is_combined(&object)), "{}", case.cpuid);
    }
}

#[test]
fn whole_drill_downs() {
    for case in &CASES {
        for has_watchdog in [false, true] {
            // With eight counters, the watchdog makes all the difference.
            if !has_watchdog && case.cores[0].general > 4 {
                continue;
            }
            let objects = case.objects(has_watchdog, 10, &["topdown", "--json", "--all", "true"]);
            let what = format!("{}, watchdog: {has_watchdog}", case.cpuid);
            let passes = objects[0]["passes"].as_array().expect("it is a list");
            println!("{what}: {} runs", passes.len());
            let is_multiplexed = |pass: &&Value| pass.as_str().unwrap().contains("multiplexed");
            assert_eq!(passes.iter().filter(is_multiplexed).count(), 0, "{what}");
            let nodes = objects.iter().filter(|object| object["kind"] == "node");
            let (mut known, mut never) = (0, Vec::new());
            for node in nodes {
                let name = node["name"].as_str().expect("it has one");
                // The machine has no PMU `msr`.
                let mut events = case.model().metric(name).into_iter().flat_map(Metric::events);
                let is_elsewhere = events.any(|event| event.as_str().starts_with("msr/"));
                match node["running"].as_f64() {
                    Some(1.0) => known += 1,
                    _ if is_elsewhere => {}
                    _ => never.push(name.to_string()),
                }
            }
            assert!(known > 50, "{what}: {known}");
            assert!(never.is_empty(), "{what}: {never:?}");
        }
    }
}

/// Ten runs and more are listed in columns.
#[test]
fn numbers_of_runs() {
    let text = CASES[0].text(false, 10, &["topdown", "--all", "true"]);
    let first = text.find("   1.  level 1: ").expect("it is listed");
    assert!(text[first..].contains("\n   9.  level "), "{text}");
    assert!(text[first..].contains("\n   10. level "), "{text}");
}
