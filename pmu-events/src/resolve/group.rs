//! Groups: one PMU per group, and Intel's top-down events after their `slots`.

use std::vec::Vec;

use super::Resolved;
use super::alias::Lookup;
use crate::order::sort_by;
use crate::perf_type;
use crate::sysfs::{Pmu, Sysfs};
use crate::system::Tables;

/// A resolved event, and the number of the group in which it is written, which ascends.
pub(super) struct InGroup {
    pub(super) resolved: Resolved,
    pub(super) group: usize,
}

/// The sort key of an event; the fields are compared in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    /// The index of the group's leader in the written order; ungrouped top-down
    /// events all use the first of them.
    group: usize,
    /// The PMU whose group the event joins; empty for an ungrouped event.
    pmu: &'a str,
    rank: Rank,
    written: usize,
    /// The PMU with whose events it can be in one group.
    joined: &'a str,
}

/// The order within a group (`arch_evlist__cmp` in
/// `tools/perf/arch/x86/util/evlist.c`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The counter of which the top-down metrics are fractions: the kernel accepts
    /// them only after it (`intel_pmu_hw_config` in
    /// `arch/x86/events/intel/core.c`).
    Slots,
    TopDown,
    Other,
}

/// What decides the place of an event.
struct Member<'a> {
    pmu: Option<&'a Pmu>,
    rank: Rank,
    /// The number of its group's first event.
    leader: usize,
    is_alone: bool,
}

/// Sorts the members of each group by PMU and rank, and makes a group for each PMU
/// (`parse_events__sort_events_and_fix_groups` in
/// `tools/perf/util/parse-events.c`). Returns the events in their new order, and
/// the end of each group.
pub(super) fn regroup(
    all: Vec<InGroup>,
    tables: &Tables,
    sysfs: &Sysfs,
) -> (Vec<Resolved>, Vec<usize>) {
    let (order, ends) = match all.len() {
        // A single event needs no sorting.
        0 | 1 => ((0..all.len()).collect(), (1..=all.len()).collect()),
        _ => sorted(&all, tables, sysfs),
    };
    let mut written = Vec::with_capacity(all.len());
    for one in all {
        written.push(Some(one.resolved));
    }
    let mut in_order = Vec::with_capacity(written.len());
    for n in order {
        if let Some(one) = written[n].take() {
            in_order.push(one);
        }
    }
    (in_order, ends)
}

/// The events in their new order, by their places in the written one, and the end of each group.
fn sorted(all: &[InGroup], tables: &Tables, sysfs: &Sysfs) -> (Vec<usize>, Vec<usize>) {
    let members = members(all, tables, sysfs);
    let joins_others = |n: usize| {
        is_software(&all[n].resolved, members[n].pmu) || is_aux(members[members[n].leader].pmu)
    };
    // A software event joins the first event that is not one, and any event grouped
    // with a trace into the AUX area joins that trace.
    let joined = |n: usize| {
        let mut at = n;
        if joins_others(n) {
            let mut m = members[n].leader;
            while m < all.len() && all[m].group == all[n].group {
                if !is_software(&all[m].resolved, members[m].pmu) {
                    at = m;
                    break;
                }
                m += 1;
            }
        }
        members[at].pmu.map_or("", Pmu::name)
    };
    let must_join = |n: usize| matches!(members[n].rank, Rank::Slots | Rank::TopDown);
    let mut first_alone = None;
    for (n, member) in members.iter().enumerate() {
        if first_alone.is_none() && must_join(n) && member.is_alone {
            first_alone = Some(n);
        }
    }

    let mut order: Vec<Place<'_>> = Vec::with_capacity(all.len());
    for (n, member) in members.iter().enumerate() {
        let joined = joined(n);
        let (group, pmu) = match first_alone {
            _ if !member.is_alone => (member.leader, joined),
            Some(first) if must_join(n) => (first, ""),
            _ => (n, ""),
        };
        order.push(Place { group, pmu, rank: member.rank, written: n, joined });
    }
    sort_by(&mut order, Ord::cmp);

    let mut ends = Vec::with_capacity(order.len());
    // The current leader, and whether its group was formed here.
    let (mut leader, mut is_forced) = (0, false);
    for n in 0..order.len() {
        let (this, before) = (order[n].written, order[leader].written);
        let is_forced_now = first_alone.is_some() && must_join(this);
        let same_group =
            members[this].leader == members[before].leader || (is_forced && is_forced_now);
        if n == 0 || !same_group || order[n].joined != order[leader].joined {
            (leader, is_forced) = (n, is_forced_now);
            ends.push(n);
        }
        if let Some(end) = ends.last_mut() {
            *end = n + 1;
        }
    }
    let mut written = Vec::with_capacity(order.len());
    for place in order {
        written.push(place.written);
    }
    (written, ends)
}

