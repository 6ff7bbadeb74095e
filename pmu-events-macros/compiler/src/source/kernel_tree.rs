//! The directory of an architecture in a kernel's tree: models and their files, as
//! jevents finds them.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use crate::faults::obeyed::{self, Form};
use crate::faults::{Faults, narrow, quoted};
use crate::files::{self, Directory, Files, Found, Role, read_files};

/// jevents looks this many directories deep, and no deeper
/// (`preprocess_one_file` in `tools/perf/pmu-events/jevents.py`).
const DEEPEST: usize = 4;

/// Reads the tree below a directory. `keep` says which directories' tables are
/// wanted; files of others are not read.
pub(crate) fn read(
    root: &Path,
    shown: &str,
    keep: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) -> Files {
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
    let all = read_files(found, 0, faults);
    Files { root: shown.to_owned(), arch: arch_name(root), all, directories, all_directories }
}

/// The directory's name; for `.` and the like, which have none, that of the
/// real directory.
fn arch_name(root: &Path) -> String {
    let real = fs::canonicalize(root).unwrap_or_default();
    let name = root.file_name().or(real.file_name());
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
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
            if let Some(c) = obeyed::first(&item, Form::Word)
                && (is_dir || (item.ends_with(".json") && wanted && level <= DEEPEST))
            {
                let (name, code) = (quoted(&item), u32::from(c));
                let message = format!("the name {name} has the control character U+{code:04X}");
                self.faults.error_at_path(shown, message);
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
            if level == 0
                && let Some(role) = of_root(&item)
            {
                self.find(item_shown, item_path, role);
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

/// The role of a file at the root that is no JSON.
fn of_root(name: &str) -> Option<Role> {
    match name {
        "mapfile.csv" => Some(Role::Map),
        "sources.csv" => Some(Role::Origins),
        "cpus.csv" => Some(Role::Cpus),
        "fallback.csv" => Some(Role::Fallback),
        "former.csv" => Some(Role::Former),
        "lacks.csv" => Some(Role::Lacks),
        _ => None,
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
    for item in files::list(path)? {
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

/// Files that are nowhere: their paths below a root called `arch/` and the
/// name of an architecture, and their texts.
#[cfg(test)]
pub(crate) fn made_up(arch: &str, files: &[(&str, &str)]) -> Files {
    let root = format!("arch/{arch}");
    let mut made = Files {
        root: root.clone(),
        arch: arch.to_owned(),
        all: Vec::new(),
        directories: Vec::new(),
        all_directories: BTreeMap::new(),
    };
    for (full, text) in files {
        let parents: Vec<&str> = full.split('/').collect();
        let Some((file, parents)) = parents.split_last() else { unreachable!() };
        for level in 1..=parents.len() {
            let holds_others = parents.get(level).is_some_and(|next| *next != "sys");
            *made.all_directories.entry(parents[..level].join("/")).or_default() |= holds_others;
        }
        let path = parents.join("/");
        let role = if parents.is_empty() {
            of_root(file).unwrap_or(Role::Standard)
        } else if file.ends_with("metricgroups.json") {
            Role::Groups
        } else {
            let known = made.directories.iter().position(|known| known.path == path);
            let directory = known.unwrap_or_else(|| {
                let owner = path.strip_suffix("/sys");
                let (name, sys) = (owner.unwrap_or(&path).to_owned(), owner.is_some());
                made.directories.push(Directory { name, sys, path: path.clone() });
                made.directories.len() - 1
            });
            Role::Table { directory: narrow(directory), topic: topic(file) }
        };
        made.all.push(files::File::made_up(format!("{root}/{full}"), text, role));
    }
    made
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
