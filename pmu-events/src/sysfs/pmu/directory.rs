//! A PMU that a directory of sysfs describes, whose files are read on demand.

use std::borrow::ToOwned;
use std::boxed::Box;
use std::format;
use std::path::{Path, PathBuf};
use std::string::{String, ToString};
use std::sync::{Mutex, OnceLock};
use std::vec::Vec;

use super::aliases::{Places, order};
use super::source::{Items, Source};
use crate::file::{self, Kind};
use crate::format::Format;
use crate::order::sort_by;
use crate::sysfs::alias::Alias;
use crate::sysfs::{CpuSet, Problem, below, midr};

/// The number of directories from a PMU's up to the root:
/// `bus/event_source/devices/cpu`.
const ABOVE_PMU: usize = 4;

/// A directory below `bus/event_source/devices`, and what has been read of it so far.
pub(super) struct Directory {
    name: String,
    path: PathBuf,
    /// The directory from which its files are read: the target of the path, if
    /// known.
    files: PathBuf,
    /// The kind of those that no directory listed.
    unlisted: Kind,
    is_core: OnceLock<bool>,
    is_uncore: OnceLock<bool>,
    type_: OnceLock<Option<u32>>,
    formats: Files<Format>,
    /// Those that were requested by name before all were listed. For more than this
    /// number, listing all is faster.
    named_formats: [OnceLock<(String, Option<Format>)>; 4],
    events: Files<Alias>,
    caps: Files<String>,
    cpus: OnceLock<Result<Option<CpuSet>, Problem>>,
    identifier: OnceLock<Option<String>>,
    alias_name: OnceLock<Option<String>>,
    midr: OnceLock<Option<String>>,
    problems: Mutex<Vec<Problem>>,
}

/// A directory of files, by name; each is read on demand.
///
/// The PMU's own directory is never listed: opening a missing file takes one system
/// call, listing takes five.
type Files<T> = OnceLock<Vec<Entry<T>>>;

#[derive(Debug)]
struct Entry<T> {
    name: String,
    kind: Kind,
    /// `None` for a file that cannot be read.
    value: OnceLock<Option<T>>,
}

impl Directory {
    /// Creates the PMU of a directory, whose files are in `files`; those that no
    /// directory lists are of the kind `unlisted`. Nothing is read yet.
    pub(super) fn new(name: &str, path: PathBuf, files: PathBuf, unlisted: Kind) -> Self {
        Directory {
            name: name.into(),
            path,
            files,
            unlisted,
            is_core: OnceLock::new(),
            is_uncore: OnceLock::new(),
            type_: OnceLock::new(),
            formats: OnceLock::new(),
            named_formats: Default::default(),
            events: OnceLock::new(),
            caps: OnceLock::new(),
            cpus: OnceLock::new(),
            identifier: OnceLock::new(),
            alias_name: OnceLock::new(),
            midr: OnceLock::new(),
            problems: Mutex::new(Vec::new()),
        }
    }

    /// Reads one file without listing the directory; `None` if there is no room for
    /// its format.
    fn named_format(&self, term: &str) -> Option<Option<Format>> {
        if Path::new(term).file_name().is_none_or(|name| name != term) {
            return None;
        }
        let read = || (term.to_owned(), self.format_in(&self.file("format", term), self.unlisted));
        for cell in &self.named_formats {
            // Another thread may have filled it with another format.
            let (name, format) = cell.get_or_init(read);
            if name == term {
                return Some(*format);
            }
        }
        None
    }

