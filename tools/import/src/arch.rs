//! The tables of an architecture.

use std::collections::BTreeMap;

use crate::quantities::Lack;
use crate::record::Record;

/// The file of the metrics of the overlay. When `arch/` is read, these are
/// dropped, and added again.
pub const OWN_METRICS: &str = "own-metrics.json";

/// The version, in a map file, of what has none of its own.
pub(crate) const VERSION: &str = "v1";

/// A row of `mapfile.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The CPUs of the row.
    pub pattern: String,
    /// The version of the source's files; perf does not read it.
    pub version: String,
    /// The model's directory.
    pub directory: String,
    /// `core`, in all trees.
    pub kind: String,
}

/// A row of `cpus.csv` or `fallback.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpus {
    /// A pattern of CPUIDs.
    pub pattern: String,
    /// The model's directory.
    pub directory: String,
    /// Where it is known from.
    pub source: String,
}

/// The directory of one architecture.
#[derive(Clone, Debug, Default)]
pub struct Arch {
    /// Its name.
    pub name: String,
    /// The rows of its map file.
    pub rows: Vec<Row>,
    /// The CPUs for which models were made.
    pub cpus: Vec<Cpus>,
    /// The models of CPUs that no row matches.
    pub fallbacks: Vec<Cpus>,
    /// The metrics that models lack, of those that each either has or lacks.
    pub lacks: Vec<Lack>,
    /// Records by directory and file. The directory `""` has the architecture
    /// standard events; `m/sys` is the sys table of `m`.
    pub tables: BTreeMap<String, BTreeMap<String, Vec<Record>>>,
    /// The sources of the directories, as far as they are known.
    pub origins: Origins,
    /// Descriptions of metric groups, by directory.
    pub groups: BTreeMap<String, BTreeMap<String, String>>,
}

/// The model directory that a table belongs to: for a sys table, the one that
/// contains `sys`.
#[must_use]
pub fn owner(directory: &str) -> &str {
    directory.strip_suffix("/sys").unwrap_or(directory)
}

/// Whether a directory contains a sys table.
#[must_use]
pub fn is_sys(directory: &str) -> bool {
    directory.ends_with("/sys")
}

impl Arch {
    /// Records of all files of a directory.
    pub fn records(&self, directory: &str) -> impl Iterator<Item = &Record> {
        self.tables.get(directory).into_iter().flat_map(BTreeMap::values).flatten()
    }

    /// Model directories, without sys tables.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str).filter(|d| !d.is_empty() && !is_sys(d))
    }
}

/// The source of a model's facts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The name of a [`Publication`](crate::origin::Publication).
    pub source: String,
    /// The version of the model's files in it or, if they have none, its own.
    pub version: String,
    /// The day of the publication.
    pub date: String,
}

/// The sources of models' facts, by directory.
pub type Origins = BTreeMap<String, Origin>;

/// The metrics of an architecture, by the directory of their table.
pub type Metrics = BTreeMap<String, Vec<Record>>;
