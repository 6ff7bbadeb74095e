//! The files of a tree: the only stage that touches the file system.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::fault::{Faults, Place, narrow};
use crate::lines::Lines;
use crate::options::Options;
use crate::parallel;
use crate::perfmon;
use crate::publication::Publication;
use crate::telemetry;

/// jevents looks this many directories deep, and no deeper
/// (`preprocess_one_file` in `tools/perf/pmu-events/jevents.py`).
const DEEPEST: usize = 4;

/// Offsets are kept in 32 bits.
const LARGEST: u64 = u32::MAX as u64;

/// One file, read.
#[derive(Debug)]
pub(crate) struct File {
    /// The name as the user would write it: the path given to the macro and the
    /// path below it.
    pub(crate) shown: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its text, without a byte-order mark; empty where it could not be read.
    pub(crate) text: String,
    pub(crate) role: Role,
    /// Whether the compiler could read it too.
    pub(crate) is_readable: bool,
    /// Whether `text` is complete: missing parts have been reported.
    pub(crate) is_whole: bool,
    /// Computed on first use.
    lines: OnceLock<Lines>,
}

/// The role of a file in the tree, by its place and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// `mapfile.csv`.
    Map,
    /// `sources.csv`: where the facts of each model come from.
    Origins,
    /// A JSON file at the root: architecture standard events.
    Standard,
    /// A JSON file of a model, or of the sys table of a directory.
    Table { directory: u32, topic: String },
    /// `metricgroups.json`.
    Groups,
    /// A file that a vendor publishes; the [`Publication`] knows which models have
    /// it.
    Published,
}

/// A directory that holds a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directory {
    /// Below the root, with slashes: `arm/neoverse-n1`. For a sys table, the
    /// directory that holds `sys`.
    pub(crate) name: String,
    pub(crate) sys: bool,
    /// The directory itself: a sys table must not be mistaken for the model in
    /// the same directory.
    pub(crate) path: String,
}

/// The files of a tree.
#[derive(Debug)]
pub struct Source {
    /// The path as the user wrote it.
    pub(crate) root: String,
    /// The architecture: the name of the directory.
    pub(crate) arch: String,
    pub(crate) files: Vec<File>,
    /// Directories with tables, in the order in which perf walks.
    pub(crate) directories: Vec<Directory>,
    /// Every directory, whether it holds a table or not, and whether other
    /// directories than `sys` lie below it.
    pub(crate) all_directories: BTreeMap<String, bool>,
    /// The models of a directory that is not a kernel tree.
    pub(crate) publication: Option<Publication>,
    /// Files and directories that could not be read.
    pub(crate) faults: Faults,
}

impl Source {
    /// Whether a directory can be read: it has a map file or Arm's telemetry
    /// specifications, or is one of the two directories of a kernel tree without a
    /// map file (`common`, `test`).
    #[must_use]
    pub fn is_at(directory: &Path) -> bool {
        directory.join("mapfile.csv").is_file()
            || (directory.ends_with("common") && directory.join("common").is_dir())
            || (directory.ends_with("test") && directory.join("test_soc").is_dir())
            || telemetry::is_telemetry(directory)
    }

    /// Reads the files below the directory of an architecture, those that the map
    /// file of Intel's perfmon names, or Arm's telemetry specifications. Files of
    /// models that the options do not keep are not read.
    ///
    /// `shown` is the name of the directory in reports: the path as the user
    /// wrote it. What cannot be read becomes a fault when the source is compiled.
    #[must_use]
    pub fn read(root: &Path, shown: &str, options: &Options) -> Self {
        let mut faults = Faults::default();
        let keep = |directory: &str| options.keeps_model(directory);
        let source = match perfmon_map(root, shown, &mut faults) {
            Some(map) => perfmon::read(root, shown, map, &keep, &mut faults),
            None => match telemetry::read(root, shown, &keep, &mut faults) {
                Some(source) => source,
                None => read(root, shown, &keep, &mut faults),
            },
        };
        Source { faults, ..source }
    }

