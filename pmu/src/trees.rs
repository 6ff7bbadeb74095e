//! The event trees: those that the program contains, or those of a directory,
//! compiled when the program runs.

use std::fmt;
use std::path::{Path, PathBuf};

use pmu_events::__private::file;
use pmu_events::__private::name::{self, Nearest};
use pmu_events::event::Encoding;
use pmu_events::model::MadeFor;
use pmu_events::{Event, Model, System, Tree, arch, cpuid};
use pmu_events_compiler::{Options, Source, compile};

use crate::failure::{Failure, with_sources};

/// Trees of several architectures, so that any machine can ask about any other.
pub(crate) struct Trees {
    architectures: Vec<Architecture>,
    encoding: Encoding,
}

struct Architecture {
    name: &'static str,
    tree: &'static Tree,
}

/// A directory of a tree: the events of a CPU model or of system PMUs.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    pub(crate) architecture: &'static str,
    pub(crate) model: Model,
    /// Whether it belongs to system PMUs, and not to a CPU model.
    pub(crate) sys: bool,
    encoding: Encoding,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.architecture, self.directory())
    }
}

impl Table {
    /// The events, in the encoding that is asked for.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> {
        let encoding = self.encoding;
        self.model.events().map(move |event| event.with_encoding(encoding))
    }

    /// The directory of the model, which may have a sys table beside it.
    pub(crate) fn directory(&self) -> &'static str {
        let name = self.model.name();
        if self.sys { name.strip_suffix("/sys").unwrap_or(name) } else { name }
    }

    /// Whose events it has, where CPUs of one architecture have nothing in common but names.
    pub(crate) fn vendor(&self) -> &'static str {
        match self.architecture {
            "x86" if self.directory().starts_with("amd") => "AMD",
            "x86" => "Intel",
            architecture => architecture,
        }
    }

    /// The last part of the directory's name: `neoverse-n1` of `arm/neoverse-n1`.
    pub(crate) fn last_part(&self) -> &'static str {
        let directory = self.directory();
        directory.rsplit('/').next().unwrap_or(directory)
    }
}

/// The meaning of a name.
pub(crate) enum Named {
    /// The model of a directory, its sys table, or both.
    One(Vec<Table>),
    /// The last part of several directories, or a directory of several trees.
    Several(Vec<Table>),
    /// Nothing, but these directories have similar names.
    None(Vec<&'static str>),
}

impl Trees {
    /// The trees below a directory or, without one, those of the program. They
    /// are static, because a tree's views are, and a command needs them to its
    /// end.
    pub(crate) fn new(
        directory: Option<&Path>,
        encoding: Encoding,
    ) -> Result<&'static Self, Failure> {
        let trees = match directory {
            Some(directory) => Self::read(directory, encoding)?,
            None => Self::built_in(encoding),
        };
        Ok(Box::leak(Box::new(trees)))
    }

