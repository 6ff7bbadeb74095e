//! The modes of `pmu topdown`, on machines of four vendors: each finds what a program is.

use std::fmt::Write;

use pmu_events::topdown::Hierarchy;
use serde_json::Value;

use crate::machines_of_models::CPUS;
use crate::programs::{PROGRAMS, Program};
use crate::{Bench, RUNS, judge, objects, scenario, simulated};

const MODELS: [&str; 5] = ["sapphirerapids", "alderlake", "amdzen5", "arm/neoverse-n3", "power10"];
/// Programs, and words in the names of their bottlenecks.
const NAMES: [(&str, &[&str]); 2] = [
    ("memory latency", &["memory_latency", "mem_scheduler", "l2d_bound", "by_memory", "dmiss"]),
    ("mispredictions", &["mispred", "bad_speculation", "br_mpred"]),
];

fn words(program: &Program) -> Option<&'static [&'static str]> {
    NAMES.iter().find(|(name, _)| *name == program.name).map(|(_, words)| *words)
}

/// Each machine is made once.
#[test]
fn modes_of_topdown() {
    const CHECKS: [fn(&Bench, &Program); 8] = [
        the_whole_tree_in_one_run,
        intervals,
        utilization,
        cores,
        user_and_kernel,
        bottlenecks,
        fields,
        counts_from_files,
    ];
    let half = |first: usize| {
        for (n, name) in MODELS.iter().enumerate().skip(first).step_by(2) {
            let cpu = CPUS.iter().find(|cpu| cpu.model == *name).expect("it is one of them");
            let bench = Bench::new(cpu, n % 2 == 1);
            for program in PROGRAMS.iter().filter(|program| words(program).is_some()) {
                CHECKS.iter().for_each(|check| check(&bench, program));
            }
        }
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        half(0);
        other.join().expect("it does not panic");
    });
}

fn of_kind<'o>(objects: &'o [Value], kind: &str) -> Vec<&'o Value> {
    objects.iter().filter(|object| object["kind"] == kind).collect()
}

fn notes(objects: &[Value]) -> String {
    of_kind(objects, "note").iter().map(|note| format!("{}\n", note["note"])).collect()
}

/// What is wrong with the first findings of a tree of each kind of core.
fn wrong(bench: &Bench, program: &Program, nodes: &[&Value]) -> Vec<String> {
    let trees = Hierarchy::of(bench.model);
    let found = trees.iter().filter_map(|tree| {
        let of_tree = |node: &&&Value| node["pmu"] == tree.pmu();
        nodes.iter().find(of_tree)?;
        let first = nodes.iter().filter(of_tree).find(|node| node["rank"] == 1);
        let number = first.and_then(|first| tree.find(first["name"].as_str()?));
        let way = std::iter::successors(number, |&one| tree.nodes()[one].parent());
        let way: Vec<&str> = way.map(|one| tree.nodes()[one].metric().name()).collect();
        judge(bench, program, tree.pmu(), &way)
    });
    found.collect()
}

/// The same where only the first level is known.
fn wrong_at_first_level(bench: &Bench, program: &Program, nodes: &[&Value]) -> Vec<String> {
    let shares = [
        ("frontend", "common.frontend_bound"),
        ("bad_spec", "common.bad_speculation"),
        ("retiring", "common.retiring"),
        ("backend", "common.backend_bound"),
    ];
    let mut wrong = Vec::new();
    for node in nodes.iter().filter(|node| node["unit"] == "%") {
        let name = node["name"].as_str().expect("it has one");
        let quantity = shares.iter().find(|(word, _)| name.contains(word));
        let Some(truth) = quantity.and_then(|(_, quantity)| program.quantity(quantity)) else {
            continue;
        };
        let value = node["value"].as_f64().unwrap_or(f64::NAN) / 100.0;
        // Cores without such slots have stalls.
        let has_slots = bench.cpu.like != "neoverse-n1" && bench.cpu.like != "power9";
        if has_slots && (value - truth).abs() > 0.07 {
            wrong.push(format!("{name} is {value}, not {truth}"));
        }
    }
    wrong
}

