//! The result of reading all counters of a set.

use core::fmt;
use core::ops::Index;
use core::slice;
use std::borrow::Cow;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec::{self, Vec};

use super::event::SetEvent;
use super::method::ReadMethod;
use super::outcome::{Outcome, Total};
use super::scratch::{Scratch, SetState};
use crate::open::{Count, Error, ErrorKind, Target};
use crate::resolve::AnswerId;

/// The counts of a set: one [`EventReading`] for each of its events, in order.
///
/// ```
/// use pmu_events::System;
///
/// let mut counters = System::new().open("duration_time")?;
/// counters.enable()?;
/// let first = counters.read();
/// let second = counters.read();
/// for event in &second.since(&first) {
///     println!("{}: {} {}", event.name(), event.value()?, event.unit());
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Default)]
pub struct Reading {
    pub(crate) events: Vec<EventReading>,
    /// Of no meaning: only of use for the next read into it.
    pub(super) scratch: Scratch,
}

/// Memory for the next read is not cloned.
impl Clone for Reading {
    fn clone(&self) -> Self {
        Reading::new(self.events.clone())
    }
}

impl fmt::Debug for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("events", &self.events).finish()
    }
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        self.events == other.events
    }
}

impl Reading {
    /// Creates a reading from those of its events.
    #[must_use]
    pub fn new(events: Vec<EventReading>) -> Self {
        Reading { events, scratch: Scratch::default() }
    }

    /// Makes it one of a set. Counts may still be those of an earlier read, until each event that
    /// has counts has [begun](EventReading::begin_with) or is [cleared](EventReading::clear).
    #[inline]
    pub(super) fn begin(&mut self, events: &Arc<[Arc<SetEvent>]>, state: SetState) {
        let Scratch { of, state: known, .. } = &self.scratch;
        let is_own = of.as_ref().is_some_and(|of| Arc::ptr_eq(of, events));
        if !is_own || *known != state {
            self.begin_anew(events, state);
        }
    }

    #[cold]
    fn begin_anew(&mut self, events: &Arc<[Arc<SetEvent>]>, state: SetState) {
        self.scratch.of = Some(events.clone());
        self.scratch.state = state;
        let mut is_own = self.events.len() == events.len();
        for (read, event) in self.events.iter_mut().zip(&**events) {
            is_own &= Arc::ptr_eq(&read.event, event);
            read.clear();
            read.state = state;
        }
        if !is_own {
            self.events.clear();
            for event in events.iter() {
                self.events.push(EventReading { state, ..EventReading::new(event.clone()) });
            }
        }
    }

    /// Returns the events, to replace their counts.
    #[doc(hidden)]
    pub fn events_mut(&mut self) -> &mut [EventReading] {
        // They may come from another set afterwards.
        self.scratch.of = None;
        &mut self.events
    }

    /// Returns the counts of an event by its identity; `None` if the set has no such event.
    #[must_use]
    pub fn of(&self, id: AnswerId) -> Option<&EventReading> {
        self.events.get(id.place())
    }

    /// Returns the events.
    #[must_use]
    pub fn events(&self) -> &[EventReading] {
        &self.events
    }
}

impl IntoIterator for Reading {
    type Item = EventReading;
    type IntoIter = vec::IntoIter<EventReading>;

    fn into_iter(self) -> Self::IntoIter {
        self.events.into_iter()
    }
}

impl<'r> IntoIterator for &'r Reading {
    type Item = &'r EventReading;
    type IntoIter = slice::Iter<'r, EventReading>;

    fn into_iter(self) -> Self::IntoIter {
        self.events.iter()
    }
}

/// The counts of one event.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::open::ErrorKind;
///
/// let mut counters = System::new().open("duration_time,no_such_event")?;
/// counters.enable()?;
/// let reading = counters.read();
/// let [time, missing] = reading.events() else { panic!("these are two events") };
/// assert!(time.value()? > 0.0 && time.unit() == "s");
/// assert_eq!(missing.value().unwrap_err().kind(), ErrorKind::Unresolved);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventReading {
    event: Arc<SetEvent>,
    pub(crate) parts: Vec<Part>,
    pub(crate) lacks: Vec<Lack>,
    pub(super) state: SetState,
}