    fn built_in(encoding: Encoding) -> Self {
        let architecture = |&(name, tree): &(&'static str, _)| Architecture::new(name, tree);
        Trees { architectures: arch::TREES.iter().map(architecture).collect(), encoding }
    }

    fn read(directory: &Path, encoding: Encoding) -> Result<Self, Failure> {
        let mut architectures = Vec::new();
        for directory in directories(directory)? {
            let mut options = Options::default();
            options.encoding = encoding;
            let shown = directory.display().to_string();
            let source = Source::read(&directory, &shown, &options);
            let compiled = compile(&source, &options)
                .map_err(|refused| Failure::Missing(refused.errors.to_string()))?;
            let name = source.arch().to_owned();
            let tree = Tree::new(compiled.strings.leak(), compiled.tables.leak());
            architectures.push(Architecture::new(name.leak(), Box::leak(Box::new(tree))));
        }
        Ok(Trees { architectures, encoding })
    }

    /// Every model of every tree, and its sys tables after them.
    pub(crate) fn all(&self) -> impl Iterator<Item = Table> {
        self.architectures.iter().flat_map(|arch| {
            let models = arch.tree.models().map(|model| self.table(arch, model, false));
            models.chain(arch.tree.sys_tables().map(|model| self.table(arch, model, true)))
        })
    }

    fn table(&self, of: &Architecture, model: Model, sys: bool) -> Table {
        Table { architecture: of.name, model, sys, encoding: self.encoding }
    }

    /// The encoding that is asked for.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The CPU may be of any architecture: a CPUID does not say of which.
    /// The table of an architecture only stands in for one of the CPU itself.
    pub(crate) fn of_cpu(&self, cpuid: &str) -> Option<Table> {
        let model = |arch: &Architecture| Some(self.table(arch, arch.tree.model(cpuid)?, false));
        let tables = || self.architectures.iter().filter_map(model);
        let is_own = |table: &Table| table.model.made_for(cpuid) != MadeFor::Architecture;
        tables().find(is_own).or_else(|| tables().next())
    }

    /// The model of a CPUID.
    pub(crate) fn model(&self, cpuid: &str) -> Option<Model> {
        Some(self.of_cpu(cpuid)?.model)
    }

    /// The tables from which users of a CPU without one may choose: those of its
    /// architecture, or all if the trees are of others.
    pub(crate) fn choice(&self, cpuid: Option<&str>) -> Vec<Table> {
        let own = cpuid.map_or(arch::NATIVE, cpuid::architecture);
        let is_of_own = |table: &Table| Some(table.architecture) == own;
        let of_own: Vec<Table> = self.all().filter(is_of_own).collect();
        if of_own.is_empty() { self.all().collect() } else { of_own }
    }

    /// The models of a CPUID in all architectures.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &'static Tree> {
        self.architectures.iter().map(|arch| arch.tree)
    }

    /// The tables of a machine's cores, one for each known kind of core.
    pub(crate) fn of_machine(&'static self, machine: &System) -> Vec<Table> {
        machine.models().into_iter().filter_map(|model| self.table_of(model)).collect()
    }

    /// The table of a model.
    pub(crate) fn table_of(&self, model: Model) -> Option<Table> {
        self.all().find(|table| table.model == model)
    }

    /// A CPUID that selects the formats of a table's PMUs: that of a CPU by whose name the
    /// table was found, one of its model or, if all CPUs of an architecture have the same
    /// formats, any. Map files have patterns, so likely CPUs are tried.
    pub(crate) fn cpuid_of(&'static self, table: &Table, name: &str) -> Option<String> {
        const PROCESSORS: [&str; 6] =
            ["0x004b0200", "0x004d0200", "0x004e1200", "0x00800200", "0x00820200", "0x00660200"];
        let intel = [6, 18].into_iter().flat_map(|family| {
            (0..=0xff_u32).flat_map(move |model| {
                [0, 4, 7].map(|step| format!("GenuineIntel-{family}-{model:X}-{step:X}"))
            })
        });
        let amd = [23, 25, 26].into_iter().flat_map(|family| {
            (0..=0xff_u32).map(move |model| format!("AuthenticAMD-{family}-{model:X}-0"))
        });
        // The highest revision of each part of each implementer.
        let mut arm = [0x41, 0x42, 0x43, 0x46, 0x48, 0x4e, 0x50, 0x51, 0x61, 0x6d, 0xc0_u32]
            .into_iter()
            .flat_map(|by| {
                (0..=0xfff_u32).map(move |part| format!("0x00000000{by:02x}ff{part:03x}f"))
            });
        let is_its =
            |cpuid: &String| self.of_cpu(cpuid).is_some_and(|own| own.model == table.model);
        let of_name = cpuid::of_name(name).map(String::from).filter(is_its);
        if of_name.is_some() {
            return of_name;
        }
        match table.architecture {
            "arm64" if table.sys => Some("0x00000000410fd0c0".into()),
            "arm64" => arm.find(is_its),
            "riscv" => Some("0x489-0x8000000000000007-0x20181004".into()),
            "s390" => Some("IBM,3931,704,A01,3.7,002f".into()),
            "powerpc" => PROCESSORS.map(String::from).into_iter().find(is_its),
            _ => intel.chain(amd).find(is_its),
        }
    }

