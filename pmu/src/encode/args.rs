//! The command line of `pmu encode`.

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::completion;
use crate::machine_args::{NamesArgs, SubjectArgs};

/// Show the `perf_event_attr` words of events
///
/// Turns events into what the kernel expects: one line for each `perf_event_attr` that perf would
/// open. Nothing is opened. For another machine than this one, `--cpuid` or `--model` alone is
/// enough: its PMUs then have built-in formats, and types that only its kernel knows are `?`.
#[derive(Args, Debug)]
#[command(after_help = "\
An EVENT is what `perf stat -e` takes:
  cycles, faults, L1-dcache-load-misses  Generic events
  inst_retired.any                       An event of the CPU's table or of a PMU
  cpu/event=0x3c,umask=1/u               Terms of a PMU, with modifiers
  uncore_imc/cas_count_read/             An event on all instances of a PMU
  {cycles,instructions}:k                A group
  r1a8, 4:0x1a8                          Raw events

Environment:
  PERF_CPUID  Use this CPUID instead of the machine's
  SYSFS_PATH  Read PMUs below this directory instead of /sys

Exit status: 0 on success, 1 if an event cannot be resolved, 2 on a usage error.")]
pub(crate) struct EncodeArgs {
    /// Events, several of them joined by commas; `-` reads events from standard input, one list per
    /// line
    #[arg(
        value_name = "EVENT",
        required = true,
        add = ArgValueCompleter::new(completion::events)
    )]
    pub(crate) events: Vec<String>,

    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    #[command(flatten)]
    pub(crate) names: NamesArgs,

    /// Write one JSON object for each EVENT
    #[arg(long)]
    pub(crate) json: bool,
}
