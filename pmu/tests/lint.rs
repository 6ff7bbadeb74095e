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

/// The hierarchies of made-up models: the part that begins with a model's name.
#[test]
fn hierarchies() {
    let cases: [(&str, &[&str]); 3] = [
        (
            "slots, default_core:",
            &[
                "  top_back                                    first level",
                "    top_core                                  group",
                "    top_memory                                group",
                "      top_cache                               group",
                "      top_dram                                group",
                "  top_front                                   first level",
                "    top_bandwidth                             formula",
                "    top_latency                               threshold",
                "  top_retiring                                first level",
                "    top_microcode                             group",
                "  top_wasted                                  first level",
            ],
        ),
        (
            "stack, default_core:",
            &[
                "  run_cpi                                     stack",
                "    idle_cpi                                  formula",
                "      idle_fetch_cpi                          name",
                "    other_cpi                                 formula",
                "    stall_cpi                                 formula",
                "      fxu_cpi                                 name",
                "      lsu_cpi                                 name",
                "        miss_cpi                              name",
            ],
        ),
        (
            "ratios, default_core:",
            &[
                "  backend_bound                               first level",
                "    backend_busy_bound                        part of the core",
                "    backend_core_bound                        part of the core, a share of its parent",
                "    backend_mem_bound                         part of the core, a share of its parent",
                "      backend_mem_cache_bound                 divisor, a share of its parent",
                "        backend_cache_l1d_bound               divisor, a share of its parent",
                "        backend_cache_l2d_bound               divisor, a share of its parent",
                "  bad_speculation                             first level",
                "  frontend_bound                              first level",
                "  retiring                                    first level",
            ],
        ),
    ];
    let run = lint(&["--hierarchy", "../tests/trees/topdown"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    for (heading, expected) in cases {
        let lines = run.out.lines().skip_while(|line| *line != heading).skip(1);
        let found: Vec<&str> = lines.take_while(|line| line.starts_with(' ')).collect();
        assert_eq!(found, expected, "{heading}");
    }
}

#[test]
fn hierarchies_as_json() {
    let run = lint(&["--hierarchy", "--json", "../tests/trees/topdown"]);
    let nodes: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let of =
        |metric: &str| nodes.iter().find(|node| node["metric"] == metric).expect("it is there");
    let cache = of("backend_cache_l1d_bound");
    let keys = ["kind", "model", "pmu", "parent", "rule", "is_indicator", "is_of_parent"];
    let expected = serde_json::json!([
        "node",
        "ratios",
        "default_core",
        "backend_mem_cache_bound",
        "divisor",
        false,
        true
    ]);
    assert_eq!(keys.map(|key| cache[key].clone())[..], expected.as_array().unwrap()[..]);
    assert_eq!(
        (&of("top_back")["parent"], &of("l1d_mpki")["is_indicator"]),
        (&Value::Null, &true.into())
    );
}
