//! The command line of `pmu script`. It is outside the command's module because every system has
//! it, so that help and completions are the same everywhere.

use std::path::PathBuf;

use clap::Args;

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

    /// Show these fields, joined by commas: comm, pid, tid, cpu, time, period, event, ip, sym,
    /// symoff, dso; `+` and `-` before one add it to the default ones and take it away
    #[arg(short = 'F', long, value_name = "FIELDS", allow_hyphen_values = true)]
    pub(crate) fields: Option<String>,

    /// Show no more than N functions of a call chain
    #[arg(long, value_name = "N")]
    pub(crate) max_stack: Option<usize>,
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

    /// Write to the terminal itself instead of showing the output by a pager
    #[arg(long, help_heading = "Output")]
    pub(crate) no_pager: bool,

    /// Has no effect: files of other users are read
    #[arg(short, long)]
    pub(crate) force: bool,
}
