//! Why the program ends early.

use std::io;

use pmu_events::open;

use crate::failure::with_sources;

/// Why the program ends early.
pub(crate) enum Failure {
    Usage(String),
    /// Something cannot be counted.
    Cannot(String),
    /// What is to be counted, or where, does not exist.
    Missing(String),
    /// The command does not exist.
    NotFound(String),
    /// The command is not a program.
    NotRunnable(String),
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<crate::failure::Failure> for Failure {
    fn from(failure: crate::failure::Failure) -> Self {
        match failure {
            crate::failure::Failure::Missing(message) => Failure::Cannot(message),
            crate::failure::Failure::Write(_, error) => Failure::Output(error),
        }
    }
}

impl From<open::Error> for Failure {
    fn from(error: open::Error) -> Self {
        Failure::Cannot(reason(&error))
    }
}

/// Why something cannot be counted. The library has a sentence for each refusal of
/// the kernel; where it does not know the cause, the system does.
pub(crate) fn reason(error: &open::Error) -> String {
    match error.kind() {
        open::ErrorKind::Other | open::ErrorKind::Unreadable | open::ErrorKind::Unresolved => {
            with_sources(error)
        }
        _ => error.to_string(),
    }
}
