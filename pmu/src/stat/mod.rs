//! `pmu stat`: counts events of a command, of tasks or of whole CPUs.
//!
//! | module | contents |
//! |---|---|
//! | [`args`] | what to count and show |
//! | [`events`] | what is counted |
//! | [`metrics`] | formulas over it |
//! | [`latencies`](mod@latencies) | retirement latencies, which formulas take and no counter counts |
//! | [`cgroups`] | in which control groups |
//! | [`command`] | the command, held back until its counters are open |
//! | [`hooks`] | what happens before and after each run |
//! | [`signals`] | signals that are waited for instead of interrupting |
//! | [`run`] | one run, from opening to reading |
//! | [`lines`], [`rows`] | the events of a line of the output, and its contents |
//! | [`shown_unit`] | the unit of a line |
//! | [`aggregation`] | what shares a line: a CPU, a core, a socket |
//! | [`derived`] | what a count means in relation to others |
//! | [`statistics`] | the mean of several runs |
//! | [`failure`] | why it ends early |
//! | [`verbose`] | how each event is open |
//! | [`report`] | the three outputs |

mod aggregation;
pub(crate) mod args;
mod cgroups;
mod command;
mod copies;
mod derived;
pub(crate) mod events;
mod failure;
mod hooks;
mod latencies;
mod lines;
mod metrics;
mod report;
mod rows;
pub(crate) mod run;
mod shown_unit;
mod signals;
mod statistics;
mod verbose;

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal as _};
use std::mem;
use std::path::Path;
use std::process::ExitCode;

use pmu_events::resolve::Resolution;

use crate::output::Output;
use crate::stat_args::StatArgs;
use crate::system::System;
use crate::time_args::Repeat;
pub(crate) use aggregation::Level;
use args::{Args, RunArgs, Shape, Subject};
use cgroups::{Cgroups, Opened};
pub(crate) use copies::PlanCopy;
pub(crate) use failure::Failure;
pub(crate) use latencies::latencies;
pub(crate) use metrics::{Bound, scope};
use report::Summary;
use rows::Runs;
pub(crate) use run::Asked;
pub(crate) use signals::Signals;

/// The same statuses as `env`, `nice` and `timeout`.
const FAILED: u8 = 125;
const NOT_RUNNABLE: u8 = 126;
const NOT_FOUND: u8 = 127;

pub(crate) fn main(args: StatArgs) -> ExitCode {
    exit_code("stat", stat(args))
}

/// The status of a command that counts; reports its failure.
pub(crate) fn exit_code(command: &str, result: Result<u8, Failure>) -> ExitCode {
    let (message, code) = match result {
        Ok(code) => return ExitCode::from(code),
        // A reader that stops, as `head` does, has seen enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => (format!("cannot write: {error}"), FAILED),
        Err(Failure::Cannot(message)) => (message, FAILED),
        Err(Failure::NotFound(message)) => (message, NOT_FOUND),
        Err(Failure::NotRunnable(message)) => (message, NOT_RUNNABLE),
        Err(Failure::Usage(message)) => (format!("{message}\nTry `pmu {command} --help`."), FAILED),
    };
    crate::failure::complain(command, &message);
    ExitCode::from(code)
}

fn complain(message: &str) {
    crate::failure::complain("stat", message);
}

/// The status of the command.
fn stat(mut args: StatArgs) -> Result<u8, Failure> {
    let machine = mem::take(&mut args.machine);
    let mut args = Args::new(args).map_err(Failure::Usage)?;
    if let Some(overridden) = args.run.overridden {
        complain(&format!("note: {overridden}"));
    }
    events::add_default(&mut args);
    let system = System::of_args(&machine)?;
    // Other shapes have the notes in the report.
    let first = matches!(args.shape, Shape::Fields(_)) && args.output.is_none();
    system.telling("stat", first, |is_told| reported(&args, &system, is_told))
}

