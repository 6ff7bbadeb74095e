//! Metrics of other trees: formulas, units, groups, thresholds and constraints,
//! without a sentence.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use pmu_events_compiler::Source;
use pmu_events_core::__private::glob;

use crate::arch::{Arch, Metrics};
use crate::corrected;
use crate::formula;
use crate::json::File;
use crate::parts;
use crate::problem::Problems;
use crate::published;
use crate::record::{Keep, Record};
use crate::tree;

/// How many metrics a table has in what its vendor publishes, and in kernel trees.
pub type Counts = BTreeMap<String, (usize, usize)>;

/// A tree that metrics are taken from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// A glob of the models for which it counts, with their architecture: `x86/amd*`.
    pub models: String,
    /// Its directory.
    pub path: PathBuf,
}

impl Given {
    /// A tree that counts for all models.
    #[must_use]
    pub fn all(path: PathBuf) -> Self {
        Given { models: "*".to_owned(), path }
    }
}

/// Reads the metrics of an architecture from several trees. If two have a metric,
/// that of the first tree counts, and the other only adds what it lacks. The tables `kept`
/// have those of the first tree alone.
#[must_use]
pub fn read(
    trees: &[Given],
    arch: &str,
    kept: &HashSet<String>,
    problems: &mut Problems,
) -> (Metrics, Counts) {
    let mut all = Metrics::new();
    let mut counts = Counts::new();
    for (number, Given { models, path: tree }) in trees.iter().enumerate() {
        let (theirs, is_vendors) = match publisher_of(tree) {
            Some(of) if of != arch => continue,
            Some("x86") => (of_perfmon(tree, problems), true),
            Some(_) => (of_telemetry(tree, problems), true),
            None => (of_tree(&directory(tree, arch), problems), false),
        };
        let counts_for = |table: &str| glob::matches(models, &format!("{arch}/{table}"));
        for (table, metrics) in theirs.into_iter().filter(|(table, _)| counts_for(table)) {
            if number > 0 && kept.contains(&table) {
                continue;
            }
            let count = counts.entry(table.clone()).or_default();
            let count = if is_vendors { &mut count.0 } else { &mut count.1 };
            *count = metrics.len().max(*count);
            join(all.entry(table).or_default(), metrics, problems);
        }
    }
    corrected::correct(&mut all);
    (all, counts)
}

/// Adds metrics of a second tree to those of the first.
fn join(known: &mut Vec<Record>, more: Vec<Record>, problems: &mut Problems) {
    let key = |record: &Record| {
        let (_, name, unit) = record.key();
        (name, unit.to_owned())
    };
    let mut numbers: HashMap<(String, String), usize> =
        known.iter().enumerate().map(|(number, record)| (key(record), number)).collect();
    let first = known.len();
    for metric in more {
        // The kernel's names of some percentages have a sign that formulas cannot
        // contain; perfmon's are without.
        if let Some(name) = metric.get("MetricName").filter(|name| name.contains("_%_")) {
            let mut plain = metric.clone();
            plain.set("MetricName", name.replace("_%_", "_"));
            if numbers.get(&key(&plain)).is_some_and(|&number| number < first) {
                continue;
            }
        }
        match numbers.get(&key(&metric)) {
            // Only a constraint is about the events' counters, whatever the formula.
            Some(&number) if number < first => {
                // perfmon's formulas are those of a whole core: a task would have half
                // of the slots while the sibling is idle. perf asks which it is.
                let of_task = |metric: &Record| {
                    metric.get("MetricExpr").is_some_and(|formula| formula.contains("#core_wide"))
                };
                let name = metric.get("MetricName").unwrap_or_default();
                let is_wrong = FROM_SECOND_TREE.contains(&name);
                if is_wrong || of_task(&metric) && !of_task(&known[number]) {
                    let formula = metric.get("MetricExpr").unwrap_or_default().to_owned();
                    known[number].set("MetricExpr", formula);
                }
                for part in ["MetricConstraint", "SampleWith"] {
                    if let (None, Some(value)) = (known[number].get(part), metric.get(part)) {
                        known[number].set(part, value.to_owned());
                    }
                }
            }
            Some(&number) => {
                let name = metric.get("MetricName").unwrap_or_default();
                let message = format!("metric `{name}` is in {}, too", known[number].place);
                problems.warn(metric.place.clone(), message);
            }
            None => {
                numbers.insert(key(&metric), known.len());
                known.push(metric);
            }
        }
    }
}

/// Metrics whose formula in perfmon is wrong: it subtracts the latency of the level
/// above once, as in `loads * 12 * f - 3 * f`, rather than for each load (error 11 of
/// `UPSTREAM.md`).
const FROM_SECOND_TREE: &[&str] =
    &["tma_contested_accesses", "tma_data_sharing", "tma_l3_hit_latency"];

/// The directory of an architecture within a kernel tree, its events' directory,
/// or a directory of the same form.
fn directory(tree: &Path, arch: &str) -> PathBuf {
    let within = tree.join("tools/perf/pmu-events/arch").join(arch);
    if within.is_dir() { within } else { tree.join(arch) }
}

