//! Which events are counted for the metrics, and which of them together
//! (`parse_groups` in `tools/perf/util/metricgroup.c`): each metric's are one
//! weak group, unless something forbids it; those that may not be grouped share
//! one list; a metric whose events another's group has takes them from there;
//! what is no counter's, such as `duration_time`, stands outside.

use std::cmp::Reverse;

use pmu_events::event_list::{EventKind, EventList};
use pmu_events::expr::{Literal, Machine};
use pmu_events::machine::SystemMachine;
use pmu_events::resolve::{ErrorKind, resolve};

use super::Asked;
use super::literals::Listening;
use crate::cli::System;

/// All that is asked for, and all that is needed for it.
#[derive(Default)]
pub(crate) struct Plan {
    /// What is to be resolved, a group or a list each.
    pub(crate) lists: Vec<String>,
    pub(crate) metrics: Vec<Planned>,
    /// Events that no PMU here has.
    pub(crate) missing: Vec<Missing>,
    /// What the formulas ask of this machine, and it does not say.
    pub(crate) unknown: Vec<Literal>,
}

pub(crate) struct Planned {
    pub(crate) asked: Asked,
    pub(crate) operands: Vec<Operand>,
}

/// An event of a formula, and where it is counted.
pub(crate) struct Operand {
    /// As the formula has it, with its escapes.
    pub(crate) identifier: &'static str,
    /// As it is opened.
    pub(crate) event: String,
    /// Its list, and its place there; `None` for one that is missing.
    pub(crate) place: Option<(usize, usize)>,
}

/// An event that cannot be opened, and why.
pub(crate) struct Missing {
    pub(crate) event: String,
    pub(crate) why: String,
}

/// The events of one metric, each with what the formula calls it.
struct Needs {
    asked: Asked,
    events: Vec<(&'static str, String)>,
}

#[derive(Default)]
struct List {
    events: Vec<String>,
    is_group: bool,
}

impl List {
    fn add(&mut self, event: &str) {
        if !self.events.iter().any(|other| other == event) {
            self.events.push(event.into());
        }
    }

    fn text(&self) -> String {
        let events = self.events.join(",");
        if self.is_group && self.events.len() > 1 { format!("{{{events}}}:W") } else { events }
    }
}

pub(super) fn of(asked: Vec<Asked>, system: &System, machine: &SystemMachine<'_>) -> Plan {
    let mut all: Vec<Needs> = Vec::new();
    let listening = Listening::new(machine);
    for asked in asked {
        let is_same = |other: &Needs| {
            (other.asked.metric, other.asked.parameter) == (asked.metric, asked.parameter)
                && other.asked.modifiers == asked.modifiers
        };
        // Who asks for a group and one of its metrics wants it once.
        if !all.iter().any(is_same) {
            let may_open_threshold = machine.may_open_threshold(asked.metric);
            all.push(needs(asked, may_open_threshold, &listening));
        }
    }
    // What is large first: others may find their events there.
    let size = |needs: &Needs| needs.events.iter().filter(|(_, event)| !is_tool(event)).count();
    all.sort_by_cached_key(|needs| Reverse(size(needs)));
    let missing = missing(&all, system);
    let is_missing = |event: &String| missing.iter().any(|missing| missing.event == *event);
    let (mut loose, mut tools) = (List::default(), List::default());
    let mut groups: Vec<List> = Vec::new();
    for Needs { asked, events } in &all {
        let events = || events.iter().map(|(_, event)| event).filter(|event| !is_missing(event));
        let counted: Vec<&String> = events().filter(|event| !is_tool(event)).collect();
        events().filter(|event| is_tool(event)).for_each(|event| tools.add(event));
        let has_all = |group: &List| counted.iter().all(|&event| group.events.contains(event));
        if !asked.may_group {
            counted.iter().for_each(|event| loose.add(event));
        } else if !counted.is_empty() && !groups.iter().any(has_all) {
            let mut group = List { is_group: true, ..List::default() };
            counted.iter().for_each(|event| group.add(event));
            groups.push(group);
        }
    }
    let lists: Vec<List> = std::iter::once(loose)
        .chain(groups)
        .chain([tools])
        .filter(|list| !list.events.is_empty())
        .collect();
    let metrics = all.into_iter().map(|needs| planned(needs, &lists)).collect();
    let lists = lists.iter().map(List::text).collect();
    Plan { lists, metrics, missing, unknown: listening.unknown() }
}

fn needs(asked: Asked, may_open_threshold: bool, machine: &impl Machine) -> Needs {
    let mut events: Vec<(&'static str, String)> = Vec::new();
    let metric = asked.metric;
    let of_threshold = may_open_threshold.then(|| metric.threshold_events_on(machine));
    for identifier in metric.events_on(machine).chain(of_threshold.into_iter().flatten()) {
        if !events.iter().any(|(known, _)| *known == identifier.as_str()) {
            let event = identifier.event(asked.parameter).to_string();
            events.push((identifier.as_str(), modified(event, &asked.modifiers)));
        }
    }
    // A formula of numbers alone is shown beside the time.
    if events.is_empty() {
        events.push(("duration_time", "duration_time".into()));
    }
    Needs { asked, events }
}

fn modified(event: String, modifiers: &str) -> String {
    if modifiers.is_empty() || is_tool(&event) {
        return event;
    }
    let has_colon = event.contains('/') || event.contains(':');
    format!("{event}{}{modifiers}", if has_colon { "" } else { ":" })
}

fn is_tool(event: &str) -> bool {
    let list = EventList::parse(event);
    list.is_ok_and(|list| list.events().any(|event| matches!(event.kind(), EventKind::Tool(_))))
}

fn missing(all: &[Needs], system: &System) -> Vec<Missing> {
    let mut missing: Vec<Missing> = Vec::new();
    for (_, event) in all.iter().flat_map(|needs| &needs.events) {
        if missing.iter().any(|known| known.event == *event) {
            continue;
        }
        if let Err(error) = resolve(event, system.tables, &system.sysfs) {
            let why = match error.kind() {
                // Of many, this is said once.
                ErrorKind::UnknownEvent => "no PMU of this machine has such an event".into(),
                _ => error.message().into(),
            };
            missing.push(Missing { event: event.clone(), why });
        }
    }
    missing
}

/// Of several lists with an event, the one that has all of the metric's.
fn planned(needs: Needs, lists: &[List]) -> Planned {
    let Needs { asked, events } = needs;
    let missed =
        |list: &List| events.iter().filter(|(_, event)| !list.events.contains(event)).count();
    let is_open_to = |list: &List| list.is_group == asked.may_group;
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by_key(|&n| (!is_open_to(&lists[n]), missed(&lists[n])));
    let place = |event: &String| {
        let at = |&n: &usize| Some((n, lists[n].events.iter().position(|e| e == event)?));
        order.iter().find_map(at)
    };
    let operands = events
        .iter()
        .map(|(identifier, event)| Operand {
            identifier,
            event: event.clone(),
            place: place(event),
        })
        .collect();
    Planned { asked, operands }
}
