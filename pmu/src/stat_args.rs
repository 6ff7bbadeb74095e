//! The command line of `pmu stat`. It is outside the command's module because
//! every system has it, so that help and completions are the same everywhere.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};
use clap_complete::ArgValueCompleter;

use crate::aggregation_args::EachCgroupArgs;
use crate::completion;
use crate::latency_args::LatencyArgs;
use crate::machine_args::MachineArgs;
use crate::perf_options::{PerfOptionArgs, Stat};
use crate::refused_args::RefusedArgs;
use crate::stat_output_args::OutputArgs;
use crate::stat_preset_args::PresetArgs;
use crate::target_args::TargetArgs;
use crate::time_args::TimeArgs;

/// Count events of a command, of tasks or of CPUs
///
/// Counts events as `perf stat` does: those of a COMMAND and everything that it starts, of running
/// tasks, or of whole CPUs. With both a COMMAND and one of -p, -t, -a and -C, counts until the
/// COMMAND ends; without a COMMAND, until the tasks have ended or an interrupt (Ctrl-C) arrives.
/// With neither, counts all CPUs.
///
/// `stat record` counts likewise, and also writes the counts into a file in perf's format, that of
/// -o or perf.data. `stat report`, with -i for another file, shows what such a file contains; -A and
/// the --per options choose what shares a line, -x and -j the form. Options may be given on both sides of `record`.
/// A program called `record` is run by its path.
#[derive(Args, Debug)]
#[command(
    // As for perf, the last of several counts.
    args_override_self = true,
    after_help = "\
A count followed by a percentage, such as (33.2%), was multiplexed and is an estimate. <not \
counted> means that the event never had a counter, <not supported> that this machine does not \
have it; a note gives the reason.

A metric appears after the `#` of its first event, its unit before its name. The value is nan if \
an event that it needs was not counted. A metric with a threshold also shows whether the \
threshold is crossed; with --json, \"metric-threshold\" is \"bad\" or \"good\", and with -x \
these are the last field.

A metric marked (estimate) takes retirement latencies from the tables, which have what was measured \
elsewhere; with --json, \"metric-estimate\" is true, and with -x `estimate` is the last field. It \
is nan if the tables state no latency of an event; a message names the event. With \
--retire-latency sampled, latencies are those of samples that are taken meanwhile; a metric that \
takes only such, or those that EVENT=CYCLES states, is not marked.

A metric marked (combined from N groups) needs more events than the PMU has counters. Each group has \
the same reference, cycles or slots, to which its counts are related; with --json, \"metric-groups\" \
is N, and with -x the words are a last field.

Environment:
  PERF_CPUID   Use this CPUID instead of the machine's
  SYSFS_PATH   Read PMUs below this directory instead of /sys
  PROCFS_PATH  Read settings and tasks below this directory instead of /proc

Exit status: the status of the COMMAND, or 128 plus the number of the signal that ended it; 127 \
if the COMMAND is not found and 126 if it cannot be run; 125 if stat itself fails, on a usage \
error, and if the COMMAND succeeds but this machine cannot count a metric; otherwise 0. A \
COMMAND that runs is always waited for, even if its counts can no longer be written."
)]
pub(crate) struct StatArgs {
    /// The command to run, with its arguments
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub(crate) command: Vec<OsString>,

    /// Count EVENTS, written as for `perf stat -e`: names, pmu/terms/, {groups} and modifiers,
    /// joined by commas; may be repeated [default: clock, switches, migrations, page faults,
    /// cycles, instructions, branches and branch misses]
    #[arg(
        short,
        long = "event",
        value_name = "EVENTS",
        help_heading = "Events",
        add = ArgValueCompleter::new(completion::events)
    )]
    pub(crate) events: Vec<String>,

    /// Count what these metrics or metric groups need and show their values; written as for
    /// `perf stat -M`, joined by commas; may be repeated
    #[arg(
        short = 'M',
        long,
        value_name = "METRICS",
        help_heading = "Events",
        add = ArgValueCompleter::new(completion::metrics)
    )]
    pub(crate) metrics: Vec<String>,

    /// Count what a formula of your own needs and show its value: events and metrics in the
    /// grammar of metric formulas, in which `-`, `,` and `=` within a name follow a backslash and
    /// `@` represents `/`; NAME [100%] = … gives a factor and a unit; all times are in seconds; may
    /// be repeated
    #[arg(long, value_name = "NAME=FORMULA", help_heading = "Events")]
    pub(crate) metric: Vec<String>,

    /// Define metrics by the lines NAME = FORMULA of FILE, written as for --metric; a formula may
    /// go on in the next lines, and lines that begin with `#` are comments; counts all of them, or
    /// those that -M names
    #[arg(long, value_name = "FILE", help_heading = "Events")]
    pub(crate) metrics_file: Option<PathBuf>,

    /// Count caches, too: -d the data cache and the last level, -dd also the instruction cache and
    /// the TLBs, -ddd also prefetches
    #[arg(short, long, action = ArgAction::Count, help_heading = "Events")]
    pub(crate) detailed: u8,

    #[command(flatten)]
    pub(crate) machine: MachineArgs,

    #[command(flatten)]
    pub(crate) latencies: LatencyArgs,

    #[command(flatten)]
    pub(crate) target: TargetArgs,

    #[command(flatten)]
    pub(crate) time: TimeArgs,

    #[command(flatten)]
    refused: RefusedArgs,

    /// Count only in control groups, the first for the first event, the second for the second; an
    /// empty name is everything, and a single one is for all events and metrics; needs -a or -C
    #[arg(
        short = 'G',
        long,
        value_name = "GROUPS",
        conflicts_with = "for_each_cgroup",
        help_heading = "Target"
    )]
    pub(crate) cgroup: Option<String>,

    #[command(flatten)]
    pub(crate) each_cgroup: EachCgroupArgs,

    #[command(flatten)]
    pub(crate) presets: PresetArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// What only perf has; the last, because it is what the others lack.
    #[command(flatten)]
    pub(crate) of_perf: PerfOptionArgs<Stat>,
}

pub(crate) fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("expected a number of 1 or more".into()),
    }
}

pub(crate) fn milliseconds(text: &str) -> Result<Duration, String> {
    positive(text).map(Duration::from_millis)
}
