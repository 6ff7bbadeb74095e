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

use pmu_events::machine::SystemMachine;
use pmu_events::measure::Plan;

use crate::stat::args::{Args, Subject};
use crate::system::System;

/// What the formulas ask of this machine.
pub(crate) fn machine<'s>(args: &Args, system: &'s System) -> SystemMachine<'s> {
    let mut machine = SystemMachine::new(&system.sysfs, system.tables);
    if let Some(cpuid) = &args.cpuid {
        machine = machine.with_cpuid(cpuid);
    }
    match &args.subject {
        Subject::AllCpus => machine.watching_all(),
        Subject::Cpus(cpus) => machine.watching(cpus.clone()),
        _ => machine,
    }
}

/// The metrics of `-M`, and what has to be counted for them. An error says
/// which is not known.
pub(crate) fn plan<'m>(
    args: &Args,
    system: &System,
    machine: &'m SystemMachine<'m>,
) -> Result<Plan<'m>, String> {
    let mut asked = Vec::new();
    for word in args.metrics.iter().flat_map(|list| list.split(',')) {
        asked.extend(names::find(word.trim(), system)?);
    }
    Ok(Plan::new(asked, machine))
}
