//! A comparison that finds nothing must be one that would have found
//! something: each field of perf's made-up SoC is falsified, one at a time, on
//! the side that is not ours.

use std::fs;
use std::path::{Path, PathBuf};

use pmu_events_kernel_comparison::difference::{self, Deliberate, Difference};
use pmu_events_kernel_comparison::reference::{self, Tables};
use pmu_events_kernel_comparison::{kernel_arch, kernel_arch_dir, kernel_root, source, tables};
use serde_json::{Map, Value, json};

fn reference_tables() -> Tables {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    reference::run(&kernel_root(), &kernel_arch_dir(), "test", scratch)
}

/// Another value of any kind.
fn falsified(value: &Value) -> Value {
    match value {
        Value::Bool(value) => (!value).into(),
        Value::String(text) => format!("{text}x").into(),
        Value::Null => "x".into(),
        other => panic!("no field is {other}"),
    }
}

/// What the entries of some tables hold, to be changed.
fn entries(tables: &mut Tables) -> Vec<&mut Map<String, Value>> {
    let Tables { events, metrics, .. } = tables;
    events
        .values_mut()
        .chain(metrics.values_mut())
        .flatten()
        .filter_map(Value::as_object_mut)
        .collect()
}

#[test]
fn every_field_of_every_entry() {
    let arch = kernel_arch("test");
    let mut theirs = reference_tables();
    assert!(tables::compare(arch, &theirs).is_empty());
    let count = entries(&mut theirs).len();
    assert_eq!(count, 16 + 15);
    for n in 0..count {
        let keys: Vec<String> = entries(&mut theirs)[n].keys().cloned().collect();
        for key in keys {
            let kept = entries(&mut theirs)[n][&key].clone();
            entries(&mut theirs)[n][&key] = falsified(&kept);
            let found = tables::compare(arch, &theirs);
            let seen = match key.as_str() {
                // Another name is one entry less and one more.
                "pmu" | "name" | "metric_name" => {
                    found.iter().filter(|found| found.field == "how many").count() == 2
                }
                key => found.len() == 1 && found[0].field == key,
            };
            assert!(seen, "{key} of entry {n}: {found:#?}");
            entries(&mut theirs)[n][&key] = kept;
        }
    }
}

#[test]
fn order_rows_groups_and_tables() {
    let arch = kernel_arch("test");
    type Change = fn(&mut Tables);
    let cases: &[(&str, Change)] = &[
        ("order", |theirs| {
            theirs.events.get_mut(&(false, "test_soc/cpu".to_owned())).unwrap().swap(0, 1);
        }),
        ("how many", |theirs| {
            theirs.metrics.get_mut(&(false, "test_soc/cpu".to_owned())).unwrap().pop();
        }),
        ("model of that name", |theirs| theirs.rows[0].1.push('x')),
        ("model of that CPUID", |theirs| theirs.rows[0].0.push('x')),
        ("description", |theirs| {
            theirs.groups.insert("group".to_owned(), "text".into());
        }),
        ("is there", |theirs| {
            theirs.events.retain(|(sys, _), _| !sys);
            theirs.metrics.retain(|(sys, _), _| !sys);
        }),
    ];
    for (field, change) in cases {
        let mut theirs = reference_tables();
        change(&mut theirs);
        let found = tables::compare(arch, &theirs);
        assert!(found.iter().any(|found| found.field == *field), "{field}: {found:#?}");
    }
}

/// One event's object in a file of the tree, changed.
#[test]
fn every_key_of_the_source() {
    let arch = kernel_arch("test");
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed-tree");
    let _ = fs::remove_dir_all(&tree);
    copy(&kernel_arch_dir().join("test"), &tree);
    assert!(source::check(arch, &tree).is_empty());
    let file = tree.join("test_soc/cpu/other.json");
    let text = fs::read_to_string(&file).unwrap();
    let values: &[(&str, &str, Value)] = &[
        ("EventName", "EventName", "another".into()),
        ("BriefDescription", "BriefDescription", "Another.".into()),
        ("PublicDescription", "PublicDescription", "Another.".into()),
        ("ScaleUnit", "ScaleUnit", "2Bytes".into()),
        ("Compat", "Compat", "v9".into()),
        ("Errata", "Errata", "X1".into()),
        ("PEBS", "PEBS", "1".into()),
        ("Data_LA", "Data_LA", "1".into()),
        ("PerPkg", "PerPkg", "1".into()),
        ("Deprecated", "Deprecated", "1".into()),
        ("Experimental", "Experimental", "1".into()),
        ("Counter", "Counter", "17,18".into()),
        ("MSRIndex", "MSRIndex, MSRValue", "0x3f7".into()),
        ("SampleAfterValue", "SampleAfterValue", "17".into()),
        ("RetirementLatencyMin", "RetirementLatency", "17".into()),
    ];
    for (key, field, value) in values {
        let mut objects: Value = serde_json::from_str(&text).unwrap();
        objects[0][key] = value.clone();
        fs::write(&file, objects.to_string()).unwrap();
        let found = source::check(arch, &tree);
        assert!(found.iter().any(|found| found.field == *field), "{key}: {found:#?}");
    }
}

fn copy(from: &PathBuf, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (entry, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if entry.is_dir() {
            copy(&entry, &to);
        } else {
            // The bytes only: the kernel's tree may be read-only.
            fs::write(to, fs::read(&entry).unwrap()).unwrap();
        }
    }
}

#[test]
fn deliberate_differences_are_needed() {
    let found = [Difference {
        model: "m".to_owned(),
        name: "n".to_owned(),
        field: "f".to_owned(),
        ours: Value::Null,
        theirs: json!("x"),
    }];
    let entry = Deliberate { arch: "a", model: "m", name: "n", field: "f", reason: "" };
    let cases: &[(&str, &[Difference], &[Deliberate], bool)] = &[
        ("a", &found, &[], true),
        ("a", &found, &[entry], false),
        ("b", &found, &[entry], true),
        ("a", &[], &[entry], true),
        ("b", &[], &[entry], false),
    ];
    for (arch, found, deliberate, wrong) in cases {
        let judged = difference::judge(arch, found, deliberate);
        assert_eq!(judged.report.is_some(), *wrong, "{judged:?}");
    }
}
