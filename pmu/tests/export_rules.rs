//! What `pmu export` writes for Prometheus.

use std::fs;
use std::path::PathBuf;

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;

fn success(arguments: &[&str]) -> String {
    let run = run::finish(run::command().args(arguments));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
    run.out
}

fn failure(arguments: &[&str]) -> String {
    let run = run::finish(run::command().args(arguments));
    assert!(run.code.is_some_and(|code| code != 0), "{arguments:?}: {}", run.out);
    run.err
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the directory for tests is writable");
    path
}

/// The three steps of the guide: a configuration, its check, its rules.
#[test]
fn the_ready_configuration_is_what_rules_are_made_of() {
    let text = success(&["export", "--ready", "--model", "skylakex"]);
    let path = file("export-ready.toml", &text);
    let path = path.to_str().expect("it is text");
    let check =
        run::finish(run::command().args(["export", "--check", path, "--model", "skylakex"]));
    assert_eq!((check.code, check.out.as_str()), (Some(0), ""), "{}", check.err);
    let rules = success(&["export", "--rules", path, "--model", "skylakex"]);
    assert_eq!(rules, success(&["export", "--rules", "--model", "skylakex"]));
    assert!(rules.contains("\n      - record: instance:common_ipc:rate1m\n"), "{rules}");
    assert!(
        rules.contains(" and on (job, instance) pmu_machine_info{model=\"skylakex\"}\n"),
        "{rules}"
    );
    // The configuration is for another model.
    let others = success(&["export", "--rules", path, "--model", "amdzen4"]);
    assert!(others.ends_with("groups: []\n"), "{others}");
}

#[test]
fn scopes_have_rules_of_their_own() {
    let text = "\
[cpu]
metrics = ['common.ipc']
[[cgroup]]
paths = ['a']
metrics = ['common.ipc', 'common.cpus_used', 'common.energy']
";
    let path = file("export-scopes.toml", text);
    let rules =
        ["export", "--rules", path.to_str().expect("it is text"), "--cpuid", "GenuineIntel-6-8F-8"];
    let rules = success(&[&rules[..], &["--range", "30s"]].concat());
    let records: Vec<&str> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("- record: ")).collect();
    let expected = [
        "instance_cpu:common_ipc:rate30s",
        "instance:common_ipc:rate30s",
        "instance_cgroup:common_ipc:rate30s",
        "instance_cgroup:common_cpus_used:rate30s",
    ];
    assert_eq!(records, expected);
    let refused = "\n#   cgroup: common.energy needs `power/energy-pkg/`, which no part of the scope counts\n";
    assert!(rules.contains(refused), "{rules}");
}

#[test]
fn faults() {
    let path = file("export-fault.toml", "[machine]\nmetrics = ['common.icp']\n");
    let path = path.to_str().expect("it is text");
    let said = failure(&["export", "--rules", path, "--model", "skylakex"]);
    assert!(
        said.contains(":2:12: no model has a metric `common.icp`; did you mean `common.ipc`?"),
        "{said}"
    );
    let said = failure(&["export", "--rules", "--model", "skylakex", "--range", "1.5m"]);
    assert!(said.contains("expected a number of seconds, minutes or hours"), "{said}");
    let said = failure(&["export"]);
    assert!(said.contains("<FILE>"), "{said}");
}

#[test]
fn a_dashboard_shows_what_the_rules_record() {
    let text = success(&["export", "--dashboard", "--model", "amdzen4", "--range", "5m"]);
    let dashboard: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(dashboard["uid"], "pmu-amdzen4");
    assert!(text.contains("instance:common_ipc:rate5m{"), "{text}");
}
