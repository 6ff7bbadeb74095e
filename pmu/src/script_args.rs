//! The command line of `pmu script`. It is outside the command's module because every system has
//! it, so that help and completions are the same everywhere.

use std::path::PathBuf;

use clap::Args;
use pmu_events::sysfs::{CpuSet, CpuSetError};

use crate::perf_options::{PerfOptionArgs, Script};

/// Show each sample of a recording
///
/// Writes samples as `perf script` does, in the order of their times, so that programs that read
/// its output, such as those that draw flame graphs, read this one.
#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    after_help = "\
On a terminal, a pager shows the output: the command in PERF_PAGER, or else in PAGER, or else \
pager or less. Where that is empty or `cat`, there is none.

Exit status: 0 if the recording could be read, also where it is cut off; 1 otherwise, and 2 on a \
usage error."
)]
pub(crate) struct ScriptArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Show these fields, joined by commas: comm, pid, tid, cpu, time, period, event, trace,
    /// ip, sym, symoff, dso, and, where samples have them, addr, data_src, weight, ins_lat, retire_lat,
    /// phys_addr, data_page_size, code_page_size, cgroup, brstack; `+` and `-` before one add it to the default ones and take it away
    #[arg(short = 'F', long, value_name = "FIELDS", allow_hyphen_values = true)]
    pub(crate) fields: Option<String>,

    /// Show no more than N functions of a call chain
    #[arg(long, value_name = "N")]
    pub(crate) max_stack: Option<usize>,

    /// Show no call chain, but the function itself
    #[arg(short = 'G', long)]
    pub(crate) hide_call_graph: bool,

    /// Show times to the nanosecond
    #[arg(long)]
    pub(crate) ns: bool,

    /// Show times from that of the first line on
    #[arg(long, conflicts_with = "deltatime")]
    pub(crate) reltime: bool,

    /// Show the time since the line before
    #[arg(long)]
    pub(crate) deltatime: bool,

    #[command(flatten)]
    pub(crate) records: RecordsArgs,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// Show only samples in these programs or libraries, joined by commas
    #[arg(long, value_name = "MODULES", value_delimiter = ',', help_heading = "Select samples")]
    pub(crate) dsos: Vec<String>,

    #[command(flatten)]
    pub(crate) of_perf: PerfOptionArgs<Script>,
}

/// Which records are shown beside samples.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct RecordsArgs {
    /// Also show when tasks begin, end, and get a name
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_task_events: bool,

    /// Also show what tasks map
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_mmap_events: bool,

    /// Also show when tasks get a CPU, and lose it (`pmu record --switch-events`)
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_switch_events: bool,

    /// Also show the namespaces of tasks (`pmu record --namespaces`)
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_namespace_events: bool,

    /// Also show control groups (`pmu record --all-cgroups`)
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_cgroup_events: bool,

    /// Also show where records were lost
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_lost_events: bool,

    /// Also show BPF programs, and their symbols in the kernel
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_bpf_events: bool,

    /// Also show where the kernel changes its code
    #[arg(long, help_heading = "Other records")]
    pub(crate) show_text_poke_events: bool,
}

/// Which samples are shown.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FilterArgs {
    /// Show only samples of threads with these names, joined by commas
    #[arg(
        short,
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Select samples"
    )]
    pub(crate) comms: Vec<String>,

    /// Show only samples of these processes, joined by commas
    #[arg(long, value_name = "PID", value_delimiter = ',', help_heading = "Select samples")]
    pub(crate) pid: Vec<u32>,

    /// Show only samples of these threads, joined by commas
    #[arg(long, value_name = "TID", value_delimiter = ',', help_heading = "Select samples")]
    pub(crate) tid: Vec<u32>,

    /// Show only samples in these functions, joined by commas
    #[arg(
        short = 'S',
        long,
        value_name = "FUNCTIONS",
        value_delimiter = ',',
        help_heading = "Select samples"
    )]
    pub(crate) symbols: Vec<String>,

    /// Show only samples of some CPUs: 0-3,8
    #[arg(short = 'C', long, value_name = "CPUS", value_parser = cpus,
          help_heading = "Select samples")]
    pub(crate) cpu: Option<CpuSet>,

    /// Show only samples of these times: START,STOP in seconds, of which either may be empty, or parts
    /// of the recording such as 10%-20% or 10%/2, the second tenth
    #[arg(long, value_name = "TIMES", help_heading = "Select samples")]
    pub(crate) time: Option<String>,
}

fn cpus(text: &str) -> Result<CpuSet, CpuSetError> {
    text.parse()
}

/// The recording.
#[derive(Args, Clone, Debug)]
pub(crate) struct InputArgs {
    /// Read FILE
    #[arg(short, long, value_name = "FILE", default_value = "perf.data")]
    pub(crate) input: PathBuf,

    /// Look for programs and libraries below DIRECTORY
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) symfs: Option<PathBuf>,

    /// Leave out functions that a compiler has put into others
    #[arg(long)]
    pub(crate) no_inline: bool,

    /// Show first what the file says of the machine and of the recording
    #[arg(long, help_heading = "Output")]
    pub(crate) header: bool,

    /// Show only that
    #[arg(long, help_heading = "Output")]
    pub(crate) header_only: bool,

    /// Write to the terminal itself instead of showing the output by a pager
    #[arg(long, help_heading = "Output")]
    pub(crate) no_pager: bool,

    /// Has no effect: files of other users are read
    #[arg(short, long)]
    pub(crate) force: bool,
}