/// The architecture of what a vendor publishes; `None` for a kernel tree, whose
/// architectures have each a map file of its own.
fn publisher_of(tree: &Path) -> Option<&'static str> {
    match tree.join("mapfile.csv").is_file() {
        true => Some("x86"),
        false => Source::is_at(tree).then_some("arm64"),
    }
}

/// The metrics of a directory that has the form of the kernel's. There may be
/// none.
#[must_use]
pub fn of_tree(directory: &Path, problems: &mut Problems) -> Metrics {
    if !directory.is_dir() {
        return Metrics::new();
    }
    let mut found = Problems::default();
    let arch = tree::read(directory, &directory.to_string_lossy(), Keep::Metrics, &mut found);
    // What is odd about the events is reported where they are read.
    for problem in found.errors {
        if !problems.errors.contains(&problem) {
            problems.errors.push(problem);
        }
    }
    of_arch(arch, problems)
}

/// What a vendor publishes, with its metrics alone. Warnings are reported where the events
/// are read.
fn publication(directory: &Path, problems: &mut Problems) -> Option<Arch> {
    let mut found = Problems::default();
    let published = published::read(directory, Keep::Metrics, &mut found)?;
    problems.errors.append(&mut found.errors);
    Some(published.arch)
}

/// The metrics of Arm's telemetry specifications.
fn of_telemetry(directory: &Path, problems: &mut Problems) -> Metrics {
    publication(directory, problems).map_or_else(Metrics::new, |arch| of_arch(arch, problems))
}

/// The metrics of Intel's perfmon, by the rules of the compiler.
fn of_perfmon(directory: &Path, problems: &mut Problems) -> Metrics {
    let Some(arch) = publication(directory, problems) else {
        return Metrics::new();
    };
    let directories: Vec<String> = arch.tables.keys().cloned().collect();
    let mut all = of_arch(arch, problems);
    for (table, metrics) in in_kernel_form(directory, problems) {
        if directories.contains(&table) {
            let metrics = normal(metrics, problems);
            join(all.entry(table).or_default(), metrics, problems);
        }
    }
    all.values_mut().for_each(|metrics| parts::name(metrics));
    all
}

/// The metrics that perfmon has in the kernel's form already, as
/// `<short name>/metrics/perf/<model>_metrics_perf.json`.
fn in_kernel_form(directory: &Path, problems: &mut Problems) -> Metrics {
    const END: &str = "_metrics_perf.json";
    let mut all = Metrics::new();
    for (short, _) in tree::list(directory).unwrap_or_default() {
        let below = directory.join(short).join("metrics/perf");
        for (name, _) in tree::list(&below).unwrap_or_default() {
            let (Some(model), Ok(text)) =
                (name.strip_suffix(END), std::fs::read_to_string(below.join(&name)))
            else {
                continue;
            };
            let file = File::new(&below.join(&name).to_string_lossy(), &text);
            match file.value().array() {
                Ok(items) => {
                    let records = items.iter().filter_map(|item| {
                        Record::read(&item.object().ok()?, Keep::Metrics, problems)
                    });
                    all.entry(model.to_owned()).or_default().extend(records);
                }
                Err((place, message)) => problems.error(place, message),
            }
        }
    }
    all
}

fn of_arch(arch: Arch, problems: &mut Problems) -> Metrics {
    let tables = arch.tables.into_iter().filter(|(table, _)| !table.is_empty());
    let records = tables.map(|(table, files)| {
        let metrics: Vec<Record> = files.into_values().flatten().collect();
        (table, normal(metrics, problems))
    });
    records.filter(|(_, metrics)| !metrics.is_empty()).collect()
}

/// Brings formulas and lists into our form. A metric whose formula cannot be read
/// is left out.
fn normal(metrics: Vec<Record>, problems: &mut Problems) -> Vec<Record> {
    let mut kept = Vec::new();
    for mut metric in metrics {
        let name = metric.get("MetricName").unwrap_or_default().to_owned();
        let mut is_kept = true;
        for key in ["MetricExpr", "MetricThreshold"] {
            let Some(formula) = metric.get(key) else {
                is_kept &= key != "MetricExpr";
                continue;
            };
            match formula::normal(formula) {
                Ok(formula) => metric.set(key, formula),
                Err(why) => {
                    let message = format!("{key} of metric `{name}` is left out: {why}");
                    problems.warn(metric.place.clone(), message);
                    metric.remove(key);
                    is_kept &= key != "MetricExpr";
                }
            }
        }
        for key in ["MetricGroup", "SampleWith"] {
            if let Some(list) = metric.get(key).map(list) {
                if list.is_empty() { metric.remove(key) } else { metric.set(key, list) }
            }
        }
        if is_kept {
            kept.push(metric);
        }
    }
    kept
}

/// A list without empty or repeated names.
pub(crate) fn list(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in text.split(';').map(str::trim) {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(";")
}
