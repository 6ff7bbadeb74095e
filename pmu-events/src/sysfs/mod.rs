//! The PMUs of the running system, or of any directory that looks like one.
//!
//! The kernel describes each PMU in a directory below
//! `/sys/bus/event_source/devices`
//! (`Documentation/ABI/testing/sysfs-bus-event_source-devices*`): its type,
//! which bits of which config word each term sets, events by name, and the
//! CPUs that read it. Everything is read when it is first asked for, once. A
//! file that is odd is a [`Problem`] of that PMU and spoils nothing else.
//!
//! ```
//! use pmu_events::sysfs::Sysfs;
//!
//! let sysfs = Sysfs::new();
//! for pmu in sysfs.pmus() {
//!     println!("{} has type {:?} and {} events", pmu.name(), pmu.kind(), pmu.event_names().count());
//! }
//! ```

mod builtin;
mod cpus;
mod file;
mod midr;
mod pmu;
mod problem;
mod tracing;

use std::env;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use once_cell::sync::OnceCell;

pub use cpus::CpuSet;
use file::Kind;
pub use pmu::{Alias, Pmu};
pub use problem::Problem;
pub use tracing::{Tracepoint, Tracing};

/// The environment variable that names another sysfs, as perf has it.
pub const OVERRIDE: &str = "SYSFS_PATH";

/// Where sysfs is mounted.
const MOUNTED: &str = "/sys";

/// The PMUs below one root.
#[derive(Debug)]
pub struct Sysfs {
    root: PathBuf,
    pmus: OnceCell<(Vec<Pmu>, Vec<Problem>)>,
    tracing: Tracing,
}

impl Sysfs {
    /// The running system's: below `SYSFS_PATH` if that is set, else below
    /// `/sys`. Nothing is read yet.
    #[must_use]
    pub fn new() -> Self {
        let root = env::var_os(OVERRIDE).filter(|path| !path.is_empty());
        Self::at(root.map_or_else(|| PathBuf::from(MOUNTED), PathBuf::from))
    }

    /// That of another root, which stands for `/sys`: a container's, a made-up
    /// one. Nothing is read yet.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Sysfs { tracing: Tracing::below(&root), root, pmus: OnceCell::new() }
    }

    /// The directory that stands for `/sys`.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// All PMUs: those of the cores first, then the others, both by name and
    /// number, as perf has them.
    #[must_use]
    pub fn pmus(&self) -> &[Pmu] {
        &self.scanned().0
    }

    /// The PMU of a name or alias name.
    #[must_use]
    pub fn pmu(&self, name: &str) -> Option<&Pmu> {
        let pmus = self.pmus();
        pmus.iter()
            .find(|pmu| pmu.name() == name)
            .or_else(|| pmus.iter().find(|pmu| pmu.alias_name() == Some(name)))
    }

    /// The PMUs that what a person writes means: a name with or without
    /// `uncore_` and number, or a shell pattern.
    pub fn matching<'s>(&'s self, written: &'s str) -> impl Iterator<Item = &'s Pmu> {
        self.pmus().iter().filter(move |pmu| pmu.is_meant_by(written))
    }

    /// The core PMUs: one, or several on a machine with several kinds of
    /// cores.
    pub fn core_pmus(&self) -> impl Iterator<Item = &Pmu> {
        self.pmus().iter().filter(|pmu| pmu.is_core())
    }

    /// MIDR_EL1 of the machine, if it is an Arm one: of its first core PMU
    /// ([`Pmu::midr`]), else of the first CPU that is online.
    #[must_use]
    pub fn midr(&self) -> Option<String> {
        let of_online = || {
            let online = self.root.join("devices/system/cpu/online");
            let online = file::read(&online, Kind::Link).ok()??;
            midr::read(&self.root, &online.parse().ok()?).ok()?
        };
        self.core_pmus().find_map(Pmu::midr).map(String::from).or_else(of_online)
    }

    /// The kernel's tracepoints.
    #[must_use]
    pub fn tracing(&self) -> &Tracing {
        &self.tracing
    }

    /// What could not be read so far, of all PMUs.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let (pmus, problems) = self.scanned();
        let of_pmus = pmus.iter().flat_map(Pmu::problems);
        problems.iter().cloned().chain(of_pmus).collect()
    }

    fn scanned(&self) -> &(Vec<Pmu>, Vec<Problem>) {
        self.pmus.get_or_init(|| {
            let devices = self.root.join("bus/event_source/devices");
            match file::list(&devices) {
                Ok(names) => {
                    let mut pmus: Vec<Pmu> = names
                        .into_iter()
                        .filter(|(_, kind)| matches!(kind, Kind::Directory | Kind::Link))
                        .filter_map(|(name, _)| Pmu::new(&devices, name))
                        .collect();
                    pmus.sort_by(|a, b| {
                        b.is_core()
                            .cmp(&a.is_core())
                            .then_with(|| crate::pmu::cmp(a.name(), b.name()))
                    });
                    (pmus, Vec::new())
                }
                Err(error) => (Vec::new(), std::vec![Problem::io(&devices, &error)]),
            }
        })
    }
}

impl Default for Sysfs {
    fn default() -> Self {
        Self::new()
    }
}
