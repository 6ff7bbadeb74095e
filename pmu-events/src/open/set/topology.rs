//! Which CPUs there are, and which share a package.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::vec::Vec;
use std::{format, fs, thread};

use crate::open::Target;
use crate::sysfs::CpuSet;

/// `devices/system/cpu` below a root that stands for `/sys`.
pub(super) struct Topology {
    directory: PathBuf,
    online: CpuSet,
    /// Package and die of each CPU, once asked for.
    dies: BTreeMap<u32, (i64, i64)>,
}

impl Topology {
    pub(super) fn at(root: &Path) -> Self {
        let directory = root.join("devices/system/cpu");
        let online = fs::read_to_string(directory.join("online"));
        let online = online.ok().and_then(|text| text.parse().ok());
        Topology { directory, online: online.unwrap_or_else(guess), dies: BTreeMap::new() }
    }

    pub(super) fn online(&self) -> &CpuSet {
        &self.online
    }

    /// Leaves one CPU of each die. perf tells packages apart by their dies
    /// (`check_per_pkg` in `tools/perf/util/stat.c`).
    pub(super) fn one_a_package(&mut self, targets: Vec<Target>) -> Vec<Target> {
        let mut seen = Vec::new();
        let mut is_first = |target: &Target| {
            let Target::Cpu(cpu) = *target else {
                return true;
            };
            let die = self.die(cpu);
            let is_new = !seen.contains(&die);
            if is_new {
                seen.push(die);
            }
            is_new
        };
        targets.into_iter().filter(|target| is_first(target)).collect()
    }

    /// What is not said is the same for all.
    fn die(&mut self, cpu: u32) -> (i64, i64) {
        let directory = &self.directory;
        *self.dies.entry(cpu).or_insert_with(|| {
            let number = |file: &str| {
                let path = directory.join(format!("cpu{cpu}/topology/{file}"));
                fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok())
            };
            (number("physical_package_id").unwrap_or(0), number("die_id").unwrap_or(0))
        })
    }
}

/// Without sysfs: as many as this process may run on.
fn guess() -> CpuSet {
    let count = thread::available_parallelism().map_or(1, usize::from);
    format!("0-{}", count - 1).parse().unwrap_or_default()
}
