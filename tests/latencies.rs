//! Retirement latencies in formulas (`EVENT:R`): nothing is counted for them, they are
//! numbers of the tables or of the caller, and what formulas make of them are shares.

use pmu_events::__private::measure::{self, RawCount};
use pmu_events::__private::topdown::{Fit, passes};
use pmu_events::arch::x86;
use pmu_events::event::LatencyStatistic;
use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine, UnknownMachine};
use pmu_events::measure::{Formulas, Operand, Plan, PlannedMetric, Request};
use pmu_events::metric::{Latencies, LatencyOf};
use pmu_events::planner::{CoreState, Supply};
use pmu_events::resolve::Clock;
use pmu_events::schedule::Pool;
use pmu_events::topdown::{Drill, Hierarchy};
use pmu_events::{Metric, Model, Scope, System};

/// A model, its CPUID, and how many of its metrics take latencies.
const MODELS: [(Model, &str, usize); 4] = [
    (x86::GRANITERAPIDS, "GenuineIntel-6-AD-1", 30),
    (x86::LUNARLAKE, "GenuineIntel-6-BD-1", 32),
    (x86::METEORLAKE, "GenuineIntel-6-AA-4", 32),
    (x86::ARROWLAKE, "GenuineIntel-6-C6-2", 33),
];

fn metric(model: Model, name: &str) -> Metric {
    model.metric(name).unwrap_or_else(|| panic!("{}: {name}", model.name()))
}

fn with_latencies(model: Model) -> Vec<Metric> {
    model.metrics().filter(|metric| metric.latencies().len() > 0).collect()
}

/// Counts of a program that runs for a billion cycles at 3 GHz: each of eight slots a cycle
/// is of one kind, and whatever else happens does so in every thousandth cycle.
fn count(event: &str) -> RawCount {
    let kernel_or_none = |count| RawCount::new(count, None);
    let slots = |share: f64| kernel_or_none(8e9 * share);
    let parts = [
        ("topdown-retiring", 0.4),
        ("topdown-heavy-ops", 0.1),
        ("topdown-bad-spec", 0.1),
        ("topdown-br-mispredict", 0.05),
        ("topdown-fe-bound", 0.2),
        ("topdown-fetch-lat", 0.1),
        ("topdown-be-bound", 0.3),
        ("topdown-mem-bound", 0.2),
        ("slots", 1.0),
        ("SLOTS", 1.0),
    ];
    let is_part = |(name, _): &&(&str, f64)| event.contains(name);
    match parts.iter().find(is_part) {
        Some((_, share)) => slots(*share),
        None if event == "duration_time" => RawCount::new(1e9 / 3.0, Some(Clock::Program)),
        None if event.contains("CPU_CLK_UNHALTED") || event.contains("tsc") => kernel_or_none(1e9),
        None if event.contains("INST_RETIRED.ANY") => kernel_or_none(2e9),
        None => kernel_or_none(1e6),
    }
}

/// Three billion ticks a second; all else is one, and threads are counted.
struct Core;

impl Machine for Core {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SystemTscFreq => 3e9,
            Tool::SmtOn | Tool::CoreWide => 0.0,
            _ => 1.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }
}

fn plan(system: &System, metric: Metric, latencies: &Latencies) -> Plan {
    let request = Request::from(metric).with_latencies(latencies.clone());
    Plan::new([request], system, &Scope::ThisThread)
}

fn planned(plan: &Plan) -> &PlannedMetric {
    plan.metrics().first().expect("one was asked for")
}

/// The value, and whether it is an estimate.
fn value(system: &System, metric: Metric, latencies: &Latencies) -> (f64, bool) {
    let plan = plan(system, metric, latencies);
    let planned = planned(&plan);
    let value = measure::value(planned, &Core, |operand| count(operand.event()));
    (value.value(), value.is_estimate())
}

/// As many cycles for each event that the metrics of a model take.
fn stated(model: Model, cycles: f64) -> Latencies {
    let operands = with_latencies(model).into_iter().flat_map(Metric::latencies);
    operands.fold(Latencies::new(), |all, operand| {
        let of = LatencyOf::parse(operand.as_str()).expect("it is a latency");
        all.with_cycles(&of.to_string(), cycles)
    })
}

