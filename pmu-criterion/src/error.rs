//! Why a machine cannot measure an event or a metric.

use std::fmt;

use pmu_events::open;

/// The reason why an event or a metric cannot be measured.
#[derive(Clone)]
pub struct Error {
    message: String,
    source: Option<open::Error>,
}

impl Error {
    pub(crate) fn new(message: String) -> Self {
        Error { message, source: None }
    }

    /// Returns the error of the event that cannot be counted; `None` if there is none, because
    /// all events of a metric are counted and it has no value.
    #[must_use]
    pub fn of_event(&self) -> Option<&open::Error> {
        self.source.as_ref()
    }
}

impl From<open::Error> for Error {
    fn from(error: open::Error) -> Self {
        Error { message: error.to_string(), source: Some(error) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The same sentence, since `main` shows it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
