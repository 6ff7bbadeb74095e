//! Drilling down made-up trees of each kind: what is asked for, where counts lead,
//! and what is said at the end.

use pmu_events::__private::glob;
use pmu_events::__private::topdown::{Fit, passes};
use pmu_events::arch::{powerpc, x86};
use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine, UnknownMachine};
use pmu_events::planner::{CoreState, Smt, Supply};
use pmu_events::schedule::Pool;
use pmu_events::topdown::{self, Drill, EventCount, Hierarchy};
use pmu_events::{Metric, Model};

mod made_up {
    pmu_events::pmu_events!("tests/trees/topdown", unknown = deny);
}

fn tree(model: Model) -> Hierarchy {
    let mut all = Hierarchy::of(model);
    assert_eq!(all.len(), 1, "{}", model.name());
    all.remove(0)
}

/// The nodes as lines, each indented by its level.
fn lines(tree: &Hierarchy) -> Vec<String> {
    fn add(tree: &Hierarchy, numbers: &[usize], lines: &mut Vec<String>) {
        for &number in numbers {
            let node = &tree.nodes()[number];
            let mark = if node.is_indicator() { "?" } else { "" };
            let indent = "  ".repeat(node.level() - 1);
            lines.push(format!("{indent}{}{mark}", node.metric().name()));
            add(tree, node.children(), lines);
        }
    }
    let mut all = Vec::new();
    add(tree, tree.roots(), &mut all);
    all
}

#[test]
fn trees() {
    let cases: [(Model, &[&str]); 7] = [
        (
            made_up::SLOTS,
            &[
                "top_back",
                "  top_core",
                "  top_memory",
                "    top_cache",
                "    top_dram",
                "top_front",
                "  top_bandwidth",
                "  top_latency",
                "top_retiring",
                "  top_microcode",
                "top_wasted",
            ],
        ),
        (
            made_up::STACK,
            &[
                "run_cpi",
                "  idle_cpi",
                "    idle_fetch_cpi",
                "  other_cpi",
                "  stall_cpi",
                "    fxu_cpi",
                "    lsu_cpi",
                "      miss_cpi",
            ],
        ),
        // Another name of a node is no node; that of what is no node is one.
        (made_up::NAMES, &["run_cpi", "  run_idle_cpi", "  sleep_of_core"]),
        // Arm's groups of parts: what has more words in common, and is in the same group.
        (
            made_up::CORES,
            &[
                "backend_bound",
                "  backend_mem_bound",
                "    backend_mem_cache_bound",
                "      backend_mem_cache_l1d_bound",
                "    backend_mem_store_bound",
                "      backend_mem_store_l2_bound",
                "  backend_memory_tagging_bound",
                "frontend_bound",
                "  backend_mem_store",
                "  frontend_mem_bound",
            ],
        ),
        // What is added up is a part of the sum; nothing says what the other is a part of.
        (made_up::SUMS, &["total", "  left", "  right"]),
        // The factors of a product are not parts of it.
        (
            made_up::PRODUCTS,
            &["run_cpi", "  all_cpi", "  fetch_cpi", "  load_cpi", "  product_cpi"],
        ),
        (
            made_up::STALLS,
            &[
                "backend_stalled_cycles",
                "  l1d_mpki?",
                "frontend_stalled_cycles",
                "  branch_mpki?",
                "  l1i_mpki?",
            ],
        ),
    ];
    for (model, expected) in cases {
        assert_eq!(lines(&tree(model)), expected, "{}", model.name());
    }
    assert!(tree(made_up::SLOTS).find("TOP_core").is_some());
    assert_eq!(tree(made_up::SLOTS).depth(), 3);
}

/// The names of the nodes that a walk asks for, step by step, and of its leaves.
fn walk(mut drill: Drill<'_>, counts: &[(&str, f64)]) -> (Vec<String>, Vec<String>) {
    let name = |metric: &Metric| metric.name();
    let mut steps = Vec::new();
    while let Some(step) = drill.next_step() {
        steps.push(step.metrics().iter().map(name).collect::<Vec<_>>().join(" "));
        assert!(steps.len() < 10, "{steps:?}");
        drill.learn(&step, &UnknownMachine, |_, event| {
            let found = counts.iter().find(|(name, _)| *name == event.as_str());
            found.map_or(f64::NAN, |(_, count)| *count).into()
        });
    }
    let leaves = drill.leaves();
    let leaf = |found: &topdown::Leaf<'_>| {
        let share = found.finding().share().map_or("-".into(), |share| format!("{share:.2}"));
        format!("{} {:.0} {share}", found.node().metric().name(), found.finding().value())
    };
    (steps, leaves.iter().map(leaf).collect())
}

