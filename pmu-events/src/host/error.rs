use core::fmt;

use std::io;
use std::path::PathBuf;
use std::string::String;

use crate::cause::Cause;
use crate::problem::Problem;

/// Why the model of a machine is unknown.
///
/// ```
/// use pmu_events::System;
///
/// let error = System::at("/nonexistent").with_cpuid("Nobody-1").model().unwrap_err();
/// assert!(error.to_string().contains("Nobody-1"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    fault: Fault,
    cause: Cause,
}

/// The kind of error.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::host::ErrorKind;
///
/// let error = System::at("/nonexistent").with_cpuid("Nobody-1").model().unwrap_err();
/// match error.kind() {
///     ErrorKind::UnknownCpu => println!("no table has this CPU"),
///     ErrorKind::NoTree => println!("enable the feature of the architecture"),
///     kind => panic!("{kind:?}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No row of the map file matches the machine's CPUID. Most architectures name some
    /// events, and have a table of these for such a CPU. AMD's names none: on a family of
    /// which no table is known, the events that the kernel has for every CPU remain.
    UnknownCpu,
    /// The crate was compiled without the tree for this architecture.
    NoTree,
    /// The machine has cores of several models.
    SeveralModels,
    /// A file that identifies the CPU cannot be read; the error's source is the
    /// reason.
    Unreadable,
    /// A file was read, but does not identify the CPU.
    Silent,
    /// perf has no CPUID for this architecture.
    Architecture,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    UnknownCpu(String),
    NoTree {
        cpuid: String,
        feature: &'static str,
    },
    SeveralModels,
    Unreadable(PathBuf),
    Silent(PathBuf, &'static str),
    /// Not on those that perf has a CPUID of.
    #[allow(dead_code)]
    Architecture(&'static str),
}

impl Error {
    pub(crate) fn unreadable(problem: Problem) -> Self {
        let fault = Fault::Unreadable(problem.path().into());
        let cause = match problem.cause().kind() {
            Some(_) => problem.cause().clone(),
            // What is wrong with a file that the system lets be read is a reason, too.
            None => io::Error::new(io::ErrorKind::InvalidData, problem.what()).into(),
        };
        Error { fault, cause }
    }

    #[cfg_attr(not(all(feature = "open", feature = "ebb")), allow(dead_code))]
    pub(crate) fn cause(&self) -> &Cause {
        &self.cause
    }

    pub(crate) fn new(fault: Fault) -> Self {
        Error { fault, cause: Cause::NONE }
    }

    /// Creates the error for a CPU that no table is for.
    #[doc(hidden)]
    #[must_use]
    pub fn unknown_cpu(cpuid: impl Into<String>) -> Self {
        Error::new(Fault::UnknownCpu(cpuid.into()))
    }

    pub(crate) fn fault(&self) -> &Fault {
        &self.fault
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self.fault {
            Fault::UnknownCpu(_) => ErrorKind::UnknownCpu,
            Fault::NoTree { .. } => ErrorKind::NoTree,
            Fault::SeveralModels => ErrorKind::SeveralModels,
            Fault::Unreadable(_) => ErrorKind::Unreadable,
            Fault::Silent(..) => ErrorKind::Silent,
            Fault::Architecture(_) => ErrorKind::Architecture,
        }
    }

    /// Whether the machine has a CPU that no table is for.
    #[must_use]
    pub fn is_unknown_cpu(&self) -> bool {
        self.kind() == ErrorKind::UnknownCpu
    }

    /// Returns the CPUID, if the CPU or its tree is unknown.
    #[must_use]
    pub fn cpuid(&self) -> Option<&str> {
        match &self.fault {
            Fault::UnknownCpu(cpuid) | Fault::NoTree { cpuid, .. } => Some(cpuid),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::UnknownCpu(cpuid) => write!(f, "no model is known for CPU `{cpuid}`"),
            Fault::NoTree { cpuid, feature } => write!(
                f,
                "pmu-events is compiled without the events of CPU `{cpuid}`: enable its feature \
                 `{feature}` or `native`"
            ),
            Fault::SeveralModels => f.write_str("the cores of this machine are of several models"),
            Fault::Unreadable(path) => write!(f, "{}: cannot be read", path.display()),
            Fault::Silent(path, what) => {
                write!(f, "{}: does not tell the {what}", path.display())
            }
            Fault::Architecture(arch) => write!(f, "CPUs of architecture {arch} have no CPUID"),
        }
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.cause.source()
    }
}
