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
        if self.pmus.get().is_none()
            && let Some(pmu) = self.named(name)
        {
            return Some(pmu);
        }
        let mut found = named_in(self.pmus(), name);
        for pmu in self.pmus() {
            if found.is_none() && pmu.alias_name() == Some(name) {
                found = Some(pmu);
            }
        }
        found
    }

    /// The first PMU of a type.
    pub(crate) fn of_type(&self, type_: u32) -> Option<&Pmu> {
        self.pmus().iter().find(|pmu| pmu.type_() == Some(type_))
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
        let (pmus, mut cores) = (self.pmus(), 0);
        // They come first.
        while cores < pmus.len() && pmus[cores].is_core() {
            cores += 1;
        }
        pmus[..cores].iter()
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
        for pmu in self.core_pmus() {
            if let Some(midr) = pmu.midr() {
                return Some(midr.into());
            }
        }
        of_online()
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
        let mut all = Vec::new();
        let mut listed = &[][..];
        if let Some((pmus, problems)) = self.pmus.get() {
            all.extend_from_slice(problems);
            listed = pmus;
        }
        for pmu in listed {
            all.append(&mut pmu.problems());
        }
        for pmu in &self.named {
            if let Some(pmu) = pmu.get()
                && named_in(listed, pmu.name()).is_none()
            {
                all.append(&mut pmu.problems());
            }
        }
        all
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
            let names = file::list(&devices).unwrap_or_else(|problem| {
                problems.push(problem);
                Vec::new()
            });
            let mut pmus: Vec<Pmu> = Vec::new();
            for (name, kind) in names {
                if let Some(pmu) = self.listed(&devices, &name, kind) {
                    pmus.push(pmu);
                }
            }
            for device in devices_with_sensors {
                pmus.push(Pmu::of_sensors(device));
            }
            sort_by(&mut pmus, |a, b| {
                b.is_core()
                    .cmp(&a.is_core())
                    .then_with(|| pmu_events_core::__private::pmu::cmp(a.name(), b.name()))
            });
            (pmus, problems)
        })
    }

    /// The PMU of an entry of the directory; `None` if the entry is none.
    fn listed(&self, devices: &Path, name: &str, kind: Kind) -> Option<Pmu> {
        for pmu in &self.named {
            if let Some(pmu) = pmu.get()
                && pmu.name() == name
            {
                return Some(pmu.clone());
            }
        }
        let path = devices.join(name);
        let files = self.files_at(&path, kind)?;
        Some(Pmu::new(name, path, files, self.unlisted()))
    }
}

fn named_in<'p>(pmus: &'p [Pmu], name: &str) -> Option<&'p Pmu> {
    pmus.iter().find(|pmu| pmu.name() == name)
}

/// Joins a path in one allocation.
pub(super) fn below(root: &Path, parts: &[&str]) -> PathBuf {
    let mut len = root.as_os_str().len();
    for part in parts {
        len += 1 + part.len();
    }
    let mut path = PathBuf::with_capacity(len);
    path.push(root);
    for part in parts {
        path.push(part);
    }
    path
}

impl Default for Sysfs {
    fn default() -> Self {
        Self::new()
    }
}