#[test]
fn counts_lead_to_leaves() {
    let slots = tree(made_up::SLOTS);
    let stack = tree(made_up::STACK);
    let stalls = tree(made_up::STALLS);
    const LEVEL_1: &str = "top_back top_front top_retiring top_wasted top_microcode";
    let idle = |changed: &[(&'static str, f64)]| -> Vec<(&'static str, f64)> {
        let names = [
            "LOST_FRONT",
            "LOST_BACK",
            "WASTED",
            "RETIRED",
            "WAIT_MEMORY",
            "WAIT_CACHE",
            "WAIT_DRAM",
            "LATE_FETCH",
            "MICROCODE",
            "PM_STALL",
            "PM_STALL_LSU",
            "PM_STALL_FXU",
            "PM_STALL_LSU_MISS",
            "PM_IDLE_CYC",
            "PM_IDLE_FETCH_CYC",
            "STALL_FRONTEND",
            "STALL_BACKEND",
            "L1I_REFILL",
            "BR_MIS",
            "L1D_REFILL",
        ];
        let mut all = changed.to_vec();
        all.extend(
            ["CYCLES", "PM_RUN_CYC", "PM_RUN_INST", "CPU_CYCLES", "INST_RETIRED"]
                .map(|name| (name, 100.0)),
        );
        all.extend(names.map(|name| (name, 0.0)));
        all
    };
    type Case<'a> = (&'a Hierarchy, &'a [(&'static str, f64)], &'a [&'a str], &'a [&'a str]);
    let cases: [Case<'_>; 10] = [
        (&slots, &[("RETIRED", 400.0)], &[LEVEL_1, "top_microcode"], &["top_retiring 100 1.00"]),
        (&slots, &[("RETIRED", 240.0), ("WASTED", 160.0)], &[LEVEL_1], &["top_wasted 40 0.40"]),
        // A threshold that names a part of its node.
        (
            &slots,
            &[("RETIRED", 240.0), ("WASTED", 40.0), ("MICROCODE", 60.0)],
            &[LEVEL_1, "top_microcode"],
            &["top_microcode 15 0.25"],
        ),
        (
            &slots,
            &[("RETIRED", 100.0), ("LOST_BACK", 300.0), ("WAIT_MEMORY", 10.0)],
            &[LEVEL_1, "top_core top_memory"],
            &["top_core 65 0.87"],
        ),
        (
            &slots,
            &[
                ("LOST_BACK", 400.0),
                ("WAIT_MEMORY", 95.0),
                ("WAIT_CACHE", 5.0),
                ("WAIT_DRAM", 80.0),
            ],
            &[LEVEL_1, "top_core top_memory", "top_cache top_dram"],
            // Without a threshold, a quarter of the parent is much.
            &["top_dram 80 0.84"],
        ),
        (
            &slots,
            &[
                ("LOST_BACK", 200.0),
                ("WAIT_MEMORY", 30.0),
                ("WAIT_CACHE", 25.0),
                ("WAIT_DRAM", 5.0),
                ("LOST_FRONT", 200.0),
                ("LATE_FETCH", 45.0),
            ],
            &[LEVEL_1, "top_bandwidth top_core top_latency top_memory", "top_cache top_dram"],
            &["top_latency 45 0.90", "top_cache 25 0.83", "top_core 20 0.40"],
        ),
        // Nothing is over anything.
        (
            &slots,
            &[("RETIRED", 240.0), ("LOST_BACK", 60.0), ("WASTED", 50.0), ("LOST_FRONT", 50.0)],
            &[LEVEL_1],
            &[],
        ),
        (
            &stack,
            &[
                ("PM_STALL", 60.0),
                ("PM_STALL_LSU", 50.0),
                ("PM_STALL_LSU_MISS", 10.0),
                ("PM_IDLE_CYC", 20.0),
            ],
            &["run_cpi", "idle_cpi other_cpi stall_cpi", "fxu_cpi lsu_cpi", "miss_cpi"],
            &["lsu_cpi 0 0.83"],
        ),
        (
            &stack,
            &[("PM_IDLE_CYC", 90.0), ("PM_IDLE_FETCH_CYC", 80.0)],
            &["run_cpi", "idle_cpi other_cpi stall_cpi", "idle_fetch_cpi"],
            &["idle_fetch_cpi 1 0.89"],
        ),
        (
            &stalls,
            &[("STALL_FRONTEND", 60.0), ("STALL_BACKEND", 10.0), ("BR_MIS", 3.0)],
            &["backend_stalled_cycles frontend_stalled_cycles", "branch_mpki l1i_mpki"],
            &["frontend_stalled_cycles 60 0.86"],
        ),
    ];
    for (tree, changed, steps, leaves) in cases {
        let found = walk(Drill::new(tree), &idle(changed));
        assert_eq!(
            found,
            (
                steps.iter().map(|s| (*s).into()).collect(),
                leaves.iter().map(|s| (*s).into()).collect()
            ),
            "{changed:?}"
        );
    }
    // A limit, and everything at once, whether it is over or not.
    let busy = idle(&[("LOST_BACK", 400.0), ("WAIT_MEMORY", 95.0)]);
    let (steps, leaves) = walk(Drill::new(&slots).with_level(1), &busy);
    assert_eq!((steps.len(), leaves), (1, vec!["top_back 100 1.00".into()]));
    let (steps, leaves) = walk(Drill::new(&slots).with_all(), &busy);
    let all: usize = steps.iter().map(|step| step.split(' ').count()).sum();
    assert_eq!((steps.len(), all), (1, slots.nodes().len()), "{steps:?}");
    assert_eq!(leaves, ["top_memory 95 0.95"]);
}

