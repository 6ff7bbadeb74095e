//! Grouping events into lists, which are opened together.

use std::borrow::Cow;
use std::string::String;
use std::vec::Vec;

use super::events::{EventId, Events, is_time};
use super::operand::LatencyOperand;
use super::request::Request;
use super::units::{Spot, Units};
use crate::Model;
use crate::planner::{Packed, Split};
use crate::resolve::Resolution;

/// A metric and what it needs.
pub(super) struct Needs {
    pub(super) request: Request,
    /// Its index among all requests.
    pub(super) asked: usize,
    /// The model in whose table it is.
    pub(super) model: Option<Model>,
    pub(super) events: Vec<Need>,
    pub(super) latencies: Vec<LatencyOperand>,
    pub(super) may_group: bool,
    /// The lists of its parts, if one group has no room for it; the first is the one whose
    /// time counts.
    pub(super) parts: Vec<PartList>,
    /// The event that all parts have in common.
    pub(super) reference: Option<EventId>,
}

/// An event that a metric needs, and where it is counted.
pub(super) struct Need {
    /// As spelled in the formula.
    pub(super) identifier: Cow<'static, str>,
    /// The PMU of the metric in whose formula it is; `None` in a user's own.
    pub(super) pmu: Option<&'static str>,
    /// Whether the value needs it; otherwise, only the threshold does.
    pub(super) is_needed: bool,
    pub(super) event: EventId,
    /// The index of its list; `None` if it is missing.
    pub(super) list: Option<usize>,
    /// The part of the metric that it is in; 0 if the metric is in one part.
    pub(super) part: usize,
}

/// The list of a part of a metric.
#[derive(Clone, Copy)]
pub(super) struct PartList {
    pub(super) list: usize,
    /// Whether the reference is in it.
    pub(super) has_reference: bool,
}

/// Events that are counted together, either as one group or separately.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) events: Vec<EventId>,
    /// The pass in which it is counted if nothing may be multiplexed; `None` for all, as what is
    /// counted in software needs no counter.
    pub(super) pass: Option<usize>,
    /// Whether the counters are known to have room for it.
    pub(super) has_room: bool,
    /// As an argument for `resolve`.
    pub(super) text: String,
    pub(super) resolution: Resolution,
}

/// A list that is not resolved yet.
#[derive(Clone, Debug, Default)]
struct Draft {
    events: Vec<EventId>,
    is_group: bool,
    pass: Option<usize>,
    has_room: bool,
}

impl Draft {
    fn add(&mut self, event: EventId) {
        if !self.events.contains(&event) {
            self.events.push(event);
        }
    }

