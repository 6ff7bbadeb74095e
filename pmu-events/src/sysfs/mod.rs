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
//!     println!("{} has type {:?} and {} events", pmu.name(), pmu.type_(), pmu.event_names().count());
//! }
//! ```

mod builtin;
mod cpus;
mod file;
mod midr;
mod pmu;
mod problem;
mod tracing;

use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;
use std::{env, fs};

use once_cell::sync::OnceCell;

use crate::pmu::Written;
pub use cpus::{CpuSet, CpuSetError};
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
    /// Those that were asked for by name before all were listed. Whoever asks
    /// for more than these is better served by the list.
    named: [OnceCell<Pmu>; 8],
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
        Sysfs {
            tracing: Tracing::below(&root),
            root,
            pmus: OnceCell::new(),
            named: Default::default(),
        }
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

    /// The PMU of a name or alias name. One that has the name itself is found
    /// without a look at the others.
    #[must_use]
    pub fn pmu(&self, name: &str) -> Option<&Pmu> {
        let listed = || self.pmus().iter().find(|pmu| pmu.name() == name);
        let alias = || self.pmus().iter().find(|pmu| pmu.alias_name() == Some(name));
        let named = if self.pmus.get().is_none() { self.named(name) } else { None };
        named.or_else(listed).or_else(alias)
    }

    /// A PMU by its own name alone; `None` where that is not enough to tell.
    fn named(&self, name: &str) -> Option<&Pmu> {
        for place in &self.named {
            if let Some(pmu) = place.get() {
                if pmu.name() == name {
                    return Some(pmu);
                }
                continue;
            }
            if Path::new(name).file_name().is_none_or(|one| one != name) {
                return None;
            }
            let path = self.devices().join(name);
            let files = self.files_at(&path, Kind::Unknown)?;
            // Another thread may have taken the place for another PMU.
            let pmu = place.get_or_init(|| Pmu::new(name, path.clone(), files.clone()));
            if pmu.name() == name {
                return Some(pmu);
            }
        }
        None
    }

    /// The PMUs that what a person writes means: a name with or without
    /// `uncore_` and number, or a shell pattern.
    pub fn matching<'s>(&'s self, written: &'s str) -> impl Iterator<Item = &'s Pmu> {
        let written = Written::new(written);
        self.pmus().iter().filter(move |pmu| pmu.is_meant(written))
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
            let online = file::read(&online, Kind::Unknown, str::parse::<CpuSet>).ok()??;
            midr::read(&self.root, &online.ok()?).ok()?
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
        let listed = self.pmus.get();
        let (pmus, problems) =
            listed.map_or((&[][..], &[][..]), |(pmus, problems)| (pmus, problems));
        let named = self.named.iter().filter_map(OnceCell::get);
        let unlisted = named.filter(|named| pmus.iter().all(|pmu| pmu.name() != named.name()));
        let of_pmus = pmus.iter().chain(unlisted).flat_map(Pmu::problems);
        problems.iter().cloned().chain(of_pmus).collect()
    }

    fn devices(&self) -> PathBuf {
        self.root.join("bus/event_source/devices")
    }

    /// The directory of a PMU's files, or a way to it; `None` for a file that
    /// lies between the PMUs, or a link that leads nowhere.
    ///
    /// In sysfs itself all PMUs are links, and the kernel would follow a link
    /// again for every file. The directories above are none: what is behind
    /// `../../..` is below the root.
    fn files_at(&self, path: &Path, kind: Kind) -> Option<PathBuf> {
        let target = || {
            let link = fs::read_link(path).ok()?;
            Some(self.root.join(link.strip_prefix("../../..").ok()?))
        };
        match kind {
            Kind::Unknown if self.root == Path::new(MOUNTED) => {
                target().or_else(|| path.is_dir().then(|| path.into()))
            }
            Kind::Unknown => path.is_dir().then(|| path.into()),
            Kind::Directory => Some(path.into()),
            Kind::Regular | Kind::Other => None,
        }
    }

    fn scanned(&self) -> &(Vec<Pmu>, Vec<Problem>) {
        self.pmus.get_or_init(|| {
            let devices = self.devices();
            let names = match file::list(&devices) {
                Ok(names) => names,
                Err(error) => return (Vec::new(), std::vec![Problem::io(&devices, &error)]),
            };
            let pmu = |(name, kind): (String, Kind)| {
                let mut named = self.named.iter().filter_map(OnceCell::get);
                if let Some(pmu) = named.find(|pmu| pmu.name() == name) {
                    return Some(pmu.clone());
                }
                let path = devices.join(&name);
                let files = self.files_at(&path, kind)?;
                Some(Pmu::new(&name, path, files))
            };
            let mut pmus: Vec<Pmu> = names.into_iter().filter_map(pmu).collect();
            pmus.sort_by(|a, b| {
                b.is_core().cmp(&a.is_core()).then_with(|| crate::pmu::cmp(a.name(), b.name()))
            });
            (pmus, Vec::new())
        })
    }
}

impl Default for Sysfs {
    fn default() -> Self {
        Self::new()
    }
}
