//! What to count and show, from the command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use pmu_events::control::Address;
use pmu_events::sysfs::CpuSet;

use crate::latency_args::LatencyArgs;
use crate::machine_args::MachineArgs;
use crate::stat::aggregation::Level;
use crate::stat::destination::Destination;
use crate::stat::form::{Form, Shape};
use crate::stat_args::StatArgs;
use crate::target_args::TargetArgs;
use crate::time_args::{Delay, Repeat, milliseconds};

pub(crate) struct Args {
    pub(crate) machine: MachineArgs,
    /// How each run counts.
    pub(crate) run: RunArgs,
    pub(crate) events: Vec<String>,
    /// Lists of names.
    pub(crate) metrics: Vec<String>,
    /// Whether these are the default ones.
    pub(crate) has_default_metrics: bool,
    /// `NAME=FORMULA`
    pub(crate) formulas: Vec<String>,
    /// A file of such.
    pub(crate) formulas_file: Option<PathBuf>,
    /// What formulas take for `EVENT:R`.
    pub(crate) latencies: LatencyArgs,
    /// How many times `-d` is given.
    pub(crate) detailed: usize,
    /// `-G` and `--for-each-cgroup`, at most one of which is given.
    pub(crate) cgroups: [Option<String>; 2],
    pub(crate) repeat: Repeat,
    /// Shell commands before and after each run.
    pub(crate) hooks: Hooks,
    /// Whether each interval begins on an empty screen.
    pub(crate) clears: bool,
    pub(crate) form: Form,
    pub(crate) to: Destination,
    /// The file into which counts are recorded beside it.
    pub(crate) recorded: Option<PathBuf>,
    /// Options that have no effect, and why.
    pub(crate) without_effect: Vec<(&'static str, &'static str)>,
}

/// How a run counts: what `stat` and `topdown` have in common.
pub(crate) struct RunArgs {
    /// The command of `pmu` that counts, for messages.
    pub(crate) program: &'static str,
    pub(crate) subject: Subject,
    /// What else was asked for, and what is counted instead.
    pub(crate) overridden: Option<Overridden>,
    pub(crate) no_inherit: bool,
    /// The command with its arguments; empty without one.
    pub(crate) command: Vec<OsString>,
    pub(crate) interval: Option<Duration>,
    pub(crate) interval_count: Option<u64>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) delay: Option<Delay>,
    /// Who switches the counters.
    pub(crate) control: Option<Address>,
    /// Whether counts that were multiplexed are estimated.
    pub(crate) is_scaled: bool,
    /// Whether to report how each event is open.
    pub(crate) verbose: bool,
}

impl RunArgs {
    /// Counts until the command or the tasks have ended.
    pub(crate) fn new(program: &'static str, target: TargetArgs, command: Vec<OsString>) -> Self {
        let no_inherit = target.no_inherit;
        let (subject, overridden) = Subject::new(target, !command.is_empty());
        RunArgs {
            program,
            no_inherit,
            subject,
            overridden,
            command,
            interval: None,
            interval_count: None,
            timeout: None,
            delay: None,
            control: None,
            is_scaled: true,
            verbose: false,
        }
    }

    /// Divides what is counted into units of a level. An error explains what is needed for these,
    /// and for control groups.
    pub(crate) fn divide(&mut self, level: Level, has_cgroups: bool) -> Result<(), String> {
        let is_of_cpus = self.subject.is_cpus();
        if level.is_of_cpus() && !is_of_cpus {
            return Err(
                "one line for each CPU, core or socket needs whole CPUs: `-a` or `-C`".into()
            );
        }
        if has_cgroups && !is_of_cpus {
            return Err("control groups are counted on whole CPUs: `-a` or `-C`".into());
        }
        if level == Level::Thread {
            let subject = std::mem::replace(&mut self.subject, Subject::AllThreads);
            self.subject = subject.thread_by_thread()?;
        }
        Ok(())
    }
}

/// What tasks override.
#[derive(Clone, Copy)]
pub(crate) enum Overridden {
    Threads,
    AllCpus,
    Cpus,
}

impl Overridden {
    pub(crate) fn note(self) -> &'static str {
        match self {
            Overridden::Threads => "`-p` overrides `-t`",
            Overridden::AllCpus => "`-p` and `-t` override `-a`",
            Overridden::Cpus => "`-p` and `-t` override `-C`",
        }
    }

    /// What perf says of it (`target__error_str` in `tools/perf/util/target.c`).
    pub(crate) fn of_perf(self) -> Option<&'static str> {
        match self {
            Overridden::Threads => None,
            Overridden::AllCpus => Some("PID/TID switch overriding SYSTEM\n"),
            Overridden::Cpus => Some("PID/TID switch overriding CPU\n"),
        }
    }
}

/// What to count: a command, tasks or CPUs.
#[derive(PartialEq)]
pub(crate) enum Subject {
    Command,
    Processes(Vec<u32>),
    Threads(Vec<u32>),
    AllCpus,
    Cpus(CpuSet),
    /// All threads of the system.
    AllThreads,
}

