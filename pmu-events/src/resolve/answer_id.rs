//! The identity of an event on a PMU.

/// The identity of an [answer](super::Resolution::answers): of an event on one PMU, or of an
/// event that is missing. It is the same in the resolution, in the counters that are opened
/// from it, and in each of their readings.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::{Counters, Options};
///
/// let system = System::new();
/// let mut events = system.resolve("no_such_event")?;
/// let time = events.append(system.resolve("duration_time")?);
/// let time = time.ids().next().expect("it is one event");
/// let mut counters = Counters::open(&events, &Options::new())?;
/// let (_, reading) = counters.count(|| ())?;
/// assert_eq!(reading[time].name(), "duration_time");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId(usize);

impl AnswerId {
    pub(crate) fn new(place: usize) -> Self {
        AnswerId(place)
    }

    /// The place among the answers.
    pub(crate) fn place(self) -> usize {
        self.0
    }

    /// The identity of the same answer, with so many before all of them.
    pub(crate) fn behind(self, others: usize) -> Self {
        AnswerId(others + self.0)
    }
}

/// What was [appended](super::Resolution::append) to a resolution, within the whole.
///
/// ```
/// use pmu_events::System;
///
/// let system = System::at("/nonexistent");
/// let faults = system.resolve("faults")?;
/// let own = faults.ids().next().expect("it is one event");
/// let mut all = system.resolve("cycles,branches")?;
/// let appended = all.append(faults);
/// assert_eq!(appended.first_event(), 2);
/// let found = all.answer(appended.id(own)).expect("there is such an answer");
/// assert_eq!(found.expect("it is not missing").name(), "faults");
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    pub(super) first_event: usize,
    pub(super) first_answer: usize,
    pub(super) answers: usize,
}

impl Appended {
    /// Returns the index of the first appended event among those of all lists
    /// ([`Resolved::event`](super::Resolved::event)).
    #[must_use]
    pub fn first_event(self) -> usize {
        self.first_event
    }

    /// Returns the identity in the whole of an answer that had this one before.
    #[must_use]
    pub fn id(self, before: AnswerId) -> AnswerId {
        before.behind(self.first_answer)
    }

    /// Returns the identities of the appended answers in the whole.
    pub fn ids(self) -> impl Iterator<Item = AnswerId> {
        (self.first_answer..self.first_answer + self.answers).map(AnswerId)
    }
}
