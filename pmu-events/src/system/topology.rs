//! The CPUs of a machine, and which of them share a core, a die or a package
//! (`tools/perf/util/cputopo.c` and `smt.c`;
//! `Documentation/admin-guide/cputopology.rst`).

use std::format;
use std::path::{Path, PathBuf};
use std::string::ToString;
use std::sync::OnceLock;
#[cfg(feature = "open")]
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

use crate::file::{self, Kind};
use crate::sysfs::{CpuSet, Problem};

/// `devices/system/cpu` below a root. Files are read on demand.
#[derive(Debug)]
pub(crate) struct Topology {
    /// The directory used as `/sys`.
    root: PathBuf,
    online: OnceLock<Result<CpuSet, Problem>>,
    present: OnceLock<Result<Option<CpuSet>, Problem>>,
    is_smt_active: OnceLock<Option<bool>>,
    #[cfg(feature = "metrics")]
    is_smt_absent: OnceLock<Option<bool>>,
    lists: OnceLock<Lists>,
    /// The dies of the CPUs that were asked for, by CPU.
    #[cfg(feature = "open")]
    dies: Mutex<Vec<(u32, Die)>>,
}

/// The numbers of a CPU's package and die, which tell where an event of a whole
/// package counts; `None` if there is no such file.
#[cfg(feature = "open")]
pub(crate) type Die = (Option<i32>, Option<i32>);

/// The CPUs that share a core, a die or a package, from the lists of all online
/// CPUs.
#[derive(Debug)]
struct Lists {
    /// `None` unless every CPU has a list: otherwise some cores would be missing.
    cores: Option<Vec<CpuSet>>,
    dies: Option<usize>,
    packages: Option<usize>,
}

impl Topology {
    pub(super) fn below(root: &Path) -> Self {
        Topology {
            root: root.into(),
            online: OnceLock::new(),
            present: OnceLock::new(),
            is_smt_active: OnceLock::new(),
            #[cfg(feature = "metrics")]
            is_smt_absent: OnceLock::new(),
            lists: OnceLock::new(),
            #[cfg(feature = "open")]
            dies: Mutex::default(),
        }
    }

    /// The online CPUs: at least one.
    pub(crate) fn online(&self) -> Result<&CpuSet, &Problem> {
        let read = || {
            let path = self.path("online");
            cpus(&path)?.ok_or_else(|| Problem::missing(&path, "does not exist"))
        };
        self.online.get_or_init(read).as_ref()
    }

    /// The number of CPUs, counting gaps in their numbering.
    pub(super) fn count(&self) -> Option<f64> {
        Some(f64::from(self.present().ok()??.last()?) + 1.0)
    }

    /// The CPUs that the machine has; `None` without the file.
    pub(crate) fn present(&self) -> Result<Option<&CpuSet>, &Problem> {
        self.present.get_or_init(|| cpus(&self.path("present"))).as_ref().map(Option::as_ref)
    }

    pub(super) fn online_count(&self) -> Option<f64> {
        Some(self.online().ok()?.len() as f64)
    }

    pub(super) fn cores(&self) -> Option<f64> {
        Some(self.lists().cores.as_ref()?.len() as f64)
    }

    pub(super) fn dies(&self) -> Option<f64> {
        Some(self.lists().dies? as f64)
    }

    pub(super) fn packages(&self) -> Option<f64> {
        Some(self.lists().packages? as f64)
    }

