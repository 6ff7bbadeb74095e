//! `cpus.csv` and `fallback.csv`: for which CPUs models were made.

use std::fs;
use std::path::{Path, PathBuf};

use pmu_events_compiler::{Compiled, Options, Refused, Source, compile};
use pmu_events_core::Tree;
use pmu_events_core::model::MadeFor::{self, Architecture, Others, This, Unknown};

/// A scratch tree of an architecture. Each of these directories has one event.
fn tree(test: &str, arch: &str, directories: &[&str], files: &[(&str, &str)]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpus").join(test).join(arch);
    let _ = fs::remove_dir_all(&root);
    let event = r#"[{"EventName": "A", "EventCode": "1"}]"#;
    for directory in directories {
        fs::create_dir_all(root.join(directory)).expect("it is made");
        fs::write(root.join(directory).join("a.json"), event).expect("it is written");
    }
    for (file, rows) in files {
        fs::write(root.join(file), format!("header\n{rows}")).expect("it is written");
    }
    root
}

fn compiled(directory: &Path, options: &Options) -> Result<Compiled, Box<Refused>> {
    compile(&Source::read(directory, "arch", options), options)
}

fn leaked(directory: &Path) -> &'static Tree {
    let compiled = compiled(directory, &Options::default()).expect("it has no errors");
    assert!(compiled.warnings.is_empty(), "{}", compiled.warnings);
    Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())))
}

/// What answers for each CPUID, and for which CPUs it was made.
fn answers(tree: &'static Tree, cases: &[(&str, Option<(&str, MadeFor)>)]) {
    for &(cpuid, expected) in cases {
        let model = tree.model(cpuid);
        let found = model.map(|model| (model.name(), model.made_for(cpuid)));
        assert_eq!(found, expected, "{cpuid}");
        // A note for whatever is known not to be made for the CPU.
        let has_note = model.is_some_and(|model| model.note(cpuid).is_some());
        assert_eq!(has_note, matches!(expected, Some((_, Others | Architecture))), "{cpuid}");
    }
}

#[test]
fn x86() {
    let root = tree(
        "answers",
        "x86",
        &["zen", "lake", "silent", "architecture"],
        &[
            (
                "mapfile.csv",
                "AuthenticAMD-26-[[:xdigit:]]+,v1,zen,core\nGenuineIntel-6-55-[01234],v1,lake,core\n\
                 GenuineIntel-6-5[AB],v1,lake,core\nGenuineIntel-7-[[:xdigit:]]+,v1,silent,core\n",
            ),
            (
                "cpus.csv",
                "AuthenticAMD-26-[01234][[:xdigit:]],zen,the driver\nAuthenticAMD-26-[[:xdigit:]],zen\n\n\
                 # Steppings up to 3.\nGenuineIntel-6-55-[0123],lake\nGenuineIntel-6-5A,lake\n",
            ),
            ("fallback.csv", "GenuineIntel-[[:digit:]]+-[[:xdigit:]]+,architecture\n"),
        ],
    );
    let tree = leaked(&root);
    answers(
        tree,
        &[
            ("AuthenticAMD-26-44-0", Some(("zen", This))),
            ("AuthenticAMD-26-44", Some(("zen", This))),
            ("AuthenticAMD-26-2-1", Some(("zen", This))),
            ("AuthenticAMD-26-50-0", Some(("zen", Others))),
            ("GenuineIntel-6-55-3", Some(("lake", This))),
            ("GenuineIntel-6-55-4", Some(("lake", Others))),
            ("GenuineIntel-6-5A-9", Some(("lake", This))),
            ("GenuineIntel-6-5B-9", Some(("lake", Others))),
            ("GenuineIntel-7-1-1", Some(("silent", Unknown))),
            // With a stepping that no row has, and of a family that no row has.
            ("GenuineIntel-6-55-5", Some(("architecture", Architecture))),
            ("GenuineIntel-31-1-1", Some(("architecture", Architecture))),
            ("AuthenticAMD-27-1-1", None),
            ("another", None),
        ],
    );
    let zen = tree.model_named("zen").expect("it is there");
    let patterns: Vec<&str> = zen.cpuids().collect();
    assert_eq!(patterns, ["AuthenticAMD-26-[01234][[:xdigit:]]", "AuthenticAMD-26-[[:xdigit:]]"]);
    assert_eq!(tree.model_named("silent").map(|model| model.cpuids().count()), Some(0));
    // A model is not the fallback of CPUs that a row has.
    let fallback = tree.model_named("architecture").expect("it is there");
    assert_eq!(fallback.made_for("GenuineIntel-6-55-3"), Unknown);
    assert_eq!(zen.made_for("GenuineIntel-31-1-1"), Others);
}

#[test]
fn arm64() {
    let root = tree(
        "answers",
        "arm64",
        &["arm/n1", "arm/n2", "architecture"],
        &[
            (
                "mapfile.csv",
                "0x00000000410fd0c0,v1,arm/n1,core\n0x00000000410fd490,v1,arm/n2,core\n",
            ),
            ("cpus.csv", "0x00000000414fd0c1,arm/n1\n"),
            ("fallback.csv", "0x[[:xdigit:]]{16},architecture\n"),
        ],
    );
    answers(
        leaked(&root),
        &[
            ("0x00000000410fd0c0", Some(("arm/n1", This))),
            ("0x00000000413fd0cf", Some(("arm/n1", This))),
            ("0x00000000414fd0c1", Some(("arm/n1", This))),
            ("0x00000000414fd0c2", Some(("arm/n1", Others))),
            ("0x00000000415fd0c0", Some(("arm/n1", Others))),
            ("0x00000000410fd490", Some(("arm/n2", Unknown))),
            ("0x00000000410fdff0", Some(("architecture", Architecture))),
            // That is no register of an Arm core in perf's form.
            ("0x004e1200", None),
            ("GenuineIntel-6-55-3", None),
        ],
    );
}

