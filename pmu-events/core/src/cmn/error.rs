use core::fmt;

use super::node_id::NodeId;

/// Why something cannot be counted on a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
}

/// What keeps something from being counted on a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A value that has no room in its term, its register or its flit field.
    TooLarge {
        /// The term or field.
        what: &'static str,
        /// What was asked for.
        value: u64,
        /// The most that fits.
        max: u64,
    },
    /// A mesh has 1 to 12 columns and 1 to 12 rows.
    MeshSize {
        /// The columns asked for.
        columns: u8,
        /// The rows asked for.
        rows: u8,
    },
    /// The port layout of a single crosspoint belongs to a mesh of 1 × 1, and to
    /// none else.
    PortLayout,
    /// A node id that has bits beyond the mesh's.
    OutsideMesh(NodeId),
    /// The node type has no events that the driver counts.
    NodeType(u16),
    /// The DTC counts cycles alone: [`MeshEvent::Cycles`](super::MeshEvent::Cycles).
    OnlyCycles,
    /// Partial data flits are counted on the data channels of device ports
    /// alone.
    PartialData,
    /// A crosspoint's node id ends in zeros; this is that of a device.
    NotACrosspoint(NodeId),
    /// A watchpoint looks up (event id 0) or down (2).
    Direction(u16),
    /// A watchpoint's `wp_chn_sel` is none of the four channels.
    Channel(u8),
    /// A watchpoint's `wp_grp` is none of the match groups.
    MatchGroup(u8),
    /// What two watchpoints share to be combined is not 0.
    CombineZero,
    /// Two watchpoints of one match group: a pair is one of each.
    SameGroup,
    /// Two watchpoints on different channels.
    DifferentChannels,
    /// Fields of two match groups are combined on the REQ and SNP channels.
    NotCombined,
    /// The flit field does not lie in this channel and match group on this
    /// product.
    NoField(&'static str),
    /// The product has no such event: the driver would count another.
    NotOnProduct(&'static str),
    /// A term that this kind of event does not have, and the kernel passes
    /// over.
    Stray(&'static str),
    /// A term that the alias of a watchpoint needs.
    Missing(&'static str),
    /// The PMU's formats do not list the term.
    NoFormat(&'static str),
    /// Bits of the config words that no term has.
    UnknownBits,
    /// The mesh cannot be sampled.
    Sampling,
}

impl Error {
    pub(super) const fn new(kind: ErrorKind) -> Self {
        Error { kind }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Ends a `const` evaluation with the error as the compiler's message.
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
    /// The error without its values, where nothing can be formatted.
    const fn text(self) -> &'static str {
        match self {
            ErrorKind::TooLarge { .. } => "the value is too large for its term or field",
            ErrorKind::MeshSize { .. } => "a mesh has 1 to 12 columns and 1 to 12 rows",
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
                write!(f, "{value:#x} is too large for '{what}': at most {max:#x} fits")
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
            | ErrorKind::NoFormat(what) => write!(f, "'{what}': {}", self.text()),
            _ => f.write_str(self.text()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl core::error::Error for Error {}
