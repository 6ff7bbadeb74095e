//! Arguments that several commands share: the machine whose events are meant, and its
//! tables.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use pmu_events::{event, system};

use crate::completion;
use crate::failure::Failure;
use crate::trees::Trees;

/// Where the event tables come from.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TreeArgs {
    /// Use the event trees below DIR instead of the built-in ones: an architecture's directory,
    /// a directory of such, the root of a kernel source tree, Intel's perfmon or Arm's telemetry
    #[arg(long, value_name = "DIR", help_heading = "Select tables")]
    pub(crate) tree: Option<PathBuf>,
}

/// Selects the event trees and their encoding.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TablesArgs {
    #[command(flatten)]
    pub(crate) tree: TreeArgs,

    /// How to encode an event for which perf has something different: `pmu list --details` shows
    /// both
    #[arg(
        long,
        value_name = "WHOSE",
        value_enum,
        default_value_t = Encoding::Correct,
        overrides_with = "encoding",
        help_heading = "Select tables"
    )]
    pub(crate) encoding: Encoding,
}

impl TablesArgs {
    pub(crate) fn trees(&self) -> Result<&'static Trees, Failure> {
        Trees::new(self.tree.tree.as_deref(), self.encoding.into())
    }
}

/// Selects the machine whose events are meant, and its tables.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MachineArgs {
    #[command(flatten)]
    pub(crate) cpu: CpuArgs,

    #[command(flatten)]
    pub(crate) sysfs: SysfsArgs,

    #[command(flatten)]
    pub(crate) tables: TablesArgs,

    #[command(flatten)]
    pub(crate) names: NamesArgs,
}

impl MachineArgs {
    pub(crate) fn cpuid(&self) -> Option<&str> {
        self.cpu.cpuid.as_deref()
    }

    pub(crate) fn sysfs(&self) -> Option<&Path> {
        self.sysfs.sysfs.as_deref()
    }
}

/// One of two encodings of events that perf gets wrong.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Encoding {
    /// As the vendor documents it
    #[default]
    Correct,
    /// As perf of Linux 6.17 and 7.3 does, to compare with its counts
    Perf,
}

impl From<Encoding> for event::Encoding {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Correct => event::Encoding::Correct,
            Encoding::Perf => event::Encoding::Perf,
        }
    }
}

/// Selects what generic names mean.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct NamesArgs {
    /// What `cycles`, `cache-misses` and other generic names mean without a PMU before them
    #[arg(
        long,
        value_name = "WHOSE",
        value_enum,
        default_value_t = GenericNames::Kernel,
        overrides_with = "generic_names",
        help_heading = "Select tables"
    )]
    pub(crate) generic_names: GenericNames,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum GenericNames {
    /// The kernel's event on the cores, as in perf of Linux 6.12
    #[default]
    Kernel,
    /// The events of that name that PMUs have, and the kernel's on cores that have none, as in
    /// perf of Linux 7.3
    Pmu,
}

impl From<NamesArgs> for system::GenericNames {
    fn from(args: NamesArgs) -> Self {
        match args.generic_names {
            GenericNames::Kernel => system::GenericNames::Kernel,
            GenericNames::Pmu => system::GenericNames::Pmu,
        }
    }
}

/// Selects the CPU whose tables are used.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CpuArgs {
    /// Use the event tables of the CPU with this CPUID, in perf's form: GenuineIntel-6-8F-4,
    /// 0x00000000410fd0c0
    #[arg(long, value_name = "ID", overrides_with = "cpuid", help_heading = "Select tables")]
    pub(crate) cpuid: Option<String>,
}

/// Selects the tables of a CPU, by its CPUID or by a model, and their trees.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ModelArgs {
    #[command(flatten)]
    cpu: CpuArgs,

    /// Use the tables of a model: silvermont, arm/neoverse-n1, the last part of such a name, or a
    /// CPU with these tables, as raptorlake, neoverse-v2
    #[arg(
        long,
        value_name = "NAME",
        overrides_with = "model",
        conflicts_with = "cpuid",
        add = ArgValueCompleter::new(completion::models),
        help_heading = "Select tables"
    )]
    pub(crate) model: Option<String>,

    #[command(flatten)]
    pub(crate) tables: TablesArgs,
}

impl ModelArgs {
    pub(crate) fn cpuid(&self) -> Option<&str> {
        self.cpu.cpuid.as_deref()
    }
}

/// The same, and the PMUs of a machine.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SubjectArgs {
    #[command(flatten)]
    pub(crate) cpu: ModelArgs,

    #[command(flatten)]
    sysfs: SysfsArgs,
}

impl SubjectArgs {
    pub(crate) fn trees(&self) -> Result<&'static Trees, Failure> {
        self.cpu.tables.trees()
    }

    /// Whether no other machine is meant.
    pub(crate) fn is_this_machine(&self) -> bool {
        self.cpu.cpuid().is_none() && self.cpu.model.is_none() && self.sysfs().is_none()
    }

    pub(crate) fn sysfs(&self) -> Option<&Path> {
        self.sysfs.sysfs.as_deref()
    }
}

/// Where the descriptions of the system's PMUs are.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SysfsArgs {
    /// Read PMUs below DIR instead of /sys
    #[arg(long, value_name = "DIR", overrides_with = "sysfs", help_heading = "Select tables")]
    pub(crate) sysfs: Option<PathBuf>,
}
