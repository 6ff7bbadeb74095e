//! Reading the tree of an architecture.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use pmu_events_compiler::hint;

use crate::arch::{Arch, Cpus, OWN_METRICS, Row};
use crate::cpus;
use crate::json::{File, Object};
use crate::origin;
use crate::problem::{Place, Problems};
use crate::quantities;
use crate::record::{Keep, Record};
use crate::standard;

/// Reads the directory `path` of an architecture. Places are shown below
/// `shown`.
#[must_use]
pub fn read(path: &Path, shown: &str, keep: Keep, problems: &mut Problems) -> Arch {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut reader = Reader {
        keep,
        problems,
        arch: Arch { name, ..Arch::default() },
        standard_metrics: HashMap::new(),
        shared: Vec::new(),
    };
    reader.directory(path, shown, "");
    standard::expand(&mut reader.arch, &reader.shared);
    reader.references();
    reader.sort();
    reader.arch
}

/// Entries of a directory in the order of their names: name, and whether it is
/// a directory.
pub(crate) fn list(path: &Path) -> std::io::Result<Vec<(String, bool)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let is_directory = entry.path().is_dir();
        entries.push((entry.file_name().to_string_lossy().into_owned(), is_directory));
    }
    entries.sort();
    Ok(entries)
}

/// The JSON files of a directory, in the order of their names; there may be no such directory.
/// What cannot be read is an error. Places are shown below `shown`.
pub(crate) fn json_files(directory: &Path, shown: &str, problems: &mut Problems) -> Vec<File> {
    if !directory.exists() {
        return Vec::new();
    }
    let entries = match list(directory) {
        Ok(entries) => entries,
        Err(error) => {
            problems.error(Place::file(shown), format!("cannot be read: {error}"));
            return Vec::new();
        }
    };
    let mut files = Vec::new();
    for (name, _) in entries.iter().filter(|(name, _)| name.ends_with(".json")) {
        let shown = format!("{shown}/{name}");
        match fs::read_to_string(directory.join(name)) {
            Ok(text) => files.push(File::new(&shown, &text)),
            Err(error) => problems.error(Place::file(&shown), format!("cannot be read: {error}")),
        }
    }
    files
}

/// Whether a file may have metrics. Most have none and need not be read.
fn mentions_metrics(file: &File) -> bool {
    ["\"MetricName\"", "\"ArchStdEvent\""].iter().any(|key| file.text().contains(key))
}

struct Reader<'p> {
    keep: Keep,
    problems: &'p mut Problems,
    arch: Arch,
    /// Metrics among the architecture standard events, by name in lower case.
    standard_metrics: HashMap<String, Record>,
    /// Standard events by which the importer shares what models have in common.
    shared: Vec<Record>,
}

