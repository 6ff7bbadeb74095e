//! Metrics: which are asked for, and what they come to beside the lines.
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

/// The metrics of `-M`, and what has to be counted for them. An error says
/// which is not known.
pub(crate) fn plan(args: &Args, system: &System) -> Result<Plan, String> {
    let mut asked = Vec::new();
    for word in args.metrics.iter().flat_map(|list| list.split(',')) {
        asked.extend(names::find(word.trim(), system)?);
    }
    let scope = match &args.subject {
        Subject::AllCpus => Scope::AllCpus,
        Subject::Cpus(cpus) => Scope::Cpus(cpus.clone()),
        // Which tasks, no formula asks.
        _ => Scope::ThisThread,
    };
    Ok(Plan::new(asked, system, &scope))
}
