//! Writes texts to files: all of an architecture, or none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::arch::Arch;
use crate::cpus;
use crate::origin;
use crate::quantities;
use crate::render;
use crate::standard;
use crate::tree;

/// A change to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Below the directory of the architecture.
    pub file: String,
    /// The kind of change.
    pub kind: ChangeKind,
}

/// See [`Change`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It did not exist.
    New,
    /// It existed with another text.
    Changed,
    /// It is removed.
    Removed,
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ChangeKind::New => "new",
            ChangeKind::Changed => "changed",
            ChangeKind::Removed => "removed",
        })
    }
}

/// The files of an architecture by their path below its directory.
pub type Files = BTreeMap<String, String>;

/// Renders an architecture. What its models have in common is written once.
#[must_use]
pub fn files(arch: &Arch) -> Files {
    let shared = standard::share(arch);
    let arch = shared.as_ref().unwrap_or(arch);
    let below = |directory: &str, file: &str| match directory {
        "" => file.to_owned(),
        directory => format!("{directory}/{file}"),
    };
    let mut files = Files::new();
    files.insert("mapfile.csv".to_owned(), render::map_file(&arch.rows));
    if !arch.origins.is_empty() {
        files.insert(origin::FILE.to_owned(), origin::render(&arch.origins));
    }
    for (file, rows) in [(cpus::MADE, &arch.cpus), (cpus::FALLBACK, &arch.fallbacks)] {
        if !rows.is_empty() {
            files.insert(file.to_owned(), cpus::render(rows));
        }
    }
    if !arch.lacks.is_empty() {
        files.insert(quantities::LACKS.to_owned(), quantities::render_lacks(&arch.lacks));
    }
    for (directory, tables) in &arch.tables {
        for (file, records) in tables {
            files.insert(below(directory, file), render::records(records));
        }
    }
    for (directory, groups) in &arch.groups {
        files.insert(below(directory, "metricgroups.json"), render::groups(groups));
    }
    files
}

/// The former names of models and events, which are written by hand.
const FORMER: &str = "former.csv";

/// The changes that writing would make. Files that are neither JSON nor CSV are
/// left alone, and so is the list of former names.
///
/// # Errors
///
/// When the present files cannot be read.
pub fn changes(directory: &Path, files: &Files) -> io::Result<Vec<Change>> {
    let mut there = BTreeSet::new();
    if directory.exists() {
        walk(directory, "", &mut there)?;
    }
    let mut changes = Vec::new();
    for (file, text) in files {
        let kind = if !there.remove(file) {
            ChangeKind::New
        } else if fs::read(directory.join(file))? != text.as_bytes() {
            ChangeKind::Changed
        } else {
            continue;
        };
        changes.push(Change { file: file.clone(), kind });
    }
    let is_written = |file: &String| file.ends_with(".json") || file.ends_with(".csv");
    let gone = there.into_iter().filter(|file| is_written(file) && file != FORMER);
    changes.extend(gone.map(|file| Change { file, kind: ChangeKind::Removed }));
    changes.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(changes)
}

fn walk(directory: &Path, below: &str, files: &mut BTreeSet<String>) -> io::Result<()> {
    for (name, is_directory) in tree::list(directory)? {
        let shown = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if is_directory {
            walk(&directory.join(&name), &shown, files)?;
        } else {
            files.insert(shown);
        }
    }
    Ok(())
}

/// Makes the directory contain these files. It is built next to the present one
/// and replaces it when it is complete; unchanged files keep their identity, so
/// that no compiler sees a change.
///
/// # Errors
///
/// When something cannot be written; the directory is then unchanged.
pub fn write(directory: &Path, files: &Files, changes: &[Change]) -> io::Result<()> {
    if changes.is_empty() {
        return Ok(());
    }
    let new = beside(directory, "new");
    let old = beside(directory, "old");
    let result = build(directory, files, changes, &new).and_then(|()| {
        if directory.exists() {
            fs::rename(directory, &old)?;
        }
        fs::rename(&new, directory).inspect_err(|_| {
            // Restoring it is best effort.
            let _ = fs::rename(&old, directory);
        })
    });
    if result.is_err() {
        let _ = fs::remove_dir_all(&new);
        return result;
    }
    if old.exists() { fs::remove_dir_all(&old) } else { Ok(()) }
}

/// A hidden name of our own in the same directory, so that renaming works.
fn beside(directory: &Path, suffix: &str) -> PathBuf {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    directory.with_file_name(format!(".{name}.{}.{suffix}", std::process::id()))
}

fn build(directory: &Path, files: &Files, changes: &[Change], new: &Path) -> io::Result<()> {
    let mut kept = BTreeSet::new();
    if directory.exists() {
        walk(directory, "", &mut kept)?;
    }
    for change in changes {
        kept.remove(&change.file);
    }
    fs::create_dir_all(new)?;
    let prepare = |file: &str| -> io::Result<PathBuf> {
        let path = new.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        Ok(path)
    };
    for file in &kept {
        let (from, to) = (directory.join(file), prepare(file)?);
        if fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to)?;
        }
    }
    for change in changes.iter().filter(|change| change.kind != ChangeKind::Removed) {
        fs::write(prepare(&change.file)?, &files[&change.file])?;
    }
    Ok(())
}
