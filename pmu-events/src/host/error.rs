use core::fmt;

use std::io;
use std::path::PathBuf;
use std::string::String;

use crate::cause::Cause;
use crate::problem::Problem;

/// Why the model of a machine is unknown.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    cause: Cause,
}

/// The kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No row of the map file matches the machine's CPUID. Most architectures name some
    /// events, and have a table of these for such a CPU. AMD's names none: on a family of
    /// which no table is known, the events that the kernel has for every CPU remain.
    Unknown(String),
    /// The crate was compiled without the tree for this architecture.
    NoTree {
        /// The machine's CPUID.
        cpuid: String,
        /// The feature of the crate that adds the tree.
        feature: &'static str,
    },
    /// The machine has cores of several models.
    SeveralModels,
    /// A file that identifies the CPU cannot be read; the error's source is the
    /// reason.
    Unreadable(PathBuf),
    /// A file was read, but does not identify the CPU.
    Silent(PathBuf, &'static str),
    /// perf has no CPUID for this architecture.
    Architecture(&'static str),
}

impl Error {
    pub(crate) fn unreadable(problem: Problem) -> Self {
        let kind = ErrorKind::Unreadable(problem.path().into());
        let cause = match problem.cause().kind() {
            Some(_) => problem.cause().clone(),
            // What is wrong with a file that the system lets be read is a reason, too.
            None => io::Error::new(io::ErrorKind::InvalidData, problem.what()).into(),
        };
        Error { kind, cause }
    }

    #[cfg_attr(not(all(feature = "open", feature = "ebb")), allow(dead_code))]
    pub(crate) fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error { kind, cause: Cause::NONE }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Unknown(cpuid) => write!(f, "no model is known for CPU `{cpuid}`"),
            ErrorKind::NoTree { cpuid, feature } => write!(
                f,
                "pmu-events is compiled without the events of CPU `{cpuid}`: enable its feature \
                 `{feature}` or `native`"
            ),
            ErrorKind::SeveralModels => {
                f.write_str("the cores of this machine are of several models")
            }
            ErrorKind::Unreadable(path) => write!(f, "{}: cannot be read", path.display()),
            ErrorKind::Silent(path, what) => {
                write!(f, "{}: does not tell the {what}", path.display())
            }
            ErrorKind::Architecture(arch) => write!(f, "CPUs of architecture {arch} have no CPUID"),
        }
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.cause.source()
    }
}
