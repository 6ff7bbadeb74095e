//! Programs whose bottleneck is known, on machines of many models: the library, `pmu topdown` and
//! `pmu stat -M` on the simulated kernel.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

extern crate pmu_events as pmu_events_core;

mod counters;
#[allow(dead_code)] // `tests/consistent` uses more of it.
#[path = "../../../tests/consistent/counts.rs"]
mod counts;
mod expected;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../../tests/machines/mod.rs"]
mod machines;
mod machines_of_models;
mod modes;
#[path = "../../../tests/consistent/parts.rs"]
mod parts;
mod programs;
#[allow(dead_code)] // As above.
#[path = "../../../tests/consistent/scales.rs"]
mod scales;
#[path = "../common/simulated.rs"]
mod simulated;
#[path = "../../../tests/kernel/src/situations.rs"]
#[allow(dead_code, reason = "counts of tests/kernel")]
mod situations;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pmu_events::__private::glob;
use pmu_events::format::Word;
use pmu_events::measure::{Plan, Request};
use pmu_events::metric::LatencyOf;
use pmu_events::open::Options;
use pmu_events::topdown::{Drill, Hierarchy};
use pmu_events::{Model, Scope, System, arch};
use serde_json::Value;
use simulated_kernel::scenario::{Preloaded, Scenario};
use simulated_kernel::world::Tid;
use simulated_kernel::{Entered, Simulation};

use counts::{Counts, Events};
use machines::Machine;
use machines_of_models::{CPUS, Cpu};
use programs::{PROGRAMS, Program};
use situations::{Run, SITUATIONS};

/// Microseconds that a program runs: long enough that each group has the counters for a while. Counts
/// are those of a second in a thousand of them, so that rare events occur in each.
const RUNS: u64 = 200_000;

/// The same where the metrics of all levels share the counters.
const RUNS_LONG: u64 = 1_000_000;

/// The models of which every program is tried, without a break and idle half of the time, and metrics of
/// all levels: `PROGRAMS=all`, or a shell pattern. Otherwise half of the programs are idle, and two levels
/// are counted at once, which takes a twentieth of the time.
fn tried_whole() -> Option<String> {
    let which = std::env::var("PROGRAMS").ok()?;
    Some(if which == "all" { "*".into() } else { which })
}

/// The kernel counts MSRs as it does software events: for tasks as well, and without a counter. The
/// simulated one does so with tracepoints.
const MSR: u32 = 2;

fn model(cpu: &Cpu) -> Model {
    let mut models = arch::TREES.iter().filter_map(|(_, tree)| tree.model(cpu.cpuid));
    let model = models.next().expect("a tree has it");
    assert_eq!(model.name(), cpu.model);
    model
}

fn machine(cpu: &Cpu, has_watchdog: bool) -> Machine {
    let machine = Machine::named(cpu.like);
    machine.write("/proc/sys/kernel/nmi_watchdog", if has_watchdog { "1" } else { "0" });
    if cpu.cpuid.starts_with("GenuineIntel") {
        // The frequency of the time-stamp counter, of which `tests/consistent` has the ticks.
        let name = "vendor_id\t: GenuineIntel\nmodel name\t: Made up @ 2.10GHz\n";
        machine.write("/proc/cpuinfo", name);
    }
    machine.write("/devices/system/cpu/smt/active", "0\n");
    for n in 0..8 {
        machine.write(&format!("/devices/system/cpu/cpu{n}/topology/core_id"), format!("{n}\n"));
        machine.write(&format!("/devices/system/cpu/cpu{n}/topology/physical_package_id"), "0\n");
    }
    if cpu.cpuid.starts_with("GenuineIntel") || cpu.cpuid.starts_with("AuthenticAMD") {
        machine.write("msr/type", format!("{MSR}\n"));
    }
    match cpu.like {
        "neoverse-n1" => {
            let slots = format!("0x{:x}\n", cpu.width.big as u32);
            machine.write("armv8_pmuv3_0/caps/slots", slots);
        }
        "alderlake" if ["arrowlake", "lunarlake"].contains(&cpu.model) => {
            machine.write("cpu_core/format/eq", "config:36\n");
        }
        // Codes of POWER10 are longer.
        "power9" => machine.write("cpu/format/event", "config:0-59\n"),
        _ => {}
    }
    machine
}

