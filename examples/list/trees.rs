//! The event trees of `arch/`: all of them, so that any machine can ask about
//! any other. Where `PMU_EVENTS_ARCH` names another directory of that form when
//! this is compiled, such as a kernel's `tools/perf/pmu-events/arch`, the trees
//! of real CPUs are those.

use std::{env, fmt};

use pmu_events::resolve::Tables;
use pmu_events::sysfs::Sysfs;
use pmu_events::{Model, Tree, name};

/// One line for each tree. A CPUID belongs to the first that knows it.
macro_rules! trees {
    ($($arch:ident: $directory:literal),* $(,)?) => {
        $(mod $arch { pmu_events::pmu_events!($directory); })*

        const TREES: &[Architecture] = &[$(Architecture {
            name: stringify!($arch),
            tree: &$arch::TREE,
            model: $arch::model,
        }),*];
    };
}

trees! {
    x86: "${PMU_EVENTS_ARCH:-arch}/x86",
    arm64: "${PMU_EVENTS_ARCH:-arch}/arm64",
    powerpc: "${PMU_EVENTS_ARCH:-arch}/powerpc",
    s390: "${PMU_EVENTS_ARCH:-arch}/s390",
    riscv: "${PMU_EVENTS_ARCH:-arch}/riscv",
    nds32: "${PMU_EVENTS_ARCH:-arch}/nds32",
    common: "arch/common",
    test: "arch/test",
}

/// The events that every machine has.
// For `encode` and `stat`.
#[allow(dead_code)]
pub(crate) const COMMON: &Model = &common::COMMON;

struct Architecture {
    name: &'static str,
    tree: &'static Tree,
    model: fn(&str) -> Option<&'static Model>,
}

impl Architecture {
    fn table(&self, model: Model, sys: bool) -> Table {
        Table { architecture: self.name, model, sys }
    }
}

/// A directory of a tree: the events of a CPU model or of system PMUs.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    pub(crate) architecture: &'static str,
    pub(crate) model: Model,
    /// Whether it is a sys table, which belongs to no CPU model.
    pub(crate) sys: bool,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.architecture, self.directory())
    }
}

impl Table {
    /// The directory of the model, which may have a sys table beside it.
    pub(crate) fn directory(&self) -> &'static str {
        let name = self.model.name();
        if self.sys { name.strip_suffix("/sys").unwrap_or(name) } else { name }
    }
}

/// Every model of every tree, and its sys tables behind them.
pub(crate) fn all() -> impl Iterator<Item = Table> {
    TREES.iter().flat_map(|arch| {
        let models = arch.tree.models().map(|model| arch.table(model, false));
        models.chain(arch.tree.sys_tables().map(|model| arch.table(model, true)))
    })
}

/// The CPU may be of any architecture: `PERF_CPUID` does not say of which.
pub(crate) fn of_cpu(cpuid: &str) -> Option<Table> {
    TREES.iter().find_map(|arch| Some(arch.table(*(arch.model)(cpuid)?, false)))
}

/// The model of a CPUID, as [`Tables::with_machine`] wants it.
///
/// [`Tables::with_machine`]: pmu_events::resolve::Tables::with_machine
// For `encode` and `stat`.
#[allow(dead_code)]
pub(crate) fn model(cpuid: &str) -> Option<&'static Model> {
    TREES.iter().find_map(|arch| (arch.model)(cpuid))
}

/// The tables of this machine's cores: one for each kind of them that is known.
#[allow(dead_code)]
pub(crate) fn of_machine() -> Vec<Table> {
    let sysfs = Sysfs::new();
    let models = Tables::NONE.with_machine(&sysfs, model).models(&sysfs);
    let table = |model: Model| {
        let arch = TREES.iter().find(|arch| std::ptr::eq(arch.tree, model.tree()))?;
        Some(arch.table(model, false))
    };
    models.into_iter().filter_map(table).collect()
}

/// The tree that has the sys tables of a machine whose CPU is in no map file:
/// what the CPUID looks like says of which architecture it is, else this
/// program is of the same.
// For `encode`.
#[allow(dead_code)]
pub(crate) fn of_unknown_cpu(cpuid: Option<&str>) -> Option<&'static Tree> {
    let digits = cpuid.and_then(|cpuid| cpuid.strip_prefix("0x"));
    let is_hexadecimal = |digits: &&str| digits.bytes().all(|c| c.is_ascii_hexdigit());
    let name = match (digits.filter(is_hexadecimal).map(str::len), env::consts::ARCH) {
        (Some(16), _) | (_, "aarch64") => "arm64",
        (Some(8), _) | (_, "powerpc64") => "powerpc",
        _ => "x86",
    };
    TREES.iter().find(|arch| arch.name == name).map(|arch| arch.tree)
}

/// What a name stands for.
pub(crate) enum Named {
    /// The model of a directory, its sys table, or both.
    One(Vec<Table>),
    /// The last part of several directories, or a directory of several trees.
    Several(Vec<Table>),
    /// Nothing; but this directory has a similar name.
    None(Option<&'static str>),
}

/// Finds a directory by its name, with or without its architecture, or by the
/// last part of the name: the first of these that is anyone's.
pub(crate) fn named(wanted: &str) -> Named {
    let ways: [fn(&Table, &str) -> bool; 3] = [
        |table, wanted| name::eq(table.directory(), wanted),
        |table, wanted| name::eq(&table.to_string(), wanted),
        |table, wanted| name::eq(last_part(table), wanted),
    ];
    for way in ways {
        let found: Vec<Table> = all().filter(|table| way(table, wanted)).collect();
        if let Some(first) = found.first() {
            let one = found.iter().all(|table| table.to_string() == first.to_string());
            return if one { Named::One(found) } else { Named::Several(found) };
        }
    }
    let limit = 1 + wanted.len() / 3;
    let distance = |table: &Table| {
        let whole = name::distance(wanted, table.directory(), limit);
        whole.into_iter().chain(name::distance(wanted, last_part(table), limit)).min()
    };
    let near = all().filter_map(|table| Some((distance(&table)?, table.directory())));
    Named::None(near.min().map(|(_, name)| name))
}

fn last_part(table: &Table) -> &'static str {
    let directory = table.directory();
    directory.rsplit('/').next().unwrap_or(directory)
}
