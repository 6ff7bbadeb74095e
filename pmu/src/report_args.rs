//! The command line of `pmu report`. It is outside the command's module because every system has
//! it, so that help and completions are the same everywhere.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::perf_options::{PerfOptionArgs, Report};
use crate::script_args::{FilterArgs, InputArgs};

/// Show where the samples of a recording are
///
/// Shows the share of each function, or of what else --sort names, in the samples of a recording,
/// event by event, the largest first. A share is that of the events that samples stand for, not of
/// the samples, because these differ where the kernel adapts the period to a frequency.
#[derive(Args, Debug)]
#[command(
    args_override_self = true,
    after_help = "\
A function of which no symbol is known is [unknown], with its module: the file may be stripped, \
deleted or replaced, or in another place (--symfs). A share is an estimate: of N samples, one \
of p has a standard deviation of √(p(1-p)/N). Where samples are left out, a share is still that of all \
samples, except those of other CPUs than -C names.

On a terminal, a pager shows the output: the command in PERF_PAGER, or else in PAGER, or else \
pager or less. Where that is empty or `cat`, there is none.

Exit status: 0 if the recording could be read, also where it is cut off; 1 otherwise, and 2 on a \
usage error."
)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What shares a line, joined by commas; perf's names, such as dso and sym, are understood, too
    /// [default: comm,module,function; with --mem-mode, all that is known of an access]
    #[arg(short, long, value_name = "KEYS", value_enum, value_delimiter = ',')]
    pub(crate) sort: Vec<Key>,

    /// Show accesses to data, as `pmu record --data` records them: a share is that of the weights of
    /// samples, such as the cycles that loads took
    #[arg(long, conflicts_with_all = ["children", "folded", "html"])]
    pub(crate) mem_mode: bool,

    /// Also show the share of what a function calls; needs call chains
    #[arg(long, overrides_with = "no_children")]
    pub(crate) children: bool,

    /// Show only the share of a function itself, as without either option
    #[arg(long)]
    pub(crate) no_children: bool,

    /// Leave out lines with less than PERCENT
    #[arg(long, value_name = "PERCENT", default_value = "0")]
    pub(crate) percent_limit: f64,

    /// Also show the number of samples of each line; JSON and CSV always have it
    #[arg(short = 'n', long, help_heading = "Output", conflicts_with_all = ["folded", "html"])]
    pub(crate) show_nr_samples: bool,

    /// Also show how many events the samples of each line stand for; JSON and CSV always have it
    #[arg(long, help_heading = "Output", conflicts_with_all = ["folded", "html"])]
    pub(crate) show_total_period: bool,

    /// Write what `perf report --stdio` writes, with SEPARATOR between the fields of a line; `.`
    /// takes its place within a field, and cannot be one itself
    #[arg(short = 't', long, value_name = "SEPARATOR", value_parser = separator,
          help_heading = "Output", conflicts_with_all = ["json", "csv", "folded", "html"])]
    pub(crate) field_separator: Option<String>,

    /// Write what `perf report --stdio` writes
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "csv", "folded", "html"])]
    pub(crate) stdio: bool,

    /// Write one JSON object per line
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["csv", "folded", "html", "header"])]
    pub(crate) json: bool,

    /// Write lines of fields, separated by commas, with a heading
    #[arg(long, help_heading = "Output", conflicts_with_all = ["folded", "html", "header"])]
    pub(crate) csv: bool,

    /// Write each call chain as a line, functions separated by `;` from the outermost inwards, with
    /// the number of its samples: what draws flame graphs
    #[arg(long, help_heading = "Output", conflicts_with_all = ["html", "header"])]
    pub(crate) folded: bool,

    /// Write a page for a browser to FILE, - for standard output: a flame graph and a table of
    /// functions, which can be searched
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "header")]
    pub(crate) html: Option<PathBuf>,

    /// Write no note
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// Show only samples in these programs or libraries, joined by commas
    #[arg(
        short,
        long,
        value_name = "MODULES",
        value_delimiter = ',',
        help_heading = "Select samples"
    )]
    pub(crate) dsos: Vec<String>,

    #[command(flatten)]
    pub(crate) of_perf: PerfOptionArgs<Report>,
}

