//! A PMU of the system.

use core::cmp::Ordering;

use std::borrow::ToOwned;
use std::path::{Path, PathBuf};
use std::string::{String, ToString};
use std::sync::{Arc, Mutex};
use std::vec::Vec;
use std::{fmt, format};

use once_cell::sync::OnceCell;

use super::alias::Alias;
use super::hwmon::{self, Device};
use super::{CpuSet, Problem, below, midr};
use crate::file::{self, Kind};
use crate::format::Format;
use pmu_events_core::__private::{name, pmu};

/// The number of directories from a PMU's up to the root:
/// `bus/event_source/devices/cpu`.
const ABOVE_PMU: usize = 4;

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
    known: Arc<Known>,
}

/// The parts that have been read so far.
struct Known {
    name: String,
    path: PathBuf,
    /// The directory from which its files are read: the target of the path, if
    /// known.
    files: PathBuf,
    /// The kind of those that no directory listed.
    unlisted: Kind,
    is_core: OnceCell<bool>,
    is_uncore: OnceCell<bool>,
    type_: OnceCell<Option<u32>>,
    formats: Directory<Format>,
    /// Those that were requested by name before all were listed. For more than this
    /// number, listing all is faster.
    named_formats: [OnceCell<(String, Option<Format>)>; 4],
    events: Directory<Alias>,
    caps: Directory<String>,
    cpus: OnceCell<Result<Option<CpuSet>, Problem>>,
    identifier: OnceCell<Option<String>>,
    alias_name: OnceCell<Option<String>>,
    midr: OnceCell<Option<String>>,
    values: Values,
    problems: Mutex<Vec<Problem>>,
}

impl Known {
    /// A PMU of which nothing is left to read.
    fn without_files(name: String, type_: u32, values: Values) -> Self {
        Known {
            path: PathBuf::from(&name),
            files: PathBuf::from(&name),
            name,
            unlisted: Kind::Unknown,
            is_core: OnceCell::with_value(false),
            is_uncore: OnceCell::with_value(false),
            type_: OnceCell::with_value(Some(type_)),
            formats: OnceCell::with_value(Vec::new()),
            named_formats: Default::default(),
            events: OnceCell::with_value(Vec::new()),
            caps: OnceCell::with_value(Vec::new()),
            cpus: OnceCell::with_value(Ok(None)),
            identifier: OnceCell::with_value(None),
            alias_name: OnceCell::with_value(None),
            midr: OnceCell::with_value(None),
            values,
            problems: Mutex::new(Vec::new()),
        }
    }
}

/// Where the values of a PMU's events come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// The kernel's counters.
    Counted,
    /// Files of sensors.
    Sensors,
    /// Files that show what the clients of a graphics driver use.
    Clients,
}

/// A directory of files, by name; each is read on demand.
///
/// The PMU's own directory is never listed: opening a missing file takes one system
/// call, listing takes five.
type Directory<T> = OnceCell<Vec<Entry<T>>>;

#[derive(Debug)]
struct Entry<T> {
    name: String,
    kind: Kind,
    /// `None` for a file that cannot be read.
    value: OnceCell<Option<T>>,
}

impl Pmu {
    /// The [`type_`](Self::type_) of a PMU of [`Sysfs::builtin`](super::Sysfs::builtin)
    /// whose type only the running kernel knows.
    pub const DYNAMIC: u32 = u32::MAX;

    /// Creates a PMU from known facts; no file is ever read.
    pub(super) fn described(
        name: String,
        type_: u32,
        is_core: bool,
        formats: &[(&str, Format)],
        events: Vec<Alias>,
    ) -> Self {
        let mut formats: Vec<Entry<Format>> = formats
            .iter()
            .map(|&(name, format)| Entry {
                name: name.into(),
                kind: Kind::Regular,
                value: OnceCell::with_value(Some(format)),
            })
            .collect();
        formats.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let entry = |event: Alias| Entry {
            name: event.name.clone(),
            kind: Kind::Regular,
            value: OnceCell::with_value(Some(event)),
        };
        let mut events: Vec<Entry<Alias>> = events.into_iter().map(entry).collect();
        events.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let is_uncore = !is_core && type_ == Self::DYNAMIC;
        let known = Known {
            is_core: OnceCell::with_value(is_core),
            is_uncore: OnceCell::with_value(is_uncore),
            formats: OnceCell::with_value(formats),
            events: OnceCell::with_value(events),
            ..Known::without_files(name, type_, Values::Counted)
        };
        Pmu { known: Arc::new(known) }
    }