    /// The architecture: the name of the directory, `x86` for Intel's perfmon, and
    /// `arm64` for Arm's telemetry.
    #[must_use]
    pub fn arch(&self) -> &str {
        &self.arch
    }

    /// The paths of the files that were read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let read = self.files.iter().filter(|file| file.is_readable);
        read.map(|file| file.path.as_path())
    }

    /// Line and column, both from 1, and the file's name.
    pub(crate) fn locate(&self, place: Place) -> (&str, Option<(usize, usize)>) {
        let Some(file) = self.files.get(place.file as usize) else {
            return (&self.root, None);
        };
        let lines = file.lines.get_or_init(|| Lines::of(&file.text));
        (&file.shown, Some(lines.position(&file.text, place.offset as usize)))
    }
}

/// The map file of a directory, if it is perfmon's.
fn perfmon_map(root: &Path, shown: &str, faults: &mut Faults) -> Option<File> {
    let path = root.join("mapfile.csv");
    if !perfmon::is_perfmon(&read_text(&path).0) {
        return None;
    }
    let found =
        Found { shown: format!("{shown}/mapfile.csv"), path, role: Role::Map, named_at: None };
    read_files(vec![found], 0, faults).pop()
}

/// A file that is to be read.
pub(crate) struct Found {
    pub(crate) shown: String,
    pub(crate) path: PathBuf,
    pub(crate) role: Role,
    /// Where another file names it.
    pub(crate) named_at: Option<Place>,
}

/// Reads files, and numbers them from `first`.
pub(crate) fn read_files(found: Vec<Found>, first: usize, faults: &mut Faults) -> Vec<File> {
    let texts = parallel::map(found.len(), |n| read_text(&found[n].path));
    let mut files = Vec::with_capacity(found.len());
    for (Found { shown, path, role, named_at }, (text, problem)) in found.into_iter().zip(texts) {
        let file = narrow(first + files.len());
        let is_whole = problem.is_none();
        let mut is_readable = true;
        match problem {
            None => {}
            Some((None, message)) => {
                is_readable = false;
                match named_at {
                    Some(place) => faults.unread(place, format!("{shown} {message}")),
                    None => faults.unread_path(&shown, message),
                }
            }
            Some((Some(offset), message)) => {
                faults.unread(Place::new(file, offset), message);
            }
        }
        let lines = OnceLock::new();
        files.push(File { shown, path, text, role, is_readable, is_whole, lines });
    }
    files
}

/// Reads the tree below a directory. `keep` says which directories' tables are
/// wanted; files of others are not read.
fn read(root: &Path, shown: &str, keep: &dyn Fn(&str) -> bool, faults: &mut Faults) -> Source {
    let mut walk = Walk {
        keep,
        faults,
        found: Vec::new(),
        directories: Vec::new(),
        all_directories: BTreeMap::new(),
        ancestors: Vec::new(),
        holding_others: HashMap::new(),
    };
    walk.directory(root, shown, &[]);
    let Walk { found, directories, all_directories, .. } = walk;
    let files = read_files(found, 0, faults);
    Source {
        root: shown.to_owned(),
        arch: arch_name(root),
        files,
        directories,
        all_directories,
        publication: None,
        faults: Faults::default(),
    }
}

/// The directory's name; for `.` and the like, which have none, that of the
/// real directory.
fn arch_name(root: &Path) -> String {
    let real = fs::canonicalize(root).unwrap_or_default();
    let name = root.file_name().or(real.file_name());
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A file's text, or as much of it as can be shown, and the error.
fn read_text(path: &Path) -> (String, Option<(Option<usize>, String)>) {
    let unread =
        |error: std::io::Error| (String::new(), Some((None, format!("cannot be read: {error}"))));
    match fs::metadata(path) {
        Ok(metadata) if metadata.len() > LARGEST => {
            return (String::new(), Some((None, "is larger than 4 GiB".to_owned())));
        }
        Ok(metadata) if !metadata.is_file() => {
            return (String::new(), Some((None, "is not a regular file".to_owned())));
        }
        Ok(_) => {}
        Err(error) => return unread(error),
    }
    let mut bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return unread(error),
    };
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            let byte = bytes[offset];
            bytes.truncate(offset);
            let text = String::from_utf8(bytes).unwrap_or_default();
            (text, Some((Some(offset), format!("is not UTF-8: byte {byte:#04x}"))))
        }
    }
}

