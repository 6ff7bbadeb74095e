//! The command line of `pmu record`. It is outside the command's module because every system
//! has it, so that help and completions are the same everywhere.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use pmu_events::config::Sampling;
use pmu_events::control::Address;

use crate::machine_args::MachineArgs;
use crate::perf_options::{PerfOptionArgs, Record};
use crate::record_values::{self, CallGraph, Frequency, Room, Times};
use crate::stat_args::positive;
use crate::target_args::TargetArgs;
use crate::time_args::control;

/// Sample events of a command, of tasks or of CPUs
///
/// Records where events occur, as `perf record` does: in a COMMAND and everything that it starts,
/// in running tasks, or on whole CPUs. `pmu report` and `pmu script` show the file that it writes,
/// and so do perf and other programs that read perf.data. With both a COMMAND and one of -p, -t,
/// -a and -C, records until the COMMAND ends; without a COMMAND, until the tasks have ended or an
/// interrupt (Ctrl-C) arrives. With neither, records all CPUs.
#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    after_help = "\
A buffer that is full loses samples; a message says how many. Larger buffers (-m) or fewer samples \
(-F) help.

A recording that ends before the COMMAND, by --max-size, `stop` or the end of the last interval of \
-D, ends the COMMAND with SIGTERM.

Exit status: the status of the COMMAND, or 128 plus the number of the signal that ended it; 127 \
if the COMMAND is not found and 126 if it cannot be run; 125 if record itself fails, and on a usage \
error; otherwise 0. If the file can no longer be written, the COMMAND is waited for nevertheless, \
and the status is 125; what was written by then can be read."
)]
pub(crate) struct RecordArgs {
    /// The command to run, with its arguments
    #[arg(value_name = "COMMAND", trailing_var_arg = true)]
    pub(crate) command: Vec<OsString>,

    /// Sample EVENTS, written as for `perf record -e`: names, pmu/terms/, {groups} and modifiers,
    /// joined by commas; may be repeated [default: cycles:P, or cpu-clock where no PMU counts
    /// cycles]
    #[arg(short, long = "event", value_name = "EVENTS", help_heading = "Events")]
    pub(crate) events: Vec<String>,

