//! What the models of an architecture have in common, as architecture standard events.
//!
//! The importer and the lint see each event whole: events are shared as files are written,
//! and made whole again as they are read.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::arch::Arch;
use crate::record::Record;
use crate::render::{self, length};

/// The file of these standard events, at the root of an architecture.
pub const FILE: &str = "shared.json";

/// A file that saves less is not worth having.
const LEAST: usize = 500_000;

/// Keys that a model may state itself, whatever its standard event says. The others make
/// the event string, which is the standard event's, or what jevents adds to a text.
const FREE: &[&str] = &[
    "Counter",
    "RetirementLatencyMean",
    "RetirementLatencyMin",
    "RetirementLatencyMax",
    "ScaleUnit",
    "CountUnit",
    "CountScope",
    "PerPkg",
    "PerfEvidence",
    "Compat",
    "Experimental",
    "Deprecated",
    "BriefDescription",
    "PublicDescription",
];

const TEXTS: &[&str] = &["BriefDescription", "PublicDescription"];

/// jevents appends these to the texts of the object that has them, and to no text that this
/// object inherits.
const NOTES: &[&str] = &["PEBS", "Data_LA", "Errata"];

/// Replaces what models have in common by references to standard events, which become a
/// file of their own, if that saves enough.
#[must_use]
pub fn share(arch: &Arch) -> Option<Arch> {
    let (shared, saved) = shared(arch);
    (saved >= LEAST).then_some(shared)
}

/// The same, however little it saves, and how many bytes that is.
fn shared(arch: &Arch) -> (Arch, usize) {
    let name = |record: &Record| record.name().map(str::to_ascii_lowercase);
    let taken: HashSet<String> = arch.records("").filter_map(name).collect();
    let mut by_name: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for (directory, files) in &arch.tables {
        let events = files.values().flatten().filter(|record| is_plain(record));
        for record in events.filter(|_| !directory.is_empty()) {
            let name = name(record).expect("it is an event");
            by_name.entry(name).or_default().push(record);
        }
    }
    by_name.retain(|name, records| !taken.contains(name) && records.len() > 1);
    let best = by_name.into_iter().filter_map(|(name, records)| Some((name, best(&records)?)));
    let best: BTreeMap<String, (Record, usize)> = best.collect();
    let mut arch = arch.clone();
    for (directory, files) in &mut arch.tables {
        for record in files.values_mut().flatten().filter(|_| !directory.is_empty()) {
            if is_plain(record)
                && let Some((standard, _)) = name(record).and_then(|name| best.get(&name))
                && let Some(reference) = shorter(record, standard)
            {
                *record = reference;
            }
        }
    }
    let saved = best.values().map(|(_, saved)| saved).sum();
    let standards: Vec<Record> = best.into_values().map(|(standard, _)| standard).collect();
    arch.tables.entry(String::new()).or_default().insert(FILE.to_owned(), standards);
    (arch, saved)
}

/// An event that refers to nothing.
fn is_plain(record: &Record) -> bool {
    record.get("EventName").is_some()
        && ["ArchStdEvent", "MetricName"].iter().all(|key| record.get(key).is_none())
}

/// The standard event that saves most among events of one name, and how much. Only one can
/// have the name.
fn best(records: &[&Record]) -> Option<(Record, usize)> {
    let mut groups: BTreeMap<Vec<(&str, &str)>, Vec<&Record>> = BTreeMap::new();
    for record in records {
        let is_fixed = |&(key, _): &(&str, &str)| key != "Unit" && !FREE.contains(&key);
        groups.entry(record.fields().filter(is_fixed).collect()).or_default().push(record);
    }
    let candidates = groups.values().filter(|group| group.len() > 1).flat_map(|group| {
        let all = group.iter().map(|record| without_unit(record));
        [
            most_frequent_values(group),
            most_frequent(all.map(|record| (render::record(&record), record))),
        ]
        .map(|standard| (saved(group, &standard), standard))
    });
    let (saved, standard) = candidates.max_by_key(|(saved, _)| *saved)?;
    (saved > 0).then_some((standard, saved as usize))
}