fn separator(text: &str) -> Result<String, &'static str> {
    match text {
        "" => Err("it is empty"),
        "." => Err("it stands for a separator within a field"),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(target_os = "linux")]
impl ReportArgs {
    /// What shares a line.
    pub(crate) fn keys(&self) -> &[Key] {
        /// `default_mem_sort_order` in `tools/perf/util/sort.c`
        const OF_ACCESSES: &[Key] = &[
            Key::Weight,
            Key::Memory,
            Key::Function,
            Key::Module,
            Key::Data,
            Key::DataModule,
            Key::Snoop,
            Key::Tlb,
            Key::Locked,
            Key::Blocked,
            Key::Latency,
            Key::RetireLatency,
        ];
        match (&self.sort[..], self.mem_mode) {
            ([], false) => &[Key::Comm, Key::Module, Key::Function],
            ([], true) => OF_ACCESSES,
            (keys, _) => keys,
        }
    }
}

/// What shares a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Key {
    /// The name of the thread
    Comm,
    /// The process
    Pid,
    /// The thread
    Tid,
    /// The CPU
    Cpu,
    /// The program, library or kernel
    #[value(alias = "dso")]
    Module,
    /// The function
    #[value(alias = "sym", alias = "symbol")]
    Function,
    /// The file and the number of the line
    #[value(alias = "srcline")]
    Line,
    /// The variable that was accessed, with the place in it, or the address
    #[value(alias = "symbol_daddr")]
    Data,
    /// The program, library or mapping that the data are in
    #[value(alias = "dso_daddr")]
    DataModule,
    /// The 64 bytes that the data are in
    #[value(alias = "dcacheline")]
    CacheLine,
    /// The physical address of the data
    #[value(alias = "phys_daddr")]
    PhysicalAddress,
    /// The size of the page that the data are in, in bytes
    #[value(alias = "data_page_size")]
    PageSize,
    /// Where the data were: the level of cache or memory
    #[value(alias = "mem")]
    Memory,
    /// What other caches had of the data
    Snoop,
    /// The translation buffer that was asked for the page
    Tlb,
    /// Whether the access was locked
    Locked,
    /// Whether the access waited for an earlier store
    Blocked,
    /// The weight of the sample: the cycles that the access took, as the CPU defines them
    #[value(alias = "local_weight")]
    Weight,
    /// The cycles that the instruction took
    #[value(alias = "local_ins_lat")]
    Latency,
    /// The cycles from the end of the instruction to its retirement; on POWER, the stage at which
    /// it waited
    #[value(alias = "local_p_stage_cyc")]
    RetireLatency,
}

impl Key {
    /// Its name in JSON and CSV.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Key::Comm => "comm",
            Key::Pid => "pid",
            Key::Tid => "tid",
            Key::Cpu => "cpu",
            Key::Module => "module",
            Key::Function => "function",
            Key::Line => "line",
            Key::Data => "data",
            Key::DataModule => "data-module",
            Key::CacheLine => "cache-line",
            Key::PhysicalAddress => "physical-address",
            Key::PageSize => "page-size",
            Key::Memory => "memory",
            Key::Snoop => "snoop",
            Key::Tlb => "tlb",
            Key::Locked => "locked",
            Key::Blocked => "blocked",
            Key::Weight => "weight",
            Key::Latency => "latency",
            Key::RetireLatency => "retire-latency",
        }
    }

    /// Whether it is about accesses to data.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_of_data(self) -> bool {
        use Key::*;
        !matches!(self, Comm | Pid | Tid | Cpu | Module | Function | Line)
    }

    /// Whether it tells privileges apart.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_level(self) -> bool {
        matches!(self, Key::Function | Key::Data | Key::CacheLine | Key::PhysicalAddress)
    }

    /// Whether its values are numbers.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_number(self) -> bool {
        use Key::*;
        matches!(self, Pid | Tid | Cpu | PageSize | Weight | Latency | RetireLatency)
    }
}
