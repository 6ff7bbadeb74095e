//! How many CPUs there are, and which share a core, a die or a package
//! (`tools/perf/util/cputopo.c` and `smt.c`;
//! `Documentation/admin-guide/cputopology.rst`).

use std::collections::BTreeSet;
use std::format;
use std::fs;
use std::path::Path;
use std::vec::Vec;

use crate::sysfs::CpuSet;

#[derive(Debug)]
pub(super) struct Topology {
    present: Option<CpuSet>,
    online: Option<CpuSet>,
    is_smt_active: Option<bool>,
    cores: Vec<CpuSet>,
    dies: usize,
    packages: usize,
}

impl Topology {
    pub(super) fn read(root: &Path) -> Self {
        let directory = root.join("devices/system/cpu");
        let set = |file: &Path| -> Option<CpuSet> {
            fs::read_to_string(file).ok()?.parse().ok().filter(|set: &CpuSet| !set.is_empty())
        };
        let online = set(&directory.join("online"));
        let (mut cores, mut dies) = (Vec::new(), BTreeSet::new());
        let mut packages = BTreeSet::new();
        for cpu in online.iter().flat_map(CpuSet::iter) {
            let topology = directory.join(format!("cpu{cpu}/topology"));
            // Each by its name of now, then by that of kernels before 5.3.
            let first = |names: &[&str]| names.iter().find_map(|name| set(&topology.join(name)));
            if let Some(core) = first(&["core_cpus_list", "thread_siblings_list"])
                && !cores.contains(&core)
            {
                cores.push(core);
            }
            dies.extend(first(&["die_cpus_list"]).map(|die| die.first()));
            let package = first(&["package_cpus_list", "core_siblings_list"]);
            packages.extend(package.map(|package| package.first()));
        }
        let active = fs::read_to_string(directory.join("smt/active"));
        let active = active.ok().and_then(|text| text.trim().parse::<i64>().ok());
        Topology {
            present: set(&directory.join("present")),
            online,
            is_smt_active: active.map(|active| active == 1),
            cores,
            dies: dies.len(),
            packages: packages.len(),
        }
    }

    /// As many as their numbers say, gaps included.
    pub(super) fn cpus(&self) -> Option<f64> {
        let last = self.present.as_ref()?.iter().last()?;
        Some(f64::from(last) + 1.0)
    }

    pub(super) fn online(&self) -> Option<f64> {
        self.online.as_ref().map(|online| online.iter().count() as f64)
    }

    pub(super) fn cores(&self) -> Option<f64> {
        known(self.cores.len())
    }

    pub(super) fn dies(&self) -> Option<f64> {
        known(self.dies)
    }

    pub(super) fn packages(&self) -> Option<f64> {
        known(self.packages)
    }

    pub(super) fn is_smt_on(&self) -> Option<bool> {
        let has_siblings = || self.cores.iter().any(|core| core.iter().nth(1).is_some());
        self.is_smt_active.or_else(|| (!self.cores.is_empty()).then(has_siblings))
    }

    /// Whether each core has all or none of its CPUs in a set.
    pub(super) fn are_whole_cores(&self, cpus: &CpuSet) -> Option<bool> {
        let is_whole = |core: &CpuSet| {
            let of_core = core.iter().filter(|&cpu| cpus.contains(cpu)).count();
            of_core == 0 || of_core == core.iter().count()
        };
        (!self.cores.is_empty()).then(|| self.cores.iter().all(is_whole))
    }
}

fn known(count: usize) -> Option<f64> {
    (count > 0).then_some(count as f64)
}
