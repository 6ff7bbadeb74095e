//! Why a counter cannot be opened or read, and the cure.

use core::fmt;
use core::ops::Range;

use std::format;
use std::io;
use std::path::Path;
use std::string::{String, ToString};

use crate::cause::Cause;
use crate::resolve;
use crate::sysfs::Problem;

/// Why a counter cannot be opened or read.
///
/// The message is a sentence with a cure. If the system is the reason, its error is
/// the [source](core::error::Error::source), which the message does not repeat.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::ErrorKind;
///
/// let error = System::new().open("task-clock,cycles:uu").unwrap_err();
/// assert_eq!((error.kind(), error.span()), (ErrorKind::Syntax, Some(19..20)));
/// assert_eq!(error.to_string(), "byte 19: duplicate modifier `u`");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    event: Option<String>,
    span: Option<Range<usize>>,
    message: String,
    cause: Cause,
}

/// The kind of error.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::ErrorKind;
///
/// let error = System::new().open("page-faults,no-such-event,{").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Syntax);
/// ```
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
    /// The event had a counter for only a part of the time, and its count is an estimate.
    Multiplexed,
    /// The sum lacks a task, a CPU or an instance of the PMU, whose count is unknown.
    Partial,
    /// The set was reset between the two reads whose difference was asked for.
    Reset,
    /// A file that the event needs cannot be read or parsed, such as the list of
    /// its CPUs or the time that a task has spent.
    Unreadable,
    /// The event could not be resolved on this machine.
    Unresolved,
    /// The text is not a list of events.
    Syntax,
    /// Another error; its source has the reason.
    Other,
}

impl Error {
    /// Whether the user does not have permission to count this (`perf_event_paranoid`).
    ///
    /// ```
    /// use pmu_events::{Scope, System, open::Options};
    ///
    /// let whole_machine = Options::new().with_scope(Scope::AllCpus);
    /// match System::new().open_with("cycles", &whole_machine) {
    ///     Err(error) if error.is_permission() => println!("try it as root: {error}"),
    ///     Err(error) if error.is_unsupported() => println!("a virtual machine? {error}"),
    ///     Err(error) => println!("{error}"),
    ///     Ok(counters) => println!("{} events", counters.events().len()),
    /// }
    /// ```
    #[must_use]
    pub fn is_permission(&self) -> bool {
        self.kind == ErrorKind::NotPermitted
    }

    /// Whether the thread that is to be counted does not exist or has ended.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.kind == ErrorKind::NoSuchTask
    }

    /// Whether the machine or the kernel lacks the event: perf then continues and
    /// shows `<not supported>` (`stat_handle_error` in
    /// `tools/perf/builtin-stat.c`).
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::NoHardwarePmu
                | ErrorKind::NoSuchEvent
                | ErrorKind::NotSupported
                | ErrorKind::Invalid
                | ErrorKind::NoSystemCall
                | ErrorKind::Unresolved
        )
    }

    pub(crate) fn new(kind: ErrorKind, errno: i32, message: impl Into<String>) -> Self {
        let cause = Cause::of_errno(errno);
        Error { kind, event: None, span: None, message: message.into(), cause }
    }

    #[cfg_attr(target_os = "linux", allow(dead_code))]
    pub(crate) fn unsupported() -> Self {
        Error::new(ErrorKind::Unsupported, 0, "only Linux has perf_event_open")
    }

    /// `__perf_read` in `kernel/events/core.c`: `PERF_EVENT_STATE_ERROR`.
    pub(crate) fn pinned_out() -> Self {
        let message = "the event is pinned and did not get the PMU: other events had its counters";
        Error::new(ErrorKind::PinnedOut, 0, message)
    }

    pub(crate) fn never_scheduled() -> Self {
        let message = "the event never had a counter: it was not enabled, its task did not run, \
                       or other events had all counters";
        Error::new(ErrorKind::NeverScheduled, 0, message)
    }

    pub(super) fn multiplexed(share: f64) -> Self {
        let percent = 100.0 * share;
        let message = format!("the event had a counter for only {percent:.0} % of the time");
        Error::new(ErrorKind::Multiplexed, 0, message)
    }

    pub(super) fn partial(where_: &str, why: &Error) -> Self {
        let message = format!("counted only in part, without {where_}: {}", why.message);
        Error { kind: ErrorKind::Partial, message, ..why.clone() }
    }

    pub(super) fn reset_between() -> Self {
        let message = "the counters were reset between the two reads";
        Error::new(ErrorKind::Reset, 0, message)
    }

    /// Whether it is that of [`went_backwards`](Self::went_backwards).
    #[cfg(feature = "check")]
    pub(crate) fn is_decrease(&self) -> bool {
        *self == Error::went_backwards()
    }

    pub(super) fn went_backwards() -> Self {
        let message = "the count is lower than it was before: another program reset the counter, \
                       or the two reads are not of one set";
        Error::new(ErrorKind::Unreadable, 0, message)
    }

    /// `perf_event_exit_cpu` in `kernel/events/core.c`
    pub(super) fn went_offline(cpu: u32) -> Self {
        let message = format!(
            "CPU {cpu} was offline for some time, after which the kernel does not count on it"
        );
        Error::new(ErrorKind::NoDevice, 0, message)
    }

    /// An error that is known without asking the kernel.
    pub(crate) fn unresolved(error: &resolve::Error) -> Self {
        let kind = match error.kind() {
            resolve::ErrorKind::NoCorePmu => ErrorKind::NoHardwarePmu,
            resolve::ErrorKind::NoPmu | resolve::ErrorKind::OtherPmu => ErrorKind::NoSuchEvent,
            _ => ErrorKind::Unresolved,
        };
        Error::at(kind, error)
    }

    fn at(kind: ErrorKind, error: &resolve::Error) -> Self {
        let (span, cause) = (Some(error.span()), error.cause().clone());
        Error { span, cause, ..Error::new(kind, 0, error.to_string()) }
    }

    /// An unreadable file whose content would otherwise have to be guessed.
    pub(super) fn of_file(problem: &Problem) -> Self {
        let cause = problem.cause().clone();
        Error { cause, ..Error::new(ErrorKind::Unreadable, 0, problem.to_string()) }
    }

    pub(super) fn odd(path: &Path, what: &str) -> Self {
        Error::of_file(&Problem::new(path, what))
    }

    /// The error of an event of a set.
    pub(crate) fn of_event(self, name: &str) -> Self {
        Error { event: Some(name.into()), ..self }
    }

    /// The error of the other members of a group that has no leader.
    pub(super) fn of_leader(&self, name: &str) -> Self {
        Error { message: format!("`{name}` leads its group: {}", self.message), ..self.clone() }
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    #[cfg_attr(not(feature = "ebb"), allow(dead_code))]
    pub(crate) fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Returns the name of the event for which a set cannot be opened; `None` where the
    /// caller knows it, as for a single [`Counter`](super::Counter).
    #[must_use]
    pub fn event(&self) -> Option<&str> {
        self.event.as_deref()
    }

    /// The sentence without the name of the event, for callers that tell it of several.
    #[cfg(feature = "check")]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the position of the wrong bytes in the list of events, if the list is what
    /// is wrong.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// Returns the error number that the system returned, if any: that of the source.
    #[must_use]
    pub fn errno(&self) -> Option<i32> {
        self.cause.errno()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(event) = &self.event {
            write!(f, "`{event}`: ")?;
        }
        f.write_str(&self.message)
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.cause.source()
    }
}