impl EventReading {
    /// Returns the count on each target that could be read.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the targets whose count is unknown: the sum of the others is not complete.
    #[must_use]
    pub fn lacks(&self) -> &[Lack] {
        &self.lacks
    }
}

/// Readings are equal if they are of the same event of the same set, with equal
/// counts.
impl PartialEq for EventReading {
    fn eq(&self, other: &Self) -> bool {
        let EventReading { event, parts, lacks, state } = self;
        Arc::ptr_eq(event, &other.event)
            && *parts == other.parts
            && *lacks == other.lacks
            && *state == other.state
    }
}

/// The count of an event on one target.
///
/// ```
/// use pmu_events::System;
///
/// let mut counters = System::new().open("duration_time")?;
/// let (_, reading) = counters.count(|| ())?;
/// for part in reading["duration_time"].parts() {
///     println!("{}: {} ns", part.target(), part.count().value());
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    pub(crate) target: Target,
    pub(crate) count: Count,
    pub(super) method: ReadMethod,
}

impl Part {
    /// Creates the count of a target.
    #[must_use]
    pub fn new(target: Target, count: Count) -> Self {
        Part { target, count, method: ReadMethod::SystemCall }
    }

    /// Returns how the count was read.
    #[must_use]
    pub fn method(self) -> ReadMethod {
        self.method
    }

    /// Returns the task or CPU; for a value that is measured without a counter, the thread
    /// that reads it.
    #[must_use]
    pub fn target(self) -> Target {
        self.target
    }

    /// Returns the count on that target.
    #[must_use]
    pub fn count(self) -> Count {
        self.count
    }

    /// What was counted since an earlier read, whose part is most likely at `place`.
    fn since(&self, earlier: &EventReading, place: usize) -> Result<Count, Error> {
        let EventReading { parts, lacks, .. } = earlier;
        if let Some(lack) = lacks.iter().find(|lack| lack.target == self.target) {
            // What was counted until then would appear to have been counted since.
            return Err(lack.why.clone());
        }
        let is_same = |before: &&Part| before.target == self.target;
        let before = parts.get(place).filter(is_same).or_else(|| parts.iter().find(is_same));
        let Some(before) = before else { return Ok(self.count) };
        self.count.since(&before.count).ok_or_else(Error::went_backwards)
    }
}

/// A target whose count is unknown, and the reason.
///
/// ```
/// use pmu_events::System;
///
/// let mut counters = System::new().open("duration_time")?;
/// let (_, reading) = counters.count(|| ())?;
/// for lack in reading["duration_time"].lacking() {
///     println!("{}: {}", lack.target(), lack.why());
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    pub(crate) target: Target,
    pub(crate) why: Error,
}

impl Lack {
    /// Creates the reason why a target has no count.
    #[must_use]
    pub fn new(target: Target, why: Error) -> Self {
        Lack { target, why }
    }

    /// Returns the task or CPU.
    #[must_use]
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns why its count is unknown.
    #[must_use]
    pub fn why(&self) -> &Error {
        &self.why
    }
}

/// The counts of an event, by its number or by its name.
///
/// # Panics
///
/// If the set has no such event.
impl Index<usize> for Reading {
    type Output = EventReading;

    fn index(&self, number: usize) -> &EventReading {
        &self.events[number]
    }
}

/// The counts of an event, by its identity.
///
/// # Panics
///
/// If the set has no such event.
impl Index<AnswerId> for Reading {
    type Output = EventReading;

    fn index(&self, id: AnswerId) -> &EventReading {
        &self.events[id.place()]
    }
}

/// See [`Reading::get`].
///
/// # Panics
///
/// If the set has no event of that name.
impl Index<&str> for Reading {
    type Output = EventReading;

    fn index(&self, name: &str) -> &EventReading {
        self.get(name).unwrap_or_else(|| {
            let mut names = String::new();
            for event in &self.events {
                names.push_str(if names.is_empty() { "" } else { ", " });
                names.push_str(&event.name());
            }
            panic!("no event `{name}` among those that are counted: {names}")
        })
    }
}

