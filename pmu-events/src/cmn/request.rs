//! One request for all meshes, or for one of them.

use core::fmt;

use std::borrow::ToOwned;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{Error, Event, GroupError, Identity, Mesh, Meshes, ParseError, check_group};
use crate::resolve::Tables;
use crate::sysfs::CpuSet;
use crate::{Tree, name};

/// Which meshes are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Selection {
    /// All of them, each counting for itself.
    #[default]
    All,
    /// The one of a number.
    One(u32),
}

/// What is to be opened on one mesh, all of it as one group: the events count
/// together, or not at all.
///
/// [`Display`](fmt::Display) writes it as perf's `-e` takes it.
#[derive(Clone, Debug)]
pub struct Request<'s> {
    mesh: Mesh<'s>,
    kind: u32,
    cpus: &'s CpuSet,
    events: Vec<Event>,
    words: Vec<[u64; 4]>,
}

impl<'s> Request<'s> {
    /// The mesh on which it counts.
    #[must_use]
    pub fn mesh(&self) -> Mesh<'s> {
        self.mesh
    }

    /// `perf_event_attr.type`
    #[must_use]
    pub fn kind(&self) -> u32 {
        self.kind
    }

    /// The CPUs on which it is to be opened.
    #[must_use]
    pub fn cpus(&self) -> &'s CpuSet {
        self.cpus
    }

    /// The events; the first leads the group.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// `config`, `config1`, `config2` and `config3` of each event.
    #[must_use]
    pub fn words(&self) -> &[[u64; 4]] {
        &self.words
    }
}

impl fmt::Display for Request<'_> {
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
    /// What is to be opened so that these events count together on the chosen
    /// meshes: one request for each mesh, so that counts stay apart.
    ///
    /// # Errors
    ///
    /// When there is no such mesh, or one of them cannot count one of the
    /// events, or not with the others: nothing is left out in silence.
    pub fn request(
        &self,
        selection: Selection,
        events: &[Event],
    ) -> Result<Vec<Request<'s>>, RequestError> {
        self.requests(selection, |_| Ok(events.to_vec()))
    }

    /// The same for events by name: see [`Mesh::event`].
    ///
    /// # Errors
    ///
    /// As for [`Meshes::request`], and when a mesh does not have an event of
    /// one of the names.
    pub fn request_named(
        &self,
        selection: Selection,
        names: &[&str],
        tables: impl Into<Tables>,
    ) -> Result<Vec<Request<'s>>, RequestError> {
        let tables = tables.into();
        self.requests(selection, |mesh| names.iter().map(|name| mesh.event(name, tables)).collect())
    }

    fn requests(
        &self,
        selection: Selection,
        events: impl Fn(Mesh<'s>) -> Result<Vec<Event>, RequestError>,
    ) -> Result<Vec<Request<'s>>, RequestError> {
        let meshes: Vec<_> = match selection {
            Selection::All => self.iter().collect(),
            Selection::One(number) => self.get(number).into_iter().collect(),
        };
        if meshes.is_empty() {
            return Err(RequestError::NoMesh {
                selection,
                known: self.iter().map(Mesh::number).collect(),
            });
        }
        meshes.into_iter().map(|mesh| request(mesh, events(mesh)?)).collect()
    }
}

fn request(mesh: Mesh<'_>, events: Vec<Event>) -> Result<Request<'_>, RequestError> {
    let pmu = || mesh.pmu().name().to_owned();
    let Some(kind) = mesh.pmu().kind() else {
        return Err(RequestError::NoFile { pmu: pmu(), file: "type" });
    };
    let Some(cpus) = mesh.cpus().filter(|cpus| !cpus.is_empty()) else {
        return Err(RequestError::NoFile { pmu: pmu(), file: "cpumask" });
    };
    let words = events.iter().map(|event| {
        mesh.encode(event).map_err(|error| RequestError::NotCounted {
            pmu: pmu(),
            event: event.to_string(),
            error,
        })
    });
    let words = words.collect::<Result<_, _>>()?;
    let product = mesh.identity().map(|Identity { product, .. }| product);
    check_group(&events, product).map_err(|error| RequestError::Group { pmu: pmu(), error })?;
    Ok(Request { mesh, kind, cpus, events, words })
}

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestError {
    /// There is no such mesh.
    NoMesh {
        /// What was asked for.
        selection: Selection,
        /// The numbers of those that there are.
        known: Vec<u32>,
    },
    /// A file of the PMU that is needed is not there, or makes no sense.
    NoFile {
        /// The PMU.
        pmu: String,
        /// The file.
        file: &'static str,
    },
    /// The mesh has no event of that name.
    UnknownEvent {
        /// The PMU.
        pmu: String,
        /// The name.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// What stands for a name is no event of a mesh.
    EventString {
        /// The PMU.
        pmu: String,
        /// The name.
        name: String,
        /// What is wrong with its event string.
        what: String,
    },
    /// The events do not count together.
    Group {
        /// The PMU.
        pmu: String,
        /// Which does not fit, and why.
        error: GroupError,
    },
    /// The mesh cannot count the event.
    NotCounted {
        /// The PMU.
        pmu: String,
        /// The event string.
        event: String,
        /// Why not.
        error: Error,
    },
}

impl RequestError {
    pub(super) fn unknown_event(mesh: Mesh<'_>, name: &str, tree: Option<&'static Tree>) -> Self {
        let aliases = mesh.pmu().event_names();
        let table = tree.and_then(|tree| mesh.sys_events(tree)).into_iter().flatten();
        // Beyond a third of the letters every short name is near.
        let limit = name.len() / 3;
        let nearest = aliases
            .chain(table.map(|event| event.name()))
            .filter_map(|known| Some((name::distance(known, name, limit)?, known)))
            .min()
            .map(|(_, known)| known.to_owned());
        RequestError::UnknownEvent { pmu: mesh.pmu().name().into(), name: name.into(), nearest }
    }

    pub(super) fn event_string(mesh: Mesh<'_>, name: &str, error: ParseError<'_>) -> Self {
        let (pmu, what) = (mesh.pmu().name().into(), error.to_string());
        RequestError::EventString { pmu, name: name.into(), what }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestError::NoMesh { known, .. } if known.is_empty() => {
                f.write_str("the system has no mesh (no PMU `arm_cmn_0`)")
            }
            RequestError::NoMesh { selection, known } => {
                match selection {
                    Selection::One(number) => write!(f, "there is no mesh {number}")?,
                    Selection::All => f.write_str("there is no mesh")?,
                }
                f.write_str("; there are")?;
                for (n, number) in known.iter().enumerate() {
                    write!(f, "{} {number}", if n == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            RequestError::NoFile { pmu, file } => {
                write!(f, "{pmu}: the file `{file}` is missing or odd")
            }
            RequestError::UnknownEvent { pmu, name, nearest } => {
                write!(f, "{pmu} has no event `{}`", name.escape_debug())?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
                    None => Ok(()),
                }
            }
            RequestError::EventString { pmu, name, what } => {
                write!(f, "{pmu}: event `{}`: {what}", name.escape_debug())
            }
            RequestError::Group { pmu, error } => write!(f, "{pmu}: {error}"),
            RequestError::NotCounted { pmu, event, error } => write!(f, "{pmu}/{event}/: {error}"),
        }
    }
}

impl core::error::Error for RequestError {}
