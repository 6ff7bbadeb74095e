//! The same formulas as metrics of a tree and as a user's: they are the same programs, so
//! they have the same values and need the same names, whatever is known of the machine.

use std::collections::BTreeSet;

use pmu_events::__private::measure::{RawCount, value};
use pmu_events::event_list::Tool;
use pmu_events::expr::{EventValue, Identifier};
use pmu_events::measure::{Formulas, Operand, Plan, Request};
use pmu_events::metric::{self, Expression};
use pmu_events::{Metric, Scope, System, expr};

#[allow(dead_code)] // Other tests use more of it.
mod machines;

mod tree {
    pmu_events::pmu_events!("tests/trees/formulas", unknown = deny);
}

/// What the tree's metrics are called, and their formulas as written.
fn written() -> Vec<(String, String)> {
    let text = include_str!("trees/formulas/soc/soc-metrics.json");
    let metrics: serde_json::Value = serde_json::from_str(text).expect("the macro has read it");
    let of = |key: &str, metric: &serde_json::Value| {
        metric[key].as_str().expect("each has a name and a formula").to_string()
    };
    let metrics = metrics.as_array().expect("they are a list").iter();
    metrics.map(|metric| (of("MetricName", metric), of("MetricExpr", metric))).collect()
}

/// A machine that has the events of the tree, and of which more is known or not.
#[derive(Clone, Copy, Debug)]
struct Facts {
    smt_on: f64,
    num_dies: f64,
    has_x: Option<bool>,
    cpuid: Option<bool>,
}

impl Facts {
    fn all() -> Vec<Self> {
        let unknown = f64::NAN;
        let mut all = Vec::new();
        for smt_on in [unknown, 0.0, 1.0] {
            for num_dies in [unknown, 0.0, 2.0] {
                for has_x in [None, Some(false), Some(true)] {
                    for cpuid in [None, Some(false), Some(true)] {
                        all.push(Facts { smt_on, num_dies, has_x, cpuid });
                    }
                }
            }
        }
        all
    }
}

impl expr::Machine for Facts {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn => self.smt_on,
            Tool::NumDies => self.num_dies,
            _ => f64::NAN,
        }
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        if event.as_str() == "X" { self.has_x } else { Some(true) }
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        self.cpuid
    }
}

/// Counts of the events, in the order of these.
const EVENTS: [&str; 4] = ["A", "B", "C", "Q"];
const COUNTS: [[f64; 4]; 5] = [
    [3.0, 4.0, 5.0, 6.0],
    [0.0, 0.0, 0.0, 0.0],
    [7.0, 0.0, 2.0, 1.0],
    [0.0, 9.0, 0.0, 0.0],
    [f64::NAN, 2.0, f64::NAN, 1.0],
];

fn count(counts: &[f64; 4], event: &str) -> f64 {
    EVENTS.iter().position(|one| *one == event).map_or(f64::NAN, |number| counts[number])
}

fn names<'a>(names: impl Iterator<Item = Identifier<'a>>) -> Vec<String> {
    names.map(|name| name.to_string()).collect()
}

fn same(one: f64, other: f64) -> bool {
    one == other || one.is_nan() && other.is_nan()
}

fn is_about_events(formula: &Expression<'_>) -> bool {
    formula.names().all(|name| name.as_str() == "X" || EVENTS.contains(&name.as_str()))
}

/// By what `metric::parse` reads, simplified as the tree's are or as it is written.
#[test]
fn parsed() {
    let mut compared = 0;
    for (name, text) in written() {
        let metric = tree::SOC.metric(&name).expect("the tree has it");
        let parsed = metric::parse(&text).expect(&text);
        if !is_about_events(&parsed) {
            continue;
        }
        for facts in Facts::all() {
            // The compiler knows that the model has its own events.
            let parsed = parsed.clone().simplified_for(&Facts {
                smt_on: f64::NAN,
                num_dies: f64::NAN,
                has_x: None,
                cpuid: None,
            });
            let needed = names(metric.events_on(&facts));
            assert_eq!(names(parsed.names_on(&facts)), needed, "{text}: {facts:?}");
            for counts in COUNTS {
                // What is not needed is not counted.
                for is_all in [false, true] {
                    let value = |event: Identifier<'_>| {
                        let is_counted = is_all || needed.iter().any(|one| event.as_str() == one);
                        let value = count(&counts, event.as_str());
                        EventValue::from(if is_counted { value } else { f64::NAN })
                    };
                    let (of_tree, own) =
                        (metric.evaluate_on(&facts, value), parsed.evaluate_on(&facts, value));
                    let case = format!("{text}: {facts:?}: {counts:?} {is_all}");
                    assert!(same(of_tree, own), "{case}: {of_tree} {own}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

/// All of them as one text of formulas that refer to each other as the metrics do.
fn formulas(system: &System) -> Vec<(Metric, Request)> {
    // What divides by the number zero is refused in a text of formulas.
    let is_refused = |text: &str| ["0 / 0", "A % 0", "A < NaN", "min(A, NaN)"].contains(&text);
    let all = written().into_iter().filter(|(_, text)| !is_refused(text));
    let text: String = all.map(|(name, text)| format!("{name} = {text}\n")).collect();
    let formulas = text.parse::<Formulas>().expect("they parse").bind(system).expect("they bind");
    let with_metric = |formula: pmu_events::measure::Formula| {
        let metric = tree::SOC.metric(formula.name()).expect("the tree has it");
        (metric, formula.into())
    };
    formulas.into_iter().map(with_metric).collect()
}

fn plan(request: Request, system: &System) -> Plan {
    Plan::new([request], system, &Scope::ThisThread)
}

/// By formulas of a user that refer to each other, and whose events are opened.
#[test]
fn bound() {
    let processors = |topology: &str| {
        machines::Machine::of(&format!("cpu/type\t4\ncpu/format/event\tconfig:0-7\n{topology}"))
    };
    let mut counted = BTreeSet::new();
    for topology in ["", "/devices/system/cpu/smt/active\t0", "/devices/system/cpu/smt/active\t1"] {
        let machine = processors(topology);
        let system = machine.system().with_model(tree::SOC);
        for (metric, formula) in formulas(&system) {
            let name = metric.name();
            let (of_tree, own) = (plan(metric.into(), &system), plan(formula, &system));
            let operands = |plan: &Plan| -> BTreeSet<String> {
                let [planned] = plan.metrics() else { panic!("it is one: {name}") };
                planned.operands().iter().map(|operand| operand.event().into()).collect()
            };
            let needed = operands(&of_tree);
            assert_eq!(operands(&own), needed, "{name}: {topology}");
            counted.insert((name, needed));
            for counts in COUNTS {
                let value = |plan: &Plan| {
                    let planned = &plan.metrics()[0];
                    let reading = |operand: &Operand| {
                        let value = count(&counts, operand.event());
                        if value.is_nan() {
                            RawCount::NOT_COUNTED
                        } else {
                            RawCount::new(value, None)
                        }
                    };
                    value(planned, plan.machine(), reading).value()
                };
                let (of_tree, own) = (value(&of_tree), value(&own));
                assert!(same(of_tree, own), "{name}: {topology}: {counts:?}: {of_tree} {own}");
            }
        }
    }
    // Some need other events where hyper-threads are on.
    assert!(counted.len() > written().len() + 5, "{}", counted.len());
}
