use std::vec;
use std::vec::Vec;

use crate::resolve::Resolved;

/// The events that perf shows as one: the instances of an event on several
/// PMUs outside the cores (`evsel__is_alias` in `tools/perf/util/stat.c`). Each
/// place is in one of the lists, which are in the order of their first.
///
/// ```
/// use pmu_events::{open, resolve::resolve, sysfs::Sysfs};
/// let sysfs = Sysfs::at("/nonexistent");
/// let resolved = resolve("cycles,faults", None, &sysfs)?;
/// assert_eq!(open::instances(&resolved), [[0], [1]]);
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[must_use]
pub fn instances(resolved: &[Resolved<'_>]) -> Vec<Vec<usize>> {
    let mut merged: Vec<Vec<usize>> = Vec::new();
    for (n, one) in resolved.iter().enumerate() {
        let is_of =
            |list: &&mut Vec<usize>| list.first().is_some_and(|&m| is_same(&resolved[m], one));
        match merged.iter_mut().find(is_of) {
            Some(list) => list.push(n),
            None => merged.push(vec![n]),
        }
    }
    merged
}

fn is_same(first: &Resolved<'_>, second: &Resolved<'_>) -> bool {
    let (Some(one), Some(two)) = (first.pmu, second.pmu) else {
        return false;
    };
    !one.is_core()
        && one.name() != two.name()
        && first.event == second.event
        && (first.name, first.unit, first.scale) == (second.name, second.unit, second.scale)
}
