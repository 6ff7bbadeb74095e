//! A PMU of the system.

mod aliases;
mod clients;
mod described;
mod directory;
mod sensors;
mod source;

use std::path::{Path, PathBuf};
use std::string::String;
use std::sync::Arc;
use std::vec::Vec;
use std::{fmt, format};

use super::alias::Alias;
use super::hwmon::Device;
use super::{CpuSet, Problem};
use crate::file::Kind;
use crate::format::Format;
use clients::Clients;
use described::Described;
use directory::Directory;
use pmu_events_core::__private::pmu;
use sensors::Sensors;
use source::{Source, Values};

/// A PMU: a directory below `bus/event_source/devices`.
///
/// A `Pmu` is cheap to clone; clones share what has been read.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{System, arch::x86};
///
/// let skylake = System::builtin("GenuineIntel-6-5E-3", x86::SKYLAKE);
/// let core = skylake.sysfs().core_pmus().next().unwrap();
/// assert_eq!((core.name(), core.type_()), ("cpu", Some(4)));
/// assert_eq!(core.format("umask").unwrap().to_string(), "config:8-15");
/// # }
/// ```
#[derive(Clone)]
pub struct Pmu {
    source: Arc<dyn Source>,
}

impl Pmu {
    /// The [`type_`](Self::type_) of a PMU of [`Sysfs::builtin`](super::Sysfs::builtin)
    /// whose type only the running kernel knows.
    pub const DYNAMIC: u32 = source::DYNAMIC;

    fn of(source: impl Source + 'static) -> Self {
        Pmu { source: Arc::new(source) }
    }

    /// Creates the PMU of a directory, whose files are in `files`; those that no
    /// directory lists are of the kind `unlisted`. Nothing is read yet.
    pub(super) fn new(name: &str, path: PathBuf, files: PathBuf, unlisted: Kind) -> Self {
        Pmu::of(Directory::new(name, path, files, unlisted))
    }

    /// Creates a PMU from known facts; no file is ever read.
    pub(super) fn described(
        name: String,
        type_: u32,
        is_core: bool,
        formats: &[(&str, Format)],
        events: Vec<Alias>,
    ) -> Self {
        Pmu::of(Described::new(name, type_, is_core, formats, events))
    }

    /// Creates the PMU of a device with sensors. Nothing else is read yet.
    pub(super) fn of_sensors(device: Device) -> Self {
        Pmu::of(Sensors::new(device))
    }

    /// Creates the PMU of a graphics driver's clients from its events.
    pub(crate) fn of_clients(name: String, type_: u32, events: Vec<Alias>) -> Self {
        Pmu::of(Clients::new(name, type_, events))
    }

    /// Whether this is a device with sensors (`class/hwmon`): the kernel does not count its
    /// events, whose values are files.
    #[must_use]
    pub fn has_sensors(&self) -> bool {
        self.source.values() == Values::Sensors
    }

    /// Whether this is a graphics driver ([`System::drm_pmus`](crate::System::drm_pmus)): the
    /// kernel does not count its events, whose values processes have in `fdinfo`.
    #[must_use]
    pub fn has_clients(&self) -> bool {
        self.source.values() == Values::Clients
    }

    /// The name of an event whose terms are just its `config`.
    pub(crate) fn event_of(&self, config: u64) -> Option<&str> {
        let terms = format!("config={config:#x}");
        self.events().find(|event| event.terms == terms).map(|event| &*event.name)
    }

    /// The file of a sensor's value, by its `config`.
    #[cfg(feature = "open")]
    pub(crate) fn sensor(&self, config: u64) -> Option<PathBuf> {
        self.source.sensor(config)
    }

