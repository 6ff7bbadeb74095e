//! The library's values in serde have the keys of the command's JSON.

use std::collections::BTreeSet;

use pmu_events::arch::{self, TREES};
use pmu_events::{Model, System};
use serde_json::{Map, Value};

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

/// One of each kind: with repairs, with retirement latencies, with standard events, with counters
/// in codes, and without a CPU.
const CPUS: [(&str, &str); 5] = [
    ("x86", "GenuineIntel-6-55-4"),
    ("x86", "GenuineIntel-6-AD-0"),
    ("arm64", "0x00000000410fd0c0"),
    ("powerpc", "0x004e1200"),
    ("s390", "IBM,3931,704,A01,3.7,002f"),
];

fn model(cpuid: &str) -> Model {
    arch::model(cpuid).expect("a tree has it")
}

/// What `pmu` prints, each kind without the keys that are no property of the event, the metric
/// or the model by itself.
fn printed(arguments: &[&str], kind: &str, others: &[&str]) -> BTreeSet<String> {
    let run = run::finish(run::command().args(arguments));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let of_kind = run.out.lines().filter_map(|line| {
        let mut object: Map<String, Value> = serde_json::from_str(line).expect("a line is JSON");
        if object.remove("kind") != Some(kind.into()) {
            return None;
        }
        for other in others {
            assert!(object.remove(*other).is_some(), "{line} has no {other}");
        }
        Some(Value::Object(object).to_string())
    });
    of_kind.collect()
}

fn strings(all: impl Iterator<Item = serde_json::Result<Value>>) -> BTreeSet<String> {
    all.map(|one| one.expect("it is JSON").to_string()).collect()
}

#[test]
fn events_and_metrics() {
    for (_, cpuid) in CPUS {
        let of_cpu = ["list", "--json", "--deprecated", "--cpuid", cpuid];
        let model = model(cpuid);
        let events = strings(model.events().map(serde_json::to_value));
        assert!(!events.is_empty(), "{cpuid}");
        let of_table = ["architecture", "model", "snapshot"];
        assert!(printed(&of_cpu, "event", &of_table) == events, "{cpuid}");
        let metrics = strings(model.metrics().map(serde_json::to_value));
        assert!(printed(&of_cpu, "metric", &of_table[..2]) == metrics, "{cpuid}");
    }
}

#[test]
fn models() {
    let models = TREES.iter().flat_map(|(_, tree)| tree.models().chain(tree.sys_tables()));
    let all = printed(&["list", "--models", "--json"], "model", &["architecture", "cpus"]);
    for model in strings(models.map(serde_json::to_value)) {
        assert!(all.contains(&model), "{model}");
    }
}

#[test]
fn resolutions() {
    let text = "{instructions,cycles}:u,l1d.replacement,mem:0x1000:rw,uncore_imc/umask=3/,cs";
    for (_, cpuid) in &CPUS[..1] {
        let run = run::finish(run::command().args(["encode", "--json", "--cpuid", cpuid, text]));
        assert_eq!(run.code, Some(0), "{}", run.err);
        let printed: Value = serde_json::from_str(&run.out).expect("it is JSON");
        let system = System::builtin(*cpuid, model(cpuid));
        let resolution = system.resolve(text).expect("it parses");
        let own = serde_json::to_value(&resolution).expect("it is JSON");
        assert_eq!(own["missing"], Value::Array(Vec::new()));
        let (printed, own) = (printed["evsels"].as_array(), own["evsels"].as_array());
        let (printed, own) = (printed.expect("they are a list"), own.expect("they are a list"));
        assert_eq!(printed.len(), own.len());
        for (printed, own) in printed.iter().zip(own) {
            for (key, value) in own.as_object().expect("it is a map") {
                let of_key = &printed[key];
                let is_same = match (of_key.as_f64(), value.as_f64()) {
                    (Some(one), Some(two)) => one == two,
                    _ => of_key == value,
                };
                assert!(is_same, "{}: {key} is {value}, not {of_key}", own["name"]);
            }
        }
    }
}
