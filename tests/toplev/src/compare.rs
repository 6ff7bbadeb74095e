//! Both sides, from the same counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;

use pmu_events::Metric;
use pmu_events::expr::EventValue;
use pmu_events::metric::CompiledFormula;

use crate::core::{Core, Kind};
use crate::counts::{Counts, Events};
use crate::except::Exceptions;
use crate::exceptions::EXCEPTIONS;
use crate::models::{PAIRS, Pair};
use crate::names;
use crate::situations::{Run, are_equal};
use crate::toplev::{Node, Toplev};
use crate::verdict::{self, Verdict};

/// This many sets of counts are compared in each situation.
const SEEDS: u64 = 4;

/// What is said of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Value,
    Threshold,
}

/// What is not the same.
#[derive(Debug, Default)]
struct Differences {
    /// Metrics that both sides have.
    compared: BTreeSet<&'static str>,
    /// Those whose own formulas differ, with what both sides say first.
    own: BTreeMap<(&'static str, Said), (f64, f64)>,
    /// Those that differ only because metrics that they refer to do.
    by_reference: BTreeSet<(&'static str, Said)>,
    /// Nodes that the library lacks.
    missing: BTreeSet<String>,
    /// Events that the library lacks.
    unknown: BTreeSet<String>,
    verdicts: BTreeMap<Verdict, usize>,
}

/// One thread of a core without another, and all of a core with two.
fn runs(smt_is_on: bool) -> impl Iterator<Item = Run> {
    Run::all().filter(move |run| {
        let situation = run.situation;
        run.seed < SEEDS && situation.smt_is_on == smt_is_on && situation.is_core_wide == smt_is_on
    })
}

/// Compares the models whose files start with one of the names, or all. Returns whether
/// nothing differs that has no reason.
///
/// # Errors
///
/// If Python cannot compute a model.
pub fn all(checkout: &Path, files: &[String]) -> io::Result<bool> {
    let mut exceptions = Exceptions::new(EXCEPTIONS);
    let mut all_well = true;
    for pair in PAIRS {
        if files.is_empty() || files.iter().any(|file| pair.file.starts_with(file.as_str())) {
            let differences = one(checkout, pair)?;
            all_well &= report(pair, &differences, &mut exceptions);
        }
    }
    if files.is_empty() {
        for idle in exceptions.idle() {
            println!("no longer differs: {idle:?}");
            all_well = false;
        }
    }
    Ok(all_well)
}

fn one(checkout: &Path, pair: Pair) -> io::Result<Differences> {
    let kind = Kind::of(pair)
        .ok_or_else(|| io::Error::other(format!("no model is called `{}`", pair.model)))?;
    let events = Events::of(kind.model);
    let mut all = Differences::default();
    for smt_is_on in [false, true] {
        let mut toplev = Toplev::start(checkout, pair.file, smt_is_on)?;
        for run in runs(smt_is_on) {
            let core = Core { kind: &kind, counts: &Counts::of(&events, run) };
            let nodes = toplev.run(|question| {
                core.answer(question).unwrap_or_else(|error| {
                    all.unknown.insert(error);
                    f64::NAN
                })
            })?;
            compare(&core, &nodes, &mut all);
            *all.verdicts.entry(verdict::of(&core, &nodes)).or_default() += 1;
        }
    }
    Ok(all)
}

/// What toplev says of a metric of the library.
struct Theirs {
    metric: Metric,
    value: f64,
    is_over: Option<bool>,
}

fn compare(core: &Core<'_>, nodes: &[Node], all: &mut Differences) {
    let mut theirs = HashMap::new();
    for node in nodes {
        let Some(metric) = names::find(core.kind, node) else {
            all.missing.insert(format!("{} {}", node.area, node.name));
            continue;
        };
        let value = if node.has_value { node.value } else { f64::NAN };
        let is_over = (!node.is_metric).then_some(node.is_over);
        theirs.insert(metric.name(), Theirs { metric, value, is_over });
    }
    // Formulas may give a metric's value where toplev has that of the whole formula.
    let value_for_them = |metric: Metric| -> f64 {
        theirs.get(metric.name()).map_or_else(|| core.value(metric), |theirs| theirs.value)
    };
    let for_them = |formula: CompiledFormula| -> f64 {
        formula.evaluate_on(core.counts, |name| -> EventValue {
            match core.kind.metric(name.as_str()) {
                Some(metric) => value_for_them(metric).into(),
                None => core.operand(name.as_str()),
            }
        })
    };
    for (&name, they) in &theirs {
        let metric = they.metric;
        all.compared.insert(name);
        let value = core.value(metric);
        if !are_equal(value, they.value) {
            if are_equal(for_them(metric.expression()), they.value) {
                all.by_reference.insert((name, Said::Value));
            } else {
                all.own.entry((name, Said::Value)).or_insert((value, they.value));
            }
        }
        let (Some(is_over), Some(threshold)) = (they.is_over, metric.threshold()) else { continue };
        let value = core.threshold_value(metric);
        if (value != 0.0) != is_over {
            if (for_them(threshold) != 0.0) == is_over {
                all.by_reference.insert((name, Said::Threshold));
            } else {
                let both = (value, f64::from(is_over));
                all.own.entry((name, Said::Threshold)).or_insert(both);
            }
        }
    }
}

/// Prints a line for a model, and one for each difference without a reason, of which
/// there should be none.
fn report(pair: Pair, all: &Differences, exceptions: &mut Exceptions) -> bool {
    let how_many = |said: Said| {
        let by_reference = all.by_reference.iter().filter(|(_, what)| *what == said);
        let by_reference =
            by_reference.filter(|(name, _)| !all.own.contains_key(&(*name, said))).count();
        (all.own.keys().filter(|(_, what)| *what == said).count(), by_reference)
    };
    let ((own, by_reference), thresholds) = (how_many(Said::Value), how_many(Said::Threshold));
    println!(
        "{} ({}): of {} metrics, {} have equal values, {by_reference} only refer to one that \
         differs, {own} differ; of the thresholds, {} and {}; {} are not in arch/x86",
        pair.model,
        pair.file,
        all.compared.len(),
        all.compared.len() - own - by_reference,
        thresholds.1,
        thresholds.0,
        all.missing.len()
    );
    let verdicts = all.verdicts.iter().map(|(verdict, number)| format!("{number} {verdict}"));
    println!("    bottlenecks: {}", verdicts.collect::<Vec<_>>().join(", "));
    let mut all_well = !all.verdicts.contains_key(&Verdict::Different);
    for ((name, said), (ours, theirs)) in &all.own {
        if !exceptions.take(pair.model, name, |()| true) {
            println!("    {name}: {said:?} {ours}, toplev {theirs}");
            all_well = false;
        }
    }
    for event in &all.unknown {
        println!("    toplev counts an event that arch/x86 lacks: {event}");
    }
    all_well
}
