//! A vendor's publication as the files of a kernel tree, for programs that write
//! such a tree.

use std::collections::{BTreeMap, HashMap};

use crate::assemble;
use crate::compile::Refused;
use crate::entry::Entry;
use crate::entry::keys::Key;
use crate::faults::report::{Report, Severity};
use crate::faults::{Faults, Place};
use crate::files::Files;
use crate::options::Encoding;
use crate::source::Source;
use crate::source::converted::{self, Converted};

/// The models of Intel's perfmon or of Arm's telemetry specifications, with the
/// source's encodings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelForm {
    /// Sorted by directory.
    pub models: Vec<KernelModel>,
    /// Likely mistakes.
    pub warnings: Report,
}

/// A model, as a row of the kernel's map file and a directory of its tree.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelModel {
    /// The CPUs.
    pub pattern: String,
    /// The version of its files, such as `V1.40`, if perfmon says one.
    pub version: Option<String>,
    /// The directory.
    pub directory: String,
    /// The objects of each file, by its name without `.json`.
    pub files: BTreeMap<String, Vec<KernelObject>>,
}

/// An event, a metric, or the number of a unit's counters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelObject {
    /// Keys and values. What perf has instead of an event is among them.
    pub fields: Vec<(Key, String)>,
    /// The file that it comes from.
    pub path: String,
    /// Its line and column there, both counted from 1.
    pub position: Option<(usize, usize)>,
}

impl KernelForm {
    /// Converts a publication; `None` if the source is a kernel tree.
    ///
    /// Metrics that perfmon has in the kernel's form already are left out.
    ///
    /// # Errors
    ///
    /// Returns all errors of the directory, each with its place.
    #[must_use]
    pub fn of(source: &Source) -> Option<Result<Self, Box<Refused>>> {
        let publication = source.publication.as_ref()?;
        let (files, mut faults) = (&source.files, source.faults.clone());
        let converted = publication.convert(files, Encoding::Correct, &mut faults);
        let rows = publication.rows();
        let patterns: HashMap<&str, &str> =
            rows.rows.iter().map(|row| (&*row.directory, &*row.pattern)).collect();
        let mut models: Vec<KernelModel> = publication
            .models()
            .into_iter()
            .map(|(directory, version)| KernelModel {
                pattern: patterns.get(directory).copied().unwrap_or_default().to_owned(),
                version: version.map(str::to_owned),
                directory: directory.to_owned(),
                files: BTreeMap::new(),
            })
            .collect();
        let mut counters = vec![Vec::new(); models.len()];
        let mut units = BTreeMap::new();
        for file in &converted {
            let model = file.directory as usize;
            add(file, &mut models[model], &mut units, files, &mut faults);
            counters[model].extend(file.counters.clone());
        }
        for (model, mut counters) in models.iter_mut().zip(counters) {
            converted::merge_counters(&mut counters);
            let objects: Vec<KernelObject> = counters
                .into_iter()
                .map(|counter| numbers(counter, &units, &model.directory))
                .collect();
            if !objects.is_empty() {
                model.files.insert("counter".to_owned(), objects);
            }
        }
        if faults.has_errors() {
            return Some(Err(Refused::new(&faults, files, &rows, &[])));
        }
        let warnings = files.report(&faults.warnings, Severity::Warning);
        Some(Ok(KernelForm { models, warnings }))
    }
}

/// Adds the objects of one file. `units` learns which unit a PMU has.
fn add(
    file: &Converted<'_>,
    model: &mut KernelModel,
    units: &mut BTreeMap<String, String>,
    files: &Files,
    faults: &mut Faults,
) {
    for event in &file.events {
        let entry = assemble::converted(event, Encoding::Correct, faults);
        let mut fields: Vec<(Key, String)> =
            event.values.iter().map(|(key, value)| (*key, value.text.to_string())).collect();
        if let Some((_, unit)) = fields.iter().find(|(key, _)| *key == Key::Unit) {
            units.entry(entry.pmu.to_string()).or_insert_with(|| unit.clone());
        }
        fields.extend(beside_perf(&entry));
        let objects = model.files.entry(event.topic.replace(' ', "-")).or_default();
        objects.push(object(fields, event.place, files));
    }
}

/// The keys that say of an event what it has in addition to perf's.
fn beside_perf(entry: &Entry<'_>) -> Vec<(Key, String)> {
    let mut fields = Vec::new();
    if let Some(pairs) = &entry.pairs {
        let umask = |pair: &str| pair.split_once('=').map_or("", |(_, umask)| umask).to_owned();
        let umasks: Vec<String> = pairs.split(',').map(umask).collect();
        fields.push((Key::MSRUMask, umasks.join(",")));
    }
    if let Some(perf) = &entry.perf {
        fields.push((Key::PerfLoses, perf.words()));
        if perf.event != entry.event {
            fields.push((Key::PerfEvent, perf.event.clone()));
        }
    }
    fields
}

fn object(fields: Vec<(Key, String)>, place: Place, files: &Files) -> KernelObject {
    let (path, position) = files.locate(place);
    KernelObject { fields, path: path.to_owned(), position }
}

/// The counters of a PMU, by the name of its unit.
fn numbers(
    (pmu, [generic, fixed]): (String, [Option<u8>; 2]),
    units: &BTreeMap<String, String>,
    directory: &str,
) -> KernelObject {
    let unit = units.get(&pmu).map_or("core", String::as_str);
    let number = |number: Option<u8>| number.unwrap_or_default().to_string();
    KernelObject {
        fields: vec![
            (Key::Unit, unit.to_owned()),
            (Key::CountersNumFixed, number(fixed)),
            (Key::CountersNumGeneric, number(generic)),
        ],
        path: directory.to_owned(),
        position: None,
    }
}