struct Walk<'a> {
    keep: &'a dyn Fn(&str) -> bool,
    faults: &'a mut Faults,
    found: Vec<Found>,
    directories: Vec<Directory>,
    all_directories: BTreeMap<String, bool>,
    /// The real paths of the directories above: a symbolic link back to one of
    /// them would never end.
    ancestors: Vec<PathBuf>,
    /// The real paths of directories that hold others, and how each is shown.
    holding_others: HashMap<PathBuf, String>,
}

impl Walk<'_> {
    fn directory(&mut self, path: &Path, shown: &str, parents: &[String]) {
        let listed = fs::canonicalize(path).and_then(|real| Ok((real, list(path)?)));
        let (real, items) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                if !parents.is_empty() {
                    // A row of the map file may name it.
                    self.all_directories.insert(parents.join("/"), false);
                }
                self.faults.unread_path(shown, format!("cannot be read: {error}"));
                return;
            }
        };
        if self.ancestors.contains(&real) {
            self.faults
                .error_at_path(shown, format!("leads back to {}, which it is in", real.display()));
            return;
        }
        // A model may have several names. Directories that hold others may
        // not: a few that hold links to each other would have as many ways
        // through them as permutations.
        if items.iter().any(|item| item.is_dir && item.name != "sys") {
            if let Some(other) = self.holding_others.get(&real) {
                let message = format!(
                    "is {other}, which holds other directories; only a model may have two names"
                );
                self.faults.error_at_path(shown, message);
                return;
            }
            self.holding_others.insert(real.clone(), shown.to_owned());
        }
        self.ancestors.push(real);
        self.items(items, path, shown, parents);
        self.ancestors.pop();
    }

    fn items(&mut self, items: Vec<Item>, path: &Path, shown: &str, parents: &[String]) {
        let level = parents.len();
        let name = parents.join("/");
        // As in jevents: a model is a directory without others below it but
        // `sys`, and a `sys` directory is a table of its own.
        let has_others = items.iter().any(|item| item.is_dir && item.name != "sys");
        let leaf = level > 0 && !has_others;
        let sys = parents.last().is_some_and(|last| last == "sys");
        let owner = if sys { parents[..level - 1].join("/") } else { name.clone() };
        if level > 0 {
            self.all_directories.insert(name.clone(), has_others);
        }
        let wanted = level == 0 || (self.keep)(&owner);
        let mut table = None;
        for Item { name: item, is_utf8, is_dir } in items {
            let item_shown = format!("{shown}/{item}");
            if !is_utf8 {
                // Names become names of models and topics.
                let wanted = wanted && item.ends_with(".json") && level <= DEEPEST;
                if is_dir {
                    self.faults.warning_at_path(&item_shown, "is not read: its name is not UTF-8");
                } else if wanted {
                    self.faults.unread_path(&item_shown, "cannot be read: its name is not UTF-8");
                }
                continue;
            }
            let item_path = path.join(&item);
            if is_dir {
                let mut below = parents.to_vec();
                below.push(item);
                if below.len() > DEEPEST + 1 {
                    // A tree of links can be endless without a loop.
                    continue;
                }
                self.directory(&item_path, &item_shown, &below);
                continue;
            }
            if level == 0 && item == "mapfile.csv" {
                self.find(item_shown, item_path, Role::Map);
                continue;
            }
            if level == 0 && item == "sources.csv" {
                self.find(item_shown, item_path, Role::Origins);
                continue;
            }
            if !item.ends_with(".json") || !wanted || level > DEEPEST {
                continue;
            }
            let role = if level == 0 {
                Role::Standard
            } else if item.ends_with("metricgroups.json") {
                Role::Groups
            } else if !leaf {
                self.faults.error_at_path(
                    &item_shown,
                    "belongs to no model: its directory has other directories below it",
                );
                continue;
            } else {
                let directory = *table.get_or_insert_with(|| {
                    self.directories.push(Directory {
                        name: owner.clone(),
                        sys,
                        path: name.clone(),
                    });
                    narrow(self.directories.len() - 1)
                });
                Role::Table { directory, topic: topic(&item) }
            };
            self.find(item_shown, item_path, role);
        }
    }

    fn find(&mut self, shown: String, path: PathBuf, role: Role) {
        self.found.push(Found { shown, path, role, named_at: None });
    }
}

