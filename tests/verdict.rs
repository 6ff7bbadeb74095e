//! What a walk says at its end: which findings there are, in which order, and what makes no
//! sense.

use pmu_events::expr::UnknownMachine;
use pmu_events::topdown::{Drill, Hierarchy};
use pmu_events::{Model, arch};

#[allow(dead_code)] // Other tests use more of it.
mod made_up {
    pmu_events::pmu_events!("tests/trees/topdown", unknown = deny);
}

type Counts = &'static [(&'static str, f64)];

fn tree(model: Model) -> Hierarchy {
    Hierarchy::of(model).remove(0)
}

/// A walk in which events that are not named are 0.
fn walk<'h>(tree: &'h Hierarchy, counts: &[(&str, f64)]) -> Drill<'h> {
    let mut drill = Drill::new(tree);
    while let Some(step) = drill.next_step() {
        drill.learn(&step, &UnknownMachine, |_, event| {
            let found = counts.iter().find(|(name, _)| *name == event.as_str());
            let all = if event.as_str().ends_with("CYCLES") { 100.0 } else { 0.0 };
            found.map_or(all, |(_, count)| *count).into()
        });
    }
    drill
}

/// Each finding: its rank, name and part of the whole, and the rest in brackets.
fn findings(drill: &Drill<'_>) -> Vec<String> {
    let line = |leaf: &pmu_events::topdown::Leaf<'_>| {
        let rest = leaf.rest().map_or(String::new(), |rest| format!(" [{:.0}]", 100.0 * rest));
        let overlaps = if leaf.overlaps() { " overlaps" } else { "" };
        let name = leaf.node().metric().name();
        format!("{}. {name} {:.0}{rest}{overlaps}", leaf.rank(), 100.0 * leaf.part())
    };
    drill.leaves().iter().map(line).collect()
}

#[test]
fn findings_level_by_level() {
    let cases: [(Counts, &[&str]); 7] = [
        // A part is no more than its whole: 90 % of the cycles are no more than the 12 %
        // that memory's latency takes.
        (
            &[
                ("TOP_BACK", 80.0),
                ("TOP_RETIRING", 20.0),
                ("BACK_MEMORY", 72.0),
                ("MEMORY_BANDWIDTH", 60.0),
                ("MEMORY_LATENCY", 12.0),
                ("LATENCY_LOCAL", 90.0),
            ],
            &["1. memory_bandwidth 60", "2. latency_local 12"],
        ),
        // What makes no sense explains nothing of what is above it.
        (
            &[
                ("TOP_BACK", 80.0),
                ("TOP_RETIRING", 20.0),
                ("BACK_MEMORY", 72.0),
                ("MEMORY_BANDWIDTH", 60.0),
                ("MEMORY_LATENCY", 12.0),
                ("LATENCY_LOCAL", 473.0),
            ],
            &["1. memory_bandwidth 60", "2. memory_latency 12"],
        ),
        // Most of the clears are neither of the two kinds that have a metric.
        (
            &[
                ("TOP_WASTED", 50.0),
                ("TOP_RETIRING", 50.0),
                ("WASTED_CLEARS", 42.0),
                ("WASTED_BRANCHES", 8.0),
                ("CLEARS_NUKES", 8.0),
                ("CLEARS_ORDER", 6.0),
            ],
            &["1. wasted_clears 28 [67]", "2. clears_nukes 8", "3. clears_order 6"],
        ),
        // Parts below their thresholds explain as well.
        (
            &[
                ("TOP_WASTED", 50.0),
                ("TOP_RETIRING", 50.0),
                ("WASTED_CLEARS", 15.0),
                ("WASTED_BRANCHES", 35.0),
                ("CLEARS_NUKES", 11.0),
                ("CLEARS_ORDER", 4.0),
            ],
            &["1. wasted_branches 35", "2. clears_nukes 11"],
        ),
        // A little rest is none: 4 % of the whole.
        (
            &[
                ("TOP_WASTED", 50.0),
                ("TOP_RETIRING", 50.0),
                ("WASTED_CLEARS", 12.0),
                ("WASTED_BRANCHES", 38.0),
                ("CLEARS_NUKES", 8.0),
            ],
            &["1. wasted_branches 38", "2. clears_nukes 8"],
        ),
        // Parts of the same time have one rank, by name, where the largest belongs.
        (
            &[
                ("TOP_FRONT", 60.0),
                ("TOP_BACK", 30.0),
                ("FRONT_LATE", 20.0),
                ("FRONT_NARROW", 10.0),
                ("FRONT_RESTEERS", 40.0),
                ("LATE_CACHE", 18.0),
            ],
            &[
                "1. late_cache 18 overlaps",
                "1. front_narrow 10 overlaps",
                "1. front_resteers 40 overlaps",
                "4. top_back 30",
            ],
        ),
        // Nothing overlaps with what is not over. What is below the largest of a level comes first.
        (
            &[
                ("TOP_FRONT", 60.0),
                ("TOP_BACK", 30.0),
                ("FRONT_LATE", 20.0),
                ("FRONT_RESTEERS", 40.0),
            ],
            &["1. front_resteers 40", "2. front_late 20", "3. top_back 30"],
        ),
    ];
    let shares = tree(made_up::SHARES);
    for (counts, expected) in cases {
        assert_eq!(findings(&walk(&shares, counts)), expected, "{counts:?}");
    }
}

