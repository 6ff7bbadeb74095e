//! What the counters have room for, in the order of the configuration, which is that of the ranks.

use pmu_events::__private::event_list::EventList;
use pmu_events::Scope as Counted;
use pmu_events::check::Ranked;
use pmu_events::measure::{Plan, Request};
use pmu_events::resolve::Resolution;

use super::chosen::{Chosen, ChosenMetrics};
use crate::export::config::{Scope, ScopeKind};
use crate::system::System;

/// What a scope asks for.
pub(super) struct Wanted<'c> {
    pub(super) scope: &'c Scope,
    pub(super) items: Vec<Item>,
}

pub(super) enum Item {
    /// An event or a group, as it is written.
    Events(String),
    Metric(Request),
}

impl Item {
    fn name(&self) -> String {
        match self {
            Item::Events(text) => text.clone(),
            Item::Metric(request) => request.name(),
        }
    }

    /// The lists of events that are to be counted at the same time.
    fn lists(&self, kind: ScopeKind, system: &System) -> Vec<String> {
        match self {
            Item::Events(text) => vec![text.clone()],
            Item::Metric(request) => {
                let plan = Plan::new([request.clone()], system, &counted(kind));
                plan.lists().to_vec()
            }
        }
    }
}

fn counted(kind: ScopeKind) -> Counted {
    match kind {
        ScopeKind::Process => Counted::ThisThread,
        _ => Counted::AllCpus,
    }
}

/// Leaves out what the counters have no room for, and finds the events of the rest.
pub(super) fn with_room(wanted: Vec<Wanted<'_>>, system: &System) -> Vec<Chosen> {
    let of_items = |wanted: &Wanted<'_>| -> Vec<Vec<String>> {
        let kind = wanted.scope.kind;
        wanted.items.iter().map(|item| item.lists(kind, system)).collect()
    };
    let lists: Vec<Vec<String>> = wanted.iter().flat_map(of_items).collect();
    let ranked = match system.sysfs().core_pmus().next() {
        Some(_) => system.describe().budget(&lists.concat().join(",")).unwrap_or_default(),
        // What is counted in software has room.
        None => Vec::new(),
    };
    let groups = |list: &String| EventList::parse(list).map_or(0, |list| list.items().count());
    let mut ranked = ranked.iter();
    let mut fates = lists.iter().map(|lists| -> Vec<&Ranked> {
        ranked.by_ref().take(lists.iter().map(groups).sum()).collect()
    });
    let mut chosen = Vec::new();
    for Wanted { scope, items } in wanted {
        let mut room = Room::default();
        for item in items {
            let fates = fates.next().unwrap_or_default();
            match why_left_out(&fates, scope.multiplex) {
                Some(why) => room.left.push((item.name(), why.to_owned())),
                None => room.counted.push(item),
            }
        }
        chosen.push(room.chosen(scope, system));
    }
    chosen
}

/// Why an item is left out, by what becomes of its groups.
fn why_left_out(fates: &[&Ranked], multiplex: bool) -> Option<&'static str> {
    if !multiplex && fates.iter().any(|fate| fate.is_multiplexed()) {
        return Some("no counter is left beside what is listed before, and `multiplex` is not set");
    }
    let is_starved = fates.iter().any(|fate| fate.is_starved());
    is_starved.then_some("its PMU has too few counters for it")
}

/// The items of a scope.
#[derive(Default)]
struct Room {
    counted: Vec<Item>,
    left: Vec<(String, String)>,
}

impl Room {
    fn chosen(self, scope: &Scope, system: &System) -> Chosen {
        let mut events = Resolution::empty(system);
        let mut requests = Vec::new();
        for item in self.counted {
            match item {
                Item::Metric(request) => requests.push(request),
                Item::Events(text) => {
                    // Its faults have been reported.
                    if let Ok(resolution) = system.resolve(&text) {
                        events.append(resolution);
                    }
                }
            }
        }
        let metrics = (!requests.is_empty()).then(|| {
            let plan = Plan::new(requests, system, &counted(scope.kind));
            let first = events.answers().count();
            events.append(plan.resolution().clone());
            ChosenMetrics { plan, first }
        });
        Chosen { scope: scope.clone(), events, metrics, left: self.left }
    }
}
