//! An event of a set, and why it may be missing.

use core::fmt;

use std::borrow::Cow;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::reading::{EventReading, Outcome};
use crate::open::{Attr, Error, Target};
use crate::perf_type;
use crate::resolve::Resolved;

/// An event of a set of counters.
#[derive(Clone, Debug)]
pub struct SetEvent<'a> {
    pub(super) resolved: Resolved<'a>,
    pub(super) attr: Attr,
    /// What the kernel was last told when it agreed.
    pub(super) told: Option<Attr>,
    pub(super) refusal: Option<Error>,
    pub(super) is_user_only: bool,
    pub(super) is_alone: bool,
    /// Of a package's event whose group is on all CPUs, those that count.
    pub(super) only_on: Option<Vec<Target>>,
}

impl<'a> SetEvent<'a> {
    pub(super) fn new(resolved: &Resolved<'a>) -> Self {
        SetEvent {
            resolved: *resolved,
            attr: Attr::counting(resolved),
            told: None,
            refusal: None,
            is_user_only: false,
            is_alone: false,
            only_on: None,
        }
    }

    /// What it was resolved to.
    #[must_use]
    pub fn resolved(&self) -> &Resolved<'a> {
        &self.resolved
    }

    /// The attributes with which it is open, in all its places; `None` if it is
    /// not, and for what no counter counts (`duration_time`).
    #[must_use]
    pub fn attr(&self) -> Option<&Attr> {
        self.told.as_ref().filter(|_| self.refusal.is_none())
    }

    /// Its name; with the modifier `u` where only user space is counted though
    /// the kernel was asked for, too.
    #[must_use]
    pub fn name(&self) -> Cow<'a, str> {
        let name = self.resolved.name;
        if !self.is_user_only {
            return Cow::Borrowed(name);
        }
        // A tracepoint has a colon in its name.
        let own_colons = usize::from(self.resolved.kind == perf_type::TRACEPOINT);
        let has_modifiers = name.contains('/') || name.matches(':').count() > own_colons;
        Cow::Owned(format!("{name}{}u", if has_modifiers { "" } else { ":" }))
    }

    /// What a reading of it comes to, in its unit: the sum over tasks and CPUs,
    /// scaled for multiplexing and by the event's scale.
    ///
    /// # Errors
    ///
    /// Why there is no number: [`refusal`](Self::refusal),
    /// [`EventReading::failure`],
    /// [`ErrorKind::PinnedOut`](crate::open::ErrorKind::PinnedOut), or
    /// [`ErrorKind::NeverScheduled`](crate::open::ErrorKind::NeverScheduled).
    pub fn value(&self, reading: &EventReading) -> Result<f64, Error> {
        let why = match reading.outcome() {
            Outcome::Counted(total) => return Ok(total.value as f64 * self.resolved.scale),
            Outcome::PinnedOut => return Err(Error::pinned_out()),
            Outcome::NotSupported => &self.refusal,
            Outcome::Failed => &reading.failure,
            Outcome::NotCounted => &None,
        };
        Err(why.clone().unwrap_or_else(Error::never_scheduled))
    }

    /// Why the machine or the kernel does not have it, or why it is not known
    /// where to count it.
    #[must_use]
    pub fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }

    /// Whether the kernel is left out because the user may not count in it.
    #[must_use]
    pub fn is_user_only(&self) -> bool {
        self.is_user_only
    }

    /// Whether its weak group did not fit and was broken up.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    pub(super) fn is_weak(&self) -> bool {
        self.resolved.settings.weak
    }
}

/// Why a set cannot be opened: an event, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventError {
    /// What the event is called.
    pub event: String,
    /// What is wrong.
    pub error: Error,
}

impl EventError {
    pub(super) fn of(event: &SetEvent<'_>, error: Error) -> Self {
        EventError { event: event.name().into_owned(), error }
    }
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.event, self.error)
    }
}

/// Without a source: its text has all that one would say.
impl core::error::Error for EventError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::ErrorKind;
    use core::error::Error as _;
    use std::string::ToString;

    /// Whoever prints an error and its sources reads each sentence once.
    #[test]
    fn no_sentence_comes_twice() {
        let error = Error::new(ErrorKind::NoSuchTask, 3, "there is no thread 7");
        let error = EventError { event: "cycles".into(), error };
        assert_eq!(error.to_string(), "`cycles`: there is no thread 7");
        let source = error.source().map(ToString::to_string);
        assert!(source.is_none_or(|source| !error.to_string().contains(&source)));
    }
}
