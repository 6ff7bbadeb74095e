//! `pmu topdown`: finds the bottleneck of a command, of tasks or of CPUs.
//!
//! | module | contents |
//! |---|---|
//! | [`measure`] | one pass after the other |
//! | [`mod@refusal`] | why nothing was counted |
//! | [`report`] | text and JSON |

mod measure;
mod refusal;
mod report;

use std::process::ExitCode;
use std::time::Duration;

use pmu_events::topdown::{Drill, Hierarchy};

use crate::stat::args::RunArgs;
use crate::stat::{self, Failure};
use crate::system::System;
use crate::topdown_args::TopdownArgs;
use measure::Course;
use refusal::refusal;

/// How long a pass over tasks or CPUs takes.
const PASS: Duration = Duration::from_secs(1);
/// How deep one run goes: deeper levels have more events than a run can share.
const LEVELS_OF_SINGLE_RUN: usize = 2;

pub(crate) fn main(args: TopdownArgs) -> ExitCode {
    stat::exit_code("topdown", topdown(&args))
}

/// The status of the command.
fn topdown(args: &TopdownArgs) -> Result<u8, Failure> {
    let system = System::of_args(&args.machine)?;
    // A report on standard error has the notes.
    system.telling("topdown", args.output.is_some(), |is_told| reported(args, &system, is_told))
}

/// Measures and reports, and states whether the report, even after an error, tells of the CPUs.
fn reported(args: &TopdownArgs, system: &System, is_told: &mut bool) -> Result<u8, Failure> {
    let hierarchies = hierarchies(system)?;
    let level = args.level.map_or(usize::MAX, |level| level.try_into().unwrap_or(usize::MAX));
    let level = if args.single_run && args.level.is_none() { LEVELS_OF_SINGLE_RUN } else { level };
    let latencies = stat::latencies(&args.latencies, system).map_err(Failure::Cannot)?;
    let drill = |tree| {
        let drill = Drill::new(tree).with_level(level).with_latencies(latencies.clone());
        if args.all { drill.with_all() } else { drill }
    };
    let drills: Vec<Drill<'_>> = hierarchies.iter().map(drill).collect();
    let counting = counting(args);
    let mut out = stat::output(args.output.as_deref())?;
    let mut course = Course::new(system, &counting, drills, latencies.clone(), args.all);
    let ended = if args.single_run { course.in_one_run(level) } else { course.step_by_step() };
    if ended.is_err() && course.passes.is_empty() {
        return ended;
    }
    *is_told = true;
    match report::write(&mut out, args, &course) {
        // A command whose report nobody reads has run nevertheless.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => ended,
    }
}

/// The trees of the machine's cores. An error says why there is none.
fn hierarchies(system: &System) -> Result<Vec<Hierarchy>, Failure> {
    let cannot = |message: String| refusal(&message, system);
    let models = system.models();
    if models.is_empty() {
        return Err(cannot("this CPU has no table with metrics".into()));
    }
    let names: Vec<_> = models.iter().map(|model| format!("`{}`", model.name())).collect();
    let all: Vec<Hierarchy> = models.into_iter().flat_map(Hierarchy::of).collect();
    if all.is_empty() {
        return Err(cannot(format!("the metrics of {} form no top-down tree", names.join(", "))));
    }
    Ok(all)
}

/// How each pass counts.
fn counting(args: &TopdownArgs) -> RunArgs {
    let without_end = args.command.is_empty().then_some(PASS);
    RunArgs {
        timeout: args.duration.or(without_end),
        verbose: args.verbose,
        ..RunArgs::new("topdown", args.target.clone(), args.command.clone())
    }
}
