use std::vec;
use std::vec::Vec;

use crate::resolve::Resolved;

/// Finds the events that perf shows as one: instances of an event on several PMUs
/// outside the cores (`evsel__is_alias` in `tools/perf/util/stat.c`).
///
/// Returns lists of indices, ordered by their first; each index is in exactly one
/// list. A `None`, such as a missing event, has a list of its own.
///
/// ```
/// use pmu_events::{System, open};
///
/// let resolved = System::at("/nonexistent").resolve("cycles,faults")?;
/// assert_eq!(open::instances(resolved.iter().map(Some)), [[0], [1]]);
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[must_use]
pub fn instances<'r>(events: impl IntoIterator<Item = Option<&'r Resolved>>) -> Vec<Vec<usize>> {
    let events: Vec<Option<&Resolved>> = events.into_iter().collect();
    let mut merged: Vec<Vec<usize>> = Vec::new();
    for (n, one) in events.iter().enumerate() {
        let is_of =
            |list: &&mut Vec<usize>| list.first().is_some_and(|&m| is_same(events[m], *one));
        match merged.iter_mut().find(is_of) {
            Some(list) => list.push(n),
            None => merged.push(vec![n]),
        }
    }
    merged
}

fn is_same(first: Option<&Resolved>, second: Option<&Resolved>) -> bool {
    let (Some(first), Some(second)) = (first, second) else {
        return false;
    };
    let (Some(one), Some(two)) = (first.pmu(), second.pmu()) else {
        return false;
    };
    !one.is_core()
        && one.name() != two.name()
        && first.event == second.event
        && (first.name(), first.unit(), first.scale) == (second.name(), second.unit(), second.scale)
}
