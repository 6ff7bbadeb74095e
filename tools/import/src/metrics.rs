//! Assigns metrics to models: each model gets those of its sources, and those of
//! the overlay, whose events and metrics it has.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::arch::{Arch, Metrics, OWN_METRICS, is_sys};
use crate::corrected;
use crate::names::Names;
use crate::overlay::Document;
use crate::parts;
use crate::problem::{Place, Problems};
use crate::record::Record;
use crate::texts::Texts;

/// The file of the metrics that come from a source.
pub const FILE: &str = "metrics.json";

/// Adds to each table the metrics of the sources and of the overlay that fit it,
/// and the descriptions of their groups.
pub fn add(arch: &mut Arch, mut sources: Metrics, overlay: &[Document], problems: &mut Problems) {
    let mut unused = Unused::default();
    let mut texts = Texts::of(overlay);
    one_description_a_group(overlay, problems);
    let directories: Vec<String> = arch.tables.keys().filter(|d| !d.is_empty()).cloned().collect();
    for directory in directories {
        let documents: Vec<&Document> = overlay.iter().filter(|d| d.covers(&directory)).collect();
        // A system PMU is known by its Compat, and only there.
        let belongs = |metric: &&Record| metric.get("Compat").is_some() == is_sys(&directory);
        let own: Vec<&Record> = documents.iter().flat_map(|d| &d.metrics).filter(belongs).collect();
        let given = sources.remove(&directory).unwrap_or_default();
        let mut names = Names::of(arch.records(&directory));
        names.set_with_drivers(true);
        let mut taken = take(&given, &mut names, &directory, problems);
        names.set_with_drivers(false);
        for metric in &mut taken {
            texts.describe(metric, &directory, &own, problems);
        }
        let is_taken = |metric: &&Record| taken.iter().any(|other| other.key() == metric.key());
        let candidates: Vec<&Record> =
            own.iter().copied().filter(|metric| !is_taken(metric)).collect();
        let chosen = choose(&candidates, &mut names, problems, |metric, unknown| {
            unused.lacks(metric, unknown, &directory);
        });
        unused.used.extend(chosen.iter().map(|metric| std::ptr::from_ref(*metric)));
        let all: Vec<&Record> = chosen.iter().copied().chain(&taken).collect();
        let groups = groups_of(&all, &documents, &mut unused.described);
        if !groups.is_empty() {
            arch.groups.insert(directory.clone(), groups);
        }
        let mut own: Vec<Record> = chosen.into_iter().cloned().collect();
        parts::alias(&taken, &mut own);
        if taken.iter().any(is_of_first_level) {
            own.iter_mut().for_each(leave_tree);
        }
        for (file, metrics) in [(FILE, taken), (OWN_METRICS, own)] {
            if !metrics.is_empty() {
                let files = arch.tables.entry(directory.clone()).or_default();
                let file = files.entry(file.to_owned()).or_default();
                file.extend(metrics);
                file.sort_by(|a, b| a.key().cmp(&b.key()));
            }
        }
    }
    // Where the events could not be read, that has been said.
    let is_whole = problems.errors.is_empty();
    for (directory, metrics) in sources.into_iter().filter(|_| is_whole) {
        let message = format!("{} metrics are left out: there are no events", metrics.len());
        problems.warn(Place::file(&format!("{}/{directory}", arch.name)), message);
    }
    unused.report(overlay, problems);
    texts.report(problems);
}

/// The level of the top-down tree that a group states.
fn level(group: &str) -> Option<usize> {
    let group = group.replace('_', "").to_ascii_lowercase();
    let mut prefixes = ["topdownl", "pipelinel"].into_iter();
    let number = prefixes.find_map(|prefix| group.strip_prefix(prefix)?.parse().ok());
    number.or((group == "topdown").then_some(1))
}

fn groups(metric: &Record) -> impl Iterator<Item = &str> {
    metric.get("MetricGroup").unwrap_or_default().split(';')
}

fn is_of_first_level(metric: &Record) -> bool {
    groups(metric).any(|group| level(group) == Some(1))
}

