//! Iterators over models, PMUs and events. In a `const fn`, `step` takes the place of
//! `next`.

use super::Model;
use crate::event::Event;
use crate::name;
use crate::packed::Tree;
use crate::pmu;
use crate::wire::Section;
use crate::wire::record::{ModelRecord, RunRecord};

/// The models of a [`Tree`], or its sys tables.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let amd = x86::TREE.models().filter(|model| model.name().starts_with("amdzen"));
/// assert_eq!(amd.count(), 6);
/// ```
#[derive(Clone, Debug)]
pub struct Models {
    tree: &'static Tree,
    next: usize,
    sys: bool,
}

impl Models {
    pub(crate) const fn new(tree: &'static Tree, sys: bool) -> Self {
        Models { tree, next: 0, sys }
    }

    /// Returns the next model. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    pub const fn step(&mut self) -> Option<Model> {
        let models = self.tree.wire.section(Section::Models);
        while self.next < models.len() / ModelRecord::SIZE {
            let model = Model::new(self.tree, self.next);
            self.next += 1;
            if model.is_sys() == self.sys {
                return Some(model);
            }
        }
        None
    }
}

impl Iterator for Models {
    type Item = Model;

    fn next(&mut self) -> Option<Model> {
        self.step()
    }
}

/// A PMU of a model, with its events.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let core = x86::SAPPHIRERAPIDS.pmus().find(|pmu| pmu.is_core()).unwrap();
/// assert_eq!((core.name(), core.general_counters()), ("default_core", Some(8)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PmuTable {
    model: Model,
    run: RunRecord,
}

impl PmuTable {
    /// Returns the PMU's name in the tree: `default_core` for the machine's
    /// core PMU, otherwise the name in `/sys/bus/event_source/devices` without
    /// a number at its end.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        self.model.tree.wire.nth_str(Section::Pmus, self.run.pmu as usize)
    }

    /// Whether this PMU counts events of a core.
    #[must_use]
    pub const fn is_core(self) -> bool {
        pmu::is_core(self.name())
    }

    /// Returns this PMU's events, sorted by name.
    #[must_use]
    #[inline]
    pub const fn events(self) -> Events {
        Events {
            model: self.model,
            next: self.run.first as usize,
            end: (self.run.first as usize).saturating_add(self.run.count as usize),
        }
    }

    /// Returns the number of general-purpose counters, if the tree states it
    /// (`CountersNumGeneric`).
    #[must_use]
    pub const fn general_counters(self) -> Option<u8> {
        if self.run.general == u8::MAX { None } else { Some(self.run.general) }
    }

    /// Returns the number of fixed counters, if the tree states it
    /// (`CountersNumFixed`).
    #[must_use]
    pub const fn fixed_counters(self) -> Option<u8> {
        if self.run.fixed == u8::MAX { None } else { Some(self.run.fixed) }
    }
}

/// The PMUs of a [`Model`], in the order of perf's tables.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let pmus: Vec<&str> = x86::SAPPHIRERAPIDS.pmus().map(|pmu| pmu.name()).collect();
/// assert!(pmus.contains(&"uncore_cha"));
/// ```
#[derive(Clone, Debug)]
pub struct PmuTables {
    model: Model,
    next: usize,
}

impl PmuTables {
    pub(super) const fn new(model: Model) -> Self {
        PmuTables { model, next: 0 }
    }

    /// Returns the next PMU. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    pub const fn step(&mut self) -> Option<PmuTable> {
        if self.next < self.model.record.run_count as usize {
            let run = self.model.run(self.next);
            self.next += 1;
            Some(PmuTable { model: self.model, run })
        } else {
            None
        }
    }
}

impl Iterator for PmuTables {
    type Item = PmuTable;

    #[inline]
    fn next(&mut self) -> Option<PmuTable> {
        self.step()
    }
}

/// Events of a [`Model`].
#[derive(Clone, Debug)]
pub struct Events {
    model: Model,
    next: usize,
    end: usize,
}

impl Events {
    #[inline]
    pub(super) const fn new(model: Model) -> Self {
        Events { model, next: 0, end: model.event_count() }
    }

    /// Returns the next event. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    pub const fn step(&mut self) -> Option<Event> {
        if self.next < self.end {
            let event = self.model.entry(self.next);
            self.next += 1;
            Some(event)
        } else {
            None
        }
    }

    /// Keeps the events of one topic, such as `cache` or `virtual memory`,
    /// ignoring case.
    #[must_use]
    pub const fn topic(self, topic: &str) -> EventsOfTopic<'_> {
        EventsOfTopic { events: self, topic }
    }
}

/// The events of one topic.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let events = x86::SILVERMONT.events().topic("cache");
/// assert!(events.clone().all(|event| event.topic() == "cache") && events.count() > 0);
/// ```
#[derive(Clone, Debug)]
pub struct EventsOfTopic<'n> {
    events: Events,
    topic: &'n str,
}

impl EventsOfTopic<'_> {
    /// Returns the next event. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    pub const fn step(&mut self) -> Option<Event> {
        while let Some(event) = self.events.step() {
            if name::eq(event.topic(), self.topic) {
                return Some(event);
            }
        }
        None
    }
}

impl Iterator for EventsOfTopic<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.step()
    }
}

impl Iterator for Events {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        self.step()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl ExactSizeIterator for Events {}

/// The events with one name.
///
/// ```
/// use pmu_events::arch::x86;
///
/// // Several PMUs may have an event of one name, such as both kinds of cores of a hybrid CPU.
/// let model = x86::model("GenuineIntel-6-97-2").unwrap();
/// let pmus: Vec<&str> = model.events_named("inst_retired.any").map(|event| event.pmu()).collect();
/// assert_eq!(pmus, ["cpu_atom", "cpu_core"]);
/// ```
#[derive(Clone, Debug)]
pub struct EventsNamed<'n> {
    model: Model,
    name: &'n str,
    next: usize,
}

impl<'n> EventsNamed<'n> {
    pub(super) const fn new(model: Model, name: &'n str) -> Self {
        EventsNamed { model, name, next: 0 }
    }

    /// Returns the next event. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    pub const fn step(&mut self) -> Option<Event> {
        // The index contains every name.
        if self.next == 0 && self.model.event(self.name).is_none() {
            return None;
        }
        while self.next < self.model.record.run_count as usize {
            let found = self.model.find_in(self.model.run(self.next), self.name);
            self.next += 1;
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

impl Iterator for EventsNamed<'_> {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        self.step()
    }
}
