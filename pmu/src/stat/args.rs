//! What to count and show, from the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use pmu_events::sysfs::CpuSet;

use crate::latency_args::LatencyArgs;
use crate::stat::aggregation::Level;
use crate::stat_args::StatArgs;
use crate::stat_args::TargetArgs;

pub(crate) struct Args {
    /// How each run counts.
    pub(crate) run: RunArgs,
    pub(crate) events: Vec<String>,
    /// Lists of names.
    pub(crate) metrics: Vec<String>,
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
    pub(crate) repeat: u64,
    /// What is shown as one line.
    pub(crate) level: Level,
    pub(crate) no_merge: bool,
    pub(crate) shape: Shape,
    pub(crate) output: Option<PathBuf>,
    /// Whether to keep the contents of the file.
    pub(crate) append: bool,
}

/// How a run counts: what `stat` and `topdown` have in common.
pub(crate) struct RunArgs {
    /// The command of `pmu` that counts, for messages.
    pub(crate) program: &'static str,
    pub(crate) subject: Subject,
    pub(crate) no_inherit: bool,
    /// The command with its arguments; empty without one.
    pub(crate) command: Vec<OsString>,
    pub(crate) interval: Option<Duration>,
    pub(crate) interval_count: Option<u64>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) delay: Option<Duration>,
    /// Whether to report how each event is open.
    pub(crate) verbose: bool,
}

impl RunArgs {
    /// Counts until the command or the tasks have ended.
    pub(crate) fn new(program: &'static str, target: TargetArgs, command: Vec<OsString>) -> Self {
        RunArgs {
            program,
            no_inherit: target.no_inherit,
            subject: Subject::new(target),
            command,
            interval: None,
            interval_count: None,
            timeout: None,
            delay: None,
            verbose: false,
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
}

impl Subject {
    fn new(args: TargetArgs) -> Self {
        // `-a -C 0` means the named CPUs.
        match (args.pid.is_empty(), args.tid.is_empty(), args.cpu, args.all_cpus) {
            (false, ..) => Subject::Processes(args.pid),
            (_, false, ..) => Subject::Threads(args.tid),
            (.., Some(cpus), _) => Subject::Cpus(cpus),
            (.., true) => Subject::AllCpus,
            _ => Subject::Command,
        }
    }

    pub(crate) fn is_cpus(&self) -> bool {
        matches!(self, Subject::AllCpus | Subject::Cpus(_))
    }
}

/// The format of the output.
#[derive(PartialEq)]
pub(crate) enum Shape {
    Text,
    Json,
    Fields(String),
}

impl Args {
    /// The message of an error explains the wrong usage.
    pub(crate) fn new(args: StatArgs) -> Result<Self, String> {
        if args.repeat > 1 && args.command.is_empty() {
            return Err("`--repeat` needs a command".into());
        }
        let shape = match (args.json, args.field_separator) {
            (true, _) => Shape::Json,
            (false, Some(separator)) => Shape::Fields(separator),
            (false, None) => Shape::Text,
        };
        Ok(Args {
            run: RunArgs {
                interval: args.interval,
                interval_count: args.interval_count,
                timeout: args.timeout,
                delay: args.delay,
                verbose: args.verbose,
                ..RunArgs::new("stat", args.target, args.command)
            },
            events: args.events,
            metrics: args.metrics,
            formulas: args.metric,
            formulas_file: args.metrics_file,
            latencies: args.latencies,
            detailed: args.detailed.into(),
            cgroups: [args.cgroup, args.for_each_cgroup],
            repeat: args.repeat,
            level: match (args.no_aggr, args.per_core, args.per_socket) {
                (true, ..) => Level::Cpu,
                (_, true, _) => Level::Core,
                (.., true) => Level::Socket,
                _ => Level::Everything,
            },
            no_merge: args.no_merge,
            shape,
            output: args.output,
            append: args.append,
        })
    }
}
