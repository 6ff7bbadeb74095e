//! What to count and show, from the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use pmu_events::sysfs::CpuSet;

use crate::cli::StatArgs;
use crate::stat::aggregation::Level;
use crate::stat_args::TargetArgs;

pub(crate) struct Args {
    /// The command of `pmu` that counts, for messages.
    pub(crate) program: &'static str,
    pub(crate) events: Vec<String>,
    /// Lists of names.
    pub(crate) metrics: Vec<String>,
    /// `NAME=FORMULA`
    pub(crate) formulas: Vec<String>,
    /// A file of such.
    pub(crate) formulas_file: Option<PathBuf>,
    /// How many times `-d` is given.
    pub(crate) detailed: usize,
    pub(crate) subject: Subject,
    /// `-G` and `--for-each-cgroup`, at most one of which is given.
    pub(crate) cgroups: [Option<String>; 2],
    pub(crate) no_inherit: bool,
    pub(crate) repeat: u64,
    pub(crate) interval: Option<Duration>,
    pub(crate) interval_count: Option<u64>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) delay: Option<Duration>,
    /// What is shown as one line.
    pub(crate) level: Level,
    pub(crate) no_merge: bool,
    pub(crate) verbose: bool,
    pub(crate) shape: Shape,
    pub(crate) output: Option<PathBuf>,
    /// Whether to keep the contents of the file.
    pub(crate) append: bool,
    /// The command with its arguments; empty without one.
    pub(crate) command: Vec<OsString>,
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
    pub(crate) fn new(args: TargetArgs) -> Self {
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
        let no_inherit = args.target.no_inherit;
        let shape = match (args.json, args.field_separator) {
            (true, _) => Shape::Json,
            (false, Some(separator)) => Shape::Fields(separator),
            (false, None) => Shape::Text,
        };
        Ok(Args {
            program: "stat",
            events: args.events,
            metrics: args.metrics,
            formulas: args.metric,
            formulas_file: args.metrics_file,
            detailed: args.detailed.into(),
            subject: Subject::new(args.target),
            cgroups: [args.cgroup, args.for_each_cgroup],
            no_inherit,
            repeat: args.repeat,
            interval: args.interval,
            interval_count: args.interval_count,
            timeout: args.timeout,
            delay: args.delay,
            level: match (args.no_aggr, args.per_core, args.per_socket) {
                (true, ..) => Level::Cpu,
                (_, true, _) => Level::Core,
                (.., true) => Level::Socket,
                _ => Level::Everything,
            },
            no_merge: args.no_merge,
            verbose: args.verbose,
            shape,
            output: args.output,
            append: args.append,
            command: args.command,
        })
    }
}
