//! The files and directories of a tree or of a publication, and the JSON in them; nothing
//! else reads any (`.ci/gates`). A path that a user names may be that of anything: only regular
//! files are opened.

pub(crate) mod json;
pub(crate) mod json_text;
pub(crate) mod lines;
mod scanner;

use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::io::{self, Read};
use std::ops::Index;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::cost::parallel;
use crate::faults::report::{Report, Severity};
use crate::faults::{Faults, List, Place, narrow};
use lines::Lines;

/// Offsets are kept in 32 bits.
const LARGEST: u64 = u32::MAX as u64;

/// More entries than any directory of a tree has.
const MOST_ENTRIES: usize = 100_000;

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
    /// `cpus.csv`: the CPUs for which models were made.
    Cpus,
    /// `fallback.csv`: the models of CPUs that no row of the map file matches.
    Fallback,
    /// `former.csv`: names that models and events had before.
    Former,
    /// `lacks.csv`: metrics that models lack, and why.
    Lacks,
    /// A JSON file at the root: architecture standard events.
    Standard,
    /// A JSON file of a model, or of the sys table of a directory.
    Table { directory: u32, topic: String },
    /// `metricgroups.json`.
    Groups,
    /// A file that a vendor publishes; the publication knows which models have
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

/// The files below a directory, and the models that it has.
#[derive(Debug)]
pub(crate) struct Files {
    /// The path as the user wrote it.
    pub(crate) root: String,
    /// The architecture: the name of the directory.
    pub(crate) arch: String,
    pub(crate) all: Vec<File>,
    /// Directories with tables, in the order in which perf walks.
    pub(crate) directories: Vec<Directory>,
    /// Every directory, whether it holds a table or not, and whether other
    /// directories than `sys` lie below it.
    pub(crate) all_directories: BTreeMap<String, bool>,
}

impl Files {
    /// Line and column, both from 1, and the file's name.
    pub(crate) fn locate(&self, place: Place) -> (&str, Option<(usize, usize)>) {
        let Some(file) = self.all.get(place.file as usize) else {
            return (&self.root, None);
        };
        let lines = file.lines.get_or_init(|| Lines::of(&file.text));
        (&file.shown, Some(lines.position(&file.text, place.offset as usize)))
    }

    /// Faults of these files, with their lines and columns.
    pub(crate) fn report(&self, list: &List, severity: Severity) -> Report {
        Report::new(list, &|place| self.locate(place), severity)
    }
}

impl Index<u32> for Files {
    type Output = File;

    fn index(&self, number: u32) -> &File {
        &self.all[number as usize]
    }
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

/// A file's text, or as much of it as can be shown, and the error.
pub(crate) fn read_text(path: &Path) -> (String, Option<(Option<usize>, String)>) {
    let unread =
        |error: io::Error| (String::new(), Some((None, format!("cannot be read: {error}"))));
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
    let mut bytes = Vec::new();
    let read = fs::File::open(path)
        // A file may grow, or say that it is empty, as those of procfs do.
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 > LARGEST => {
            return (String::new(), Some((None, "is larger than 4 GiB".to_owned())));
        }
        Ok(_) => {}
        Err(error) => return unread(error),
    }
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

/// The entries of a directory, sorted by name.
pub(crate) fn list(path: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        if entries.len() == MOST_ENTRIES {
            return Err(io::Error::other(format!("it has more than {MOST_ENTRIES} entries")));
        }
        entries.push(entry?);
    }
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

#[cfg(test)]
impl File {
    /// A file that is nowhere.
    pub(crate) fn made_up(shown: String, text: &str, role: Role) -> Self {
        File {
            shown,
            path: PathBuf::new(),
            text: text.to_owned(),
            role,
            is_readable: true,
            is_whole: true,
            lines: OnceLock::new(),
        }
    }
}