impl Reading {
    /// Returns the counts of an event by the [name](EventReading::name) that it was opened with,
    /// in any letter case. Where several have that name, it is the first that is spelled so.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// let (sum, reading) = counters.count(|| (1..=1000).sum::<u64>())?;
    /// assert_eq!(sum, 500_500);
    /// assert!(reading["duration_time"].value()? > 0.0);
    /// assert_eq!(reading.get("cycles"), None);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&EventReading> {
        let mut similar = None;
        for event in &self.events {
            let own = event.name();
            if own == name {
                return Some(event);
            }
            if similar.is_none() && pmu_events_core::__private::name::eq(name, &own) {
                similar = Some(event);
            }
        }
        similar
    }

    /// Returns what was counted since an earlier read of the same set.
    ///
    /// If the set was [reset](super::Counters::reset) in between, the difference is
    /// unknown, and each event has that as its reason
    /// ([`ErrorKind::Reset`]).
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// counters.enable()?;
    /// let before = counters.read();
    /// std::hint::black_box((0..1000).sum::<u64>());
    /// println!("{}", counters.read().since(&before)["duration_time"]);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    #[must_use]
    pub fn since(&self, earlier: &Reading) -> Reading {
        let mut reading = self.clone();
        reading.subtract(earlier);
        reading
    }

    /// Leaves what was counted [since](Self::since) an earlier read of the same set, without
    /// allocating.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// counters.enable()?;
    /// let before = counters.read();
    /// let mut spent = counters.read();
    /// spent.subtract(&before);
    /// println!("{}", spent["duration_time"]);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    pub fn subtract(&mut self, earlier: &Reading) {
        for (now, before) in self.events.iter_mut().zip(&earlier.events) {
            now.subtract(before);
        }
    }

    /// Adds the counts of another reading of the same events, target by target. Nothing gets
    /// lost: a sum with an estimate is an estimate, and a target that lacks a count in either
    /// lacks one in the sum.
    ///
    /// ```
    /// use pmu_events::System;
    /// use pmu_events::open::Reading;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// let mut sum = Reading::default();
    /// for size in [10, 1000] {
    ///     sum.add(&counters.count(|| (0..size).sum::<u64>())?.1);
    /// }
    /// println!("{}", sum["duration_time"]);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    pub fn add(&mut self, other: &Reading) {
        if self.events.is_empty() {
            self.events.clone_from(&other.events);
            return;
        }
        for (sum, other) in self.events.iter_mut().zip(&other.events) {
            sum.accumulate(other);
        }
    }

    /// Takes away a part of each event's count, if the count is complete.
    #[cfg(feature = "region")]
    pub(crate) fn reduce(&mut self, by: impl Iterator<Item = u64>) {
        for (event, by) in self.events.iter_mut().zip(by) {
            let mut left = by;
            for Part { count, .. } in &mut event.parts {
                if count.time_running >= count.time_enabled {
                    let taken = count.value.min(left);
                    count.value -= taken;
                    left -= taken;
                }
            }
        }
    }
}

/// The name with the value and its unit, or with the reason why there is no value:
/// `task-clock: 0.15 s`.
impl fmt::Display for EventReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match (self.value(), self.unit()) {
            (Ok(value), "") => write!(f, "{name}: {value}"),
            (Ok(value), unit) => write!(f, "{name}: {value} {unit}"),
            (Err(why), _) => write!(f, "{name}: {why}"),
        }
    }
}

impl EventReading {
    /// Creates a reading of an event that has counted nothing.
    #[must_use]
    pub fn new(event: impl Into<Arc<SetEvent>>) -> Self {
        EventReading::with_parts(event, Vec::new())
    }

    /// Creates a reading of an event from its counts.
    #[doc(hidden)]
    #[must_use]
    pub fn with_parts(event: impl Into<Arc<SetEvent>>, parts: Vec<Part>) -> Self {
        let state = SetState { was_enabled: !parts.is_empty(), resets: 0 };
        EventReading { event: event.into(), parts, lacks: Vec::new(), state }
    }

    /// Replaces the counts.
    #[doc(hidden)]
    pub fn set_counts(&mut self, parts: Vec<Part>, lacks: Vec<Lack>) {
        (self.parts, self.lacks) = (parts, lacks);
    }

    /// Returns the event.
    #[must_use]
    pub fn event(&self) -> &SetEvent {
        &self.event
    }