/// A thing that is counted: a PMU's type and words, and the words of tables for it.
type Coded = BTreeMap<(u32, u64, u64), (String, &'static str)>;

/// All events of a model's core that its tables or its metrics name, by their codes.
fn coded(model: Model, system: &System) -> Coded {
    let requests = model.metrics().flat_map(|metric| Request::each(metric, system));
    let plan = Plan::new(requests, system, &Scope::AllCpus);
    let mut all = Coded::new();
    let mut add = |event: &str, identifier: &str, pmu: &'static str| {
        let Ok(resolved) = system.require(event) else { return };
        for one in resolved.events().iter() {
            let Some(own) = one.pmu().filter(|own| own.is_core()) else { continue };
            if own.is_of_unit(pmu) || pmu == "default_core" {
                let code = (one.type_(), one.words().config(), one.words().get(Word::Config1));
                all.entry(code).or_insert_with(|| (identifier.to_owned(), pmu));
            }
        }
    };
    for planned in plan.metrics() {
        let Some(metric) = planned.request().metric() else { continue };
        for operand in planned.operands() {
            add(operand.event(), operand.identifier(), metric.pmu());
        }
    }
    for event in model.events() {
        add(event.name(), event.name(), event.pmu());
    }
    all
}

/// One CPU of each kind.
fn cpus(cpu: &Cpu) -> &'static [u32] {
    if cpu.like == "alderlake" { &[0, 5] } else { &[0] }
}

/// What the machine is, and what runs on it.
fn scenario(bench: &Bench, program: &Program, is_idle: bool, microseconds: u64) -> String {
    let Bench { cpu, model, coded, events, has_watchdog, .. } = bench;
    let run = Run { situation: SITUATIONS[0], seed: 1 };
    let width = cpu.width;
    let of_program = |name: &str, least| program.in_a_cycle(name, least, width);
    let counts = Counts::of(events, run).with_program(Rc::new(of_program));
    let mut text = counters::lines(cpu, *model, coded, *has_watchdog);
    for register in 0..4 {
        writeln!(text, "rate {MSR} config={register} user=2100").unwrap();
    }
    for stretch in cpus(cpu) {
        writeln!(text, "program cpu={stretch} us={microseconds}").unwrap();
        if is_idle {
            writeln!(text, "program us={microseconds}").unwrap();
        }
    }
    for (&(type_, config, config1), (identifier, pmu)) in coded {
        let count = counts.operand(identifier, pmu).value();
        let rate = (count / 1e3).round() as u64;
        writeln!(text, "rate {type_} config=0x{config:x} config1=0x{config1:x} user={rate}")
            .unwrap();
    }
    text
}