/// All nodes share the counters of one run, and it is said.
fn the_whole_tree_in_one_run(bench: &Bench, program: &Program) {
    let scenario = scenario(bench, program, false, 4 * RUNS);
    let arguments = ["topdown", "-j", "--single-run", "--all", "true"];
    let objects = bench.pmu(&scenario, &arguments);
    let context = format!("{} {}", bench.cpu.model, program.name);
    let run = of_kind(&objects, "topdown")[0];
    assert_eq!(run["passes"].as_array().map(Vec::len), Some(1), "{context}");
    let nodes = of_kind(&objects, "node");
    for tree in Hierarchy::of(bench.model) {
        let own = nodes.iter().filter(|node| node["pmu"] == tree.pmu());
        assert_eq!(own.count(), tree.nodes().len(), "{context}");
    }
    let is_shared = nodes
        .iter()
        .any(|node| node["running"].as_f64().is_some_and(|running| running > 0.0 && running < 0.9));
    assert!(is_shared, "{context}: nothing was multiplexed");
    assert!(notes(&objects).contains("multiplexed"), "{context}: {}", notes(&objects));
    assert_eq!(wrong(bench, program, &nodes), Vec::<String>::new(), "{context}");
}

/// Each interval has a tree of its own. (On the simulated kernel, the program has run when it is
/// first waited for.)
fn intervals(bench: &Bench, program: &Program) {
    let scenario = scenario(bench, program, false, RUNS);
    let arguments = ["topdown", "-j", "-I", "50", "-l", "1", "true"];
    let objects = bench.pmu(&scenario, &arguments);
    let context = format!("{} {}", bench.cpu.model, program.name);
    let nodes = of_kind(&objects, "node");
    assert!(!nodes.is_empty(), "{context}");
    for node in &nodes {
        assert!(node["interval"].as_f64().is_some_and(|end| end > 0.0), "{context}: {node}");
        assert_eq!(node["level"], 1, "{context}");
        let share = node["share"].as_f64();
        assert!(share.is_none_or(|share| (-0.05..1.05).contains(&share)), "{node}");
    }
    assert_eq!(wrong_at_first_level(bench, program, &nodes), Vec::<String>::new(), "{context}");
    let used = of_kind(&objects, "utilization");
    assert!(used.iter().all(|used| used["idle"].as_f64() < Some(0.02)), "{context}: {used:?}");
}

/// A program that waits half of the time does not look busy.
fn utilization(bench: &Bench, program: &Program) {
    for is_idle in [false, true] {
        let scenario = scenario(bench, program, is_idle, RUNS);
        let objects = bench.pmu(&scenario, &["topdown", "-j", "-l", "1", "true"]);
        let [used] = of_kind(&objects, "utilization")[..] else { panic!("{objects:?}") };
        let expected = if is_idle { 0.5 } else { 1.0 };
        let number = |key: &str| used[key].as_f64().expect("it is a number");
        let context = format!("{} {}: {used}", bench.cpu.model, program.name);
        assert!((number("cpus_used") - expected).abs() < 0.02, "{context}");
        assert!((number("idle") - (1.0 - expected)).abs() < 0.02, "{context}");
        assert!(used["cpus"].is_null(), "{context}");
    }
}

