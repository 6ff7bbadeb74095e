//! A metric of a tree, and a user's formula with the same text, or that names it: they need the
//! same events.

use std::collections::BTreeSet;

use pmu_events::__private::name;
use pmu_events::measure::{Formula, Formulas, Plan, Request};
use pmu_events::{Metric, Model, Scope, System, arch};

#[allow(dead_code)] // Other tests use more of it.
mod machines;

use machines::Machine;

fn plan(request: impl Into<Request>, system: &System) -> Plan {
    Plan::new([request.into().without_threshold()], system, &Scope::AllCpus)
}

/// The events of one request.
fn events(request: impl Into<Request>, system: &System) -> BTreeSet<String> {
    let plan = plan(request, system);
    let [planned] = plan.metrics() else { panic!("it is one") };
    planned.operands().iter().map(|operand| operand.event().to_ascii_lowercase()).collect()
}

/// The formula of a text, for the kind of core of a metric.
fn formula(text: &str, metric: Metric, system: &System) -> Result<Formula, String> {
    let formulas = text.parse::<Formulas>().and_then(|formulas| formulas.bind(system));
    let formulas = formulas.map_err(|error| error.to_string())?;
    let own = formulas.iter().find(|formula| formula.pmu() == Some(metric.pmu()));
    own.or(formulas.first()).cloned().ok_or_else(|| "nothing".into())
}

/// A machine with the core PMUs and the tables of a model, whatever the test's has.
fn machine(model: Model) -> System {
    System::builtin("none", model)
}

fn models() -> impl Iterator<Item = Model> {
    arch::TREES.iter().flat_map(|(_, tree)| tree.models())
}

/// How many metrics need events that the machine has, and those for which their text as a
/// formula needs others.
fn compare(model: Model, system: &System) -> (usize, Vec<String>) {
    let (mut equal, mut wrong) = (0, Vec::new());
    for metric in model.metrics().filter(|metric| !metric.has_parameter()) {
        let text = format!("x = {}", metric.expression());
        let of_metric = events(metric, system);
        // Neither means anything where the machine has no such event.
        let of_plan = plan(metric, system);
        let is_missing = |error: &String| {
            of_plan.missing().iter().any(|one| error.contains(one.error().message()))
        };
        match formula(&text, metric, system).map(|formula| events(formula, system)) {
            Ok(found) if found == of_metric => equal += 1,
            Err(error) if is_missing(&error) => {}
            other => {
                let named = format!("{} {}", model.name(), metric.name());
                wrong.push(format!("{named}: {text}: {of_metric:?} / {other:?}"));
            }
        }
    }
    (equal, wrong)
}

#[test]
fn the_same_text_needs_the_same_events() {
    let (mut equal, mut wrong) = (0, Vec::new());
    for model in models() {
        let (of_model, others) = compare(model, &machine(model));
        equal += of_model;
        wrong.extend(others);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(equal > 8_500, "{equal}");
}

/// The same on machines that have more than core PMUs.
#[test]
fn the_same_text_on_whole_machines() {
    let cases = [
        ("skylakex", "skylakex", 280),
        ("skylakex", "haswellx", 150),
        ("alderlake", "alderlake", 350),
        ("sapphirerapids", "sapphirerapids", 250),
        ("zen4", "amdzen4", 20),
        ("power9", "power9", 90),
    ];
    for (name, model, least) in cases {
        let machine = Machine::named(name);
        let model = models().find(|known| known.name() == model).expect("a tree has it");
        let (equal, wrong) = compare(model, &machine.system().with_model(model));
        assert!(wrong.is_empty(), "{name}: {wrong:#?}");
        assert!(equal >= least, "{name}: {equal}");
    }
}

/// On a machine with several kinds of cores, a formula means each kind that has the metric, as
/// the metric's name does.
#[test]
fn formulas_mean_each_kind_of_core() {
    let mut several = 0;
    for model in models() {
        let system = machine(model);
        for metric in model.metrics().filter(|metric| !metric.has_parameter()) {
            let of_name = |other: &Metric| name::eq(other.name(), metric.name());
            let same: Vec<Metric> = model.metrics().filter(of_name).collect();
            if same.len() < 2 {
                continue;
            }
            several += 1;
            let text = format!("x = {} * 2", metric.name().replace('-', "\\-"));
            let formulas = text.parse::<Formulas>().expect("it parses").bind(&system);
            let formulas = formulas.expect("it binds");
            let kinds: Vec<_> = formulas.iter().map(Formula::pmu).collect();
            let expected: Vec<_> = same.iter().map(|metric| Some(metric.pmu())).collect();
            assert_eq!(kinds, expected, "{}: {}", model.name(), metric.name());
            for (formula, metric) in formulas.into_iter().zip(same) {
                assert_eq!(events(formula, &system), events(metric, &system), "{metric:?}");
            }
        }
    }
    assert!(several > 200, "{several}");
}
