//! Grouping events into lists, which are opened together.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::formulas::Needed;
use super::operand::LatencyOperand;
use super::request::Request;
use crate::planner::{Packing, Place, Supply};
use crate::system::System;
use crate::{Metric, Model};
use pmu_events_core::__private::event_list::{EventKind, EventList};

/// A metric and its events, each as spelled in the formula and as opened.
pub(super) struct Needs {
    pub(super) request: Request,
    /// Its index among all requests.
    pub(super) asked: usize,
    pub(super) events: Vec<(Needed, String)>,
    /// How many of the events are the value's; the rest is only for the threshold.
    pub(super) of_value: usize,
    pub(super) latencies: Vec<LatencyOperand>,
    pub(super) may_group: bool,
}

/// Events that are resolved together, either as one group or separately.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) events: Vec<String>,
    pub(super) is_group: bool,
    /// The pass in which it is counted if nothing may be multiplexed; `None` for all.
    pub(super) pass: Option<usize>,
    /// Whether the counters are known to have room for it.
    pub(super) has_room: bool,
}

/// Where the events of a metric are counted.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// For each event, the index of its list; `None` if it is missing.
    pub(super) lists: Vec<Option<usize>>,
    /// For each event, the part of the metric that it is in; 0 if the metric is in one part.
    pub(super) parts: Vec<usize>,
    /// The event that all parts have in common, and for each part whether it has it, and the
    /// list of the part.
    pub(super) reference: Option<String>,
    pub(super) part_lists: Vec<(usize, bool)>,
}

impl List {
    fn add(&mut self, event: &str) {
        if !self.events.iter().any(|other| other == event) {
            self.events.push(event.into());
        }
    }

    /// The list as an argument for `resolve`.
    pub(super) fn text(&self) -> String {
        let events = self.events.join(",");
        if self.is_group && self.events.len() > 1 { format!("{{{events}}}:W") } else { events }
    }
}

/// What counts the events of a metric.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Unit {
    model: Model,
    pmu: &'static str,
}

/// The events of a metric by what counts them, as indices.
#[derive(Default)]
struct Sorted {
    tools: Vec<usize>,
    /// Counted in software: they may be members of any group.
    anywhere: Vec<usize>,
    /// On PMUs whose counters are known: the number of the unit.
    on_units: Vec<(usize, Vec<usize>)>,
    /// On all others.
    others: Vec<usize>,
}

/// Distributes sets of events over groups.
pub(super) type Pack = for<'t> fn(&Supply, &[Vec<&'t str>]) -> Packing<'t>;

/// Builds the lists for metrics sorted by number of events, largest first, and the places of
/// the metrics' events. Missing events are in no list.
pub(super) fn of(
    all: &[Needs],
    system: &System,
    is_missing: &dyn Fn(&str) -> bool,
    packing: Pack,
) -> (Vec<List>, Vec<Places>) {
    let mut units: Vec<(Unit, Option<Supply>)> = Vec::new();
    let sorted: Vec<Sorted> =
        all.iter().map(|needs| sort(needs, system, &mut units, is_missing)).collect();
    let mut places: Vec<Places> =
        all.iter().map(|needs| Places::none(needs.events.len())).collect();
    let mut groups: Vec<List> = Vec::new();
    for (number, (_, supply)) in units.iter().enumerate() {
        let Some(supply) = supply else { continue };
        pack(all, &sorted, (number, supply, packing), &mut groups, &mut places);
    }
    let (mut loose, mut tools) = (List::default(), List::default());
    let mut weak: Vec<List> = Vec::new();
    // Lists of one kind follow the packed groups, and are numbered when all are known.
    let mut later: Vec<(usize, usize, Later)> = Vec::new();
    for (metric, (needs, sorted)) in all.iter().zip(&sorted).enumerate() {
        for &n in &sorted.tools {
            tools.add(&needs.events[n].1);
            later.push((metric, n, Later::Tools));
        }
        // Of a metric in parts, the time of the first counts.
        let of_parts = places[metric].part_lists.first().map(|(list, _)| *list);
        let of_unit = || {
            let (_, events) = sorted.on_units.first()?;
            places[metric].lists[*events.first()?]
        };
        let first = of_parts.or_else(of_unit);
        let mut rest = sorted.others.clone();
        match first {
            Some(list) if groups[list].has_room => {
                for &n in &sorted.anywhere {
                    groups[list].add(&needs.events[n].1);
                    places[metric].lists[n] = Some(list);
                }
            }
            _ => rest.extend(&sorted.anywhere),
        }
        rest.sort_unstable();
        let has_all =
            |group: &List| rest.iter().all(|&n| group.events.contains(&needs.events[n].1));
        if rest.is_empty() {
            continue;
        }
        if !needs.may_group {
            for &n in &rest {
                loose.add(&needs.events[n].1);
                later.push((metric, n, Later::Loose));
            }
            continue;
        }
        let group = weak.iter().position(has_all).unwrap_or_else(|| {
            let mut group = List { is_group: true, pass: Some(0), ..List::default() };
            rest.iter().for_each(|&n| group.add(&needs.events[n].1));
            weak.push(group);
            weak.len() - 1
        });
        later.extend(rest.iter().map(|&n| (metric, n, Later::Weak(group))));
    }
    loose.pass = Some(0);
    arranged(loose, groups, weak, tools, places, later)
}