    /// Creates the PMU of a device with sensors. Nothing else is read yet.
    pub(super) fn of_sensors(device: Device) -> Self {
        let Device { name, alias, path, type_ } = device;
        let known = Known {
            files: path.clone(),
            path,
            events: OnceCell::new(),
            alias_name: OnceCell::with_value(Some(alias)),
            ..Known::without_files(name, type_, Values::Sensors)
        };
        Pmu { known: Arc::new(known) }
    }

    /// Whether this is a device with sensors (`class/hwmon`): the kernel does not count its
    /// events, whose values are files.
    #[must_use]
    pub fn has_sensors(&self) -> bool {
        self.known.values == Values::Sensors
    }

    /// Creates the PMU of a graphics driver's clients from its events.
    pub(crate) fn of_clients(name: String, type_: u32, mut events: Vec<Alias>) -> Self {
        events.sort_by(|a, b| a.name.cmp(&b.name));
        let entry = |alias: Alias| Entry {
            name: alias.name.clone(),
            kind: Kind::Regular,
            value: OnceCell::with_value(Some(alias)),
        };
        let known = Known {
            events: OnceCell::with_value(events.into_iter().map(entry).collect()),
            ..Known::without_files(name, type_, Values::Clients)
        };
        Pmu { known: Arc::new(known) }
    }

    /// Whether this is a graphics driver ([`System::drm_pmus`](crate::System::drm_pmus)): the
    /// kernel does not count its events, whose values processes have in `fdinfo`.
    #[must_use]
    pub fn has_clients(&self) -> bool {
        self.known.values == Values::Clients
    }

    /// The name of an event whose terms are just its `config`.
    pub(crate) fn event_of(&self, config: u64) -> Option<&str> {
        let terms = format!("config={config:#x}");
        self.events().find(|event| event.terms == terms).map(|event| &*event.name)
    }

    /// The file of a sensor's value, by its `config`.
    #[cfg(feature = "open")]
    pub(crate) fn sensor(&self, config: u64) -> Option<PathBuf> {
        let name = hwmon::file(config).filter(|_| self.has_sensors())?;
        Some(self.known.files.join(name))
    }

    /// Creates the PMU of a directory, whose files are in `files`; those that no
    /// directory lists are of the kind `unlisted`. Nothing is read yet.
    pub(super) fn new(name: &str, path: PathBuf, files: PathBuf, unlisted: Kind) -> Self {
        let known = Known {
            name: name.into(),
            path,
            files,
            unlisted,
            is_core: OnceCell::new(),
            is_uncore: OnceCell::new(),
            type_: OnceCell::new(),
            formats: OnceCell::new(),
            named_formats: Default::default(),
            events: OnceCell::new(),
            caps: OnceCell::new(),
            cpus: OnceCell::new(),
            identifier: OnceCell::new(),
            alias_name: OnceCell::new(),
            midr: OnceCell::new(),
            values: Values::Counted,
            problems: Mutex::new(Vec::new()),
        };
        Pmu { known: Arc::new(known) }
    }

