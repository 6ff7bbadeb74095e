//! The command line of `pmu ebb`.

use clap::Args;

use crate::machine_args::TreeArgs;

/// Open a group of event-based branches on Power, and report whether it got the PMU
///
/// Opens the events as one group, reports whether the group got the PMU, and closes it again. On
/// any machine other than POWER8 to POWER11, shows the calls that the command makes there.
#[derive(Args, Debug)]
#[command(after_help = "\
Environment:
  PERF_CPUID  Use this CPUID instead of the machine's: 0x004d0200 is a POWER8

Exit status: 0 on success, 1 if the group is refused, 2 on a usage error.")]
pub(crate) struct EbbArgs {
    /// An event of the table or a raw code, with @COUNTER to choose its counter. The first event
    /// leads the group
    #[arg(value_name = "EVENT", default_values = ["PM_CYC@1", "PM_RUN_INST_CMPL"])]
    pub(crate) events: Vec<String>,

    #[command(flatten)]
    pub(crate) tree: TreeArgs,
}
