//! `pmu stat`: counts events of a command, of tasks or of whole CPUs.
//!
//! | module | contents |
//! |---|---|
//! | [`args`] | what to count and show |
//! | [`events`] | what is counted |
//! | [`metrics`] | formulas over it |
//! | [`latencies`](mod@latencies) | retirement latencies, which formulas take and no counter counts |
//! | [`sampled`] | retirement latencies of samples that are taken meanwhile |
//! | [`cgroups`] | in which control groups |
//! | [`command`] | the command, held back until its counters are open |
//! | [`hooks`] | what happens before and after each run |
//! | [`control`] | what others tell the counters while they count |
//! | [`signals`] | signals that are waited for instead of interrupting |
//! | [`run`] | one run, from opening to reading |
//! | [`schedule`] | when its intervals end |
//! | [`lines`], [`rows`] | the events of a line of the output, and its contents |
//! | [`shown_unit`] | the unit of a line |
//! | [`aggregation`] | what shares a line: a CPU, a core, a socket |
//! | [`form`], [`destination`] | how counts are written, and where |
//! | [`derived`] | what a count means in relation to others |
//! | [`statistics`] | the mean of several runs |
//! | [`failure`] | why it ends early |
//! | [`verbose`] | how each event is open |
//! | [`report`] | the three outputs |
//! | [`recorded`] | counts in a file of perf's format: `stat record`, `stat report` |

mod aggregation;
pub(crate) mod args;
pub(crate) mod cgroups;
pub(crate) mod command;
pub(crate) mod control;
mod copies;
mod derived;
mod destination;
pub(crate) mod events;
mod failure;
mod form;
mod hooks;
mod latencies;
mod lines;
mod metrics;
mod recorded;
mod report;
mod rows;
pub(crate) mod run;
pub(crate) mod sampled;
mod schedule;
mod shown_unit;
mod signals;
mod statistics;
mod verbose;

use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;

use pmu_events::control::Server;
use pmu_events::resolve::Resolution;

use crate::cli::{Cli, Command};
use crate::invocation::Invocation;
use crate::output::{self, Output, tell};
use crate::stat_args::StatArgs;
use crate::system::System;
use crate::time_args::Repeat;
pub(crate) use aggregation::{Level, Unit, Units};
use args::{Args, RunArgs, Subcommand, Subject};
use cgroups::{Cgroups, Opened};
pub(crate) use copies::PlanCopy;
pub(crate) use destination::Destination;
pub(crate) use failure::{Failure, reason};
pub(crate) use form::Shape;
pub(crate) use latencies::latencies;
pub(crate) use metrics::{Bound, scope};
use recorded::{Recorder, ReplayArgs, replay};
use report::Summary;
use rows::Runs;
pub(crate) use run::{Asked, Interval};
pub(crate) use sampled::Wanted;
pub(crate) use signals::Signals;

/// The same statuses as `env`, `nice` and `timeout`.
const FAILED: u8 = 125;
const NOT_RUNNABLE: u8 = 126;
const NOT_FOUND: u8 = 127;
/// That of perf where it cannot parse an option, or events.
const PERF_USAGE: u8 = 129;

/// `words` are the command line, of which `args` are made.
pub(crate) fn main(args: StatArgs, words: &[OsString]) -> ExitCode {
    let Some(subcommand) = args.command.first().and_then(|word| Subcommand::of(word)) else {
        return exit_code("stat", Args::new(args).map_err(Failure::Usage).and_then(stat));
    };
    // perf takes options on both sides of the word, and what follows them as the command.
    let (before, after) = words.split_at(words.len() - args.command.len());
    let after = &after[1..];
    match subcommand {
        Subcommand::Record => match Cli::of_words(&[before, after].concat()).map(|cli| cli.command)
        {
            Ok(Command::Stat(args)) => {
                exit_code("stat", Args::recording(args).map_err(Failure::Usage).and_then(stat))
            }
            Ok(_) => unreachable!("the words before are those of `stat`"),
            Err(error) => crate::misused(&error),
        },
        Subcommand::Report => match ReplayArgs::of(after, args) {
            Ok(args) => exit_code("stat", replay(&args).map(|()| crate::failure::SUCCESS)),
            Err(error) => crate::misused(&error),
        },
    }
}