/// Values that no share has are said to be such, and are not findings; what is off by a
/// little is not.
#[test]
fn shares_that_make_no_sense() {
    let shares = tree(made_up::SHARES);
    let cases: [(f64, bool, Option<bool>); 6] = [
        (6800.0, true, None),
        (-50.0, true, None),
        (106.0, true, None),
        (104.0, false, Some(true)),
        (-4.0, false, Some(false)),
        (f64::NAN, false, None),
    ];
    for (count, is_implausible, is_over) in cases {
        let drill = walk(&shares, &[("TOP_BACK", count), ("TOP_RETIRING", 60.0)]);
        let node = shares.find("top_back").expect("it is there");
        let finding = drill.finding(node).expect("it was asked for");
        assert_eq!(
            (finding.is_implausible(), finding.is_over()),
            (is_implausible, is_over),
            "{count}"
        );
        // The value stays what the counts say.
        assert!(finding.value() == count || count.is_nan(), "{count}");
        // Its parts are not asked for.
        let memory = shares.find("back_memory").expect("it is there");
        assert_eq!(drill.finding(memory).is_some(), is_over == Some(true), "{count}");
    }
}

/// A large part of little is little, and work is not to blame while half of it is in vain.
#[test]
fn limits_without_thresholds() {
    let (stalls, ratios) = (tree(made_up::STALLS), tree(made_up::RATIOS));
    let cases: [(&Hierarchy, Counts, &[&str]); 9] = [
        (&stalls, &[("STALL_FRONTEND", 1.0)], &[]),
        (&stalls, &[("STALL_FRONTEND", 14.0), ("STALL_BACKEND", 19.0)], &[]),
        (
            &stalls,
            &[("STALL_FRONTEND", 16.0), ("STALL_BACKEND", 21.0)],
            &["1. backend_stalled_cycles 21", "2. frontend_stalled_cycles 16"],
        ),
        (&ratios, &[("OP_RETIRED", 50.0), ("WASTED_SLOT", 50.0)], &["1. bad_speculation 50"]),
        (&ratios, &[("OP_RETIRED", 69.0), ("WASTED_SLOT", 12.0)], &[]),
        (&ratios, &[("OP_RETIRED", 75.0), ("WASTED_SLOT", 5.0)], &["1. retiring 75"]),
        // Below the first level, values are shares of the stalls.
        (
            &ratios,
            &[
                ("STALL_SLOT_BACKEND", 60.0),
                ("OP_RETIRED", 40.0),
                ("STALL_BACKEND", 50.0),
                ("STALL_BACKEND_CPUBOUND", 10.0),
                ("STALL_BACKEND_MEMBOUND", 40.0),
                ("STALL_BACKEND_L1D", 30.0),
                ("STALL_BACKEND_MEM", 10.0),
            ],
            &["1. backend_cache_l1d_bound 36", "2. backend_cache_l2d_bound 12"],
        ),
        // All of the stalls for caches, which are few.
        (
            &ratios,
            &[
                ("STALL_SLOT_BACKEND", 60.0),
                ("OP_RETIRED", 40.0),
                ("STALL_BACKEND", 50.0),
                ("STALL_BACKEND_CPUBOUND", 48.0),
                ("STALL_BACKEND_MEMBOUND", 2.0),
                ("STALL_BACKEND_L1D", 2.0),
            ],
            &["1. backend_core_bound 58"],
        ),
        (
            &ratios,
            &[
                ("STALL_SLOT_BACKEND", 30.0),
                ("OP_RETIRED", 70.0),
                ("STALL_BACKEND", 30.0),
                ("STALL_BACKEND_CPUBOUND", 30.0),
            ],
            &["1. retiring 70", "2. backend_core_bound 30"],
        ),
    ];
    for (tree, counts, expected) in cases {
        assert_eq!(findings(&walk(tree, counts)), expected, "{counts:?}");
    }
}

/// A step counts metrics of its own kind of core: a threshold means the metric of that kind.
#[test]
fn thresholds_name_metrics_of_the_same_kind() {
    let mut several = 0;
    for model in arch::TREES.iter().flat_map(|(_, tree)| tree.models()) {
        let trees = Hierarchy::of(model);
        several += usize::from(trees.len() > 1);
        for tree in &trees {
            let mut drill = Drill::new(tree).with_all();
            while let Some(step) = drill.next_step() {
                for metric in step.metrics() {
                    assert_eq!(metric.pmu(), tree.pmu(), "{}: {}", model.name(), metric.name());
                }
                drill.learn(&step, &UnknownMachine, |_, _| 1.0.into());
            }
        }
    }
    assert!(several >= 4, "{several}");
}
