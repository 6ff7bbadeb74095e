//! Small files, read with care: what a PMU's driver writes is trusted to be
//! neither text nor short.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::string::String;
use std::vec::Vec;
use std::{fs, io::ErrorKind};

use super::Problem;

/// The kernel writes a page at most (`Documentation/filesystems/sysfs.rst`);
/// a driver's `cpus` of a very large machine may be the longest of all.
const LONGEST: u64 = 64 * 1024;

/// The text of a file, trimmed; `None` if it is not there.
pub(super) fn read(path: &Path) -> Result<Option<String>, Problem> {
    let problem = |why: &str| Problem::new(path, why);
    let file = match open(path) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(error) => return Err(Problem::io(path, &error)),
    };
    let mut bytes = Vec::new();
    match file.take(LONGEST + 1).read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) => return Err(Problem::io(path, &error)),
    }
    if bytes.len() as u64 > LONGEST {
        return Err(problem("is longer than 64 KiB"));
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => Err(problem("is not text")),
        Ok(text) => Ok(Some(text.trim().into())),
        Err(_) => Err(problem("is not text")),
    }
}

/// Opens a regular file; a pipe would wait for a writer that never comes.
fn open(path: &Path) -> io::Result<Option<File>> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !metadata.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        // It may go between the two calls, as a driver is unloaded.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The names in a directory, sorted; none if it is not there.
pub(super) fn names(path: &Path) -> Result<Vec<String>, Problem> {
    /// More files than any PMU has: a made-up directory must not take all
    /// memory.
    const MOST: usize = 100_000;
    let items = match fs::read_dir(path) {
        Ok(items) => items,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Problem::io(path, &error)),
    };
    let mut names = Vec::new();
    for item in items.take(MOST) {
        match item {
            // A name that is no text is none that an event string could have.
            Ok(item) => names.extend(item.file_name().into_string()),
            Err(error) => return Err(Problem::io(path, &error)),
        }
    }
    names.sort_unstable();
    Ok(names)
}
