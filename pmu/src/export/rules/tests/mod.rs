//! Rules give what the formulas of metrics give, for all metrics of all bundled models.

mod evaluator;
mod prometheus;

use std::collections::{BTreeMap, BTreeSet};

use pmu_events::event_list::Tool;
use pmu_events::expr::{EventValue, Identifier, Machine};
use pmu_events::metric::{Latencies, LatencyOf};
use pmu_events::{Metric, Model, arch};

use super::formula::Known;
use super::naming::Recorded;
use super::refusal::Refusal;
use super::rule_name;
use super::series::{Counter, Selection, Spelled, kind_of_core};
use super::translate::Translator;
use crate::export::config::ScopeKind;
use crate::export::names;
use evaluator::{Series, Value};

/// Counts of one second on a made-up machine.
struct Counts {
    of_event: BTreeMap<String, Count>,
    literals: BTreeMap<&'static str, f64>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    value: f64,
    sources: usize,
}

impl Machine for Counts {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::TargetCpu | Tool::CoreWide => 1.0,
            literal => self.literals.get(literal.name()).copied().unwrap_or(f64::NAN),
        }
    }
}

/// A generator of numbers (SplitMix64), the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

const MACHINE: Selection<'_> =
    Selection { counted: ScopeKind::Machine, level: ScopeKind::Machine, range: "1m" };

/// The PMUs outside the cores, one by one.
const INSTANCES: Selection<'_> = Selection { counted: ScopeKind::Instance, ..MACHINE };

fn models() -> impl Iterator<Item = Model> {
    arch::TREES.iter().flat_map(|(_, tree)| tree.models())
}

/// The metrics whose values the rule of one takes, and the metric after them.
fn chain(translator: &Translator<'_>, metric: Metric, into: &mut Vec<Metric>) {
    if let Ok(node) = translator.formula(metric) {
        for other in node.leaves().1 {
            chain(translator, other, into);
        }
    }
    if !into.contains(&metric) {
        into.push(metric);
    }
}

/// The events that the rules of some metrics take, also by way of other rules.
fn names_of(translator: &Translator<'_>, metrics: &[Metric]) -> BTreeMap<String, Spelled<'static>> {
    let mut chained = Vec::new();
    metrics.iter().for_each(|metric| chain(translator, *metric, &mut chained));
    let mut names = BTreeMap::new();
    for metric in chained {
        let node = translator.formula(metric).expect("a rule has a formula");
        for event in node.leaves().0 {
            let text: &'static str = event.to_string().leak();
            let spelled = Spelled::new(text, translator.model(), metric.pmu());
            names.entry(text.into()).or_insert(spelled);
        }
    }
    names
}

fn counts(random: &mut Random, names: &BTreeMap<String, Spelled<'_>>) -> Counts {
    let mut of_event = BTreeMap::new();
    for (name, spelled) in names {
        let value = match random.below(16) {
            // An event that is not counted, and one that does not happen.
            0 if random.below(4) == 0 => continue,
            0 | 1 => 0.0,
            2 => random.below(10) as f64,
            _ => random.below(4_000_000_000) as f64,
        };
        let is_outside = spelled.counter() == Counter::Outside;
        let sources = if is_outside { 1 + random.below(4) as usize } else { 1 };
        of_event.insert(name.clone(), Count { value, sources });
    }
    let literals = [
        ("num_cpus", 2 + random.below(62)),
        ("num_cpus_online", 2 + random.below(62)),
        ("num_cores", 1 + random.below(31)),
        ("num_dies", 1 + random.below(4)),
        ("num_packages", 1 + random.below(4)),
        ("smt_on", random.below(2)),
        ("system_tsc_freq", 1_000_000_000 + random.below(3_000_000_000)),
        ("slots", 4 + random.below(6)),
        ("has_pmem", random.below(2)),
    ];
    let literals = literals.into_iter().filter_map(|(name, value)| {
        // A number that the machine does not know.
        (random.below(32) != 0).then_some((name, value as f64))
    });
    let literals = literals.collect();
    Counts { of_event, literals }
}

/// What the exporter would serve.
fn exported(
    counts: &Counts,
    names: &BTreeMap<String, Spelled<'_>>,
    machine: &str,
    model: &str,
) -> Series {
    let of_machine = [("job", "pmu"), ("instance", machine)];
    let mut series = Series::default();
    let info = [&of_machine[..], &[(names::MODEL, model), (names::VERSION, "0")]].concat();
    series.add("pmu_machine_info", &info, 1.0);
    for (name, value) in &counts.literals {
        series.add(names::NUMBERS, &[&of_machine[..], &[(names::NUMBER, name)]].concat(), *value);
    }
    for (name, count) in &counts.of_event {
        let (of_unit, scale) = names[name].series();
        let pmu = names[name].kind_of_core().unwrap_or("cpu");
        let family = format!("{}_total", of_unit.family);
        let labels = [&of_machine[..], &[(names::EVENT, name), (names::PMU, pmu)]].concat();
        series.add(&family, &labels, count.value * scale);
        // The same of each PMU on two sockets, if it is outside the cores.
        let is_outside = names[name].counter() == Counter::Outside;
        for part in 0..if is_outside { 2 * count.sources } else { 0 } {
            let (pmu, socket) = (format!("{pmu}_{}", part / 2), format!("{}", part % 2));
            let labels =
                [(names::EVENT, name.as_str()), (names::PMU, &pmu), (names::SOCKET, &socket)];
            // Parts that are whole numbers, as counts are.
            let each = (count.value / (2 * count.sources) as f64).floor();
            let first = count.value - each * (2 * count.sources - 1) as f64;
            let value = if part == 0 { first } else { each };
            series.add(&family, &[&of_machine[..], &labels].concat(), value * scale);
        }
        // One control group does all that the machine does.
        let of_group =
            [(names::EVENT, name.as_str()), (names::PMU, pmu), (names::CGROUP, "a.slice")];
        let labels = [&of_machine[..], &of_group].concat();
        series.add(&family, &labels, count.value * scale);
    }
    series
}

fn expected(metric: Metric, counts: &Counts, model: Model) -> f64 {
    let count = |identifier: Identifier<'_>| {
        if let Some(of) = LatencyOf::parse(identifier.as_str()) {
            let latency = Latencies::new().find([model], of);
            return EventValue::from(latency.map_or(f64::NAN, |latency| latency.cycles()));
        }
        match (identifier.as_str(), counts.of_event.get(identifier.as_str())) {
            ("duration_time", _) => EventValue::from(1.0),
            (_, Some(count)) => EventValue::from(count.value).with_sources(count.sources as f64),
            (_, None) => EventValue::NOT_COUNTED,
        }
    };
    let mut needed = metric.events_on(counts);
    if needed.any(|event| count(event).value().is_nan()) {
        return f64::NAN;
    }
    metric.unscaled_on(counts, count) * Recorded::of(metric).factor
}