impl Subject {
    /// Tasks override CPUs (`target__validate` in `tools/perf/util/target.c`), and without
    /// either, CPUs stand in for a command that is missing (`setup_system_wide` in
    /// `tools/perf/builtin-stat.c`).
    fn new(args: TargetArgs, has_command: bool) -> (Self, Option<Overridden>) {
        let cpus = match (&args.cpu, args.all_cpus) {
            (Some(_), _) => Some(Overridden::Cpus),
            (None, true) => Some(Overridden::AllCpus),
            (None, false) => None,
        };
        match (args.pid, args.tid, args.cpu) {
            (Some(pids), tids, _) => {
                (Subject::Processes(pids.0), cpus.or(tids.map(|_| Overridden::Threads)))
            }
            (None, Some(tids), _) => (Subject::Threads(tids.0), cpus),
            // `-a -C 0` means the named CPUs.
            (None, None, Some(cpus)) => (Subject::Cpus(cpus), None),
            (None, None, None) if args.all_cpus || !has_command => (Subject::AllCpus, None),
            (None, None, None) => (Subject::Command, None),
        }
    }

    pub(crate) fn is_cpus(&self) -> bool {
        matches!(self, Subject::AllCpus | Subject::Cpus(_))
    }

    /// The same, counted thread by thread.
    fn thread_by_thread(self) -> Result<Self, String> {
        match self {
            Subject::AllCpus => Ok(Subject::AllThreads),
            Subject::Command | Subject::Cpus(_) => Err("`--per-thread` needs -p, -t or -a".into()),
            threads => Ok(threads),
        }
    }
}

/// Shell commands around each run.
#[derive(Default)]
pub(crate) struct Hooks {
    pub(crate) pre: Option<String>,
    pub(crate) post: Option<String>,
    /// Whether files are written to their disks before.
    pub(crate) sync: bool,
}

impl Args {
    /// Those of `stat record`: the output file is that of the counts, which are shown, too.
    pub(crate) fn recording(mut args: StatArgs) -> Result<Self, String> {
        let path = args.output.destination.output.take().unwrap_or_else(|| "perf.data".into());
        let args = Args { recorded: Some(path), ..Args::new(args)? };
        match args.repeat {
            Repeat::Times(1) => Ok(args),
            _ => Err("`--repeat` and `record` exclude each other".into()),
        }
    }

    /// The message of an error explains the wrong usage.
    pub(crate) fn new(args: StatArgs) -> Result<Self, String> {
        if let Some(refusal) = args.of_perf.refusal() {
            return Err(refusal.into());
        }
        let time = args.time;
        let repeat = Repeat::new(time.repeat)?;
        if let Some(milliseconds @ 1..10) = time.timeout {
            return Err(format!("`--timeout {milliseconds}`: expected 10 milliseconds or more"));
        }
        let to = Destination::new(&args.output.destination)?;
        let mut run = RunArgs {
            interval: time.intervals.length(),
            interval_count: time.intervals.count()?,
            timeout: milliseconds(time.timeout),
            delay: time.delay.filter(|&delay| delay != Delay::For(Duration::ZERO)),
            control: time.control,
            is_scaled: !args.output.no_scale,
            verbose: args.output.verbose > 0,
            ..RunArgs::new("stat", args.target, args.command)
        };
        if run.interval.is_some() && run.timeout.is_some() {
            return Err(
                "`--timeout` does not go with `-I`; `--interval-count` ends after so many \
                        intervals"
                    .into(),
            );
        }
        let is_of_cpus = run.subject.is_cpus();
        let mut form = Form::new(&args.output, is_of_cpus, repeat, run.interval.is_some());
        form.is_null = args.presets.null;
        form.is_metric_only |= args.presets.is_metric_only() && !args.of_perf.has_no_metric_only();
        refused(&form)?;
        let cgroups = [args.cgroup, args.each_cgroup.for_each_cgroup];
        run.divide(form.level, cgroups.iter().any(Option::is_some))?;
        Ok(Args {
            machine: args.machine,
            run,
            events: args.events,
            metrics: [args.metrics, args.presets.metrics()].concat(),
            has_default_metrics: false,
            formulas: args.metric,
            formulas_file: args.metrics_file,
            latencies: args.latencies,
            detailed: args.detailed.into(),
            cgroups,
            repeat,
            hooks: Hooks { pre: time.pre, post: time.post, sync: time.sync },
            clears: time.interval_clear,
            form,
            to,
            recorded: None,
            without_effect: args.of_perf.without_effect().collect(),
        })
    }
}

/// A subcommand of `stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subcommand {
    Record,
    Report,
}

impl Subcommand {
    /// That of a word, of which three letters are enough, as for perf.
    pub(crate) fn of(word: &OsStr) -> Option<Self> {
        let word = word.to_str().filter(|word| word.len() > 2)?;
        let known = [("record", Subcommand::Record), ("report", Subcommand::Report)];
        known.into_iter().find(|(name, _)| name.starts_with(word)).map(|(_, subcommand)| subcommand)
    }
}

/// Combinations that say nothing (`cmd_stat` in `tools/perf/builtin-stat.c`).
fn refused(form: &Form) -> Result<(), String> {
    match () {
        () if form.is_metric_only && form.level == Level::Thread => {
            Err("`--metric-only` and `--per-thread` exclude each other".into())
        }
        () if form.is_metric_only && form.repeat.is_mean() => {
            Err("`--metric-only` and `--repeat` exclude each other".into())
        }
        () if form.has_table && !form.repeat.is_mean() => Err("`--table` needs `--repeat`".into()),
        () if form.is_big && matches!(form.shape, Shape::Fields(_)) => {
            Err("`--big-num` and `-x` exclude each other".into())
        }
        () => Ok(()),
    }
}
