//! The output from a file of counts, as `perf stat report` writes it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser};
use pmu_events::Scope;
use pmu_events::measure::{Plan, Request};
use pmu_events::open::Count;

use crate::failure::complain;
use crate::invocation::Invocation;
use crate::machine_args::MachineArgs;
use crate::output::Output;
use crate::perf_data::counts::{Counted, Record, Round, Settings, Thread};
use crate::perf_data::reader::{Fault, Reader};
use crate::perf_data::topology::Topology;
use crate::stat::aggregation::{Level, Units};
use crate::stat::destination::Destination;
use crate::stat::failure::Failure;
use crate::stat::form::Form;
use crate::stat::lines::{Gained, LineId, Lines, Recorded};
use crate::stat::metrics::Bound;
use crate::stat::report::{self, Summary};
use crate::stat::rows::Runs;
use crate::stat_args::StatArgs;
use crate::stat_output_args::OutputArgs;
use crate::system::System;
use crate::time_args::Repeat;

/// The options of `stat report`.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The file to read
    #[arg(short, long, value_name = "FILE", default_value = "perf.data")]
    pub(crate) input: PathBuf,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The command line after the word, for messages.
#[derive(Parser, Debug)]
#[command(name = "stat report", about = "Show counts that `stat record` has written")]
struct Words {
    #[command(flatten)]
    args: ReplayArgs,
}

impl ReplayArgs {
    /// Those after the word; the form of the output may also be given before it.
    pub(crate) fn of(words: &[OsString], before: StatArgs) -> Result<Self, clap::Error> {
        let program = Invocation::current().program();
        let name = OsString::from(format!("{program} stat report"));
        let words = [name].into_iter().chain(words.iter().cloned());
        let mut args = Words::try_parse_from(words)?.args;
        args.output.json |= before.output.json;
        args.output.field_separator = args.output.field_separator.or(before.output.field_separator);
        Ok(args)
    }
}

/// Writes what a file of counts shows.
pub(crate) fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    let of_file = |fault: Fault| Failure::Cannot(format!("{}: {}", args.input.display(), fault.0));
    let mut reader = Reader::open(&args.input).map_err(of_file)?;
    let mut records = Vec::new();
    reader
        .counts(&mut |record| {
            records.push(record);
            Ok::<_, Fault>(())
        })
        .map_err(of_file)?;
    if !records.iter().any(|record| matches!(record, Record::Round(_))) {
        return Err(of_file(Fault("has no counts; `pmu report` reads samples".into())));
    }
    reader.notes.iter().for_each(|note| complain("stat", &format!("note: {note}")));
    // The formulas of a file are unknown.
    let system = System::of_args(&MachineArgs::default())?;
    let plan = Plan::new(Vec::<Request>::new(), &system, &Scope::ThisThread);
    let no_metrics = Bound::new(&plan, &[]);
    let mut replay = Replay::new(args, &reader, &no_metrics);
    let mut out =
        Destination::new(&args.output.destination).map_err(Failure::Usage)?.open(false)?;
    for record in records {
        replay.take(record, &mut out)?;
    }
    Ok(())
}

struct Replay<'r> {
    args: &'r ReplayArgs,
    reader: &'r Reader,
    no_metrics: &'r Bound<'r>,
    topology: Topology,
    events: Vec<Recorded>,
    threads: Vec<Thread>,
    cpus: Vec<i32>,
    settings: Settings,
    /// The counts of each event since it was opened, by CPU and thread.
    counts: Vec<BTreeMap<(i32, u32), Count>>,
    /// Those of the round before.
    before: Vec<BTreeMap<(i32, u32), Count>>,
    end: Duration,
    rounds: u64,
}

