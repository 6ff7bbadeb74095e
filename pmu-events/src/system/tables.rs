use std::path::Path;
use std::string::String;
use std::vec::Vec;

use super::architecture;
use crate::cpuid::Architectural;
use crate::event::Encoding;
use crate::model::{MadeFor, Note};
use crate::sysfs::{MOUNTED, Pmu, Sysfs};
use crate::{Event, Model, Tree, arch, host};

/// Where the event tables of a machine come from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) trees: Vec<&'static Tree>,
    /// The model of all PMUs, whatever their CPUs are.
    pub(super) model: Option<Model>,
    /// The CPU-independent events.
    pub(super) common: Option<Model>,
    pub(super) encoding: Encoding,
}

/// The trees that this build of the crate contains.
impl Default for Source {
    fn default() -> Self {
        let mut trees = Vec::with_capacity(arch::TREES.len());
        for &(_, tree) in arch::TREES {
            trees.push(tree);
        }
        Source::of(trees, Encoding::default())
    }
}

/// The CPUID of the table of CPU-independent events (`print_mapping_table` in
/// `tools/perf/pmu-events/jevents.py`).
const EVERY_CPU: &str = "common";

impl Source {
    /// The tables of some trees, with the CPU-independent events of the first that has any.
    pub(super) fn of(trees: Vec<&'static Tree>, encoding: Encoding) -> Self {
        let common = find(&trees, EVERY_CPU);
        Source { trees, model: None, common, encoding }
    }

    /// Whether the trees are the ones that this build contains.
    pub(super) fn is_bundled(&self) -> bool {
        let mut are_equal = arch::TREES.len() == self.trees.len();
        for (n, &tree) in self.trees.iter().enumerate() {
            are_equal = are_equal && core::ptr::eq(arch::TREES[n].1, tree);
        }
        are_equal
    }

    /// Returns the model of a CPUID from the first tree that knows it.
    fn find(&self, cpuid: &str) -> Option<Model> {
        find(&self.trees, cpuid)
    }
}