fn objects(machine: &Machine, cpu: &Cpu, scenario: &str, arguments: &[&str]) -> Vec<Value> {
    let mut command = simulated::pmu(machine, cpu.cpuid, scenario);
    command.env("PROCFS_PATH", machine.root().join("proc"));
    let output = command.args(arguments).output().expect("it runs");
    let err = String::from_utf8(output.stderr).expect("it is text");
    assert!(output.status.success(), "{}: {arguments:?}: {err}", cpu.model);
    err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// A machine of a model, and what its events are.
struct Bench {
    cpu: &'static Cpu,
    model: Model,
    machine: Machine,
    coded: Coded,
    events: Events,
    /// Whether the NMI watchdog has a counter: one of two machines, so that there are both.
    has_watchdog: bool,
    of_core: OnceCell<Asked>,
}

impl Bench {
    fn new(cpu: &'static Cpu, has_watchdog: bool) -> Self {
        let (model, machine) = (model(cpu), machine(cpu, has_watchdog));
        if cpu.like == "neoverse-n1" {
            // The kernel names the events that a core has.
            for event in model.events() {
                let Some(code) = event.terms().find(|term| term.to_string().starts_with("event="))
                else {
                    continue;
                };
                let name = event.name().to_ascii_lowercase();
                machine.write(&format!("armv8_pmuv3_0/events/{name}"), format!("{code}\n"));
            }
        }
        let coded = coded(model, &machine.system().with_model(model));
        let (events, of_core) = (Events::of(model), OnceCell::new());
        Bench { cpu, model, machine, coded, events, has_watchdog, of_core }
    }

    fn system(&self) -> System {
        let proc = self.machine.root().join("proc");
        self.machine.system().with_proc(proc).with_model(self.model)
    }

    fn pmu(&self, scenario: &str, arguments: &[&str]) -> Vec<Value> {
        objects(&self.machine, self.cpu, scenario, arguments)
    }
}

/// All programs on all machines, half of which each of two threads has. Where every program runs both without
/// a break and idle half of the time, all are tried; otherwise half of them are idle, on each machine
/// others ([`tried_whole`]).
fn each(are_both: bool, check: impl Fn(&Bench, &'static Program, bool) -> Vec<String> + Sync) {
    let whole = tried_whole();
    let are_both = are_both || whole.is_some();
    let half = |first: usize| {
        let mut wrong = Vec::new();
        for (n, cpu) in CPUS.iter().enumerate().skip(first).step_by(2) {
            if whole.as_ref().is_some_and(|models| !glob::matches(models, cpu.model)) {
                continue;
            }
            let bench = Bench::new(cpu, n / 2 % 2 == 1);
            for (of_cpu, program) in PROGRAMS.iter().enumerate() {
                let is_odd = (n / 2 + of_cpu) % 2 == 1;
                for is_idle in [false, true].into_iter().filter(|&one| are_both || one == is_odd) {
                    let found = check(&bench, program, is_idle);
                    let idle = if is_idle { ", idle half of the time" } else { "" };
                    let what = format!("{} ({}): {}{idle}", cpu.model, cpu.cpuid, program.name);
                    wrong.extend(found.into_iter().map(|found| format!("{what}: {found}")));
                }
            }
        }
        wrong
    };
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut wrong = half(0);
        wrong.extend(other.join().expect("it does not panic"));
        wrong
    });
    assert!(wrong.is_empty(), "{}: {:#?}", wrong.len(), &wrong[..wrong.len().min(60)]);
}

/// Whether the way from the top to the first finding has the expected node.
fn judge(bench: &Bench, program: &Program, pmu: &str, way: &[&str]) -> Option<String> {
    let number = expected::number(bench.cpu.model, pmu, program.name)?;
    let node = expected::ALL[number].node;
    let is_it = |one: &&str| glob::matches(node, one);
    let is_right = if node.is_empty() { way.is_empty() } else { way.iter().any(is_it) };
    (!is_right).then(|| format!("{pmu}: {way:?} has not `{node}`"))
}

/// Estimates are off by what their latencies are; they make sense at least.
const BOUND_OF_ESTIMATES: f64 = 100.0 * (1.0 + Drill::TOLERANCE);

/// What is wrong with a share of a whole.
fn out_of_range(name: &str, value: f64, unit: &str, is_estimate: bool) -> Option<String> {
    let is_share = unit.starts_with('%') || unit.starts_with("percent");
    let most = if is_estimate { BOUND_OF_ESTIMATES } else { 100.0 + 1e-3 };
    (is_share && !(-1e-3..=most).contains(&value)).then(|| format!("{name} is {value} {unit}"))
}