/// Each core has its own tree: one with the program, others with nothing.
fn cores(bench: &Bench, program: &Program) {
    let scenario = scenario(bench, program, false, RUNS);
    let arguments = ["topdown", "-j", "-a", "--per-core", "true"];
    let objects = bench.pmu(&scenario, &arguments);
    let context = format!("{} {}", bench.cpu.model, program.name);
    let nodes = of_kind(&objects, "node");
    let mut places: Vec<&str> = nodes.iter().filter_map(|one| one["place"].as_str()).collect();
    places.dedup();
    let expected: Vec<String> = (0..places.len()).map(|core| format!("S0-D0-C{core}")).collect();
    assert_eq!(places, expected, "{context}");
    assert!(places.len() > 3, "{context}");
    for (core, place) in places.into_iter().enumerate() {
        let own: Vec<&Value> =
            nodes.iter().filter(|node| node["place"] == place).copied().collect();
        let is_busy = crate::cpus(bench.cpu).contains(&(core as u32));
        let has_value = own.iter().any(|node| node["value"].as_f64().is_some_and(|v| v > 0.0));
        assert_eq!(has_value, is_busy, "{context} {place}");
        // A core has the tree of its own kind.
        assert!(own.iter().all(|node| node["pmu"] == own[0]["pmu"]), "{context} {place}");
        if is_busy {
            assert_eq!(wrong(bench, program, &own), Vec::<String>::new(), "{context} {place}");
        }
    }
}

/// The programs run in user mode, and nothing else does.
fn user_and_kernel(bench: &Bench, program: &Program) {
    let scenario = scenario(bench, program, false, RUNS);
    let context = format!("{} {}", bench.cpu.model, program.name);
    let user = bench.pmu(&scenario, &["topdown", "-j", "--user", "true"]);
    let nodes = of_kind(&user, "node");
    assert_eq!(wrong(bench, program, &nodes), Vec::<String>::new(), "{context}");
    let kernel = bench.pmu(&scenario, &["topdown", "-j", "--kernel", "true"]);
    for node in of_kind(&kernel, "node") {
        let value = node["value"].as_f64();
        assert!(value.is_none_or(|value| value == 0.0) || node["level"] != 1, "{node}");
        assert_ne!(node["leaf"], true, "{context}: {node}");
    }
}

/// The parts of the whole are the whole, and the largest is what the program is.
fn bottlenecks(bench: &Bench, program: &Program) {
    let scenario = scenario(bench, program, false, RUNS);
    let objects = bench.pmu(&scenario, &["topdown", "-j", "--bottlenecks", "true"]);
    let context = format!("{} {}", bench.cpu.model, program.name);
    let all = of_kind(&objects, "bottleneck");
    for tree in Hierarchy::of(bench.model) {
        let own: Vec<&&Value> = all.iter().filter(|one| one["pmu"] == tree.pmu()).collect();
        let part = |one: &Value| one["part"].as_f64().expect("it is a number");
        let sum: f64 = own.iter().map(|one| part(one)).sum();
        let shown: String = own.iter().fold(String::new(), |mut text, one| {
            writeln!(text, "{} {}", one["name"], one["part"]).expect("it is a string");
            text
        });
        assert!((sum - 1.0).abs() < 0.05, "{context} {}: {sum}\n{shown}", tree.pmu());
        let parts: Vec<f64> = own.iter().map(|one| part(one)).collect();
        assert!(parts.is_sorted_by(|a, b| a >= b), "{context}: {parts:?}");
        let first = own[0]["name"].as_str().expect("it has one").to_ascii_lowercase();
        let mut words = words(program).into_iter().flatten();
        assert!(words.any(|word| first.contains(word)), "{context}: {first}\n{shown}");
    }
}

