//! The style of `arch/`, as a reader and a diff want it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use crate::arch::Arch;
use crate::deprecated;
use crate::names::Names;
use crate::problem::{Place, Problems};
use crate::record::{Encoding, Keep, Record};
use crate::tree;
use crate::write;

/// What slipped into descriptions and no English manual says. Caches and agents respond,
/// so an answer is only that of a person.
const NO_ENGLISH: [&str; 7] = [
    "for want of",
    "the own ",
    "for each of all",
    "thousand million",
    "answers to ",
    "answers of ",
    "answers from ",
];

/// Units that the descriptions spell otherwise: kB, MB and GB.
const OTHER_UNITS: [&str; 4] = ["KB", "KiB", "MiB", "GiB"];

/// Checks that a description is a proper sentence.
///
/// # Errors
///
/// Why it is not a proper sentence.
///
/// ```
/// use pmu_events_import::lint::sentence;
/// assert!(sentence("Lines brought into the L1 data cache.").is_ok());
/// assert_eq!(sentence("Lines"), Err("a description ends with a full stop"));
/// ```
pub fn sentence(text: &str) -> Result<(), &'static str> {
    if !text.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return Err("a description is plain ASCII on one line");
    }
    if text.trim() != text {
        return Err("a description has no space around it");
    }
    if text.contains("  ") {
        return Err("a description has no two spaces in a row");
    }
    if text.ends_with("..") || text.ends_with(" .") || !text.ends_with('.') {
        return Err("a description ends with a full stop");
    }
    // `x87` and names are not words.
    let first = text.split([' ', ',', '.']).next().unwrap_or_default();
    if first.bytes().all(|b| b.is_ascii_lowercase()) {
        return Err("a description begins with a capital letter");
    }
    let lower = text.to_ascii_lowercase();
    if NO_ENGLISH.iter().any(|phrase| lower.contains(phrase)) {
        return Err("a description avoids `for want of`, `the own`, `for each of all`, \
                    `thousand million` and the noun `answers`");
    }
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    if words.any(|word| OTHER_UNITS.contains(&word)) {
        return Err("a description writes kB, MB and GB for units of memory");
    }
    Ok(())
}

/// Whether the tree of an architecture has the form in which `tools/import`
/// leaves it, whatever its facts and words. Returns the tree, too.
#[must_use]
pub fn check(path: &Path, shown: &str, problems: &mut Problems) -> Arch {
    let mut found = Problems::default();
    let arch = tree::read(path, shown, Keep::All, &mut found);
    // Oddities of another tree are errors in ours.
    problems.errors.append(&mut found.errors);
    problems.errors.append(&mut found.warnings);
    if problems.errors.is_empty() {
        is_canonical(&arch, path, shown, problems);
    }
    for (directory, files) in &arch.tables {
        let mut names = Names::of(arch.records(directory));
        names.set_with_drivers(true);
        for record in files.values().flatten() {
            one(record, &names, problems);
        }
        one_sentence_an_event(arch.records(directory), problems);
        metrics_named(arch.records(directory), problems);
    }
    for (directory, groups) in &arch.groups {
        for (name, text) in groups {
            if let Err(why) = sentence(text) {
                let place = Place::file(&format!("{shown}/{directory}/metricgroups.json"));
                problems.error(place, format!("group `{name}`: {why}: `{text}`"));
            }
        }
    }
    arch
}

fn one(record: &Record, names: &Names, problems: &mut Problems) {
    if let Some(name) = record.name()
        && !record.has_code()
    {
        problems.error(record.place.clone(), format!("event `{name}` has no code"));
    }
    for key in ["BriefDescription", "PublicDescription"] {
        if let Some(text) = record.get(key)
            && let Err(why) = sentence(text)
        {
            problems.error(record.place.clone(), format!("{key}: {why}: `{text}`"));
        }
    }
    if let (Some(brief), Some(long)) =
        (record.get("BriefDescription"), record.get("PublicDescription"))
        && long.starts_with(brief)
    {
        let message = format!("PublicDescription begins with the BriefDescription: `{brief}`");
        problems.error(record.place.clone(), message);
    }
    if let Some(metric) = record.get("MetricName") {
        if record.get("BriefDescription").is_none() {
            let message = format!("metric `{metric}` has no description");
            problems.error(record.place.clone(), message);
        }
        for unknown in names.unknown(record, problems) {
            let message = format!("metric `{metric}` names the unknown event `{unknown}`");
            problems.error(record.place.clone(), message);
        }
    }
}

