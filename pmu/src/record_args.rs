//! The command line of `pmu record`. It is outside the command's module because every system
//! has it, so that help and completions are the same everywhere.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use pmu_events::config::Sampling;

use crate::machine_args::MachineArgs;
use crate::perf_options::{PerfOptionArgs, Record};
use crate::stat_args::positive;
use crate::target_args::TargetArgs;

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
    #[arg(short = 'F', long, value_name = "N", value_parser = frequency, help_heading = "Events")]
    pub(crate) freq: Option<Frequency>,

    /// Record call chains
    #[arg(short = 'g', help_heading = "Contents")]
    pub(crate) callchains: bool,

    /// Record call chains by `fp` (frame pointers, which programs must have) or `lbr` (the branch
    /// registers of Intel's cores); `dwarf` is not available, because nothing here unwinds stacks
    #[arg(long, value_name = "MODE", value_parser = call_graph, help_heading = "Contents")]
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

    /// Do not record when BPF programs are loaded
    #[arg(long, help_heading = "Contents")]
    pub(crate) no_bpf_event: bool,

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

    /// Give each buffer N pages, or a size such as 2M [default: 512K, or less if the kernel allows
    /// less]
    #[arg(short, long, value_name = "N", value_parser = pages, help_heading = "Output")]
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

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Frequency {
    Times(u64),
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CallGraph {
    FramePointers,
    Branches,
    /// Copies of the stack, which nothing here unwinds.
    Dwarf,
}

/// The room of a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Room {
    Pages(usize),
    Bytes(usize),
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

fn frequency(text: &str) -> Result<Frequency, String> {
    match text {
        "max" => Ok(Frequency::Max),
        number => positive(number).map(Frequency::Times).map_err(|why| why + ", or `max`"),
    }
}

fn call_graph(text: &str) -> Result<CallGraph, String> {
    match text.split(',').next() {
        Some("fp") => Ok(CallGraph::FramePointers),
        Some("lbr") => Ok(CallGraph::Branches),
        Some("dwarf") => Ok(CallGraph::Dwarf),
        _ => Err("expected `fp` or `lbr`".into()),
    }
}

fn pages(text: &str) -> Result<Room, String> {
    const EXPECTED: &str = "expected a number of pages, or a size such as 512K or 2M";
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: usize = digits.parse().map_err(|_| EXPECTED)?;
    let factor = match &text[digits.len()..] {
        "" if number > 0 => return Ok(Room::Pages(number)),
        "B" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err(EXPECTED.into()),
    };
    let bytes = number.checked_mul(factor).filter(|&bytes| bytes > 0);
    bytes.map(Room::Bytes).ok_or_else(|| EXPECTED.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms() {
        let cases = [
            ("8", Some(Room::Pages(8))),
            ("64K", Some(Room::Bytes(64 << 10))),
            ("2M", Some(Room::Bytes(2 << 20))),
            ("0", None),
            ("0K", None),
            ("M", None),
            ("8T", None),
            ("99999999999G", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(pages(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn call_graphs() {
        assert_eq!(call_graph("fp"), Ok(CallGraph::FramePointers));
        assert_eq!(call_graph("lbr"), Ok(CallGraph::Branches));
        assert_eq!(call_graph("dwarf,8192"), Ok(CallGraph::Dwarf));
        assert!(call_graph("x").is_err());
    }
}