    fn resolved(self, events: &Events<'_>) -> List {
        let Draft { is_group, pass, has_room, .. } = self;
        let known = |&id: &EventId| Some((id, events.resolved(id)?));
        let (own, answers): (Vec<EventId>, Vec<&Resolution>) =
            self.events.iter().filter_map(known).unzip();
        let texts: Vec<&str> = own.iter().map(|&id| &**events.text(id)).collect();
        let is_group = is_group && own.len() > 1;
        let text = texts.join(",");
        let text = if is_group { std::format!("{{{text}}}:W") } else { text };
        let resolution = Resolution::together(events.system(), answers, is_group);
        List { events: own, pass, has_room, text, resolution }
    }
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

/// Builds the lists for metrics sorted by number of events, largest first, and finds the places
/// of the metrics' events. Missing events are in no list.
pub(super) fn of(
    all: &mut [Needs],
    events: &mut Events<'_>,
    units: &mut Units,
    split: Split,
) -> Vec<List> {
    let sorted: Vec<Sorted> = all.iter().map(|needs| sort(needs, events, units)).collect();
    let mut groups: Vec<Draft> = Vec::new();
    for number in 0..units.len() {
        pack(all, &sorted, (number, units, split), &mut groups, events);
    }
    let (mut loose, mut tools) = (Draft::default(), Draft::default());
    let mut weak: Vec<Draft> = Vec::new();
    // Lists of one kind follow the packed groups, and are numbered when all are known.
    let mut later: Vec<(usize, usize, Later)> = Vec::new();
    for (metric, (needs, sorted)) in all.iter_mut().zip(&sorted).enumerate() {
        for &n in &sorted.tools {
            tools.add(needs.events[n].event);
            later.push((metric, n, Later::Tools));
        }
        // Of a metric in parts, the time of the first counts.
        let of_parts = needs.parts.first().map(|part| part.list);
        let of_unit = || {
            let (_, events) = sorted.on_units.first()?;
            needs.events[*events.first()?].list
        };
        let first = of_parts.or_else(of_unit);
        let mut rest = sorted.others.clone();
        match first {
            Some(list) if groups[list].has_room => {
                for &n in &sorted.anywhere {
                    let need = &mut needs.events[n];
                    groups[list].add(need.event);
                    need.list = Some(list);
                }
            }
            _ => rest.extend(&sorted.anywhere),
        }
        rest.sort_unstable();
        let has_all =
            |group: &Draft| rest.iter().all(|&n| group.events.contains(&needs.events[n].event));
        if rest.is_empty() {
            continue;
        }
        if !needs.may_group {
            for &n in &rest {
                loose.add(needs.events[n].event);
                later.push((metric, n, Later::Loose));
            }
            continue;
        }
        // What needs no counter has one in every pass.
        let is_software = first.is_none() && sorted.others.is_empty();
        let group = weak.iter().position(has_all).unwrap_or_else(|| {
            let pass = if is_software { None } else { Some(0) };
            let mut group =
                Draft { is_group: true, pass, has_room: is_software, ..Draft::default() };
            rest.iter().for_each(|&n| group.add(needs.events[n].event));
            weak.push(group);
            weak.len() - 1
        });
        later.extend(rest.iter().map(|&n| (metric, n, Later::Weak(group))));
    }
    loose.pass = Some(0);
    let drafts = arranged(loose, groups, weak, tools, all, later);
    drafts.into_iter().map(|draft| draft.resolved(events)).collect()
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
    loose: Draft,
    groups: Vec<Draft>,
    weak: Vec<Draft>,
    tools: Draft,
    all: &mut [Needs],
    later: Vec<(usize, usize, Later)>,
) -> Vec<Draft> {
    let start = usize::from(!loose.events.is_empty());
    let (of_weak, of_tools) = (start + groups.len(), start + groups.len() + weak.len());
    for needs in &mut *all {
        needs
            .events
            .iter_mut()
            .filter_map(|need| need.list.as_mut())
            .for_each(|list| *list += start);
        needs.parts.iter_mut().for_each(|part| part.list += start);
    }
    for (metric, n, list) in later {
        all[metric].events[n].list = Some(match list {
            Later::Loose => 0,
            Later::Weak(number) => of_weak + number,
            Later::Tools => of_tools,
        });
    }
    let lists = Some(loose).into_iter().chain(groups).chain(weak).chain([tools]);
    lists.filter(|list| !list.events.is_empty()).collect()
}

/// Distributes what is counted on one unit over groups.
fn pack(
    all: &mut [Needs],
    sorted: &[Sorted],
    (unit, units, split): (usize, &mut Units, Split),
    groups: &mut Vec<Draft>,
    known: &mut Events<'_>,
) {
    // The sets, with the metric of each: what only the threshold needs is apart where it has
    // no room beside the value.
    let mut sets: Vec<(usize, Vec<usize>)> = Vec::new();
    for (metric, (needs, sorted)) in all.iter().zip(sorted).enumerate() {
        for (_, own) in sorted.on_units.iter().filter(|(of, _)| *of == unit) {
            let numbers: Vec<usize> =
                own.iter().map(|&n| units.number(unit, needs.events[n].event, known)).collect();
            let (value, threshold): (Vec<usize>, Vec<usize>) =
                own.iter().partition(|n| needs.events[**n].is_needed);
            if threshold.is_empty() || value.is_empty() || units.fits(unit, &numbers) {
                sets.push((metric, own.clone()));
            } else {
                sets.extend([(metric, value), (metric, threshold)]);
            }
        }
    }
    let numbers: Vec<Vec<usize>> = sets
        .iter()
        .map(|(metric, own)| {
            let event = |&n: &usize| all[*metric].events[n].event;
            own.iter().map(|n| units.number(unit, event(n), known)).collect()
        })
        .collect();
    let Some(arena) = units.arena(unit) else { return };
    let Packed { groups: packed, placements, .. } = Packed::of(arena, &numbers, split);
    let first = groups.len();
    for (pass, group) in packed.into_iter().enumerate() {
        let own = group.events.iter().map(|&number| units.event(unit, number, known));
        groups.push(Draft {
            events: own.collect(),
            is_group: group.has_room,
            pass: Some(pass),
            has_room: group.has_room,
        });
    }
    for ((metric, own), placement) in sets.iter().zip(placements) {
        let needs = &mut all[*metric];
        // One reference relates the counts of one PMU.
        let is_combined = needs.parts.is_empty() && placement.parts.len() > 1;
        for (number, part) in placement.parts.iter().enumerate() {
            let list = first + part.group;
            for &n in &part.events {
                let need = &mut needs.events[own[n]];
                need.list = Some(list);
                need.part = if is_combined { number } else { 0 };
            }
            if is_combined {
                needs.parts.push(PartList { list, has_reference: part.has_reference });
            }
        }
        if is_combined {
            needs.reference = placement.reference.map(|one| units.event(unit, one, known));
        }
    }
}

fn sort(needs: &Needs, events: &Events<'_>, units: &mut Units) -> Sorted {
    let mut sorted = Sorted::default();
    for (n, need) in needs.events.iter().enumerate() {
        if events.resolved(need.event).is_none() {
            continue;
        }
        if is_time(events.text(need.event)) {
            sorted.tools.push(n);
            continue;
        }
        match units.spot(need.event, needs.model, need.pmu, events) {
            Spot::Anywhere => sorted.anywhere.push(n),
            Spot::Elsewhere => sorted.others.push(n),
            Spot::On(unit) => match sorted.on_units.iter_mut().find(|(of, _)| *of == unit) {
                Some((_, own)) => own.push(n),
                None => sorted.on_units.push((unit, [n].into())),
            },
        }
    }
    sorted
}

/// Opens events by codes on counters of their own where the kernel does not look for these, if
/// all events of the metric fit one group then.
pub(super) fn spell(all: &mut [Needs], events: &mut Events<'_>) {
    let mut units = Units::new(events.system());
    for needs in all {
        let Some(unit) = needs.model.and_then(|model| units.of_only_core(model)) else {
            continue;
        };
        if !units.may_respell(unit) {
            continue;
        }
        let own: Vec<usize> = (0..needs.events.len())
            .filter(|&n| {
                let need = &needs.events[n];
                units.spot(need.event, needs.model, need.pmu, events) == Spot::On(unit)
            })
            .collect();
        let numbers: Vec<usize> =
            own.iter().map(|&n| units.number(unit, needs.events[n].event, events)).collect();
        let Some(arena) = units.arena(unit) else { continue };
        let others: Vec<Option<String>> =
            numbers.iter().map(|&one| arena.on_own_counter(one, &numbers)).collect();
        if others.iter().all(Option::is_none) {
            continue;
        }
        let spelled = others.into_iter().zip(&own).map(|(other, &n)| match other {
            Some(text) => events.id(text.into()),
            None => needs.events[n].event,
        });
        let spelled: Vec<EventId> = spelled.collect();
        let with_others: Vec<usize> =
            spelled.iter().map(|&id| units.number(unit, id, events)).collect();
        let Some(arena) = units.arena(unit) else { continue };
        let mut parts =
            |set: Vec<usize>| Packed::of(arena, &[set], Split::TooLarge).placements[0].parts.len();
        if parts(numbers) == 1 || parts(with_others) > 1 {
            continue;
        }
        own.iter().zip(spelled).for_each(|(&n, id)| needs.events[n].event = id);
    }
}