#[test]
fn pmu_topdown_finds_what_a_program_is() {
    each(false, |bench, program, is_idle| {
        let trees = Hierarchy::of(bench.model);
        if trees.is_empty() {
            assert_eq!(bench.cpu.model, "amdzen3", "its tables have no top-down tree");
            return Vec::new();
        }
        let objects =
            bench.pmu(&scenario(bench, program, is_idle, RUNS), &["topdown", "-j", "true"]);
        let passes = objects[0]["passes"].to_string();
        let nodes: Vec<&Value> = objects.iter().filter(|one| one["kind"] == "node").collect();
        // What cannot be counted has a note that names it.
        let notes = objects.iter().filter(|one| one["kind"] == "note");
        let notes: String = notes.map(|one| one["note"].to_string()).collect();
        let mut wrong = Vec::new();
        for node in &nodes {
            let text = |key: &str| node[key].as_str().unwrap_or_default();
            let running = node["running"].as_f64().unwrap_or_default();
            let is_estimated = running > 0.0 && running < 1.0;
            if is_estimated && !passes.contains("multiplexed") {
                wrong.push(format!("{} is multiplexed, and no pass says so", text("name")));
            }
            match node["value"].as_f64() {
                Some(value) => wrong.extend(out_of_range(
                    text("name"),
                    value,
                    text("unit"),
                    node["estimate"] == true,
                )),
                None if running > 0.0 || notes.contains(&format!("`{}`", text("name"))) => {}
                None => wrong.push(format!("{} was not counted", text("name"))),
            }
        }
        for tree in &trees {
            let of_tree = |node: &&&Value| node["pmu"] == tree.pmu();
            let first = nodes.iter().filter(of_tree).find(|node| node["rank"] == 1);
            let number = first.and_then(|first| tree.find(first["name"].as_str()?));
            let way = std::iter::successors(number, |&one| tree.nodes()[one].parent());
            let way: Vec<&str> = way.map(|one| tree.nodes()[one].metric().name()).collect();
            wrong.extend(judge(bench, program, tree.pmu(), &way));
        }
        wrong
    });
}

/// Metrics all of whose events are those of a core, or time: those of the first two levels of the
/// tree, or all without one ([`tried_whole`]).
fn of_core(bench: &Bench) -> Asked {
    let levels = if tried_whole().is_some() { usize::MAX } else { 2 };
    let system = bench.system();
    let trees = Hierarchy::of(bench.model);
    let mut names: Vec<&str> = Vec::new();
    for metric in bench.model.metrics().filter(|metric| !metric.has_parameter()) {
        let node = trees.iter().find_map(|tree| Some(&tree.nodes()[tree.find(metric.name())?]));
        let is_asked =
            node.map_or(trees.is_empty(), |node| node.level() <= levels && !node.is_indicator());
        let plan = Plan::new([metric], &system, &Scope::ThisThread);
        let is_of_core = || {
            let resolved = plan.resolution();
            resolved.events().iter().all(|one| one.pmu().is_none_or(|pmu| pmu.is_core()))
        };
        let can_be_counted = plan.missing().is_empty() && plan.unknown().is_empty();
        if is_asked && can_be_counted && is_of_core() && !names.contains(&metric.name()) {
            names.push(metric.name());
        }
    }
    let latencies = latencies(bench, &names);
    Asked { names, latencies }
}

/// What `pmu stat` is asked for.
struct Asked {
    names: Vec<&'static str>,
    /// Retirement latencies, as options have them.
    latencies: String,
}

/// What samples would tell of retirement latencies that the tables do not state.
fn latencies(bench: &Bench, names: &[&str]) -> String {
    const CYCLES: u32 = 12;
    let asked = bench.model.metrics().filter(|metric| names.contains(&metric.name()));
    let plan = Plan::new(asked, &bench.system(), &Scope::ThisThread);
    let unknown = plan.metrics().iter().flat_map(|planned| planned.unknown_latencies());
    let stated = unknown.map(|one| {
        let of = LatencyOf::parse(one.identifier()).expect("it is a latency");
        format!("{}={CYCLES}", of.event())
    });
    let all: BTreeSet<String> = stated.collect();
    Vec::from_iter(all).join(",")
}

