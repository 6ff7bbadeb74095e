//! The command line of `pmu topdown`. It is outside the command's module because
//! every system has it, so that help and completions are the same everywhere.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use crate::aggregation_args::{AggregationArgs, EachCgroupArgs};
use crate::destination_args::DestinationArgs;
use crate::latency_args::LatencyArgs;
use crate::machine_args::MachineArgs;
use crate::stat_args::{milliseconds, positive};
use crate::target_args::TargetArgs;
use crate::time_args::IntervalArgs;

/// Find the bottleneck of a command, of tasks or of CPUs
///
/// Counts the metrics of the first top-down level, then the parts of those that are over their
/// threshold, and so on to the leaves. At a leaf, it shows what the metric means and which event to
/// sample. Intel's and AMD's levels, Arm's methodology and POWER's CPI stacks are such trees.
///
/// Nothing is multiplexed if the tables state the number of counters: metrics that do not fit the
/// counters together are counted one after the other. A COMMAND is run once for each of these
/// passes; tasks and CPUs are counted for a time each. With -I, each interval has the tree that
/// --single-run counts, until the COMMAND or the time of -d ends, or an interrupt (Ctrl-C) arrives.
///
/// The shares of a tree are of the time in which something ran. Beside it stands how much of the
/// time that was.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("target").args(["command", "pid", "tid", "all_cpus", "cpu", "import"])
        .multiple(true).required(true),
    group = ArgGroup::new("counted").args(["command", "pid", "tid", "all_cpus", "cpu"])
        .multiple(true),
    group = ArgGroup::new("cpus").args(["all_cpus", "cpu"]).multiple(true),
    after_help = "\
The percentage after a bar is the part of the node above. A node that is over its threshold is marked \
with <; without a threshold in the tables, one that is at least a quarter of the node above and 5% of \
the whole; on the first level, at least 15% (front end, bad speculation), 20% (back end) or 70% (retiring). \
A value followed by (33.2%) was counted for that part of the time and is an estimate; so is one followed \
by (estimate), which takes retirement latencies from the tables. (implausible) marks shares below 0 or \
above 100%, which counts that belong together cannot have. One followed by (combined from 2 groups) \
was counted in two, as the PMU has too few counters for its events or, with --all, as that saves a pass: \
the counts of each group are related to the cycles or slots in it.

Environment:
  PERF_CPUID   Use this CPUID instead of the machine's
  SYSFS_PATH   Read PMUs below this directory instead of /sys
  PROCFS_PATH  Read settings and tasks below this directory instead of /proc

Exit status: as for `pmu stat`. It is 125 if this machine cannot count the first level; then the \
COMMAND does not run. If the COMMAND fails, it is not run again, and its status is that of topdown."
)]
pub(crate) struct TopdownArgs {
    /// The command to run, with its arguments
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub(crate) command: Vec<OsString>,

    /// Descend to level N at most
    #[arg(short, long, value_name = "N", value_parser = positive, help_heading = "Depth")]
    pub(crate) level: Option<u64>,

    /// Count all nodes down to that level, not only the parts of nodes over their threshold, in as
    /// few passes as the counters permit
    #[arg(long, help_heading = "Depth")]
    pub(crate) all: bool,

    /// Count everything in one run, multiplexed, down to --level [default: 2, or with --all the
    /// whole tree]; the values are estimates
    #[arg(long, help_heading = "Depth")]
    pub(crate) single_run: bool,

    #[command(flatten)]
    pub(crate) machine: MachineArgs,

    #[command(flatten)]
    pub(crate) latencies: LatencyArgs,

    #[command(flatten)]
    pub(crate) target: TargetArgs,

    #[command(flatten)]
    pub(crate) each_cgroup: EachCgroupArgs,

    /// Count only what runs in user mode
    #[arg(long, conflicts_with = "kernel", help_heading = "Target")]
    pub(crate) user: bool,

    /// Count only what runs in the kernel
    #[arg(long, help_heading = "Target")]
    pub(crate) kernel: bool,

    /// Count nothing, and take the counts that `perf stat` or `pmu stat` has written to FILE, with
    /// -x or -j, in intervals and by CPU, core or thread if it is so; --cpuid names another CPU
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "counted", "no_inherit", "for_each_cgroup", "duration", "interval_print", "single_run",
            "no_aggr", "per_core", "per_cache", "per_cluster", "per_die", "per_socket", "per_node",
            "per_thread",
        ],
        help_heading = "Target"
    )]
    pub(crate) import: Option<PathBuf>,

    /// Count each pass for MS milliseconds; ends a COMMAND with SIGTERM [default: 1000, or until
    /// the COMMAND ends]
    #[arg(short, long, value_name = "MS", value_parser = milliseconds, help_heading = "Time")]
    pub(crate) duration: Option<Duration>,

    // The tree of each is that of --single-run.
    #[command(flatten)]
    pub(crate) intervals: IntervalArgs,

    /// Then sample the events that find the code of each finding, all at the same time, and show
    /// the functions beneath it; a COMMAND runs once more for that, and tasks and CPUs are sampled
    /// for the time of a pass. An event is sampled as precisely and as often as the tables say
    #[arg(
        long,
        visible_alias = "run-sample",
        conflicts_with_all = [
            "import", "interval_print", "bottlenecks", "for_each_cgroup", "no_aggr", "per_core",
            "per_cache", "per_cluster", "per_die", "per_socket", "per_node", "per_thread",
        ],
        help_heading = "Samples"
    )]
    pub(crate) sample: bool,

    /// Sample with these options of `pmu record`, separated by spaces: `-c N` or `-F N` for how
    /// often, `-g` for call chains, `-m N` for larger buffers, and `-o FILE` to keep the recording,
    /// which `pmu report` shows; a + may stand for the -
    #[arg(
        long,
        value_name = "OPTIONS",
        requires = "sample",
        allow_hyphen_values = true,
        help_heading = "Samples"
    )]
    pub(crate) sample_args: Option<String>,

    /// Show the parts of the whole side by side, the largest first, instead of the tree: Intel's
    /// metrics of bottlenecks or, on CPUs without, the ends of the tree and what the parts of a
    /// node leave of it; counts all nodes, as --all does
    #[arg(long, help_heading = "Output")]
    pub(crate) bottlenecks: bool,

    #[command(flatten)]
    pub(crate) aggregation: AggregationArgs,

    /// Report on standard error how each event is open
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,

    /// Write one JSON object per line: the run, each node, and each note
    #[arg(short, long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Write a line of fields separated by SEP for each node, after one with their names; `\t` is a
    /// tab; a field with SEP in it is in quotes (RFC 4180)
    #[arg(short = 'x', long, value_name = "SEP", conflicts_with = "json", help_heading = "Output")]
    pub(crate) field_separator: Option<String>,

    #[command(flatten)]
    pub(crate) destination: DestinationArgs,
}