/// An error of the whole list: a text that is not one.
impl From<resolve::Error> for Error {
    fn from(error: resolve::Error) -> Self {
        Error::at(ErrorKind::Syntax, &error)
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        use io::ErrorKind as Io;
        let kind = match error.kind {
            ErrorKind::Unsupported | ErrorKind::NotSupported | ErrorKind::NoSystemCall => {
                Io::Unsupported
            }
            ErrorKind::NotPermitted => Io::PermissionDenied,
            ErrorKind::NoHardwarePmu
            | ErrorKind::NoSuchEvent
            | ErrorKind::Unresolved
            | ErrorKind::NoSuchTask => Io::NotFound,
            ErrorKind::Invalid | ErrorKind::Syntax => Io::InvalidInput,
            ErrorKind::Busy => Io::ResourceBusy,
            ErrorKind::PinnedOut => Io::UnexpectedEof,
            _ => Io::Other,
        };
        io::Error::new(kind, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::error::Error as _;

    /// Printing an error and its sources must not repeat a sentence.
    #[test]
    fn no_sentence_comes_twice() {
        let error = || io::Error::from_raw_os_error(5);
        let unreadable = || Error::of_file(&Problem::io(Path::new("cpus"), error()));
        let cases = [
            (Error::new(ErrorKind::NoSuchTask, 3, "there is no thread 7"), Some(3)),
            (
                Error::new(ErrorKind::NoSuchTask, 3, "there is no thread 7").of_event("cycles"),
                Some(3),
            ),
            (Error::new(ErrorKind::PinnedOut, 0, "it is pinned"), None),
            (unreadable(), Some(5)),
            (Error::odd(Path::new("cpus"), "is not a list of CPUs"), None),
            (unreadable().of_leader("slots"), Some(5)),
        ];
        let texts = [
            "there is no thread 7",
            "`cycles`: there is no thread 7",
            "it is pinned",
            "cpus: cannot be read",
            "cpus: is not a list of CPUs",
            "`slots` leads its group: cpus: cannot be read",
        ];
        for ((error, errno), text) in cases.iter().zip(texts) {
            assert_eq!((error.to_string().as_str(), error.errno()), (text, *errno));
            let source = error.source().map(ToString::to_string);
            let expected = errno.map(|errno| io::Error::from_raw_os_error(errno).to_string());
            assert_eq!(source, expected, "{text}");
            assert!(source.is_none_or(|source| !text.contains(&source)), "{text}");
        }
    }

    /// The error of an invalid list has its position.
    #[test]
    fn invalid_lists() {
        let error = crate::System::at("/nonexistent").open("cs,{faults").unwrap_err();
        assert_eq!((error.kind(), error.span()), (ErrorKind::Syntax, Some(3..4)));
        assert_eq!((error.event(), error.errno()), (None, None));
    }
}