/// The status of a command that counts; reports its failure.
pub(crate) fn exit_code(command: &str, result: Result<u8, Failure>) -> ExitCode {
    let failure = match result {
        Ok(code) => return ExitCode::from(code),
        // A reader that stops, as `head` does, has seen enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(failure) => failure,
    };
    let code = status(&failure);
    let program = Invocation::current().program();
    let message = match failure {
        Failure::Output(error) => format!("cannot write: {error}"),
        Failure::Cannot(message)
        | Failure::Missing(message)
        | Failure::NotFound(message)
        | Failure::NotRunnable(message) => message,
        Failure::Usage(message) => format!("{message}\nTry `{program} {command} --help`."),
    };
    crate::failure::complain(command, &message);
    ExitCode::from(code)
}

/// The status of a failure, which is perf's own under its name: -1, or the negative number of
/// the error `EINVAL` where options contradict each other (`cmd_stat` in
/// `tools/perf/builtin-stat.c`).
fn status(failure: &Failure) -> u8 {
    const EINVAL: u8 = 22;
    match (failure, Invocation::current()) {
        (Failure::Usage(_) | Failure::Missing(_), Invocation::Perf) => 0_u8.wrapping_sub(EINVAL),
        (_, Invocation::Perf) => u8::MAX,
        (Failure::NotFound(_), Invocation::Pmu) => NOT_FOUND,
        (Failure::NotRunnable(_), Invocation::Pmu) => NOT_RUNNABLE,
        (_, Invocation::Pmu) => FAILED,
    }
}

fn complain(message: &str) {
    crate::failure::complain("stat", message);
}