fn members<'a>(all: &'a [InGroup], tables: &Tables, sysfs: &'a Sysfs) -> Vec<Member<'a>> {
    let group = |n: usize| all.get(n).map(|one| one.group);
    let mut leader = 0;
    let mut members = Vec::with_capacity(all.len());
    for (n, one) in all.iter().enumerate() {
        if group(n) != group(leader) {
            leader = n;
        }
        members.push(Member {
            pmu: pmu_of(&one.resolved, sysfs),
            rank: rank(&one.resolved, tables, sysfs),
            leader,
            is_alone: group(leader) != group(leader + 1),
        });
    }
    members
}

/// `arch_evsel__must_be_in_group` in `tools/perf/arch/x86/util/evsel.c`: metrics
/// can only be recognized by their names.
fn rank(one: &Resolved, tables: &Tables, sysfs: &Sysfs) -> Rank {
    // `X`: neither moved within its group nor into another.
    if one.settings().keep_place() {
        return Rank::Other;
    }
    // The type of the core PMU that has `slots`.
    let (true, Some(pmu)) = (one.type_() == perf_type::RAW, one.pmu()) else {
        return Rank::Other;
    };
    let has_slots = || Lookup::new("slots", tables, sysfs).is_on(pmu);
    let contains = |part| contains(one.name(), part);
    let (slots, top_down) = (contains("slots"), contains("topdown"));
    if !(slots || top_down) || contains("uops_retired.slots") || !has_slots() {
        return Rank::Other;
    }
    if slots { Rank::Slots } else { Rank::TopDown }
}

/// Ignores case.
fn contains(name: &str, part: &str) -> bool {
    name.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

/// An event that was resolved without a PMU belongs to the PMU of its type; events
/// measured without a counter are software events. Generic events belong to the
/// first core PMU (`evsel__find_pmu` in `tools/perf/util/pmus.c`).
pub(super) fn pmu_of<'a>(resolved: &'a Resolved, sysfs: &'a Sysfs) -> Option<&'a Pmu> {
    resolved.pmu().or_else(|| match is_software(resolved, None) {
        true => sysfs.of_type(resolved.type_()),
        false => sysfs.core_pmus().next(),
    })
}

/// `perf_pmu__is_software` in `tools/perf/util/pmu.c`. Checks the PMU rather than
/// the type: `software/cycles/` has type 0.
fn is_software(resolved: &Resolved, pmu: Option<&Pmu>) -> bool {
    let is_type = |type_| {
        matches!(type_, perf_type::SOFTWARE | perf_type::TRACEPOINT | perf_type::BREAKPOINT)
    };
    let Some(pmu) = pmu else {
        return is_type(resolved.type_());
    };
    let by_name = matches!(pmu.name(), "kprobe" | "msr" | "uprobe");
    !pmu.is_core() && !pmu.is_uncore() && (by_name || pmu.type_().is_some_and(is_type))
}

/// Whether it traces into the AUX area (`perf_pmu__arch_init` in
/// `tools/perf/arch/x86/util/pmu.c` and `tools/perf/arch/arm/util/pmu.c`).
fn is_aux(pmu: Option<&Pmu>) -> bool {
    let name = pmu.map_or("", Pmu::name);
    matches!(name, "intel_pt" | "intel_bts" | "cs_etm")
        || name.starts_with("arm_spe_")
        || name.starts_with("hisi_ptt")
}
