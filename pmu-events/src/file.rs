//! The one way to files and directories: those of sysfs and procfs, and those that
//! users name. `.ci/gates` refuses any other.
//!
//! A sysfs may be a recording, a container's, or one that somebody else has made, so
//! that anything can be in place of a file. Nothing here waits for a pipe, reacts to
//! what a device does when it is opened, or reads without end; and what is too long
//! is refused, never cut off. Lengths are those that were read: a file of procfs has
//! the size 0, and one of sysfs that of a page.

use std::ffi::OsString;
use std::format;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::string::String;
use std::vec::Vec;

use crate::order::sort_by;
use crate::problem::Problem;

/// The kernel writes at most a page (`Documentation/filesystems/sysfs.rst`); the
/// longest file may be a driver's `cpus` on a very large machine.
const LONGEST_OF_SYSFS: usize = 64 << 10;

/// `cpuinfo` has 1.5 KB for each CPU, of which there are at most 8192; `stat` has a
/// number for each interrupt, and `mounts` a line for each of at most 100 000 mounts.
const LONGEST_OF_PROCFS: usize = 64 << 20;

/// Most files of procfs are shorter, so that they need one read and one for the end.
const MOST_OF_PROCFS: usize = 4096;

/// More files than any PMU, event tree or hierarchy of control groups has in one
/// directory.
const MOST_ENTRIES: usize = 100_000;

/// Processes, and threads of a process, are at most `PID_MAX_LIMIT`
/// (`include/linux/threads.h`), 1 << 22; `/proc` has other files, too.
const MOST_ENTRIES_OF_PROCFS: usize = (1 << 22) + MOST_ENTRIES;

/// The kind of a file according to its directory, without another system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    Regular,
    /// A directory.
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
    pub(crate) fn is_known(self) -> bool {
        self != Kind::Unknown
    }
}

/// Returns the names in a directory, sorted, each with its kind; none if the
/// directory does not exist. A name that is not UTF-8, which cannot occur in an event
/// string, is left out.
pub(crate) fn list(path: &Path) -> Result<Vec<(String, Kind)>, Problem> {
    match entries(path) {
        Ok(entries) => {
            let mut names = Vec::with_capacity(entries.len());
            for (name, kind) in entries {
                if let Ok(name) = name.into_string() {
                    names.push((name, kind));
                }
            }
            Ok(names)
        }
        Err(problem) if problem.is_of_absence() => Ok(Vec::new()),
        Err(problem) => Err(problem),
    }
}

/// Returns the names in a directory, sorted, each with its kind.
///
/// # Errors
///
/// Returns a problem if the directory cannot be read, or has more than 100 000
/// entries.
pub fn entries(path: &Path) -> Result<Vec<(OsString, Kind)>, Problem> {
    entries_up_to(path, MOST_ENTRIES)
}

/// Returns the names of a directory of procfs that are numbers: processes, threads or
/// open files.
pub fn numbers(path: &Path) -> Result<Vec<u32>, Problem> {
    let entries = entries_up_to(path, MOST_ENTRIES_OF_PROCFS)?;
    let mut numbers = Vec::new();
    for (name, _) in &entries {
        if let Some(Ok(number)) = name.to_str().map(str::parse::<u32>) {
            numbers.push(number);
        }
    }
    sort_by(&mut numbers, u32::cmp);
    Ok(numbers)
}

fn entries_up_to(path: &Path, most: usize) -> Result<Vec<(OsString, Kind)>, Problem> {
    let items = fs::read_dir(path).map_err(|error| Problem::io(path, error))?;
    let mut entries = Vec::new();
    for item in items {
        if entries.len() == most {
            return Err(Problem::new(path, format!("has more than {most} entries")));
        }
        let item = item.map_err(|error| Problem::io(path, error))?;
        // A file without a kind has just been removed.
        if let Ok(kind) = item.file_type() {
            entries.push((item.file_name(), kind.into()));
        }
    }
    sort_by(&mut entries, |a: &(OsString, Kind), b| a.0.cmp(&b.0));
    Ok(entries)
}

/// Opens a directory, for calls that take it in place of its path.
#[cfg(feature = "open")]
pub(crate) fn directory(path: &Path) -> io::Result<File> {
    let directory = opened(path)?;
    match directory.metadata()?.is_dir() {
        true => Ok(directory),
        false => Err(ErrorKind::NotADirectory.into()),
    }
}

