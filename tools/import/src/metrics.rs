//! Assigns metrics to models: each model gets those whose events and metrics it
//! has.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::names::Names;
use crate::overlay::Document;
use crate::problem::{Place, Problems};
use crate::record::Record;
use crate::tree::{Arch, is_sys};

/// The file that metrics are written to.
pub const FILE: &str = "metrics.json";

/// Adds to each table the metrics that fit it, and the descriptions of their
/// groups.
pub fn add(arch: &mut Arch, overlay: &[Document], problems: &mut Problems) {
    let mut used: HashSet<*const Record> = HashSet::new();
    let mut described: HashSet<*const String> = HashSet::new();
    // For each metric that fits no table, the names missing in the table that
    // lacks fewest.
    let mut missing: HashMap<*const Record, (Vec<String>, String)> = HashMap::new();
    one_description_a_group(overlay, problems);
    let directories: Vec<String> = arch.tables.keys().filter(|d| !d.is_empty()).cloned().collect();
    for directory in directories {
        let documents: Vec<&Document> = overlay.iter().filter(|d| d.covers(&directory)).collect();
        // A system PMU is known by its Compat, and only there.
        let belongs = |metric: &&Record| metric.get("Compat").is_some() == is_sys(&directory);
        let candidates: Vec<&Record> =
            documents.iter().flat_map(|d| &d.metrics).filter(belongs).collect();
        if candidates.is_empty() {
            continue;
        }
        let names = Names::of(arch.records(&directory));
        let chosen = choose(&candidates, names, problems, |metric, unknown| {
            let known = missing.get(&std::ptr::from_ref(metric));
            if known.is_none_or(|(known, _)| known.len() > unknown.len()) {
                missing.insert(metric, (unknown, directory.clone()));
            }
        });
        if chosen.is_empty() {
            continue;
        }
        used.extend(chosen.iter().map(|metric| std::ptr::from_ref(*metric)));
        let groups = groups_of(&chosen, &documents, &mut described);
        if !groups.is_empty() {
            arch.groups.insert(directory.clone(), groups);
        }
        let file = arch.tables.entry(directory).or_default().entry(FILE.to_owned()).or_default();
        file.extend(chosen.into_iter().cloned());
        file.sort_by(|a, b| a.key().cmp(&b.key()));
    }
    for document in overlay {
        for metric in document.metrics.iter().filter(|m| !used.contains(&std::ptr::from_ref(*m))) {
            let name = metric.get("MetricName").unwrap_or_default();
            let why = match missing.get(&std::ptr::from_ref(metric)) {
                Some((unknown, directory)) if !unknown.is_empty() => {
                    format!("{directory} comes closest and lacks `{}`", unknown.join("`, `"))
                }
                _ => "others of its name fit before it".to_owned(),
            };
            let message = format!("metric `{name}` fits no model: {why}");
            problems.error(metric.place.clone(), message);
        }
        for (name, text, place) in &document.groups {
            if !described.contains(&std::ptr::from_ref(text)) {
                let message = format!("no metric of these models is in the group `{name}`");
                problems.error(place.clone(), message);
            }
        }
    }
}

/// The descriptions of the groups of a table's metrics.
fn groups_of(
    metrics: &[&Record],
    documents: &[&Document],
    described: &mut HashSet<*const String>,
) -> BTreeMap<String, String> {
    let keys = ["MetricGroup", "MetricgroupNoGroup", "DefaultMetricgroupName"];
    let of_metric = |metric: &'_ &Record| {
        let lists = keys.iter().filter_map(|key| metric.get(key)).map(str::to_owned);
        lists.collect::<Vec<String>>()
    };
    let lists: Vec<String> = metrics.iter().flat_map(of_metric).collect();
    let borne: HashSet<&str> =
        lists.iter().flat_map(|list| list.split(';')).map(str::trim).collect();
    let mut groups = BTreeMap::new();
    for (name, text, _) in documents.iter().flat_map(|d| &d.groups) {
        if borne.contains(name.as_str()) {
            described.insert(text);
            groups.insert(name.clone(), text.clone());
        }
    }
    groups
}

/// perf knows groups only by their names, whichever model they belong to; it
/// distinguishes letter case, which we ignore.
fn one_description_a_group(overlay: &[Document], problems: &mut Problems) {
    let mut groups: HashMap<String, (&str, &str, &Place)> = HashMap::new();
    for (name, text, place) in overlay.iter().flat_map(|d| &d.groups) {
        match groups.get(&name.to_ascii_lowercase()) {
            None => {
                groups.insert(name.to_ascii_lowercase(), (name, text, place));
            }
            Some((spelt, _, first)) if spelt != name => {
                let message = format!("group `{name}` is `{spelt}` in {first}");
                problems.error(place.clone(), message);
            }
            Some((_, other, first)) if other != text => {
                let message = format!("group `{name}` is described otherwise in {first}");
                problems.error(place.clone(), message);
            }
            Some(_) => {}
        }
    }
}

/// The candidates that fit; if several share a name and unit, the first.
/// `missing` is told what the others lack.
fn choose<'m>(
    candidates: &[&'m Record],
    mut names: Names,
    problems: &mut Problems,
    mut missing: impl FnMut(&'m Record, Vec<String>),
) -> Vec<&'m Record> {
    let mut waiting: BTreeMap<(String, &str), Vec<&'m Record>> = BTreeMap::new();
    for metric in candidates {
        let (_, name, unit) = metric.key();
        waiting.entry((name, unit)).or_default().push(metric);
    }
    let mut chosen: Vec<&'m Record> = Vec::new();
    // Metrics may name metrics: round by round, those are chosen that name
    // nothing that is still waiting.
    while !waiting.is_empty() {
        let names_waiting: BTreeSet<String> =
            waiting.keys().map(|(name, _)| name.clone()).collect();
        let before: usize = waiting.values().map(Vec::len).sum();
        let (mut done, mut found) = (Vec::new(), Vec::new());
        for (key, entries) in &mut waiting {
            while let Some(&metric) = entries.first() {
                let unknown = names.unknown(metric, problems);
                if unknown.is_empty() {
                    found.push(metric);
                    done.push(key.clone());
                    // Two files must not compete.
                    for other in &entries[1..] {
                        let elsewhere = other.place.path != metric.place.path;
                        if elsewhere && names.unknown(other, problems).is_empty() {
                            let message = format!("metric `{}` is in {}, too", key.0, metric.place);
                            problems.error(other.place.clone(), message);
                        }
                    }
                    break;
                }
                if unknown.iter().all(|name| names_waiting.contains(&name.to_ascii_lowercase())) {
                    break;
                }
                missing(metric, unknown);
                entries.remove(0);
            }
        }
        for metric in found {
            names.add_metric(metric.key().1);
            chosen.push(metric);
        }
        waiting.retain(|key, entries| !entries.is_empty() && !done.contains(key));
        if waiting.values().map(Vec::len).sum::<usize>() == before {
            // They wait for each other. The first does not get what it needs.
            if let Some(mut first) = waiting.first_entry() {
                let metric = first.get_mut().remove(0);
                missing(metric, names.unknown(metric, problems));
                waiting.retain(|_, entries| !entries.is_empty());
            }
        }
    }
    chosen
}
