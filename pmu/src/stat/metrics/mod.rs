//! Metrics: which ones are requested, and their values on the lines.
//!
//! | module | what is in it |
//! |---|---|
//! | [`names`] | from words to metrics |
//! | [`uncountable`] | what this machine lacks for them |
//! | [`value`] | what was counted, put into the formulas |

mod names;
mod uncountable;
mod value;

pub(crate) use value::Bound;

use pmu_events::Scope;
use pmu_events::measure::Plan;

use crate::stat::args::{Args, Subject};
use crate::system::System;

/// The metrics of `-M`, and the events to count for them. An error names the
/// unknown metric.
pub(crate) fn plan(args: &Args, system: &System) -> Result<Plan, String> {
    let mut asked = Vec::new();
    for word in args.metrics.iter().flat_map(|list| list.split(',')) {
        asked.extend(names::find(word.trim(), system)?);
    }
    let scope = match &args.subject {
        Subject::AllCpus => Scope::AllCpus,
        Subject::Cpus(cpus) => Scope::Cpus(cpus.clone()),
        // No formula asks which tasks are counted.
        _ => Scope::ThisThread,
    };
    Ok(Plan::new(asked, system, &scope))
}
