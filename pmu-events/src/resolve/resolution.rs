//! The result of resolving a list of events.

use core::ops::Index;
use core::slice;
use std::sync::Arc;
use std::vec::{self, Vec};

use super::answer_id::{AnswerId, Appended};
use super::{Error, Resolved};

#[cfg(feature = "open")]
use crate::open::Cgroup;
use crate::system::System;

/// The result of resolving a list of events: an answer for each event.
///
/// It has the [events](Self::events) that can be opened, one [`Resolved`] for each
/// event and PMU, and those that this machine does not have ([`missing`](Self::missing)).
///
/// ```
/// use pmu_events::System;
///
/// // A machine without a core PMU.
/// let system = System::at("/nonexistent");
/// let resolution = system.resolve("{task-clock,page-faults}:u,l1d,cpu-clock")?;
/// let names: Vec<&str> = resolution.events().iter().map(|event| event.name()).collect();
/// assert_eq!(names, ["task-clock", "page-faults", "cpu-clock"]);
/// let groups: Vec<usize> = resolution.groups().map(|group| group.len()).collect();
/// assert_eq!(groups, [2, 1]);
/// assert_eq!(resolution.missing()[0].name(), "l1d");
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Resolution {
    system: System,
    resolved: Vec<Resolved>,
    /// The end of each group. An ungrouped event is a group of one.
    ends: Vec<usize>,
    missing: Vec<Missing>,
    /// The number of events that were requested.
    asked: usize,
}

/// An event that cannot be resolved, and the reason.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::resolve::ErrorKind;
///
/// let events = System::at("/nonexistent").resolve("task-clock,no_such_event")?;
/// let missing = &events.missing()[0];
/// assert_eq!(missing.name(), "no_such_event");
/// assert_eq!(missing.error().kind(), ErrorKind::UnknownEvent);
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    name: Arc<str>,
    event: usize,
    /// The instance of a PMU that is missing, while others are not.
    pmu: Option<Arc<str>>,
    error: Error,
    /// The number of resolved events before it.
    place: usize,
    #[cfg(feature = "open")]
    cgroup: Option<Cgroup>,
}

impl Missing {
    pub(crate) fn new(name: &str, event: usize, error: Error, place: usize) -> Self {
        Missing {
            name: name.into(),
            event,
            pmu: None,
            error,
            place,
            #[cfg(feature = "open")]
            cgroup: None,
        }
    }

    /// An instance of an event that other instances of its PMU have.
    pub(crate) fn on_instance(self, pmu: &str) -> Self {
        Missing { pmu: Some(pmu.into()), ..self }
    }

    /// Adjusts the place after a resolved event has been removed.
    pub(super) fn shift_behind(&mut self, place: usize) {
        if self.place > place {
            self.place -= 1;
        }
    }

    /// Returns the name of the event: its `name` term, or its text.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[cfg(feature = "open")]
    pub(crate) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }

    /// Returns the name of the PMU that lacks the event although other instances have it;
    /// `None` if no PMU has it.
    #[must_use]
    pub fn pmu_name(&self) -> Option<&str> {
        self.pmu.as_deref()
    }

    /// Returns the index of the event in the list that was requested.
    #[must_use]
    pub fn event(&self) -> usize {
        self.event
    }

    /// Returns the reason.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// Returns the [control group](Resolution::in_cgroup) in which the event was to be counted.
    #[cfg(feature = "open")]
    #[must_use]
    pub fn cgroup(&self) -> Option<&Cgroup> {
        self.cgroup.as_ref()
    }
}

impl Resolution {
    /// Creates an empty resolution, to which others can be
    /// [appended](Self::append).
    #[must_use]
    pub fn empty(system: &System) -> Self {
        Resolution::new(system, Vec::new(), Vec::new(), Vec::new(), 0)
    }

    pub(super) fn new(
        system: &System,
        resolved: Vec<Resolved>,
        ends: Vec<usize>,
        missing: Vec<Missing>,
        asked: usize,
    ) -> Self {
        Resolution { system: system.clone(), resolved, ends, missing, asked }
    }

    /// Returns the events that can be opened, one for each event and PMU, in perf's order:
    /// the members of a group are adjacent, the leader first.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let resolution = System::new().require("{task-clock,page-faults},minor-faults")?;
    /// assert_eq!((resolution.events().len(), resolution[2].name()), (3, "minor-faults"));
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &[Resolved] {
        &self.resolved
    }