/// What was not counted is unknown, neither over a threshold nor below it.
#[test]
fn unknown_counts() {
    let slots = tree(made_up::SLOTS);
    let mut drill = Drill::new(&slots);
    let step = drill.next_step().expect("nothing is known");
    drill.learn(&step, &UnknownMachine, |_, event| match event.as_str() {
        "LOST_BACK" => EventCount::new(f64::NAN, 0.0),
        "LOST_FRONT" => EventCount::new(320.0, 0.5),
        "MICROCODE" => f64::NAN.into(),
        "CYCLES" => 100.0.into(),
        _ => 0.0.into(),
    });
    let finding =
        |name| drill.finding(slots.find(name).expect("it is there")).expect("it is known");
    let back = finding("top_back");
    assert!(
        back.value().is_nan()
            && back.share().is_none()
            && back.is_over().is_none()
            && back.running() == 0.0
    );
    let front = finding("top_front");
    assert_eq!((front.value(), front.is_over(), front.running()), (80.0, Some(true), 0.5));
    // The threshold names a metric without a value.
    assert_eq!(finding("top_retiring").is_over(), None);
    let step = drill.next_step().expect("the front end is over");
    assert_eq!(step.nodes().len(), 2);
    // Nothing is counted any more: it ends.
    drill.learn(&step, &UnknownMachine, |_, _| f64::NAN.into());
    assert!(drill.next_step().is_none());
    assert_eq!(drill.leaves().len(), 1);
}

/// Parts of nothing are over no threshold, and that is known.
#[test]
fn counts_of_zero() {
    let stalls = tree(made_up::STALLS);
    let mut drill = Drill::new(&stalls);
    let step = drill.next_step().expect("nothing is known");
    drill.learn(&step, &UnknownMachine, |_, event| match event.as_str() {
        "CPU_CYCLES" => 100.0.into(),
        _ => 0.0.into(),
    });
    assert!(drill.next_step().is_none());
    let found = drill.found();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|one| one.finding().is_over() == Some(false)), "{found:?}");
}