/// The model of the first tree that has the CPU itself or, if none has, the first table of
/// its architecture.
pub(super) fn find(trees: &[&'static Tree], cpuid: &str) -> Option<Model> {
    let mut of_architecture = None;
    for tree in trees {
        let Some(model) = tree.model(cpuid) else { continue };
        if model.made_for(cpuid) != MadeFor::Architecture {
            return Some(model);
        }
        of_architecture = of_architecture.or(Some(model));
    }
    of_architecture
}

/// The event tables in which names are looked up, in addition to sysfs.
#[derive(Debug)]
pub(crate) struct Tables {
    models: Models,
    /// The trees in which CPUs are looked up if PMUs differ.
    all: Vec<&'static Tree>,
    /// The trees whose sys tables apply; their events belong to PMUs, not to the
    /// CPU.
    trees: Vec<&'static Tree>,
    /// The ones among `trees` that have sys tables.
    with_sys_tables: Vec<&'static Tree>,
    common: Option<Model>,
    encoding: Encoding,
    /// The CPUID of all PMUs, if they have one model by it.
    cpuid: Option<String>,
    /// What the CPU says about the events that its architecture names, if this is the
    /// running machine.
    of_cpu: Option<Architectural>,
}

#[derive(Clone, Copy, Debug)]
enum Models {
    None,
    /// One model for all PMUs.
    One(Model),
    /// The model of each PMU, by its CPUs.
    OfEachPmu,
}

impl Tables {
    /// The tables of a machine. Each PMU has those of its own CPUs, as in perf
    /// (`perf_pmu__find_events_table` in `tools/perf/pmu-events/jevents.py`).
    ///
    /// Only Arm machines mix cores with different CPUIDs, and sysfs tells which is
    /// which ([`Pmu::midr`]). Otherwise the CPUID is that of the machine. `given`
    /// is a CPUID that applies to all PMUs.
    pub(super) fn of(
        source: &Source,
        sysfs: &Sysfs,
        given: Option<String>,
        own: &dyn Fn() -> Option<String>,
    ) -> Self {
        let mut known: Option<Model> = None;
        let mut cpuid = None;
        let mut one = |own: Option<String>| {
            let model = own.as_deref().and_then(|cpuid| source.find(cpuid));
            cpuid = own;
            model.map_or(Models::None, Models::One)
        };
        let is_running = given.is_none() && sysfs.root() == Path::new(MOUNTED);
        let models = if let Some(model) = source.model {
            cpuid = given;
            Models::One(model)
        } else if source.trees.is_empty() {
            Models::None
        } else if given.is_some() {
            one(given)
        } else {
            let (mut midrs, mut found, mut is_one) = (Vec::new(), Vec::new(), true);
            for pmu in sysfs.core_pmus() {
                let midr = pmu.midr();
                midrs.extend(midr);
                found.push(midr.and_then(|midr| source.find(midr)));
            }
            match midrs.first() {
                None => one(own()),
                Some(&midr) => {
                    let first = source.find(midr);
                    for &model in &found {
                        is_one &= model == first;
                        known = known.or(model);
                    }
                    if is_one { one(Some(midr.into())) } else { Models::OfEachPmu }
                }
            }
        };
        if let Models::One(model) = models {
            known = Some(model);
        }
        let all = source.trees.clone();
        let trees = match known {
            Some(model) => std::vec![model.tree()],
            None => all.clone(),
        };
        let mut with_sys_tables = Vec::new();
        for &tree in &trees {
            if tree.sys_tables().next().is_some() {
                with_sys_tables.push(tree);
            }
        }
        let Source { common, encoding, .. } = *source;
        let of_cpu = if is_running { host::architectural() } else { None };
        Tables { models, all, trees, with_sys_tables, common, encoding, cpuid, of_cpu }
    }

    /// The model of all PMUs; `None` if it is unknown or if PMUs have different
    /// models.
    pub(crate) fn model(&self) -> Option<Model> {
        match self.models {
            Models::One(model) => Some(model),
            Models::None | Models::OfEachPmu => None,
        }
    }

    /// The model whose events a PMU has.
    pub(crate) fn of_pmu(&self, pmu: &Pmu, sysfs: &Sysfs) -> Option<Model> {
        match self.models {
            Models::None => None,
            Models::One(model) => Some(model),
            Models::OfEachPmu if pmu.is_core() => find(&self.all, pmu.midr()?),
            Models::OfEachPmu => {
                // A PMU outside the cores is read through the CPU of a core.
                let cpu = pmu.cpus().ok()??.first()?;
                for core in sysfs.core_pmus() {
                    if matches!(core.cpus(), Ok(Some(cpus)) if cpus.contains(cpu)) {
                        return find(&self.all, core.midr()?);
                    }
                }
                None
            }
        }
    }

    /// The models of all PMUs without duplicates, in the order of the core PMUs.
    pub(crate) fn models(&self, sysfs: &Sysfs) -> Vec<Model> {
        let mut models: Vec<Model> = Vec::new();
        models.extend(self.model());
        if matches!(self.models, Models::OfEachPmu) {
            for midr in midrs_of(sysfs) {
                let model = find(&self.all, midr);
                models.extend(model.filter(|model| !models.contains(model)));
            }
        }
        models
    }

    /// The notes on models that were not made for the CPUs of their PMUs, once for each
    /// kind of core.
    pub(crate) fn notes<'t>(&'t self, sysfs: &'t Sysfs) -> Vec<Note<'t>> {
        let mut notes: Vec<Note<'t>> = Vec::new();
        notes.extend(self.model().and_then(|model| model.note(self.cpuid.as_deref()?)));
        if matches!(self.models, Models::OfEachPmu) {
            for midr in midrs_of(sysfs) {
                let note = find(&self.all, midr).and_then(|model| model.note(midr));
                notes.extend(note.filter(|note| !notes.contains(note)));
            }
        }
        notes
    }

    /// Whether a PMU has an event of its architecture's table, as far as the machine tells;
    /// `None` if it does not, or if the table is that of a model.
    pub(crate) fn has(&self, pmu: &Pmu, event: Event, sysfs: &Sysfs) -> Option<bool> {
        let cpuid = match self.models {
            Models::None => return None,
            Models::One(_) => self.cpuid.as_deref()?,
            Models::OfEachPmu => pmu.midr()?,
        };
        match self.of_pmu(pmu, sysfs)?.made_for(cpuid) {
            MadeFor::Architecture => architecture::has(pmu, cpuid, event, self.of_cpu),
            _ => None,
        }
    }

    /// The CPU-independent events.
    pub(crate) fn common(&self) -> Option<Model> {
        self.common
    }

    /// The encoding of the events that are looked up.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The trees with sys tables.
    pub(crate) fn trees_with_sys_tables(&self) -> &[&'static Tree] {
        &self.with_sys_tables
    }

    /// All trees, including those without sys tables.
    pub(crate) fn trees(&self) -> &[&'static Tree] {
        &self.trees
    }
}

fn midrs_of(sysfs: &Sysfs) -> Vec<&str> {
    let mut midrs = Vec::new();
    for pmu in sysfs.core_pmus() {
        midrs.extend(pmu.midr());
    }
    midrs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only all bundled trees together are what this build contains.
    #[test]
    fn bundled_trees() {
        assert!(Source::default().is_bundled());
        let others = |trees| Source::of(trees, Encoding::default());
        let bundled: Vec<&Tree> = arch::TREES.iter().map(|&(_, tree)| tree).collect();
        assert!(others(bundled.clone()).is_bundled());
        assert_eq!(others(Vec::new()).is_bundled(), bundled.is_empty());
    }
}
