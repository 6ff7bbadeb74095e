//! What events are resolved on.

use std::path::Path;

use pmu_events::resolve::Tables;
use pmu_events::sysfs::{Pmu, Sysfs};
use pmu_events::{arch, host};

use crate::failure::Failure;
use crate::trees::Trees;

/// The PMUs and the tables of this machine, or of the one that is asked for.
pub(crate) struct System {
    pub(crate) sysfs: Sysfs,
    pub(crate) tables: Tables,
    /// Why there is no model, or not one of each kind of cores.
    no_model: Option<String>,
}

impl System {
    pub(crate) fn of(
        trees: &'static Trees,
        cpuid: Option<&str>,
        sysfs: Option<&Path>,
    ) -> Result<System, Failure> {
        let sysfs = match sysfs {
            None => Sysfs::new(),
            Some(root) if root.is_dir() => Sysfs::at(root),
            Some(root) => {
                return Err(Failure::Missing(format!("{}: is not a directory", root.display())));
            }
        };
        let told = match cpuid {
            Some(cpuid) => Ok(cpuid.to_string()),
            None => host::cpuid_on(&sysfs),
        };
        let tree = trees.of_unknown_cpu(told.as_deref().ok());
        let tables = tree.map_or(Tables::NONE, Tables::from).with_common(&arch::common::COMMON);
        // Without a model there are still the events of sysfs and of system
        // PMUs.
        let tables = match cpuid {
            Some(cpuid) => tables.with_model(trees.model(cpuid)),
            None => tables.with_machine(&sysfs, trees.finder()),
        };
        let mut system = System { sysfs, tables, no_model: None };
        if system.tables.models(&system.sysfs).is_empty() {
            let error = told.map_or_else(|error| error, host::Error::Unknown);
            system.no_model = Some(format!("there is no table of this CPU's events: {error}"));
        } else if let Some(pmu) = system.core_pmu_without_model() {
            let error = host::cpuid_of_pmu(pmu).map_or_else(|error| error, host::Error::Unknown);
            let name = pmu.name();
            system.no_model =
                Some(format!("there is no table of the events of PMU `{name}`: {error}"));
        }
        Ok(system)
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
