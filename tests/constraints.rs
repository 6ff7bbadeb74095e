//! Whether the events of each metric fit a group, worked out from their counters,
//! beside what Intel's hand-made tables say (`MetricConstraint`). What differs is in
//! `constraints.txt`, with the reason.

use std::collections::{BTreeMap, BTreeSet};

use pmu_events::__private::glob;
use pmu_events::__private::name;
use pmu_events::__private::topdown::{Fit, passes};
use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine};
use pmu_events::metric::Constraint;
use pmu_events::planner::{CoreState, Smt, Supply};
use pmu_events::{Metric, Model, arch, pmu};

/// All threads of the core are counted, as the tables suppose.
struct Core {
    smt_is_on: bool,
}

impl Machine for Core {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn => f64::from(self.smt_is_on),
            Tool::CoreWide => 1.0,
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

/// The word of the tables, or `-`.
fn word(constraint: Option<Constraint>) -> &'static str {
    match constraint {
        None => "-",
        Some(Constraint::NoGroup) => "NO_GROUP_EVENTS",
        Some(Constraint::NoGroupWithNmiWatchdog) => "NO_GROUP_EVENTS_NMI",
        Some(Constraint::NoGroupWithSmt) => "NO_GROUP_EVENTS_SMT",
        Some(other) => panic!("{other:?} is not among the tables' constraints"),
    }
}

/// The constraint of a group with the events of all these metrics; `?` if the tree
/// does not state the counters.
fn computed(model: Model, metrics: &[Metric]) -> &'static str {
    let pmu = metrics[0].pmu();
    if Supply::of(model, pmu, CoreState::default()).is_err() {
        return "?";
    }
    let fits = |has_watchdog, smt_is_on| {
        let smt = if smt_is_on { Smt::On } else { Smt::Off };
        let supply = Supply::of(model, pmu, CoreState::new(smt).with_watchdog(has_watchdog))
            .expect("as above");
        let passes = passes(metrics, &Core { smt_is_on }, Some(&supply));
        let of_core = passes.len() == 1 && passes[0].fit() == Fit::Proven;
        of_core && others_fit(model, metrics, CoreState::new(smt).with_watchdog(has_watchdog))
    };
    let (all, beside_watchdog) = (false, true);
    let constraint = if !fits(all, false) {
        Some(Constraint::NoGroup)
    } else if !fits(all, true) {
        Some(Constraint::NoGroupWithSmt)
    } else if !fits(beside_watchdog, false) || !fits(beside_watchdog, true) {
        Some(Constraint::NoGroupWithNmiWatchdog)
    } else {
        None
    };
    word(constraint)
}

/// Whether the events on each other PMU than the core's fit it, if its counters are known.
fn others_fit(model: Model, metrics: &[Metric], state: CoreState) -> bool {
    let mut on: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for metric in metrics {
        for event in metric.events_on(&Core { smt_is_on: true }) {
            let found = event.as_str().split(['/', ',', ':']).find_map(|word| model.event(word));
            if let Some(found) = found.filter(|found| !pmu::is_core(found.pmu())) {
                on.entry(found.pmu()).or_default().insert(event.as_str());
            }
        }
    }
    on.into_iter().all(|(pmu, events)| {
        let events: Vec<&str> = events.into_iter().collect();
        Supply::of(model, pmu, state).map_or(true, |supply| supply.fits(&events))
    })
}

/// A metric and those that its threshold names: perf counts them in one group.
fn with_threshold(model: Model, metric: Metric) -> Vec<Metric> {
    let names = metric.threshold().into_iter().flat_map(|threshold| threshold.names());
    let others = names.filter_map(|one| {
        let is_it = |other: &Metric| {
            other.pmu() == metric.pmu() && name::eq(other.name(), one.as_str()) && *other != metric
        };
        model.metrics().find(is_it)
    });
    std::iter::once(metric).chain(others).collect()
}

/// Whether an event of the metric must be counted alone.
fn has_event_alone(model: Model, metric: Metric) -> bool {
    let machine = Core { smt_is_on: true };
    metric.events_on(&machine).any(|identifier| {
        let mut words = identifier.as_str().split(['/', ',', ':']);
        words.any(|word| model.event(word).is_some_and(|event| event.is_taken_alone()))
    })
}

/// A line of the file: what the table says, what is worked out, shell patterns of
/// models and metrics.
struct Difference<'a> {
    table: &'a str,
    computed: &'a str,
    model: &'a str,
    metric: &'a str,
}

fn differences(text: &str) -> Vec<Difference<'_>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parsed = lines.map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [table, computed, model, metric, reason] = fields[..] else {
            panic!("`{line}`: expected five fields")
        };
        assert!(!reason.is_empty(), "`{line}`: expected a reason");
        Difference { table, computed, model, metric }
    });
    parsed.collect()
}

#[test]
fn tables_agree_with_the_counters() {
    let listed = differences(include_str!("constraints.txt"));
    let mut is_needed = vec![false; listed.len()];
    let mut unexplained = Vec::new();
    let (mut equal, mut equal_with_threshold) = (0, 0);
    for model in arch::x86::TREE.models() {
        for metric in model.metrics() {
            let table = word(metric.constraint());
            let own = computed(model, &[metric]);
            if table == own {
                equal += usize::from(table != "-");
                continue;
            }
            if table == computed(model, &with_threshold(model, metric)) {
                equal_with_threshold += usize::from(table != "-");
                continue;
            }
            // A table that says nothing of counters that the tree does not state.
            if table == "-" && own == "?" {
                continue;
            }
            let alone = if has_event_alone(model, metric) { " alone" } else { "" };
            let own = format!("{own}{alone}");
            let explains = |one: &Difference<'_>| {
                (one.table, one.computed) == (table, own.as_str())
                    && one.model.split(' ').any(|glob| glob::matches(glob, model.name()))
                    && one.metric.split(' ').any(|glob| glob::matches(glob, metric.name()))
            };
            match listed.iter().position(explains) {
                Some(line) => is_needed[line] = true,
                None => unexplained.push(format!(
                    "{table} | {own} | {} | {} |\n",
                    model.name(),
                    metric.name()
                )),
            }
        }
    }
    assert!(unexplained.is_empty(), "without a reason:\n{}", unexplained.concat());
    for (line, is_needed) in listed.iter().zip(is_needed) {
        let Difference { table, computed, model, metric } = line;
        assert!(is_needed, "nothing differs so: {table} | {computed} | {model} | {metric}");
    }
    println!(
        "{equal} constraints are those of the counters, {equal_with_threshold} with the threshold's events"
    );
    assert!(equal > 200 && equal_with_threshold > 20, "{equal}, {equal_with_threshold}");
}