#[test]
fn pmu_stat_counts_all_that_it_shows() {
    each(false, |bench, program, is_idle| {
        let Asked { names, latencies } = bench.of_core.get_or_init(|| of_core(bench));
        let joined = names.join(",");
        let mut arguments = vec!["stat", "-j", "-M", &joined];
        if !latencies.is_empty() {
            arguments.extend(["--retire-latency", latencies]);
        }
        arguments.push("true");
        let microseconds = if tried_whole().is_some() { RUNS_LONG } else { RUNS };
        let objects = bench.pmu(&scenario(bench, program, is_idle, microseconds), &arguments);
        let trees = Hierarchy::of(bench.model);
        let (mut wrong, mut shown) = (Vec::new(), Vec::new());
        for object in &objects {
            let Some(unit) = object["metric-unit"].as_str().filter(|unit| !unit.is_empty()) else {
                continue;
            };
            let (unit, name) = unit.split_once("  ").unwrap_or(("", unit));
            let value = object["metric-value"].as_str().and_then(|value| value.parse::<f64>().ok());
            let node = trees.iter().find_map(|tree| Some(&tree.nodes()[tree.find(name)?]));
            shown.push(name);
            match value.filter(|value| !value.is_nan()) {
                Some(value) if node.is_some_and(|node| !node.is_indicator()) => {
                    let is_estimate = object["metric-estimate"] == true;
                    wrong.extend(out_of_range(name, value, unit, is_estimate));
                }
                Some(_) => {}
                None => wrong.push(format!("{name} has no value")),
            }
        }
        for name in names.iter().filter(|name| !shown.contains(name)) {
            wrong.push(format!("{name} is not shown"));
        }
        if shown.len() < 2 {
            wrong.push(format!("{} metrics are shown", shown.len()));
        }
        wrong
    });
}

/// How far a quantity may be off what the program has, as a share of the slots: counts are
/// those of some of the time.
const BOUND_AS_DEFINED: f64 = 0.02;

/// The same where the model states a difference, such as that the slots of a recovery are
/// estimated.
const BOUND_WITH_DIFFERENCE: f64 = 0.07;

/// Whatever the model, a quantity of one name has the value that the program has, as far as
/// the model states no difference.
#[test]
fn quantities_of_one_name_are_those_of_the_program() {
    const SHARES: [&str; 4] = [
        "common.frontend_bound",
        "common.bad_speculation",
        "common.retiring",
        "common.backend_bound",
    ];
    let compared = AtomicUsize::new(0);
    each(false, |bench, program, is_idle| {
        let of_model = |name: &&str| bench.model.metric(name).is_some();
        let names: Vec<&str> = SHARES.into_iter().filter(of_model).collect();
        let lacks = || bench.model.lacking().map(|(name, _)| name);
        if names.is_empty() {
            assert!(SHARES.iter().all(|name| lacks().any(|lack| lack == *name)));
            return Vec::new();
        }
        let joined = format!("{},common.cpus_used", names.join(","));
        let arguments = ["stat", "-j", "-M", &joined, "true"];
        let objects = bench.pmu(&scenario(bench, program, is_idle, RUNS), &arguments);
        let mut wrong = Vec::new();
        for object in &objects {
            let Some(unit) = object["metric-unit"].as_str().filter(|unit| !unit.is_empty()) else {
                continue;
            };
            let name = unit.rsplit(' ').next().unwrap_or_default();
            let value = object["metric-value"].as_str().and_then(|value| value.parse::<f64>().ok());
            let Some(value) = value else {
                wrong.push(format!("{name} has no value"));
                continue;
            };
            let (value, truth, bound) = match program.quantity(name) {
                Some(truth) => {
                    let mut metrics = bench.model.metrics();
                    let differs = metrics.any(|m| m.name() == name && m.difference().is_some());
                    let bound = if differs { BOUND_WITH_DIFFERENCE } else { BOUND_AS_DEFINED };
                    (value / 100.0, truth, bound)
                }
                None => (value, if is_idle { 0.5 } else { 1.0 }, BOUND_AS_DEFINED),
            };
            compared.fetch_add(1, Ordering::Relaxed);
            if (value - truth).abs() > bound {
                wrong.push(format!("{name} is {value:.3}, not {truth:.3}"));
            }
        }
        wrong
    });
    if tried_whole().is_none() {
        assert!(compared.into_inner() > 800);
    }
}

