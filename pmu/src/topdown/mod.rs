//! `pmu topdown`: finds the bottleneck of a command, of tasks or of CPUs.
//!
//! | module | contents |
//! |---|---|
//! | [`setting`] | what each pass counts |
//! | [`course`] | one pass after the other, or all at once |
//! | [`findings`] | what they have found |
//! | [`walk`](mod@walk) | the walk through the trees of one place |
//! | [`bottlenecks`] | the parts of the whole, side by side |
//! | [`places`] | places: control groups, cores, threads |
//! | [`sampling`] | samples of the events that find the code |
//! | [`import`] | counts from a file |
//! | [`utilization`] | how much of the time something ran |
//! | [`mod@refusal`] | why nothing was counted |
//! | [`report`] | text, JSON and fields |

mod bottlenecks;
mod course;
mod findings;
mod import;
mod places;
mod refusal;
mod report;
mod sampling;
mod setting;
mod utilization;
mod walk;

use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use pmu_events::Scope;
use pmu_events::metric::Latencies;
use pmu_events::topdown::{Drill, Hierarchy};

use crate::failure::SUCCESS;
use crate::stat::args::RunArgs;
use crate::stat::cgroups::{self, Cgroups, Opened};
use crate::stat::{self, Destination, Failure, Level, Shape, Signals};
use crate::system::System;
use crate::topdown_args::TopdownArgs;
use course::Course;
use findings::{Combined, Findings, Trees};
use import::Encodings;
use places::Place;
use refusal::refusal;
use report::Report;
use sampling::{How, Samples};
use setting::Setting;
use walk::Walk;

/// How long a pass over tasks or CPUs takes.
const PASS: Duration = Duration::from_secs(1);
/// How deep one run goes: deeper levels have more events than a run can share.
const LEVELS_OF_SINGLE_RUN: usize = 2;

pub(crate) fn main(args: TopdownArgs) -> ExitCode {
    stat::exit_code("topdown", topdown(&args))
}

/// The status of the command.
fn topdown(args: &TopdownArgs) -> Result<u8, Failure> {
    let run = counting(args).map_err(Failure::Usage)?;
    // Its usage is checked before anything runs.
    let how = match args.sample {
        true => Some(How::new(args, run.timeout)?),
        false => None,
    };
    let to = Destination::new(&args.destination).map_err(Failure::Usage)?;
    let shape = Shape::new(args.json, args.field_separator.as_deref());
    let form = Form { to: &to, shape: &shape };
    let system = match args.import {
        None => System::of_args(&args.machine)?,
        Some(_) => System::of_file(&args.machine)?,
    };
    // A report on standard error has the notes.
    let first = !to.is_stderr() || matches!(shape, Shape::Fields(_));
    system.telling("topdown", first, |is_told| match &args.import {
        None => counted(args, &run, how, form, &system, is_told),
        Some(path) => imported(args, path, form, &system, is_told),
    })
}

/// How the report is written, and where.
#[derive(Clone, Copy)]
struct Form<'f> {
    to: &'f Destination,
    shape: &'f Shape,
}

/// Measures and reports, and states whether the report, even after an error, tells of the CPUs.
fn counted(
    args: &TopdownArgs,
    run: &RunArgs,
    how: Option<How>,
    form: Form<'_>,
    system: &System,
    is_told: &mut bool,
) -> Result<u8, Failure> {
    let hierarchies = hierarchies(system)?;
    let is_single_run = args.single_run || run.interval.is_some();
    let level = match args.level {
        None if is_single_run && !takes_all(args) => LEVELS_OF_SINGLE_RUN,
        level => deepest(level),
    };
    let latencies = stat::latencies(&args.latencies, system).map_err(Failure::Cannot)?;
    let walk = walk(args, &hierarchies, level, &latencies);
    let each = args.each_cgroup.for_each_cgroup.as_deref();
    let cgroups = Cgroups::new(None, each, || cgroups::root(system)).map_err(Failure::Cannot)?;
    let cgroups = cgroups.of_metrics().map_err(Failure::Usage)?;
    let setting = Setting {
        system,
        run,
        level: Level::of(&args.aggregation),
        cgroups: Opened::new(system).open_each(&cgroups).map_err(Failure::Cannot)?,
        modifiers: modifiers(args),
        latencies,
        samples_latencies: args.latencies.are_sampled(),
    };
    let mut out = form.to.open(false)?;
    let mut course = Course::new(&setting, &walk, takes_all(args));
    let report = Report {
        shape: form.shape,
        system,
        scope: setting.scope(),
        subject: stat::subject(run),
        unit: if run.command.is_empty() { "passes" } else { "runs of the command" },
        has_bottlenecks: args.bottlenecks,
        has_intervals: run.interval.is_some(),
        is_stderr: form.to.is_stderr(),
    };
    // What commands inherit is known only before signals are held.
    let signals = Signals::new();
    let ended = match is_single_run {
        false => course.step_by_step(&signals),
        true => course.in_one_run(&signals, level, &mut |trees| {
            *is_told = true;
            Ok(report.interval(&mut out, trees)?)
        }),
    };
    if ended.is_err() && course.passes.is_empty() {
        return ended;
    }
    *is_told = true;
    let (samples, ended) = sampled(how, &setting, &mut course, signals, ended);
    let findings = Findings { samples: samples.as_ref(), ..course.findings() };
    match report.end(&mut out, &findings) {
        // A command whose report nobody reads has run nevertheless.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => ended,
    }
}

