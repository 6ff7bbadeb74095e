//! The command line of `pmu report`. It is outside the command's module because every system has
//! it, so that help and completions are the same everywhere.

use clap::{Args, ValueEnum};

use crate::script_args::InputArgs;

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
of p has a standard deviation of √(p(1-p)/N).

Exit status: 0 if the recording could be read, also where it is cut off; 1 otherwise, and 2 on a \
usage error."
)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What shares a line, joined by commas; perf's names dso, sym and srcline are understood, too
    #[arg(
        short,
        long,
        value_name = "KEYS",
        value_enum,
        value_delimiter = ',',
        default_value = "comm,module,function"
    )]
    pub(crate) sort: Vec<Key>,

    /// Also show the share of what a function calls; needs call chains
    #[arg(long, overrides_with = "no_children")]
    pub(crate) children: bool,

    /// Show only the share of a function itself, as without either option
    #[arg(long)]
    pub(crate) no_children: bool,

    /// Leave out lines with less than PERCENT
    #[arg(long, value_name = "PERCENT", default_value = "0")]
    pub(crate) percent_limit: f64,

    /// Write what `perf report --stdio` writes
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "csv", "folded"])]
    pub(crate) stdio: bool,

    /// Write one JSON object per line
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["csv", "folded"])]
    pub(crate) json: bool,

    /// Write lines of fields, separated by commas, with a heading
    #[arg(long, help_heading = "Output", conflicts_with = "folded")]
    pub(crate) csv: bool,

    /// Write each call chain as a line, functions separated by `;` from the outermost inwards, with
    /// the number of its samples: what draws flame graphs
    #[arg(long, help_heading = "Output")]
    pub(crate) folded: bool,
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
        }
    }
}
