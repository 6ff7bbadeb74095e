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
        Source::of(arch::TREES.iter().map(|&(_, tree)| tree).collect(), Encoding::default())
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
        let bundled = arch::TREES.iter().map(|&(_, tree)| tree);
        bundled.len() == self.trees.len()
            && bundled.zip(&self.trees).all(|(one, two)| core::ptr::eq(one, *two))
    }

    /// Returns the model of a CPUID from the first tree that knows it.
    fn find(&self, cpuid: &str) -> Option<Model> {
        find(&self.trees, cpuid)
    }
}

/// The model of the first tree that has the CPU itself or, if none has, the first table of
/// its architecture.
pub(super) fn find(trees: &[&'static Tree], cpuid: &str) -> Option<Model> {
    let is_own = |model: &Model| model.made_for(cpuid) != MadeFor::Architecture;
    let models = || trees.iter().filter_map(|tree| tree.model(cpuid));
    models().find(is_own).or_else(|| models().next())
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
        given: impl Fn() -> Option<String>,
        own: impl Fn() -> Option<String>,
    ) -> Self {
        let mut known: Option<Model> = None;
        let mut cpuid = None;
        let mut one = |own: Option<String>| {
            let model = own.as_deref().and_then(|cpuid| source.find(cpuid));
            cpuid = own;
            model.map_or(Models::None, Models::One)
        };
        let given = given();
        let is_running = given.is_none() && sysfs.root() == Path::new(MOUNTED);
        let models = if let Some(model) = source.model {
            cpuid = given;
            Models::One(model)
        } else if source.trees.is_empty() {
            Models::None
        } else if given.is_some() {
            one(given)
        } else if let Some(midr) = midrs_of(sysfs).next() {
            let first = source.find(midr);
            let of_midr = |midr| source.find(midr);
            if sysfs.core_pmus().all(|pmu| pmu.midr().and_then(of_midr) == first) {
                one(Some(midr.into()))
            } else {
                known = midrs_of(sysfs).find_map(of_midr);
                Models::OfEachPmu
            }
        } else {
            one(own())
        };
        if let Models::One(model) = models {
            known = Some(model);
        }
        let all = source.trees.clone();
        let trees = known.map_or_else(|| all.clone(), |model| std::vec![model.tree()]);
        let mut with_sys_tables = trees.clone();
        with_sys_tables.retain(|tree| tree.sys_tables().next().is_some());
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
                let has = |core: &&Pmu| matches!(core.cpus(), Ok(Some(cpus)) if cpus.contains(cpu));
                find(&self.all, sysfs.core_pmus().find(has)?.midr()?)
            }
        }
    }

    /// The models of all PMUs without duplicates, in the order of the core PMUs.
    pub(crate) fn models(&self, sysfs: &Sysfs) -> Vec<Model> {
        if !matches!(self.models, Models::OfEachPmu) {
            return self.model().into_iter().collect();
        }
        let mut models: Vec<Model> = Vec::new();
        for model in midrs_of(sysfs).filter_map(|midr| find(&self.all, midr)) {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        models
    }

    /// The notes on models that were not made for the CPUs of their PMUs, once for each
    /// kind of core.
    pub(crate) fn notes<'t>(&'t self, sysfs: &'t Sysfs) -> Vec<Note<'t>> {
        let mut notes: Vec<Note<'t>> = Vec::new();
        let of_one = self.model().and_then(|model| model.note(self.cpuid.as_deref()?));
        let is_mixed = matches!(self.models, Models::OfEachPmu);
        let midrs = midrs_of(sysfs).filter(|_| is_mixed);
        let of_each = midrs.filter_map(|midr| find(&self.all, midr)?.note(midr));
        for note in of_one.into_iter().chain(of_each) {
            if !notes.contains(&note) {
                notes.push(note);
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

fn midrs_of(sysfs: &Sysfs) -> impl Iterator<Item = &str> {
    sysfs.core_pmus().filter_map(Pmu::midr)
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