    fn format_entries(&self) -> &[Entry<Format>] {
        // A file is read once.
        self.entries("format", &self.formats, &|name| {
            for cell in &self.named_formats {
                if let Some((known, format)) = cell.get()
                    && known == name
                {
                    return Some(*format);
                }
            }
            None
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
            let entries = self.event_entries();
            // Files that are not listed are not opened.
            let attribute = |suffix: &str| {
                let entry = find(entries, &format!("{name}{suffix}"))?;
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
            if let Some(problem) = &problem {
                self.push(Problem::clone(problem));
            }
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

    fn cap_entries(&self) -> &[Entry<String>] {
        self.entries("caps", &self.caps, &|_| None)
    }

    fn event_entries(&self) -> &[Entry<Alias>] {
        self.entries("events", &self.events, &|_| None)
    }

    /// The files of a subdirectory. `known` are the values that have been read.
    fn entries<'a, T>(
        &self,
        name: &str,
        directory: &'a Files<T>,
        known: &dyn Fn(&str) -> Option<Option<T>>,
    ) -> &'a [Entry<T>] {
        directory.get_or_init(|| {
            let mut entries = Vec::new();
            for (name, kind) in self.list(name) {
                let value = match known(&name) {
                    Some(value) => OnceLock::from(value),
                    None => OnceLock::new(),
                };
                entries.push(Entry { name, kind, value });
            }
            entries
        })
    }

    /// The names in a subdirectory, in their [order](order).
    fn list(&self, name: &str) -> Vec<(String, Kind)> {
        let path = below(&self.files, &[name]);
        let mut files = file::list(&path).unwrap_or_else(|problem| {
            self.push(self.shown(&path, problem));
            Vec::new()
        });
        sort_by(&mut files, |a, b| order(&a.0, &b.0));
        files
    }

    /// The path of a file in a subdirectory.
    fn file(&self, directory: &str, name: &str) -> PathBuf {
        below(&self.files, &[directory, name])
    }

    fn has_file(&self, name: &str) -> bool {
        self.files.join(name).is_file()
    }

    /// Reads and parses a file in the PMU's directory, if it exists.
    fn ask<T>(&self, name: &str, parse: impl FnOnce(&str) -> T) -> Option<T> {
        self.read_as(&below(&self.files, &[name]), self.unlisted, parse)
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
        let problem = Problem::new(&self.path.join(name), what);
        self.push(problem.clone());
        problem
    }

    /// Creates the problem of a file, with its path below the list of PMUs.
    fn problem(&self, file: &Path, what: String) -> Problem {
        self.shown(file, Problem::new(file, what))
    }

    fn shown(&self, file: &Path, problem: Problem) -> Problem {
        let below = file.strip_prefix(&self.files).unwrap_or(file);
        problem.at(self.path.join(below))
    }

    fn push(&self, problem: Problem) {
        if let Ok(mut problems) = self.problems.lock() {
            // A file may be read by its name and with all others of its directory.
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }
}

impl Source for Directory {
    fn name(&self) -> &str {
        &self.name
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn type_(&self) -> Option<u32> {
        *self.type_.get_or_init(|| {
            self.ask("type", |text| {
                let type_ = text.parse().ok();
                if type_.is_none() {
                    self.noted("type", format!("is not a number: `{}`", text.escape_debug()));
                }
                type_
            })?
        })
    }

    fn is_core(&self) -> bool {
        // `is_pmu_core` in `tools/perf/util/pmu.c`.
        let is_named = || matches!(self.name(), "cpu" | "cpum_cf");
        *self.is_core.get_or_init(|| is_named() || self.has_file("cpus"))
    }

    fn is_uncore(&self) -> bool {
        *self.is_uncore.get_or_init(|| self.has_file("cpumask"))
    }

    fn formats(&self) -> Items<'_, (&str, Format)> {
        let entries = self.format_entries();
        Box::new(entries.iter().filter_map(|entry| Some((&*entry.name, self.read_format(entry)?))))
    }

    fn format(&self, term: &str) -> Option<Format> {
        if self.formats.get().is_none()
            && let Some(format) = self.named_format(term)
        {
            return format;
        }
        // No binary search: there are few entries, and most differ in length.
        for entry in self.format_entries() {
            if entry.name == term {
                return self.read_format(entry);
            }
        }
        None
    }

    fn events(&self) -> Items<'_, &Alias> {
        Box::new(self.event_entries().iter().filter_map(|entry| self.read_alias(entry)))
    }

    fn event_names(&self) -> Items<'_, &str> {
        let entries = self.event_entries().iter();
        Box::new(entries.map(|entry| &*entry.name).filter(|name| !is_attribute(name)))
    }

    fn event(&self, name: &str) -> Option<&Alias> {
        let entries = self.event_entries();
        let places = Places::of(name, entries.len(), &|n| &entries[n].name)?;
        if let Some(alias) = self.read_alias(&entries[places.first]) {
            return Some(alias);
        }
        for n in places.all.rev() {
            if let Some(alias) = self.read_alias(&entries[n]) {
                return Some(alias);
            }
        }
        None
    }

    fn cpus(&self) -> Result<Option<&CpuSet>, &Problem> {
        let read = || {
            for file in ["cpumask", "cpus"] {
                // A file that exists but cannot be read is also a problem.
                let path = self.files.join(file);
                let read = self.read(&path, self.unlisted, str::parse::<CpuSet>);
                let read = read.inspect_err(|problem| self.push(problem.clone()))?;
                if let Some(cpus) = read {
                    return cpus.map(Some).map_err(|why| self.noted(file, why.to_string()));
                }
            }
            Ok(None)
        };
        self.cpus.get_or_init(read).as_ref().map(Option::as_ref)
    }

    fn caps(&self) -> Items<'_, (&str, &str)> {
        let entries = self.cap_entries();
        Box::new(entries.iter().filter_map(|entry| Some((&*entry.name, self.read_cap(entry)?))))
    }

    fn cap(&self, name: &str) -> Option<&str> {
        self.read_cap(find(self.cap_entries(), name)?)
    }

    fn identifier(&self) -> Option<&str> {
        self.identifier.get_or_init(|| self.ask("identifier", str::to_owned)).as_deref()
    }

    fn alias_name(&self) -> Option<&str> {
        self.alias_name.get_or_init(|| self.ask("alias", str::to_owned)).as_deref()
    }

    fn midr(&self) -> Option<&str> {
        let read = || {
            let root = self.path.ancestors().nth(ABOVE_PMU)?;
            let midr = midr::read(root, self.cpus().ok()??);
            midr.map_err(|problem| self.push(problem)).ok()?
        };
        self.midr.get_or_init(read).as_deref()
    }

    fn problems(&self) -> Vec<Problem> {
        self.problems.lock().map_or_else(|_| Vec::new(), |problems| problems.clone())
    }
}

fn find<'a, T>(entries: &'a [Entry<T>], name: &str) -> Option<&'a Entry<T>> {
    let at = entries.binary_search_by(|entry| order(&entry.name, name)).ok()?;
    Some(&entries[at])
}

/// Whether a file in `events/` is an attribute of an event rather than an event
/// (`pmu_alias_info_file` in `tools/perf/util/pmu.c`).
fn is_attribute(file: &str) -> bool {
    for suffix in [".unit", ".scale", ".per-pkg", ".snapshot"] {
        if file.ends_with(suffix) {
            return true;
        }
    }
    false
}
