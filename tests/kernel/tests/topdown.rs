//! Drilling down the kernel's trees and `arch/`: counts under which a leaf and all
//! above it are over their thresholds lead to that leaf.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use pmu_events::Model;
use pmu_events::event_list::Tool;
use pmu_events::expr::{EventValue, Identifier, Machine};
use pmu_events::metric::{Latencies, LatencyOf};
use pmu_events::topdown::{Drill, Hierarchy};
use pmu_events_kernel_comparison::compiled::compiled;
use pmu_events_kernel_comparison::{Arch, kernel_arch, own_arch_dir};

/// One of several threads of a core, counted core-wide.
struct Situation;

impl Machine for Situation {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn | Tool::CoreWide | Tool::TargetCpu => 1.0,
            Tool::Slots => 8.0,
            Tool::SystemTscFreq => 2e9,
            _ => 4.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }
}

type Counts = BTreeMap<&'static str, f64>;

fn count(counts: &Counts, event: &str) -> EventValue {
    counts.get(event).copied().unwrap_or(f64::NAN).into()
}

/// How far the nodes from a leaf to the top are over their thresholds: 1 for each that is, and
/// less for one that is not, the more the larger its value. Thresholds are evaluated by the
/// metrics themselves; where a node has none, the walk says what is much.
fn score(tree: &Hierarchy, way: &[usize], counts: &Counts) -> f64 {
    let metric = |number: usize| tree.nodes()[number].metric();
    let has_threshold = way.iter().all(|&number| metric(number).threshold().is_some());
    let found = if has_threshold { Vec::new() } else { drill(tree, counts) };
    let one = |&number: &usize| {
        let metric = metric(number);
        let value = metric.evaluate_on(&Situation, |event| count(counts, event.as_str()));
        let is_crossed = || metric.is_crossed_on(&Situation, |event| count(counts, event.as_str()));
        let is_over = if has_threshold {
            is_plausible(tree, number, value) && is_crossed() == Some(true)
        } else {
            found.contains(&number)
        };
        let share = value / 200.0;
        if is_over {
            1.0
        } else if share > 0.0 && is_plausible(tree, number, value) {
            share.min(0.5)
        } else {
            0.0
        }
    };
    way.iter().map(one).sum()
}

/// Whether a value is one that a program can have: no share is more than all of it.
fn is_plausible(tree: &Hierarchy, number: usize, value: f64) -> bool {
    let (_, unit) = tree.nodes()[number].metric().scale();
    !(unit.starts_with('%') || unit.starts_with("percent")) || (0.0..=100.0).contains(&value)
}

/// Counts that led to a leaf of this name on other models, most of which have its formulas,
/// too: a look is cheaper than another search.
type Known = BTreeMap<&'static str, Vec<Counts>>;

/// Counts under which all of a way are over. Those of other models and few values are tried
/// first.
fn constructed(tree: &Hierarchy, way: &[usize], known: &mut Known) -> Option<Counts> {
    const COARSE: &[f64] = &[0.0, 1.0, 1e2, 1e4, 1e5, 5e5, 1e6, 8e6];
    const FINE: &[f64] = &[0.0, 1.0, 1e2, 1e4, 1e5, 2e5, 5e5, 8e5, 1e6, 2e6, 8e6];
    let names = operands(tree, way);
    let of_leaf = known.entry(tree.nodes()[way[0]].metric().name()).or_default();
    let from_known = of_leaf.iter().rev().find_map(|known| {
        let of = |&name: &&'static str| (name, known.get(name).copied().unwrap_or(0.0));
        let mut search = Search { tree, way, values: COARSE, state: 1 };
        search.climb(names.iter().map(of).collect())
    });
    let tries = [(COARSE, 1), (FINE, 1), (FINE, 2), (COARSE, 2), (FINE, 3)];
    let searched = || {
        tries.into_iter().find_map(|(values, state)| {
            let mut search = Search { tree, way, values, state };
            (0..300).find_map(|_| {
                let start = names.iter().map(|&name| (name, search.value())).collect();
                search.climb(start)
            })
        })
    };
    let found = from_known.or_else(searched)?;
    of_leaf.push(found.clone());
    Some(found)
}

/// Changes one count after the other.
struct Search<'a> {
    tree: &'a Hierarchy,
    way: &'a [usize],
    values: &'a [f64],
    state: u64,
}

impl Search<'_> {
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        self.state >> 33
    }

    fn value(&mut self) -> f64 {
        self.values[self.random() as usize % self.values.len()]
    }

    /// From some counts to such as lead to the leaf.
    fn climb(&mut self, mut counts: Counts) -> Option<Counts> {
        let all = self.way.len() as f64;
        let mut best = score(self.tree, self.way, &counts);
        let names: Vec<&'static str> = counts.keys().copied().collect();
        for _ in 0..4 {
            if best == all {
                return Some(counts);
            }
            for name in &names {
                for &value in self.values {
                    let before = counts.insert(name, value).unwrap_or_default();
                    match score(self.tree, self.way, &counts) {
                        // Steps to the side lead out of dead ends.
                        found
                            if found > best || found == best && self.random().is_multiple_of(4) =>
                        {
                            best = found;
                        }
                        _ => {
                            counts.insert(name, before);
                        }
                    }
                }
            }
        }
        (best == all).then_some(counts)
    }
}

