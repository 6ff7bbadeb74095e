use core::fmt;

use super::node_id::NodeId;

/// The error for something that cannot be counted on a mesh.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
}

/// The reason why something cannot be counted on a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value that does not fit its term, register or flit field.
    TooLarge {
        /// The term or field.
        what: &'static str,
        /// The requested value.
        value: u64,
        /// The largest value that fits.
        max: u64,
    },
    /// A mesh has 1 to 14 columns and 1 to 14 rows.
    MeshSize {
        /// The requested number of columns.
        columns: u8,
        /// The requested number of rows.
        rows: u8,
    },
    /// The port layout of a single crosspoint is only allowed in a mesh of 1 ×
    /// 1, and is the only one allowed there.
    PortLayout,
    /// A node ID that sets bits beyond the mesh's.
    OutsideMesh(NodeId),
    /// A node type without events that the driver counts.
    NodeType(u16),
    /// The DTC only counts cycles:
    /// [`MeshEvent::Cycles`](super::MeshEvent::Cycles).
    OnlyCycles,
    /// Partial data flits are only counted on the data channels of device
    /// ports.
    PartialData,
    /// A node ID that is a device's: a crosspoint's ends in zeros.
    NotACrosspoint(NodeId),
    /// An invalid direction of a watchpoint: it must be up (event ID 0) or down
    /// (2).
    Direction(u16),
    /// A watchpoint's `wp_chn_sel` that is not one of the four channels.
    Channel(u8),
    /// A watchpoint's `wp_grp` that is not a match group.
    MatchGroup(u8),
    /// A `combine` of 0 for two combined watchpoints.
    CombineZero,
    /// Two watchpoints in one match group: a pair needs two groups.
    SameGroup,
    /// Two watchpoints on different channels.
    DifferentChannels,
    /// Channels other than REQ and SNP, which do not support combined
    /// watchpoints.
    NotCombined,
    /// A flit field that this channel and match group do not contain on this
    /// product.
    NoField(&'static str),
    /// An event that the product does not have: the driver would count another
    /// one.
    NotOnProduct(&'static str),
    /// A term that this kind of event does not have and that the kernel
    /// ignores.
    Stray(&'static str),
    /// A missing term that the alias of a watchpoint requires.
    Missing(&'static str),
    /// A term that the PMU's formats do not list.
    NoFormat(&'static str),
    /// Bits of the config words that do not belong to any term.
    UnknownBits,
    /// A sampling period: the mesh cannot be sampled.
    Sampling,
}

impl Error {
    pub(super) const fn new(kind: ErrorKind) -> Self {
        Error { kind }
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Panics with the error as the message, which the compiler shows if this
    /// happens in a `const`.
    ///
    /// ```compile_fail
    /// use pmu_events::cmn::{NodeEvent, NodeType};
    /// const EVENT: NodeEvent = match NodeEvent::new(NodeType::HnF, 0x800) {
    ///     Ok(event) => event,
    ///     Err(error) => error.panic(),
    /// };
    /// ```
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn panic(self) -> ! {
        panic!("{}", self.kind.text())
    }
}

impl ErrorKind {
    /// The message without values, for a `const`, where nothing can be
    /// formatted.
    const fn text(self) -> &'static str {
        match self {
            ErrorKind::TooLarge { .. } => "the value is too large for its term or field",
            ErrorKind::MeshSize { .. } => "a mesh has 1 to 14 columns and 1 to 14 rows",
            ErrorKind::PortLayout => "the port layout does not belong to the size of the mesh",
            ErrorKind::OutsideMesh(_) => "the node id is outside this mesh",
            ErrorKind::NodeType(_) => "the node type has no events",
            ErrorKind::OnlyCycles => "the DTC counts only cycles",
            ErrorKind::PartialData => {
                "partial data flits are counted only on the data channels of device ports"
            }
            ErrorKind::NotACrosspoint(_) => "the node id is not that of a crosspoint",
            ErrorKind::Direction(_) => "a watchpoint's event id is 0 (up) or 2 (down)",
            ErrorKind::Channel(_) => {
                "a watchpoint's channel is 0 (REQ), 1 (RSP), 2 (SNP) or 3 (DAT)"
            }
            ErrorKind::MatchGroup(_) => "a watchpoint's match group is 0, 1 or 2",
            ErrorKind::CombineZero => "watchpoints are combined by a number that is not 0",
            ErrorKind::SameGroup => "a pair of watchpoints matches two groups",
            ErrorKind::DifferentChannels => "a pair of watchpoints looks at one channel",
            ErrorKind::NotCombined => "match groups are combined only on the REQ and SNP channels",
            ErrorKind::NoField(_) => "the flit field is not in this match group",
            ErrorKind::NotOnProduct(_) => "the product does not have this",
            ErrorKind::Stray(_) => "the event does not have this term",
            ErrorKind::Missing(_) => "a term of the watchpoint is missing",
            ErrorKind::NoFormat(_) => "the PMU has no such term",
            ErrorKind::UnknownBits => "the config words set bits that belong to no term",
            ErrorKind::Sampling => "the mesh counts and takes no samples",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ErrorKind::TooLarge { what, value, max } => {
                write!(f, "{value:#x} is too large for `{what}`: at most {max:#x} fits")
            }
            ErrorKind::MeshSize { columns, rows } => {
                write!(f, "{columns} × {rows}: {}", self.text())
            }
            ErrorKind::OutsideMesh(id) | ErrorKind::NotACrosspoint(id) => {
                write!(f, "{id}: {}", self.text())
            }
            ErrorKind::NodeType(0xd) => {
                write!(f, "RN-D nodes (type 0xd) are counted as RN-I: write type=0xa")
            }
            ErrorKind::NodeType(code) | ErrorKind::Direction(code) => {
                write!(f, "{code:#x}: {}", self.text())
            }
            ErrorKind::Channel(code) | ErrorKind::MatchGroup(code) => {
                write!(f, "{code}: {}", self.text())
            }
            ErrorKind::NoField(what)
            | ErrorKind::NotOnProduct(what)
            | ErrorKind::Stray(what)
            | ErrorKind::Missing(what)
            | ErrorKind::NoFormat(what) => write!(f, "`{what}`: {}", self.text()),
            _ => f.write_str(self.text()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {}
