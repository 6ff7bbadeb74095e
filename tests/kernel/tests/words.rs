//! Our descriptions against the kernel's, event by event: where one says hit, local, L2 or
//! 64 bytes and the other only the opposite, one of them is wrong. `words.csv` has those in
//! which it is the kernel's, each with the reason. No text of the kernel's is in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use pmu_events_core::__private::glob;
use pmu_events_import::problem::Problems;
use pmu_events_import::record::{Keep, Record};
use pmu_events_import::sense::against;
use pmu_events_import::tree;

use pmu_events_kernel_comparison as comparison;

use comparison::{KERNEL, kernel_arch_dir, newer_arch_dir, own_arch_dir};

/// What a tree says of an event, and whether a formula stands beside it.
#[derive(Clone, Debug)]
struct Said {
    text: String,
    brief: String,
    is_deprecated: bool,
    formula: Option<String>,
}

/// By table and name.
type Words = BTreeMap<(String, String), Said>;

fn words(root: &Path, arch: &str) -> Words {
    let path = root.join(arch);
    if !path.is_dir() {
        return Words::new();
    }
    let shown = path.display().to_string();
    let arch = tree::read(&path, &shown, Keep::All, &mut Problems::default());
    let standard: HashMap<String, &Record> = arch
        .records("")
        .filter_map(|record| Some((record.name()?.to_ascii_lowercase(), record)))
        .collect();
    let mut words = Words::new();
    for directory in arch.tables.keys().filter(|directory| !directory.is_empty()) {
        for record in arch.records(directory) {
            let Some(name) = record.name() else {
                continue;
            };
            let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
            let inherited = reference.and_then(|reference| standard.get(&reference)).copied();
            let said = |key| record.get(key).or_else(|| inherited?.get(key)).unwrap_or_default();
            let (brief, public) = (said("BriefDescription"), said("PublicDescription"));
            let said = Said {
                text: format!("{brief} {public}"),
                brief: brief.to_owned(),
                is_deprecated: record.get("Deprecated").is_some(),
                formula: record.get("MetricExpr").map(str::to_owned),
            };
            let key = (directory.clone(), name.to_ascii_lowercase());
            words.entry(key).or_insert(said);
        }
    }
    words
}

/// The newer kernel's words, and the older one's for what it lacks.
fn of_kernel(arch: &str) -> Words {
    let mut theirs = words(&kernel_arch_dir(), arch);
    theirs.extend(words(&newer_arch_dir(), arch));
    theirs
}

struct Exception {
    line: String,
    columns: [String; 4],
    used: bool,
}

/// Rule, architecture, globs of models and events, reason.
fn exceptions() -> Vec<Exception> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("words.csv"));
    let text = text.expect("words.csv can be read");
    let lines = text.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.splitn(5, ',').collect();
        let [rule, arch, models, events, reason] = columns[..] else {
            panic!("five columns: {line}")
        };
        assert!(!reason.is_empty(), "no reason: {line}");
        let columns = [rule, arch, models, events].map(str::to_owned);
        Exception { line: line.to_owned(), columns, used: false }
    });
    lines.collect()
}

#[test]
fn no_contradictions_but_for_reasons() {
    let mut exceptions = exceptions();
    assert!(exceptions.len() <= 100, "{}", exceptions.len());
    let (mut compared, mut found) = (0, BTreeSet::new());
    let mut report = |rule: &str, arch: &str, model: &str, name: &str, message: String| {
        let fits = |exception: &&mut Exception| {
            let [of_rule, of_arch, models, events] = &exception.columns;
            of_rule == rule
                && of_arch == arch
                && glob::matches(models, model)
                && glob::matches(events, name)
        };
        match exceptions.iter_mut().find(fits) {
            Some(exception) => exception.used = true,
            None => {
                found.insert(format!("{rule},{arch},{model},{name}: {message}"));
            }
        }
    };
    for arch in KERNEL.iter().map(|arch| arch.name).filter(|name| *name != "test") {
        let (ours, theirs) = (words(&own_arch_dir(), arch), of_kernel(arch));
        // One sentence of ours for one name of several models.
        let mut same: HashMap<(&str, &str), Vec<(&str, &str)>> = HashMap::new();
        for ((model, name), said) in &ours {
            let Some(kernel) = theirs.get(&(model.clone(), name.clone())) else {
                continue;
            };
            if said.is_deprecated || kernel.is_deprecated {
                continue;
            }
            compared += 1;
            // A long description is often about a family, and may have both words.
            let rules = [&said.brief, &said.text]
                .map(|ours| against::contradictions(name, ours, &kernel.text));
            for rule in rules.into_iter().flatten() {
                report(rule, arch, model, name, format!("`{}`", said.brief));
            }
            if kernel.formula.is_some() && said.formula.is_none() {
                report("formula", arch, model, name, "the kernel's has a formula".to_owned());
            }
            same.entry((name, &said.brief)).or_default().push((model, &kernel.brief));
        }
        for ((name, _), models) in &same {
            let (first, brief) = models[0];
            for (model, other) in &models[1..] {
                for rule in against::differences(brief, other) {
                    let message = format!("the kernel's differs from that of {first}");
                    report(&format!("models {rule}"), arch, model, name, message);
                }
            }
        }
    }
    assert!(compared > 40_000, "{compared} events");
    let shown: Vec<&str> = found.iter().take(60).map(String::as_str).collect();
    assert!(found.is_empty(), "{} contradictions:\n{}", found.len(), shown.join("\n"));
    let unused = exceptions.iter().filter(|exception| !exception.used);
    let unused: Vec<&str> = unused.map(|exception| exception.line.as_str()).collect();
    assert!(unused.is_empty(), "not needed:\n{}", unused.join("\n"));
}
