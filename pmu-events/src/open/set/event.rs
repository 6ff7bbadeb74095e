//! An event of a set of counters, and why it may be missing.

use std::borrow::Cow;
use std::format;
use std::sync::Arc;
use std::vec::Vec;

use crate::format::Words;
use crate::open::{Attr, Cgroup, Error, Target};
use crate::resolve::{Missing, Resolved};

/// An event of a set of counters.
///
/// ```
/// use pmu_events::System;
///
/// let counters = System::new().open("duration_time,no_such_event")?;
/// for event in counters.events() {
///     match event.refusal() {
///         None => println!("{} is open", event.name()),
///         Some(why) => println!("{}: {why}", event.name()),
///     }
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SetEvent {
    name: Arc<str>,
    number: usize,
    /// The PMU of a missing instance.
    missing_on: Option<Arc<str>>,
    /// `None` for a missing event; `refusal` then has the reason.
    resolved: Option<Resolved>,
    /// Where it counts, if not everywhere.
    cgroup: Option<Cgroup>,
    pub(super) attr: Attr,
    /// What was added to the words of `attr` so that the program may read the counter.
    asked: Words,
    /// The attributes that the kernel last accepted.
    pub(super) told: Option<Attr>,
    pub(super) refusal: Option<Error>,
    pub(super) is_user_only: bool,
    pub(super) is_alone: bool,
    /// For a package-wide event in a group that is open on all CPUs: the CPUs that
    /// count.
    pub(super) only_on: Option<Vec<Target>>,
}

impl SetEvent {
    /// Creates an event that is not open yet.
    pub(crate) fn new(resolved: Resolved) -> Self {
        SetEvent {
            name: resolved.shared_name(),
            number: resolved.event(),
            missing_on: None,
            cgroup: resolved.cgroup().cloned(),
            attr: Attr::counting(&resolved),
            asked: Words::NONE,
            resolved: Some(resolved),
            told: None,
            refusal: None,
            is_user_only: false,
            is_alone: false,
            only_on: None,
        }
    }

    /// Creates an event that cannot be opened.
    pub(super) fn missing(missing: &Missing) -> Self {
        SetEvent {
            name: missing.shared_name(),
            number: missing.event(),
            missing_on: missing.pmu_name().map(Arc::from),
            resolved: None,
            cgroup: missing.cgroup().cloned(),
            attr: Attr::default(),
            asked: Words::NONE,
            told: None,
            refusal: Some(Error::unresolved(missing.error())),
            is_user_only: false,
            is_alone: false,
            only_on: None,
        }
    }

    /// The same event in a control group, unless it has one of its own.
    pub(super) fn in_cgroup(self, cgroup: Option<&Cgroup>) -> Self {
        SetEvent { cgroup: self.cgroup.or_else(|| cgroup.cloned()), ..self }
    }

    /// Adds to the words what lets the program read the counter.
    pub(super) fn ask(&mut self, request: Words) {
        let words = self.attr.words();
        self.asked = request.without(words);
        self.attr = self.attr.with_words(words.union(request));
    }

    /// Takes that back; whether there was any.
    pub(super) fn stop_asking(&mut self) -> bool {
        let asked = core::mem::replace(&mut self.asked, Words::NONE);
        self.attr = self.attr.with_words(self.attr.words().without(asked));
        !asked.is_empty()
    }

    /// Returns the control group in which the event counts; `None` for all tasks.
    #[must_use]
    pub fn cgroup(&self) -> Option<&Cgroup> {
        self.cgroup.as_ref()
    }

    /// Returns the resolved event; `None` for an event that this machine does not
    /// have.
    #[must_use]
    pub fn resolved(&self) -> Option<&Resolved> {
        self.resolved.as_ref()
    }

    /// Returns the number of the event in the list that was requested.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the name of the event's PMU; `None` if it has none.
    #[must_use]
    pub fn pmu_name(&self) -> Option<&str> {
        let own = self.resolved().and_then(Resolved::pmu).map(|pmu| pmu.name());
        own.or(self.missing_on.as_deref())
    }

    /// Returns the unit of the value, or an empty string.
    #[must_use]
    pub fn unit(&self) -> &str {
        self.resolved().map_or("", Resolved::unit)
    }

    /// Returns the attributes with which the event is open on all its CPUs and
    /// tasks; `None` if it is not open, and for events that are measured without a
    /// counter (`duration_time`).
    #[must_use]
    pub fn attr(&self) -> Option<&Attr> {
        self.told.as_ref().filter(|_| self.refusal.is_none())
    }

    /// Returns the name of the event, with the modifier `u` added if only user
    /// space is counted although the kernel was requested as well.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        let name = &*self.name;
        if !self.is_user_only {
            return Cow::Borrowed(name);
        }
        // The name of a tracepoint contains a colon.
        let is_tracepoint = self.resolved().is_some_and(|resolved| resolved.is_tracepoint());
        let has_modifiers =
            name.contains('/') || name.matches(':').count() > usize::from(is_tracepoint);
        Cow::Owned(format!("{name}{}u", if has_modifiers { "" } else { ":" }))
    }

    /// Returns why the event cannot be counted: the machine or the kernel does not
    /// have it, or its CPUs are unknown.
    #[must_use]
    pub fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }

    /// Whether the kernel is excluded because the user does not have permission to
    /// count it.
    #[must_use]
    pub fn is_user_only(&self) -> bool {
        self.is_user_only
    }

    /// Whether the event is not counted in its group: the group is weak and did not fit,
    /// is opened on other CPUs, or counts children where the event does not.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// The error of a set that this event prevents from being opened.
    pub(super) fn refused(&self, error: Error) -> Error {
        error.of_event(&self.name())
    }

    pub(super) fn is_weak(&self) -> bool {
        self.resolved().is_some_and(|resolved| resolved.settings().weak())
    }
}
