//! Which CPUs there are, and which share a package.

use std::collections::BTreeMap;
use std::io::ErrorKind as Io;
use std::path::{Path, PathBuf};
use std::vec::Vec;
use std::{format, fs};

use crate::open::{Error, Target};
use crate::sysfs::CpuSet;

/// Of each root that stands for `/sys`: events are opened on the CPUs of the
/// machine on which they were resolved.
#[derive(Default)]
pub(super) struct Topologies {
    by_root: BTreeMap<PathBuf, Topology>,
}

impl Topologies {
    pub(super) fn at(&mut self, root: &Path) -> &mut Topology {
        self.by_root.entry(root.into()).or_insert_with(|| Topology::at(root))
    }
}

/// `devices/system/cpu` below a root.
pub(super) struct Topology {
    directory: PathBuf,
    /// Package and die of each CPU, once asked for; `None` where no file says.
    dies: BTreeMap<u32, (Option<i64>, Option<i64>)>,
}

impl Topology {
    fn at(root: &Path) -> Self {
        Topology { directory: root.join("devices/system/cpu"), dies: BTreeMap::new() }
    }

    pub(super) fn online(&self) -> Result<CpuSet, Error> {
        let path = self.directory.join("online");
        let text = fs::read_to_string(&path).map_err(|error| Error::unreadable(&path, &error))?;
        match text.parse::<CpuSet>() {
            Ok(cpus) if cpus.is_empty() => Err(Error::unreadable(&path, &"names no CPU")),
            Ok(cpus) => Ok(cpus),
            Err(why) => Err(Error::unreadable(&path, &why)),
        }
    }

    /// Leaves one CPU of each die. perf tells packages apart by their dies
    /// (`check_per_pkg` in `tools/perf/util/stat.c`).
    pub(super) fn one_a_package(&mut self, targets: Vec<Target>) -> Result<Vec<Target>, Error> {
        let mut seen: Vec<(Option<i64>, Option<i64>)> = Vec::new();
        let mut first = Vec::new();
        for target in targets {
            if let Target::Cpu(cpu) = target {
                let die = self.die(cpu)?;
                // What no file says is the same for all; said of some alone, it
                // may be that of any other.
                let is_as_known = |&(package, core): &(Option<i64>, Option<i64>)| {
                    package.is_some() == die.0.is_some() && core.is_some() == die.1.is_some()
                };
                if !seen.iter().all(is_as_known) {
                    let why = "is there for some CPUs and not for others";
                    return Err(Error::unreadable(&self.file(cpu, "physical_package_id"), &why));
                }
                if seen.contains(&die) {
                    continue;
                }
                seen.push(die);
            }
            first.push(target);
        }
        Ok(first)
    }

    fn die(&mut self, cpu: u32) -> Result<(Option<i64>, Option<i64>), Error> {
        if let Some(&die) = self.dies.get(&cpu) {
            return Ok(die);
        }
        let die = (self.number(cpu, "physical_package_id")?, self.number(cpu, "die_id")?);
        self.dies.insert(cpu, die);
        Ok(die)
    }

    fn number(&self, cpu: u32, file: &str) -> Result<Option<i64>, Error> {
        let path = self.file(cpu, file);
        match fs::read_to_string(&path) {
            Ok(text) => match text.trim().parse() {
                Ok(number) => Ok(Some(number)),
                Err(why) => Err(Error::unreadable(&path, &why)),
            },
            Err(error) if error.kind() == Io::NotFound => Ok(None),
            Err(error) => Err(Error::unreadable(&path, &error)),
        }
    }

    fn file(&self, cpu: u32, name: &str) -> PathBuf {
        self.directory.join(format!("cpu{cpu}/topology/{name}"))
    }
}
