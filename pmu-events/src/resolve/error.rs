use core::fmt;
use core::ops::Range;

use std::boxed::Box;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::cause::Cause;
use crate::located;
use crate::sysfs::{Pmu, Problem};
use pmu_events_core::__private::event_list;
use pmu_events_core::__private::name;

/// Why an event cannot be resolved, with the position in the text.
///
/// If the system refuses to read a file, the error's source is the reason.
///
/// ```
/// use pmu_events::System;
///
/// let system = System::at("/nonexistent");
/// let error = system.resolve("task-clock,cycles:uu").unwrap_err();
/// assert_eq!(error.to_string(), "byte 19: duplicate modifier `u`");
///
/// let error = system.require("task-clock,page-fautls").unwrap_err();
/// assert_eq!(error.span(), 11..22);
/// assert_eq!(
///     error.to_string(),
///     "no PMU has an event `page-fautls`; did you mean `page-faults`?",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    /// Boxed to keep every `Result` small.
    parts: Box<Parts>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    kind: ErrorKind,
    span: Range<usize>,
    message: String,
    suggestion: Option<String>,
    known: Vec<String>,
    cause: Cause,
}

/// The kind of error.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::resolve::ErrorKind;
///
/// let error = System::at("/nonexistent").require("no_such_event").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::UnknownEvent);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not a valid list of events.
    Syntax,
    /// No PMU has an event of this name.
    UnknownEvent,
    /// Neither a PMU nor an event has this name.
    UnknownPmu,
    /// The PMU has no term or event of this name.
    UnknownTerm,
    /// A term that cannot be encoded.
    Term,
    /// A term of a PMU beside an event that stands for a code of the kernel, such as
    /// `L1-dcache-loads`: the term's bits would make another code of it.
    BesideCode,
    /// More than one event between the slashes.
    TwoEvents,
    /// An event with the modifier `R`: no counter counts a retirement latency. Only
    /// formulas take it ([`LatencyOf`](crate::metric::LatencyOf)).
    RetireLatency,
    /// The PMU's `type` cannot be read.
    NoType,
    /// The machine has no core PMU.
    NoCorePmu,
    /// The event is known, but the machine does not have its PMU.
    NoPmu,
    /// The event belongs to a PMU other than the named one: that of the other kind
    /// of cores, for example.
    OtherPmu,
    /// A value of the term `cpu` that is neither a CPU, a range of CPUs nor a PMU; or a
    /// CPU that the machine does not have, or on which the PMU does not count.
    NoCpu,
    /// A term `ratio-to-prev` that does not relate two events of one core PMU, of which
    /// one has a period.
    Ratio,
    /// The PMU's counters cannot reload each other, which `ratio-to-prev` needs.
    NoReload,
    /// A file that describes the event, its scale or its unit cannot be read or
    /// parsed.
    Unreadable,
    /// The event is a tracepoint, and tracefs, which has its number, cannot be
    /// read.
    Tracing,
}

impl Error {
    pub(super) fn new(kind: ErrorKind, span: Range<usize>, message: impl Into<String>) -> Self {
        let (message, suggestion, known) = (message.into(), None, Vec::new());
        let cause = Cause::NONE;
        Error { parts: Box::new(Parts { kind, span, message, suggestion, known, cause }) }
    }

    pub(super) fn no_sensor(span: Range<usize>, pmu: &Pmu, config: u64) -> Self {
        let message = format!("PMU `{}` has no sensor with config {config:#x}", pmu.name());
        Error::new(ErrorKind::UnknownEvent, span, message)
    }

    /// A list where one event is meant.
    pub(super) fn several_events(text: &str, number: usize) -> Self {
        let message = format!("`{text}` is {number} events, where one is meant");
        Error::new(ErrorKind::Syntax, 0..text.len(), message)
    }

    pub(crate) fn syntax(error: located::Error, text: &str) -> Self {
        Error::new(ErrorKind::Syntax, error.span(), error.message().to_string())
            .with_suggestion(error.suggestion(text).map(String::from))
    }

