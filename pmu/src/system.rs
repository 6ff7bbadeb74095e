//! What events are resolved on.

use std::env;
use std::path::Path;

use pmu_events::resolve::Tables;
use pmu_events::sysfs::{self, Pmu, Sysfs};
use pmu_events::{Model, arch, host};

use crate::failure::{Failure, complain};
use crate::trees::Trees;

/// The PMUs and the tables of this machine, or of the one that is asked for.
pub(crate) struct System {
    pub(crate) sysfs: Sysfs,
    pub(crate) tables: Tables,
    /// Whose built-in formats stand for those of sysfs.
    pub(crate) builtin: Option<String>,
    /// Why there is no model, or not one of each kind of cores.
    no_model: Option<String>,
}

/// The PMUs below a directory or, without one, those of this machine.
pub(crate) fn sysfs(root: Option<&Path>) -> Result<Sysfs, Failure> {
    match root {
        None => Ok(Sysfs::new()),
        Some(root) if root.is_dir() => Ok(Sysfs::at(root)),
        Some(root) => Err(Failure::Missing(format!("{}: is not a directory", root.display()))),
    }
}

impl System {
    pub(crate) fn of(
        trees: &'static Trees,
        cpuid: Option<&str>,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        Ok(Self::with(trees, cpuid, self::sysfs(sysfs)?))
    }

    /// The same for words alone, of which nothing is opened. Another machine than
    /// the one whose sysfs can be read has built-in formats.
    pub(crate) fn of_any_machine(
        trees: &'static Trees,
        cpuid: Option<&str>,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        let is_chosen = || env::var_os(sysfs::OVERRIDE).is_some_and(|path| !path.is_empty());
        if let (Some(cpuid), None) = (cpuid, sysfs)
            && let Some(model) = trees.model(cpuid)
            && !is_chosen()
            && host::cpuid().ok().as_deref() != Some(cpuid)
        {
            let builtin = Some(cpuid.to_string());
            let system = Self::with(trees, Some(cpuid), Sysfs::builtin(cpuid, model));
            return Ok(System { builtin, ..system });
        }
        Self::of(trees, cpuid, sysfs)
    }

    /// The same for a model, whose CPUs have the formats of one CPUID.
    pub(crate) fn of_model(
        trees: &'static Trees,
        model: Model,
        cpuid: &str,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        let mut system = match sysfs {
            Some(root) => Self::of(trees, Some(cpuid), Some(root))?,
            None => {
                let builtin = Some(cpuid.to_string());
                let system = Self::with(trees, Some(cpuid), Sysfs::builtin(cpuid, model));
                System { builtin, ..system }
            }
        };
        system.tables = system.tables.with_model(Some(model));
        Ok(system)
    }

    fn with(trees: &'static Trees, cpuid: Option<&str>, sysfs: Sysfs) -> System {
        let told = match cpuid {
            Some(cpuid) => Ok(cpuid.to_string()),
            None => host::cpuid_on(&sysfs),
        };
        let tree = trees.of_unknown_cpu(told.as_deref().ok());
        let tables = tree.map_or(Tables::NONE, Tables::from).with_common(arch::common::COMMON);
        // Without a model there are still the events of sysfs and of system
        // PMUs.
        let tables = match cpuid {
            Some(cpuid) => tables.with_model(trees.model(cpuid)),
            None => tables.with_machine(&sysfs, trees.finder()),
        };
        let mut system = System { sysfs, tables, builtin: None, no_model: None };
        if system.tables.models(&system.sysfs).is_empty() {
            let error = told.map_or_else(|error| error, host::Error::Unknown);
            system.no_model = Some(format!("there is no table of this CPU's events: {error}"));
        } else if let Some(pmu) = system.core_pmu_without_model() {
            let error = host::cpuid_of_pmu(pmu).map_or_else(|error| error, host::Error::Unknown);
            let name = pmu.name();
            system.no_model =
                Some(format!("there is no table of the events of PMU `{name}`: {error}"));
        }
        system
    }

    /// Says on standard error which formats are used where sysfs is not.
    pub(crate) fn tell_of_builtin(&self, command: &str) {
        if let Some(cpuid) = &self.builtin {
            complain(
                command,
                &format!("note: using built-in formats of {cpuid}'s PMUs, not sysfs"),
            );
        }
    }

    fn core_pmu_without_model(&self) -> Option<&Pmu> {
        let is_unknown = |pmu: &&Pmu| self.tables.of_pmu(pmu, &self.sysfs).is_none();
        self.sysfs.core_pmus().find(is_unknown)
    }

    /// What may be behind an event that is not known.
    pub(crate) fn excuses(&self) -> Vec<String> {
        const MOST: usize = 5;
        let mut excuses = Vec::new();
        if let Some(why) = &self.no_model {
            excuses.push(why.clone());
        }
        if self.sysfs.core_pmus().next().is_none() {
            let root = self.sysfs.root().display();
            excuses.push(format!("there is no hardware PMU of a core below {root}"));
        }
        excuses.extend(self.sysfs.problems().iter().take(MOST).map(ToString::to_string));
        excuses
    }
}
