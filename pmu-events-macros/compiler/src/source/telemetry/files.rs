//! The files below a directory, if they are telemetry specifications.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::layout::Layout;
use crate::faults::Faults;
use crate::files::{Directory, Files, Found, Role, list, read_files, read_text};

/// Specifications are sorted into families (`data/pmu/cpu/neoverse` of
/// telemetry-solution), whose directory is given, or the one above.
const DEEPEST: usize = 1;

/// What every other tree has.
const MAP: &str = "mapfile.csv";

/// The key that a specification of a CPU has, and no file of a kernel tree.
const MARK: &str = "\"product_configuration\"";

/// Whether a directory has no map file, and a specification in it.
pub(crate) fn is_telemetry(root: &Path) -> bool {
    let has_mark = |found: &Found| read_text(&found.path).0.contains(MARK);
    candidates(root, "", &mut Faults::default()).iter().any(has_mark)
}

/// Reads a directory without a map file; `None` if no file in it is a
/// specification.
pub(crate) fn read(
    root: &Path,
    shown: &str,
    keep: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) -> Option<(Files, Layout)> {
    let mut said = Faults::default();
    let found = candidates(root, shown, &mut said);
    let all = read_files(found, 0, &mut said);
    if !all.iter().any(|file| file.text.contains(MARK)) {
        return None;
    }
    faults.append(said);
    let mut files = Files {
        root: shown.to_owned(),
        arch: "arm64".to_owned(),
        all,
        directories: Vec::new(),
        all_directories: BTreeMap::new(),
    };
    let mut layout = Layout::read(&files, faults);
    for model in &mut layout.models {
        model.is_kept = keep(&model.name);
        let (name, path) = (model.name.clone(), model.name.clone());
        files.all_directories.insert(name.clone(), false);
        files.directories.push(Directory { name, sys: false, path });
    }
    Some((files, layout))
}

/// The JSON files of a directory without a map file, sorted by path.
fn candidates(root: &Path, shown: &str, faults: &mut Faults) -> Vec<Found> {
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