/// The simulated kernel of a process, for which it counts.
struct Laboratory {
    simulation: Simulation,
    _entered: Entered,
}

const SELF: Tid = 100;

impl Laboratory {
    fn new(bench: &Bench, scenario: &str) -> Self {
        let scenario = Scenario::parse(scenario).expect("it can be read");
        let mut kernel = Preloaded::new(scenario).kernel();
        kernel.spawn(SELF, 0);
        let simulation = Simulation::new(kernel);
        simulation.set_sysfs(bench.machine.root());
        let entered = simulation.enter(SELF);
        Laboratory { simulation, _entered: entered }
    }

    /// Lets the program run on one CPU of each kind.
    fn run(&self, bench: &Bench, is_idle: bool, microseconds: u64) {
        let mut kernel = self.simulation.kernel();
        for &cpu in cpus(bench.cpu) {
            kernel.place(SELF, Some(cpu)).expect("the CPU is online");
            kernel.run(1000 * microseconds);
            kernel.place(SELF, None).expect("it may wait");
            if is_idle {
                kernel.run(1000 * microseconds);
            }
        }
    }
}

/// What a program's own drill-down finds: the tree, and the way to the first finding.
fn drilled(
    bench: &Bench,
    laboratory: &Laboratory,
    tree: &Hierarchy,
    is_idle: bool,
) -> Vec<&'static str> {
    let system = bench.system();
    let machine = system.machine(&Scope::AllCpus);
    let mut drill = Drill::new(tree);
    while let Some(step) = drill.next_step() {
        let metrics = step.metrics().iter().copied();
        let plan = Plan::new(metrics, &system, &Scope::AllCpus);
        let mut readings = Vec::new();
        for pass in 0..plan.passes() {
            let options = Options::new().with_scope(Scope::AllCpus);
            let mut counters = plan.pass(pass).open(&options).expect("they can be opened");
            counters.enable().expect("they can be enabled");
            laboratory.run(bench, is_idle, 4000);
            readings.push(counters.read());
        }
        let readings: Vec<_> = readings.iter().collect();
        drill
            .learn(&step, &machine, |metric, event| plan.count_in_passes(metric, event, &readings));
    }
    let first = drill.leaves().first().map(|leaf| leaf.number());
    let way = std::iter::successors(first, |&one| tree.nodes()[one].parent());
    way.map(|one| tree.nodes()[one].metric().name()).collect()
}

#[test]
fn the_library_finds_what_a_program_is() {
    each(true, |bench, program, is_idle| {
        let laboratory = Laboratory::new(bench, &scenario(bench, program, is_idle, RUNS));
        let mut wrong = Vec::new();
        for tree in &Hierarchy::of(bench.model) {
            let way = drilled(bench, &laboratory, tree, is_idle);
            wrong.extend(judge(bench, program, tree.pmu(), &way));
        }
        wrong
    });
}

/// Each expectation is that of some machine, and each has a reason if it is not what the program is.
#[test]
fn expectations_are_needed() {
    let mut is_needed = vec![false; expected::ALL.len()];
    for cpu in &CPUS {
        for tree in Hierarchy::of(model(cpu)) {
            for program in &PROGRAMS {
                let number = expected::number(cpu.model, tree.pmu(), program.name);
                is_needed[number.expect("each has an expectation")] = true;
            }
        }
    }
    let idle: Vec<_> = expected::ALL.iter().zip(is_needed).filter(|(_, is)| !is).collect();
    assert!(idle.is_empty(), "{idle:#?}");
}