/// A description that sends the reader to a metric of the top-down tree, or to the
/// children of its own, names what this table has for the cores that it is of.
fn metrics_named<'r>(records: impl Iterator<Item = &'r Record>, problems: &mut Problems) {
    let is_metric = |record: &&Record| record.get("MetricName").is_some();
    let metrics: Vec<&Record> = records.filter(is_metric).collect();
    let known = |metric: &&'r Record| {
        let (_, name, unit) = metric.key();
        let groups = metric.get("MetricGroup").unwrap_or_default().split(';');
        let groups = groups.map(str::to_ascii_lowercase);
        groups.chain([name]).map(move |name| (name, unit)).collect::<Vec<_>>()
    };
    let known: HashSet<(String, &str)> = metrics.iter().flat_map(known).collect();
    for metric in metrics {
        let (_, name, unit) = metric.key();
        let texts = ["BriefDescription", "PublicDescription"].map(|key| metric.get(key));
        let text = texts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = text.split(|c| !is_part(c)).filter(|word| word.starts_with("tma_"));
        let mut named: Vec<String> = words.map(str::to_owned).collect();
        if text.contains("its children") {
            named.push(format!("{name}_group"));
        }
        for other in named {
            if !["", unit].iter().any(|unit| known.contains(&(other.clone(), *unit))) {
                let message = format!(
                    "metric `{name}` refers to `{other}`, which it does not have beside it"
                );
                problems.error(metric.place.clone(), message);
            }
        }
    }
}

/// If two events that count different things share a sentence, one of the
/// sentences is wrong, or both omit the difference.
fn one_sentence_an_event<'r>(records: impl Iterator<Item = &'r Record>, problems: &mut Problems) {
    let mut known: HashMap<(Option<&str>, &str), (&str, Encoding)> = HashMap::new();
    for record in records {
        let (Some(name), Some(brief)) = (record.name(), record.get("BriefDescription")) else {
            continue;
        };
        if deprecated::is_bare(brief) {
            continue;
        }
        let encoding = record.encoding();
        match known.get(&(record.get("Unit"), brief)) {
            None => {
                known.insert((record.get("Unit"), brief), (name, encoding));
            }
            Some((other, theirs)) if *theirs != encoding => {
                let message = format!("event `{name}` has the description of `{other}`: `{brief}`");
                problems.error(record.place.clone(), message);
            }
            Some(_) => {}
        }
    }
}

/// Order of records, keys and separators.
fn is_canonical(arch: &Arch, path: &Path, shown: &str, problems: &mut Problems) {
    let mut sorted = arch.clone();
    for records in sorted.tables.values_mut().flat_map(BTreeMap::values_mut) {
        records.sort_by(|a, b| a.key().cmp(&b.key()));
    }
    let files = write::files(&sorted);
    let changes = match write::changes(path, &files) {
        Ok(changes) => changes,
        Err(error) => {
            return problems.error(Place::file(shown), format!("cannot be read: {error}"));
        }
    };
    for change in changes {
        let shown = format!("{shown}/{}", change.file);
        let Some(canonical) = files.get(&change.file) else {
            problems.error(Place::file(&shown), "has nothing in it");
            continue;
        };
        let text = std::fs::read_to_string(path.join(&change.file)).unwrap_or_default();
        let lines = text.lines().zip(canonical.lines());
        let same = lines.take_while(|(own, canonical)| own == canonical).count();
        let mut rest = canonical.lines().skip(same);
        let place = Place { path: shown, line: same + 1, column: 1 };
        let wanted = rest.next().unwrap_or("(the end)").trim();
        problems.error(place, format!("is not in the form of this tree: expected `{wanted}`"));
    }
}

