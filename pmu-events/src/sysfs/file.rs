//! Reading directories and small files, robustly and with few system calls: files
//! may be long or not text.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::string::String;
use std::vec::Vec;

use super::problem::Problem;

/// The kernel writes at most a page (`Documentation/filesystems/sysfs.rst`); the
/// longest file may be a driver's `cpus` on a very large machine.
const LONGEST: usize = 64 * 1024;

/// The kind of a file according to its directory, without another system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Regular,
    Directory,
    /// A link, or a file that was not listed: its kind needs another system call.
    Unknown,
    /// A pipe, on which a read could block forever, or a device, which may react to
    /// being opened.
    Other,
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Self {
        match () {
            () if kind.is_file() => Kind::Regular,
            () if kind.is_dir() => Kind::Directory,
            () if kind.is_symlink() => Kind::Unknown,
            () => Kind::Other,
        }
    }
}

impl Kind {
    /// Whether the kind is known without another system call.
    pub(super) fn is_known(self) -> bool {
        self != Kind::Unknown
    }
}

/// Returns the names in a directory, sorted, each with its kind; none if the
/// directory does not exist.
pub(super) fn list(path: &Path) -> io::Result<Vec<(String, Kind)>> {
    /// More files than any PMU has: a malicious directory must not exhaust memory.
    const MOST: usize = 100_000;
    let items = match fs::read_dir(path) {
        Ok(items) => items,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for item in items.take(MOST) {
        let item = item?;
        // A name that is not UTF-8 cannot occur in an event string; a file without
        // a kind has just been removed.
        if let (Ok(name), Ok(kind)) = (item.file_name().into_string(), item.file_type()) {
            names.push((name, kind.into()));
        }
    }
    names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(names)
}

/// Parses the trimmed text of a file; `None` if the file does not exist.
pub(super) fn read<T>(
    path: &Path,
    kind: Kind,
    parse: impl FnOnce(&str) -> T,
) -> Result<Option<T>, Problem> {
    let problem = |why: &str| Err(Problem::new(path, why));
    if kind == Kind::Unknown {
        match fs::metadata(path) {
            Ok(target) if target.is_file() => {}
            Ok(_) => return problem("is not a regular file"),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Problem::io(path, error)),
        }
    } else if kind != Kind::Regular {
        return problem("is not a regular file");
    }
    let mut file = match File::open(path) {
        Ok(file) => file,
        // It may have been removed since it was listed, when its driver was
        // unloaded.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Problem::io(path, error)),
    };
    // `read_to_end` would first query the size, which sysfs does not know.
    let mut page = [0; 4096];
    // Almost always the whole file.
    let first = fill(&mut file, &mut page).map_err(|error| Problem::io(path, error))?;
    let mut rest = Vec::new();
    if first == page.len() {
        rest.extend_from_slice(&page);
        let most = (LONGEST + 1 - first) as u64;
        let read = file.take(most).read_to_end(&mut rest);
        read.map_err(|error| Problem::io(path, error))?;
    }
    let bytes = if rest.is_empty() { &page[..first] } else { &rest };
    if bytes.len() > LONGEST {
        return problem("is longer than 64 KiB");
    }
    match str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(Some(parse(text.trim()))),
        _ => problem("is not text"),
    }
}

/// Reads once: a short read means the end of the file.
fn fill(file: &mut File, page: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(page) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
