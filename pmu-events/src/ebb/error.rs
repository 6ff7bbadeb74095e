use core::fmt;

use std::format;
use std::io;
use std::string::{String, ToString};

use crate::cause::Cause;
use crate::{host, open};
use pmu_events_ebb::power::Generation;

/// Why event-based branches cannot be used.
///
/// If the system is the reason, its error is the
/// [source](core::error::Error::source), which the message does not repeat.
///
/// ```
/// use pmu_events::ebb::{self, Builder, Enable};
/// use pmu_events::power::Generation;
///
/// let group = Builder::new(Generation::Power9).raw(0x1e).on(1).user_only().build()?;
/// if let Err(error) = ebb::start(&group, Enable::Ioctl) {
///     println!("{error}"); // on anything but a POWER9
/// }
/// # Ok::<(), pmu_events::ebb::Broken>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    event: Option<usize>,
    open: Option<open::ErrorKind>,
    message: String,
    cause: Cause,
}

/// The kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The program was not built for 64-bit POWER.
    NotPower,
    /// The machine's CPU is not of a known generation, or cannot be identified.
    UnknownCpu,
    /// The group was built for a generation other than the machine's.
    OtherGeneration,
    /// The kernel does not offer event-based branches to programs here
    /// (`PPC_FEATURE2_EBB` in `AT_HWCAP2`).
    NotOffered,
    /// The kernel refused to open an [event](Error::event) of the group;
    /// [`open_kind`](Error::open_kind) is the reason.
    Open,
    /// An event was opened, but a later operation failed; [`open_kind`](Error::open_kind) is the
    /// reason.
    Use,
    /// `prctl` failed, which only happens if something forbids it.
    Prctl,
}

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, event: None, open: None, message: message.into(), cause: Cause::NONE }
    }

    pub(super) fn not_power() -> Self {
        Error::new(ErrorKind::NotPower, "event-based branches are a facility of POWER cores")
    }

    pub(super) fn unknown_cpu(cpuid: &str) -> Self {
        let message = format!("not a POWER8, POWER9, POWER10 or POWER11: {cpuid}");
        Error::new(ErrorKind::UnknownCpu, message)
    }

    pub(super) fn no_cpuid(error: &host::Error) -> Self {
        Error {
            cause: error.cause().clone(),
            ..Error::new(ErrorKind::UnknownCpu, error.to_string())
        }
    }

    pub(super) fn other_generation(group: Generation, machine: Generation) -> Self {
        let message = format!("the group is built for {group}, and this machine is a {machine}");
        Error::new(ErrorKind::OtherGeneration, message)
    }

    pub(super) fn not_offered() -> Self {
        let message = "the kernel does not offer event-based branches on this machine";
        Error::new(ErrorKind::NotOffered, message)
    }

    pub(super) fn of_open(event: usize, error: &open::Error) -> Self {
        Error {
            event: Some(event),
            open: Some(error.kind()),
            cause: error.cause().clone(),
            ..Error::new(ErrorKind::Open, format!("event {event}: {error}"))
        }
    }

    pub(super) fn of_use(error: &open::Error) -> Self {
        Error {
            open: Some(error.kind()),
            cause: error.cause().clone(),
            ..Error::new(ErrorKind::Use, error.to_string())
        }
    }

    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(super) fn of_prctl(error: io::Error) -> Self {
        Error { cause: error.into(), ..Error::new(ErrorKind::Prctl, "prctl failed") }
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the index of the event that the kernel refused to open; the leader is 0.
    #[must_use]
    pub fn event(&self) -> Option<usize> {
        self.event
    }

    /// Returns why an event cannot be opened or used.
    #[must_use]
    pub fn open_kind(&self) -> Option<open::ErrorKind> {
        self.open
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.cause.source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::{Attr, Counter, Target};
    use core::error::Error as _;

    /// Printing an error and its sources must not repeat a sentence.
    #[test]
    fn no_sentence_comes_twice() {
        let nobody = Target::Thread(u32::MAX);
        let refused = Counter::open(&Attr::default(), nobody, None).unwrap_err();
        let prctl = Error::of_prctl(io::Error::from_raw_os_error(1));
        let errors = [Error::of_open(1, &refused), Error::of_use(&refused), prctl];
        assert_eq!(errors[0].to_string(), format!("event 1: {refused}"));
        assert_eq!(errors[1].to_string(), refused.to_string());
        let prctl = errors[2].source().map(ToString::to_string);
        assert_eq!(prctl, Some(io::Error::from_raw_os_error(1).to_string()));
        // What the system said to others is the source here, too.
        let said = refused.source().map(ToString::to_string);
        assert!(said.is_some() || !cfg!(target_os = "linux"));
        for error in &errors[..2] {
            assert_eq!(error.source().map(ToString::to_string), said);
        }
        for error in errors {
            let source = error.source().map(ToString::to_string);
            assert!(source.is_none_or(|source| !error.to_string().contains(&source)), "{error}");
        }
        let problem = crate::problem::Problem::io(
            std::path::Path::new("cpuinfo"),
            io::Error::from_raw_os_error(5),
        );
        let unreadable = Error::no_cpuid(&host::Error::unreadable(problem));
        let source = unreadable.source().map(ToString::to_string);
        assert_eq!(source, Some(io::Error::from_raw_os_error(5).to_string()));
    }
}