impl Reader<'_> {
    fn directory(&mut self, path: &Path, shown: &str, below: &str) {
        let entries = match list(path) {
            Ok(entries) => entries,
            Err(error) => {
                return self.problems.error(Place::file(shown), format!("cannot be read: {error}"));
            }
        };
        // The files of the root first: the others refer to them.
        for (name, _) in entries.iter().filter(|(_, is_directory)| !is_directory) {
            let is_map_file = below.is_empty() && name == "mapfile.csv";
            let has_origins = below.is_empty() && name == origin::FILE;
            let has_lacks = below.is_empty() && name == quantities::LACKS;
            let has_cpus = below.is_empty() && [cpus::MADE, cpus::FALLBACK].contains(&&**name);
            let is_known = is_map_file || has_origins || has_cpus || has_lacks;
            if !is_known && !name.ends_with(".json") {
                continue;
            }
            let shown = format!("{shown}/{name}");
            let text = match fs::read_to_string(path.join(name)) {
                Ok(text) => text,
                Err(error) => {
                    let message = format!("cannot be read: {error}");
                    self.problems.error(Place::file(&shown), message);
                    continue;
                }
            };
            let file = File::new(&shown, &text);
            if is_map_file {
                self.map_file(&file);
            } else if has_origins {
                self.arch.origins = origin::read(&file, self.problems);
            } else if has_lacks {
                // They are words: an import writes them anew.
                if self.keep == Keep::All {
                    self.arch.lacks = quantities::read_lacks(&file, self.problems);
                }
            } else if has_cpus {
                let rows = cpus::read(&file, self.problems).into_iter();
                let rows: Vec<Cpus> = rows.map(|(_, row)| row).collect();
                let is_made = name == cpus::MADE;
                *(if is_made { &mut self.arch.cpus } else { &mut self.arch.fallbacks }) = rows;
            } else if name.ends_with("metricgroups.json") {
                self.groups(&file, below);
            } else {
                self.events(&file, below, name);
            }
        }
        for (name, _) in entries.iter().filter(|(_, is_directory)| *is_directory) {
            let below = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            self.directory(&path.join(name), &format!("{shown}/{name}"), &below);
        }
    }

    /// The first line is the header, whatever it contains.
    fn map_file(&mut self, file: &File) {
        let header = file.text().find('\n').map_or(file.text().len(), |at| at + 1);
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .from_reader(&file.text().as_bytes()[header..]);
        for record in reader.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    return self
                        .problems
                        .error(Place::file(file.path()), format!("invalid CSV: {error}"));
                }
            };
            let line = record.position().map_or(0, |at| at.line() as usize + 1);
            let place = Place { path: file.path().to_owned(), line, column: 1 };
            let [pattern, version, directory, kind] =
                [0, 1, 2, 3].map(|column| record.get(column).unwrap_or_default().trim().to_owned());
            if record.len() != 4 || pattern.is_empty() || directory.is_empty() {
                let message = "does not have the four columns pattern, version, directory, type";
                self.problems.error(place, message);
                continue;
            }
            self.arch.rows.push(Row { pattern, version, directory, kind });
        }
    }

    fn groups(&mut self, file: &File, below: &str) {
        if self.keep != Keep::All {
            return;
        }
        let object = match file.value().object() {
            Ok(object) => object,
            Err((place, message)) => return self.problems.error(place, message),
        };
        let groups = self.arch.groups.entry(below.to_owned()).or_default();
        for (name, _, value) in object.fields {
            match value.string() {
                Ok(text) => {
                    groups.insert(name.into_owned(), text.into_owned());
                }
                Err((place, message)) => self.problems.error(place, message),
            }
        }
    }

    fn events(&mut self, file: &File, below: &str, name: &str) {
        if self.keep == Keep::Metrics && (name == OWN_METRICS || !mentions_metrics(file)) {
            return;
        }
        let items = match file.value().array() {
            Ok(items) => items,
            Err((place, message)) => return self.problems.error(place, message),
        };
        let mut records = Vec::new();
        for item in items {
            match item.object() {
                Ok(object) => {
                    if below.is_empty() {
                        self.note_metric(&object);
                    }
                    records.extend(Record::read(&object, self.keep, self.problems));
                }
                Err((place, message)) => self.problems.error(place, message),
            }
        }
        if below.is_empty() && name == standard::FILE {
            self.shared = records;
        } else if !records.is_empty() {
            self.arch.tables.entry(below.to_owned()).or_default().insert(name.to_owned(), records);
        }
    }

    fn note_metric(&mut self, object: &Object<'_>) {
        // Its faults are reported when it is read as an entry.
        let record = Record::read(object, Keep::Metrics, &mut Problems::default());
        if let Some(record) = record
            && let Some(name) = record.get("MetricName")
        {
            self.standard_metrics.insert(name.to_ascii_lowercase(), record);
        }
    }

    /// Drops references to what is not kept, events or metrics; metrics that are
    /// kept are written out. Reports dangling references.
    fn references(&mut self) {
        if self.keep == Keep::Metrics {
            return self.expand();
        }
        let names = |record: &Record| record.get("EventName").map(str::to_ascii_lowercase);
        let events: HashSet<String> = self.arch.records("").filter_map(names).collect();
        let Reader { standard_metrics, arch, problems, .. } = self;
        for files in arch.tables.values_mut() {
            for records in files.values_mut() {
                records.retain(|record| {
                    let Some(reference) = record.get("ArchStdEvent") else {
                        return true;
                    };
                    let lower = reference.to_ascii_lowercase();
                    let is_event = events.contains(&lower);
                    if !is_event && !standard_metrics.contains_key(&lower) {
                        let hint = hint(&lower, events.iter().map(String::as_str));
                        let message = format!(
                            "ArchStdEvent `{reference}` is not an architecture standard event{hint}"
                        );
                        problems.error(record.place.clone(), message);
                    }
                    is_event
                });
            }
            files.retain(|_, records| !records.is_empty());
        }
        arch.tables.retain(|_, files| !files.is_empty());
    }

    /// Replaces references to metrics by those metrics.
    fn expand(&mut self) {
        let standard = &self.standard_metrics;
        for records in self.arch.tables.values_mut().flat_map(BTreeMap::values_mut) {
            records.retain_mut(|record| {
                let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
                if let Some(metric) = reference.and_then(|reference| standard.get(&reference)) {
                    record.inherit(metric);
                }
                record.remove("ArchStdEvent");
                record.get("MetricName").is_some()
            });
        }
    }

    fn sort(&mut self) {
        if self.keep == Keep::All {
            return; // Whether it is sorted is what a lint wants to know.
        }
        for records in self.arch.tables.values_mut().flat_map(BTreeMap::values_mut) {
            records.sort_by(|a, b| a.key().cmp(&b.key()));
        }
    }
}