/// Sentences that two trees share, and their places in the first: sentences of
/// this project must not be those of the other. Two words are too short to be a
/// sentence of anyone's.
#[must_use]
pub fn shared_sentences(ours: &Arch, theirs: &Arch) -> Vec<(Place, String)> {
    let known: HashSet<String> = sentences(theirs).into_iter().map(|(_, text)| text).collect();
    let mut shared = sentences(ours);
    shared.retain(|(_, text)| text.split(' ').count() > 2 && known.contains(text));
    shared
}

/// Every description, including those of groups. Letter case, spaces and the
/// full stop do not make a different sentence.
fn sentences(arch: &Arch) -> Vec<(Place, String)> {
    let normal = |text: &str| {
        let words: Vec<String> = text.split_whitespace().map(str::to_ascii_lowercase).collect();
        words.join(" ").trim_end_matches('.').to_owned()
    };
    let mut sentences = Vec::new();
    for record in arch.tables.values().flat_map(BTreeMap::values).flatten() {
        let texts = ["BriefDescription", "PublicDescription"].map(|key| record.get(key));
        let texts = texts.into_iter().flatten();
        sentences.extend(texts.map(|text| (record.place.clone(), normal(text))));
    }
    for (directory, groups) in &arch.groups {
        let place = Place::file(&format!("{}/{directory}/metricgroups.json", arch.name));
        sentences.extend(groups.values().map(|text| (place.clone(), normal(text))));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::{metrics_named, sentence};
    use crate::problem::{Place, Problems};
    use crate::record::Record;

    #[test]
    fn metrics_that_texts_name() {
        let metric = |name: &str, unit: &str, text: &str| {
            let mut metric = Record::new(Place::file("metrics.json"));
            metric.set("MetricName", name.to_owned());
            metric.set("Unit", unit.to_owned());
            metric.set("PublicDescription", text.to_owned());
            metric
        };
        let mut metrics = [
            metric("tma_parent", "cpu_atom", "See tma_part, tma_small."),
            metric("tma_parent", "cpu_core", "See tma_part and tma_any."),
            metric("tma_part", "cpu_core", "Part."),
            metric("tma_small", "cpu_atom", "Part."),
            metric("tma_any", "", "See its children."),
            metric("tma_many", "", "See its children."),
        ];
        metrics[4].set("MetricGroup", "A;tma_many_group".to_owned());
        let mut problems = Problems::default();
        metrics_named(metrics.iter(), &mut problems);
        let errors: Vec<&str> = problems.errors.iter().map(|e| &*e.message).collect();
        assert_eq!(
            errors,
            [
                "metric `tma_parent` refers to `tma_part`, which it does not have beside it",
                "metric `tma_any` refers to `tma_any_group`, which it does not have beside it",
            ]
        );
    }

    #[test]
    fn phrases_that_no_manual_has() {
        for (wrong, right) in [
            ("Stalls for want of a credit.", "Stalls for lack of a credit."),
            ("Loads from the own node.", "Loads from the node's memory."),
            ("Cycles for each of all loads.", "Cycles for each load."),
            ("Reads in a thousand million.", "Reads in a billion."),
            ("Answers to snoops.", "Responses to snoops."),
        ] {
            assert!(sentence(wrong).unwrap_err().contains("avoids"), "{wrong}");
            assert_eq!(sentence(right), Ok(()));
        }
        assert_eq!(sentence("Reads that the L2 answers with data."), Ok(()));
    }

    #[test]
    fn units_of_memory() {
        for wrong in ["Pages of 4 KB.", "Pages of 4 KiB.", "Pages of 2 MiB or more.", "(1 GiB)."] {
            assert!(sentence(wrong).unwrap_err().contains("kB"), "{wrong}");
        }
        assert_eq!(sentence("Pages of 4 kB, 2 MB and 1 GB."), Ok(()));
    }
}