/// Where a source has a tree, ours would be a second one beside it, and each share
/// would be there twice.
fn leave_tree(metric: &mut Record) {
    let others: Vec<&str> = groups(metric).filter(|group| level(group).is_none()).collect();
    match others.join(";") {
        none if none.is_empty() => metric.remove("MetricGroup"),
        others => metric.set("MetricGroup", others),
    }
}

/// What of the overlay has no use.
#[derive(Default)]
struct Unused {
    used: HashSet<*const Record>,
    described: HashSet<*const String>,
    /// For each metric that fits no table, the names missing in the table that
    /// lacks fewest.
    missing: HashMap<*const Record, (Vec<String>, String)>,
}

impl Unused {
    fn lacks(&mut self, metric: &Record, unknown: Vec<String>, directory: &str) {
        let known = self.missing.get(&std::ptr::from_ref(metric));
        if known.is_none_or(|(known, _)| known.len() > unknown.len()) {
            self.missing.insert(metric, (unknown, directory.to_owned()));
        }
    }

    fn report(&self, overlay: &[Document], problems: &mut Problems) {
        for document in overlay {
            let is_unused = |metric: &&Record| !self.used.contains(&std::ptr::from_ref(*metric));
            for metric in document.metrics.iter().filter(is_unused) {
                let name = metric.get("MetricName").unwrap_or_default();
                let why = match self.missing.get(&std::ptr::from_ref(metric)) {
                    Some((unknown, directory)) if !unknown.is_empty() => {
                        format!("{directory} comes closest and lacks `{}`", unknown.join("`, `"))
                    }
                    _ => "others of its name fit before it".to_owned(),
                };
                let message = format!("metric `{name}` fits no model: {why}");
                problems.error(metric.place.clone(), message);
            }
            for (name, text, place) in &document.groups {
                if !self.described.contains(&std::ptr::from_ref(text)) {
                    let message = format!("no metric of these models is in the group `{name}`");
                    problems.error(place.clone(), message);
                }
            }
        }
    }
}

/// The metrics of a source that fit a table. What is left out, a whole metric or
/// its threshold, is reported.
fn take(
    given: &[Record],
    names: &mut Names,
    directory: &str,
    problems: &mut Problems,
) -> Vec<Record> {
    // A threshold may name any metric; formulas come first.
    let mut formulas = given.to_vec();
    formulas.iter_mut().for_each(|metric| metric.remove("MetricThreshold"));
    let all: Vec<&Record> = formulas.iter().collect();
    let mut lacking = Vec::new();
    let chosen = choose(&all, names, problems, |metric, unknown| lacking.push((metric, unknown)));
    let mut left_out = |metric: &Record, what: &str, unknown: &[String]| {
        let name = metric.get("MetricName").unwrap_or_default();
        let message =
            format!("{what}`{name}` is left out: {directory} lacks `{}`", unknown.join("`, `"));
        problems.warn(metric.place.clone(), message);
    };
    for (metric, unknown) in lacking {
        left_out(metric, "metric ", &unknown);
    }
    let chosen: HashSet<*const Record> = chosen.into_iter().map(std::ptr::from_ref).collect();
    let is_chosen =
        |(metric, _): &(&Record, &Record)| chosen.contains(&std::ptr::from_ref(*metric));
    let mut taken = Vec::new();
    for (_, metric) in formulas.iter().zip(given).filter(is_chosen) {
        let mut metric = metric.clone();
        let unknown = names.unknown(&metric, &mut Problems::default());
        if !unknown.is_empty() {
            left_out(&metric, "the threshold of metric ", &unknown);
            metric.remove("MetricThreshold");
        }
        if let Some(samples) = metric.get("SampleWith").map(str::to_owned) {
            let (known, unknown): (Vec<&str>, Vec<&str>) =
                samples.split(';').partition(|event| names.has_event(event));
            match known.is_empty() {
                true => metric.remove("SampleWith"),
                false => metric.set("SampleWith", known.join(";")),
            }
            if !unknown.is_empty() {
                let unknown: Vec<String> = unknown.into_iter().map(str::to_owned).collect();
                left_out(&metric, "an event to sample of metric ", &unknown);
            }
        }
        taken.push(metric);
    }
    parts::name(&mut taken);
    // Some of the wrong formulas have names in them, which their source need not have.
    corrected::correct_table(directory, &mut taken);
    parts::prune(&mut taken);
    taken
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
    names: &mut Names,
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