    /// Finds a directory by its name, with or without its architecture, by the last
    /// part of the name, or by a CPU that has its events. The first of these ways that
    /// finds any wins.
    pub(crate) fn named(&self, wanted: &str) -> Named {
        let ways: [fn(&Table, &str) -> bool; 3] = [
            |table, wanted| name::eq(table.directory(), wanted),
            |table, wanted| name::eq(&table.to_string(), wanted),
            |table, wanted| name::eq(table.last_part(), wanted),
        ];
        for way in ways {
            let found: Vec<Table> = self.all().filter(|table| way(table, wanted)).collect();
            if let Some(first) = found.first() {
                let one = found.iter().all(|table| table.to_string() == first.to_string());
                return if one { Named::One(found) } else { Named::Several(found) };
            }
        }
        match cpuid::of_name(wanted).and_then(|cpuid| self.of_cpu(cpuid)) {
            Some(table) => Named::One(vec![table]),
            None => Named::None(self.similar(wanted)),
        }
    }

    /// The names of CPUs that have a table here, each with the table.
    fn cpus(&self) -> impl Iterator<Item = (&'static str, Table)> {
        cpuid::names().filter_map(|(name, cpuid)| Some((name, self.of_cpu(cpuid)?)))
    }

    /// The names of the CPUs that have a table, as far as they are no directories.
    pub(crate) fn cpus_of(&self, table: &Table) -> Vec<&'static str> {
        let is_its = |(_, of): &(_, Table)| of.model == table.model;
        self.cpus().filter(is_its).map(|(name, _)| name).collect()
    }

    /// Names that contain the wanted one (`zen`: `amdzen5`), otherwise the nearest.
    fn similar(&self, wanted: &str) -> Vec<&'static str> {
        let lower = wanted.to_ascii_lowercase();
        let is_part = |name: &str| lower.len() > 2 && name.to_ascii_lowercase().contains(&lower);
        let mut names: Vec<&'static str> =
            self.all().map(|table| table.directory()).filter(|name| is_part(name)).collect();
        names.dedup();
        // CPUs of other tables.
        for (name, table) in self.cpus().filter(|(name, _)| is_part(name)) {
            if !names.contains(&table.directory()) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            return names;
        }
        let mut nearest = Nearest::instead_of(wanted);
        for table in self.all() {
            nearest.offer(table.directory(), table.directory());
            nearest.offer(table.last_part(), table.directory());
        }
        self.cpus().for_each(|(name, _)| nearest.offer(name, name));
        nearest.found().into_iter().collect()
    }
}

impl Architecture {
    fn new(name: &'static str, tree: &'static Tree) -> Self {
        Architecture { name, tree }
    }
}

/// The directories of architectures that a path refers to: itself, those below
/// it, or those of a kernel's source tree.
pub(crate) fn directories(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let in_kernel = directory.join("tools/perf/pmu-events/arch");
    let directory = if in_kernel.is_dir() { &in_kernel } else { directory };
    if Source::is_at(directory) {
        return Ok(vec![directory.to_owned()]);
    }
    let items =
        file::entries(directory).map_err(|problem| Failure::Missing(with_sources(&problem)))?;
    let found: Vec<PathBuf> = items
        .into_iter()
        .map(|(name, _)| directory.join(name))
        .filter(|path| Source::is_at(path))
        .collect();
    if found.is_empty() {
        return Err(Failure::Missing(format!(
            "{}: is not an event tree: neither this directory nor any in it has a mapfile.csv or \
             Arm's telemetry",
            directory.display()
        )));
    }
    Ok(found)
}