/// The entries of a directory.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    /// The name as it is shown, if it is not UTF-8.
    name: String,
    is_utf8: bool,
    is_dir: bool,
}

/// The entries of a directory, sorted by name.
fn list(path: &Path) -> std::io::Result<Vec<Item>> {
    let mut items = Vec::new();
    for item in fs::read_dir(path)? {
        let item = item?;
        let name = item.file_name();
        // Symbolic links count as their targets.
        let is_dir = match item.file_type() {
            Ok(kind) if !kind.is_symlink() => kind.is_dir(),
            _ => fs::metadata(item.path()).is_ok_and(|metadata| metadata.is_dir()),
        };
        let is_utf8 = name.to_str().is_some();
        items.push(Item { name: name.to_string_lossy().into_owned(), is_utf8, is_dir });
    }
    items.sort();
    Ok(items)
}

/// `get_topic` of jevents.
fn topic(file_name: &str) -> String {
    if file_name.ends_with("metrics.json") {
        return "metrics".to_owned();
    }
    file_name.strip_suffix(".json").unwrap_or(file_name).replace('-', " ")
}

#[cfg(test)]
impl Source {
    /// Files that are nowhere: their paths below a root called `arch/` and the
    /// name of an architecture, and their texts.
    pub(crate) fn made_up(arch: &str, files: &[(&str, &str)]) -> Self {
        let root = format!("arch/{arch}");
        let mut source = Source {
            root: root.clone(),
            arch: arch.to_owned(),
            files: Vec::new(),
            directories: Vec::new(),
            all_directories: BTreeMap::new(),
            publication: None,
            faults: Faults::default(),
        };
        for (full, text) in files {
            let parents: Vec<&str> = full.split('/').collect();
            let Some((file, parents)) = parents.split_last() else { unreachable!() };
            for level in 1..=parents.len() {
                let holds_others = parents.get(level).is_some_and(|next| *next != "sys");
                *source.all_directories.entry(parents[..level].join("/")).or_default() |=
                    holds_others;
            }
            let path = parents.join("/");
            let role = if parents.is_empty() {
                if *file == "mapfile.csv" { Role::Map } else { Role::Standard }
            } else if file.ends_with("metricgroups.json") {
                Role::Groups
            } else {
                let known = source.directories.iter().position(|known| known.path == path);
                let directory = known.unwrap_or_else(|| {
                    let owner = path.strip_suffix("/sys");
                    let (name, sys) = (owner.unwrap_or(&path).to_owned(), owner.is_some());
                    source.directories.push(Directory { name, sys, path: path.clone() });
                    source.directories.len() - 1
                });
                Role::Table { directory: narrow(directory), topic: topic(file) }
            };
            source.files.push(File {
                shown: format!("{root}/{full}"),
                path: PathBuf::new(),
                text: (*text).to_owned(),
                role,
                is_readable: true,
                is_whole: true,
                lines: OnceLock::new(),
            });
        }
        source
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics() {
        let cases = [
            ("cache.json", "cache"),
            ("virtual-memory.json", "virtual memory"),
            ("spr-metrics.json", "metrics"),
            ("l1i_cache.json", "l1i_cache"),
        ];
        for (file, expected) in cases {
            assert_eq!(topic(file), expected);
        }
    }
}
