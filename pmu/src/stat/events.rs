//! The events that are asked for, or those that anyone wants to know of.

use pmu_events::measure::{Missing, Plan};
use pmu_events::open::{Counters, EventReading};
use pmu_events::resolve::{self, ErrorKind, Resolved};

use crate::pointer::pointed_out;
use crate::stat::args::Args;
use crate::system::System;

/// `default_attrs0` in `tools/perf/builtin-stat.c`; what a machine lacks of
/// them is shown as such.
const OF_TASKS: &str = "task-clock,context-switches,cpu-migrations,page-faults,cycles,\
                        instructions,branches,branch-misses";
const OF_CPUS: &str = "cpu-clock,context-switches,cpu-migrations,page-faults,cycles,\
                       instructions,branches,branch-misses";

/// `detailed_attrs`, `very_detailed_attrs` and `very_very_detailed_attrs`, each
/// in addition to those before.
const DETAILS: [&str; 3] = [
    "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
    "L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,\
     iTLB-load-misses",
    "L1-dcache-prefetches,L1-dcache-prefetch-misses",
];

/// What is not given.
pub(crate) fn add_default(args: &mut Args) {
    if args.events.is_empty() && args.metrics.is_empty() {
        args.events.push(if args.subject.is_cpus() { OF_CPUS } else { OF_TASKS }.into());
    }
}

/// All lists as one. An error shows where it is.
pub(crate) fn resolved<'a>(
    lists: &'a [String],
    system: &'a System,
) -> Result<Vec<Resolved<'a>>, String> {
    let mut all: Vec<Resolved<'a>> = Vec::new();
    for text in lists {
        let list = resolve::resolve(text, system.tables, &system.sysfs)
            .map_err(|error| pointed_out(text, &error))?;
        resolve::append(&mut all, list);
    }
    Ok(all)
}

/// The events of `-d`. Those of a machine without a core PMU are missing, as
/// `cycles` is: only an event that is named is an error.
pub(crate) fn details<'a>(
    levels: usize,
    system: &'a System,
) -> Result<(Vec<Resolved<'a>>, Vec<Missing>), String> {
    let (mut all, mut missing) = (Vec::new(), Vec::new());
    for event in DETAILS.iter().take(levels).flat_map(|list| list.split(',')) {
        match resolve::resolve(event, system.tables, &system.sysfs) {
            Ok(list) => {
                resolve::append(&mut all, list);
            }
            Err(error) if error.kind() == ErrorKind::NoCorePmu => {
                missing.push(Missing { event: event.into(), error });
            }
            Err(error) => return Err(pointed_out(event, &error)),
        }
    }
    Ok((all, missing))
}

/// What has to be said of single events, of those with one reason together.
pub(crate) fn notes(
    counters: &Counters<'_>,
    reading: &[EventReading],
    missing: &[Missing],
    plan: &Plan<'_>,
) -> Vec<String> {
    let mut notes: Vec<(String, Vec<String>)> = Vec::new();
    let mut note = |name: &str, why: String| {
        let name = format!("`{name}`");
        match notes.iter_mut().find(|(other, _)| *other == why) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => notes.push((why, vec![name])),
        }
    };
    for (event, reading) in counters.events().iter().zip(reading) {
        let name = event.name();
        if let Some(refusal) = event.refusal() {
            note(&name, refusal.to_string());
        }
        if event.is_user_only() && event.refusal().is_none() {
            let why = "the kernel is left out, because kernel.perf_event_paranoid does not \
                       permit counting it";
            note(&name, why.into());
        }
        if event.is_alone() {
            note(&name, "its group does not fit the PMU and was broken up".into());
        }
        if reading.is_pinned_out {
            note(&name, "it is pinned, and other events had its counter".into());
        }
        if let Some(failure) = &reading.failure {
            note(&name, failure.to_string());
        }
    }
    for Missing { event, error } in missing {
        let why = match error.kind() {
            // Of many, this is said once.
            ErrorKind::UnknownEvent => "no PMU of this machine has such an event",
            ErrorKind::NoCorePmu => "this machine has no core PMU, which would have such an event",
            _ => error.message(),
        };
        note(event, why.into());
    }
    for literal in plan.unknown() {
        note(
            literal.name(),
            "this machine does not say what it is; metrics with it are nan".into(),
        );
    }
    notes.into_iter().map(|(why, names)| format!("{}: {why}", names.join(", "))).collect()
}
