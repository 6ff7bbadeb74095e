//! A made-up vocabulary on made-up models.

use super::models::{self, Statements};
use super::vocabulary::{self, Vocabulary};
use super::*;
use crate::arch::{Arch, OWN_METRICS};
use crate::json::File;
use crate::problem::Problems;
use crate::record::{Keep, Record};

const VOCABULARY: &str = r#"{
  "prefix": "common.",
  "rate_unit": "1per 1000",
  "rate_group": "rates",
  "groups": {"common": "All of them."},
  "quantities": [
    {"name": "instructions", "groups": "common", "brief": "Instructions.", "definition": "All of them."},
    {"name": "misses", "groups": "common", "brief": "Misses.", "definition": "On demand.", "rate": "Misses in 1000 instructions."},
    {"name": "miss_ratio", "unit": "100%", "groups": "common", "of": "misses / instructions", "brief": "A share.", "definition": "Of instructions."}
  ]
}"#;

const COUNTED: &str = r#"{
  "models": ["*"],
  "counted": {
    "instructions": "INST",
    "misses": [
      {"formula": "MISS.DEMAND"},
      {"formula": "MISS.ALL", "differs": "Prefetches count."}
    ]
  },
  "lacking": {"misses": "No counter."}
}"#;

fn vocabulary(text: &str, problems: &mut Problems) -> Vocabulary {
    vocabulary::of(&File::new("quantities.json", text), problems)
}

fn statements(text: &str, vocabulary: &Vocabulary, problems: &mut Problems) -> Statements {
    let mut statements = Statements::default();
    models::add(&mut statements, &File::new("made-up.json", text), vocabulary, problems);
    statements
}

/// An architecture with the events of some models.
fn arch(models: &[(&str, &str)]) -> Arch {
    let mut arch = Arch { name: "soc".into(), ..Arch::default() };
    for (model, events) in models {
        let mut problems = Problems::default();
        let file = File::new("core.json", events);
        let objects = file.value().array().expect("a list");
        let objects = objects.iter().map(|object| object.object().expect("an object"));
        let records: Vec<Record> =
            objects.filter_map(|object| Record::read(&object, Keep::All, &mut problems)).collect();
        let files = arch.tables.entry((*model).to_owned()).or_default();
        files.insert("core.json".into(), records);
    }
    arch
}

const DEMAND: &str = r#"[{"EventName": "INST", "EventCode": "1"},
    {"EventName": "MISS.DEMAND", "EventCode": "2"}, {"EventName": "MISS.ALL", "EventCode": "3"}]"#;
const ALL: &str = r#"[{"EventName": "INST", "EventCode": "1"},
    {"EventName": "MISS.ALL", "EventCode": "3"}]"#;
const NONE: &str = r#"[{"EventName": "INST", "EventCode": "1"}]"#;
const HYBRID: &str = r#"[
    {"EventName": "INST", "EventCode": "1", "Unit": "cpu_core"},
    {"EventName": "INST", "EventCode": "1", "Unit": "cpu_atom"},
    {"EventName": "MISS.DEMAND", "EventCode": "2", "Unit": "cpu_core"}]"#;
const UNCORE: &str = r#"[{"EventName": "CLOCK", "EventCode": "1", "Unit": "CHA"}]"#;

/// `name (unit) = formula; difference` of a model's metrics.
fn metrics(arch: &Arch, model: &str) -> Vec<String> {
    let own = arch.tables[model].get(OWN_METRICS).into_iter().flatten();
    let shown = own.map(|metric| {
        let get = |key| metric.get(key).unwrap_or_default();
        let [name, unit] = [get("MetricName"), get("Unit")];
        format!("{name} ({unit}) = {}; {}", get("MetricExpr"), get("Difference"))
    });
    shown.collect()
}

fn added(models: &[(&str, &str)], counted: &str) -> (Arch, Vec<String>) {
    let mut problems = Problems::default();
    let vocabulary = vocabulary(VOCABULARY, &mut problems);
    let statements = statements(counted, &vocabulary, &mut problems);
    let mut arch = arch(models);
    add(&mut arch, &vocabulary, &statements, &mut problems);
    (arch, problems.errors.iter().map(ToString::to_string).collect())
}

