//! Metrics: which ones are requested, and their values on the lines.
//!
//! | module | what is in it |
//! |---|---|
//! | [`formulas`] | the user's own |
//! | [`names`] | from words to metrics |
//! | [`uncountable`] | what this machine lacks for them |
//! | [`value`] | what was counted, put into the formulas |

mod formulas;
mod names;
mod uncountable;
mod value;

pub(crate) use value::Bound;

use pmu_events::Scope;
use pmu_events::measure::{Plan, Request};

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
            none if none.is_empty() => asked.extend(names::find(word.trim(), system)?),
            all => asked.extend(all),
        }
    }
    asked.extend(formulas.asked);
    let latencies = latencies(&args.latencies, system)?;
    let asked = asked.into_iter().map(|request| request.with_latencies(latencies.clone()));
    Ok(Plan::new(asked, system, &scope(&args.run.subject)))
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