impl<'r> Replay<'r> {
    fn new(args: &'r ReplayArgs, reader: &'r Reader, no_metrics: &'r Bound<'r>) -> Self {
        let events: Vec<Recorded> = reader.events.iter().map(Recorded::of).collect();
        let counts: Vec<_> = events.iter().map(|_| BTreeMap::new()).collect();
        Replay {
            args,
            reader,
            no_metrics,
            topology: reader.topology(),
            before: counts.clone(),
            counts,
            events,
            threads: Vec::new(),
            cpus: Vec::new(),
            settings: Settings::default(),
            end: Duration::ZERO,
            rounds: 0,
        }
    }

    fn take(&mut self, record: Record, out: &mut Output) -> Result<(), Failure> {
        match record {
            Record::Unit { id, unit } => self.update(id, |event| event.unit = unit),
            Record::Scale { id, scale } => self.update(id, |event| event.scale = scale),
            Record::Threads(threads) => self.threads = threads,
            Record::Cpus(cpus) => self.cpus = cpus,
            Record::Settings(settings) => self.settings = settings,
            Record::Count(Counted { id, cpu, thread, value, enabled, running }) => {
                if let Some(event) = self.reader.event_of_id(id) {
                    let count = Count::new(value, enabled, running);
                    self.counts[event].insert((cpu, thread), count);
                }
            }
            Record::Round(round) => self.round(round, out)?,
        }
        Ok(())
    }

    fn update(&mut self, id: u64, change: impl FnOnce(&mut Recorded)) {
        if let Some(event) = self.reader.event_of_id(id) {
            change(&mut self.events[event]);
        }
    }

    fn round(&mut self, round: Round, out: &mut Output) -> Result<(), Failure> {
        let end = Duration::from_nanos(round.time);
        let elapsed = end.saturating_sub(self.end);
        let level = match Level::of(&self.args.output.aggregation) {
            Level::Everything => {
                super::modes::level(self.settings.aggregation, self.settings.cache_level)
            }
            level => level,
        };
        let units = super::places::units(level, &self.topology, &self.cpus, &self.threads)
            .map_err(|why| self.fault(&why))?;
        let mut lines = Lines::of_recorded(&self.events);
        if !self.settings.is_scaled || self.args.output.no_scale {
            lines.leave_unscaled();
        }
        let is_of_cpus = self.cpus.iter().any(|&cpu| cpu >= 0);
        if level.is_of_cpus() && !is_of_cpus {
            let message = "the counts are those of tasks, which belong to no CPU";
            return Err(self.fault(message));
        }
        let has_intervals = self.settings.interval > 0;
        let mut form = Form::new(&self.args.output, is_of_cpus, Repeat::Times(1), has_intervals);
        form.level = level;
        // As perf shows a file: of threads that have not run, too.
        form.hides_idle_threads = false;
        let runs = self.runs(&lines, &units, elapsed);
        let rows = runs.rows(&lines, self.no_metrics, &form);
        if has_intervals {
            report::interval_at(out, &form, &rows, (self.rounds, end), &[])?;
        } else {
            let subject = format!("'{}'", self.reader.command_line().unwrap_or_default().join(" "));
            let summary = Summary { subject: &subject, runs: &runs, spent: None, notes: &[] };
            report::summary(out, &form, &rows, &summary)?;
        }
        self.before.clone_from(&self.counts);
        (self.end, self.rounds) = (end, self.rounds + 1);
        Ok(())
    }

    fn fault(&self, why: &str) -> Failure {
        Failure::Cannot(format!("{}: {why}", self.args.input.display()))
    }

    /// What was counted since the round before.
    fn runs(&self, lines: &Lines, units: &Units, elapsed: Duration) -> Runs {
        let gained = |LineId(event): LineId| {
            let since = |(place, count): (&(i32, u32), &Count)| {
                let before = self.before[event].get(place).copied().unwrap_or_default();
                let thread = self.threads.get(place.1 as usize);
                Some((super::places::target(place.0, thread), count.since(&before)?))
            };
            let all = &self.counts[event];
            Gained {
                counts: all.iter().filter_map(since).collect(),
                was_enabled: all.values().any(|count| count.time_enabled() > 0),
            }
        };
        Runs::of_counts(lines, units, elapsed, gained)
    }
}
