//! The command line of `pmu lint`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Check event trees and show every fault with file, line and column
///
/// Compiles the trees as the macro `pmu_events!` does, without a crate, and reports all errors and
/// warnings.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit status: 0 if there are no faults, 1 if there are errors or a tree cannot be read, 2 on a usage
error, 3 if there are only warnings.")]
pub(crate) struct LintArgs {
    /// The directory of an architecture (with mapfile.csv), a directory of such, the root of a kernel
    /// source tree, Intel's perfmon or Arm's telemetry
    #[arg(value_name = "TREE", required = true)]
    pub(crate) trees: Vec<PathBuf>,

    /// How to treat likely mistakes, such as unknown keys
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t = Unknown::Warn)]
    pub(crate) unknown: Unknown,

    /// Read CPUIDs by the rules of this architecture; by default, the name of the directory
    #[arg(long, value_name = "NAME")]
    pub(crate) arch: Option<String>,

    /// Also show the hierarchy that the metrics of each model form, and why each has its place
    ///
    /// A metric's place follows from its groups, its threshold and its formula. A metric that is
    /// missing here, or in another place than it should have, lacks a group or has a wrong one.
    #[arg(long)]
    pub(crate) hierarchy: bool,

    /// Write one JSON object for each fault, one per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// How to report likely mistakes.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Unknown {
    /// Do not report them
    Allow,
    /// Report them as warnings
    Warn,
    /// Report them as errors
    Deny,
}

impl From<Unknown> for pmu_events_compiler::Unknown {
    fn from(unknown: Unknown) -> Self {
        match unknown {
            Unknown::Allow => Self::Allow,
            Unknown::Warn => Self::Warn,
            Unknown::Deny => Self::Deny,
        }
    }
}