    /// A generic cache event that is invalid for all caches.
    pub(super) fn cache(error: located::Error, term: event_list::TermRef<'_>) -> Self {
        let suggestion = event_list::nearest_generic(term.name()).map(String::from);
        Error::new(ErrorKind::Syntax, term.span(), error.message().to_string())
            .with_suggestion(suggestion)
    }

    pub(super) fn two_events(span: Range<usize>) -> Self {
        let message = "two events between one pair of slashes: a counter has one";
        Error::new(ErrorKind::TwoEvents, span, message)
    }

    /// perf, too, opens no counter for it (`evsel__tpebs_open` in
    /// `tools/perf/util/intel-tpebs.c`).
    pub(super) fn retire_latency(span: Range<usize>) -> Self {
        let message = "no counter counts a retirement latency (modifier `R`): samples have it, and \
                       formulas take it from the tables";
        Error::new(ErrorKind::RetireLatency, span, message)
    }

    pub(super) fn with_suggestion(mut self, suggestion: Option<String>) -> Self {
        self.parts.suggestion = suggestion;
        self
    }

    pub(super) fn with_known(mut self, known: Vec<String>) -> Self {
        self.parts.known = known;
        self
    }

    /// The same error, if it is that of a file.
    pub(super) fn because_of(mut self, problem: &Problem) -> Self {
        self.parts.cause = problem.cause().clone();
        self
    }

    /// The same error at another event.
    pub(super) fn at(mut self, span: Range<usize>) -> Self {
        self.parts.span = span;
        self
    }

    /// The error of the other members of a group whose leader is missing.
    pub(super) fn of_leader(&self, leads: &str) -> Self {
        let message = std::format!("{leads}{}", self.message());
        let mut error = Error::new(self.kind(), self.span(), message);
        error.parts.cause = self.parts.cause.clone();
        error
    }

    /// Drops a suggestion that is what the user wrote.
    pub(super) fn checked(mut self, text: &str) -> Self {
        let written = text.get(self.span()).unwrap_or_default();
        self.parts.suggestion.take_if(|suggestion| name::eq(suggestion, written));
        self
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.parts.kind
    }

    /// Whether only this machine lacks the event: the same text may be valid on
    /// another. `pmu stat` then shows `<not supported>`.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        use ErrorKind::{NoCorePmu, NoPmu, NoReload, OtherPmu};
        matches!(self.kind(), NoCorePmu | NoPmu | OtherPmu | NoReload)
    }

    /// Whether the text has a name that nothing has: of an event, a PMU or a term.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let system = System::at("/nonexistent");
    /// assert!(system.require("page-fautls").unwrap_err().is_unknown_name());
    /// assert!(!system.require("{faults").unwrap_err().is_unknown_name());
    /// ```
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        use ErrorKind::{UnknownEvent, UnknownPmu, UnknownTerm};
        matches!(self.kind(), UnknownEvent | UnknownPmu | UnknownTerm)
    }

    /// Returns the range of the wrong bytes, on character boundaries of the text.
    /// It is empty, at the end of the text, if something is missing there.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.parts.span.clone()
    }

    /// Returns the message without the position and the suggestion.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.parts.message
    }

    /// Returns the suggestion: the nearest event, PMU or term.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.parts.suggestion.as_deref()
    }

    #[cfg_attr(not(feature = "open"), allow(dead_code))]
    pub(crate) fn cause(&self) -> &Cause {
        &self.parts.cause
    }

    /// Returns the terms of the PMU if the error is an unknown term.
    #[must_use]
    pub fn known(&self) -> &[String] {
        &self.parts.known
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Such a message does not quote what is wrong.
        if matches!(self.kind(), ErrorKind::Syntax) {
            write!(f, "byte {}: ", self.span().start)?;
        }
        f.write_str(self.message())?;
        match self.suggestion() {
            Some(suggestion) => write!(f, "; did you mean `{suggestion}`?"),
            None => Ok(()),
        }
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.parts.cause.source()
    }
}