/// The value that the rule of a metric records, after those of the metrics to which it refers.
fn recorded(translator: &Translator<'_>, metric: Metric, series: &mut Series) -> f64 {
    let mut chained = Vec::new();
    chain(translator, metric, &mut chained);
    let mut last = f64::NAN;
    for one in chained {
        let rule = translator.rule(one).expect("what it refers to has a rule, too");
        let Value::Vector(values) = series.evaluate(&rule) else { panic!("{rule} is a number") };
        assert!(values.len() <= 1, "{rule}: one value for one machine");
        last = values.first().map_or(f64::NAN, |(labels, value)| {
            assert_eq!(labels.keys().collect::<Vec<_>>(), ["instance", "job"], "{rule}");
            *value
        });
        if !last.is_nan() {
            let name = rule_name(&Recorded::of(one), &MACHINE);
            let kind = kind_of_core(one.pmu()).unwrap_or_default();
            series.add(&name, &[("job", "pmu"), ("instance", "m"), ("pmu", kind)], last);
        }
    }
    last
}

#[test]
fn rules_give_what_formulas_give() {
    let (mut random, mut seen) = (Random(1), BTreeSet::new());
    let (mut with_value, mut without) = (0, 0);
    let of_model = |model| [MACHINE, INSTANCES].map(|selection| (model, selection));
    for (model, selection) in models().flat_map(of_model) {
        let known = Known { model, machine: None, is_of_cpus: true };
        let translator = Translator::new(known, selection);
        for metric in model.metrics() {
            let Ok(rule) = translator.rule(metric) else { continue };
            // Models share most of their formulas.
            if !seen.insert(rule.replace(model.name(), "")) {
                continue;
            }
            let names = names_of(&translator, &[metric]);
            for _ in 0..2 {
                let counts = counts(&mut random, &names);
                let expected = expected(metric, &counts, model);
                let mut series = exported(&counts, &names, "m", model.name());
                let found = recorded(&translator, metric, &mut series);
                let is_same = (expected - found).abs() <= 1e-9 * expected.abs().max(1e-300)
                    || !expected.is_finite() && !found.is_finite();
                assert!(
                    is_same,
                    "{}: {metric}: {found}, not {expected}\n{rule}\n{:?}\n{:?}",
                    model.name(),
                    counts.of_event,
                    names.keys()
                );
                *if found.is_nan() { &mut without } else { &mut with_value } += 1;
            }
        }
    }
    // So the comparison is one of values.
    assert!(with_value > 4 * without, "{with_value} values, {without} without");
    assert!(with_value > 5_000, "{with_value}");
}

/// How many metrics have no rule, and why.
#[test]
fn few_metrics_are_refused() {
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = 0;
    for model in models() {
        let known = Known { model, machine: None, is_of_cpus: true };
        let translator = Translator::new(known, MACHINE);
        for metric in model.metrics() {
            all += 1;
            if let Err(refusal) = translator.rule(metric) {
                let kind = match refusal {
                    Refusal::HasEvent(_) => "has_event".into(),
                    Refusal::Latency(_) => "latency".into(),
                    Refusal::OfCommand(_) => "of a command".into(),
                    other => other.to_string(),
                };
                *refused.entry(kind).or_default() += 1;
            }
        }
    }
    println!("{all}: {refused:#?}");
    assert!(refused.values().sum::<usize>() * 40 < all, "{refused:#?} of {all}");
}

/// No two metrics of a model are recorded under one name.
#[test]
fn names_are_distinct() {
    for model in models() {
        let mut seen = BTreeSet::new();
        for metric in model.metrics() {
            let name = (Recorded::of(metric).name, kind_of_core(metric.pmu()));
            assert!(seen.insert(name), "{}: {metric}", model.name());
        }
    }
}
