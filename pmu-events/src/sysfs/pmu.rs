//! One PMU of the system.

use std::format;
use std::path::{Path, PathBuf};
use std::string::String;
use std::sync::Mutex;
use std::vec::Vec;

use once_cell::sync::OnceCell;

use super::{CpuSet, Problem, file};
use crate::format::Format;
use crate::pmu;

/// A PMU: a directory below `bus/event_source/devices`.
#[derive(Debug)]
pub struct Pmu {
    name: String,
    path: PathBuf,
    /// Whether it is a core's, which decides the order of all.
    is_core: bool,
    is_uncore: OnceCell<bool>,
    kind: OnceCell<Option<u32>>,
    formats: OnceCell<Vec<(String, Format)>>,
    events: OnceCell<Vec<Alias>>,
    cpus: OnceCell<Option<CpuSet>>,
    caps: OnceCell<Vec<(String, String)>>,
    identifier: OnceCell<Option<String>>,
    alias_name: OnceCell<Option<String>>,
    problems: Mutex<Vec<Problem>>,
}

/// An event that the PMU's driver names in sysfs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Alias {
    /// The name of its file, which event names are compared with without
    /// regard to case.
    pub name: String,
    /// The event string.
    pub terms: String,
    /// What the count is multiplied by (`<event>.scale`).
    pub scale: Option<f64>,
    /// The unit of the scaled count (`<event>.unit`).
    pub unit: Option<String>,
    /// Whether the count is of the whole package (`<event>.per-pkg`).
    pub is_per_package: bool,
    /// Whether the value is one of now, not to be added up
    /// (`<event>.snapshot`).
    pub is_snapshot: bool,
}

impl Pmu {
    pub(super) fn new(devices: &Path, name: String) -> Self {
        let path = devices.join(&name);
        // `is_pmu_core` in `tools/perf/util/pmu.c`.
        let is_core = name == "cpu" || name == "cpum_cf" || path.join("cpus").is_file();
        Pmu {
            name,
            path,
            is_core,
            is_uncore: OnceCell::new(),
            kind: OnceCell::new(),
            formats: OnceCell::new(),
            events: OnceCell::new(),
            cpus: OnceCell::new(),
            caps: OnceCell::new(),
            identifier: OnceCell::new(),
            alias_name: OnceCell::new(),
            problems: Mutex::default(),
        }
    }

    /// The name of its directory.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// `perf_event_attr.type` (`type`); `None` where the file is missing or
    /// odd.
    #[must_use]
    pub fn kind(&self) -> Option<u32> {
        *self.kind.get_or_init(|| {
            let text = self.read("type")?;
            let kind = text.parse().ok();
            if kind.is_none() {
                self.note("type", format!("is no number: `{}`", text.escape_debug()));
            }
            kind
        })
    }

    /// Whether it counts what a core does: it is called `cpu` or `cpum_cf`, or
    /// has a file `cpus`.
    #[must_use]
    pub fn is_core(&self) -> bool {
        self.is_core
    }

    /// Whether it counts outside the cores: it has a file `cpumask` and is no
    /// core PMU.
    #[must_use]
    pub fn is_uncore(&self) -> bool {
        let has_mask = || self.path.join("cpumask").is_file();
        !self.is_core && *self.is_uncore.get_or_init(has_mask)
    }

    /// Whether it is what a tree's PMU means: `default_core` is any core PMU.
    #[must_use]
    pub fn is_of_unit(&self, unit: &str) -> bool {
        self.name == unit
            || (self.is_core && unit == pmu::DEFAULT_CORE)
            || (pmu::is_of_unit(&self.name, unit) && self.is_uncore())
    }

    /// Whether it is what a person's word means, by name or alias name.
    #[must_use]
    pub fn is_meant_by(&self, written: &str) -> bool {
        pmu::matches(&self.name, written)
            || self.alias_name().is_some_and(|alias| pmu::matches(alias, written))
    }

    /// Which bits each term sets (`format/`), by name. A file that does not
    /// parse gives no term.
    #[must_use]
    pub fn formats(&self) -> &[(String, Format)] {
        self.formats.get_or_init(|| {
            let mut formats = Vec::new();
            for name in self.names("format") {
                let file = format!("format/{name}");
                let Some(text) = self.read(&file) else {
                    continue;
                };
                match Format::parse(&text) {
                    Ok(format) => formats.push((name, format)),
                    Err(error) => self.note(&file, format!("{error}")),
                }
            }
            formats
        })
    }

    /// The bits of a term.
    #[must_use]
    pub fn format(&self, term: &str) -> Option<Format> {
        let formats = self.formats();
        let at = formats.binary_search_by(|(name, _)| name.as_str().cmp(term)).ok()?;
        Some(formats[at].1)
    }