/// What the formulas and thresholds of a way and of the first level name.
fn operands(tree: &Hierarchy, way: &[usize]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    for &number in way.iter().chain(tree.roots()) {
        let metric = tree.nodes()[number].metric();
        let events = metric.events_on(&Situation).chain(metric.threshold_events_on(&Situation));
        let latencies = metric.latencies_on(&Situation);
        let latencies = latencies.chain(metric.threshold_latencies_on(&Situation));
        names.extend(events.chain(latencies).map(|operand| operand.as_str()));
    }
    names
}

/// The walk, given counts; whether it visits what it should and no more.
fn drill(tree: &Hierarchy, counts: &Counts) -> Vec<usize> {
    // What nobody constructed does not occur.
    let nodes = tree.nodes().iter().map(|node| node.metric());
    let operands = nodes.flat_map(|metric| metric.latencies_on(&Situation));
    let latencies = operands.fold(Latencies::new(), |all, operand| {
        let of = LatencyOf::parse(operand.as_str()).expect("it is a latency");
        all.with_cycles(&of.to_string(), counts.get(operand.as_str()).copied().unwrap_or(0.0))
    });
    let mut drill = Drill::new(tree).with_latencies(latencies);
    while let Some(step) = drill.next_step() {
        drill.learn(&step, &Situation, |_, event| {
            counts.get(event.as_str()).copied().unwrap_or(0.0).into()
        });
        for &number in step.nodes() {
            let parent = tree.nodes()[number].parent();
            let is_over =
                |parent: usize| drill.finding(parent).and_then(|one| one.is_over()) == Some(true);
            assert!(parent.is_none_or(is_over), "{:?}", tree.nodes()[number].metric());
        }
    }
    drill
        .found()
        .iter()
        .filter(|found| found.finding().is_over() == Some(true))
        .map(|found| found.number())
        .collect()
}

/// Every leaf of a model's trees is reached; returns the number of leaves, and the
/// names of those for which no counts were found.
fn leaves(model: Model, known: &mut Known) -> (usize, Vec<&'static str>) {
    let (mut reached, mut without) = (0, Vec::new());
    for tree in Hierarchy::of(model) {
        for (number, node) in tree.nodes().iter().enumerate() {
            if !node.children().is_empty()
                && node.children().iter().all(|&child| !tree.nodes()[child].is_indicator())
                || node.is_indicator()
            {
                continue;
            }
            let way: Vec<usize> =
                std::iter::successors(Some(number), |&n| tree.nodes()[n].parent()).collect();
            let Some(counts) = constructed(&tree, &way, known) else {
                without.push(node.metric().name());
                continue;
            };
            let found = drill(&tree, &counts);
            let is_reached = way.iter().all(|number| found.contains(number));
            assert!(is_reached, "{}: {}: {counts:?}", model.name(), node.metric().name());
            reached += 1;
        }
    }
    (reached, without)
}

/// Every model whose metrics form a tree, the named ones among them.
fn all(
    source: &str,
    arch: &Arch,
    is_its: impl Fn(&str) -> bool,
    named: &[&str],
    known: &mut Known,
) {
    let mut seen = Vec::new();
    for model in arch.tree.models().filter(|model| is_its(model.name())) {
        let (reached, without) = leaves(model, known);
        if reached + without.len() == 0 {
            continue;
        }
        let name = model.name();
        let _ = writeln!(std::io::stderr(), "{source} {name}: {reached} leaves reached");
        assert!(without.is_empty(), "{source} {name}: no counts lead to {without:?}");
        seen.push(name);
    }
    for name in named {
        assert!(seen.contains(name), "{source}: {name} is not among {seen:?}");
    }
}

/// The models of both trees; `own_arch_dir` has newer ones, too.
fn of_both(arch: &str, is_its: impl Fn(&str) -> bool, named: &[&str], newer: &[&str]) {
    let mut known = Known::new();
    all("kernel", kernel_arch(arch), &is_its, named, &mut known);
    let own = compiled(&own_arch_dir(), arch).unwrap_or_else(|report| panic!("{report}"));
    all("arch", &own, &is_its, &[named, newer].concat(), &mut known);
}

#[test]
fn intel() {
    of_both(
        "x86",
        |name| !name.starts_with("amd"),
        &[
            "skylake",
            "skylakex",
            "cascadelakex",
            "icelake",
            "icelakex",
            "rocketlake",
            "tigerlake",
            "alderlake",
            "alderlaken",
            "sapphirerapids",
            "emeraldrapids",
            "meteorlake",
            "sierraforest",
            "grandridge",
        ],
        // Panther Lake and Nova Lake have no metrics in any source.
        &["graniterapids", "lunarlake", "arrowlake"],
    );
}

#[test]
fn amd() {
    of_both("x86", |name| name.starts_with("amd"), &["amdzen4", "amdzen5"], &[]);
}

#[test]
fn arm() {
    of_both(
        "arm64",
        |_| true,
        &[
            "arm/neoverse-n1",
            "arm/neoverse-n2-v2",
            "arm/neoverse-v1",
            "ampere/ampereone",
            "ampere/ampereonex",
            "hisilicon/hip08",
        ],
        &["arm/neoverse-n3", "arm/neoverse-v3"],
    );
}

#[test]
fn power() {
    of_both("powerpc", |_| true, &["power9", "power10"], &["power8"]);
}
