use core::fmt;

use std::vec::Vec;

use crate::sysfs::{Pmu, Sysfs};
use crate::{Model, Tree, host};

/// The event tables that names are looked up in, besides sysfs.
///
/// A [`Model`] alone is enough, and so is what `x86::model(cpuid)` returns: its
/// tree is known from it. All PMUs then have the events of that CPU, which is
/// right for machines with one kind of cores, and for asking about another
/// machine. [`with_machine`](Self::with_machine) finds the model of each PMU.
///
/// Where no row of the map file has the CPU there are
/// still the sys tables, whose events belong to PMUs and not to the CPU; a
/// [`Tree`] alone stands for these.
///
/// ```
/// # #[cfg(feature = "arm64")] {
/// use pmu_events::{arch::arm64, resolve::Tables};
///
/// let cpuid = "0x00000000123fd0c1";
/// assert!(arm64::model(cpuid).is_none());
/// let tables = Tables::from(&arm64::TREE).with_model(arm64::model(cpuid));
/// assert!(tables.model().is_none() && tables.tree().is_some());
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables {
    models: Models,
    tree: Option<&'static Tree>,
    common: Option<Model>,
}

/// From CPUID to model: the function `model` that the macro emits, or whatever
/// a program does instead.
type Find = &'static (dyn Fn(&str) -> Option<Model> + Sync);

#[derive(Clone, Copy, Default)]
enum Models {
    #[default]
    None,
    /// One of all PMUs.
    One(Model),
    /// Each PMU's, by its CPUs.
    OfEachPmu(Find),
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Models::None => f.write_str("None"),
            Models::One(model) => f.debug_tuple("One").field(model).finish(),
            Models::OfEachPmu(_) => f.write_str("OfEachPmu(..)"),
        }
    }
}

impl Tables {
    /// None at all: names are those of sysfs and the generic ones.
    pub const NONE: Self = Tables { models: Models::None, tree: None, common: None };

    /// The same with the events of a CPU, if it is known. Its tree's sys tables
    /// take the place of those before.
    #[must_use]
    pub fn with_model(self, model: Option<Model>) -> Self {
        model.map_or(self, |model| Tables { common: self.common, ..Self::from(model) })
    }

    /// The same with the events that do not depend on the CPU, which trees
    /// after Linux 6.12 have in their directory `common`. What a PMU has by
    /// its own table or its driver comes first.
    ///
    /// ```
    /// # #[cfg(all(feature = "x86", feature = "common"))] {
    /// use pmu_events::arch::{common, x86};
    /// use pmu_events::{resolve::{Tables, resolve}, sysfs::Sysfs};
    ///
    /// let sysfs = Sysfs::new();
    /// let tables = Tables::from(x86::host().ok()).with_common(common::COMMON);
    /// if let Ok(events) = resolve("software/page-faults/", tables, &sysfs) {
    ///     assert_eq!((events[0].kind, events[0].config[0]), (1, 2));
    /// }
    /// # }
    /// ```
    #[must_use]
    pub const fn with_common(self, common: Model) -> Self {
        Tables { common: Some(common), ..self }
    }

    /// The same with the events of a machine: each PMU has those of its own
    /// CPUs, as in perf (`perf_pmu__find_events_table` in
    /// `tools/perf/pmu-events/jevents.py`). `find` is the function `model` of a
    /// tree, or [`arch::model`](crate::arch::model).
    ///
    /// Arm's cores differ within one machine, and sysfs tells which is which
    /// ([`Pmu::midr`]). Everywhere else the CPUID is that of the machine
    /// ([`host::cpuid_on`]). `PERF_CPUID` stands for all PMUs.
    ///
    /// ```
    /// # #[cfg(feature = "arm64")] {
    /// use pmu_events::{arch::arm64, resolve::{Tables, resolve}, sysfs::Sysfs};
    ///
    /// let sysfs = Sysfs::new();
    /// let tables = Tables::from(&arm64::TREE).with_machine(&sysfs, &arm64::model);
    /// match resolve("l2d_cache_refill", tables, &sysfs) {
    ///     Ok(events) => println!("{} core PMUs have it", events.len()),
    ///     Err(error) => println!("{error}"),
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn with_machine(self, sysfs: &Sysfs, find: Find) -> Self {
        if let Some(cpuid) = host::overridden() {
            return self.with_model(find(&cpuid));
        }
        let Some(first) = midrs_of(sysfs).next() else {
            return self.with_model(host::cpuid_on(sysfs).ok().and_then(|cpuid| find(&cpuid)));
        };
        if sysfs.core_pmus().all(|pmu| pmu.midr().and_then(find) == find(first)) {
            return self.with_model(find(first));
        }
        let tree = midrs_of(sysfs).find_map(find).map(|model| model.tree()).or(self.tree);
        Tables { models: Models::OfEachPmu(find), tree, ..self }
    }

    /// The model of all PMUs; `None` where none is known, or where PMUs have
    /// different ones.
    #[must_use]
    pub const fn model(&self) -> Option<Model> {
        match self.models {
            Models::One(model) => Some(model),
            Models::None | Models::OfEachPmu(_) => None,
        }
    }

    /// The model whose events a PMU has.
    #[must_use]
    pub fn of_pmu(&self, pmu: &Pmu, sysfs: &Sysfs) -> Option<Model> {
        match self.models {
            Models::None => None,
            Models::One(model) => Some(model),
            Models::OfEachPmu(find) if pmu.is_core() => find(pmu.midr()?),
            Models::OfEachPmu(find) => {
                // What is outside the cores is read from one of their CPUs.
                let cpu = pmu.cpus().ok()??.first()?;
                let has = |core: &&Pmu| matches!(core.cpus(), Ok(Some(cpus)) if cpus.contains(cpu));
                find(sysfs.core_pmus().find(has)?.midr()?)
            }
        }
    }

    /// The models of all PMUs, none twice, in the order of the core PMUs.
    #[must_use]
    pub fn models(&self, sysfs: &Sysfs) -> Vec<Model> {
        let Models::OfEachPmu(find) = self.models else {
            return self.model().into_iter().collect();
        };
        let mut models: Vec<Model> = Vec::new();
        for model in midrs_of(sysfs).filter_map(find) {
            if !models.contains(&model) {
                models.push(model);
            }
        }
        models
    }

    /// The events that do not depend on the CPU.
    #[must_use]
    pub const fn common(&self) -> Option<Model> {
        self.common
    }

    /// Where the sys tables are.
    #[must_use]
    pub const fn tree(&self) -> Option<&'static Tree> {
        self.tree
    }
}

fn midrs_of(sysfs: &Sysfs) -> impl Iterator<Item = &str> {
    sysfs.core_pmus().filter_map(Pmu::midr)
}

impl From<Model> for Tables {
    fn from(model: Model) -> Self {
        Tables { models: Models::One(model), tree: Some(model.tree()), common: None }
    }
}

impl From<Option<Model>> for Tables {
    fn from(model: Option<Model>) -> Self {
        Tables::NONE.with_model(model)
    }
}

impl From<&'static Tree> for Tables {
    fn from(tree: &'static Tree) -> Self {
        Tables { models: Models::None, tree: Some(tree), common: None }
    }
}
