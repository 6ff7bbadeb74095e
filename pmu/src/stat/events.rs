//! The requested events, or the default ones.

use pmu_events::__private::expr::literal_name;
use pmu_events::event::LatencyStatistic;
use pmu_events::measure::{LatencyOperand, Plan, PlannedMetric};
use pmu_events::metric::{Latencies, Latency, LatencyOf};
use pmu_events::open::{self, Counters, EventReading};
use pmu_events::resolve::{Error, ErrorKind, Missing, Resolution, Resolved};

use crate::failure::message_with_sources;
use crate::mesh::WHOLE_MESH;
use crate::pointer::pointed_out;
use crate::stat::args::Args;
use crate::stat::failure::reason;
use crate::stat::shown_unit;
use crate::system::System;

/// `default_attrs0` in `tools/perf/builtin-stat.c`; those that a machine lacks
/// are shown as unsupported.
const OF_TASKS: &str = "task-clock,context-switches,cpu-migrations,page-faults,cycles,\
                        instructions,branches,branch-misses";
const OF_CPUS: &str = "cpu-clock,context-switches,cpu-migrations,page-faults,cycles,\
                       instructions,branches,branch-misses";

/// `detailed_attrs`, `very_detailed_attrs` and `very_very_detailed_attrs`, each
/// in addition to the previous ones.
const DETAILS: [&str; 3] = [
    "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
    "L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,\
     iTLB-load-misses",
    "L1-dcache-prefetches,L1-dcache-prefetch-misses",
];

/// Adds the default events where nothing is given; whether that is so.
pub(crate) fn add_default(args: &mut Args) -> bool {
    let has_metrics = !args.metrics.is_empty() || !args.formulas.is_empty();
    let is_any = !args.events.is_empty() || has_metrics || args.formulas_file.is_some();
    let is_default = !is_any && !args.form.is_null;
    if is_default {
        args.events.push(if args.run.subject.is_cpus() { OF_CPUS } else { OF_TASKS }.into());
    }
    is_default
}

/// All lists as one. Events that the machine lacks are missing in it; an error
/// shows its position.
pub(crate) fn resolved(lists: &[String], system: &System) -> Result<Resolution, String> {
    let mut all = Resolution::empty(system);
    for text in lists {
        let list = system.resolve(text).map_err(|error| pointed_out(text, &error))?;
        refused(&list, Error::is_unsupported).map_err(|error| pointed_out(text, error))?;
        all.append(list);
    }
    Ok(all)
}

/// The events of `-d`. Those of a machine without a core PMU are missing, as
/// `cycles` is.
pub(crate) fn details(levels: usize, system: &System) -> Result<Resolution, String> {
    let mut all = Resolution::empty(system);
    for text in DETAILS.iter().take(levels) {
        let list = system.resolve(text).map_err(|error| pointed_out(text, &error))?;
        refused(&list, |error| error.kind() == ErrorKind::NoCorePmu)
            .map_err(|error| pointed_out(text, error))?;
        all.append(list);
    }
    Ok(all)
}

/// The first error that an event may not have.
fn refused(list: &Resolution, may_be: impl Fn(&Error) -> bool) -> Result<(), &Error> {
    // Where other instances of a PMU have the event, the sum says what it lacks.
    let of_all = list.missing().iter().filter(|missing| missing.pmu_name().is_none());
    let mut errors = of_all.map(Missing::error);
    errors.find(|error| !may_be(error)).map_or(Ok(()), Err)
}

/// Reported once for many events.
const NO_CORE_PMU: &str = "this machine has no core PMU, which would have such an event";

/// Notes on single events, one for each reason.
pub(crate) fn notes(
    counters: &Counters,
    reading: &[EventReading],
    plan: &Plan,
    measured: &Latencies,
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
            if let (None, Some(pmu)) = (event.resolved(), event.pmu_name()) {
                note(&name, format!("it lacks PMU `{pmu}`: {}", reason(refusal)));
                continue;
            }
            let is_known_before = event.resolved().is_none();
            note(
                &name,
                match is_known_before && refusal.kind() == open::ErrorKind::NoHardwarePmu {
                    true => NO_CORE_PMU.into(),
                    false => reason(refusal),
                },
            );
        }
        if event.is_user_only() && event.refusal().is_none() {
            let why = "the kernel is left out, because kernel.perf_event_paranoid does not \
                       permit counting it";
            note(&name, why.into());
        }
        if let Some(unit) = event.resolved().and_then(shown_unit::stated) {
            note(
                &name,
                format!(
                    "one count stands for {unit}, and is shown as that; perf has no scale for it"
                ),
            );
        }
        if event.resolved().is_some_and(Resolved::is_lacking) {
            note(&name, "this CPU lacks it, and the kernel counts 0".into());
        }
        if event.resolved().is_some_and(Resolved::ignores_node) {
            note(&name, WHOLE_MESH.into());
        }
        if event.is_alone() {
            let why = "it is not counted in its group, which does not fit the PMU, is counted on \
                       other CPUs, or differs in whether children are counted";
            note(&name, why.into());
        }
        for lack in reading.lacks() {
            let (target, why) = (lack.target(), lack.why());
            match why.kind() {
                open::ErrorKind::PinnedOut => {
                    note(&name, "it is pinned, and other events had its counter".into());
                }
                _ if reading.parts().is_empty() => note(&name, reason(why)),
                _ => note(&name, format!("it lacks {target}: {}", reason(why))),
            }
        }
    }
    for missing in plan.missing() {
        let why = match missing.error().kind() {
            // Reported once for many events.
            ErrorKind::UnknownEvent => "no PMU of this machine has such an event".into(),
            ErrorKind::NoCorePmu => NO_CORE_PMU.into(),
            _ => message_with_sources(missing.error()),
        };
        note(missing.name(), why);
    }
    for &literal in plan.unknown() {
        note(
            literal_name(literal),
            "this machine does not say what it is; metrics with it are nan".into(),
        );
    }
    let of_names = notes.into_iter().map(|(why, names)| format!("{}: {why}", names.join(", ")));
    of_names.chain(estimates(plan, measured)).collect()
}

/// What was measured of a latency.
pub(crate) fn stated(measured: &Latencies, one: &LatencyOperand) -> Option<Latency> {
    measured.find([], LatencyOf::parse(one.identifier())?)
}

/// What the mark of an estimate means.
fn estimates(plan: &Plan, measured: &Latencies) -> Option<String> {
    let is_of_table = |one: &&LatencyOperand| {
        one.is_needed()
            && one.latency().is_some_and(Latency::is_estimate)
            && stated(measured, one).is_none()
    };
    let is_estimate =
        |planned: &&PlannedMetric| planned.latencies().iter().any(|one| is_of_table(&one));
    let estimate = plan.metrics().iter().find(is_estimate)?;
    let statistic = match estimate.request().latencies().statistic() {
        LatencyStatistic::Mean => "mean",
        LatencyStatistic::Min => "minimum",
        LatencyStatistic::Max => "maximum",
        other => other.name(),
    };
    Some(format!(
        "a metric marked as an estimate takes retirement latencies from the tables: the \
         {statistic} of what was measured elsewhere; `--retire-latency sampled` samples them, and \
         EVENT=CYCLES states one"
    ))
}
