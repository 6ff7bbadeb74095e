//! Requests to open events on all meshes, or on one of them.

use core::fmt;

use std::borrow::ToOwned;
use std::string::ToString;
use std::vec::Vec;

use super::error::{Fault, MeshRequestError, MeshSelection};
use super::mesh::{Mesh, Meshes};
use crate::format::Words;
use crate::sysfs::CpuSet;
use pmu_events_cmn::{Identity, MeshEvent, check_group};

/// The events to open on one mesh, as one group: they count together or not at all.
///
/// [`Display`](fmt::Display) formats the request as an argument for perf's `-e`.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::cmn::{MeshEvent, MeshSelection, Meshes};
///
/// let system = System::new();
/// let meshes = Meshes::of(&system);
/// for request in meshes.request(MeshSelection::All, &[MeshEvent::Cycles]).unwrap_or_default() {
///     println!("{request}"); // as perf stat -e takes it
/// }
/// ```
#[derive(Clone, Debug)]
pub struct MeshRequest<'s> {
    mesh: Mesh<'s>,
    type_: u32,
    cpus: &'s CpuSet,
    events: Vec<MeshEvent>,
    words: Vec<Words>,
}

impl<'s> MeshRequest<'s> {
    /// Returns the mesh on which the events count.
    #[must_use]
    pub fn mesh(&self) -> Mesh<'s> {
        self.mesh
    }

    /// Returns `perf_event_attr.type`.
    #[must_use]
    pub fn type_(&self) -> u32 {
        self.type_
    }

    /// Returns the CPUs on which to open the events.
    #[must_use]
    pub fn cpus(&self) -> &'s CpuSet {
        self.cpus
    }

    /// Returns the events; the first leads the group.
    #[must_use]
    pub fn events(&self) -> &[MeshEvent] {
        &self.events
    }

    /// Returns the config words of each event.
    #[must_use]
    pub fn words(&self) -> &[Words] {
        &self.words
    }
}

impl fmt::Display for MeshRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.events.len() > 1 { ("{", "}") } else { ("", "") };
        f.write_str(open)?;
        for (n, event) in self.events.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(f, "{comma}{}/{event}/", self.mesh.pmu().name())?;
        }
        f.write_str(close)
    }
}

impl<'s> Meshes<'s> {
    /// Requests that events count together on the selected meshes. Returns one
    /// request for each mesh, so that the counts stay separate.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such mesh, or if any of them cannot count
    /// all of the events together. Nothing is omitted silently.
    pub fn request(
        &self,
        selection: MeshSelection,
        events: &[MeshEvent],
    ) -> Result<Vec<MeshRequest<'s>>, MeshRequestError> {
        self.requests(selection, |_| Ok(events.to_vec()))
    }

    /// Requests that events, given by name, count together: see [`Mesh::event`].
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Meshes::request`], and if a mesh
    /// lacks one of the events.
    pub fn request_named(
        &self,
        selection: MeshSelection,
        names: &[&str],
    ) -> Result<Vec<MeshRequest<'s>>, MeshRequestError> {
        self.requests(selection, |mesh| names.iter().map(|name| mesh.event(name)).collect())
    }

    fn requests(
        &self,
        selection: MeshSelection,
        events: impl Fn(Mesh<'s>) -> Result<Vec<MeshEvent>, MeshRequestError>,
    ) -> Result<Vec<MeshRequest<'s>>, MeshRequestError> {
        let meshes: Vec<_> = match selection {
            MeshSelection::All => self.iter().collect(),
            MeshSelection::One(number) => self.get(number).into_iter().collect(),
        };
        if meshes.is_empty() {
            let known = self.iter().map(Mesh::number).collect();
            return Err(MeshRequestError::new(Fault::NoMesh { selection, known }));
        }
        meshes.into_iter().map(|mesh| request(mesh, events(mesh)?)).collect()
    }
}

fn request(mesh: Mesh<'_>, events: Vec<MeshEvent>) -> Result<MeshRequest<'_>, MeshRequestError> {
    let pmu = || mesh.pmu().name().to_owned();
    let Some(type_) = mesh.pmu().type_() else {
        return Err(MeshRequestError::new(Fault::NoFile { pmu: pmu(), file: "type" }));
    };
    let cpus = match mesh.cpus() {
        Ok(Some(cpus)) if !cpus.is_empty() => cpus,
        answer => {
            let error = MeshRequestError::new(Fault::NoFile { pmu: pmu(), file: "cpumask" });
            return Err(error.because_of(answer.err()));
        }
    };
    let words = events.iter().map(|event| {
        let refused = |error| {
            let event = event.to_string();
            MeshRequestError::new(Fault::NotCounted { pmu: pmu(), event, error })
        };
        mesh.encode(event).map_err(refused)
    });
    let words = words.collect::<Result<_, _>>()?;
    let product = mesh.identity().map(|Identity { product, .. }| product);
    let refused = |error| MeshRequestError::new(Fault::MatchGroup { pmu: pmu(), error });
    check_group(&events, product).map_err(refused)?;
    Ok(MeshRequest { mesh, type_, cpus, events, words })
}
