//! The PMUs of the running system, or of any directory that looks like one.
//!
//! Use it to see which PMUs a machine has, what their drivers name, and which CPUs they are
//! on.
//!
//! The kernel describes each PMU in a directory below
//! `/sys/bus/event_source/devices`
//! (`Documentation/ABI/testing/sysfs-bus-event_source-devices*`): its type, which
//! bits of which config word each term sets, its events by name, and the CPUs on
//! which to open it. The devices of `/sys/class/hwmon` are PMUs as well, whose events
//! are their sensors. Each file is read once, when it is first needed. A malformed
//! file is a [`Problem`] of its PMU and does not affect anything else.
//!
//! ```
//! use pmu_events::sysfs::Sysfs;
//!
//! let sysfs = Sysfs::new();
//! for pmu in sysfs.pmus() {
//!     let count = pmu.event_names().count();
//!     println!("{} has type {:?} and {count} events", pmu.name(), pmu.type_());
//! }
//! ```

mod alias;
mod builtin;
mod cpus;
mod hwmon;
mod midr;
mod pmu;
mod tracing;

use std::path::{Path, PathBuf};
use std::string::String;
use std::sync::OnceLock;
use std::vec::Vec;
use std::{env, fs};

use crate::file::{self, Kind};
use crate::order::sort_by;
pub use crate::problem::{Problem, ProblemKind};
pub use alias::Alias;
pub use cpus::{CpuSet, CpuSetError};
pub use pmu::Pmu;
use pmu_events_core::__private::pmu::Written;
pub use tracing::{Tracepoint, Tracing};

/// The environment variable that names another sysfs, as in perf.
pub const OVERRIDE: &str = "SYSFS_PATH";

/// Where sysfs is mounted.
pub(crate) const MOUNTED: &str = "/sys";

/// The directory of all PMUs, below the root.
const DEVICES: &str = "bus/event_source/devices";

/// The PMUs below one root.
///
/// ```
/// use pmu_events::sysfs::Sysfs;
///
/// for pmu in Sysfs::new().pmus() {
///     println!("{}: type {:?}", pmu.name(), pmu.type_());
/// }
/// ```
#[derive(Debug)]
pub struct Sysfs {
    root: PathBuf,
    pmus: OnceLock<(Vec<Pmu>, Vec<Problem>)>,
    /// The PMUs that were requested by name before all were listed. For more than
    /// this number, listing all is faster.
    named: [OnceLock<Pmu>; 8],
    tracing: Tracing,
}

impl Sysfs {
    /// The PMUs of the running system: below `SYSFS_PATH` if that is set, otherwise
    /// below `/sys`. Nothing is read yet.
    #[must_use]
    pub fn new() -> Self {
        let root = env::var_os(OVERRIDE).filter(|path| !path.is_empty());
        Self::at(root.map_or_else(|| PathBuf::from(MOUNTED), PathBuf::from))
    }

