//! The command line of `pmu decode`.

use clap::Args;

use crate::machine_args::SubjectArgs;

/// Name the events that have a code
///
/// Finds the events of a CPU whose config words are those of a code and, if there are none,
/// the nearest ones with the terms in which they differ. Nothing is opened.
#[derive(Args, Debug)]
#[command(after_help = "\
A CODE is one of these:
  r1a8, 0x1a8                    A raw code of the core PMU
  4:0x1a8                        A type and a code, as perf_event_attr has them
  event=0xa8,umask=0x1           Terms of the core PMU
  config=0x1a8,config1=0x7       Words of perf_event_attr
  uncore_cha/event=0x35,umask=1/ Terms or words of a PMU
  inst_retired.any               An event, to find others with its words

Environment:
  PERF_CPUID  Use this CPUID instead of the machine's
  SYSFS_PATH  Read PMUs below this directory instead of /sys

Exit status: 0 if each code has an event, 1 if one has none, 2 on a usage error.")]
pub(crate) struct DecodeArgs {
    /// Raw codes, event strings or words of perf_event_attr
    #[arg(value_name = "CODE", required = true)]
    pub(crate) codes: Vec<String>,

    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// Show at most N of the nearest events
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) nearest: usize,

    /// Write one JSON object for each code and PMU, one per line; events in it have the keys of
    /// `pmu list --json`
    #[arg(long)]
    pub(crate) json: bool,
}
