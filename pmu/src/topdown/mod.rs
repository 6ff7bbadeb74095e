//! `pmu topdown`: finds the bottleneck of a command, of tasks or of CPUs.
//!
//! | module | contents |
//! |---|---|
//! | [`measure`] | one pass after the other |
//! | [`report`] | text and JSON |

mod measure;
mod report;

use std::process::ExitCode;
use std::time::Duration;

use pmu_events::topdown::{Drill, Hierarchy};

use crate::cli::TopdownArgs;
use crate::stat::args::{Args, Shape, Subject};
use crate::stat::{self, Failure, Level};
use crate::system::System;
use measure::Course;

/// How long a pass over tasks or CPUs takes.
const PASS: Duration = Duration::from_secs(1);
/// How deep one run goes: deeper levels have more events than a run can share.
const LEVELS_OF_SINGLE_RUN: usize = 2;

pub(crate) fn main(args: TopdownArgs) -> ExitCode {
    stat::exit_code("topdown", topdown(args))
}

/// The status of the command.
fn topdown(args: TopdownArgs) -> Result<u8, Failure> {
    let system = System::of_args(&args.machine)?;
    let hierarchies = hierarchies(&system)?;
    let level = args.level.map_or(usize::MAX, |level| level.try_into().unwrap_or(usize::MAX));
    let level = if args.single_run && args.level.is_none() { LEVELS_OF_SINGLE_RUN } else { level };
    let drill = |tree| {
        let drill = Drill::new(tree).with_level(level);
        if args.all { drill.with_all() } else { drill }
    };
    let drills: Vec<Drill<'_>> = hierarchies.iter().map(drill).collect();
    let is_single = args.single_run;
    let counting = counting(args);
    let mut out = stat::output(&counting)?;
    let mut course = Course::new(&system, &counting, drills);
    let status = if is_single { course.in_one_run(level)? } else { course.step_by_step()? };
    match report::write(&mut out, &counting, &course) {
        // A command whose report nobody reads has run nevertheless.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(status),
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

/// Why nothing was counted, and the likely cause.
fn refusal(message: &str, system: &System) -> Failure {
    let notes = system.excuses().into_iter().map(|excuse| format!("\npmu topdown: note: {excuse}"));
    Failure::Cannot(format!("{message}; nothing was counted{}", notes.collect::<String>()))
}

/// What `stat` needs to know to count a pass.
fn counting(args: TopdownArgs) -> Args {
    let timeout = match args.command.is_empty() {
        true => Some(args.duration.unwrap_or(PASS)),
        false => args.duration,
    };
    Args {
        program: "topdown",
        events: Vec::new(),
        metrics: Vec::new(),
        formulas: Vec::new(),
        formulas_file: None,
        detailed: 0,
        no_inherit: args.target.no_inherit,
        subject: Subject::new(args.target),
        cgroups: [None, None],
        repeat: 1,
        interval: None,
        interval_count: None,
        timeout,
        delay: None,
        level: Level::Everything,
        no_merge: false,
        verbose: args.verbose,
        shape: if args.json { Shape::Json } else { Shape::Text },
        output: args.output,
        append: false,
        command: args.command,
    }
}
