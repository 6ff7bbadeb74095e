//! The events that are asked for, or those that anyone wants to know of.

use pmu_events::open::{Counters, EventReading};
use pmu_events::resolve::{Resolved, resolve};

use crate::cli::{System, pointed_out};
use crate::linux::args::Args;
use crate::linux::metrics::{Missing, Plan};

/// `default_attrs0` in `tools/perf/builtin-stat.c`; what a machine lacks of
/// them is shown as such.
const OF_TASKS: &str = "task-clock,context-switches,cpu-migrations,page-faults,cycles,\
                        instructions,branches,branch-misses";
const OF_CPUS: &str = "cpu-clock,context-switches,cpu-migrations,page-faults,cycles,\
                       instructions,branches,branch-misses";

/// What is not given.
pub(crate) fn add_default(args: &mut Args) {
    if args.events.is_empty() && args.metrics.is_empty() {
        args.events.push(if args.subject.is_cpus() { OF_CPUS } else { OF_TASKS }.into());
    }
}

/// All lists as one, and the number of each list's first event in it. An error
/// shows where it is.
pub(crate) fn resolved<'a>(
    lists: impl Iterator<Item = &'a String>,
    system: &'a System,
) -> Result<(Vec<Resolved<'a>>, Vec<usize>), String> {
    let mut all: Vec<Resolved<'a>> = Vec::new();
    let mut bases = Vec::new();
    for text in lists {
        let list = resolve(text, system.tables, &system.sysfs)
            .map_err(|error| pointed_out(text, &error))?;
        // Each list counts from 0.
        let places = all.len();
        // The last is not always the last that was written.
        let events = all.iter().map(|one| one.event + 1).max().unwrap_or(0);
        bases.push(events);
        for mut one in list {
            one.leader += places;
            one.event += events;
            all.push(one);
        }
    }
    Ok((all, bases))
}

/// What has to be said of single events, of those with one reason together.
pub(crate) fn notes(counters: &Counters<'_>, reading: &[EventReading], plan: &Plan) -> Vec<String> {
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
    }
    for Missing { event, why } in &plan.missing {
        note(event, why.clone());
    }
    for literal in &plan.unknown {
        note(
            literal.name(),
            "this machine does not say what it is; metrics with it are nan".into(),
        );
    }
    notes.into_iter().map(|(why, names)| format!("{}: {why}", names.join(", "))).collect()
}