    pub(super) fn is_smt_on(&self) -> Option<bool> {
        let active = || {
            let active = |text: &str| text.parse::<i64>().ok();
            Some(file::of_sysfs(&self.path("smt/active"), Kind::Unknown, active).ok()??? == 1)
        };
        if let Some(is_on) = self.is_smt_active.get_or_init(active) {
            return Some(*is_on);
        }
        for core in self.lists().cores.as_ref()? {
            if core.len() > 1 {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the cores have no second thread at all, if the kernel says so.
    #[cfg(feature = "metrics")]
    pub(super) fn is_smt_absent(&self) -> Option<bool> {
        let control = || {
            let path = self.path("smt/control");
            file::of_sysfs(&path, Kind::Unknown, |text| text == "notsupported").ok()?
        };
        *self.is_smt_absent.get_or_init(control)
    }

    /// Whether a set consists of whole cores.
    pub(super) fn are_whole_cores(&self, cpus: &CpuSet) -> Option<bool> {
        for core in self.lists().cores.as_ref()? {
            let of_core = core.intersection(cpus);
            if !of_core.is_empty() && of_core != *core {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The package and the die of a CPU.
    #[cfg(feature = "open")]
    pub(crate) fn die(&self, cpu: u32) -> Result<Die, Problem> {
        let mut known = self.dies.lock().unwrap_or_else(PoisonError::into_inner);
        let place = match known.binary_search_by(|(known, _)| known.cmp(&cpu)) {
            Ok(at) => return Ok(known[at].1),
            Err(place) => place,
        };
        let number = |file| self.number_if_any(cpu, file);
        let die = (number("physical_package_id")?, number("die_id")?);
        known.insert(place, (cpu, die));
        Ok(die)
    }

    /// The number in a file of a CPU's topology.
    pub(super) fn number(&self, cpu: u32, file: &str) -> Result<i32, Problem> {
        let missing = || Problem::missing(&self.file(cpu, file), "does not exist");
        self.number_if_any(cpu, file)?.ok_or_else(missing)
    }

    /// The same; `None` if there is no such file.
    pub(super) fn number_if_any(&self, cpu: u32, file: &str) -> Result<Option<i32>, Problem> {
        let path = self.file(cpu, file);
        let number = |text: &str| {
            let invalid = || format!("invalid number `{}`", text.escape_debug());
            text.parse().map_err(|_| Problem::new(&path, invalid()))
        };
        file::of_sysfs(&path, Kind::Unknown, number)?.transpose()
    }

    /// A file of a CPU's topology.
    pub(crate) fn file(&self, cpu: u32, name: &str) -> PathBuf {
        self.path(&format!("cpu{cpu}/topology/{name}"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join("devices/system/cpu").join(name)
    }

    fn lists(&self) -> &Lists {
        self.lists.get_or_init(|| {
            let (mut cores, mut dies) = (Vec::new(), Vec::new());
            let mut packages = Vec::new();
            let nowhere = CpuSet::default();
            for cpu in self.online().unwrap_or(&nowhere).iter() {
                // Current name first, then the name before Linux 5.3.
                let first = |names: &[&str]| {
                    for name in names {
                        let set = set(&self.file(cpu, name));
                        if set.is_some() {
                            return set;
                        }
                    }
                    None
                };
                cores.push(first(&["core_cpus_list", "thread_siblings_list"]));
                dies.push(first(&["die_cpus_list"]));
                packages.push(first(&["package_cpus_list", "core_siblings_list"]));
            }
            Lists {
                cores: different(cores),
                dies: different(dies).as_ref().map(Vec::len),
                packages: different(packages).as_ref().map(Vec::len),
            }
        })
    }
}

/// The CPU list in a file; `None` if there is none.
fn set(file: &Path) -> Option<CpuSet> {
    cpus(file).ok()?
}

/// The CPUs in a file, at least one; `None` if there is no such file.
fn cpus(path: &Path) -> Result<Option<CpuSet>, Problem> {
    let parse = |text: &str| match text.parse::<CpuSet>() {
        Ok(cpus) if cpus.is_empty() => Err(Problem::new(path, "names no CPU")),
        Ok(cpus) => Ok(cpus),
        Err(why) => Err(Problem::new(path, why.to_string())),
    };
    file::of_sysfs(path, Kind::Unknown, parse)?.transpose()
}

/// The distinct lists of all CPUs; `None` if a CPU has none, or if there are no
/// CPUs.
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
