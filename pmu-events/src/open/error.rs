//! Why a counter cannot be opened or read, and what helps.

use core::fmt;

use std::format;
use std::path::Path;
use std::string::{String, ToString};

use crate::resolve;
use crate::sysfs::Problem;

/// Why a counter cannot be opened or read.
///
/// It does not name the event: whoever opens it knows what its user calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    errno: i32,
    message: String,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// This is not Linux.
    Unsupported,
    /// The user may not count this (`EACCES`, `EPERM`).
    NotPermitted,
    /// The event is one that cores count, and the machine has no core PMU, as
    /// many virtual machines (`ENOENT`).
    NoHardwarePmu,
    /// Neither the kernel nor the PMU has such an event (`ENOENT`, `ENXIO`).
    NoSuchEvent,
    /// The PMU cannot do what is asked of it: count a generic event, sample, be
    /// precise (`EOPNOTSUPP`).
    NotSupported,
    /// Something in the attributes, or in the group, is none that the kernel
    /// takes (`EINVAL`).
    Invalid,
    /// The CPU is offline or has no such PMU (`ENODEV`).
    NoDevice,
    /// There is no such thread any more (`ESRCH`).
    NoSuchTask,
    /// Too many files are open (`EMFILE`, `ENFILE`).
    TooManyFiles,
    /// The kernel is older than a field that is set, or the group has too many
    /// members to be read at once (`E2BIG`).
    TooBig,
    /// No counter or breakpoint is left (`ENOSPC`).
    NoSpace,
    /// Another program has the PMU for itself (`EBUSY`).
    Busy,
    /// The kernel has no counters (`ENOSYS`).
    NoSystemCall,
    /// A pinned event did not get the PMU at some time and has been in error
    /// since: a read gave the end of the file.
    PinnedOut,
    /// The event was open, but never had a counter: what it would have counted
    /// is unknown, not zero.
    NeverScheduled,
    /// What the system says of the event cannot be read or makes no sense: on
    /// which CPUs it counts, how much time has been spent.
    Unreadable,
    /// The event could not be resolved on this machine.
    Unresolved,
    /// Something else; [`Error::errno`] says what.
    Other,
}

impl ErrorKind {
    /// Whether it is the machine or the kernel that does not have the event:
    /// perf goes on then and shows `<not supported>` (`stat_handle_error` in
    /// `tools/perf/builtin-stat.c`).
    #[must_use]
    pub fn is_lack_of_support(self) -> bool {
        matches!(
            self,
            ErrorKind::NoHardwarePmu
                | ErrorKind::NoSuchEvent
                | ErrorKind::NotSupported
                | ErrorKind::Invalid
                | ErrorKind::NoSystemCall
                | ErrorKind::Unresolved
        )
    }
}

impl Error {
    pub(super) fn new(kind: ErrorKind, errno: i32, message: impl Into<String>) -> Self {
        Error { kind, errno, message: message.into() }
    }

    #[cfg_attr(target_os = "linux", allow(dead_code))]
    pub(super) fn unsupported() -> Self {
        Error::new(ErrorKind::Unsupported, 0, "only Linux has perf_event_open")
    }

    /// `__perf_read` in `kernel/events/core.c`: `PERF_EVENT_STATE_ERROR`.
    pub(super) fn pinned_out() -> Self {
        let message = "the event is pinned and did not get the PMU: other events had its counters";
        Error::new(ErrorKind::PinnedOut, 0, message)
    }

    pub(super) fn never_scheduled() -> Self {
        let message = "the event never had a counter: it was not enabled, its task did not run, \
                       or other events had all counters";
        Error::new(ErrorKind::NeverScheduled, 0, message)
    }

    /// What is known without asking the kernel.
    pub(super) fn unresolved(error: &resolve::Error) -> Self {
        let kind = match error.kind() {
            resolve::ErrorKind::NoCorePmu => ErrorKind::NoHardwarePmu,
            resolve::ErrorKind::NoPmu | resolve::ErrorKind::OtherPmu => ErrorKind::NoSuchEvent,
            _ => ErrorKind::Unresolved,
        };
        Error::new(kind, 0, error.to_string())
    }

    pub(super) fn of_file(problem: &Problem) -> Self {
        Error::unreadable(&problem.path, &problem.what)
    }

    /// A file that says what would otherwise have to be guessed.
    pub(super) fn unreadable(path: &Path, why: &dyn fmt::Display) -> Self {
        Error::new(ErrorKind::Unreadable, 0, format!("{}: {why}", path.display()))
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The number that the kernel gave, if it gave one.
    #[must_use]
    pub fn errno(&self) -> Option<i32> {
        (self.errno != 0).then_some(self.errno)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        use std::io::ErrorKind as Io;
        let kind = match error.kind {
            ErrorKind::Unsupported | ErrorKind::NotSupported | ErrorKind::NoSystemCall => {
                Io::Unsupported
            }
            ErrorKind::NotPermitted => Io::PermissionDenied,
            ErrorKind::NoHardwarePmu
            | ErrorKind::NoSuchEvent
            | ErrorKind::Unresolved
            | ErrorKind::NoSuchTask => Io::NotFound,
            ErrorKind::Invalid => Io::InvalidInput,
            ErrorKind::Busy => Io::ResourceBusy,
            ErrorKind::PinnedOut => Io::UnexpectedEof,
            _ => Io::Other,
        };
        std::io::Error::new(kind, error)
    }
}