/// A list that is numbered later.
#[derive(Clone, Copy)]
enum Later {
    Loose,
    Weak(usize),
    Tools,
}

/// All lists in their order: what is loose, groups, and what the program measures itself.
fn arranged(
    loose: List,
    groups: Vec<List>,
    weak: Vec<List>,
    tools: List,
    mut places: Vec<Places>,
    later: Vec<(usize, usize, Later)>,
) -> (Vec<List>, Vec<Places>) {
    let start = usize::from(!loose.events.is_empty());
    let (of_weak, of_tools) = (start + groups.len(), start + groups.len() + weak.len());
    for places in &mut places {
        places.lists.iter_mut().flatten().for_each(|list| *list += start);
        places.part_lists.iter_mut().for_each(|(list, _)| *list += start);
    }
    for (metric, n, list) in later {
        places[metric].lists[n] = Some(match list {
            Later::Loose => 0,
            Later::Weak(number) => of_weak + number,
            Later::Tools => of_tools,
        });
    }
    let lists = Some(loose).into_iter().chain(groups).chain(weak).chain([tools]);
    (lists.filter(|list| !list.events.is_empty()).collect(), places)
}

impl Places {
    fn none(events: usize) -> Self {
        let (lists, parts) = (std::vec![None; events], std::vec![0; events]);
        Places { lists, parts, ..Places::default() }
    }
}

/// Distributes what is counted on one unit over groups.
fn pack(
    all: &[Needs],
    sorted: &[Sorted],
    (unit, supply, packing): (usize, &Supply, Pack),
    groups: &mut Vec<List>,
    places: &mut [Places],
) {
    // The sets, with the metric of each: what only the threshold needs is apart where it has
    // no room beside the value.
    let mut sets: Vec<(usize, Vec<usize>)> = Vec::new();
    for (metric, (needs, sorted)) in all.iter().zip(sorted).enumerate() {
        for (_, events) in sorted.on_units.iter().filter(|(of, _)| *of == unit) {
            let texts: Vec<&str> = events.iter().map(|&n| needs.events[n].1.as_str()).collect();
            let (value, threshold): (Vec<usize>, Vec<usize>) =
                events.iter().partition(|n| **n < needs.of_value);
            if threshold.is_empty() || value.is_empty() || supply.fits(&texts) {
                sets.push((metric, events.clone()));
            } else {
                sets.extend([(metric, value), (metric, threshold)]);
            }
        }
    }
    let text = |metric: usize, n: usize| all[metric].events[n].1.as_str();
    let texts: Vec<Vec<&str>> = sets
        .iter()
        .map(|(metric, events)| events.iter().map(|&n| text(*metric, n)).collect())
        .collect();
    let packing = packing(supply, &texts);
    let first = groups.len();
    groups.extend(packing.groups().iter().enumerate().map(|(pass, group)| List {
        events: group.events.iter().map(|event| event.clone().into_owned()).collect(),
        is_group: group.has_room,
        pass: Some(pass),
        has_room: group.has_room,
    }));
    for ((metric, events), placement) in sets.iter().zip(packing.placements()) {
        let places = &mut places[*metric];
        // One reference relates the counts of one PMU.
        let is_combined = places.part_lists.is_empty() && placement.parts.len() > 1;
        for (number, part) in placement.parts.iter().enumerate() {
            for &n in &part.events {
                places.lists[events[n]] = Some(first + part.group);
                places.parts[events[n]] = if is_combined { number } else { 0 };
            }
            if is_combined {
                places.part_lists.push((first + part.group, part.has_reference));
            }
        }
        if is_combined {
            places.reference.clone_from(&placement.reference);
        }
    }
}

