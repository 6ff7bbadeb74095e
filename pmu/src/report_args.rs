//! The command line of `pmu report`. It is outside the command's module because every system has
//! it, so that help and completions are the same everywhere.

use std::path::PathBuf;

use clap::Args;

use crate::perf_options::{PerfOptionArgs, Report};
#[cfg(target_os = "linux")]
use crate::report_values::Field;
use crate::report_values::{ChainStyle, FieldList, Key};
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

    /// Leave out lines with less than PERCENT; with -g, also parts of call chains, unless its STYLE
    /// has a number
    #[arg(long, value_name = "PERCENT")]
    pub(crate) percent_limit: Option<f64>,

    /// Also show the number of samples of each line; JSON and CSV always have it
    #[arg(short = 'n', long, help_heading = "Output", conflicts_with_all = ["folded", "html"])]
    pub(crate) show_nr_samples: bool,

    /// Also show how many events the samples of each line stand for; JSON and CSV always have it
    #[arg(long, help_heading = "Output", conflicts_with_all = ["folded", "html"])]
    pub(crate) show_total_period: bool,

    /// Also show the parts of a share that the kernel and programs have
    #[arg(long, alias = "showcpuutilization", help_heading = "Output",
          conflicts_with_all = ["json", "csv", "folded", "html"])]
    pub(crate) show_cpu_utilization: bool,

    /// Write what `perf report --stdio` writes, with these columns, sorted by the first: overhead,
    /// overhead_sys, overhead_us, overhead_guest_sys, overhead_guest_us, overhead_children, sample,
    /// period, and the keys of --sort. With a `+` before them, they come after the usual ones
    #[arg(short = 'F', long, value_name = "FIELDS", value_parser = FieldList::parse,
          help_heading = "Output", conflicts_with_all = ["json", "csv", "folded", "html"])]
    pub(crate) fields: Option<FieldList>,

    /// Write what `perf report --stdio` writes, with the call chains below each line. STYLE has, joined
    /// by commas: graph, fractal, flat, folded or none; the least percentage of a part (0.5); the most
    /// lines; callee or caller, which says what comes first; function or address; percent, period or
    /// count
    #[arg(short = 'g', long, value_name = "STYLE", value_parser = ChainStyle::parse,
          num_args = 0..=1, default_missing_value = "", help_heading = "Output",
          conflicts_with_all = ["json", "csv", "folded", "html"])]
    pub(crate) call_graph: Option<ChainStyle>,

    /// Begin call chains with the outermost function, as `-g caller`
    #[arg(short = 'G', long, help_heading = "Output",
          conflicts_with_all = ["json", "csv", "folded", "html"])]
    pub(crate) inverted: bool,

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
    /// What shares a line: the keys that are asked for, and then those among the columns.
    pub(crate) fn keys(&self) -> Vec<Key> {
        let mut keys = self.sorted();
        for field in self.fields.iter().flat_map(|fields| &fields.all) {
            if let Field::Key(key) = field
                && !keys.contains(key)
            {
                keys.push(*key);
            }
        }
        keys
    }

    /// The keys that are asked for, or else the usual ones.
    pub(crate) fn sorted(&self) -> Vec<Key> {
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
            // Columns say it all.
            ([], _) if self.has_only_fields() => Vec::new(),
            ([], false) => vec![Key::Comm, Key::Module, Key::Function],
            ([], true) => OF_ACCESSES.to_vec(),
            (keys, _) => keys.to_vec(),
        }
    }

    /// Whether there are no columns but those that are asked for.
    pub(crate) fn has_only_fields(&self) -> bool {
        self.fields.as_ref().is_some_and(|fields| !fields.is_addition)
    }
}
