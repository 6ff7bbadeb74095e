use core::fmt;

use std::string::String;
use std::vec::Vec;

use pmu_events_cmn::{Error, GroupError};

use crate::cause::Cause;
use crate::sysfs::Problem;

/// A selection of meshes.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::cmn::{MeshEvent, MeshSelection, Meshes};
///
/// let system = System::new();
/// let meshes = Meshes::of(&system);
/// // Refused where the machine has no such mesh.
/// match meshes.request(MeshSelection::One(0), &[MeshEvent::Cycles]) {
///     Ok(requests) => println!("{}", requests[0]),
///     Err(error) => println!("{error}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshSelection {
    /// All meshes, each counting separately.
    #[default]
    All,
    /// The mesh with a number.
    One(u32),
}

/// Why a request cannot be met. If the system refuses to read a file, the error's
/// source is the reason.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::cmn::{MeshEvent, MeshSelection, Meshes};
///
/// let system = System::at("/nonexistent");
/// let error = Meshes::of(&system).request(MeshSelection::One(7), &[MeshEvent::Cycles]).unwrap_err();
/// println!("{error}");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct MeshRequestError {
    fault: Fault,
    cause: Cause,
}

impl MeshRequestError {
    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> MeshRequestErrorKind {
        match self.fault {
            Fault::NoMesh { .. } => MeshRequestErrorKind::NoMesh,
            Fault::NoFile { .. } => MeshRequestErrorKind::NoFile,
            Fault::UnknownEvent { .. } => MeshRequestErrorKind::UnknownEvent,
            Fault::EventString { .. } => MeshRequestErrorKind::EventString,
            Fault::MatchGroup { .. } => MeshRequestErrorKind::MatchGroup,
            Fault::NotCounted { .. } => MeshRequestErrorKind::NotCounted,
        }
    }

    /// Returns the PMU; `None` if there is no such mesh.
    #[must_use]
    pub fn pmu(&self) -> Option<&str> {
        match &self.fault {
            Fault::NoMesh { .. } => None,
            Fault::NoFile { pmu, .. }
            | Fault::UnknownEvent { pmu, .. }
            | Fault::EventString { pmu, .. }
            | Fault::MatchGroup { pmu, .. }
            | Fault::NotCounted { pmu, .. } => Some(pmu),
        }
    }

    pub(super) const fn new(fault: Fault) -> Self {
        MeshRequestError { fault, cause: Cause::NONE }
    }

    pub(super) fn because_of(self, problem: Option<&Problem>) -> Self {
        let cause = problem.map_or(Cause::NONE, |problem| problem.cause().clone());
        MeshRequestError { cause, ..self }
    }
}

/// The reason why a request cannot be met.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::cmn::{MeshEvent, MeshRequestErrorKind, MeshSelection, Meshes};
///
/// let system = System::at("/nonexistent");
/// let error = Meshes::of(&system).request(MeshSelection::One(7), &[MeshEvent::Cycles]).unwrap_err();
/// assert_eq!(error.kind(), MeshRequestErrorKind::NoMesh);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshRequestErrorKind {
    /// There is no such mesh.
    NoMesh,
    /// A required file of the PMU is missing or invalid.
    NoFile,
    /// The mesh has no event of that name.
    UnknownEvent,
    /// The event string of a name is not that of a mesh event.
    EventString,
    /// The events cannot count together.
    MatchGroup,
    /// The mesh cannot count the event.
    NotCounted,
}

/// What is wrong, with all that the message says.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Fault {
    NoMesh { selection: MeshSelection, known: Vec<u32> },
    NoFile { pmu: String, file: &'static str },
    UnknownEvent { pmu: String, name: String, nearest: Option<String> },
    EventString { pmu: String, name: String, what: String },
    MatchGroup { pmu: String, error: GroupError },
    NotCounted { pmu: String, event: String, error: Error },
}

impl fmt::Display for MeshRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fault {
            Fault::NoMesh { known, .. } if known.is_empty() => {
                f.write_str("the system has no mesh (no PMU `arm_cmn_0`)")
            }
            Fault::NoMesh { selection, known } => {
                match selection {
                    MeshSelection::One(number) => write!(f, "there is no mesh {number}")?,
                    MeshSelection::All => f.write_str("there is no mesh")?,
                }
                f.write_str("; there are")?;
                for (n, number) in known.iter().enumerate() {
                    write!(f, "{} {number}", if n == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            Fault::NoFile { pmu, file } => {
                write!(f, "{pmu}: the file `{file}` is missing or invalid")
            }
            Fault::UnknownEvent { pmu, name, nearest } => {
                write!(f, "{pmu} has no event `{}`", name.escape_debug())?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
                    None => Ok(()),
                }
            }
            Fault::EventString { pmu, name, what } => {
                write!(f, "{pmu}: event `{}`: {what}", name.escape_debug())
            }
            Fault::MatchGroup { pmu, error } => write!(f, "{pmu}: {error}"),
            Fault::NotCounted { pmu, event, error } => {
                write!(f, "{pmu}/{event}/: {error}")
            }
        }
    }
}

pmu_events_core::__private::debug_as_display!(MeshRequestError);

impl core::error::Error for MeshRequestError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.cause.source()
    }
}
