//! The tasks or CPUs to count. They are outside the command's module because every system
//! has them, so that help and completions are the same everywhere.

use clap::Args;
use pmu_events::sysfs::{CpuSet, CpuSetError};

/// The tasks or CPUs to count.
#[derive(Args, Clone, Debug)]
pub(crate) struct TargetArgs {
    /// Count processes, with all their threads; several are joined by commas
    #[arg(short, long, value_name = "PID", value_parser = tasks, help_heading = "Target")]
    pub(crate) pid: Option<Tasks>,

    /// Count threads; several are joined by commas
    #[arg(short, long, value_name = "TID", value_parser = tasks, help_heading = "Target")]
    pub(crate) tid: Option<Tasks>,

    /// Count all CPUs
    #[arg(short, long, help_heading = "Target")]
    pub(crate) all_cpus: bool,

    /// Count some CPUs: 0-3,8
    #[arg(short = 'C', long, value_name = "CPUS", value_parser = cpus, overrides_with = "cpu",
          help_heading = "Target")]
    pub(crate) cpu: Option<CpuSet>,

    /// Do not count what the tasks start
    #[arg(short = 'i', long, help_heading = "Target")]
    pub(crate) no_inherit: bool,
}

/// Numbers of tasks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tasks(pub(crate) Vec<u32>);

fn tasks(text: &str) -> Result<Tasks, String> {
    let tasks = text.split(',').map(|id| id.parse().ok().filter(|&id| id > 0));
    let tasks = tasks.collect::<Option<_>>().map(Tasks);
    tasks.ok_or_else(|| "expected the number of a task, or several joined by commas".into())
}

fn cpus(text: &str) -> Result<CpuSet, CpuSetError> {
    text.parse()
}
