use std::borrow::Borrow;
use std::vec;
use std::vec::Vec;

use super::event::SetEvent;
use crate::resolve::Resolved;
use pmu_events_core::__private::pmu;

/// Finds the events of a set that perf shows as one: instances of an event on several
/// PMUs outside the cores that differ only in their number (`__add_event` in
/// `tools/perf/util/parse-events.c` of Linux 7.3). An instance that cannot be resolved
/// belongs to the others of its event.
///
/// Returns lists of indices, ordered by their first; each index is in exactly one list.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::__private::instances;
///
/// let counters = System::new().open("duration_time,no_such_event")?;
/// let events = counters.events().iter().map(|event| &**event);
/// assert_eq!(instances(events), [[0], [1]]);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[must_use]
pub fn instances<E: Borrow<SetEvent>>(events: impl IntoIterator<Item = E>) -> Vec<Vec<usize>> {
    let events: Vec<E> = events.into_iter().collect();
    merged(events.len(), &|n| events[n].borrow())
}

pub(super) fn merged<'e>(len: usize, event: &dyn Fn(usize) -> &'e SetEvent) -> Vec<Vec<usize>> {
    let mut merged: Vec<Vec<usize>> = Vec::new();
    for n in 0..len {
        match place_of(event(n), &merged, event) {
            Some(place) => merged[place].push(n),
            None => merged.push(vec![n]),
        }
    }
    merged
}

fn place_of<'e>(
    one: &SetEvent,
    merged: &[Vec<usize>],
    event: &dyn Fn(usize) -> &'e SetEvent,
) -> Option<usize> {
    for (place, list) in merged.iter().enumerate() {
        for &known in list {
            if is_same(event(known), one) {
                return Some(place);
            }
        }
    }
    None
}

fn is_same(first: &SetEvent, second: &SetEvent) -> bool {
    match (first.resolved(), second.resolved()) {
        (Some(one), Some(two)) => are_instances(one, two),
        // Which instance is missing does not matter.
        _ => first.number() == second.number(),
    }
}

fn are_instances(first: &Resolved, second: &Resolved) -> bool {
    let (Some(one), Some(two)) = (first.pmu(), second.pmu()) else {
        return false;
    };
    !one.is_core()
        && one.name() != two.name()
        && pmu::base_name(one.name()) == pmu::base_name(two.name())
        && first.event() == second.event()
        && (first.name(), first.unit(), first.scale())
            == (second.name(), second.unit(), second.scale())
}