/// Samples what the findings of a run that ended well are about. An error is one of the whole, whose
/// tree is known nevertheless.
fn sampled(
    how: Option<How>,
    setting: &Setting<'_>,
    course: &mut Course<'_>,
    signals: Signals,
    ended: Result<u8, Failure>,
) -> (Option<Samples>, Result<u8, Failure>) {
    let (Some(how), Ok(_)) = (how, &ended) else { return (None, ended) };
    if course.is_cut_short {
        course.notes.push("nothing was sampled, because the run did not end well".into());
        return (None, ended);
    }
    match sampling::sample(how, setting, signals, &course.walks) {
        Ok(mut samples) => {
            course.notes.append(&mut samples.notes);
            let status = samples.status;
            (Some(samples), Ok(status))
        }
        Err(failure) => (None, Err(failure)),
    }
}

/// Reports what counts from a file say.
fn imported(
    args: &TopdownArgs,
    path: &Path,
    form: Form<'_>,
    system: &System,
    is_told: &mut bool,
) -> Result<u8, Failure> {
    let hierarchies = hierarchies(system)?;
    let latencies = stat::latencies(&args.latencies, system).map_err(Failure::Cannot)?;
    let of_nothing = walk(args, &hierarchies, deepest(args.level), &latencies);
    let table = import::read(path).map_err(Failure::Cannot)?;
    let scope = if table.is_of_cpus() { Scope::AllCpus } else { Scope::ThisThread };
    let machine = system.machine(&scope);
    let encodings = Encodings::new(system);
    let mut notes: Vec<String> = system.notes().iter().map(ToString::to_string).collect();
    let report = Report {
        shape: form.shape,
        system,
        scope,
        subject: format!("the counts in `{}`", path.display()),
        unit: "passes",
        has_bottlenecks: args.bottlenecks,
        has_intervals: table.moments.iter().any(|moment| moment.end.is_some()),
        is_stderr: form.to.is_stderr(),
    };
    let (combined, passes) = (Combined::default(), Vec::new());
    let mut out = None;
    let mut number = 0;
    for moment in &table.moments {
        let walk = |(place, counts): &(Place, import::Counts)| {
            let mut walk = of_nothing.at(place.clone());
            walk.utilizations.extend(counts.utilization);
            walk.descend(&machine, |metric, event| {
                counts.of(event.as_str(), metric.pmu(), modifiers(args), &encodings)
            });
            walk
        };
        let mut walks: Vec<Walk<'_>> = moment.places.iter().map(walk).collect();
        walks.retain(Walk::is_counted);
        if walks.is_empty() {
            continue;
        }
        const ENDS: &str = "the file has no counts of deeper levels of some nodes";
        if !walks.iter().all(Walk::is_at_end) && !notes.iter().any(|note| note == ENDS) {
            notes.push(ENDS.into());
        }
        let out = match &mut out {
            Some(out) => out,
            none => none.insert(form.to.open(false)?),
        };
        *is_told = true;
        match moment.end {
            Some(end) => {
                report.interval(out, &Trees { number, end, walks: &walks, combined: &combined })?;
            }
            None => {
                let (walks, combined, passes, notes) = (&walks, &combined, &passes, &notes);
                report.end(out, &Findings { walks, combined, passes, notes, samples: None })?;
            }
        }
        number += 1;
    }
    match out {
        None => Err(Failure::Cannot(format!(
            "{}: has no counts of all events of a node of the tree; `pmu stat -M TopdownL1 -j -o \
             FILE` writes some",
            path.display()
        ))),
        Some(mut out) if report.has_intervals => {
            let (walks, combined, passes, notes) = (&[], &combined, &passes, &notes);
            report.end(&mut out, &Findings { walks, combined, passes, notes, samples: None })?;
            Ok(SUCCESS)
        }
        Some(_) => Ok(SUCCESS),
    }
}

fn deepest(level: Option<u64>) -> usize {
    level.map_or(usize::MAX, |level| level.try_into().unwrap_or(usize::MAX))
}

/// A view of bottlenecks needs all nodes.
fn takes_all(args: &TopdownArgs) -> bool {
    args.all || args.bottlenecks
}

/// The walk through all trees, of which nothing is known.
fn walk<'h>(
    args: &TopdownArgs,
    hierarchies: &'h [Hierarchy],
    level: usize,
    latencies: &Latencies,
) -> Walk<'h> {
    let drill = |tree| {
        let drill = Drill::new(tree).with_level(level).with_latencies(latencies.clone());
        if takes_all(args) { drill.with_all() } else { drill }
    };
    let walk = Walk::new(Place::default(), hierarchies.iter().map(drill).collect());
    if args.bottlenecks { walk.with_bottlenecks() } else { walk }
}

/// Which code is counted, as events say it.
fn modifiers(args: &TopdownArgs) -> &'static str {
    match (args.user, args.kernel) {
        (true, _) => "u",
        (false, true) => "k",
        (false, false) => "",
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

/// How each pass counts. An error explains the wrong usage.
fn counting(args: &TopdownArgs) -> Result<RunArgs, String> {
    let interval = args.intervals.length();
    let has_no_end = args.command.is_empty() && interval.is_none();
    let mut run = RunArgs {
        timeout: args.duration.or(has_no_end.then_some(PASS)),
        interval,
        interval_count: args.intervals.count()?,
        verbose: args.verbose,
        ..RunArgs::new("topdown", args.target.clone(), args.command.clone())
    };
    let has_cgroups = args.each_cgroup.for_each_cgroup.is_some();
    run.divide(Level::of(&args.aggregation), has_cgroups)?;
    Ok(run)
}
