//! The event trees that come with [`pmu-events`](https://docs.rs/pmu-events), as
//! files: one directory per architecture, with `mapfile.csv` and a directory of
//! JSON files for each model, in the format of Linux's
//! `tools/perf/pmu-events/arch`.
//!
//! Most programs do not use this crate directly: the features of `pmu-events`
//! (`x86`, `arm64`, …) add a tree that is packed already, from `pmu-events-tables`, and
//! `pmu_events!(builtin "x86", …)` compiles a selection of this crate's. Programs that
//! read the files learn here where they are, and where their facts come from.
//!
//! ```
//! let x86 = pmu_events_arch::tree("x86").unwrap();
//! assert!(x86.directory().join("mapfile.csv").is_file());
//! assert_eq!(x86.sources[0].name, "perfmon");
//! assert!(pmu_events_arch::tree("vax").is_none());
//! ```

mod sources;

use std::fmt;
use std::path::{Path, PathBuf};

pub use sources::TREES;

/// The directory that holds a directory for each architecture.
///
/// This is the path of the crate's sources at compile time: it is meant for build
/// scripts, macros and tests, not for programs that run on another machine.
pub const DIRECTORY: &str = env!("CARGO_MANIFEST_DIR");

/// The version of the file format. It changes when an older `pmu-events` compiler
/// would misread the files.
pub const FORMAT: u32 = 1;

/// The event tree of one architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tree {
    /// The name of the architecture and of its directory, such as `x86`.
    pub name: &'static str,
    /// Where the tree's facts (names, codes, counters, errata) come from.
    pub sources: &'static [Source],
}

impl Tree {
    /// Returns the directory with the tree's map file and models.
    #[must_use]
    pub fn directory(&self) -> PathBuf {
        Path::new(DIRECTORY).join(self.name)
    }
}

/// A publication that facts were taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// The name of the publication, such as `Linux`.
    pub name: &'static str,
    /// The version that was read.
    pub version: &'static str,
    /// The day of that version, as `YYYY-MM-DD`.
    pub date: &'static str,
    /// The parts from which facts were taken.
    pub part: &'static str,
    /// The licence of these parts.
    pub licence: &'static str,
}

/// `Linux 6.12 (2024-11-17), tools/perf/pmu-events/arch`
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Source { name, version, date, part, licence: _ } = self;
        write!(f, "{name} {version} ({date}), {part}")
    }
}

/// Returns the tree of an architecture, by the name of its directory.
#[must_use]
pub fn tree(name: &str) -> Option<&'static Tree> {
    TREES.iter().find(|tree| tree.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    /// `test` contains a fictitious SoC for this project's tests.
    #[test]
    fn every_directory_is_a_tree() {
        let found: BTreeSet<String> = fs::read_dir(DIRECTORY)
            .unwrap()
            .map(Result::unwrap)
            .filter(|item| item.path().join("mapfile.csv").is_file())
            .map(|item| item.file_name().into_string().unwrap())
            .filter(|name| name != "test")
            .collect();
        let named: BTreeSet<String> = TREES.iter().map(|tree| tree.name.to_owned()).collect();
        assert_eq!(found, named);
        assert!(TREES.is_sorted_by_key(|tree| tree.name));
    }
}
