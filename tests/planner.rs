//! Which groups are planned for the metrics of the bundled models.

use std::collections::BTreeSet;

use pmu_events::__private::glob;
use pmu_events::__private::planner::Packing;
use pmu_events::__private::topdown::{Fit, Pass, fewest_passes, passes};
use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine};
use pmu_events::measure::{Formulas, Plan};
use pmu_events::planner::{CoreState, Smt, Supply};
use pmu_events::topdown::{Drill, Hierarchy};
use pmu_events::{Metric, Model, Scope, System, arch};

/// All threads of the core are counted.
struct Core;

impl Machine for Core {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn | Tool::CoreWide => 1.0,
            _ => 2.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        Some(false)
    }
}

const STATES: [CoreState; 4] = [
    CoreState::new(Smt::On),
    CoreState::new(Smt::On).with_watchdog(true),
    CoreState::new(Smt::Absent),
    CoreState::new(Smt::Absent).with_watchdog(true),
];

fn models() -> impl Iterator<Item = (&'static str, Model)> {
    arch::TREES.iter().flat_map(|(arch, tree)| tree.models().map(move |model| (*arch, model)))
}

/// The metrics of a whole drill-down.
fn of_tree(tree: &Hierarchy) -> Vec<Metric> {
    tree.nodes().iter().map(|node| node.metric()).collect()
}

/// The events of the passes of each metric are those of its formula, and no pass has an event
/// that the counters have no room for.
#[test]
fn no_pass_is_too_large() {
    for (arch, model) in models() {
        for tree in Hierarchy::of(model) {
            for state in STATES {
                let Ok(supply) = Supply::of(model, tree.pmu(), state) else { continue };
                let metrics = of_tree(&tree);
                let whole = passes(&metrics, &Core, Some(&supply));
                let fewest = fewest_passes(&metrics, &Core, Some(&supply));
                for pass in whole.into_iter().chain(fewest) {
                    let events = events_of(&pass);
                    let texts: Vec<&str> = events.iter().map(String::as_str).collect();
                    let what = format!("{arch} {} {state:?}: {texts:?}", model.name());
                    assert_eq!(pass.fit(), Fit::Proven, "{what}");
                }
            }
        }
    }
}

fn events_of(pass: &Pass) -> BTreeSet<String> {
    let of_metric = |metric: &Metric| {
        metric.events_on(&Core).map(|event| event.as_str().to_string()).collect::<Vec<_>>()
    };
    let whole = pass.metrics().iter().flat_map(of_metric);
    let parts = pass.parts().iter().flat_map(|part| {
        part.events()
            .iter()
            .map(|event| (*event).to_string())
            .chain(part.reference().map(String::from))
    });
    whole.chain(parts).collect()
}

/// The events of each metric that a supply counts.
fn sets_of(supply: &Supply, metrics: &[Metric], machine: &impl Machine) -> Vec<Vec<&'static str>> {
    let events_of = |metric: &Metric| {
        let events = metric.events_on(machine).map(|event| event.as_str());
        events.filter(|event| supply.counts(event)).collect()
    };
    metrics.iter().map(events_of).collect()
}