    /// The events that its driver names (`events/`), by name.
    #[must_use]
    pub fn events(&self) -> &[Alias] {
        self.events.get_or_init(|| {
            let names = self.names("events");
            names.iter().filter(|name| !is_attribute(name)).filter_map(|n| self.alias(n)).collect()
        })
    }

    /// The event of a name, without regard to case.
    ///
    /// Like perf, it finds a file in lower case, or one in capitals
    /// throughout, but none in mixed case.
    #[must_use]
    pub fn event(&self, name: &str) -> Option<&Alias> {
        let events = self.events();
        // Compared letter by letter: every PMU is asked for every name.
        let find = |fold: fn(&u8) -> u8| {
            let of_name = |alias: &Alias| alias.name.bytes().cmp(name.bytes().map(|c| fold(&c)));
            events.binary_search_by(of_name).ok().map(|at| &events[at])
        };
        find(u8::to_ascii_lowercase).or_else(|| find(u8::to_ascii_uppercase))
    }

    /// The CPUs on which it is to be opened (`cpumask`, else `cpus`); `None`
    /// for a PMU that counts wherever the task or CPU is.
    #[must_use]
    pub fn cpus(&self) -> Option<&CpuSet> {
        self.cpus
            .get_or_init(|| {
                // A link that leads nowhere is there, too, and says so when read.
                let has_mask = self.path.join("cpumask").symlink_metadata().is_ok();
                let file = if has_mask { "cpumask" } else { "cpus" };
                let text = self.read(file)?;
                match text.parse() {
                    Ok(cpus) => Some(cpus),
                    Err(why) => {
                        self.note(file, why);
                        None
                    }
                }
            })
            .as_ref()
    }

    /// What it can do (`caps/`), by name.
    #[must_use]
    pub fn caps(&self) -> &[(String, String)] {
        self.caps.get_or_init(|| {
            let names = self.names("caps");
            let read = |name: String| Some((self.read(&format!("caps/{name}"))?, name));
            names.into_iter().filter_map(read).map(|(text, name)| (name, text)).collect()
        })
    }

    /// What sys tables are matched against (`identifier`).
    #[must_use]
    pub fn identifier(&self) -> Option<&str> {
        self.identifier.get_or_init(|| self.read("identifier")).as_deref()
    }

    /// Another name (`alias`), for a PMU whose own is only a number.
    #[must_use]
    pub fn alias_name(&self) -> Option<&str> {
        self.alias_name.get_or_init(|| self.read("alias")).as_deref()
    }

    /// What could not be read so far.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        self.problems.lock().map_or_else(|_| Vec::new(), |problems| problems.clone())
    }

    fn alias(&self, name: &str) -> Option<Alias> {
        let file = |suffix: &str| format!("events/{name}{suffix}");
        let terms = self.read(&file(""))?;
        let scale = self.read(&file(".scale")).and_then(|text| {
            let scale = text.parse::<f64>().ok().filter(|scale| scale.is_finite());
            if scale.is_none() {
                self.note(&file(".scale"), format!("is no number: `{}`", text.escape_debug()));
            }
            scale
        });
        Some(Alias {
            scale,
            unit: self.read(&file(".unit")).filter(|unit| !unit.is_empty()),
            // perf asks only whether these are there.
            is_per_package: self.path.join(file(".per-pkg")).exists(),
            is_snapshot: self.path.join(file(".snapshot")).exists(),
            name: name.into(),
            terms,
        })
    }

    /// A file's text; what is odd about it is noted.
    fn read(&self, name: &str) -> Option<String> {
        match file::read(&self.path.join(name)) {
            Ok(text) => text,
            Err(problem) => {
                self.push(problem);
                None
            }
        }
    }

    fn names(&self, directory: &str) -> Vec<String> {
        match file::names(&self.path.join(directory)) {
            Ok(names) => names,
            Err(problem) => {
                self.push(problem);
                Vec::new()
            }
        }
    }

    fn note(&self, name: &str, what: String) {
        self.push(Problem::new(&self.path.join(name), what));
    }

    fn push(&self, problem: Problem) {
        if let Ok(mut problems) = self.problems.lock() {
            problems.push(problem);
        }
    }
}

/// Whether a file in `events/` says something of an event, instead of naming
/// one (`pmu_alias_info_file` in `tools/perf/util/pmu.c`).
fn is_attribute(file: &str) -> bool {
    [".unit", ".scale", ".per-pkg", ".snapshot"].iter().any(|suffix| file.ends_with(suffix))
}
