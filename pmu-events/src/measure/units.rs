//! What counts the events of metrics: PMUs of models, and the planner's numbers of the events
//! there.

use std::collections::BTreeMap;
use std::string::ToString;
use std::vec::Vec;

use super::events::{EventId, Events};
use crate::Model;
use crate::planner::{Arena, CoreState, Place, Supply};
use crate::system::System;

/// A PMU of a model.
struct Unit {
    model: Model,
    pmu: &'static str,
    /// The planner's view of the events, if it knows the counters.
    arena: Option<Arena<'static>>,
    /// The planner's numbers of events.
    numbers: BTreeMap<EventId, usize>,
}

/// Where an event is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// In software: it may be a member of any group.
    Anywhere,
    /// On a unit whose counters are known.
    On(usize),
    /// On another PMU.
    Elsewhere,
}

/// All units that were asked for.
pub(super) struct Units {
    system: System,
    /// Files say it, which are not read unless counters are planned.
    state: Option<CoreState>,
    all: Vec<Unit>,
    /// What has been found, by the event, the PMU of the metric, and the model.
    spots: BTreeMap<(EventId, Option<&'static str>), Vec<(Option<Model>, Spot)>>,
}

impl Units {
    pub(super) fn new(system: &System) -> Self {
        let system = system.clone();
        Units { system, state: None, all: Vec::new(), spots: BTreeMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Where an event of a metric of a PMU is counted.
    pub(super) fn spot(
        &mut self,
        event: EventId,
        model: Option<Model>,
        pmu: Option<&'static str>,
        events: &Events<'_>,
    ) -> Spot {
        let known = self.spots.get(&(event, pmu)).into_iter().flatten();
        if let Some(&(_, spot)) = known.into_iter().find(|(of, _)| *of == model) {
            return spot;
        }
        let spot = self.found(events.text(event), model, pmu);
        self.spots.entry((event, pmu)).or_default().push((model, spot));
        spot
    }

    fn found(&mut self, event: &str, model: Option<Model>, pmu: Option<&'static str>) -> Spot {
        let Some(model) = model else { return Spot::Elsewhere };
        let pmu = pmu.or_else(|| named_core_of(model, event)).or_else(|| only_core_of(model));
        match pmu.map(|pmu| Place::of(event, model, pmu)) {
            Some(Place::Anywhere) => Spot::Anywhere,
            Some(Place::On(pmu)) => {
                let unit = self.unit(model, pmu);
                if self.all[unit].arena.is_some() { Spot::On(unit) } else { Spot::Elsewhere }
            }
            Some(Place::Other(_)) => Spot::Elsewhere,
            // Software counts the same beside each kind of core.
            None => match cores_of(model).next().map(|pmu| Place::of(event, model, pmu)) {
                Some(Place::Anywhere) => Spot::Anywhere,
                _ => Spot::Elsewhere,
            },
        }
    }

    fn unit(&mut self, model: Model, pmu: &'static str) -> usize {
        let is_it = |unit: &Unit| unit.model == model && unit.pmu == pmu;
        self.all.iter().position(is_it).unwrap_or_else(|| {
            let state = *self.state.get_or_insert_with(|| self.system.core_state());
            let supply = Supply::of(model, pmu, state).ok();
            let numbers = BTreeMap::new();
            self.all.push(Unit { model, pmu, arena: supply.map(Arena::new), numbers });
            self.all.len() - 1
        })
    }

    /// The core PMU of a model that has one kind of core.
    pub(super) fn of_only_core(&mut self, model: Model) -> Option<usize> {
        let unit = self.unit(model, only_core_of(model)?);
        self.all[unit].arena.is_some().then_some(unit)
    }

    /// Whether events of a unit are opened by other codes beside some events.
    pub(super) fn may_respell(&self, unit: usize) -> bool {
        self.all[unit].arena.as_ref().is_some_and(Arena::may_respell)
    }

    /// The planner's view of a unit.
    pub(super) fn arena(&mut self, unit: usize) -> Option<&mut Arena<'static>> {
        self.all[unit].arena.as_mut()
    }

    /// Whether the counters of a unit have room for events.
    pub(super) fn fits(&self, unit: usize, numbers: &[usize]) -> bool {
        self.all[unit].arena.as_ref().is_some_and(|arena| arena.fits(numbers))
    }

    /// The planner's number of an event of a unit.
    pub(super) fn number(&mut self, unit: usize, event: EventId, events: &Events<'_>) -> usize {
        let Unit { arena: Some(arena), numbers, .. } = &mut self.all[unit] else {
            unreachable!("events are counted on units whose counters are known");
        };
        let text = || events.text(event).to_string().into();
        *numbers.entry(event).or_insert_with(|| arena.number(text()))
    }

    /// The event of a number. The planner adds some: references of parts, and what must be
    /// counted beside another event.
    pub(super) fn event(&mut self, unit: usize, number: usize, events: &mut Events<'_>) -> EventId {
        let Unit { arena: Some(arena), numbers, .. } = &mut self.all[unit] else {
            unreachable!("events are counted on units whose counters are known");
        };
        if let Some((&event, _)) = numbers.iter().find(|(_, known)| **known == number) {
            return event;
        }
        let event = events.id(arena.names[number].clone());
        // One that cannot be resolved is among the missing.
        events.resolve(event);
        numbers.insert(event, number);
        event
    }
}

/// The kind of core that an event of a formula names.
fn named_core_of(model: Model, event: &str) -> Option<&'static str> {
    let (written, _) = event.split_once('/')?;
    cores_of(model).find(|name| *name == written)
}

fn cores_of(model: Model) -> impl Iterator<Item = &'static str> {
    model.pmus().filter(|table| table.is_core()).map(|table| table.name())
}

/// The core PMU of a formula that names none; on a machine with several kinds of cores, its
/// events are counted on all of them.
fn only_core_of(model: Model) -> Option<&'static str> {
    let mut cores = cores_of(model);
    let first = cores.next()?;
    if cores.next().is_none() { Some(first) } else { None }
}