    /// Returns the name of the PMU, which is that of its directory.
    #[must_use]
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// Returns the PMU's directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.source.path()
    }

    /// Returns `perf_event_attr.type` (`type`); `None` if the file is missing or
    /// invalid.
    #[must_use]
    pub fn type_(&self) -> Option<u32> {
        self.source.type_()
    }

    /// Whether this is a core PMU: it is named `cpu` or `cpum_cf`, or has a file
    /// `cpus`.
    #[must_use]
    pub fn is_core(&self) -> bool {
        self.source.is_core()
    }

    /// Whether the PMU counts outside the cores: it has a file `cpumask` and is not
    /// a core PMU.
    #[must_use]
    pub fn is_uncore(&self) -> bool {
        !self.is_core() && self.source.is_uncore()
    }

    /// Whether a PMU name in a tree refers to this PMU: `default_core` is any core
    /// PMU.
    #[must_use]
    pub fn is_of_unit(&self, unit: &str) -> bool {
        self.name() == unit
            || (unit == pmu::DEFAULT_CORE && self.is_core())
            || (pmu::is_of_unit(self.name(), unit) && self.is_uncore())
    }

    /// Whether a user's word matches this PMU, by name or alias name.
    #[must_use]
    pub fn is_meant_by(&self, written: &str) -> bool {
        self.is_meant(pmu::Written::new(written))
    }

    pub(super) fn is_meant(&self, written: pmu::Written<'_>) -> bool {
        written.means(self.name()) || self.alias_name().is_some_and(|alias| written.means(alias))
    }

    /// Returns the bits that each term sets (`format/`), by name. A file that does
    /// not parse is skipped.
    pub fn formats(&self) -> impl Iterator<Item = (&str, Format)> {
        self.source.formats()
    }

    /// Returns the bits of a term, without reading the files of other terms.
    #[must_use]
    pub fn format(&self, term: &str) -> Option<Format> {
        self.source.format(term)
    }

    /// Returns the events that the driver names (`events/`), by name, ignoring letter case.
    pub fn events(&self) -> impl Iterator<Item = &Alias> {
        self.source.events()
    }

    /// Returns the names of the driver's events, without reading their files.
    pub fn event_names(&self) -> impl Iterator<Item = &str> {
        self.source.event_names()
    }

    /// Returns the event of a name, without reading the files of other events: the one
    /// that is spelled so or, without one, an event whose name differs in letter case,
    /// preferably the one in lower case.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&Alias> {
        self.source.event(name)
    }

    /// Returns the CPUs on which to open the PMU's events (`cpumask`, otherwise
    /// `cpus`); `None` for a PMU that counts on any task or CPU.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists but cannot be read or is not a list of
    /// CPUs: the CPUs are then unknown.
    pub fn cpus(&self) -> Result<Option<&CpuSet>, &Problem> {
        self.source.cpus()
    }

    /// Returns the PMU's capabilities (`caps/`), by name.
    pub fn caps(&self) -> impl Iterator<Item = (&str, &str)> {
        self.source.caps()
    }

    /// Returns one capability, without reading other files.
    ///
    /// ```
    /// use pmu_events::sysfs::Sysfs;
    /// for pmu in Sysfs::new().core_pmus() {
    ///     println!("{}: precise up to {:?}", pmu.name(), pmu.cap("max_precise"));
    /// }
    /// ```
    #[must_use]
    pub fn cap(&self, name: &str) -> Option<&str> {
        self.source.cap(name)
    }

    /// Returns the identifier that sys tables are matched against (`identifier`).
    #[must_use]
    pub fn identifier(&self) -> Option<&str> {
        self.source.identifier()
    }

    /// Returns another name of the PMU (`alias`), for a PMU whose own name is
    /// generic.
    #[must_use]
    pub fn alias_name(&self) -> Option<&str> {
        self.source.alias_name()
    }

    /// Returns MIDR_EL1 of the PMU's CPUs on Arm: that of the first CPU that
    /// exposes it, below the same root.
    ///
    /// On a machine with several kinds of cores, each core PMU has its own; it is
    /// the CPUID used in map files
    /// ([`host::cpuid_of_pmu`](crate::host::cpuid_of_pmu)).
    #[must_use]
    pub fn midr(&self) -> Option<&str> {
        self.source.midr()
    }

    /// Returns the problems found so far in reading the PMU's files.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        self.source.problems()
    }
}

/// Shows only what identifies the PMU: all of its files would fill pages.
impl fmt::Debug for Pmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("path", &self.path()).finish_non_exhaustive()
    }
}