#[test]
fn nothing_is_counted() {
    for (model, cpuid, number) in MODELS {
        let system = System::builtin(cpuid, model);
        let metrics = with_latencies(model);
        assert_eq!(metrics.len(), number, "{}", model.name());
        for metric in metrics {
            let plan = plan(&system, metric, &Latencies::new());
            let missing = plan.missing().iter().map(|missing| missing.name());
            assert!(missing.clone().all(|name| LatencyOf::parse(name).is_none()), "{metric:?}");
            let resolved = plan.resolution();
            for one in resolved {
                assert!(!one.settings().retire_latency(), "{metric:?}: {}", one.name());
            }
            let planned = planned(&plan);
            let takes = |identifier: &str| LatencyOf::parse(identifier).is_some();
            assert!(!planned.operands().iter().any(|one| takes(one.identifier())), "{metric:?}");
            assert!(planned.latencies().iter().all(|one| takes(one.identifier())), "{metric:?}");
        }
    }
}

/// An event that is there twice takes one counter: with its latency as a second, it takes two.
#[test]
fn latencies_take_no_counter() {
    let model = x86::GRANITERAPIDS;
    let supply = Supply::of(model, "default_core", CoreState::default()).expect("as perfmon says");
    let pool = supply.pool().expect("it has counters");
    let one = Pool::new(Pool::first(1, 0).general(), pool.fixed());
    let lock = metric(model, "tma_lock_latency");
    let all = passes(&[lock], &UnknownMachine, Some(&supply.with_pool(one)));
    assert_eq!(all.iter().map(|pass| pass.fit()).collect::<Vec<_>>(), [Fit::Proven]);
}

/// The shares that were 746,666 % and 1,905,322 % of a count that was squared.
#[test]
fn shares_of_cycles() {
    let model = x86::GRANITERAPIDS;
    let system = System::builtin("GenuineIntel-6-AD-1", model);
    let local_mem = metric(model, "tma_local_mem");
    let plan = plan(&system, local_mem, &Latencies::new());
    let planned = planned(&plan);
    let counts = |operand: &Operand| {
        let count = match operand.event() {
            "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM" => 2_763_000.0,
            "MEM_LOAD_RETIRED.FB_HIT" => 0.0,
            "CPU_CLK_UNHALTED.THREAD" => 1e9,
            _ => 1e6,
        };
        RawCount::new(count, None)
    };
    let of_table = measure::value(planned, plan.machine(), counts);
    assert!((of_table.value() - 32.0).abs() < 0.1, "{of_table}");
    assert!(of_table.is_estimate());

    let model = x86::LUNARLAKE;
    let system = System::builtin("GenuineIntel-6-BD-1", model);
    let mispredicts = metric(model, "tma_cond_nt_mispredicts");
    let sampled = Latencies::new().with_cycles("BR_MISP_RETIRED.COND_NTAKEN_COST", 6.0);
    let (share, is_estimate) = value(&system, mispredicts, &sampled);
    assert!((share - 0.6).abs() < 1e-9, "{share}");
    assert!(!is_estimate);
}

/// What is measured after a plan was made takes the place of what the tables state.
#[test]
fn measured_later() {
    let model = x86::GRANITERAPIDS;
    let system = System::builtin("GenuineIntel-6-AD-1", model);
    let lock = metric(model, "tma_lock_latency");
    let mut plan = plan(&system, lock, &Latencies::new());
    let counts = |operand: &Operand| count(operand.event());
    let value = |plan: &Plan| {
        let value = measure::value(planned(plan), &Core, counts);
        (value.value(), value.is_estimate())
    };
    let (of_table, is_estimate) = value(&plan);
    assert!(is_estimate);
    let measured = Latencies::new().with_cycles("MEM_INST_RETIRED.LOCK_LOADS", 2.0 * 63.76);
    let meanwhile = measure::value_with(planned(&plan), &Core, &measured, counts);
    let meanwhile = (meanwhile.value(), meanwhile.is_estimate());
    plan.set_latencies(&measured);
    let (twice, is_estimate) = value(&plan);
    assert_eq!(meanwhile, (twice, false));
    assert!((twice / of_table - 2.0).abs() < 1e-9 && !is_estimate, "{of_table} {twice}");
    // Of another event, or none: it stays.
    plan.set_latencies(&Latencies::new().with_cycles("MEM_LOAD_RETIRED.FB_HIT", 1.0));
    assert_eq!(value(&plan), (twice, false));
}

