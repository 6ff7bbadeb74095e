//! What events are resolved on.

use std::path::Path;

use pmu_events::host;
use pmu_events::resolve::Tables;
use pmu_events::sysfs::Sysfs;

use crate::trees;

/// The PMUs and the tables of this machine, or of the one that is asked for.
pub(crate) struct System {
    pub(crate) sysfs: Sysfs,
    pub(crate) tables: Tables,
    /// Why there is no model.
    no_model: Option<String>,
}

impl System {
    /// The message of an error says what is not there.
    pub(crate) fn of(cpuid: Option<&str>, sysfs: Option<&Path>) -> Result<System, String> {
        let sysfs = match sysfs {
            None => Sysfs::new(),
            Some(root) if root.is_dir() => Sysfs::at(root),
            Some(root) => return Err(format!("no directory `{}`", root.display())),
        };
        let cpuid = match cpuid {
            Some(cpuid) => Ok(cpuid.to_string()),
            None => host::cpuid(),
        };
        let tree = trees::of_unknown_cpu(cpuid.as_deref().ok());
        let tables = tree.map_or(Tables::NONE, Tables::from);
        let found = cpuid.and_then(|cpuid| {
            trees::of_cpu(&cpuid).ok_or_else(|| host::Error::Unknown(cpuid.as_str().into()))
        });
        // Without a model there are still the events of sysfs and of system
        // PMUs.
        Ok(match found {
            Ok(table) => System { sysfs, tables: (&table.model).into(), no_model: None },
            Err(error) => System { sysfs, tables, no_model: Some(error.to_string()) },
        })
    }

    /// What may be behind an event that is not known.
    pub(crate) fn excuses(&self) -> Vec<String> {
        const MOST: usize = 5;
        let mut excuses = Vec::new();
        if let Some(why) = &self.no_model {
            excuses.push(format!("there is no table of this CPU's events: {why}"));
        }
        if self.sysfs.core_pmus().next().is_none() {
            let root = self.sysfs.root().display();
            excuses.push(format!("there is no hardware PMU of a core below {root}"));
        }
        excuses.extend(self.sysfs.problems().iter().take(MOST).map(ToString::to_string));
        excuses
    }
}
