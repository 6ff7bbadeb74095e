//! The files of a run, and their texts.

use std::path::{Path, PathBuf};

use pmu_events::__private::file::{self, Kind};

use crate::failure::with_sources;

/// A file with its text, or why there is none.
pub(crate) struct Input {
    /// As it was given, or below the directory that was.
    pub(crate) path: String,
    pub(crate) text: Result<String, NoText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoText {
    /// The file has no text for people.
    Binary,
    /// The file cannot be read.
    Unreadable(String),
}

/// More of a file is not read.
const MOST_BYTES: usize = 64 << 20;

/// Deeper directories are not read: they may be a circle.
const MOST_LEVELS: usize = 64;

/// The files of a path: itself, or those below it, in the order of their names.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut left = vec![(path.to_owned(), 0)];
    while let Some((directory, level)) = left.pop() {
        let mut entries = file::entries(&directory).map_err(|problem| with_sources(&problem))?;
        entries.sort_by(|(a, _), (b, _)| b.cmp(a));
        for (name, kind) in entries {
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let below = directory.join(name);
            match kind_of(&below, kind) {
                Kind::Regular => files.push(below),
                Kind::Directory if level < MOST_LEVELS => left.push((below, level + 1)),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The kind of a file, also where the file system does not list it.
fn kind_of(path: &Path, listed: Kind) -> Kind {
    if listed != Kind::Unknown {
        return listed;
    }
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => Kind::Regular,
        Ok(metadata) if metadata.is_dir() => Kind::Directory,
        // A link, which may lead to a file that is read anyway, or out of the directory.
        _ => Kind::Unknown,
    }
}

/// Reads a file. Bytes that are no UTF-8 become replacement characters.
pub(crate) fn read(path: &Path) -> Input {
    let shown = path.display().to_string();
    let text = match file::of_user(path, MOST_BYTES) {
        Ok(bytes) if is_binary(&bytes) => Err(NoText::Binary),
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(problem) => Err(NoText::Unreadable(with_sources(&problem))),
    };
    Input { path: shown, text }
}

/// Whether these are no characters: text has no NUL.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(1 << 13).any(|&byte| byte == 0)
}
