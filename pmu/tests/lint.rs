//! `pmu lint` as a user meets it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

use run::Run;

fn lint(arguments: &[&str]) -> Run {
    run::finish(run::command().arg("lint").args(arguments))
}

/// A tree of one model with these events.
fn tree(name: &str, events: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint").join(name);
    fs::create_dir_all(root.join("w1")).expect("the scratch directory can be written");
    let map = "Family-model,Version,Filename,EventType\nw-1,v1,w1,core\n";
    fs::write(root.join("mapfile.csv"), map).expect("it can be written");
    fs::write(root.join("w1/cache.json"), events).expect("it can be written");
    root
}

const FINE: &str = r#"[{"EventName": "HIT", "EventCode": "0x1", "BriefDescription": "Hits."}]"#;
const UNKNOWN_KEY: &str = r#"[{"EventName": "HIT", "EventCode": "0x1", "UMsk": "0x1"}]"#;
const BAD_CODE: &str = r#"[{"EventName": "HIT", "EventCode": "ff"},
{"EventName": "MISS", "EventCode": "0x1", "UMsk": "0x1"}]"#;

#[test]
fn statuses() {
    let cases: &[(&str, &str, &[&str], i32)] = &[
        ("fine", FINE, &[], 0),
        ("unknown-key", UNKNOWN_KEY, &[], 3),
        ("unknown-key-allowed", UNKNOWN_KEY, &["--unknown=allow"], 0),
        ("unknown-key-denied", UNKNOWN_KEY, &["--unknown", "deny"], 1),
        ("bad-code", BAD_CODE, &[], 1),
    ];
    for &(name, events, options, code) in cases {
        let root = tree(name, events);
        let run = lint(&[&[root.to_str().expect("it is UTF-8")], options].concat());
        assert_eq!(run.code, Some(code), "{name}: {}{}", run.out, run.err);
        assert_eq!(run.out.is_empty(), code == 0, "{name}: {}", run.out);
    }
}

#[test]
fn each_fault_has_its_place() {
    let root = tree("places", BAD_CODE);
    let run = lint(&[root.to_str().expect("it is UTF-8")]);
    let file = root.join("w1/cache.json");
    let lines: Vec<&str> = run.out.lines().collect();
    let [error, warning] = lines[..] else { panic!("{}", run.out) };
    assert!(error.starts_with(&format!("{}:1:36: error: ", file.display())), "{error}");
    assert!(error.contains("`ff`"), "{error}");
    assert!(warning.starts_with(&format!("{}:2:43: warning: ", file.display())), "{warning}");
    assert_eq!(run.err, "pmu lint: 1 error, 1 warning\n");
}

#[test]
fn faults_as_json() {
    let root = tree("json", BAD_CODE);
    let run = lint(&["--json", root.to_str().expect("it is UTF-8")]);
    let faults: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let [error, warning] = &faults[..] else { panic!("{}", run.out) };
    assert_eq!(
        (&error["severity"], &error["line"], &error["column"]),
        (&"error".into(), &1.into(), &36.into())
    );
    assert_eq!((&warning["severity"], &warning["column"]), (&"warning".into(), &43.into()));
    assert!(error["path"].as_str().expect("it is a text").ends_with("w1/cache.json"));
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
}

/// The trees of the project have no faults.
#[test]
fn bundled_trees() {
    let run = lint(&["../arch"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "", ""));
}

#[test]
fn trees_that_are_not_there() {
    let run = lint(&["/nonexistent"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.starts_with("pmu lint: /nonexistent: cannot be read: "), "{}", run.err);
}