/// Counts and reports, and states whether the report, even after an error, tells of the CPUs.
fn reported(args: &Args, system: &System, is_told: &mut bool) -> Result<u8, Failure> {
    let of_cpus: Vec<String> = system.notes().iter().map(ToString::to_string).collect();
    let plan = match metrics::plan(args, system) {
        Ok(plan) => plan,
        Err(message) if system.model().is_err() => {
            return Ok(excused(&message, system));
        }
        Err(message) => return Err(Failure::Cannot(message)),
    };
    let [of_events, each] = &args.cgroups;
    let cgroups = Cgroups::new(of_events.as_deref(), each.as_deref(), || cgroups::root(system));
    let cgroups = cgroups.map_err(Failure::Cannot)?;
    let metrics_in = match plan.metrics() {
        [] => vec![None],
        _ => cgroups.of_metrics().map_err(Failure::Usage)?,
    };
    let parts = match cgroups::resolved(&args.events, args.detailed, &cgroups, system) {
        Ok(parts) => parts,
        Err(message) => return Ok(excused(&message, system)),
    };
    let mut cgroups = Opened::new(system);
    let mut resolved = Resolution::empty(system);
    for part in parts {
        resolved.append(cgroups.placed(part).map_err(Failure::Cannot)?);
    }
    let mut copies = Vec::new();
    for cgroup in metrics_in {
        let cgroup = cgroup.map(|name| cgroups.open(&name)).transpose();
        let cgroup = cgroup.map_err(Failure::Cannot)?;
        let events = plan.resolution().clone();
        let events = match &cgroup {
            Some(cgroup) => events.in_cgroup(cgroup),
            None => events,
        };
        copies.push(PlanCopy { appended: resolved.append(events), cgroup });
    }
    let metrics = Bound::new(&plan, &copies);
    let asked = Asked {
        resolved: &resolved,
        copies: &copies,
        missing: plan.missing(),
        level: args.level,
        is_merged: !args.no_merge,
        must_count: false,
    };
    if args.clears && (args.output.is_some() || !io::stderr().is_terminal()) {
        return Err(Failure::Usage("`--interval-clear` needs a terminal to write to".into()));
    }
    let mut out = output(args.output.as_deref(), args.append)?;
    let signals = Signals::new();
    let mut runs = Runs::default();
    for number in 1.. {
        args.hooks.before()?;
        let finished = run::once(&args.run, &asked, &signals, &mut |interval| {
            let rows = interval.runs.rows(interval.lines, &metrics, args);
            *is_told = true;
            if args.clears {
                out.clear_screen()?;
            }
            report::interval(&mut out, args, &rows, interval, &of_cpus)?;
            Ok(())
        })?;
        runs.add(&finished.lines, &finished.reading, finished.elapsed, &finished.units);
        let hook = match finished.failed() {
            None => args.hooks.after(),
            Some(_) => Ok(()),
        };
        let is_last =
            finished.signal.is_some() || hook.is_err() || args.repeat == Repeat::Times(number);
        if !is_last && args.repeat != Repeat::Forever {
            continue;
        }
        let mut notes = of_cpus.clone();
        notes.extend(events::notes(&finished.counters, finished.reading.events(), &plan));
        if args.run.interval.is_none() {
            let summary = Summary {
                subject: &subject(&args.run),
                runs: &runs,
                spent: finished.end.as_ref().map(|end| (end.user, end.system)),
                notes: if args.shape == Shape::Text { &notes } else { &of_cpus },
            };
            let rows = runs.rows(&finished.lines, &metrics, args);
            *is_told = true;
            // A command whose counts nobody reads has run nevertheless.
            match report::summary(&mut out, args, &rows, &summary) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.into()),
                _ => {}
            }
        }
        // Notes are omitted if they would appear in output that a program
        // reads.
        if args.run.interval.is_some() && args.shape == Shape::Text
            || args.output.is_some() && args.shape != Shape::Text
        {
            notes.iter().for_each(|note| complain(&format!("note: {note}")));
        }
        if !is_last {
            runs = Runs::default();
            continue;
        }
        hook?;
        let uncountable = metrics.uncountable(plan.missing(), &finished.counters);
        uncountable.iter().for_each(|message| complain(message));
        return Ok(match finished.failed() {
            Some(status) => status,
            None if !uncountable.is_empty() => FAILED,
            None => 0,
        });
    }
    unreachable!("some run is the last")
}

/// Reports an unknown name, and the likely cause.
fn excused(message: &str, system: &System) -> u8 {
    complain(message);
    system.excuses().iter().for_each(|excuse| complain(&format!("note: {excuse}")));
    FAILED
}

/// The file of the output, or standard error without one.
pub(crate) fn output(path: Option<&Path>, append: bool) -> Result<Output, Failure> {
    match path {
        None => Ok(Output::stderr()),
        Some(path) => match opened(path, append) {
            Ok(file) => Ok(Output::file(file)),
            Err(error) => {
                Err(Failure::Cannot(format!("cannot write `{}`: {error}", path.display())))
            }
        },
    }
}

fn opened(path: &Path, append: bool) -> io::Result<File> {
    match append {
        true => File::options().append(true).create(true).open(path),
        false => File::create(path),
    }
}

/// What is counted, for the header.
pub(crate) fn subject(args: &RunArgs) -> String {
    let list = |ids: &[u32]| ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    match &args.subject {
        Subject::Command => {
            let words: Vec<_> = args.command.iter().map(|word| word.to_string_lossy()).collect();
            format!("'{}'", words.join(" "))
        }
        Subject::Processes(ids) => format!("process id '{}'", list(ids)),
        Subject::Threads(ids) => format!("thread id '{}'", list(ids)),
        Subject::AllCpus => "'system wide'".into(),
        Subject::Cpus(cpus) => format!("'CPU(s) {cpus}'"),
    }
}