    /// Returns the name of the event ([`SetEvent::name`]).
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        self.event.name()
    }

    /// Returns the unit of the value, or an empty string; `s` for all events that measure
    /// time.
    #[must_use]
    pub fn unit(&self) -> &str {
        self.event.unit()
    }

    /// Returns the value in the event's unit: the sum over tasks and CPUs, scaled
    /// for multiplexing and converted by [`Resolved::in_unit`](crate::resolve::Resolved::in_unit).
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// let (_, reading) = counters.count(|| ())?;
    /// let event = &reading["duration_time"];
    /// assert!(event.value()? >= 0.0 && event.unit() == "s");
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the reason if there is no value, or not all of it:
    /// [`SetEvent::refusal`], the reason of the first target that is
    /// [lacking](Self::lacking), or
    /// [`ErrorKind::NeverScheduled`](crate::open::ErrorKind::NeverScheduled). A sum that
    /// lacks a target is an error of kind
    /// [`ErrorKind::Partial`](crate::open::ErrorKind::Partial); [`outcome`](Self::outcome)
    /// has the sum of the others.
    pub fn value(&self) -> Result<f64, Error> {
        let why = match self.outcome() {
            Outcome::Counted(total) => {
                let value = self.event.resolved().map(|resolved| resolved.in_unit(total.value));
                return Ok(value.unwrap_or(total.value as f64));
            }
            Outcome::NotSupported => self.event.refusal().cloned(),
            Outcome::Partial(_) => self
                .lacking()
                .first()
                .map(|lack| Error::partial(&lack.target.to_string(), &lack.why)),
            Outcome::NotCounted | Outcome::PinnedOut | Outcome::Failed => {
                self.lacking().into_iter().next().map(|lack| lack.why)
            }
        };
        Err(why.unwrap_or_else(Error::never_scheduled))
    }

    /// Returns the targets whose count is unknown: those that could not be read, and
    /// those on which the event was enabled and never had a counter.
    #[must_use]
    pub fn lacking(&self) -> Vec<Lack> {
        let mut all = self.lacks.clone();
        for part in &self.parts {
            if part.count.is_starved() {
                all.push(Lack { target: part.target, why: Error::never_scheduled() });
            }
        }
        all
    }

    /// Returns what was counted since an earlier read of the same event, under the
    /// conditions of [`Reading::since`].
    #[must_use]
    pub fn since(&self, earlier: &EventReading) -> EventReading {
        let mut reading = self.clone();
        reading.subtract(earlier);
        reading
    }

    /// Adds the count on one target, or why it is unknown.
    pub(super) fn add(&mut self, read: Result<Part, Lack>) {
        match read {
            Ok(part) => self.parts.push(part),
            Err(lack) => self.lacks.push(lack),
        }
    }

    /// Takes all counts out.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.lacks.clear();
    }

    /// Replaces all counts by the first of new ones, where the last one was if it was alone.
    #[inline]
    pub(super) fn begin_with(&mut self, target: Target, count: Count, method: ReadMethod) {
        if let ([only], []) = (self.parts.as_mut_slice(), self.lacks.as_slice()) {
            *only = Part { target, count, method };
        } else {
            self.begin_anew(Part { target, count, method });
        }
    }

    #[cold]
    #[inline(never)]
    fn begin_anew(&mut self, part: Part) {
        self.clear();
        self.parts.push(part);
    }

    fn subtract(&mut self, earlier: &EventReading) {
        if self.event.resolved().is_some_and(|resolved| resolved.is_snapshot) {
            return;
        }
        let is_reset = self.state.resets != earlier.state.resets;
        let mut place = 0..;
        let EventReading { parts, lacks, .. } = self;
        parts.retain_mut(|part| {
            let likely = place.next().unwrap_or(0);
            let since =
                if is_reset { Err(Error::reset_between()) } else { part.since(earlier, likely) };
            match since {
                Ok(count) => part.count = count,
                Err(why) => {
                    lacks.push(Lack { target: part.target, why });
                    return false;
                }
            }
            true
        });
    }

    fn accumulate(&mut self, other: &EventReading) {
        // A value of the machine is no sum.
        if self.event.resolved().is_some_and(|resolved| resolved.is_snapshot) {
            self.parts.clone_from(&other.parts);
            return;
        }
        self.state.was_enabled |= other.state.was_enabled;
        for (place, part) in other.parts.iter().enumerate() {
            let is_same = |known: &&mut Part| known.target == part.target;
            match self.parts.get_mut(place).filter(is_same) {
                Some(known) => known.count = known.count.plus(&part.count),
                None => match self.parts.iter_mut().find(is_same) {
                    Some(known) => known.count = known.count.plus(&part.count),
                    None => self.parts.push(*part),
                },
            }
        }
        for lack in &other.lacks {
            if self.lacks.iter().all(|known| known.target != lack.target) {
                self.lacks.push(lack.clone());
            }
        }
    }

    /// Returns the [value](Self::value) if it was counted all the time.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let mut counters = System::new().open("duration_time")?;
    /// let (_, reading) = counters.count(|| ())?;
    /// assert!(reading["duration_time"].exact()? >= 0.0);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error of kind [`ErrorKind::Multiplexed`] if the value is an estimate, because
    /// other events had the counters for some of the time, and otherwise the errors of `value`.
    pub fn exact(&self) -> Result<f64, Error> {
        match self.outcome() {
            Outcome::Counted(total) if total.time_running < total.time_enabled => {
                Err(Error::multiplexed(total.share()))
            }
            _ => self.value(),
        }
    }

    /// Returns the outcome summed over all targets. Each target is scaled before
    /// the sum, as in perf (`process_counter_values` in `tools/perf/util/stat.c`).
    ///
    /// A target on which nothing could happen adds 0: a control group without time on
    /// a CPU, or a task that slept. A target on which the event never had a counter is
    /// lacking.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.event.refusal().is_some() {
            return Outcome::NotSupported;
        }
        let mut total = Total::default();
        let (mut counted, mut starved) = (0, 0);
        for Part { count, .. } in &self.parts {
            match count.estimate() {
                _ if count.is_starved() => starved += 1,
                None if !self.state.was_enabled => {}
                estimate => {
                    counted += 1;
                    total.value = total.value.wrapping_add(estimate.unwrap_or(0));
                }
            }
            total.time_enabled = total.time_enabled.saturating_add(count.time_enabled);
            total.time_running = total.time_running.saturating_add(count.time_running);
        }
        let is_pinned_out = |lack: &Lack| lack.why.kind() == ErrorKind::PinnedOut;
        match (counted, self.lacks.len() + starved) {
            (1.., 0) => Outcome::Counted(total),
            (1.., _) => Outcome::Partial(total),
            _ if self.lacks.iter().any(is_pinned_out) => Outcome::PinnedOut,
            _ if !self.lacks.is_empty() => Outcome::Failed,
            _ => Outcome::NotCounted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::System;
    use std::vec;

    fn set_event(text: &str) -> SetEvent {
        let resolved = System::at("/nonexistent").require(text).unwrap();
        SetEvent::new(resolved[0].clone())
    }

    /// Counts on CPUs from 0: value, enabled, running.
    fn event(counts: &[(u64, u64, u64)]) -> EventReading {
        let part = |(cpu, &(value, enabled, running)): (usize, &(u64, u64, u64))| {
            Part::new(Target::Cpu(cpu as u32), Count::new(value, enabled, running))
        };
        let parts = counts.iter().enumerate().map(part).collect();
        EventReading::with_parts(set_event("cycles"), parts)
    }

    fn lacking(reading: EventReading, cpu: u32, why: Error) -> EventReading {
        let mut reading = reading;
        reading.lacks.push(Lack { target: Target::Cpu(cpu), why });
        reading
    }

    fn unreadable() -> Error {
        Error::new(ErrorKind::Unreadable, 0, "unreadable")
    }

    #[test]
    fn outcomes() {
        let total = |value, time_enabled, time_running| Total { value, time_enabled, time_running };
        let counted = |value, enabled, running| Outcome::Counted(total(value, enabled, running));
        let partial = |value, enabled, running| Outcome::Partial(total(value, enabled, running));
        let mut refused = set_event("cycles");
        refused.refusal = Some(Error::new(ErrorKind::NoHardwarePmu, 0, "no PMU"));
        let mut not_enabled = event(&[(0, 0, 0)]);
        not_enabled.state.was_enabled = false;
        let cases = [
            (event(&[]), Outcome::NotCounted),
            (not_enabled, Outcome::NotCounted),
            (event(&[(0, 10, 0)]), Outcome::NotCounted),
            (event(&[(0, 10, 10)]), counted(0, 10, 10)),
            (event(&[(5, 10, 10), (6, 10, 10)]), counted(11, 20, 20)),
            // Each target is scaled separately.
            (event(&[(5, 10, 5), (6, 10, 10)]), counted(16, 20, 15)),
            // Enabled without a counter: whatever happened is unknown.
            (event(&[(5, 10, 5), (0, 10, 0)]), partial(10, 20, 5)),
            // A task that slept, or a control group without time there: nothing happened.
            (event(&[(5, 10, 5), (0, 0, 0)]), counted(10, 10, 5)),
            (event(&[(0, 0, 0)]), counted(0, 0, 0)),
            (lacking(event(&[(5, 10, 5)]), 1, Error::pinned_out()), partial(10, 10, 5)),
            (lacking(event(&[]), 1, Error::pinned_out()), Outcome::PinnedOut),
            (EventReading::new(refused), Outcome::NotSupported),
            (lacking(event(&[(5, 10, 5)]), 1, unreadable()), partial(10, 10, 5)),
            (lacking(event(&[]), 1, unreadable()), Outcome::Failed),
        ];
        for (reading, expected) in cases {
            assert_eq!(reading.outcome(), expected, "{reading:?}");
            assert_eq!(reading.value().is_ok(), expected.total().is_some(), "{reading:?}");
        }
        let reading = lacking(event(&[(5, 10, 5)]), 1, unreadable());
        let error = reading.value().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Partial);
        assert_eq!(error.to_string(), "counted only in part, without CPU 1: unreadable");
    }

    /// All that a reading consists of must be the same.
    #[test]
    fn equality() {
        let one = event(&[(5, 10, 10)]);
        assert_eq!(one, one.clone());
        // Of another event, even with the same name.
        assert_ne!(one, event(&[(5, 10, 10)]));
        let mut other_count = one.clone();
        other_count.parts[0].count.value = 6;
        let mut reset = one.clone();
        reset.state.resets += 1;
        let lacks = lacking(one.clone(), 1, unreadable());
        for other in [other_count, reset, lacks] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn differences() {
        let (first, second) = (event(&[(5, 10, 10)]), event(&[(9, 30, 20)]));
        assert_eq!(second.since(&first).parts, event(&[(4, 20, 10)]).parts);
        // A part that was missing once cannot be attributed to the time since.
        let odd = |reading: EventReading| lacking(reading, 0, unreadable());
        assert_eq!(second.since(&odd(event(&[]))).outcome(), Outcome::Failed);
        assert_eq!(odd(event(&[])).since(&first).outcome(), Outcome::Failed);
        // So it is for an event that was pinned out: its count since then is unknown.
        let out = lacking(event(&[]), 0, Error::pinned_out());
        assert_eq!(second.since(&out).outcome(), Outcome::PinnedOut);
        // Only that part is unknown.
        let two = event(&[(9, 30, 20), (7, 5, 5)]);
        let known = Total { value: 7, time_enabled: 5, time_running: 5 };
        assert_eq!(two.since(&out).outcome(), Outcome::Partial(known));
        // Across a reset, and backwards.
        let mut reset = event(&[(1, 2, 2)]);
        reset.state.resets = 1;
        for (now, before, kind) in
            [(&reset, &second, ErrorKind::Reset), (&first, &second, ErrorKind::Unreadable)]
        {
            let difference = now.since(before);
            assert_eq!(difference.outcome(), Outcome::Failed);
            assert_eq!(difference.value().unwrap_err().kind(), kind);
        }
        // A snapshot is not subtracted.
        let mut of_now = System::at("/nonexistent").require("cycles").unwrap()[0].clone();
        of_now.is_snapshot = true;
        let snapshot = EventReading::with_parts(SetEvent::new(of_now), second.parts.clone());
        assert_eq!(snapshot.since(&first), snapshot);
        let now = Reading::new(vec![second.clone()]);
        assert_eq!(now.since(&Reading::default()), now);
    }
}
