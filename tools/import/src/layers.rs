//! One tree of several: each model from the first source that has it.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::arch::{self, Arch};
use crate::problem::{Place, Problems};
use crate::record::Record;
use crate::standard;

/// Merges trees of one architecture, the preferred one first. A model that only
/// a later one has is kept, for the CPUs that no earlier one names.
#[must_use]
pub fn merge(layers: Vec<Arch>, problems: &mut Problems) -> Arch {
    let mut layers = layers.into_iter();
    let mut merged = layers.next().unwrap_or_default();
    for layer in layers {
        add(&mut merged, layer, problems);
    }
    merged
}

fn add(merged: &mut Arch, layer: Arch, problems: &mut Problems) {
    let known: HashMap<String, String> =
        merged.rows.iter().map(|row| (row.pattern.clone(), row.directory.clone())).collect();
    let has: HashSet<String> = merged.tables.keys().map(|d| arch::owner(d).to_owned()).collect();
    let mut taken: HashSet<String> = HashSet::new();
    for row in layer.rows {
        if let Some(owner) = known.get(&row.pattern) {
            // Newer trees give the CPUs that none knew to a newer model.
            if !has.contains(&row.directory) {
                let place = Place::file(&format!("{}/mapfile.csv", layer.name));
                let (pattern, directory) = (&row.pattern, &row.directory);
                let message = format!(
                    "row `{pattern}` of `{directory}` is left out: an earlier tree has it for \
                     `{owner}`"
                );
                problems.warn(place, message);
            }
            continue;
        }
        if has.contains(&row.directory) {
            let place = Place::file(&format!("{}/mapfile.csv", layer.name));
            let (pattern, directory) = (&row.pattern, &row.directory);
            let message = format!("row `{pattern}` is left out: a newer source has `{directory}`");
            problems.warn(place, message);
            continue;
        }
        taken.insert(row.directory.clone());
        merged.rows.push(row);
    }
    let standards = standards(merged);
    let with_rows: HashSet<String> = merged.rows.iter().map(|row| row.directory.clone()).collect();
    let mut tables = layer.tables;
    let own_standards = tables.remove("").unwrap_or_default();
    let mut referred: HashSet<String> = HashSet::new();
    for (directory, mut files) in tables {
        let owner = arch::owner(&directory);
        if taken.contains(owner) || arch::is_sys(&directory) && !has.contains(owner) {
            // A system's tables need no row.
            debug_assert!(arch::is_sys(&directory) || with_rows.contains(owner));
            if let Some(origin) = layer.origins.get(&directory) {
                merged.origins.insert(directory.clone(), origin.clone());
            }
            for record in files.values_mut().flatten() {
                refer(record, &standards);
                referred.extend(record.get("ArchStdEvent").map(str::to_ascii_lowercase));
            }
            merged.tables.insert(directory, files);
        }
    }
    // A newer tree may have dropped a standard event: it comes back only for a model that
    // has it.
    let is_first = standards.is_empty();
    standard_events(merged, own_standards, |name| is_first || referred.contains(name));
}

/// Adds models with their rows and origins, in place of those of the same directories.
pub(crate) fn replace(arch: &mut Arch, models: Arch) {
    let standards = standards(arch);
    arch.rows.retain(|row| !models.tables.contains_key(&row.directory));
    arch.rows.extend(models.rows);
    arch.origins.extend(models.origins);
    for (directory, mut files) in models.tables {
        for record in files.values_mut().flatten() {
            refer(record, &standards);
        }
        arch.tables.insert(directory, files);
    }
}

/// The architecture standard events, by name in lower case.
fn standards(arch: &Arch) -> HashMap<String, Record> {
    let named = |record: &Record| Some((record.name()?.to_ascii_lowercase(), record.clone()));
    arch.records("").filter_map(named).collect()
}

/// Makes an event that is an architecture standard event a reference to it: what a
/// vendor publishes has none.
fn refer(record: &mut Record, standards: &HashMap<String, Record>) {
    let name = record.get("EventName").map(str::to_ascii_lowercase);
    if let Some(standard) = name.and_then(|name| standards.get(&name))
        && let Some(reference) = standard::reference(record, standard)
    {
        *record = reference;
    }
}

/// Adds the architecture standard events that are missing and wanted.
fn standard_events(
    merged: &mut Arch,
    files: BTreeMap<String, Vec<Record>>,
    is_wanted: impl Fn(&str) -> bool,
) {
    let name = |record: &Record| record.name().unwrap_or_default().to_ascii_lowercase();
    let known: HashSet<String> = merged.records("").map(name).collect();
    for (file, mut records) in files {
        records.retain(|record| {
            let name = name(record);
            !known.contains(&name) && is_wanted(&name)
        });
        if !records.is_empty() {
            let all = merged.tables.entry(String::new()).or_default().entry(file).or_default();
            all.extend(records);
            all.sort_by(|a, b| a.key().cmp(&b.key()));
        }
    }
}
