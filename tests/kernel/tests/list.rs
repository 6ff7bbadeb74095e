//! The example `list` with a kernel's trees compiled in shows every metric and
//! the groups that it is in.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../common/cargo.rs"]
mod cargo;

const MODEL: &str = "x86/sapphirerapids";

/// The list of `MetricGroup` of each metric, by name.
fn of_the_tree(arch: &Path) -> BTreeMap<String, Vec<String>> {
    let mut metrics = BTreeMap::new();
    for file in std::fs::read_dir(arch.join(MODEL)).expect("the model is there") {
        let text = std::fs::read_to_string(file.unwrap().path()).expect("it is text");
        let Value::Array(items) = serde_json::from_str(&text).expect("it is JSON") else {
            continue;
        };
        for item in items {
            let Some(name) = item["MetricName"].as_str() else { continue };
            let groups = item["MetricGroup"].as_str().unwrap_or_default();
            let groups = groups.split(';').map(str::trim).filter(|group| !group.is_empty());
            metrics.insert(name.to_owned(), groups.map(str::to_owned).collect());
        }
    }
    metrics
}

#[test]
fn metrics_of_a_kernels_sapphire_rapids() {
    let kernel = env::var("PMU_EVENTS_KERNEL").expect("PMU_EVENTS_KERNEL names a kernel tree");
    let arch = Path::new(&kernel).join("tools/perf/pmu-events/arch");
    let expected = of_the_tree(&arch);
    assert!(expected.len() > 100, "{}", expected.len());
    let run = Command::new(cargo::pmu(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")))
        .args(["list", "metrics", "--json", "--model", MODEL, "--tree"])
        .arg(arch.join("x86"))
        .output()
        .expect("it runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let lines = String::from_utf8(run.stdout).expect("it is UTF-8");
    let shown: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let shown: BTreeMap<String, Vec<String>> = shown
        .iter()
        .map(|metric| {
            let groups = metric["groups"].as_array().expect("it is in groups, or in none");
            let groups = groups.iter().map(|group| group.as_str().unwrap().to_owned());
            (metric["name"].as_str().expect("it has a name").to_owned(), groups.collect())
        })
        .collect();
    assert_eq!(shown, expected);
}