/// Fields say what objects say.
fn fields(bench: &Bench, program: &Program) {
    let scenario = scenario(bench, program, true, RUNS);
    let nodes = bench.pmu(&scenario, &["topdown", "-j", "-l", "2", "true"]);
    let nodes = of_kind(&nodes, "node");
    let mut command = simulated::pmu(&bench.machine, bench.cpu.cpuid, &scenario);
    command.env("PROCFS_PATH", bench.machine.root().join("proc"));
    let output = command.args(["topdown", "-x;", "-l", "2", "true"]).output().expect("it runs");
    let text = String::from_utf8(output.stderr).expect("it is text");
    let mut lines = text.lines().skip_while(|line| !line.starts_with("interval;"));
    let names: Vec<&str> = lines.next().expect("it has names").split(';').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(';').collect()).collect();
    let column = |row: &[&str], name: &str| {
        let at = names.iter().position(|own| *own == name).expect("it is a column");
        row[at].to_owned()
    };
    let context = format!("{} {}: {text}", bench.cpu.model, program.name);
    assert!(rows.iter().all(|row| row.len() == names.len()), "{context}");
    let idle = rows.iter().find(|row| column(row, "name") == "idle").expect("it is there");
    let idle: f64 = column(idle, "value").parse().expect("it is a number");
    assert!((idle - 50.0).abs() < 2.0, "{context}");
    let of_nodes: Vec<_> = rows.iter().filter(|row| column(row, "level") != "0").collect();
    assert_eq!(of_nodes.len(), nodes.len(), "{context}");
    for (row, node) in of_nodes.iter().zip(nodes) {
        for name in ["model", "pmu", "name", "unit", "parent"] {
            assert_eq!(column(row, name), node[name].as_str().unwrap_or_default(), "{context}");
        }
        let value = column(row, "value").parse().unwrap_or(f64::NAN);
        let other = node["value"].as_f64().unwrap_or(f64::NAN);
        let is_same = value == other || (value - other).abs() < 1e-9 * other.abs();
        assert!(is_same || value.is_nan() && other.is_nan(), "{value} {other} {context}");
        let rank = node["rank"].as_u64().map(|rank| rank.to_string());
        assert_eq!(column(row, "rank"), rank.unwrap_or_default(), "{context}");
    }
}

/// The first findings, and their values in percent.
fn first(nodes: &[&Value]) -> Vec<(String, i64)> {
    let first = nodes.iter().filter(|node| node["rank"] == 1);
    let value = |node: &Value| node["value"].as_f64().unwrap_or(f64::NAN).round() as i64;
    first.map(|node| (node["name"].to_string(), value(node))).collect()
}

/// What `pmu stat` has written is a tree, of which the same is found, without the machine.
fn counts_from_files(bench: &Bench, program: &Program) {
    let scenario = scenario(bench, program, true, 4 * RUNS);
    let trees = Hierarchy::of(bench.model);
    let names: Vec<&str> = trees
        .iter()
        .flat_map(Hierarchy::nodes)
        .filter(|node| node.level() <= 2)
        .map(|node| node.metric().name())
        .collect();
    let metrics = names.join(",");
    let live = bench.pmu(&scenario, &["topdown", "-j", "--single-run", "true"]);
    let file = bench.machine.path("/counts");
    let file = file.to_str().expect("it is UTF-8");
    for form in [&["-j"][..], &["-x,"], &["-x\\t", "-I", "100"]] {
        let context = format!("{} {} {form:?}", bench.cpu.model, program.name);
        let stat = ["stat", "-o", file, "-e", "task-clock", "-M", &metrics];
        let stat = [&stat, form, &["true"]].concat();
        let mut command = simulated::pmu(&bench.machine, bench.cpu.cpuid, &scenario);
        command.env("PROCFS_PATH", bench.machine.root().join("proc"));
        assert!(command.args(stat).output().expect("it runs").status.success(), "{context}");
        let text = std::fs::read_to_string(file).expect("it was written");
        let import = ["topdown", "-j", "-l", "2", "--import", file];
        let objects = objects(&bench.machine, bench.cpu, &scenario, &import);
        let nodes = of_kind(&objects, "node");
        let mut ends: Vec<&Value> = nodes.iter().map(|node| &node["interval"]).collect();
        ends.dedup();
        assert_eq!(ends.iter().all(|end| end.is_null()), form.len() == 1, "{context}");
        if form.len() == 1 {
            assert_eq!(first(&nodes), first(&of_kind(&live, "node")), "{context}: {text}");
            let [used] = of_kind(&objects, "utilization")[..] else { panic!("{context}") };
            let used = used["cpus_used"].as_f64().expect("it is a number");
            assert!((used - 0.5).abs() < 0.02, "{context}: {used}");
        }
    }
}
