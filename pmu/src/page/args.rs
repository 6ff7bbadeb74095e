//! The command line of `pmu page`.

use std::path::PathBuf;

use clap::Args;

use crate::machine_args::ModelArgs;

/// Write a page for a browser with the metrics and events of a CPU
///
/// The page shows the metrics of this machine's CPU, or of another one, as the tree that they form,
/// and the events by topic. Formulas link to the events that they name, and a search narrows
/// everything as you type. The page needs no network and no other file. With `--from`, the page is of
/// the CPU of a run of `pmu topdown`, and the tree shows its values.
#[derive(Args, Debug)]
#[command(after_help = "\
Environment:
  PERF_CPUID  Use this CPUID instead of the machine's

Exit status: 0 on success, 1 if the CPU is unknown or the page cannot be written, 2 on a usage error.")]
pub(crate) struct PageArgs {
    /// Write the page to FILE; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) html: PathBuf,

    /// Show the values of a run: FILE is the output of `pmu topdown --json`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cpuid", "model"])]
    pub(crate) from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) subject: ModelArgs,
}