fn sort(
    needs: &Needs,
    system: &System,
    units: &mut Vec<(Unit, Option<Supply>)>,
    is_missing: &dyn Fn(&str) -> bool,
) -> Sorted {
    let mut sorted = Sorted::default();
    let model = model_of(needs, system);
    for (n, ((_, pmu), event)) in needs.events.iter().enumerate() {
        if is_missing(event) {
            continue;
        }
        if is_tool(event) {
            sorted.tools.push(n);
            continue;
        }
        let place = model.and_then(|model| {
            let pmu =
                pmu.or_else(|| named_core_of(model, event)).or_else(|| only_core_of(model))?;
            Some((model, Place::of(event, model, pmu)))
        });
        let (model, pmu) = match place {
            Some((_, Place::Anywhere)) => {
                sorted.anywhere.push(n);
                continue;
            }
            Some((model, Place::On(pmu))) => (model, pmu),
            Some((_, Place::Other(_))) | None => {
                sorted.others.push(n);
                continue;
            }
        };
        let unit = Unit { model, pmu };
        let number = units.iter().position(|(known, _)| *known == unit).unwrap_or_else(|| {
            units.push((unit, Supply::of(model, pmu, system.core_state()).ok()));
            units.len() - 1
        });
        if units[number].1.is_none() {
            sorted.others.push(n);
            continue;
        }
        match sorted.on_units.iter_mut().find(|(of, _)| *of == number) {
            Some((_, events)) => events.push(n),
            None => sorted.on_units.push((number, [n].into())),
        }
    }
    sorted
}

/// Opens events by codes on counters of their own where the kernel does not look for these, if
/// all events of the metric fit one group then.
pub(super) fn spell(all: &mut [Needs], system: &System) {
    for needs in all {
        let supply = model_of(needs, system)
            .and_then(|model| Supply::of(model, only_core_of(model)?, system.core_state()).ok());
        let Some(supply) = supply else { continue };
        let texts = texts_on(needs, &supply);
        let others: Vec<Option<String>> =
            texts.iter().map(|event| supply.on_own_counter(event, &texts)).collect();
        if others.iter().all(Option::is_none) {
            continue;
        }
        let spelled = texts.iter().zip(&others);
        let spelled: Vec<&str> =
            spelled.map(|(event, other)| other.as_deref().unwrap_or(event)).collect();
        let parts = |set: &[&str]| Packing::of(&supply, &[set]).placements()[0].parts.len();
        if parts(&texts) == 1 || parts(&spelled) > 1 {
            continue;
        }
        let names: Vec<String> = texts.into_iter().map(String::from).collect();
        for (name, other) in names.into_iter().zip(others) {
            for (_, event) in &mut needs.events {
                if let (true, Some(other)) = (*event == name, &other) {
                    event.clone_from(other);
                }
            }
        }
    }
}

/// The events of a metric that are counted on a PMU, as opened.
fn texts_on<'n>(needs: &'n Needs, supply: &Supply) -> Vec<&'n str> {
    let texts = needs.events.iter().map(|(_, event)| event.as_str());
    texts.filter(|event| supply.counts(event)).collect()
}

/// The model in whose table a metric is; for a formula, the machine's if it has one.
fn model_of(needs: &Needs, system: &System) -> Option<Model> {
    let models = system.models();
    let Some(metric) = needs.request.metric() else {
        return if let [only] = models[..] { Some(only) } else { None };
    };
    let has = |model: &Model| {
        model.metric(metric.name()) == Some(metric)
            || model.metrics().any(|other: Metric| other == metric)
    };
    models.into_iter().find(has)
}

/// The kind of core that an event of a formula names.
fn named_core_of(model: Model, event: &str) -> Option<&'static str> {
    let (written, _) = event.split_once('/')?;
    let mut cores = model.pmus().filter(|table| table.is_core()).map(|table| table.name());
    cores.find(|name| *name == written)
}

/// The core PMU of a formula that names none; on a machine with several kinds of cores, its
/// events are counted on all of them.
fn only_core_of(model: Model) -> Option<&'static str> {
    let mut cores = model.pmus().filter(|table| table.is_core()).map(|table| table.name());
    let first = cores.next()?;
    if cores.next().is_none() { Some(first) } else { None }
}

pub(super) fn is_tool(event: &str) -> bool {
    let list = EventList::parse(event);
    list.is_ok_and(|list| list.events().any(|event| matches!(event.kind(), EventKind::Tool(_))))
}
