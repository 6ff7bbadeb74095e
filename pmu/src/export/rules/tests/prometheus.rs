//! Prometheus itself evaluates the rules: `promtool test rules` takes series over time, rules, and
//! what these give. `tests/fleet/run` installs it, and runs these tests.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use pmu_events::arch::{arm64, powerpc, x86};
use serde_json::{Value as Json, json};

use super::*;
use crate::export::ready::Ready;
use crate::export::rules::{Wanted, groups, write};

/// The models whose rules are tested: those that `FLEET_MODELS` names, separated by commas, or
/// some that differ in what their formulas have.
fn chosen() -> Vec<Model> {
    match env::var("FLEET_MODELS") {
        Ok(names) if names == "all" => models().collect(),
        Ok(names) => {
            let named = |name| models().find(|model| model.name() == name).expect("a model");
            names.split(',').map(named).collect()
        }
        Err(_) => vec![
            x86::SKYLAKEX,
            x86::METEORLAKE,
            x86::AMDZEN5,
            arm64::ARM_NEOVERSE_V1,
            powerpc::POWER10,
        ],
    }
}

/// A directory of its own for a model.
fn directory(model: Model) -> PathBuf {
    let root = env::var_os("FLEET_SCRATCH").map_or_else(env::temp_dir, PathBuf::from);
    let directory = root.join(format!("pmu-rules-{}", model.name().replace('/', "-")));
    fs::create_dir_all(&directory).expect("the scratch directory is writable");
    directory
}

fn promtool(arguments: &[&str], file: &Path) {
    let output = Command::new("promtool").args(arguments).arg(file).output();
    let output = output.expect("Debian's package prometheus has promtool");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{text}{errors}", file.display());
}

/// Rules of all metrics of a model, on two machines of that model and one of another.
#[test]
#[ignore = "needs promtool; tests/fleet/run has it"]
fn prometheus_computes_what_formulas_do() {
    let mut random = Random(2);
    let mut compared = 0;
    for model in chosen() {
        let known = Known { model, machine: None, is_of_cpus: true };
        let translator = Translator::new(known, MACHINE);
        let metrics: Vec<Metric> =
            model.metrics().filter(|metric| translator.rule(*metric).is_ok()).collect();
        if metrics.is_empty() {
            continue;
        }
        let wanted = [Wanted { counted: ScopeKind::Machine, metrics: metrics.clone() }];
        let directory = directory(model);
        let mut rules = Vec::new();
        let made = vec![(model, groups(model, None, &wanted, "1m"))];
        write(&made, &mut rules).expect("memory has room");
        fs::write(directory.join("rules.yml"), rules).expect("the directory is writable");
        promtool(&["check", "rules"], &directory.join("rules.yml"));

        let names = names_of(&translator, &metrics);
        let mut file = String::from(HEAD);
        let mut tests = String::new();
        for machine in ["m0", "m1", "other"] {
            let counts = counts(&mut random, &names);
            let named = if machine == "other" { "another" } else { model.name() };
            for (name, labels, value) in exported(&counts, &names, machine, named).all() {
                let labels: Vec<String> =
                    labels.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
                // Four samples in a minute, of a counter or of a number that stays.
                let values = match name.ends_with("_total") {
                    true => format!("0+{}x8", value * 15.0),
                    false => format!("{value}+0x8"),
                };
                let series = format!("{name}{{{}}}", labels.join(","));
                writeln!(file, "      - series: '{series}'\n        values: '{values}'")
                    .expect("memory has room");
            }
            for metric in &metrics {
                let expected = match machine {
                    "other" => f64::NAN,
                    _ => expected(*metric, &counts, model),
                };
                test(*metric, machine, expected, &mut tests);
                compared += usize::from(expected.is_finite());
            }
        }
        file.push_str("    promql_expr_test:\n");
        file.push_str(&tests);
        fs::write(directory.join("test.yml"), file).expect("the directory is writable");
        promtool(&["test", "rules"], &directory.join("test.yml"));
        fs::remove_dir_all(&directory).expect("it was made here");
    }
    println!("{compared} values of rules are those of formulas");
    assert!(compared > 100);
}

const HEAD: &str = "\
rule_files: [rules.yml]
evaluation_interval: 15s
tests:
  - interval: 15s
    input_series:
";

/// What is expected of a rule on a machine after two minutes: a value, or none.
fn test(metric: Metric, machine: &str, expected: f64, tests: &mut String) {
    let name = rule_name(&Recorded::of(metric), &MACHINE);
    let kind = kind_of_core(metric.pmu()).map_or(String::new(), |kind| format!(",pmu=\"{kind}\""));
    let selector = format!("{name}{{instance=\"{machine}\"{kind}}}");
    let (query, samples) = if expected.is_finite() {
        let most = 1e-9 * expected.abs().max(1e-12);
        let labels = format!("{{instance=\"{machine}\",job=\"pmu\"{kind}}}");
        let query = format!("abs({selector} - ({expected})) <= bool {most}");
        (query, format!("[{{labels: '{labels}', value: 1}}]"))
    } else {
        (selector, "[]".into())
    };
    writeln!(
        tests,
        "      - expr: '{query}'\n        eval_time: 2m\n        exp_samples: {samples}"
    )
    .expect("memory has room");
}

/// Writes what three machines serve, and what the rules of their ready configurations give then,
/// for `tests/fleet/run`: into the file that `FLEET_JSON` names.
#[test]
#[ignore = "a part of tests/fleet/run"]
fn a_fleet_is_described() {
    let path = env::var_os("FLEET_JSON").expect("FLEET_JSON names a file");
    let mut random = Random(3);
    let machines = [x86::SKYLAKEX, x86::AMDZEN4, arm64::ARM_NEOVERSE_V1];
    let machines: Vec<Json> = machines.iter().map(|model| described(*model, &mut random)).collect();
    fs::write(path, Json::from(machines).to_string()).expect("FLEET_JSON can be written");
}

fn described(model: Model, random: &mut Random) -> Json {
    let known = Known { model, machine: None, is_of_cpus: true };
    let translator = Translator::new(known, MACHINE);
    let ready = Ready::of(model);
    let names = names_of(&translator, &ready.counted);
    // All is counted, and nothing is idle.
    let counts = loop {
        let counts = counts(random, &names);
        let is_busy = |name| counts.of_event.get(name).is_some_and(|count| count.value > 1e6);
        if names.keys().all(is_busy) {
            break counts;
        }
    };
    let rules = groups(model, None, &ready.wanted(), "1m");
    let rules = rules.iter().flat_map(|group| &group.rules).map(|rule| {
        let value = expected(rule.metric, &counts, model);
        json!({"record": rule.name, "pmu": rule.kind, "value": value})
    });
    let exported = exported(&counts, &names, model.name(), model.name());
    let series = exported.all().map(|(name, labels, value)| {
        // Prometheus knows these two.
        let mut labels = labels.clone();
        labels.retain(|label, _| label != "job" && label != "instance");
        json!({"name": name, "labels": labels, "value": value})
    });
    json!({
        "model": model.name(),
        "series": series.collect::<Vec<Json>>(),
        "rules": rules.collect::<Vec<Json>>(),
    })
}