#[test]
fn the_first_formula_that_fits() {
    let models = [("all", ALL), ("demand", DEMAND), ("none", NONE), ("uncore", UNCORE)];
    let (arch, errors) = added(&models, COUNTED);
    assert!(errors.is_empty(), "{errors:#?}");
    let demand = metrics(&arch, "demand");
    assert_eq!(demand[0], "common.instructions () = INST; ");
    assert_eq!(demand[1], "common.miss_ratio () = common.misses / common.instructions; ");
    assert_eq!(demand[2], "common.misses () = MISS.DEMAND; ");
    // What is said of a count is said of what follows from it.
    let rate = "common.misses_per_kilo_instruction () = \
                1000 * common.misses / common.instructions; Prefetches count.";
    assert_eq!(metrics(&arch, "all")[3], rate);
    assert_eq!(metrics(&arch, "none"), ["common.instructions () = INST; "]);
    assert_eq!(metrics(&arch, "uncore"), [""; 0]);
    let lacks = ["misses", "miss_ratio", "misses_per_kilo_instruction"].map(|metric| Lack {
        metric: format!("common.{metric}"),
        reason: "No counter.".into(),
        models: vec!["none".into()],
    });
    assert_eq!(arch.lacks, lacks);
    // The file has the same rows.
    let file = File::new(LACKS, &render_lacks(&arch.lacks));
    assert_eq!(read_lacks(&file, &mut Problems::default()), lacks);
}

#[test]
fn kinds_of_cores() {
    let counted = COUNTED.replace(
        r#"{"formula": "MISS.ALL", "differs": "Prefetches count."}"#,
        r#"{"formula": "MISS.ALL", "models": ["all"]}"#,
    );
    let (arch, errors) = added(&[("all", ALL), ("hybrid", HYBRID)], &counted);
    assert!(errors.is_empty(), "{errors:#?}");
    let found = metrics(&arch, "hybrid");
    assert_eq!(found[0], "common.instructions (cpu_atom) = cpu_atom@INST@; ");
    assert_eq!(found[1], "common.instructions (cpu_core) = cpu_core@INST@; ");
    let misses = "common.misses (cpu_core) = cpu_core@MISS.DEMAND@; \
                  Nothing counts on cpu_atom: no counter.";
    assert!(found.contains(&misses.to_owned()), "{found:#?}");
    assert!(arch.lacks.is_empty());
}

#[test]
fn what_is_refused() {
    let (_, errors) = added(&[("none", NONE)], &COUNTED.replace("No counter.", "No counter"));
    assert!(
        errors[0].ends_with("a description ends with a full stop: `No counter`"),
        "{errors:#?}"
    );
    let without = COUNTED.replace(r#""lacking": {"misses": "No counter."}"#, r#""lacking": {}"#);
    let (_, errors) = added(&[("none", NONE), ("demand", DEMAND), ("all", ALL)], &without);
    assert_eq!(
        errors,
        ["quantities.json:8:6: nothing says how none counts it, or why not: `misses`"]
    );
    let (_, errors) = added(&[("demand", DEMAND), ("all", ALL)], COUNTED);
    assert_eq!(errors, ["made-up.json:10:25: each of these models counts `misses`"]);
    let (_, errors) = added(&[("demand", DEMAND), ("none", NONE)], COUNTED);
    assert_eq!(errors, ["made-up.json:7:7: no model counts `misses` as `MISS.ALL`"]);
    let (_, errors) = added(&[("none", NONE)], &COUNTED.replace("\"misses\"", "\"mises\""));
    assert_eq!(errors[0], "made-up.json:5:5: `mises` is no quantity; did you mean `misses`?");
    let mut problems = Problems::default();
    vocabulary(&VOCABULARY.replace("misses / ins", "mises / sin"), &mut problems);
    assert_eq!(problems.errors.len(), 1, "{problems:?}");
}