/// The status of the command.
fn stat(mut args: Args) -> Result<u8, Failure> {
    match args.run.overridden {
        Some(overridden) if args.form.is_perf() => overridden.of_perf().into_iter().for_each(tell),
        Some(overridden) => complain(&format!("note: {}", overridden.note())),
        None => {}
    }
    let system = System::of_args(&args.machine)?;
    if events::add_default(&mut args) && !args.form.is_perf() && args.form.is_text() {
        args.metrics = metrics::by_default(&system, &args.run.subject);
        args.has_default_metrics = true;
    }
    if args.form.is_perf() || args.form.is_quiet {
        return reported(&args, &system, &mut true);
    }
    for (long, why) in &args.without_effect {
        complain(&format!("note: `--{long}` has no effect: {why}"));
    }
    // Other shapes have the notes in the report.
    let first = matches!(args.form.shape, Shape::Fields(_)) && args.to.is_stderr();
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
        Err(message) => return Err(Failure::Missing(message)),
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
    let metrics_in = cgroups.open_each(&metrics_in).map_err(Failure::Cannot)?;
    let copies = PlanCopy::in_each(&metrics_in, &plan, &mut resolved);
    let metrics = Bound::new(&plan, &copies);
    let asked = Asked {
        resolved: &resolved,
        copies: &copies,
        missing: plan.missing(),
        level: args.form.level,
        is_merged: args.form.is_merged,
        merges_cores: args.form.merges_cores,
        must_count: &[],
        latencies: &if args.latencies.are_sampled() {
            Wanted::of(&plan)
        } else {
            Wanted::default()
        },
    };
    let form = &args.form;
    if args.clears && !(args.to.is_stderr() && output::is_terminal()) {
        return Err(Failure::Usage("`--interval-clear` needs a terminal to write to".into()));
    }
    let mut out = match form.is_quiet {
        true => Output::nowhere(),
        false => args.to.open(form.shape != Shape::Json)?,
    };
    let server = args.run.control.as_ref().map(Server::listen).transpose();
    let mut server = server.map_err(control::cannot)?;
    let create = |path| Recorder::create(path, form.level, args.run.interval, args.run.is_scaled);
    let mut recorder = args.recorded.as_deref().map(create).transpose()?;
    let signals = Signals::new();
    let mut runs = Runs::default();
    for number in 1.. {
        args.hooks.before(&signals)?;
        let finished = run::once(&args.run, &asked, &signals, server.as_mut(), &mut |interval| {
            metrics.set_latencies(interval.latencies.clone());
            let rows = interval.runs.rows(interval.lines, &metrics, form);
            *is_told = true;
            if args.clears {
                out.clear_screen()?;
            }
            report::interval(&mut out, form, &rows, interval, &of_cpus)?;
            match &mut recorder {
                Some(recorder) => recorder.interval(interval.reading, interval.end),
                None => Ok(()),
            }
        })?;
        if let (Some(signal), true) =
            (finished.end.as_ref().and_then(|end| end.signal), form.is_perf())
        {
            let program = args.run.command[0].to_string_lossy();
            tell(&format!("{program}: {}\n", signals::description(signal)));
        }
        if let Some(recorder) = recorder.take() {
            recorder.finish(&finished.reading, finished.elapsed, system)?;
        }
        metrics.set_latencies(finished.measured.latencies.clone());
        runs.add(&finished.lines, &finished.reading, finished.elapsed, &finished.units);
        let hook = match finished.failed() {
            None => args.hooks.after(&signals),
            Some(_) => Ok(()),
        };
        let is_last =
            finished.signal.is_some() || hook.is_err() || args.repeat == Repeat::Times(number);
        if !is_last && args.repeat != Repeat::Forever {
            continue;
        }
        let mut notes = of_cpus.clone();
        notes.extend(finished.measured.notes.iter().cloned());
        let latencies = &finished.measured.latencies;
        notes.extend(events::notes(
            &finished.counters,
            finished.reading.events(),
            &plan,
            latencies,
        ));
        notes.extend(metrics::lacking(args, system));
        if args.run.interval.is_none() || form.has_summary {
            let summary = Summary {
                subject: &subject(&args.run),
                runs: &runs,
                spent: match (&finished.end, form.is_perf() && args.run.subject != Subject::Command)
                {
                    (Some(end), false) => Some((end.user, end.system)),
                    _ => None,
                },
                notes: match (form.is_text(), args.run.interval) {
                    // Those of intervals follow.
                    (true, Some(_)) => &[],
                    (true, None) => &notes,
                    (false, _) => &of_cpus,
                },
            };
            let rows = runs.rows(&finished.lines, &metrics, form);
            *is_told = true;
            // A command whose counts nobody reads has run nevertheless.
            match report::summary(&mut out, form, &rows, &summary) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.into()),
                _ => {}
            }
        }
        // Notes are omitted if they would appear in output that a program
        // reads.
        let is_apart = match form.is_text() {
            true => args.run.interval.is_some(),
            false => !args.to.is_stderr(),
        };
        if is_apart && !form.is_perf() && !form.is_quiet {
            notes.iter().for_each(|note| complain(&format!("note: {note}")));
        }
        if !is_last {
            runs = Runs::default();
            continue;
        }
        hook?;
        let uncountable = match form.is_perf() {
            true => Vec::new(),
            false => metrics.uncountable(plan.missing(), &finished.counters),
        };
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
    if Invocation::current().is_perf() {
        return PERF_USAGE;
    }
    system.excuses().iter().for_each(|excuse| complain(&format!("note: {excuse}")));
    FAILED
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
        Subject::AllCpus | Subject::AllThreads => "'system wide'".into(),
        Subject::Cpus(cpus) => format!("'CPU(s) {cpus}'"),
    }
}
