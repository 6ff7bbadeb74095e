//! The metrics of the bundled trees under counts that a program could have, in four
//! situations (one thread or the whole core; SMT off, with an idle and with a busy
//! sibling): shares are shares, parts sum to their whole, and neither depends on how long
//! or on how many CPUs is counted.

extern crate pmu_events as pmu_events_core;

mod counts;
#[path = "../common/exceptions.rs"]
mod except;
mod exceptions;
mod invariance;
mod parts;
mod scales;
#[path = "../kernel/src/situations.rs"]
#[allow(dead_code, reason = "counts of tests/kernel")]
mod situations;
mod traffic;

use pmu_events::topdown::Hierarchy;
use pmu_events::{Metric, Model, arch};

use counts::{Counts, Events};
use except::Exceptions;
use exceptions::{RANGES, SUMS};
use situations::Run;

fn models() -> impl Iterator<Item = Model> {
    arch::TREES.iter().flat_map(|(_, tree)| tree.models().chain(tree.sys_tables()))
}

fn runs(events: &Events) -> Vec<Counts<'_>> {
    // Few, as they are tried with each change.
    Run::all().filter(|run| run.seed < 4).map(|run| Counts::of(events, run)).collect()
}

fn is_percentage(unit: &str) -> bool {
    unit.starts_with('%') || unit.starts_with("percent")
}

/// Whether a metric is cycles per instruction in a stack.
fn is_of_stack(metric: Metric) -> bool {
    metric.is_in("cpi_breakdown") || metric.is_in("CPI")
}

/// The largest value of a share, by its unit, or else by its name and place.
fn most(metric: Metric, is_node: bool) -> Option<f64> {
    let (_, unit) = metric.scale();
    if is_percentage(unit) {
        return Some(100.0);
    }
    if !unit.is_empty() {
        let of = ["per cache", "per TLB access", "per branch", "per_branch"];
        return of.iter().any(|of| unit.starts_with(of)).then_some(1.0);
    }
    let name = metric.name().to_ascii_lowercase();
    let is_in_name = |part: &&str| name.contains(part);
    if ["percent", "%", "tma_bottleneck_", "tma_info_botlnk_"].iter().any(is_in_name) {
        return Some(100.0);
    }
    if is_node && is_of_stack(metric) {
        return Some(f64::INFINITY);
    }
    let ends = ["_ratio", "_utilization", "_coverage"];
    let is_share = is_node || ends.iter().any(|end| name.ends_with(end));
    let has_factor = metric.expression().to_string().starts_with("100 *");
    is_share.then_some(if has_factor { 100.0 } else { 1.0 })
}

