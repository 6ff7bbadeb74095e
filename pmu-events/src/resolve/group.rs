//! Groups, of which each is on one PMU.

use std::vec::Vec;

use super::Resolved;
use crate::sysfs::{Pmu, Sysfs};

/// Sorts the members of each group by their PMUs and makes a group of each
/// PMU's (`parse_events__sort_events_and_fix_groups` in
/// `tools/perf/util/parse-events.c`).
pub(super) fn split<'a>(
    all: Vec<Resolved<'a>>,
    groups: &[usize],
    sysfs: &'a Sysfs,
) -> Vec<Resolved<'a>> {
    let core = sysfs.core_pmus().next();
    let pmus: Vec<Option<&Pmu>> = all.iter().map(|one| one.pmu.or(core_of(one, core))).collect();
    let counts: Vec<bool> =
        all.iter().zip(&pmus).map(|(one, pmu)| !is_software(one, *pmu)).collect();
    let name_of = |n: usize| {
        // A software event goes where the first of the others is.
        let of_group = (0..all.len()).find(|&m| groups[m] == groups[n] && counts[m]);
        let at = if counts[n] { n } else { of_group.unwrap_or(n) };
        pmus[at].map_or("", Pmu::name)
    };
    let mut order: Vec<(usize, &str, usize)> =
        (0..all.len()).map(|n| (groups[n], name_of(n), n)).collect();
    order.sort_unstable();

    let mut sorted: Vec<Resolved<'a>> = order.iter().map(|&(.., n)| all[n]).collect();
    let mut first = 0;
    for members in order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        for resolved in &mut sorted[first..first + members.len()] {
            (resolved.leader, resolved.group_len) = (first, members.len());
        }
        first += members.len();
    }
    sorted
}

/// Generic events are the first core PMU's.
fn core_of<'a>(resolved: &Resolved<'_>, core: Option<&'a Pmu>) -> Option<&'a Pmu> {
    core.filter(|_| !is_software(resolved, None))
}

/// `perf_pmu__is_software` in `tools/perf/util/pmu.c`
fn is_software(resolved: &Resolved<'_>, pmu: Option<&Pmu>) -> bool {
    let by_name = pmu.is_some_and(|pmu| matches!(pmu.name(), "kprobe" | "msr" | "uprobe"));
    by_name || matches!(resolved.kind, 1 | 2 | 5)
}