#[test]
fn passes_fit_the_counters() {
    let slots = tree(made_up::SLOTS);
    let level_1 = Drill::new(&slots).next_step().expect("nothing is known");
    let supply = Supply::of(made_up::SLOTS, "default_core", CoreState::default());
    let supply = supply.expect("the tree states the counters");
    assert_eq!(supply.pool(), Some(Pool::first(4, 1)));
    let all = Some(&supply);
    let shown = |metrics: &[Metric], supply| -> Vec<(String, Fit)> {
        let passes = passes(metrics, &UnknownMachine, supply);
        let names = |metrics: &[Metric]| {
            metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>().join(" ")
        };
        passes.iter().map(|pass| (names(pass.metrics()), pass.fit())).collect()
    };
    let one = |text: &str, fit| (text.to_string(), fit);
    // Five events for four counters, and cycles on their own.
    assert_eq!(
        shown(level_1.metrics(), all),
        [
            one("top_back top_front top_retiring top_wasted", Fit::Proven),
            one("top_microcode", Fit::Proven)
        ]
    );
    // The watchdog takes one.
    let beside = CoreState::default().with_watchdog(true);
    let beside = Supply::of(made_up::SLOTS, "default_core", beside).expect("as before");
    assert_eq!(shown(level_1.metrics(), Some(&beside)).len(), 2);
    // All three need the same counter.
    let of = |names: &[&str]| -> Vec<Metric> {
        names.iter().map(|name| made_up::SLOTS.metric(name).expect("it is there")).collect()
    };
    let waits = of(&["top_memory", "top_cache", "top_dram", "top_back"]);
    assert_eq!(
        shown(&waits, all),
        [
            one("top_memory top_back", Fit::Proven),
            one("top_cache", Fit::Proven),
            one("top_dram", Fit::Proven),
        ]
    );
    // Cycles, whose counter is taken, need another one.
    let without_cycles = supply.with_pool(Pool::first(4, 0));
    assert_eq!(shown(&waits, Some(&without_cycles)).len(), 3);
    // With a single one, each event has a pass of its own.
    let only_one = supply.with_pool(Pool::first(1, 0));
    let passes = passes(&waits, &UnknownMachine, Some(&only_one));
    assert!(passes.iter().all(|pass| pass.fit() == Fit::Proven && pass.metrics().is_empty()));
    assert!(passes.iter().all(|pass| !pass.parts().is_empty()));
    let none = supply.with_pool(Pool::first(0, 0));
    assert!(shown(&waits, Some(&none)).iter().all(|(_, fit)| *fit == Fit::TooLarge));
    // Without numbers nothing is proven.
    assert!(Supply::of(made_up::STACK, "default_core", CoreState::default()).is_err());
    assert_eq!(shown(&waits, None), [one("top_memory top_cache top_dram top_back", Fit::Unknown)]);
}

/// Where a metric of Intel's fits: on all counters, beside the watchdog, with SMT.
#[test]
fn intels_counters() {
    struct Core {
        smt_is_on: bool,
    }
    impl Machine for Core {
        fn literal(&self, literal: Tool) -> f64 {
            f64::from(literal != Tool::SmtOn || self.smt_is_on)
        }
    }
    let cases: [(Model, &str, [bool; 3]); 9] = [
        // Four events, and cycles: the watchdog has their counter, and there is no fifth.
        (x86::HASWELL, "tma_backend_bound", [true, false, true]),
        // Four events without cycles.
        (x86::SKYLAKE, "tma_info_system_gflops", [true, true, true]),
        // Loads by where they hit: with SMT there are two counters.
        (x86::HASWELL, "tma_l3_bound", [true, true, false]),
        (x86::BROADWELL, "tma_l3_bound", [true, true, true]),
        // Slots have a counter, and perf metrics are part of it.
        (x86::SAPPHIRERAPIDS, "tma_backend_bound", [true, true, true]),
        (x86::ICELAKE, "tma_info_thread_slots", [true, true, true]),
        // A retirement latency needs no counter.
        (x86::GRANITERAPIDS, "tma_l2_hit_latency", [true, true, true]),
        // An event that must be alone leaves fixed counters free.
        (x86::SAPPHIRERAPIDS, "tma_unknown_branches", [true, false, true]),
        (x86::SAPPHIRERAPIDS, "tma_branch_resteers", [false, false, false]),
    ];
    for (model, name, expected) in cases {
        let metric = model.metric(name).expect("it is there");
        let fits = |has_watchdog, smt_is_on| {
            let smt = if smt_is_on { Smt::On } else { Smt::Off };
            let state = CoreState::new(smt).with_watchdog(has_watchdog);
            let supply = Supply::of(model, metric.pmu(), state).expect("perfmon states it");
            let passes = passes(&[metric], &Core { smt_is_on }, Some(&supply));
            assert!(passes.iter().all(|pass| pass.fit() == Fit::Proven), "{name}");
            passes.len() == 1
        };
        let found = [fits(false, false), fits(true, false), fits(false, true)];
        assert_eq!(found, expected, "{}: {name}", model.name());
    }
}