/// Whatever other metrics a formula refers to.
#[test]
fn shares_are_in_their_range() {
    let (mut compared, mut exceptions) = (0, Exceptions::new(RANGES));
    let mut wrong = Vec::new();
    for model in models() {
        let trees = Hierarchy::of(model);
        let is_node = |metric: Metric| {
            let mut places = trees.iter().filter(|tree| tree.pmu() == metric.pmu());
            places.any(|tree| tree.find(metric.name()).is_some())
        };
        let events = Events::of(model);
        let runs = runs(&events);
        for metric in model.metrics() {
            let Some(most) = most(metric, is_node(metric)) else { continue };
            compared += 1;
            let values = runs.iter().map(|counts| counts.value(metric));
            let is_outside = |value: &f64| !(-1e-9..=most * (1.0 + 1e-9)).contains(value);
            let Some(value) = values.into_iter().find(is_outside) else { continue };
            if !exceptions.take(model.name(), metric.name(), |()| true) {
                wrong.push(format!("{}: {}: {value}", model.name(), metric.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let idle = exceptions.idle();
    assert!(idle.is_empty(), "exceptions that nothing needs: {idle:#?}");
    assert!(compared > 4_500, "{compared}");
}

/// A whole, or the first level, and what it consists of.
struct Whole {
    metric: Option<Metric>,
    parts: Vec<Metric>,
}

impl Whole {
    /// All wholes of a tree that have parts.
    fn of(tree: &Hierarchy) -> Vec<Whole> {
        let metrics = |numbers: &[usize]| {
            let nodes = numbers.iter().map(|&number| &tree.nodes()[number]);
            nodes.filter(|node| !node.is_indicator()).map(|node| node.metric()).collect()
        };
        let first = Whole { metric: None, parts: metrics(tree.roots()) };
        let others = tree
            .nodes()
            .iter()
            .map(|node| Whole { metric: Some(node.metric()), parts: metrics(node.children()) });
        let all = std::iter::once(first).chain(others);
        all.filter(|whole| whole.parts.len() > 1).collect()
    }

    fn name(&self) -> &'static str {
        self.metric.map_or("", |metric| metric.name())
    }

    /// `None` if the parts sum to the whole.
    fn difference(&self, counts: &Counts<'_>) -> Option<String> {
        let all = match self.metric {
            Some(metric) => counts.value(metric),
            None => match self.parts[0].scale() {
                (scale, unit) if scale == 1.0 && is_percentage(unit) => 100.0,
                (scale, _) => scale,
            },
        };
        let values: Vec<f64> = self.parts.iter().map(|&part| counts.value(part)).collect();
        let sum: f64 = values.iter().sum();
        let is_same = (sum - all).abs() <= 1e-9 * all.abs().max(1e-3);
        let named = || self.parts.iter().map(|part| part.name()).zip(&values);
        (!is_same).then(|| format!("{all} of {:?}", named().collect::<Vec<_>>()))
    }
}

/// Every node of every tree, unless the method does not say so of it.
#[test]
fn parts_sum_to_their_whole() {
    let (mut equal, mut exceptions) = (0, Exceptions::new(SUMS));
    let mut wrong = Vec::new();
    for model in models() {
        let events = Events::of(model);
        let runs = runs(&events);
        for whole in Hierarchy::of(model).iter().flat_map(Whole::of) {
            let name = whole.name();
            let Some(found) = runs.iter().find_map(|counts| whole.difference(counts)) else {
                equal += 1;
                continue;
            };
            if !exceptions.take(model.name(), name, |()| true) {
                wrong.push(format!("{}: {name}: {found}", model.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let idle = exceptions.idle();
    assert!(idle.is_empty(), "exceptions that nothing needs: {idle:#?}");
    assert!(equal > 400, "{equal}");
}

/// Two names of one quantity would be two parts of a whole.
#[test]
fn siblings_differ() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for model in models() {
        let events = Events::of(model);
        let runs = runs(&events);
        for whole in Hierarchy::of(model).iter().flat_map(Whole::of) {
            let values = |part: Metric| runs.iter().map(|counts| counts.value(part)).collect();
            let values: Vec<Vec<f64>> = whole.parts.iter().map(|&part| values(part)).collect();
            for (at, part) in whole.parts.iter().enumerate() {
                compared += 1;
                let is_same = |other: &&usize| values[**other] == values[at];
                if let Some(other) = (0..at).collect::<Vec<_>>().iter().find(is_same) {
                    let (name, other) = (part.name(), whole.parts[*other].name());
                    wrong.push(format!("{}: {name} is {other}", model.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 2_000, "{compared}");
}

/// Each cycle in which the core waits for memory is counted at one level.
#[test]
fn memory_bound_has_each_cycle_once() {
    let mut compared = 0;
    for model in models() {
        let events = Events::of(model);
        for whole in Hierarchy::of(model).iter().flat_map(Whole::of) {
            if whole.name() != "tma_memory_bound" {
                continue;
            }
            compared += 1;
            for counts in runs(&events) {
                let sum: f64 = whole.parts.iter().map(|&part| counts.value(part)).sum();
                let all = whole.parts[0].scale().0;
                assert!(sum <= all * (1.0 + 1e-9), "{}: {sum}", model.name());
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

/// `a / a`, or `a / (a / 2)`: whatever is counted, the value is the same.
#[test]
fn nothing_is_divided_by_itself() {
    let (mut compared, mut wrong) = (0, Vec::new());
    let all = models().flat_map(|model| model.metrics().map(move |metric| (model, metric)));
    for (model, metric) in all {
        let text = metric.expression().to_string();
        let words: Vec<&str> = text.split(' ').collect();
        let is_by_itself = |at: usize| {
            let (above, below) = (words[at - 1].trim_start_matches('('), words[at + 1]);
            let is_sum = below.starts_with('(') && words.get(at + 2) != Some(&"/");
            let is_number = above.parse::<f64>().is_ok();
            !is_sum && !is_number && above == below.trim_matches(['(', ')'])
        };
        let divisions = (0..words.len()).filter(|&at| words[at] == "/");
        for at in divisions {
            compared += 1;
            if is_by_itself(at) {
                wrong.push(format!("{}: {}: {text}", model.name(), metric.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 10_000, "{compared}");
}

/// A percentage is multiplied by 100 once: in its formula, by its scale, or where it
/// is the value of another percentage.
#[test]
fn percentages_have_one_factor() {
    let mut compared = 0;
    let all = models().flat_map(|model| model.metrics().map(move |metric| (model, metric)));
    for (model, metric) in all {
        let (scale, unit) = metric.scale();
        if !is_percentage(unit) {
            continue;
        }
        let text = metric.expression().to_string();
        let has_factor = text.contains("100");
        let refers_to_percentages = metric.expression().names().any(|name| {
            let other =
                model.metrics().find(|other| other.name().eq_ignore_ascii_case(name.as_str()));
            other.is_some_and(|other| is_percentage(other.scale().1) && other.scale().0 == 1.0)
        });
        let is_right = match scale {
            100.0 => !text.starts_with("100 *") && !text.ends_with("* 100"),
            1.0 => has_factor || refers_to_percentages,
            _ => true,
        };
        assert!(is_right, "{}: {}: {scale}{unit} of {text}", model.name(), metric.name());
        compared += 1;
    }
    assert!(compared > 3000, "{compared}");
}

/// What is over its threshold says what to do about it.
#[test]
fn nodes_say_what_to_do() {
    for model in models() {
        for tree in Hierarchy::of(model) {
            for node in tree.nodes().iter().filter(|node| !node.is_indicator()) {
                let metric = node.metric();
                assert!(metric.long_description().is_some(), "{}: {metric:?}", model.name());
            }
        }
    }
}
