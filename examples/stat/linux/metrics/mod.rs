//! Metrics: which are asked for, what they need, what they come to.
//!
//! | module | what is in it |
//! |---|---|
//! | [`names`] | from words to metrics |
//! | [`literals`] | what of their formulas this machine does not know |
//! | [`plan`] | the events that they need, and their groups |
//! | [`value`] | what was counted, put into the formulas |

mod literals;
#[cfg(test)]
#[allow(dead_code)] // Other tests use more of it.
#[path = "../../../../tests/machines/mod.rs"]
mod machines;
mod names;
mod plan;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use plan::{Missing, Plan};
pub(crate) use value::{Bound, Computed};

use pmu_events::Metric;
use pmu_events::machine::SystemMachine;

use crate::cli::System;
use crate::linux::args::{Args, Subject};

/// A metric that is asked for.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) metric: Metric,
    /// What stands for `?` in its events.
    pub(crate) parameter: u32,
    /// For each of its events.
    pub(crate) modifiers: String,
    /// Whether its events may be one group.
    pub(crate) may_group: bool,
}

impl Asked {
    /// As perf shows it (`generic_metric` in `tools/perf/util/stat-shadow.c`).
    pub(crate) fn name(&self) -> String {
        let Asked { metric, parameter, modifiers, .. } = self;
        let mut name = metric.name().to_string();
        if metric.has_parameter() {
            name.push_str(&format!("_{parameter}"));
        }
        if !modifiers.is_empty() {
            name.push_str(&format!(":{modifiers}"));
        }
        name
    }
}

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
pub(crate) fn plan(
    args: &Args,
    system: &System,
    machine: &SystemMachine<'_>,
) -> Result<Plan, String> {
    let mut asked = Vec::new();
    for word in args.metrics.iter().flat_map(|list| list.split(',')) {
        asked.extend(names::find(word.trim(), system, machine)?);
    }
    Ok(plan::of(asked, system, machine))
}
