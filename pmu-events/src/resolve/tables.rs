use crate::{Model, Tree};

/// The event tables that names are looked up in, besides sysfs.
///
/// A [`Model`] alone is enough, and so is what `x86::model(cpuid)` returns: its
/// tree is known from it. Where no row of the map file has the CPU there are
/// still the sys tables, whose events belong to PMUs and not to the CPU; a
/// [`Tree`] alone stands for these.
///
/// ```
/// # mod arm64 { pmu_events::pmu_events!("../arch/arm64"); }
/// use pmu_events::resolve::Tables;
///
/// let cpuid = "0x00000000123fd0c1";
/// assert!(arm64::model(cpuid).is_none());
/// let tables = Tables::from(&arm64::TREE).with_model(arm64::model(cpuid));
/// assert!(tables.model().is_none() && tables.tree().is_some());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables {
    model: Option<Model>,
    tree: Option<&'static Tree>,
}

impl Tables {
    /// None at all: names are those of sysfs and the generic ones.
    pub const NONE: Self = Tables { model: None, tree: None };

    /// The same with the events of a CPU, if it is known. Its tree's sys tables
    /// take the place of those before.
    #[must_use]
    pub fn with_model(self, model: Option<&Model>) -> Self {
        model.map_or(self, Self::from)
    }

    /// The CPU's.
    #[must_use]
    pub const fn model(&self) -> Option<Model> {
        self.model
    }

    /// Where the sys tables are.
    #[must_use]
    pub const fn tree(&self) -> Option<&'static Tree> {
        self.tree
    }
}

impl From<&Model> for Tables {
    fn from(model: &Model) -> Self {
        Tables { model: Some(*model), tree: Some(model.tree()) }
    }
}

impl From<Option<&Model>> for Tables {
    fn from(model: Option<&Model>) -> Self {
        Tables::NONE.with_model(model)
    }
}

impl From<&'static Tree> for Tables {
    fn from(tree: &'static Tree) -> Self {
        Tables { model: None, tree: Some(tree) }
    }
}
