//! The command line of `pmu topdown`. It is outside the command's module because
//! every system has it, so that help and completions are the same everywhere.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use crate::latency_args::LatencyArgs;
use crate::machine_args::MachineArgs;
use crate::stat_args::{milliseconds, positive};
use crate::target_args::TargetArgs;

/// Find the bottleneck of a command, of tasks or of CPUs
///
/// Counts the metrics of the first top-down level, then the parts of those that are over their
/// threshold, and so on to the leaves. At a leaf, it shows what the metric means and which event to
/// sample. Intel's and AMD's levels, Arm's methodology and POWER's CPI stacks are such trees.
///
/// Nothing is multiplexed if the tables state the number of counters: metrics that do not fit the
/// counters together are counted one after the other. A COMMAND is run once for each of these
/// passes; tasks and CPUs are counted for a time each.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("target").args(["command", "pid", "tid", "all_cpus", "cpu"])
        .multiple(true).required(true),
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

    /// Count everything in one run, multiplexed, down to --level [default: 2]; the values are
    /// estimates
    #[arg(long, help_heading = "Depth")]
    pub(crate) single_run: bool,

    #[command(flatten)]
    pub(crate) machine: MachineArgs,

    #[command(flatten)]
    pub(crate) latencies: LatencyArgs,

    #[command(flatten)]
    pub(crate) target: TargetArgs,

    /// Count each pass for MS milliseconds; ends a COMMAND with SIGTERM [default: 1000, or until
    /// the COMMAND ends]
    #[arg(short, long, value_name = "MS", value_parser = milliseconds, help_heading = "Time")]
    pub(crate) duration: Option<Duration>,

    /// Report on standard error how each event is open
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,

    /// Write one JSON object per line: the run, each node, and each note
    #[arg(short, long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Write to FILE instead of standard error
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}
