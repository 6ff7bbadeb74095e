//! The meshes of a system.

use std::borrow::ToOwned;
use std::string::ToString;
use std::vec::Vec;

use super::error::MeshRequestError;
use crate::resolve::Tables;
use crate::sys::SysEvents;
use crate::sysfs::{CpuSet, Pmu, Problem, Sysfs};
use crate::{Tree, name};
use pmu_events_core::cmn::{Error, Identity, MeshEvent, ParseError};

/// What the names of the PMUs begin with; a number follows
/// (`arm_cmn_probe` in `drivers/perf/arm-cmn.c`).
const PREFIX: &str = "arm_cmn_";

/// The meshes of a system, by number.
#[derive(Clone, Debug, Default)]
pub struct Meshes<'s> {
    meshes: Vec<Mesh<'s>>,
}

impl<'s> Meshes<'s> {
    /// The meshes of a system: all PMUs called `arm_cmn_` and a number.
    #[must_use]
    pub fn of(sysfs: &'s Sysfs) -> Self {
        let mut meshes: Vec<_> = sysfs.pmus().iter().filter_map(Mesh::of).collect();
        meshes.sort_by_key(|mesh| mesh.number);
        Meshes { meshes }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Mesh<'s>> {
        self.meshes.iter().copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.meshes.len()
    }

    /// Whether the system has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.meshes.is_empty()
    }

    /// The mesh of a number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<Mesh<'s>> {
        self.iter().find(|mesh| mesh.number == number)
    }
}

/// One mesh: a PMU.
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'s> {
    number: u32,
    pmu: &'s Pmu,
}

impl<'s> Mesh<'s> {
    /// The mesh that a PMU is, if its name is that of one.
    #[must_use]
    pub fn of(pmu: &'s Pmu) -> Option<Self> {
        let digits = pmu.name().strip_prefix(PREFIX)?;
        if !digits.bytes().all(|c| c.is_ascii_digit()) {
            return None;
        }
        Some(Mesh { number: digits.parse().ok()?, pmu })
    }

    /// Its number among the meshes.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// Its PMU.
    #[must_use]
    pub fn pmu(self) -> &'s Pmu {
        self.pmu
    }

    /// The CPUs that read it (`cpumask`): one, near the mesh.
    ///
    /// # Errors
    ///
    /// When the list cannot be read.
    pub fn cpus(self) -> Result<Option<&'s CpuSet>, &'s Problem> {
        self.pmu.cpus()
    }

    /// Product and revision (`identifier`); `None` where the kernel does not
    /// say so, or for a product unknown here.
    #[must_use]
    pub fn identity(self) -> Option<Identity> {
        self.pmu.identifier().and_then(Identity::parse)
    }

    /// The events of a tree's sys tables that are this mesh's: those whose
    /// `Compat` matches its identifier.
    #[must_use]
    pub fn sys_events(self, tree: &'static Tree) -> Option<SysEvents<'s>> {
        Some(tree.sys_events(self.pmu.name(), self.pmu.identifier()?))
    }

    /// The event of a name on this mesh, summed over it: that of a sys table,
    /// else the one that the driver exports in sysfs. Letter case does not
    /// matter.
    ///
    /// # Errors
    ///
    /// When the mesh has no event of that name, or its event string is none of
    /// a mesh: the driver's watchpoints, for example, which need more than
    /// a name.
    pub fn event(
        self,
        name: &str,
        tables: impl Into<Tables>,
    ) -> Result<MeshEvent, MeshRequestError> {
        let tree = tables.into().tree();
        let of_table = tree
            .and_then(|tree| self.sys_events(tree))
            .and_then(|mut events| events.find(|event| name::eq(event.name(), name)));
        let text = match (of_table, self.pmu.event(name)) {
            (Some(event), _) => event.event_string(),
            (None, Some(alias)) => &alias.terms,
            (None, None) => return Err(self.unknown_event(name, tree)),
        };
        MeshEvent::parse(text).map_err(|error| self.no_event_string(name, error))
    }

    /// The config words of an event, by the formats that the mesh exports.
    ///
    /// # Errors
    ///
    /// When the mesh's product does not have what the event asks for
    /// ([`MeshEvent::check`]), or the formats lack one of its terms.
    pub fn encode(self, event: &MeshEvent) -> Result<[u64; 4], Error> {
        if let Some(identity) = self.identity() {
            event.check(identity.product)?;
        }
        event.encode_with(|term| self.pmu.format(term))
    }

    fn unknown_event(self, name: &str, tree: Option<&'static Tree>) -> MeshRequestError {
        let aliases = self.pmu.event_names();
        let table = tree.and_then(|tree| self.sys_events(tree)).into_iter().flatten();
        // Beyond a third of the letters every short name is near.
        let limit = name.len() / 3;
        let nearest = aliases
            .chain(table.map(|event| event.name()))
            .filter_map(|known| Some((name::distance(known, name, limit)?, known)))
            .min()
            .map(|(_, known)| known.to_owned());
        MeshRequestError::UnknownEvent { pmu: self.pmu.name().into(), name: name.into(), nearest }
    }

    fn no_event_string(self, name: &str, error: ParseError<'_>) -> MeshRequestError {
        let (pmu, what) = (self.pmu.name().into(), error.to_string());
        MeshRequestError::EventString { pmu, name: name.into(), what }
    }
}
