//! Why a command ends early, and its exit status.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use pmu_events::resolve;

use crate::invocation::Invocation;
use crate::output;

/// The status of a command that did its work.
pub(crate) const SUCCESS: u8 = 0;
/// The status of a command whose request is missing something or wrong.
pub(crate) const FAILED: u8 = 1;
/// The status of a usage error.
pub(crate) const USAGE: u8 = 2;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something that was asked for does not exist or is invalid.
    Missing(String),
    /// A file or the output cannot be written.
    Write(String, io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Write("to standard output".into(), error)
    }
}

impl Failure {
    /// Writes the reason to standard error.
    pub(crate) fn report(&self, command: &str) -> ExitCode {
        let message = match self {
            // A reader that closes the pipe, as `head` does, has seen enough.
            Failure::Write(_, error) if error.kind() == ErrorKind::BrokenPipe => {
                return ExitCode::from(SUCCESS);
            }
            Failure::Write(what, error) => format!("cannot write {what}: {error}"),
            Failure::Missing(message) => message.clone(),
        };
        complain(command, &message);
        ExitCode::from(FAILED)
    }
}

/// An error with its sources, which it does not repeat.
pub(crate) fn with_sources(error: &dyn Error) -> String {
    followed_by_sources(error.to_string(), error)
}

/// An error with its sources, for a caller that shows the position otherwise.
pub(crate) fn without_position(error: &resolve::Error) -> String {
    let mut text = error.message().to_owned();
    if let Some(suggestion) = error.suggestion() {
        text.push_str(&format!("; did you mean `{suggestion}`?"));
    }
    followed_by_sources(text, error)
}

/// The message of an error without its suggestion, with its sources.
#[cfg(target_os = "linux")]
pub(crate) fn message_with_sources(error: &resolve::Error) -> String {
    followed_by_sources(error.message().to_owned(), error)
}

fn followed_by_sources(mut text: String, error: &dyn Error) -> String {
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}

/// Writes a message to standard error.
pub(crate) fn complain(command: &str, message: &str) {
    let program = Invocation::current().program();
    output::tell(&format!("{program} {command}: {message}\n"));
}
