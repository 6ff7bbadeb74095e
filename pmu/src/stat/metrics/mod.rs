//! Metrics: which ones are requested, and their values on the lines.
//!
//! | module | what is in it |
//! |---|---|
//! | [`formulas`] | the user's own |
//! | [`uncountable`] | what this machine lacks for them |
//! | [`value`] | what was counted, put into the formulas |

mod formulas;
mod uncountable;
mod value;

pub(crate) use value::Bound;

use pmu_events::measure::{Plan, Request};
use pmu_events::{Metric, Scope};

use crate::metric_names;
use crate::stat::args::{Args, Subject};
use crate::stat::latencies;
use crate::system::System;

/// The metrics that are asked for, and the events to count for them. An error
/// names the unknown metric, or points at the fault of a formula.
pub(crate) fn plan(args: &Args, system: &System) -> Result<Plan, String> {
    let formulas = formulas::of(args, system)?;
    let mut asked: Vec<Request> = Vec::new();
    for word in args.metrics.iter().flat_map(|list| list.split(',')) {
        match formulas.named(word.trim()) {
            none if none.is_empty() => asked.extend(metric_names::find(word.trim(), system)?),
            all => asked.extend(all),
        }
    }
    asked.extend(formulas.asked);
    let latencies = latencies(&args.latencies, system)?;
    let asked = asked.into_iter().map(|request| request.with_latencies(latencies.clone()));
    Ok(Plan::new(asked, system, &scope(&args.run.subject)))
}

/// The group of the metrics that are shown if nothing is asked for.
const DEFAULT: &str = "common_default";

/// The metrics of every CPU that are shown if nothing is asked for: those that events of the
/// cores make up, which anyone may count who may count at all. None without a PMU of the cores.
pub(crate) fn by_default(system: &System, subject: &Subject) -> Vec<String> {
    if system.sysfs().core_pmus().next().is_none() {
        return Vec::new();
    }
    let (model, scope) = (system.model(), scope(subject));
    let metrics = model.iter().flat_map(|model| model.metrics().in_group(DEFAULT));
    let is_of_cores = |metric: &Metric| {
        let plan = Plan::new([*metric], system, &scope);
        let pmus = || plan.resolution().events().iter().map(|event| event.pmu());
        plan.missing().is_empty()
            && plan.unknown().is_empty()
            && pmus().all(|pmu| pmu.is_none_or(|pmu| pmu.is_core()))
            && pmus().flatten().next().is_some()
    };
    let mut names: Vec<String> =
        metrics.filter(is_of_cores).map(|metric| metric.name().to_owned()).collect();
    names.dedup();
    names
}

/// Notes on the metrics that other CPUs have in the groups that are asked for, and this one
/// cannot have.
pub(crate) fn lacking(args: &Args, system: &System) -> Vec<String> {
    let words = args.metrics.iter().flat_map(|list| list.split(','));
    let words = words.chain(args.has_default_metrics.then_some(DEFAULT));
    let lacks = words.flat_map(|word| metric_names::lacked_of(word.trim(), system));
    lacks.map(|(metric, reason)| format!("this CPU cannot count `{metric}`: {reason}")).collect()
}

/// The scope of a subject, as far as formulas ask for it.
pub(crate) fn scope(subject: &Subject) -> Scope {
    match subject {
        Subject::AllCpus => Scope::AllCpus,
        Subject::Cpus(cpus) => Scope::Cpus(cpus.clone()),
        // No formula asks which tasks are counted.
        _ => Scope::ThisThread,
    }
}