/// Parses the trimmed text of a file of sysfs; `None` if the file does not exist.
pub fn of_sysfs<T>(
    path: &Path,
    kind: Kind,
    parse: impl FnOnce(&str) -> T,
) -> Result<Option<T>, Problem> {
    let (mut parse, mut parsed) = (Some(parse), None);
    // Only this line is compiled for each type.
    with_sysfs(path, kind, &mut |text| parsed = parse.take().map(|parse| parse(text)))?;
    Ok(parsed)
}

/// Calls a function with the trimmed text of a file of sysfs, if the file exists.
fn with_sysfs(path: &Path, kind: Kind, parse: &mut dyn FnMut(&str)) -> Result<(), Problem> {
    let mut file = match regular(path, kind) {
        Ok(file) => file,
        // It may have been removed since it was listed, when its driver was unloaded.
        Err(problem) if problem.is_of_absence() => return Ok(()),
        Err(problem) => return Err(problem),
    };
    // `read_to_end` would first query the size, which sysfs does not know.
    let mut page = [0; 4096];
    // Almost always the whole file.
    let first = fill(&mut file, &mut page).map_err(|error| Problem::io(path, error))?;
    let long;
    let bytes = if first < page.len() {
        &page[..first]
    } else {
        long = rest(path, &mut file, page.to_vec(), LONGEST_OF_SYSFS)?;
        &long[..]
    };
    parse(text(path, bytes)?.trim());
    Ok(())
}

/// Returns the text of a file of procfs.
///
/// # Errors
///
/// Returns a problem if the file cannot be read, is not a regular file, is longer
/// than 64 MiB, or is not text.
pub fn of_procfs(path: &Path) -> Result<String, Problem> {
    let mut file = regular(path, Kind::Unknown)?;
    let bytes = rest(path, &mut file, Vec::with_capacity(MOST_OF_PROCFS), LONGEST_OF_PROCFS)?;
    text(path, &bytes).map(String::from)
}

/// Returns the bytes of a file that a user names, which may be a pipe or a terminal:
/// `/dev/stdin`, or what a shell writes in place of `<(command)`. Waits for those,
/// until a signal ends the program.
///
/// # Errors
///
/// Returns a problem if the file cannot be read or is longer than `most` bytes.
pub fn of_user(path: &Path, most: usize) -> Result<Vec<u8>, Problem> {
    let mut file = File::open(path).map_err(|error| Problem::io(path, error))?;
    rest(path, &mut file, Vec::new(), most)
}

fn regular(path: &Path, kind: Kind) -> Result<File, Problem> {
    let io = |error| Problem::io(path, error);
    let is_regular = match kind {
        Kind::Regular => true,
        Kind::Directory | Kind::Other => false,
        Kind::Unknown => fs::metadata(path).map_err(io)?.is_file(),
    };
    let file = if is_regular { Some(opened(path).map_err(io)?) } else { None };
    // It may have become another one in the meantime.
    let is_still = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
    file.filter(is_still).ok_or_else(|| Problem::new(path, "is not a regular file"))
}

/// Opens a file or directory without waiting for the other end of a pipe.
fn opened(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

/// Reads once: a short read means the end of a file of sysfs, but not of procfs.
fn fill(file: &mut File, page: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(page) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Reads to the end, after the bytes that have been read already.
fn rest(path: &Path, file: &mut File, mut bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, Problem> {
    // Not `take(…).read_to_end(…)`, whose code would be compiled for this one call. Files of procfs
    // come in pieces: room is made when there is none left, and not for each of them.
    let mut length = bytes.len();
    while length <= most {
        if bytes.len() == length {
            bytes.resize(length + length.max(MOST_OF_PROCFS), 0);
        }
        let read = fill(file, &mut bytes[length..]).map_err(|error| Problem::io(path, error))?;
        if read == 0 {
            bytes.truncate(length);
            return Ok(bytes);
        }
        length += read;
    }
    let most = match most >> 20 {
        0 => format!("{} KiB", most >> 10),
        mib => format!("{mib} MiB"),
    };
    Err(Problem::new(path, format!("is longer than {most}")))
}

fn text<'b>(path: &Path, bytes: &'b [u8]) -> Result<&'b str, Problem> {
    match str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err(Problem::new(path, "is not text")),
    }
}
