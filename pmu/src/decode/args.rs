//! The command line of `pmu decode`.

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::completion;
use crate::machine_args::SubjectArgs;

/// Name the events that have a code
///
/// Finds the events of a CPU that a code counts: those with its config words, those that it counts
/// under a condition (cmask, inv, edge, any), those whose unit masks add up to its own and, if there
/// are none, the nearest ones with the terms in which they differ. Bits that select no event, such as
/// those for user and kernel, do not matter. Nothing is opened.
#[derive(Args, Debug)]
#[command(after_help = "\
A CODE is one of these:
  r1a8, 0x1a8, 0x5301a8          A raw code of the core PMU, or a value of its register
  4:0x1a8                        A type and a code, as perf_event_attr has them
  event=0xa8,umask=0x1           Terms of the core PMU
  config=0x1a8,config1=0x7       Words of perf_event_attr
  uncore_cha/event=0x35,umask=1/ Terms or words of a PMU
  0x1b7 0x10001                  Words as libpfm4 prints them
  'type 4 config 0x1b7 ...'      Attributes as perf stat -vv, strace or a debugger prints them
  PERF_COUNT_HW_CACHE_MISSES     A generic event by the constants of linux/perf_event.h
  A8.01, C2.02.CMSK=1.INV        nanoBench's notation
  PMCx044.48                     An event of AMD's manuals, and its unit mask
  inst_retired.any               An event, to find others with its words
  L2_RQSTS:MISS, L2_RQSTS_MISS   An event as libpfm4 or LIKWID spells it
  L1D:READ:MISS, perf::CYCLES    A generic event as libpfm4 spells it

A name that the CPU lacks is looked up on other CPUs of its vendor: its code there may count
something else here.

Environment:
  PERF_CPUID  Use this CPUID instead of the machine's
  SYSFS_PATH  Read PMUs below this directory instead of /sys

Exit status: 0 if each code has an event, 1 if one has none, 2 on a usage error.")]
pub(crate) struct DecodeArgs {
    /// Raw codes, event strings or words of perf_event_attr
    #[arg(
        value_name = "CODE",
        required = true,
        add = ArgValueCompleter::new(completion::events)
    )]
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
