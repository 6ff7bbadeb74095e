use core::fmt;

use std::io;
use std::path::{Path, PathBuf};
use std::string::{String, ToString};

/// A file that cannot be read or parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file or directory.
    pub path: PathBuf,
    /// A description of the problem.
    pub what: String,
}

impl Problem {
    pub(crate) fn new(path: &Path, what: impl Into<String>) -> Self {
        /// An invalid text may also be long.
        const MOST: usize = 200;
        let mut what = what.into();
        if let Some((end, _)) = what.char_indices().nth(MOST) {
            what.truncate(end);
            what.push('\u{2026}');
        }
        Problem { path: path.into(), what }
    }

    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        Self::new(path, error.to_string())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl core::error::Error for Problem {}
