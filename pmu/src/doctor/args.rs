//! The command line of `pmu doctor`.

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::completion;
use crate::machine_args::{NamesArgs, SubjectArgs};

/// Say whether this machine counts truly
///
/// First says what decides that: rights, the NMI watchdog, hypervisors, kinds of cores, who holds
/// counters. Then counts loops whose counts are known, and says of each EVENT whether it is
/// alive, zero, implausible, refused, starved (no counter was free) or silent (0, and no loop is
/// known to cause it). A line that begins with `!` says what is wrong.
#[derive(Args, Debug)]
#[command(after_help = "\
Pinned events are opened until one finds no counter, which tells how many are free; those of others \
keep theirs. Nothing is opened with --cpuid, --model or --sysfs: such a machine can only be \
described, and its budget follows from the tables. Rights and settings are always those of procfs.

With --json, one object for each fact, each PMU whose counters were tried, each EVENT and each item \
of the budget.

Environment:
  PERF_CPUID   Use this CPUID instead of the machine's
  SYSFS_PATH   Read PMUs below this directory instead of /sys
  PROCFS_PATH  Read settings and tasks below this directory instead of /proc

Exit status: 0 if nothing is wrong; 1 if something is, or if an item of the budget starves or \
cannot be counted; 2 on a usage error, such as an EVENT that cannot be parsed.")]
pub(crate) struct DoctorArgs {
    /// Events, written as for `perf stat -e`, several of them joined by commas [default: all generic
    /// events]
    #[arg(value_name = "EVENT", add = ArgValueCompleter::new(completion::events))]
    pub(crate) events: Vec<String>,

    /// Say which of these events, {groups} and metrics can be counted all the time, which would be
    /// multiplexed and which would starve; joined by commas, the first has the highest rank
    #[arg(long, value_name = "LIST")]
    pub(crate) budget: Option<String>,

    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    #[command(flatten)]
    pub(crate) names: NamesArgs,

    /// Write one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}
