//! What is wrong with a file.

use core::error::Error;
use core::fmt;

use std::io;
use std::path::{Path, PathBuf};
use std::string::String;

use crate::cause::Cause;

/// A file that cannot be read or parsed. If the system refuses to read it, the
/// error's source is the reason.
///
/// ```
/// use pmu_events::sysfs::Sysfs;
///
/// for problem in Sysfs::new().problems() {
///     println!("{problem} ({:?})", problem.kind());
/// }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Problem {
    kind: ProblemKind,
    path: PathBuf,
    what: String,
    cause: Cause,
}

/// The kind of problem with a file.
///
/// ```
/// use pmu_events::sysfs::ProblemKind;
/// use pmu_events::sysfs::Sysfs;
///
/// for problem in Sysfs::new().problems() {
///     if problem.kind() == ProblemKind::Malformed {
///         println!("{problem}");
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The system refuses to read it.
    Unreadable,
    /// It does not exist, although what it describes does.
    Missing,
    /// It does not contain what it should.
    Malformed,
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
        let kind = ProblemKind::Malformed;
        Problem { kind, path: path.into(), what, cause: Cause::NONE }
    }

    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        let kind = ProblemKind::Unreadable;
        Problem { kind, cause: error.into(), ..Self::new(path, "cannot be read") }
    }

    pub(crate) fn missing(path: &Path, what: impl Into<String>) -> Self {
        Problem { kind: ProblemKind::Missing, ..Self::new(path, what) }
    }

    /// The same with a cure.
    pub(crate) fn with_cure(mut self, cure: &str) -> Self {
        self.what.push_str("; ");
        self.what.push_str(cure);
        self
    }

    /// The same problem, of a file that has another path for the user.
    pub(crate) fn at(self, path: PathBuf) -> Self {
        Problem { path, ..self }
    }

    /// Returns the kind of problem.
    #[must_use]
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// Returns the path of the file or directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the user does not have permission to read the file.
    #[must_use]
    pub fn is_permission(&self) -> bool {
        self.cause.kind() == Some(io::ErrorKind::PermissionDenied)
    }

    /// Returns what is wrong, without the path.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Whether there is no such file or directory.
    pub(crate) fn is_of_absence(&self) -> bool {
        self.cause.kind() == Some(io::ErrorKind::NotFound)
    }

    pub(crate) fn cause(&self) -> &Cause {
        &self.cause
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

pmu_events_core::__private::debug_as_display!(Problem);

impl Error for Problem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.source()
    }
}