#[test]
fn other_architectures() {
    let root = tree(
        "answers",
        "soc",
        &["a", "compat"],
        &[
            ("mapfile.csv", "0x004e[[:xdigit:]]{4},v1,a,core\n0x00ffffff,v1,compat,core\n"),
            ("cpus.csv", "0x004e120[0-3],a\n0x00ffffff,compat\n"),
            ("fallback.csv", "0x[[:xdigit:]]{8},compat\n"),
        ],
    );
    answers(
        leaked(&root),
        &[
            ("0x004e1203", Some(("a", This))),
            ("0x004e1300", Some(("a", Others))),
            ("0x00ffffff", Some(("compat", This))),
            ("0x00900000", Some(("compat", Architecture))),
        ],
    );
}

/// Thousands of CPUs in plain text are no automaton.
#[test]
fn many_cpus() {
    let rows = |from: u32| -> String {
        (from..from + 500).map(|number| format!("cpu-{number},a\n")).collect()
    };
    let root = tree(
        "many",
        "soc",
        &["a", "b"],
        &[
            ("mapfile.csv", "cpu-[0-9]+,v1,a,core\n"),
            ("cpus.csv", &rows(1000)),
            ("fallback.csv", &rows(5000).replace("cpu", "other").replace(",a", ",b")),
        ],
    );
    answers(
        leaked(&root),
        &[
            ("cpu-1000", Some(("a", This))),
            ("cpu-1499", Some(("a", This))),
            ("cpu-1500", Some(("a", Others))),
            ("other-5499", Some(("b", Architecture))),
            ("other-5500", None),
        ],
    );
}

/// The files are optional, and a selection of models ignores the rows of others.
#[test]
fn selections() {
    let root = tree(
        "selections",
        "soc",
        &["a", "b", "c"],
        &[
            ("mapfile.csv", "a-[0-9],v1,a,core\nb-[0-9],v1,b,core\n"),
            ("cpus.csv", "a-1,a\nb-1,b\n"),
            ("fallback.csv", "[abc]-.+,c\n"),
        ],
    );
    let mut options = Options::default();
    options.models = vec!["b".to_owned()];
    let compiled = compiled(&root, &options).expect("it has no errors");
    assert!(compiled.warnings.is_empty(), "{}", compiled.warnings);
    assert_eq!(compiled.models[0].cpuids, ["b-1"]);
    let tree = Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    answers(tree, &[("b-1", Some(("b", This))), ("b-2", Some(("b", Others))), ("a-1", None)]);
}

/// What `refused` says, or the warnings.
fn said(root: &Path) -> String {
    match compiled(root, &Options::default()) {
        Ok(compiled) => compiled.warnings.to_string(),
        Err(refused) => refused.to_string(),
    }
}

#[test]
fn faults_have_places() {
    let root = tree(
        "faults",
        "x86",
        &["vendor/a"],
        &[
            ("mapfile.csv", "A-6-[0-9],v1,vendor/a,core\n"),
            (
                "cpus.csv",
                "A-6-1\nA-6-1,vendor/b,source\nA-6-(1,vendor/a\n\"A-6-1,vendor/a\nA-\u{1b}6,vendor/a\n",
            ),
            ("fallback.csv", "A-.*,vendr/a\n"),
        ],
    );
    let said = said(&root);
    for expected in [
        "arch/cpus.csv:2:1: has one of the two columns: pattern, directory",
        "arch/cpus.csv:3:7: unknown model directory `vendor/b`; did you mean `vendor/a`?",
        "arch/cpus.csv:4:5: bad pattern `A-6-(1`",
        "arch/cpus.csv:5:1: this quote is never closed",
        "arch/cpus.csv:6:3: the control character U+001B",
        "arch/fallback.csv:2:6: unknown model directory `vendr/a`; did you mean `vendor/a`?",
    ] {
        assert!(said.contains(expected), "{expected}\nin {said}");
    }
    assert!(said.starts_with("6 errors in the event tree"), "{said}");
}

#[test]
fn likely_mistakes() {
    let root = tree(
        "mistakes",
        "soc",
        &["vendor/a", "b"],
        &[
            ("mapfile.csv", "A-[0-9],v1,vendor/a,core\n"),
            ("cpus.csv", "A-1^,vendor/a\nA-1,vendor\nA-[0-9],vendor/a\nA-1,vendor/a\n"),
            ("fallback.csv", "A-.+,b\nA-x,vendor/a\n"),
        ],
    );
    let said = said(&root);
    for expected in [
        "arch/cpus.csv:2:1: the pattern `A-1^` matches no CPUID",
        "arch/cpus.csv:3:5: `vendor` is a vendor directory, not a model",
        "arch/fallback.csv:3:1: the pattern `A-x` is never reached: rows before it match all that it",
    ] {
        assert!(said.contains(expected), "{expected}\nin {said}");
    }
    assert!(said.starts_with("3 warnings"), "{said}");
}

#[test]
fn registers_of_arm64() {
    let root = tree(
        "registers",
        "arm64",
        &["a"],
        &[
            ("mapfile.csv", "0x00000000410fd0c0,v1,a,core\n"),
            ("cpus.csv", "0x00000000414fd0c1,a\nr4p1,a\n"),
        ],
    );
    let expected = "arch/cpus.csv:3:1: invalid MIDR `r4p1`: expected a hexadecimal number";
    let said = said(&root);
    assert!(said.contains(expected), "{said}");
}
