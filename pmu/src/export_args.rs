//! The command line of `pmu export`.

use std::path::PathBuf;

use clap::Args;

/// Check what is to be exported to Prometheus
///
/// A configuration lists events and metrics, and where they are counted: on the whole machine, on
/// each CPU, core or socket, by each instance of a PMU, in control groups, in processes.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status: 0 if the configuration has no fault; 1 if it has one; 2 on a usage error.")]
pub(crate) struct ExportArgs {
    /// The configuration, a TOML file
    #[arg(value_name = "FILE")]
    pub(crate) config: PathBuf,

    /// Check the configuration, and report each fault with its line and column
    #[arg(long, required = true)]
    pub(crate) check: bool,
}