    /// Returns the system on which the events were resolved.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Returns the groups, each a slice that starts with the leader. An ungrouped
    /// event is a group of one.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let resolution = System::new().require("{task-clock,page-faults},minor-faults")?;
    /// let sizes: Vec<usize> = resolution.groups().map(|group| group.len()).collect();
    /// assert_eq!(sizes, [2, 1]);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    pub fn groups(&self) -> impl Iterator<Item = &[Resolved]> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.resolved[core::mem::replace(&mut start, end)..end])
    }

    /// Returns the events that cannot be resolved, in the order in which they were
    /// written.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let resolution = System::at("/nonexistent").resolve("page-faults,uncore_imc/umask=1/")?;
    /// let missing = &resolution.missing()[0];
    /// println!("{}: {}", missing.name(), missing.error());
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// Returns all answers in the order of the slice, with each missing event in
    /// its place.
    pub fn answers(&self) -> impl Iterator<Item = Result<&Resolved, &Missing>> {
        let (mut resolved, mut missing) = (0, self.missing.as_slice());
        core::iter::from_fn(move || {
            if let [first, rest @ ..] = missing
                && first.place <= resolved
            {
                missing = rest;
                return Some(Err(first));
            }
            let next = self.resolved.get(resolved)?;
            resolved += 1;
            Some(Ok(next))
        })
    }

    /// The number of events that were requested.
    pub(super) fn asked(&self) -> usize {
        self.asked
    }

    /// Returns the identities of the [answers](Self::answers), in their order.
    pub fn ids(&self) -> impl Iterator<Item = AnswerId> + use<> {
        (0..self.resolved.len() + self.missing.len()).map(AnswerId::new)
    }

    /// Returns an answer; `None` if the identity is not one of this resolution.
    #[must_use]
    pub fn answer(&self, id: AnswerId) -> Option<Result<&Resolved, &Missing>> {
        self.answers().nth(id.place())
    }

    /// Counts the events in a control group, on whole CPUs, whatever the options with which
    /// they are opened say.
    ///
    /// ```no_run
    /// use pmu_events::open::{Cgroup, Counters, Options};
    /// use pmu_events::{Scope, System};
    ///
    /// let system = System::new();
    /// let mut all = system.resolve("cpu-clock")?; // of all tasks
    /// let web = Cgroup::open("/sys/fs/cgroup/web.slice")?;
    /// all.append(system.resolve("cpu-clock")?.in_cgroup(&web));
    /// let mut counters = Counters::open(&all, &Options::new().with_scope(Scope::AllCpus))?;
    /// counters.enable()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "open")]
    #[must_use]
    pub fn in_cgroup(mut self, cgroup: &Cgroup) -> Self {
        for one in &mut self.resolved {
            one.set_cgroup(cgroup.clone());
        }
        for one in &mut self.missing {
            one.cgroup = Some(cgroup.clone());
        }
        self
    }

    /// Returns the resolution if no event is missing.
    ///
    /// # Errors
    ///
    /// Returns the error of the first missing event.
    pub fn complete(self) -> Result<Self, Error> {
        match self.missing.first() {
            Some(missing) => Err(missing.error.clone()),
            None => Ok(self),
        }
    }

    /// Appends another resolution, so that both are opened as one set. Both must be
    /// of the same system. Returns where its answers are in the whole.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let system = System::at("/nonexistent");
    /// let mut all = system.resolve("faults")?;
    /// let appended = all.append(system.resolve("{cycles,branches}")?);
    /// assert_eq!((appended.first_event(), all[2].event()), (1, 2));
    /// assert_eq!(all.groups().map(|group| group.len()).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    pub fn append(&mut self, other: Resolution) -> Appended {
        let (first, places) = (self.asked, self.resolved.len());
        let appended = Appended {
            first_event: first,
            first_answer: places + self.missing.len(),
            answers: other.resolved.len() + other.missing.len(),
        };
        for mut one in other.resolved {
            one.shift(first);
            self.resolved.push(one);
        }
        for end in other.ends {
            self.ends.push(end + places);
        }
        for mut one in other.missing {
            (one.event, one.place) = (one.event + first, one.place + places);
            self.missing.push(one);
        }
        self.asked += other.asked;
        appended
    }
}

/// An [event](Resolution::events) by its place.
impl Index<usize> for Resolution {
    type Output = Resolved;

    fn index(&self, place: usize) -> &Resolved {
        &self.resolved[place]
    }
}

impl IntoIterator for Resolution {
    type Item = Resolved;
    type IntoIter = vec::IntoIter<Resolved>;

    fn into_iter(self) -> Self::IntoIter {
        self.resolved.into_iter()
    }
}

impl<'r> IntoIterator for &'r Resolution {
    type Item = &'r Resolved;
    type IntoIter = slice::Iter<'r, Resolved>;

    fn into_iter(self) -> Self::IntoIter {
        self.resolved.iter()
    }
}