/// There are two registers for offcore requests and one of each other kind: those that
/// need more are not counted together, however many counters there are.
#[test]
fn events_that_share_a_register() {
    let cases = [
        ("offcore_a offcore_b", true),
        ("offcore_a offcore_b offcore_c", false),
        ("fetch_a fetch_b", false),
        // With the same value.
        ("fetch_b fetch_slow", true),
        ("fetch_a latency", true),
        ("offcore_a offcore_b fetch_a latency", true),
        ("offcore_a fetch_a fetch_b", false),
    ];
    let model = made_up::REGISTERS;
    let supply = Supply::of(model, "default_core", CoreState::default()).expect("as stated");
    for (names, is_one) in cases {
        let metric = |name| model.metric(&format!("{name}_count")).expect("it is there");
        let metrics: Vec<Metric> = names.split(' ').map(metric).collect();
        let passes = passes(&metrics, &UnknownMachine, Some(&supply));
        assert!(passes.iter().all(|pass| pass.fit() == Fit::Proven), "{names}");
        assert_eq!(passes.len() == 1, is_one, "{names}");
    }
}

#[test]
fn samples() {
    let slots = tree(made_up::SLOTS);
    let stack = tree(made_up::STACK);
    let sums = tree(made_up::SUMS);
    let cases: [(&Hierarchy, &str, &[&str], bool); 7] = [
        // Of several events, one that points at the instruction.
        (&sums, "total", &["LEFT_NEAR:pp"], false),
        // Where the parent has them all, the first.
        (&sums, "left", &["LEFT_FAR"], false),
        (&slots, "top_core", &["DIVIDES"], true),
        // Events that the model lacks are left out.
        (&slots, "top_latency", &["MISS_FETCH:pp", "LATE_FETCH:pp"], true),
        (&slots, "top_memory", &["WAIT_MEMORY"], false),
        (&stack, "miss_cpi", &["PM_STALL_LSU_MISS"], false),
        (&stack, "other_cpi", &["PM_STALL"], false),
    ];
    for (tree, name, events, is_recommended) in cases {
        let number = tree.find(name).expect("it is there");
        let samples = topdown::samples(tree, number, &UnknownMachine);
        let found: Vec<_> = samples.iter().map(|sample| sample.event()).collect();
        assert_eq!(found, events, "{name}");
        assert!(samples.iter().all(|sample| sample.is_recommended() == is_recommended), "{name}");
    }
    assert_eq!(topdown::samples(&slots, 99, &UnknownMachine), []);
}

/// Events of AMD's cores are not precise: IBS samples fetches and ops by itself.
#[test]
fn samples_of_amd() {
    for model in [x86::AMDZEN4, x86::AMDZEN5] {
        let tree = tree(model);
        for (number, node) in tree.nodes().iter().enumerate() {
            let name = node.metric().name();
            let samples = topdown::samples(&tree, number, &UnknownMachine);
            let found: Vec<_> = samples.iter().map(|sample| sample.event()).collect();
            let expected = match name.split('_').next() {
                Some("frontend") => "ibs_fetch//",
                Some("smt") => "de_no_dispatch_per_slot.smt_contention",
                _ => "ibs_op//",
            };
            assert_eq!(found, [expected], "{}: {name}", model.name());
            assert_eq!(samples[0].is_recommended(), expected.ends_with("//"), "{name}");
        }
    }
}

/// Steps ask for what the machine needs.
#[test]
fn machines() {
    struct Smt;
    impl Machine for Smt {
        fn literal(&self, _: Tool) -> f64 {
            1.0
        }
        fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
            Some(false)
        }
    }
    let stalls = tree(made_up::STALLS);
    let mut drill = Drill::new(&stalls);
    let step = drill.next_step().expect("nothing is known");
    drill.learn(&step, &Smt, |metric, _| {
        // Metrics may be counted one after the other.
        if metric.name().starts_with("back") { 1.0.into() } else { 2.0.into() }
    });
    assert!(drill.found().iter().all(|found| found.finding().value() == 100.0));
}

