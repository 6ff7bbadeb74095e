//! The meshes of a system.

use std::borrow::ToOwned;
use std::string::ToString;
use std::vec::Vec;

use super::error::{Fault, MeshRequestError};
use crate::format::Words;
use crate::sysfs::{CpuSet, Pmu, Problem};
use crate::system::System;
use pmu_events_cmn::{Error, Identity, MeshEvent, ParseError};
use pmu_events_core::__private::name::{self, Nearest};

/// The prefix of the PMU names, which is followed by a number (`arm_cmn_probe` in
/// `drivers/perf/arm-cmn.c`).
const PREFIX: &str = "arm_cmn_";

/// The meshes of a system, by number.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::cmn::Meshes;
///
/// let system = System::at("/nonexistent");
/// assert_eq!(Meshes::of(&system).iter().count(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Meshes<'s> {
    meshes: Vec<Mesh<'s>>,
}

impl<'s> Meshes<'s> {
    /// Finds the meshes of a system: all PMUs named `arm_cmn_` and a number.
    #[must_use]
    pub fn of(system: &'s System) -> Self {
        let pmus = system.sysfs().pmus().iter();
        let mut meshes: Vec<_> = pmus.filter_map(|pmu| Mesh::of(system, pmu)).collect();
        meshes.sort_by_key(|mesh| mesh.number);
        Meshes { meshes }
    }

    /// Returns all meshes.
    pub fn iter(&self) -> impl Iterator<Item = Mesh<'s>> {
        self.meshes.iter().copied()
    }

    /// Returns the number of meshes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.meshes.len()
    }

    /// Whether the system has no mesh.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.meshes.is_empty()
    }

    /// Returns the mesh with a number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<Mesh<'s>> {
        self.iter().find(|mesh| mesh.number == number)
    }
}

/// A mesh, which is a PMU.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::cmn::Meshes;
///
/// let system = System::new();
/// for mesh in Meshes::of(&system).iter() {
///     println!("{}: {:?}", mesh.pmu().name(), mesh.identity());
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mesh<'s> {
    number: u32,
    pmu: &'s Pmu,
    system: &'s System,
}

impl<'s> Mesh<'s> {
    /// Returns a PMU as a mesh, if its name is that of a mesh.
    #[must_use]
    pub fn of(system: &'s System, pmu: &'s Pmu) -> Option<Self> {
        let digits = pmu.name().strip_prefix(PREFIX)?;
        if !digits.bytes().all(|c| c.is_ascii_digit()) {
            return None;
        }
        Some(Mesh { number: digits.parse().ok()?, pmu, system })
    }

    /// Returns the number of the mesh.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the PMU of the mesh.
    #[must_use]
    pub fn pmu(self) -> &'s Pmu {
        self.pmu
    }

    /// Returns the CPU on which to open events (`cpumask`), one near the mesh.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be read.
    pub fn cpus(self) -> Result<Option<&'s CpuSet>, &'s Problem> {
        self.pmu.cpus()
    }

    /// Returns product and revision (`identifier`); `None` if the kernel does not
    /// expose them, or for an unknown product.
    #[must_use]
    pub fn identity(self) -> Option<Identity> {
        self.pmu.identifier().and_then(Identity::parse)
    }

    /// Returns the events of this mesh in the sys tables: those whose `Compat`
    /// matches its identifier.
    pub fn sys_events(self) -> impl Iterator<Item = crate::Event> + use<'s> {
        let identifier = self.pmu.identifier();
        let trees = self.system.trees().iter();
        identifier.into_iter().flat_map(move |identifier| {
            trees.clone().flat_map(move |tree| tree.sys_events(self.pmu.name(), identifier))
        })
    }

    /// Returns the event of a name, summed over the whole mesh: that of a sys
    /// table, otherwise the one that the driver exports in sysfs. Case is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the mesh has no event of that name, or if its event
    /// string is not that of a complete mesh event: the driver's watchpoints, for
    /// example, need more than a name.
    pub fn event(self, name: &str) -> Result<MeshEvent, MeshRequestError> {
        let of_table = self.sys_events().find(|event| name::eq(event.name(), name));
        let text = match (of_table, self.pmu.event(name)) {
            (Some(event), _) => event.event_string(),
            (None, Some(alias)) => &alias.terms,
            (None, None) => return Err(self.unknown_event(name)),
        };
        MeshEvent::parse(text).map_err(|error| self.no_event_string(name, error))
    }

    /// Returns the config words of an event, encoded with the formats that the mesh
    /// exports.
    ///
    /// # Errors
    ///
    /// Returns an error if the product does not support the event
    /// ([`MeshEvent::check`]), or if the formats lack one of its terms.
    pub fn encode(self, event: &MeshEvent) -> Result<Words, Error> {
        if let Some(identity) = self.identity() {
            event.check(identity.product)?;
        }
        event.encode_with(|term| self.pmu.format(term))
    }

    fn unknown_event(self, name: &str) -> MeshRequestError {
        let aliases = self.pmu.event_names();
        let names = aliases.chain(self.sys_events().map(|event| event.name()));
        let nearest = Nearest::instead_of(name).among(names).map(str::to_owned);
        let (pmu, name) = (self.pmu.name().into(), name.into());
        MeshRequestError::new(Fault::UnknownEvent { pmu, name, nearest })
    }

    fn no_event_string(self, name: &str, error: ParseError<'_>) -> MeshRequestError {
        let (pmu, what) = (self.pmu.name().into(), error.to_string());
        MeshRequestError::new(Fault::EventString { pmu, name: name.into(), what })
    }
}