#[test]
fn all_are_shares() {
    for (model, cpuid, _) in MODELS {
        let system = System::builtin(cpuid, model);
        let sampled = stated(model, 20.0);
        for metric in with_latencies(model) {
            let (value, is_estimate) = value(&system, metric, &sampled);
            let name = metric.name();
            assert!((0.0..=100.0).contains(&value), "{}: {name}: {value}", model.name());
            assert!(!is_estimate, "{metric:?}");
        }
    }
}

/// The means of the table, and the two events for which it has none.
#[test]
fn the_table_of_granite_rapids() {
    let (model, cpuid, number) = MODELS[0];
    let system = System::builtin(cpuid, model);
    let mut without = Vec::new();
    for metric in with_latencies(model) {
        let plan = plan(&system, metric, &Latencies::new());
        let unknown = planned(&plan).unknown_latencies();
        let unknown: Vec<_> = unknown.map(|one| one.identifier().to_string()).collect();
        let (value, is_estimate) = value(&system, metric, &Latencies::new());
        if unknown.is_empty() {
            assert!((0.0..=100.0).contains(&value), "{}: {value}", metric.name());
            assert!(is_estimate, "{metric:?}");
        } else {
            assert!(value.is_nan() && !is_estimate, "{metric:?}: {value}");
            without.push((metric.name(), unknown));
        }
    }
    let lacks = |name: &'static str| vec![format!("MEM_INST_RETIRED.{name}:R")];
    let expected = [
        ("tma_info_memory_tlb_load_stlb_miss_ret", lacks("STLB_MISS_LOADS")),
        ("tma_info_memory_tlb_store_stlb_miss_ret", lacks("STLB_MISS_STORES")),
    ];
    assert_eq!(without, expected, "of {number}");
}

/// The other models have no table, so that nothing has a value without the caller's.
#[test]
fn models_without_a_table() {
    for (model, cpuid, _) in &MODELS[1..] {
        let system = System::builtin(*cpuid, *model);
        for metric in with_latencies(*model) {
            let plan = plan(&system, metric, &Latencies::new());
            let unknown = planned(&plan).unknown_latencies().count();
            assert_eq!(unknown, metric.latencies().len(), "{metric:?}");
            let (value, is_estimate) = value(&system, metric, &Latencies::new());
            assert!(value.is_nan() && !is_estimate, "{metric:?}: {value}");
        }
    }
}

#[test]
fn the_statistic_is_selected() {
    let model = x86::GRANITERAPIDS;
    let system = System::builtin("GenuineIntel-6-AD-1", model);
    let lock = metric(model, "tma_lock_latency");
    let event = "MEM_INST_RETIRED.LOCK_LOADS";
    let of = |statistic| Latencies::new().with_statistic(statistic);
    let cases = [
        (Latencies::new(), 6.376, true),
        (of(LatencyStatistic::Min), 1.5, true),
        (of(LatencyStatistic::Max), 515.6, true),
        (of(LatencyStatistic::Max).with_cycles(event, 40.0), 4.0, false),
        (Latencies::new().with_cycles(event, -1.0), f64::NAN, false),
    ];
    for (latencies, expected, is_estimate) in cases {
        let found = value(&system, lock, &latencies);
        let is_same = (found.0 - expected).abs() < 1e-9 || found.0.is_nan() && expected.is_nan();
        assert!(is_same && found.1 == is_estimate, "{latencies:?}: {found:?}");
    }
}