    /// Returns the name of the PMU, which is that of its directory.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.known.name
    }

    /// Returns the PMU's directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.known.path
    }

    /// Returns `perf_event_attr.type` (`type`); `None` if the file is missing or
    /// invalid.
    #[must_use]
    pub fn type_(&self) -> Option<u32> {
        *self.known.type_.get_or_init(|| {
            self.ask("type", |text| {
                let type_ = text.parse().ok();
                if type_.is_none() {
                    self.noted("type", format!("is not a number: `{}`", text.escape_debug()));
                }
                type_
            })?
        })
    }

    /// Whether this is a core PMU: it is named `cpu` or `cpum_cf`, or has a file
    /// `cpus`.
    #[must_use]
    pub fn is_core(&self) -> bool {
        // `is_pmu_core` in `tools/perf/util/pmu.c`.
        let is_named = || matches!(self.name(), "cpu" | "cpum_cf");
        *self.known.is_core.get_or_init(|| is_named() || self.has_file("cpus"))
    }

    /// Whether the PMU counts outside the cores: it has a file `cpumask` and is not
    /// a core PMU.
    #[must_use]
    pub fn is_uncore(&self) -> bool {
        !self.is_core() && *self.known.is_uncore.get_or_init(|| self.has_file("cpumask"))
    }

    /// Whether a PMU name in a tree refers to this PMU: `default_core` is any core
    /// PMU.
    #[must_use]
    pub fn is_of_unit(&self, unit: &str) -> bool {
        self.known.name == unit
            || (unit == pmu::DEFAULT_CORE && self.is_core())
            || (pmu::is_of_unit(&self.known.name, unit) && self.is_uncore())
    }

    /// Whether a user's word matches this PMU, by name or alias name.
    #[must_use]
    pub fn is_meant_by(&self, written: &str) -> bool {
        self.is_meant(pmu::Written::new(written))
    }

    pub(super) fn is_meant(&self, written: pmu::Written<'_>) -> bool {
        written.means(&self.known.name)
            || self.alias_name().is_some_and(|alias| written.means(alias))
    }

    /// Returns the bits that each term sets (`format/`), by name. A file that does
    /// not parse is skipped.
    pub fn formats(&self) -> impl Iterator<Item = (&str, Format)> {
        let entries = self.format_entries();
        entries.iter().filter_map(|entry| Some((&*entry.name, self.read_format(entry)?)))
    }

    /// Returns the bits of a term, without reading the files of other terms.
    #[must_use]
    pub fn format(&self, term: &str) -> Option<Format> {
        if self.known.formats.get().is_none()
            && let Some(format) = self.named_format(term)
        {
            return format;
        }
        // No binary search: there are few entries, and most differ in length.
        let mut entries = self.format_entries().iter();
        self.read_format(entries.find(|entry| entry.name == term)?)
    }

    /// Reads one file without listing the directory; `None` if there is no room for
    /// its format.
    fn named_format(&self, term: &str) -> Option<Option<Format>> {
        if Path::new(term).file_name().is_none_or(|name| name != term) {
            return None;
        }
        let read =
            || (term.to_owned(), self.format_in(&self.file("format", term), self.known.unlisted));
        let mut cells = self.known.named_formats.iter();
        cells.find_map(|cell| {
            // Another thread may have filled it with another format.
            let (name, format) = cell.get_or_init(read);
            (name == term).then_some(*format)
        })
    }

    /// Returns the events that the driver names (`events/`), by name, ignoring letter case.
    pub fn events(&self) -> impl Iterator<Item = &Alias> {
        self.event_entries().iter().filter_map(|entry| self.read_alias(entry))
    }

    /// Returns the names of the driver's events, without reading their files.
    pub fn event_names(&self) -> impl Iterator<Item = &str> {
        let entries = self.event_entries().iter();
        entries.map(|entry| &*entry.name).filter(|name| !is_attribute(name))
    }

    /// Returns the event of a name, without reading the files of other events: the one
    /// that is spelled so or, without one, an event whose name differs in letter case,
    /// preferably the one in lower case.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&Alias> {
        // Compared without allocating: every name is looked up on every PMU.
        let entries = self.event_entries();
        let start = entries.partition_point(|entry| name::cmp(&entry.name, name).is_lt());
        let of_name = entries.get(start..)?;
        let count = of_name.iter().take_while(|entry| name::eq(&entry.name, name)).count();
        let of_name = of_name.get(..count)?;
        let spelled_so = of_name.iter().find(|entry| entry.name == name);
        // Of one name, that in lower case is the last.
        spelled_so
            .and_then(|entry| self.read_alias(entry))
            .or_else(|| of_name.iter().rev().find_map(|entry| self.read_alias(entry)))
    }

    /// Returns the CPUs on which to open the PMU's events (`cpumask`, otherwise
    /// `cpus`); `None` for a PMU that counts on any task or CPU.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists but cannot be read or is not a list of
    /// CPUs: the CPUs are then unknown.
    pub fn cpus(&self) -> Result<Option<&CpuSet>, &Problem> {
        let read = || {
            for file in ["cpumask", "cpus"] {
                // A file that exists but cannot be read is also a problem.
                let path = self.known.files.join(file);
                let read = self.read(&path, self.known.unlisted, str::parse::<CpuSet>);
                let read = read.inspect_err(|problem| self.push(problem.clone()))?;
                if let Some(cpus) = read {
                    return cpus.map(Some).map_err(|why| self.noted(file, why.to_string()));
                }
            }
            Ok(None)
        };
        self.known.cpus.get_or_init(read).as_ref().map(Option::as_ref)
    }

    /// Returns the PMU's capabilities (`caps/`), by name.
    pub fn caps(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.entries("caps", &self.known.caps, |_| None);
        entries.iter().filter_map(|entry| Some((&*entry.name, self.read_cap(entry)?)))
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
        self.read_cap(find(self.entries("caps", &self.known.caps, |_| None), name)?)
    }

    /// Returns the identifier that sys tables are matched against (`identifier`).
    #[must_use]
    pub fn identifier(&self) -> Option<&str> {
        self.known.identifier.get_or_init(|| self.ask("identifier", str::to_owned)).as_deref()
    }

    /// Returns another name of the PMU (`alias`), for a PMU whose own name is
    /// generic.
    #[must_use]
    pub fn alias_name(&self) -> Option<&str> {
        self.known.alias_name.get_or_init(|| self.ask("alias", str::to_owned)).as_deref()
    }

    /// Returns MIDR_EL1 of the PMU's CPUs on Arm: that of the first CPU that
    /// exposes it, below the same root.
    ///
    /// On a machine with several kinds of cores, each core PMU has its own; it is
    /// the CPUID used in map files
    /// ([`host::cpuid_of_pmu`](crate::host::cpuid_of_pmu)).
    #[must_use]
    pub fn midr(&self) -> Option<&str> {
        let read = || {
            let root = self.known.path.ancestors().nth(ABOVE_PMU)?;
            let midr = midr::read(root, self.cpus().ok()??);
            midr.map_err(|problem| self.push(problem)).ok()?
        };
        self.known.midr.get_or_init(read).as_deref()
    }

    /// Returns the problems found so far in reading the PMU's files.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        self.known.problems.lock().map_or_else(|_| Vec::new(), |problems| problems.clone())
    }

    fn format_entries(&self) -> &[Entry<Format>] {
        // A file is read once.
        self.entries("format", &self.known.formats, |name| {
            let mut named = self.known.named_formats.iter().filter_map(OnceCell::get);
            named.find(|(known, _)| known == name).map(|(_, format)| *format)
        })
    }

    fn read_format(&self, entry: &Entry<Format>) -> Option<Format> {
        *entry.value.get_or_init(|| self.format_in(&self.file("format", &entry.name), entry.kind))
    }

    fn format_in(&self, path: &Path, kind: Kind) -> Option<Format> {
        let format = self.read_as(path, kind, Format::parse)?;
        format.map_err(|error| self.push(self.problem(path, format!("{error}")))).ok()
    }

    fn read_cap<'a>(&'a self, entry: &'a Entry<String>) -> Option<&'a str> {
        let path = || self.file("caps", &entry.name);
        let read = || self.read_as(&path(), entry.kind, str::to_owned);
        entry.value.get_or_init(read).as_deref()
    }

    fn read_alias<'a>(&'a self, entry: &'a Entry<Alias>) -> Option<&'a Alias> {
        let read = || {
            let name = &*entry.name;
            if is_attribute(name) {
                return None;
            }
            let terms = self.read_as(&self.file("events", name), entry.kind, str::to_owned)?;
            let entries = self.entries("events", &self.known.events, |_| None);
            // Files that are not listed are not opened.
            let attribute = |suffix: &str| {
                let entry = find(entries, &[name, suffix].concat())?;
                Some((self.file("events", &entry.name), entry.kind))
            };
            let described = || {
                let scale = match attribute(".scale") {
                    Some((path, kind)) => self.read(&path, kind, |text| self.scale(&path, text))?,
                    None => None,
                };
                let scale = scale.transpose()?;
                let unit = match attribute(".unit") {
                    Some((path, kind)) => self.read(&path, kind, str::to_owned)?,
                    None => None,
                };
                Ok((scale, unit))
            };
            let (scale, unit, problem) = match described() {
                Ok((scale, unit)) => (scale, unit, None),
                Err(problem) => (None, None, Some(problem)),
            };
            problem.iter().cloned().for_each(|problem: Problem| self.push(problem));
            // perf only checks whether these exist.
            let is_there = |suffix| {
                let found = attribute(suffix);
                found.is_some_and(|(path, kind)| kind.is_known() || path.exists())
            };
            Some(Alias {
                name: name.into(),
                terms,
                scale,
                unit: unit.filter(|unit| !unit.is_empty()),
                problem,
                is_per_package: is_there(".per-pkg"),
                is_snapshot: is_there(".snapshot"),
            })
        };
        entry.value.get_or_init(read).as_ref()
    }

    fn event_entries(&self) -> &[Entry<Alias>] {
        if !self.has_sensors() {
            return self.entries("events", &self.known.events, |_| None);
        }
        self.known.events.get_or_init(|| {
            let (events, problems) = hwmon::sensors(&self.known.files)
                .unwrap_or_else(|problem| (Vec::new(), std::vec![problem]));
            problems.into_iter().for_each(|problem| self.push(problem));
            let entry = |alias: Alias| Entry {
                name: alias.name.clone(),
                kind: Kind::Regular,
                value: OnceCell::with_value(Some(alias)),
            };
            in_order(events.into_iter().map(entry).collect())
        })
    }

    /// The files of a subdirectory. `known` are the values that have been read.
    fn entries<'a, T>(
        &self,
        name: &str,
        directory: &'a Directory<T>,
        known: impl Fn(&str) -> Option<Option<T>>,
    ) -> &'a [Entry<T>] {
        directory.get_or_init(|| {
            let path = below(&self.known.files, &[name]);
            let files = file::list(&path).unwrap_or_else(|problem| {
                self.push(self.shown(&path, problem));
                Vec::new()
            });
            let entry = |(name, kind): (String, Kind)| {
                let value = known(&name).map_or_else(OnceCell::new, OnceCell::with_value);
                Entry { name, kind, value }
            };
            in_order(files.into_iter().map(entry).collect())
        })
    }

    /// The path of a file in a subdirectory.
    fn file(&self, directory: &str, name: &str) -> PathBuf {
        below(&self.known.files, &[directory, name])
    }

    fn has_file(&self, name: &str) -> bool {
        self.known.files.join(name).is_file()
    }

    /// Reads and parses a file in the PMU's directory, if it exists.
    fn ask<T>(&self, name: &str, parse: impl FnOnce(&str) -> T) -> Option<T> {
        self.read_as(&below(&self.known.files, &[name]), self.known.unlisted, parse)
    }

    /// Reads and parses a file, recording any problem.
    fn read_as<T>(&self, path: &Path, kind: Kind, parse: impl FnOnce(&str) -> T) -> Option<T> {
        self.read(path, kind, parse).unwrap_or_else(|problem| {
            self.push(problem);
            None
        })
    }

    fn read<T>(
        &self,
        path: &Path,
        kind: Kind,
        parse: impl FnOnce(&str) -> T,
    ) -> Result<Option<T>, Problem> {
        file::of_sysfs(path, kind, parse).map_err(|problem| self.shown(path, problem))
    }

    /// The number in an event's `.scale`.
    fn scale(&self, path: &Path, text: &str) -> Result<f64, Problem> {
        let text_shown = text.escape_debug();
        match text.parse::<f64>().ok().filter(|scale| scale.is_finite()) {
            // perf takes it for 1.
            Some(0.0) => Err(self.problem(path, format!("leaves no count: `{text_shown}` is 0"))),
            Some(scale) => Ok(scale),
            None => Err(self.problem(path, format!("is not a number: `{text_shown}`"))),
        }
    }

    fn noted(&self, name: &str, what: String) -> Problem {
        let problem = Problem::new(&self.known.path.join(name), what);
        self.push(problem.clone());
        problem
    }

    /// Creates the problem of a file, with its path below the list of PMUs.
    fn problem(&self, file: &Path, what: String) -> Problem {
        self.shown(file, Problem::new(file, what))
    }

    fn shown(&self, file: &Path, problem: Problem) -> Problem {
        let below = file.strip_prefix(&self.known.files).unwrap_or(file);
        problem.at(self.known.path.join(below))
    }

    fn push(&self, problem: Problem) {
        if let Ok(mut problems) = self.known.problems.lock() {
            // A file may be read by its name and with all others of its directory.
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }
}

/// Shows only what identifies the PMU: all of its files would fill pages.
impl fmt::Debug for Pmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("path", &self.known.path).finish_non_exhaustive()
    }
}

fn find<'a, T>(entries: &'a [Entry<T>], name: &str) -> Option<&'a Entry<T>> {
    let at = entries.binary_search_by(|entry| order(&entry.name, name)).ok()?;
    Some(&entries[at])
}

/// Names that differ only in letter case are neighbours.
fn order(a: &str, b: &str) -> Ordering {
    name::cmp(a, b).then_with(|| a.cmp(b))
}

fn in_order<T>(mut entries: Vec<Entry<T>>) -> Vec<Entry<T>> {
    entries.sort_unstable_by(|a, b| order(&a.name, &b.name));
    entries
}

/// Whether a file in `events/` is an attribute of an event rather than an event
/// (`pmu_alias_info_file` in `tools/perf/util/pmu.c`).
fn is_attribute(file: &str) -> bool {
    [".unit", ".scale", ".per-pkg", ".snapshot"].iter().any(|suffix| file.ends_with(suffix))
}
