//! Grouping events into lists.

use std::string::String;
use std::vec::Vec;
use std::{format, iter};

use super::formulas::Needed;
use super::operand::LatencyOperand;
use super::request::Request;
use crate::event_list::{EventKind, EventList};

/// A metric and its events, each as spelled in the formula and as opened.
pub(super) struct Needs {
    pub(super) request: Request,
    /// Its index among all requests.
    pub(super) asked: usize,
    pub(super) events: Vec<(Needed, String)>,
    pub(super) latencies: Vec<LatencyOperand>,
    pub(super) may_group: bool,
}

/// Events that are resolved together, either as one group or separately.
#[derive(Default)]
pub(super) struct List {
    pub(super) events: Vec<String>,
    pub(super) is_group: bool,
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

/// Builds the lists for metrics sorted by number of events, largest first. Missing
/// events are in no list.
pub(super) fn of(all: &[Needs], is_missing: &dyn Fn(&str) -> bool) -> Vec<List> {
    let (mut loose, mut tools) = (List::default(), List::default());
    let mut groups: Vec<List> = Vec::new();
    for Needs { events, may_group, .. } in all {
        let events = || events.iter().map(|(_, event)| event).filter(|event| !is_missing(event));
        let counted: Vec<&String> = events().filter(|event| !is_tool(event)).collect();
        events().filter(|event| is_tool(event)).for_each(|event| tools.add(event));
        let has_all = |group: &List| counted.iter().all(|&event| group.events.contains(event));
        if !may_group {
            counted.iter().for_each(|event| loose.add(event));
        } else if !counted.is_empty() && !groups.iter().any(has_all) {
            let mut group = List { is_group: true, ..List::default() };
            counted.iter().for_each(|event| group.add(event));
            groups.push(group);
        }
    }
    let lists = iter::once(loose).chain(groups).chain([tools]);
    lists.filter(|list| !list.events.is_empty()).collect()
}

/// The same, with all groups as one.
pub(super) fn together(all: &[Needs], is_missing: &dyn Fn(&str) -> bool) -> Vec<List> {
    let (groups, others): (Vec<List>, Vec<List>) =
        of(all, is_missing).into_iter().partition(|list| list.is_group);
    let mut group = List { is_group: true, ..List::default() };
    groups.iter().flat_map(|list| &list.events).for_each(|event| group.add(event));
    let group = (!group.events.is_empty()).then_some(group);
    group.into_iter().chain(others).collect()
}

/// The index of a metric's event among the events of all lists. If several lists
/// have the event, prefers the one with all events of the metric.
pub(super) fn number(event: &str, of: &Needs, lists: &[List]) -> Option<usize> {
    let missed =
        |list: &List| of.events.iter().filter(|(_, event)| !list.events.contains(event)).count();
    let is_open_to = |list: &List| list.is_group == of.may_group;
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by_key(|&n| (!is_open_to(&lists[n]), missed(&lists[n])));
    let place = |&n: &usize| Some((n, lists[n].events.iter().position(|other| other == event)?));
    let (list, place) = order.iter().find_map(place)?;
    Some(lists[..list].iter().map(|list| list.events.len()).sum::<usize>() + place)
}

pub(super) fn is_tool(event: &str) -> bool {
    let list = EventList::parse(event);
    list.is_ok_and(|list| list.events().any(|event| matches!(event.kind(), EventKind::Tool(_))))
}