/// Each value that the most events have, of the keys that all of them have.
fn most_frequent_values(group: &[&Record]) -> Record {
    let mut standard = Record::new(group[0].place.clone());
    for (key, _) in group[0].fields().filter(|(key, _)| *key != "Unit") {
        let values: Option<Vec<&str>> = group.iter().map(|record| record.get(key)).collect();
        if let Some(values) = values {
            let value = most_frequent(values.into_iter().map(|value| (value, value)));
            standard.set(key, value.to_owned());
        }
    }
    standard
}

fn most_frequent<K: Ord, V>(items: impl Iterator<Item = (K, V)>) -> V {
    let mut counts: BTreeMap<K, (usize, V)> = BTreeMap::new();
    for (key, value) in items {
        counts.entry(key).or_insert((0, value)).0 += 1;
    }
    let (_, value) = counts.into_values().max_by_key(|(count, _)| *count).expect("not empty");
    value
}

/// An object never inherits a unit: without one, it is of the core.
fn without_unit(record: &Record) -> Record {
    let mut record = record.clone();
    record.remove("Unit");
    record
}

/// The bytes that a standard event saves.
fn saved(group: &[&Record], standard: &Record) -> isize {
    let of_one = |record: &&Record| -> usize {
        shorter(record, standard).map_or(0, |reference| length(record) - length(&reference))
    };
    // The comma and the end of the line.
    group.iter().map(of_one).sum::<usize>() as isize - length(standard) as isize - 2
}

/// The reference that is the same event as the record, if it is shorter.
fn shorter(record: &Record, standard: &Record) -> Option<Record> {
    let reference = reference(record, standard)?;
    (length(&reference) < length(record)).then_some(reference)
}

/// The reference that is the same event as the record, if there is one.
pub(crate) fn reference(record: &Record, standard: &Record) -> Option<Record> {
    let has_own = |key: &str| record.get(key) != standard.get(key);
    let may_differ = |key: &str| key == "Unit" || FREE.contains(&key);
    let mut keys: BTreeSet<&str> = record.fields().map(|(key, _)| key).collect();
    keys.retain(|key| has_own(key));
    let lacks = standard.fields().any(|(key, _)| record.get(key).is_none());
    if lacks || !keys.iter().all(|key| may_differ(key)) {
        return None;
    }
    let has_notes = NOTES.iter().any(|key| record.get(key).is_some());
    if has_notes && TEXTS.iter().any(|key| keys.contains(key)) {
        if record.get("PerfLoses").is_some() {
            // It says of one object what is lost of it.
            return None;
        }
        keys.extend(TEXTS.iter().chain(NOTES).copied());
    }
    let mut reference = Record::new(record.place.clone());
    reference.set("ArchStdEvent", record.get("EventName")?.to_owned());
    for key in keys {
        if let Some(value) = record.get(key) {
            reference.set(key, value.to_owned());
        }
    }
    Some(reference)
}