    /// Take a sample after each N events
    #[arg(short, long, value_name = "N", value_parser = positive, overrides_with = "freq",
          help_heading = "Events")]
    pub(crate) count: Option<u64>,

    /// Take N samples a second, or as many as the kernel allows (`max`) [default: 4000]
    #[arg(short = 'F', long, value_name = "N", value_parser = Frequency::parse, help_heading = "Events")]
    pub(crate) freq: Option<Frequency>,

    /// Record call chains
    #[arg(short = 'g', help_heading = "Contents")]
    pub(crate) callchains: bool,

    /// Record call chains by `fp` (frame pointers, which programs must have) or `lbr` (the branch
    /// registers of Intel's cores); `dwarf` is not available, because nothing here unwinds stacks
    #[arg(long, value_name = "MODE", value_parser = CallGraph::parse, help_heading = "Contents")]
    pub(crate) call_graph: Option<CallGraph>,

    /// Record the address of data, and where it was
    #[arg(short, long, help_heading = "Contents")]
    pub(crate) data: bool,

    /// Record physical addresses of data
    #[arg(long, help_heading = "Contents")]
    pub(crate) phys_data: bool,

    /// Record how long an instruction took, as the PMU defines it
    #[arg(short = 'W', long, help_heading = "Contents")]
    pub(crate) weight: bool,

    /// Record the branches that were taken before
    #[arg(short = 'b', long, help_heading = "Contents")]
    pub(crate) branch_any: bool,

    /// Record branches of these kinds, joined by commas: any, any_call, any_ret, ind_call, call, cond,
    /// ind_jmp, stack, in_tx, no_tx, abort_tx; u, k and hv say of whom, no_flags, no_cycles, save_type,
    /// hw_index, priv and counter what of each
    #[arg(short = 'j', long, value_name = "KINDS", value_parser = record_values::branch_filter,
          conflicts_with = "branch_any", help_heading = "Contents")]
    pub(crate) branch_filter: Option<u64>,

    /// Record how many events each sample stands for, also where all stand for -c
    #[arg(short = 'P', long, help_heading = "Contents")]
    pub(crate) period: bool,

    /// Record the CPU of each sample, also of tasks
    #[arg(long, help_heading = "Contents")]
    pub(crate) sample_cpu: bool,

    /// Record what the PMU writes beside a sample
    #[arg(short = 'R', long, help_heading = "Contents")]
    pub(crate) raw_samples: bool,

    /// Record the flags of the transaction that a sample is in
    #[arg(long, help_heading = "Contents")]
    pub(crate) transaction: bool,

    /// Record the size of the page of the data
    #[arg(long, help_heading = "Contents")]
    pub(crate) data_page_size: bool,

    /// Record the size of the page of the code
    #[arg(long, help_heading = "Contents")]
    pub(crate) code_page_size: bool,

    /// Record only the kernel's part of call chains
    #[arg(long, conflicts_with = "user_callchains", help_heading = "Contents")]
    pub(crate) kernel_callchains: bool,

    /// Record only the program's part of call chains
    #[arg(long, help_heading = "Contents")]
    pub(crate) user_callchains: bool,

    /// Record in which namespaces tasks are
    #[arg(long, help_heading = "Contents")]
    pub(crate) namespaces: bool,

    /// Record control groups, and that of each sample
    #[arg(long, help_heading = "Contents")]
    pub(crate) all_cgroups: bool,

    /// Record when tasks get a CPU, and lose it
    #[arg(long, help_heading = "Contents")]
    pub(crate) switch_events: bool,

    /// Record mappings of data, too, as --data does
    #[arg(long, help_heading = "Contents")]
    pub(crate) data_mmap: bool,

    /// Do not record when BPF programs are loaded
    #[arg(long, help_heading = "Contents")]
    pub(crate) no_bpf_event: bool,

    /// Take the times of samples from a clock: monotonic, monotonic_raw, realtime, boottime, tai
    #[arg(short = 'k', long, value_name = "CLOCK", value_parser = record_values::clock,
          help_heading = "Contents")]
    pub(crate) clockid: Option<i32>,

    /// Sample only the kernel, whatever the modifiers of events say
    #[arg(long, conflicts_with = "all_user", help_heading = "Events")]
    pub(crate) all_kernel: bool,

    /// Sample only programs, whatever the modifiers of events say
    #[arg(long, help_heading = "Events")]
    pub(crate) all_user: bool,

    /// Start after MS milliseconds, or sample in intervals such as 10-20,30-40; -1: when --control
    /// says `enable`
    #[arg(short = 'D', long, value_name = "MS", value_parser = Times::parse,
          allow_hyphen_values = true, help_heading = "Time")]
    pub(crate) delay: Option<Times>,

    /// Obey commands that are written to a descriptor or a FIFO, and acknowledge each on another:
    /// enable, disable, enable EVENT, disable EVENT, evlist, stop, ping
    #[arg(long, value_name = "fd:CTL[,ACK]|fifo:CTL[,ACK]",
          value_parser = OsStringValueParser::new().try_map(control), help_heading = "Time")]
    pub(crate) control: Option<Address>,

    #[command(flatten)]
    pub(crate) target: TargetArgs,

    /// Sample only in control groups, the first for the first event, the second for the second; a
    /// single one is for all events; needs -a or -C
    #[arg(short = 'G', long, value_name = "GROUPS", help_heading = "Target")]
    pub(crate) cgroup: Option<String>,

    #[command(flatten)]
    pub(crate) machine: MachineArgs,

    /// Write FILE; one that exists becomes FILE.old
    #[arg(short, long, value_name = "FILE", default_value = "perf.data", help_heading = "Output")]
    pub(crate) output: PathBuf,

    /// End when the file has SIZE, such as 10M; the COMMAND gets SIGTERM
    #[arg(long, value_name = "SIZE", value_parser = record_values::file_size,
          help_heading = "Output")]
    pub(crate) max_size: Option<u64>,

    /// Give each buffer N pages, or a size such as 2M [default: 512K, or less if the kernel allows
    /// less]
    #[arg(short, long, value_name = "N", value_parser = Room::parse, help_heading = "Output")]
    pub(crate) mmap_pages: Option<Room>,

    /// Write no message but errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Check the options and the events, and record nothing
    #[arg(long, help_heading = "Output")]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) of_perf: PerfOptionArgs<Record>,
}

impl RecordArgs {
    /// When samples are taken, if the user says so; `most` is the kernel's limit.
    pub(crate) fn sampling(&self, most: Option<u64>) -> Option<Sampling> {
        match (self.count, self.freq) {
            (Some(count), _) => Some(Sampling::Period(count)),
            (None, Some(Frequency::Times(times))) => Some(Sampling::Frequency(times)),
            (None, Some(Frequency::Max)) => most.map(Sampling::Frequency),
            (None, None) => None,
        }
    }
}