/// The runs of `pmu topdown --all` beside the number below which the counters force none. A planner
/// that needs more than these has become worse.
#[test]
fn passes_beside_the_lower_bound() {
    // Models as shell patterns that need one run more beside the watchdog. All others reach it.
    // To reach it, these would have to count cycles only in groups with parts of sets, and fill the
    // other groups with sets that share another event.
    const MORE: &[&str] = &["arm/c1-[pu]*", "arm/cortex-a5[12]0", "fujitsu/monaka", "nvidia/t410"];
    let mut needed = vec![false; MORE.len()];
    let mut wrong = Vec::new();
    for (arch, model) in models() {
        for tree in Hierarchy::of(model) {
            let step = Drill::new(&tree).with_all().next_step().expect("nothing is known");
            let known = MORE.iter().position(|name| glob::matches(name, model.name()));
            for state in &STATES[..2] {
                let Ok(supply) = Supply::of(model, tree.pmu(), *state) else { continue };
                let sets = sets_of(&supply, step.metrics(), &Core);
                let whole = Packing::of(&supply, &sets).groups().len();
                let packing = Packing::in_fewest_groups(&supply, &sets);
                let (runs, least) = (packing.groups().len(), packing.lower_bound());
                let split =
                    packing.placements().iter().filter(|placement| placement.parts().len() > 1);
                let line = format!(
                    "{arch} {} {} {state:?}: {runs}, at least {least}; {whole} if whole; {} of {} \
                     split",
                    model.name(),
                    tree.pmu(),
                    split.count(),
                    sets.len()
                );
                println!("{line}");
                assert!(runs >= least && runs <= whole, "{line}");
                assert!(packing.groups().iter().all(|group| supply.fits(group.events())), "{line}");
                match known.filter(|_| state.has_watchdog() && runs == least + 1) {
                    Some(known) => needed[known] = true,
                    None if runs > least => wrong.push(line),
                    None => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(needed.iter().all(|needed| *needed), "{needed:?}");
}

/// For a single command, too. A machine that does not say whether it has SMT needs the events of
/// both.
#[test]
fn runs_of_a_command() {
    struct Known(f64, f64);
    impl Machine for Known {
        fn literal(&self, literal: Tool) -> f64 {
            match literal {
                Tool::SmtOn => self.0,
                Tool::CoreWide => self.1,
                _ => Core.literal(literal),
            }
        }

        fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
            Core.has_event(event)
        }

        fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
            Core.cpuid_matches(cpuid)
        }
    }
    let model = arch::model("GenuineIntel-6-55-4").expect("it is bundled");
    let [tree] = &Hierarchy::of(model)[..] else { panic!("it has one kind of core") };
    let step = Drill::new(tree).with_all().next_step().expect("nothing is known");
    let cases = [
        (Known(1.0, 1.0), [28, 28]),
        (Known(1.0, 0.0), [28, 29]),
        (Known(f64::NAN, 0.0), [29, 29]),
    ];
    for (n, state) in STATES[..2].iter().enumerate() {
        let supply = Supply::of(model, tree.pmu(), *state).expect("it is known");
        for (machine, expected) in &cases {
            let sets = sets_of(&supply, step.metrics(), machine);
            let packing = Packing::in_fewest_groups(&supply, &sets);
            let found = (packing.groups().len(), packing.lower_bound());
            assert_eq!(found, (expected[n], expected[n]), "{state:?}");
        }
    }
}

/// PMUs whose counters no source states: models and PMUs as shell patterns.
const UNSTATED: [(&str, &str, &str); 9] = [
    ("arm64", "ampere/emag", "default_core"),
    ("arm64", "apple/m[34]", "default_core"),
    ("arm64", "architecture", "default_core"),
    ("common", "common", "*"),
    ("nds32", "*", "default_core"),
    ("riscv", "*", "default_core"),
    ("s390", "architecture", "cpum_cf"),
    ("test", "*", "*"),
    ("x86", "architecture", "default_core"),
];

#[test]
fn all_others_are_known() {
    for (arch, model) in models() {
        for table in model.pmus() {
            let supply = Supply::of(model, table.name(), CoreState::default());
            let is_listed = UNSTATED.iter().any(|(of, models, pmus)| {
                *of == arch
                    && glob::matches(models, model.name())
                    && glob::matches(pmus, table.name())
            });
            let what = format!("{arch} {} {}", model.name(), table.name());
            assert_eq!(supply.is_err(), is_listed, "{what}");
            if let Err(error) = supply {
                assert!(!error.reason().is_empty(), "{what}");
            }
        }
    }
}

fn supply(cpuid: &str, state: CoreState) -> Supply {
    let model = arch::model(cpuid).expect("its tree has it");
    let pmu = model.pmus().find(|table| table.is_core()).expect("it has a core").name();
    Supply::of(model, pmu, state).expect("its counters are known")
}

/// Which events share the counters of a CPU.
#[test]
fn counters_of_cores() {
    const ZEN4: &str = "AuthenticAMD-25-61-2";
    const SKYLAKE: &str = "GenuineIntel-6-55-4";
    const SILVERMONT: &str = "GenuineIntel-6-37-8";
    const N1: &str = "0x00000000413fd0c0";
    const E1: &str = "0x00000000410fd4a0";
    const POWER9: &str = "0x004e1202";
    const POWER10: &str = "0x00800200";
    let four = "UOPS_ISSUED.ANY LD_BLOCKS.STORE_FORWARD IDQ.MITE_UOPS UOPS_EXECUTED.THREAD";
    let six = "ex_ret_instr ex_ret_ops ex_ret_brn ex_ret_brn_misp ls_dispatch.ld_dispatch";
    let cases: [(&str, CoreState, String, bool); 26] = [
        (SKYLAKE, STATES[0], format!("{four} INST_RETIRED.ANY CPU_CLK_UNHALTED.THREAD"), true),
        (SKYLAKE, STATES[0], format!("{four} CPU_CLK_UNHALTED.REF_TSC"), true),
        // The kernel's own code of reference cycles has one fixed counter, and no general one.
        (SKYLAKE, STATES[0], "CPU_CLK_UNHALTED.REF_TSC ref-cycles".into(), false),
        (SILVERMONT, STATES[0], "CPU_CLK_UNHALTED.REF ref-cycles".into(), false),
        (SKYLAKE, STATES[1], format!("{four} CPU_CLK_UNHALTED.THREAD"), false),
        (SKYLAKE, STATES[1], format!("{four} CPU_CLK_UNHALTED.REF_TSC"), true),
        // The other thread's counters, where there is none.
        (SKYLAKE, STATES[3], format!("{four} CPU_CLK_UNHALTED.THREAD"), true),
        (SKYLAKE, STATES[0], format!("{four} ARITH.DIVIDER_ACTIVE"), false),
        (SKYLAKE, STATES[2], format!("{four} ARITH.DIVIDER_ACTIVE"), true),
        (ZEN4, STATES[0], format!("{six} ls_not_halted_cyc"), true),
        (ZEN4, STATES[1], format!("{six} ls_not_halted_cyc"), false),
        // Large increments take two counters.
        (ZEN4, STATES[0], format!("{six} fp_ret_sse_avx_ops.all"), false),
        (
            N1,
            STATES[0],
            "CPU_CYCLES LD_SPEC ST_SPEC ASE_SPEC VFP_SPEC DP_SPEC BR_PRED".into(),
            true,
        ),
        (
            N1,
            STATES[1],
            "CPU_CYCLES LD_SPEC ST_SPEC ASE_SPEC VFP_SPEC DP_SPEC BR_PRED".into(),
            false,
        ),
        // By the counters in their codes; two have counters of their own.
        (
            POWER9,
            STATES[0],
            "cpu/event=0x600f4/ cpu/event=0x500fa/ PM_L2_ST_DISP PM_L2_LD_HIT".into(),
            true,
        ),
        // These codes name counters 2 and 4, and the kernel looks for no others beside caches.
        (POWER9, STATES[0], "PM_RUN_CYC PM_RUN_INST_CMPL PM_L2_ST_DISP PM_L2_LD_HIT".into(), false),
        (POWER9, STATES[0], "PM_L2_LD_HIT".into(), false),
        // Run cycles leave counter 2 to another event, but not beside one of the caches.
        (POWER9, STATES[0], "PM_RUN_CYC PM_CMPLU_STALL_DFU".into(), true),
        (POWER9, STATES[0], "cpu/event=0x4688c/ PM_CO_USAGE".into(), true),
        (POWER9, STATES[0], "cpu/event=0x4688c/ PM_CO_USAGE PM_RUN_CYC".into(), false),
        (POWER9, STATES[0], "cpu/event=0x4688c/ PM_CO_USAGE cpu/event=0x600f4/".into(), true),
        // Nor on POWER10.
        (POWER10, STATES[0], "PM_RUN_CYC PM_L1_ICACHE_MISS".into(), false),
        (POWER10, STATES[0], "PM_RUN_INST_CMPL PM_RUN_CYC".into(), true),
        // A core with several threads has no counter for its cycles alone.
        (E1, STATES[0], "CPU_CYCLES LD_SPEC ST_SPEC ASE_SPEC VFP_SPEC DP_SPEC".into(), true),
        (
            E1,
            STATES[0],
            "CPU_CYCLES LD_SPEC ST_SPEC ASE_SPEC VFP_SPEC DP_SPEC BR_PRED".into(),
            false,
        ),
        (
            E1,
            STATES[2],
            "CPU_CYCLES LD_SPEC ST_SPEC ASE_SPEC VFP_SPEC DP_SPEC BR_PRED".into(),
            true,
        ),
    ];
    for (cpuid, state, events, expected) in cases {
        let events: Vec<&str> = events.split(' ').collect();
        let supply = supply(cpuid, state);
        assert_eq!(supply.fits(&events), expected, "{cpuid} {state:?} {events:?}");
    }
}

/// Events that the kernel restricts to fewer counters than the tables say
/// (`intel_*_event_constraints`).
#[test]
fn counters_that_only_the_kernel_restricts() {
    let four = [
        "OCR.DEMAND_DATA_RD.DRAM",
        "MEM_INST_RETIRED.ALL_LOADS",
        "MEM_INST_RETIRED.ALL_STORES",
        "MEM_LOAD_RETIRED.L1_HIT",
    ];
    let cases: [(&str, &str, &[&str], bool); 8] = [
        ("GenuineIntel-6-2A-7", "", &["L1D_PEND_MISS.FB_FULL"], true),
        ("GenuineIntel-6-2A-7", "", &["L1D_PEND_MISS.FB_FULL", "L1D_PEND_MISS.PENDING"], false),
        ("GenuineIntel-6-5E-3", "", &["INST_RETIRED.TOTAL_CYCLES_PS"], true),
        (
            "GenuineIntel-6-5E-3",
            "",
            &["INST_RETIRED.TOTAL_CYCLES_PS", "INST_RETIRED.PREC_DIST"],
            false,
        ),
        ("GenuineIntel-6-3F-2", "uncore_cbox", &["UNC_C_FAST_ASSERTED", "UNC_C_CLOCKTICKS"], true),
        (
            "GenuineIntel-6-3F-2",
            "uncore_cbox",
            &["UNC_C_FAST_ASSERTED", "UNC_C_TOR_OCCUPANCY.ALL"],
            false,
        ),
        ("GenuineIntel-6-BD-1", "cpu_core", &four, true),
        (
            "GenuineIntel-6-BD-1",
            "cpu_core",
            &[&four[..], &["MEM_LOAD_RETIRED.L2_HIT"]].concat(),
            false,
        ),
    ];
    for (cpuid, pmu, events, expected) in cases {
        let model = arch::model(cpuid).expect("it is bundled");
        let pmu = if pmu.is_empty() { "default_core" } else { pmu };
        let supply = Supply::of(model, pmu, CoreState::default()).expect("it is known");
        assert_eq!(supply.fits(events), expected, "{cpuid}: {events:?}");
    }
}

/// Apple's driver gives each event the first free counter of its own, in the order of the group.
#[test]
fn counters_of_apple() {
    const FIRESTORM: &str = "0x00000000611f0231";
    const BLIZZARD: &str = "0x00000000611f0320";
    let seven = "L1D_TLB_FILL L1I_TLB_FILL L1D_TLB_MISS L1D_TLB_ACCESS MAP_STALL MAP_REWIND";
    let cases: [(&str, CoreState, String, bool); 16] = [
        // Eight counters for most events; cycles and instructions have one more each.
        (FIRESTORM, STATES[0], format!("{seven} LD_NT_UOP ST_NT_UOP"), true),
        (FIRESTORM, STATES[0], format!("{seven} LD_NT_UOP ST_NT_UOP LD_UNIT_UOP"), false),
        (BLIZZARD, STATES[0], format!("{seven} LD_NT_UOP ST_NT_UOP cycles instructions"), true),
        (FIRESTORM, STATES[0], "CORE_ACTIVE_CYCLE INST_ALL cycles instructions".into(), true),
        // These have counters 5 to 7, counter 7, and counters 1 and 7.
        (FIRESTORM, STATES[0], "INST_BRANCH INST_INT_LD INST_SIMD_LD".into(), true),
        (FIRESTORM, STATES[0], "INST_BRANCH INST_INT_LD INST_SIMD_LD INST_BARRIER".into(), false),
        (FIRESTORM, STATES[0], "RETIRE_UOP INST_INT_ALU".into(), false),
        (FIRESTORM, STATES[0], "RETIRE_UOP INST_ALL".into(), true),
        (FIRESTORM, STATES[0], "RETIRE_UOP INST_ALL instructions".into(), false),
        (FIRESTORM, STATES[0], "branches branch-misses INST_BRANCH INST_BARRIER".into(), false),
        // Codes with and without a name in the table.
        (FIRESTORM, STATES[0], "RETIRE_UOP apple_firestorm_pmu/event=0x97/".into(), false),
        (FIRESTORM, STATES[0], "RETIRE_UOP apple_firestorm_pmu/event=0x9f/".into(), false),
        (FIRESTORM, STATES[0], "RETIRE_UOP apple_firestorm_pmu/event=0x51/".into(), true),
        // The order decides: the first four take counters 2 to 5.
        (FIRESTORM, STATES[0], format!("{seven} INST_BRANCH"), false),
        (FIRESTORM, STATES[0], format!("INST_BRANCH {seven}"), true),
        // The watchdog's counter counts nothing but cycles.
        (FIRESTORM, STATES[1], format!("{seven} LD_NT_UOP ST_NT_UOP cycles"), false),
    ];
    for (cpuid, state, events, expected) in cases {
        let events: Vec<&str> = events.split(' ').collect();
        assert_eq!(supply(cpuid, state).fits(&events), expected, "{cpuid} {state:?} {events:?}");
    }
    // Packed events come in an order in which they fit.
    let events: Vec<&str> =
        seven.split(' ').chain(["INST_BRANCH", "RETIRE_UOP", "INST_ALL"]).collect();
    let supply = supply(FIRESTORM, CoreState::default());
    assert!(!supply.fits(&events));
    let packing = Packing::of(&supply, &[&events[..]]);
    let [group] = packing.groups() else { panic!("{packing:?}") };
    assert!(group.has_room() && supply.fits(group.events()), "{group:?}");
}

/// PMUs of HiSilicon, by their drivers.
#[test]
fn counters_of_hip08() {
    let model = arch::model("0x00000000480fd010").expect("its tree has it");
    for (pmu, general) in
        [("hisi_sccl,l3c", Some(8)), ("hisi_sccl,hha", Some(16)), ("hisi_sccl,ddrc", None)]
    {
        let supply = Supply::of(model, pmu, CoreState::default()).expect("it is known");
        assert_eq!(supply.pool().map(|pool| pool.general().len()), general, "{pmu}");
    }
}

/// What takes no counter of the PMU, or belongs to another.
#[test]
fn events_without_a_counter() {
    let four = "UOPS_ISSUED.ANY LD_BLOCKS.STORE_FORWARD IDQ.MITE_UOPS UOPS_EXECUTED.THREAD";
    let model = arch::model("GenuineIntel-6-55-4").expect("it is bundled");
    let of = |pmu| Supply::of(model, pmu, CoreState::default()).expect("it is known");
    let fits = |pmu, events: &str| of(pmu).fits(&events.split(' ').collect::<Vec<_>>());
    assert!(fits(
        "default_core",
        &format!("{four} page-faults duration_time msr/tsc/ task-clock:u")
    ));
    assert!(!fits("default_core", &format!("{four} unheard_of")));
    // Both have the same counter of a core.
    let restricted = "INST_RETIRED.TOTAL_CYCLES_PS INST_RETIRED.PREC_DIST";
    assert!(!fits("default_core", restricted) && fits("uncore_imc", restricted));
}

/// Perf metrics are read with their slots, or not at all.
#[test]
fn perf_metrics_and_slots() {
    let supply = supply("GenuineIntel-6-7E-5", CoreState::default());
    assert!(supply.fits(&["slots", "topdown-retiring", "topdown-bad-spec"]));
    for alone in [&["topdown-retiring"][..], &["topdown-retiring", "topdown-bad-spec"]] {
        assert!(!supply.fits(alone));
        let packing = Packing::of(&supply, &[alone]);
        let [group] = packing.groups() else { panic!("{packing:?}") };
        assert_eq!((group.events().len(), group.has_room()), (alone.len(), false), "{packing:?}");
    }
}

/// What the counters force, whatever the groups are.
#[test]
fn lower_bounds() {
    let four =
        ["UOPS_ISSUED.ANY", "LD_BLOCKS.STORE_FORWARD", "IDQ.MITE_UOPS", "UOPS_EXECUTED.THREAD"];
    let five = [&four[..], &["CPU_CLK_UNHALTED.THREAD"]].concat();
    let one_counter = ["L1D_PEND_MISS.FB_FULL", "L1D_PEND_MISS.PENDING"];
    let alone = ["UOPS_RETIRED.MS", "FRONTEND_RETIRED.MS_FLOWS", "UOPS_ISSUED.ANY"];
    let registers = [
        "FRONTEND_RETIRED.DSB_MISS",
        "FRONTEND_RETIRED.L1I_MISS",
        "FRONTEND_RETIRED.ITLB_MISS",
        "FRONTEND_RETIRED.MS_FLOWS",
    ];
    let halved = [
        "MEM_LOAD_UOPS_RETIRED.L1_HIT",
        "MEM_LOAD_UOPS_RETIRED.L2_HIT",
        "L1D_PEND_MISS.PENDING",
        "CYCLE_ACTIVITY.CYCLES_L1D_PENDING",
    ];
    let cases: [(&str, CoreState, &[&str], usize); 12] = [
        ("GenuineIntel-6-55-4", STATES[0], &[], 0),
        ("GenuineIntel-6-8F-4", STATES[0], &alone[..1], 1),
        ("GenuineIntel-6-8F-4", STATES[0], &alone, 3),
        ("GenuineIntel-6-8F-4", STATES[0], &registers, 4),
        // Two that halve the counters, and two that only counter 2 has.
        ("GenuineIntel-6-3C-3", STATES[0], &halved, 3),
        ("GenuineIntel-6-55-4", STATES[0], &four, 1),
        // The fixed counter of cycles, and then without it.
        ("GenuineIntel-6-55-4", STATES[0], &five, 1),
        ("GenuineIntel-6-55-4", STATES[1], &five, 2),
        ("GenuineIntel-6-2A-7", STATES[0], &one_counter, 2),
        ("GenuineIntel-6-2A-7", STATES[0], &one_counter[..1], 1),
        // Each has a counter of its own.
        ("IBM,3931,704,A01,3.7,002f", STATES[0], &["CPU_CYCLES", "INSTRUCTIONS"], 1),
        ("IBM,3931,704,A01,3.7,002f", STATES[0], &[], 0),
    ];
    for (cpuid, state, events, expected) in cases {
        let supply = supply(cpuid, state);
        let sets: Vec<[&str; 1]> = events.iter().map(|&event| [event]).collect();
        let packing = Packing::of(&supply, &sets);
        assert_eq!(packing.lower_bound(), expected, "{cpuid} {state:?} {events:?}");
        assert!(packing.groups().len() >= expected, "{cpuid} {state:?} {events:?}");
    }
}

/// A raw event is counted with the named ones of its PMU.
#[test]
fn groups_of_raw_events() {
    let cases = [
        ("GenuineIntel-6-5E-3", r"INST_RETIRED.ANY / cpu@event\=0xb1\,cmask\=1@", 1),
        ("0x00000000413fd0c0", r"inst_retired / armv8_pmuv3_0@event\=0x1b@", 1),
        ("GenuineIntel-6-55-4", r"UNC_M_CAS_COUNT.RD / uncore_imc@event\=0x1@", 1),
        ("GenuineIntel-6-55-4", r"UNC_M_CAS_COUNT.RD / uncore_cha@event\=0x1@", 2),
    ];
    for (cpuid, formula, expected) in cases {
        let model = arch::model(cpuid).expect("it is bundled");
        let system = System::builtin(cpuid, model);
        let formulas = format!("x = {formula}").parse::<Formulas>().expect("it parses");
        let formulas = formulas.bind(&system).expect("it binds");
        let plan = Plan::new(formulas, &system, &Scope::AllCpus);
        assert!(plan.missing().is_empty(), "{cpuid}: {:?}", plan.missing());
        assert_eq!(plan.lists().len(), expected, "{cpuid} {formula}: {:?}", plan.lists());
    }
}

/// Six distinct events, which were eleven in four groups.
#[test]
fn first_level_of_zen_4() {
    let model = arch::model("AuthenticAMD-25-61-2").expect("its tree has it");
    let [tree] = &Hierarchy::of(model)[..] else { panic!("it has one kind of core") };
    let roots: Vec<Metric> = tree.roots().iter().map(|&root| tree.nodes()[root].metric()).collect();
    let of = |state| {
        let passes = passes(&roots, &Core, Some(&supply("AuthenticAMD-25-61-2", state)));
        passes.iter().map(|pass| events_of(pass).len()).collect::<Vec<_>>()
    };
    assert_eq!(of(STATES[0]), [6]);
    // Beside the watchdog, there are five counters.
    assert_eq!(of(STATES[1]).len(), 2);
}

/// POWER9 counts an event of the L2 only beside one of the same selector on counter 4, which the
/// planner adds, and which comes first.
#[test]
fn companions_on_counter_4() {
    let model = arch::model("0x004e1202").expect("its tree has it");
    let supply = supply("0x004e1202", CoreState::default());
    let groups = |name: &str| {
        let metric = model.metric(name).expect("it is there");
        let events: Vec<&str> = metric.events().map(|event| event.as_str()).collect();
        let packing = Packing::of(&supply, &[&events]);
        assert!(packing.groups().iter().all(|group| group.has_room()), "{name}: {packing:?}");
        packing.groups().iter().map(|group| group.events().join(" ")).collect::<Vec<_>>()
    };
    // The third event is on counter 4 by its code; `measure` opens it by the code of another.
    assert_eq!(
        groups("l2_st_disp_rate_percent"),
        ["PM_L2_RCST_DISP_FAIL_OTHER PM_L2_RCST_DISP PM_RUN_CYC", "PM_RUN_INST_CMPL PM_RUN_CYC"]
    );
    // The reference has no counter beside the others, and is an event of the metric.
    assert_eq!(groups("l2_co_usage"), ["cpu/event=0x4608c/ PM_CO_USAGE", "PM_RUN_CYC"]);
    // The table has no such event.
    let [group] = &groups("l2_rc_usage")[..] else { panic!("it fits one group") };
    assert!(group.starts_with("cpu/event=0x4608c/ "), "{group}");
    let refused = [
        "l2_co_usage",
        "l2_dem_ld_disp_percent",
        "l2_instr_commands_percent",
        "l2_ld_commands_percent",
        "l2_rc_st_disp_fail_rate_percent",
        "l2_sn_usage",
        "l2_st_commands_percent",
        "l2_st_disp_fail_rate_percent",
        "l2_st_miss_ratio_percent",
    ];
    refused.iter().for_each(|name| assert!(!groups(name).is_empty(), "{name}"));
}

/// Groups with parts of sets have the reference in common; one event less fits each.
#[test]
fn lower_bounds_of_relations() {
    const N1: &str = "0x00000000413fd0c0";
    let events = [
        "L1D_CACHE",
        "L1D_CACHE_REFILL",
        "L1I_CACHE",
        "L1I_CACHE_REFILL",
        "L2D_CACHE",
        "LD_SPEC",
        "L2D_CACHE_REFILL",
        "L1D_TLB",
        "L1D_TLB_REFILL",
        "L1I_TLB",
        "L1I_TLB_REFILL",
        "ST_SPEC",
    ];
    let rates: Vec<[&str; 2]> = events.iter().map(|&event| [event, "CPU_CYCLES"]).collect();
    let ratios: Vec<[&str; 2]> = events.chunks(2).map(|two| [two[0], two[1]]).collect();
    let bound = |state, sets: &[[&str; 2]]| Packing::of(&supply(N1, state), sets).lower_bound();
    assert_eq!([bound(STATES[0], &rates), bound(STATES[1], &rates)], [2, 3]);
    assert_eq!([bound(STATES[0], &ratios), bound(STATES[1], &ratios)], [2, 2]);
}