/// A value is no estimate because its threshold takes a latency; without one, nobody knows
/// whether the threshold is crossed.
#[test]
fn latencies_of_thresholds() {
    let model = x86::GRANITERAPIDS;
    let system = System::builtin("GenuineIntel-6-AD-1", model);
    let only_threshold = |metric: &Metric| {
        metric.latencies().len() == 0 && metric.threshold_latencies_on(&UnknownMachine).len() > 0
    };
    let metrics: Vec<Metric> = model.metrics().filter(only_threshold).collect();
    let names = metrics.iter().map(|metric| metric.name()).collect::<Vec<_>>();
    assert!(names.contains(&"tma_store_stlb_miss_4k"), "{names:?}");
    let of = |metric: Metric, latencies: &Latencies| {
        let plan = plan(&system, metric, latencies);
        let planned = planned(&plan);
        let value = measure::value(planned, &Core, |operand| count(operand.event()));
        assert!(!value.value().is_nan() && !value.is_estimate(), "{metric:?}");
        value.is_crossed()
    };
    let unknown = stated(model, f64::NAN);
    for metric in metrics {
        assert!(of(metric, &Latencies::new()).is_some(), "{metric:?}");
        assert_eq!(of(metric, &unknown), None, "{metric:?}");
    }
}

#[test]
fn formulas_of_users() {
    let model = x86::GRANITERAPIDS;
    let system = System::builtin("GenuineIntel-6-AD-1", model);
    let text = "cost = MEM_INST_RETIRED.LOCK_LOADS * MEM_INST_RETIRED.LOCK_LOADS:R\n\
                share [100%] = tma_lock_latency\n\
                alone = cpu@MEM_INST_RETIRED.LOCK_LOADS@R\n\
                none = MEM_INST_RETIRED.STLB_MISS_LOADS:R\n\
                plain = MEM_INST_RETIRED.LOCK_LOADS";
    let formulas = text.parse::<Formulas>().and_then(|formulas| formulas.bind(&system));
    let plan = Plan::new(formulas.expect("it binds"), &system, &Scope::ThisThread);
    let value = |name: &str| {
        let is_it = |one: &&PlannedMetric| one.request().name() == name;
        let planned = plan.metrics().iter().find(is_it).expect("it is defined");
        let value = measure::value(planned, plan.machine(), |operand| count(operand.event()));
        (value.value(), value.is_estimate())
    };
    assert_eq!(value("cost"), (63.76e6, true));
    assert_eq!(value("alone"), (63.76, true));
    assert_eq!(value("plain"), (1e6, false));
    assert!((value("share").0 - 6.376).abs() < 1e-9 && value("share").1);
    assert!(value("none").0.is_nan() && !value("none").1);

    let wrong = "cost = 2 * MEM_INST_RETIRED.LOCK_LOAD:R".parse::<Formulas>().expect("it parses");
    let error = wrong.bind(&system).expect_err("there is no such event");
    assert_eq!((error.line(), error.column()), (1, 12));
    let near = "did you mean `MEM_INST_RETIRED.LOCK_LOADS`?";
    assert!(error.to_string().to_lowercase().contains(&near.to_lowercase()), "{error}");
}

/// A walk asks for counts only, and says which of its findings are estimates.
#[test]
fn drilling_down() {
    let [tree] = &Hierarchy::of(x86::GRANITERAPIDS)[..] else { panic!("it has one kind of core") };
    let walk = |latencies: Latencies| {
        let mut drill = Drill::new(tree).with_all().with_latencies(latencies);
        while let Some(step) = drill.next_step() {
            drill.learn(&step, &UnknownMachine, |metric, event| {
                assert_eq!(LatencyOf::parse(event.as_str()), None, "{metric:?}");
                count(event.as_str()).in_formula_of_tree().value().into()
            });
        }
        let number = tree.find("tma_lock_latency").expect("it is a node");
        *drill.finding(number).expect("all were walked")
    };
    let finding = walk(Latencies::new());
    assert!((finding.value() - 6.376).abs() < 1e-9 && finding.is_estimate(), "{finding:?}");
    let sampled = Latencies::new().with_cycles("MEM_INST_RETIRED.LOCK_LOADS", 40.0);
    let finding = walk(sampled);
    assert!((finding.value() - 4.0).abs() < 1e-9 && !finding.is_estimate(), "{finding:?}");
    let unknown = Latencies::new().with_cycles("MEM_INST_RETIRED.LOCK_LOADS", f64::NAN);
    let finding = walk(unknown);
    assert!(finding.value().is_nan() && finding.is_over().is_none(), "{finding:?}");
}
