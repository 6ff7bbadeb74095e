//! Whose publication a directory is. A build without the vendor's reader recognizes it,
//! too, to say which feature is missing.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::faults::Faults;
use crate::files::{Found, Role, list, read_text};

/// Who publishes events in a form of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vendor {
    /// Intel, with perfmon.
    Intel,
    /// Arm, with telemetry specifications.
    Arm,
}

impl Vendor {
    /// The vendor whose publication a directory is, if it is one.
    pub(crate) fn of(root: &Path) -> Option<Self> {
        if is_perfmon(&read_text(&root.join(MAP)).0) {
            return Some(Vendor::Intel);
        }
        let has_mark = |found: &Found| read_text(&found.path).0.contains(MARK);
        let found = specifications(root, "", &mut Faults::default());
        found.iter().any(has_mark).then_some(Vendor::Arm)
    }

    /// The architecture of the CPUs.
    pub(crate) fn arch(self) -> &'static str {
        match self {
            // perfmon is only Intel's: the rule for CPUIDs is x86's.
            Vendor::Intel => "x86",
            Vendor::Arm => "arm64",
        }
    }

    /// The feature with the reader, in this crate and in those that use it.
    fn feature(self) -> &'static str {
        match self {
            Vendor::Intel => "perfmon",
            Vendor::Arm => "telemetry",
        }
    }

    /// What is wrong with a directory whose reader this build lacks.
    pub(crate) fn without_reader(self) -> String {
        let what = match self {
            Vendor::Intel => "Intel's perfmon",
            Vendor::Arm => "a directory of Arm's telemetry specifications",
        };
        format!(
            "is {what}, which only the feature `{0}` can read: add `{0}` to the features of \
             pmu-events",
            self.feature()
        )
    }
}

/// What all other trees have, and a directory of specifications does not.
const MAP: &str = "mapfile.csv";

/// The key that a specification of a CPU has, and no file of a kernel tree.
const MARK: &str = "\"product_configuration\"";

/// Specifications are sorted into families (`data/pmu/cpu/neoverse` of
/// telemetry-solution), whose directory is given, or the one above.
const DEEPEST: usize = 1;

/// Whether a map file is perfmon's, by its first line. One with some of its
/// own columns is too, so that a changed layout is told as such.
fn is_perfmon(map: &str) -> bool {
    let first = map.lines().next().unwrap_or_default();
    ["Core Type", "Native Model ID", "Core Role Name"].iter().any(|column| first.contains(column))
}

/// The JSON files of a directory without a map file, sorted by path.
pub(crate) fn specifications(root: &Path, shown: &str, faults: &mut Faults) -> Vec<Found> {
    let mut search = Search { seen: HashSet::new(), found: Vec::new(), faults };
    if !root.join(MAP).exists() {
        search.directory(root, shown, DEEPEST);
        search.found.sort_by(|a, b| a.path.cmp(&b.path));
    }
    search.found
}

/// Finds the JSON files, each once: links to others in the directory are names of
/// the same specification.
struct Search<'f> {
    seen: HashSet<PathBuf>,
    found: Vec<Found>,
    faults: &'f mut Faults,
}

impl Search<'_> {
    fn directory(&mut self, path: &Path, shown: &str, depth: usize) {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if !self.seen.insert(real(path)) {
            return;
        }
        let items = list(path).unwrap_or_else(|error| {
            self.faults.unread_path(shown, format!("cannot be read: {error}"));
            Vec::new()
        });
        let mut items: Vec<PathBuf> = items.into_iter().map(|item| item.path()).collect();
        // A file comes before the links to it.
        items.sort_by_key(|item| item.is_symlink());
        for item in items {
            let Some(name) = item.file_name().and_then(|name| name.to_str()) else { continue };
            let shown = format!("{shown}/{name}");
            if item.is_dir() {
                if depth > 0 && !item.join(MAP).exists() {
                    self.directory(&item, &shown, depth - 1);
                }
            } else if name.ends_with(".json") && self.seen.insert(real(&item)) {
                let role = Role::Published;
                self.found.push(Found { shown, path: item, role, named_at: None });
            }
        }
    }
}