    /// The PMUs below another root in place of `/sys`, such as that of a container
    /// or a test fixture. Nothing is read yet.
    ///
    /// ```
    /// use pmu_events::sysfs::Sysfs;
    ///
    /// // A recording of another machine, say.
    /// assert!(Sysfs::at("/nonexistent").pmus().is_empty());
    /// ```
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Sysfs {
            tracing: Tracing::below(&root),
            root,
            pmus: OnceLock::new(),
            named: Default::default(),
        }
    }

    /// Returns the directory used as `/sys`.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns all PMUs: the core PMUs first, then the others, both by name and
    /// number, as in perf.
    #[must_use]
    pub fn pmus(&self) -> &[Pmu] {
        &self.scanned().0
    }

    /// Returns the PMU with a name or alias name. A PMU's own name is found without
    /// reading the others.
    ///
    /// ```
    /// use pmu_events::sysfs::Sysfs;
    ///
    /// if let Some(msr) = Sysfs::new().pmu("msr") {
    ///     println!("{:?}", msr.event_names().collect::<Vec<_>>());
    /// }
    /// ```
    #[must_use]
    pub fn pmu(&self, name: &str) -> Option<&Pmu> {
        let listed = || self.pmus().iter().find(|pmu| pmu.name() == name);
        let alias = || self.pmus().iter().find(|pmu| pmu.alias_name() == Some(name));
        let named = if self.pmus.get().is_none() { self.named(name) } else { None };
        named.or_else(listed).or_else(alias)
    }

    /// Finds a PMU by its own name only; `None` if that does not settle the
    /// question.
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
            let path = below(&self.root, &[DEVICES, name]);
            let files = self.files_at(&path, Kind::Unknown)?;
            // Another thread may have filled the cell with another PMU.
            let unlisted = self.unlisted();
            let pmu = place.get_or_init(move || Pmu::new(name, path, files, unlisted));
            if pmu.name() == name {
                return Some(pmu);
            }
        }
        None
    }

    /// Returns the PMUs that a user's word matches: a name with or without
    /// `uncore_` and number, or a shell pattern.
    pub fn matching<'s>(&'s self, written: &'s str) -> impl Iterator<Item = &'s Pmu> {
        let written = Written::new(written);
        self.pmus().iter().filter(move |pmu| pmu.is_meant(written))
    }

    /// Returns the core PMUs: one, or several on a machine with several kinds of
    /// cores.
    pub fn core_pmus(&self) -> impl Iterator<Item = &Pmu> {
        // They come first.
        self.pmus().iter().take_while(|pmu| pmu.is_core())
    }

    /// Returns MIDR_EL1 of an Arm machine: that of its first core PMU
    /// ([`Pmu::midr`]), otherwise that of the first online CPU.
    #[must_use]
    pub fn midr(&self) -> Option<String> {
        let of_online = || {
            let online = self.root.join("devices/system/cpu/online");
            let online = file::of_sysfs(&online, Kind::Unknown, str::parse::<CpuSet>).ok()??;
            midr::read(&self.root, &online.ok()?).ok()?
        };
        self.core_pmus().find_map(Pmu::midr).map(String::from).or_else(of_online)
    }

    /// Returns the kernel's tracepoints.
    #[must_use]
    pub fn tracing(&self) -> &Tracing {
        &self.tracing
    }

    /// Returns the problems that were found so far in reading the files of all
    /// PMUs.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let listed = self.pmus.get();
        let (pmus, problems) =
            listed.map_or((&[][..], &[][..]), |(pmus, problems)| (pmus, problems));
        let named = self.named.iter().filter_map(OnceLock::get);
        let unlisted = named.filter(|named| pmus.iter().all(|pmu| pmu.name() != named.name()));
        let of_pmus = pmus.iter().chain(unlisted).flat_map(Pmu::problems);
        problems.iter().cloned().chain(of_pmus).collect()
    }

    /// The kind of files that no directory listed: in sysfs itself, the kernel's
    /// files are regular.
    fn unlisted(&self) -> Kind {
        if self.root == Path::new(MOUNTED) { Kind::Regular } else { Kind::Unknown }
    }

    /// Returns the directory of a PMU's files, or a path to it; `None` for a
    /// regular file among the PMUs, or a broken link.
    ///
    /// In sysfs itself all PMUs are links, and the kernel would follow the link
    /// again for every file. The directories above are not links: the target after
    /// `../../..` is below the root.
    fn files_at(&self, path: &Path, kind: Kind) -> Option<PathBuf> {
        let target = || {
            let link = fs::read_link(path).ok()?;
            Some(below(&self.root, &[link.strip_prefix("../../..").ok()?.to_str()?]))
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
            let devices = below(&self.root, &[DEVICES]);
            let (devices_with_sensors, mut problems) = hwmon::devices(&self.root);
            let sensors = devices_with_sensors.into_iter().map(Pmu::of_sensors);
            let names = file::list(&devices).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            });
            let pmu = |(name, kind): (String, Kind)| {
                let mut named = self.named.iter().filter_map(OnceLock::get);
                if let Some(pmu) = named.find(|pmu| pmu.name() == name) {
                    return Some(pmu.clone());
                }
                let path = devices.join(&name);
                let files = self.files_at(&path, kind)?;
                Some(Pmu::new(&name, path, files, self.unlisted()))
            };
            let mut pmus: Vec<Pmu> = names.into_iter().filter_map(pmu).chain(sensors).collect();
            sort_by(&mut pmus, |a, b| {
                b.is_core()
                    .cmp(&a.is_core())
                    .then_with(|| pmu_events_core::__private::pmu::cmp(a.name(), b.name()))
            });
            (pmus, problems)
        })
    }
}

/// Joins a path in one allocation.
pub(super) fn below(root: &Path, parts: &[&str]) -> PathBuf {
    let len = root.as_os_str().len() + parts.iter().map(|part| 1 + part.len()).sum::<usize>();
    let mut path = PathBuf::with_capacity(len);
    path.push(root);
    path.extend(parts);
    path
}

impl Default for Sysfs {
    fn default() -> Self {
        Self::new()
    }
}