/// The roots of the tree of each model: models by shell patterns, the first that fits.
const ROOTS: &[(&str, &str, &str)] = &[
    ("x86", "amdzen[456]", "backend_bound bad_speculation frontend_bound retiring smt_contention"),
    ("x86", "*", "tma_backend_bound tma_bad_speculation tma_frontend_bound tma_retiring"),
    (
        "arm64",
        "ampere/*",
        "backend_bound frontend_bound retired_fraction slots_lost_misspeculation_fraction",
    ),
    ("arm64", "arm/neoverse-n1", "backend_stalled_cycles frontend_stalled_cycles"),
    ("arm64", "arm/neoverse-*", "backend_bound bad_speculation frontend_bound retiring"),
    ("arm64", "arm/c1-*", "backend_bound bad_speculation frontend_bound retiring"),
    ("arm64", "hisilicon/hip08", "backend_bound bad_speculation frontend_bound retiring"),
    ("arm64", "arm/cortex-a[56]5*", "backend_stalled_cycles frontend_stalled_cycles"),
    ("arm64", "arm/cortex-a7[567]*", "backend_stalled_cycles frontend_stalled_cycles"),
    ("arm64", "arm/cortex-r52", "backend_stalled_cycles frontend_stalled_cycles"),
    ("arm64", "arm/rainier", "backend_stalled_cycles frontend_stalled_cycles"),
    ("arm64", "nvidia/t410", "backend_bound bad_speculation frontend_bound retiring"),
    ("arm64", "fujitsu/a64fx", "backend_stalled_cycles frontend_stalled_cycles"),
    ("arm64", "*", "backend_bound_slots bad_speculation_slots frontend_bound_slots retiring_slots"),
    ("powerpc", "power10", "CYCLES_PER_INSTRUCTION"),
    ("powerpc", "*", "run_cpi"),
];

/// A tree has the roots that its method has, and no other: whatever else is at the top
/// is counted for nothing, and makes the sum of the first level wrong.
#[test]
fn roots_of_models() {
    let mut is_needed = [false; ROOTS.len()];
    for (arch, tree) in pmu_events::arch::TREES {
        for model in tree.models() {
            for tree in Hierarchy::of(model) {
                let name = |&root: &usize| tree.nodes()[root].metric().name();
                let found: Vec<&str> = tree.roots().iter().map(name).collect();
                let of = |(of, models, _): &(&str, &str, &str)| {
                    of == arch && glob::matches(models, model.name())
                };
                let number = ROOTS.iter().position(of);
                let number = number.unwrap_or_else(|| panic!("{arch} {}", model.name()));
                assert_eq!(found.join(" "), ROOTS[number].2, "{arch} {}", model.name());
                is_needed[number] = true;
            }
        }
    }
    assert_eq!(is_needed, [true; ROOTS.len()]);
}

/// What differences and sums of events say of POWER8's stack.
#[test]
fn stacks() {
    let tree = tree(powerpc::POWER8);
    let cases = [
        // Lost by the sum of events that it divides.
        ("gct_empty_disp_held_cpi", "gct_empty_cpi"),
        ("gct_empty_disp_held_map_cpi", "gct_empty_disp_held_cpi"),
        // What others leave of an event.
        ("cru_stall_cpi", "bru_cru_stall_cpi"),
        ("other_block_stall_cpi", "thread_block_stall_cpi"),
        ("hwsync_stall_cpi", "thread_block_stall_cpi"),
        ("lsu_stall_dcache_miss_lmem_cpi", "lsu_stall_dcache_miss_l3miss_cpi"),
        // By its name: the event's does not begin like that of the node above.
        ("lsu_stall_dcache_miss_l3miss_cpi", "lsu_stall_dcache_miss_cpi"),
        ("gct_empty_other_cpi", "gct_empty_cpi"),
    ];
    for (part, whole) in cases {
        let number = tree.find(part).expect(part);
        assert_eq!(tree.nodes()[number].parent(), tree.find(whole), "{part}");
    }
    // Other names of nodes are no nodes, and find them.
    for name in ["completion_stall_cpi", "dcache_stall_cpi", "dispatch_stall_cpi"] {
        assert!(tree.nodes().iter().all(|node| node.metric().name() != name), "{name}");
        let node = &tree.nodes()[tree.find(name).expect(name)];
        assert_eq!(
            powerpc::POWER8.metric(name).unwrap().expression().to_string(),
            node.metric().name()
        );
    }
    assert_eq!(tree.find("no_stall_cpi"), None);
}
