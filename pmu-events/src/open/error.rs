//! Why a counter cannot be opened or read, and the cure.

use core::fmt;

use std::format;
use std::path::Path;
use std::string::{String, ToString};

use crate::resolve;
use crate::sysfs::Problem;

/// Why a counter cannot be opened or read.
///
/// It does not name the event: the caller knows which name the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    errno: i32,
    message: String,
}

/// The kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The system is not Linux.
    Unsupported,
    /// The user does not have permission to count this (`EACCES`, `EPERM`).
    NotPermitted,
    /// The event needs a core PMU and the machine has none, like many virtual
    /// machines (`ENOENT`).
    NoHardwarePmu,
    /// Neither the kernel nor the PMU has such an event (`ENOENT`, `ENXIO`).
    NoSuchEvent,
    /// The PMU does not support the request: a generic event, sampling, or
    /// precision (`EOPNOTSUPP`).
    NotSupported,
    /// The kernel rejects a value in the attributes, or the composition of the
    /// group (`EINVAL`).
    Invalid,
    /// The CPU is offline or has no such PMU (`ENODEV`).
    NoDevice,
    /// The thread does not exist or has ended (`ESRCH`).
    NoSuchTask,
    /// Too many files are open (`EMFILE`, `ENFILE`).
    TooManyFiles,
    /// A field is set that the kernel is too old to know, or the group has too many
    /// members to be read at once (`E2BIG`).
    TooBig,
    /// No counter or breakpoint is left (`ENOSPC`).
    NoSpace,
    /// Another program has exclusive use of the PMU (`EBUSY`).
    Busy,
    /// The kernel does not support counters (`ENOSYS`).
    NoSystemCall,
    /// A pinned event lost the PMU at some point and has been in error since: a
    /// read returned end of file.
    PinnedOut,
    /// The event was open but never had a counter: its count is unknown, not zero.
    NeverScheduled,
    /// A file that the event needs cannot be read or parsed, such as the list of
    /// its CPUs or the time that a task has spent.
    Unreadable,
    /// The event could not be resolved on this machine.
    Unresolved,
    /// Another error; see [`Error::errno`].
    Other,
}

impl ErrorKind {
    /// Whether the machine or the kernel lacks the event: perf then continues and
    /// shows `<not supported>` (`stat_handle_error` in
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

    /// An error that is known without asking the kernel.
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

    /// An unreadable file whose content would otherwise have to be guessed.
    pub(super) fn unreadable(path: &Path, why: &dyn fmt::Display) -> Self {
        Error::new(ErrorKind::Unreadable, 0, format!("{}: {why}", path.display()))
    }

    /// The kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The error number that the kernel returned, if any.
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
