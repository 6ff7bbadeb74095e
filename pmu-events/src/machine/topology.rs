//! How many CPUs there are, and which share a core, a die or a package
//! (`tools/perf/util/cputopo.c` and `smt.c`;
//! `Documentation/admin-guide/cputopology.rst`).

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
    /// `None` where not every CPU says: some would be missing.
    cores: Option<Vec<CpuSet>>,
    dies: Option<usize>,
    packages: Option<usize>,
}

impl Topology {
    pub(super) fn read(root: &Path) -> Self {
        let directory = root.join("devices/system/cpu");
        let set = |file: &Path| -> Option<CpuSet> {
            fs::read_to_string(file).ok()?.parse().ok().filter(|set: &CpuSet| !set.is_empty())
        };
        let online = set(&directory.join("online"));
        let (mut cores, mut dies) = (Vec::new(), Vec::new());
        let mut packages = Vec::new();
        for cpu in online.iter().flat_map(CpuSet::iter) {
            let topology = directory.join(format!("cpu{cpu}/topology"));
            // Each by its name of now, then by that of kernels before 5.3.
            let first = |names: &[&str]| names.iter().find_map(|name| set(&topology.join(name)));
            cores.push(first(&["core_cpus_list", "thread_siblings_list"]));
            dies.push(first(&["die_cpus_list"]));
            packages.push(first(&["package_cpus_list", "core_siblings_list"]));
        }
        let active = fs::read_to_string(directory.join("smt/active"));
        let active = active.ok().and_then(|text| text.trim().parse::<i64>().ok());
        Topology {
            present: set(&directory.join("present")),
            online,
            is_smt_active: active.map(|active| active == 1),
            cores: different(cores),
            dies: different(dies).map(|dies| dies.len()),
            packages: different(packages).map(|packages| packages.len()),
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
        Some(self.cores.as_ref()?.len() as f64)
    }

    pub(super) fn dies(&self) -> Option<f64> {
        self.dies.map(|dies| dies as f64)
    }

    pub(super) fn packages(&self) -> Option<f64> {
        self.packages.map(|packages| packages as f64)
    }

    pub(super) fn is_smt_on(&self) -> Option<bool> {
        let has_siblings = |core: &CpuSet| core.iter().nth(1).is_some();
        let of_cores = || Some(self.cores.as_ref()?.iter().any(has_siblings));
        self.is_smt_active.or_else(of_cores)
    }

    /// Whether each core has all or none of its CPUs in a set.
    pub(super) fn are_whole_cores(&self, cpus: &CpuSet) -> Option<bool> {
        let is_whole = |core: &CpuSet| {
            let of_core = core.iter().filter(|&cpu| cpus.contains(cpu)).count();
            of_core == 0 || of_core == core.iter().count()
        };
        Some(self.cores.as_ref()?.iter().all(is_whole))
    }
}

/// The different ones of what each CPU says; `None` where one says nothing, or
/// none is there.
fn different(said: Vec<Option<CpuSet>>) -> Option<Vec<CpuSet>> {
    let mut all: Vec<CpuSet> = Vec::new();
    for set in said {
        let set = set?;
        if !all.contains(&set) {
            all.push(set);
        }
    }
    (!all.is_empty()).then_some(all)
}
