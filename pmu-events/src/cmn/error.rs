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
    kind: MeshRequestErrorKind,
    cause: Cause,
}

impl MeshRequestError {
    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &MeshRequestErrorKind {
        &self.kind
    }

    pub(super) fn because_of(self, problem: Option<&Problem>) -> Self {
        let cause = problem.map_or(Cause::NONE, |problem| problem.cause().clone());
        MeshRequestError { cause, ..self }
    }
}

impl From<MeshRequestErrorKind> for MeshRequestError {
    fn from(kind: MeshRequestErrorKind) -> Self {
        MeshRequestError { kind, cause: Cause::NONE }
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
/// assert!(matches!(error.kind(), MeshRequestErrorKind::NoMesh { .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeshRequestErrorKind {
    /// There is no such mesh.
    NoMesh {
        /// The selection that was requested.
        selection: MeshSelection,
        /// The numbers of the existing meshes.
        known: Vec<u32>,
    },
    /// A required file of the PMU is missing or invalid.
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
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// The event string of a name is not that of a mesh event.
    EventString {
        /// The PMU.
        pmu: String,
        /// The name.
        name: String,
        /// The error in its event string.
        what: String,
    },
    /// The events cannot count together.
    MatchGroup {
        /// The PMU.
        pmu: String,
        /// The event that does not fit, and the reason.
        error: GroupError,
    },
    /// The mesh cannot count the event.
    NotCounted {
        /// The PMU.
        pmu: String,
        /// The event string.
        event: String,
        /// The reason.
        error: Error,
    },
}

impl fmt::Display for MeshRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MeshRequestErrorKind::NoMesh { known, .. } if known.is_empty() => {
                f.write_str("the system has no mesh (no PMU `arm_cmn_0`)")
            }
            MeshRequestErrorKind::NoMesh { selection, known } => {
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
            MeshRequestErrorKind::NoFile { pmu, file } => {
                write!(f, "{pmu}: the file `{file}` is missing or invalid")
            }
            MeshRequestErrorKind::UnknownEvent { pmu, name, nearest } => {
                write!(f, "{pmu} has no event `{}`", name.escape_debug())?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
                    None => Ok(()),
                }
            }
            MeshRequestErrorKind::EventString { pmu, name, what } => {
                write!(f, "{pmu}: event `{}`: {what}", name.escape_debug())
            }
            MeshRequestErrorKind::MatchGroup { pmu, error } => write!(f, "{pmu}: {error}"),
            MeshRequestErrorKind::NotCounted { pmu, event, error } => {
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
