//! A directory out of bytes, with everything that nobody would expect in one.
//!
//! | line | what is made |
//! |---|---|
//! | `path<TAB>text` | a file |
//! | `<TAB>text` | another line of that file |
//! | `path*text` | a file with the text again and again, up to a megabyte |
//! | `path+text` | the same, up to 30 KiB |
//! | `path>path` | a link, wherever that leads; to `/dev/zero` and `/dev/null`, too |
//! | `path/` | a directory |
//!
//! Lines that make no sense are passed over. Nothing is written outside the
//! directory: a path has neither `..` nor anything before its first name, and
//! links are made last.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory of its own in the system's directory for such; gone when this
/// is.
pub struct Directory {
    root: PathBuf,
}

impl Directory {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pmu-events-fuzz-{}-{number}", std::process::id());
        let root = std::env::temp_dir().join(name);
        fs::create_dir_all(&root).expect("the temporary directory can be written");
        Directory { root }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Writes what lines say below one of its directories.
    pub fn fill(&self, below: &str, lines: &[u8]) {
        let base = self.root.join(below);
        fs::create_dir_all(&base).expect("the temporary directory can be written");
        let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
        let mut links = Vec::new();
        for line in lines.split(|&byte| byte == b'\n') {
            let Some(at) = line.iter().position(|byte| b"\t*+>".contains(byte)) else {
                if let Some(path) = line.strip_suffix(b"/").and_then(|path| within(&base, path)) {
                    let _ = fs::create_dir_all(path);
                }
                continue;
            };
            let (path, how, text) = (&line[..at], line[at], &line[at + 1..]);
            match (within(&base, path), how) {
                (None, b'\t') if path.is_empty() => {
                    if let Some((_, before)) = files.last_mut() {
                        before.push(b'\n');
                        before.extend(text);
                    }
                }
                (Some(path), b'\t') => files.push((path, text.to_vec())),
                (Some(path), b'*') => files.push((path, text.repeat((1 << 20) / (text.len() + 1)))),
                (Some(path), b'+') => files.push((path, text.repeat(30_000 / (text.len() + 1)))),
                (Some(path), b'>') => links.push((path, text)),
                _ => {}
            }
        }
        for (path, mut text) in files {
            text.push(b'\n');
            let _ = fs::create_dir_all(path.parent().expect("it is below the base"));
            let _ = fs::write(path, text);
        }
        for (path, target) in links {
            let target = match target {
                b"/dev/zero" | b"/dev/null" => PathBuf::from(OsStr::from_bytes(target)),
                _ => match within(&base, target) {
                    Some(target) => target,
                    None => continue,
                },
            };
            // Another link may lead elsewhere already.
            let parent = path.parent().expect("it is below the base");
            if parent.canonicalize().is_ok_and(|real| real.starts_with(&self.root)) {
                let _ = symlink(target, path);
            }
        }
    }
}

impl Default for Directory {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// A path below a directory, and not that itself.
fn within(base: &Path, path: &[u8]) -> Option<PathBuf> {
    let names: Vec<&[u8]> =
        path.split(|&byte| byte == b'/').filter(|name| !name.is_empty()).collect();
    let is_name = |name: &&[u8]| !matches!(*name, b"." | b"..") && !name.contains(&0);
    if names.is_empty() || names.len() > 6 || !names.iter().all(is_name) {
        return None;
    }
    Some(names.iter().fold(base.to_owned(), |path, name| path.join(OsStr::from_bytes(name))))
}
