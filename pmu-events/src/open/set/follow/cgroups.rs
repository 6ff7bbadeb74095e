//! The control groups that exist.

use std::io;
use std::path::{Path, PathBuf};
use std::string::{String, ToString};
use std::vec::Vec;

use crate::file::{self, Kind};
use crate::open::{Cgroup, Error, ErrorKind};
use crate::problem::Problem;

/// A control group as it is listed.
#[derive(Debug)]
pub(super) struct Found {
    /// The path below the directory of all.
    pub(super) name: String,
    path: PathBuf,
    /// Of its directory: a later one of the same path has another.
    pub(super) inode: u64,
}

impl Found {
    pub(super) fn place(&self) -> CgroupPlace {
        CgroupPlace { path: self.path.clone(), inode: self.inode }
    }
}

/// Where a control group is. It is open only while counters are opened in it.
#[derive(Debug)]
pub(super) struct CgroupPlace {
    path: PathBuf,
    pub(super) inode: u64,
}

impl CgroupPlace {
    /// Opens it, unless it has gone or is another one by now.
    pub(super) fn open(&self) -> Result<Cgroup, Error> {
        match Cgroup::open(&self.path) {
            Ok(cgroup) if !self.is_gone() => Ok(cgroup),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::of_file(&Problem::io(&self.path, error)))
            }
            _ => Err(gone()),
        }
    }

    pub(super) fn is_gone(&self) -> bool {
        inode(&self.path) != Some(self.inode)
    }
}

pub(super) fn gone() -> Error {
    Error::new(ErrorKind::NoSuchTask, 0, "the control group has gone")
}

/// The control groups below a directory that are wanted, sorted by their names, and those whose
/// names are not UTF-8.
pub(super) fn wanted(
    root: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Found>, Vec<String>), Error> {
    let (mut found, mut not_utf8) = (Vec::new(), Vec::new());
    let entries = file::entries(root).map_err(|problem| Error::of_file(&problem))?;
    below(root, "", entries, is_wanted, &mut found, &mut not_utf8);
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((found, not_utf8))
}

fn below(
    directory: &Path,
    prefix: &str,
    entries: Vec<(std::ffi::OsString, Kind)>,
    is_wanted: &dyn Fn(&str) -> bool,
    found: &mut Vec<Found>,
    not_utf8: &mut Vec<String>,
) {
    // Following links could loop.
    for (name, _) in entries.into_iter().filter(|(_, kind)| *kind == Kind::Directory) {
        let path = directory.join(&name);
        let Some(name) = name.to_str() else {
            not_utf8.push(std::format!("{prefix}{}", name.to_string_lossy()));
            continue;
        };
        let name = std::format!("{prefix}{name}");
        // One that has gone, or may not be read, has nothing below it.
        let Ok(entries) = file::entries(&path) else { continue };
        below(&path, &std::format!("{name}/"), entries, is_wanted, found, not_utf8);
        if is_wanted(&name)
            && let Some(inode) = inode(&path)
        {
            found.push(Found { name, path, inode });
        }
    }
}

/// A number that a later directory of the same path does not have.
#[cfg(target_os = "linux")]
fn inode(path: &Path) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    Some(std::fs::metadata(path).ok()?.ino())
}

#[cfg(not(target_os = "linux"))]
fn inode(_path: &Path) -> Option<u64> {
    Some(0)
}

pub(super) fn not_utf8() -> Error {
    let message = "the path of the control group is not UTF-8, so that no label can have it";
    Error::new(ErrorKind::Other, 0, message.to_string())
}