/// Makes events whole that refer to these standard events.
pub fn expand(arch: &mut Arch, standards: &[Record]) {
    let by_name: HashMap<String, &Record> = standards
        .iter()
        .filter_map(|record| Some((record.get("EventName")?.to_ascii_lowercase(), record)))
        .collect();
    for record in arch.tables.values_mut().flat_map(BTreeMap::values_mut).flatten() {
        let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
        if let Some(standard) = reference.and_then(|reference| by_name.get(&reference)) {
            record.inherit(standard);
            record.remove("ArchStdEvent");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::File;
    use crate::problem::Problems;
    use crate::record::Keep;

    fn records(text: &str) -> Vec<Record> {
        let file = File::new("x.json", text);
        let items = file.value().array().unwrap();
        let mut read = |item: &crate::json::Value<'_>| {
            Record::read(&item.object().unwrap(), Keep::All, &mut Problems::default()).unwrap()
        };
        items.iter().map(&mut read).collect()
    }

    fn arch(models: &[(&str, &str)]) -> Arch {
        let files = |text: &str| BTreeMap::from([("x.json".to_owned(), records(text))]);
        let tables = models.iter().map(|(model, text)| ((*model).to_owned(), files(text)));
        Arch { tables: tables.collect(), ..Arch::default() }
    }

    fn lines(arch: &Arch, directory: &str) -> Vec<String> {
        arch.records(directory).map(render::record).collect()
    }

    /// The standard events, and what is left of the models; all is whole again when read.
    fn shared_lines(models: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let whole = arch(models);
        let (mut arch, _) = shared(&whole);
        let left = models.iter().filter(|(model, _)| !model.is_empty());
        let left = left.flat_map(|(model, _)| lines(&arch, model)).collect();
        let mut root = arch.tables.remove("").unwrap();
        let standards = root.remove(FILE).unwrap();
        if !root.is_empty() {
            arch.tables.insert(String::new(), root);
        }
        expand(&mut arch, &standards);
        for (model, _) in models {
            assert_eq!(lines(&arch, model), lines(&whole, model), "{model}");
        }
        (standards.iter().map(render::record).collect(), left)
    }

    const A: &str = r#"{"EventName":"A","EventCode":"1","BriefDescription":"What is counted."}"#;

    #[test]
    fn what_models_have_in_common_is_written_once() {
        let reference = r#"{"ArchStdEvent":"A"}"#;
        let same = format!("[{A}]");
        let (standards, left) = shared_lines(&[("m", &same), ("n", &same), ("o", &same)]);
        assert_eq!(standards, [A]);
        assert_eq!(left, [reference; 3]);

        // What may differ is repeated; a unit always, for it is not inherited.
        let other = r#"[{"EventName":"A","Unit":"CHA","EventCode":"1","Counter":"0",
            "BriefDescription":"What is counted."}]"#;
        let (standards, left) = shared_lines(&[("m", &same), ("n", &same), ("o", other)]);
        assert_eq!(standards, [A]);
        assert_eq!(left[2], r#"{"ArchStdEvent":"A","Unit":"CHA","Counter":"0"}"#);

        // One event string in two models, another in one.
        let other = r#"[{"EventName":"A","EventCode":"2","BriefDescription":"What is counted."}]"#;
        let (standards, left) = shared_lines(&[("m", &same), ("n", &same), ("o", other)]);
        assert_eq!(standards, [A]);
        assert_eq!([&left[0], &left[1]], [reference; 2]);
        assert!(left[2].starts_with(r#"{"EventName":"A","EventCode":"2","#), "{left:?}");
    }

    #[test]
    fn what_does_not_save_is_left() {
        let one = r#"[{"EventName":"A","EventCode":"1"}]"#;
        let other = r#"[{"EventName":"A","EventCode":"2","BriefDescription":"Another."}]"#;
        for models in [[("m", one), ("n", one)], [("m", one), ("n", other)]] {
            assert_eq!(shared_lines(&models).0, [""; 0], "{models:?}");
        }
        // A standard event of the source keeps its name.
        let same = format!("[{A}]");
        let models = [("", one), ("m", &*same), ("n", &same), ("o", &same)];
        assert_eq!(shared_lines(&models).0, [""; 0]);
    }

    /// jevents adds notes to an object's own texts only.
    #[test]
    fn texts_with_notes_are_repeated_together() {
        let event = |more: &str| {
            format!(
                r#"[{{"EventName":"A","EventCode":"1","SampleAfterValue":"100003","PEBS":"1"{more},
                "BriefDescription":"What is counted.","PublicDescription":"More, and at length."}}]"#
            )
        };
        let same = event("");
        let other = same.replace("at length", "shorter");
        let (standards, left) = shared_lines(&[("m", &same), ("n", &same), ("o", &other)]);
        assert_eq!(standards.len(), 1);
        assert_eq!(
            left[2],
            r#"{"ArchStdEvent":"A","PEBS":"1","BriefDescription":"What is counted.","PublicDescription":"More, and shorter."}"#
        );
        let same = event(r#","PerfLoses":"Precise""#);
        let other = same.replace("at length", "shorter");
        let (_, left) = shared_lines(&[("m", &same), ("n", &same), ("o", &other)]);
        assert_eq!(left[0], r#"{"ArchStdEvent":"A"}"#);
        assert!(left[2].starts_with(r#"{"EventName":"A","#), "{left:?}");
    }
}
