//! Directories and small files, read with care and few system calls: what a
//! PMU's driver writes is trusted to be neither text nor short.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::string::String;
use std::vec::Vec;

use super::problem::Problem;

/// The kernel writes a page at most (`Documentation/filesystems/sysfs.rst`);
/// a driver's `cpus` of a very large machine may be the longest of all.
const LONGEST: usize = 64 * 1024;

/// What a directory says of a file, without another question to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Regular,
    Directory,
    /// A link, or a file that was not listed: what it is has to be asked for.
    Unknown,
    /// A pipe, which would wait for a writer that never comes; a device, which
    /// to open may do something.
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
    /// Whether nobody has to be asked.
    pub(super) fn is_known(self) -> bool {
        self != Kind::Unknown
    }
}

/// The names in a directory, sorted, each with what it is; none if there is no
/// such directory.
pub(super) fn list(path: &Path) -> io::Result<Vec<(String, Kind)>> {
    /// More files than any PMU has: a made-up directory must not take all
    /// memory.
    const MOST: usize = 100_000;
    let items = match fs::read_dir(path) {
        Ok(items) => items,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for item in items.take(MOST) {
        let item = item?;
        // A name that is no text is none that an event string could have; a
        // file without a kind has just gone.
        if let (Ok(name), Ok(kind)) = (item.file_name().into_string(), item.file_type()) {
            names.push((name, kind.into()));
        }
    }
    names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(names)
}

/// What the text of a file, trimmed, stands for; `None` if it is not there.
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
            Err(error) => return Err(Problem::io(path, &error)),
        }
    } else if kind != Kind::Regular {
        return problem("is not a regular file");
    }
    let mut file = match File::open(path) {
        Ok(file) => file,
        // It may have gone since it was listed, as a driver is unloaded.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Problem::io(path, &error)),
    };
    // `read_to_end` would first ask for the size, which sysfs does not know.
    let mut page = [0; 4096];
    // Almost always all there is.
    let first = fill(&mut file, &mut page).map_err(|error| Problem::io(path, &error))?;
    let mut rest = Vec::new();
    if first == page.len() {
        rest.extend_from_slice(&page);
        let most = (LONGEST + 1 - first) as u64;
        let read = file.take(most).read_to_end(&mut rest);
        read.map_err(|error| Problem::io(path, &error))?;
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

/// One read: what ends there gives less than was asked for.
fn fill(file: &mut File, page: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(page) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
