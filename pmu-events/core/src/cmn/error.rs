use core::fmt;

use super::node_id::NodeId;

/// Why something cannot be counted on a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
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
        panic!("{}", self.text())
    }

    /// The error without its values, where nothing can be formatted.
    const fn text(self) -> &'static str {
        match self {
            Error::TooLarge { .. } => "the value is too large for its term or field",
            Error::MeshSize { .. } => "a mesh has 1 to 12 columns and 1 to 12 rows",
            Error::PortLayout => "the port layout does not belong to the size of the mesh",
            Error::OutsideMesh(_) => "the node id is not of this mesh",
            Error::NodeType(_) => "the node type has no events",
            Error::OnlyCycles => "the DTC counts cycles alone",
            Error::PartialData => {
                "partial data flits are counted on data channels of device ports alone"
            }
            Error::NotACrosspoint(_) => "the node id is not that of a crosspoint",
            Error::Direction(_) => "a watchpoint's event id is 0 (up) or 2 (down)",
            Error::Channel(_) => "a watchpoint's channel is 0 (REQ), 1 (RSP), 2 (SNP) or 3 (DAT)",
            Error::MatchGroup(_) => "a watchpoint's match group is 0, 1 or 2",
            Error::CombineZero => "watchpoints are combined by a number that is not 0",
            Error::SameGroup => "a pair of watchpoints matches two groups",
            Error::DifferentChannels => "a pair of watchpoints looks at one channel",
            Error::NotCombined => "match groups are combined on the REQ and SNP channels alone",
            Error::NoField(_) => "the flit field is not in this match group",
            Error::NotOnProduct(_) => "the product does not have this",
            Error::Stray(_) => "the event does not have this term",
            Error::Missing(_) => "a term of the watchpoint is missing",
            Error::NoFormat(_) => "the PMU has no such term",
            Error::UnknownBits => "the config words have bits that no term has",
            Error::Sampling => "the mesh counts and takes no samples",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Error::TooLarge { what, value, max } => {
                write!(f, "{value:#x} is too large for '{what}': at most {max:#x} fits")
            }
            Error::MeshSize { columns, rows } => {
                write!(f, "{columns} × {rows}: {}", self.text())
            }
            Error::OutsideMesh(id) | Error::NotACrosspoint(id) => {
                write!(f, "{id}: {}", self.text())
            }
            Error::NodeType(0xd) => {
                write!(f, "RN-D nodes (type 0xd) are counted as RN-I: write type=0xa")
            }
            Error::NodeType(code) | Error::Direction(code) => {
                write!(f, "{code:#x}: {}", self.text())
            }
            Error::Channel(code) | Error::MatchGroup(code) => write!(f, "{code}: {}", self.text()),
            Error::NoField(what)
            | Error::NotOnProduct(what)
            | Error::Stray(what)
            | Error::Missing(what)
            | Error::NoFormat(what) => write!(f, "'{what}': {}", self.text()),
            _ => f.write_str(self.text()),
        }
    }
}

impl core::error::Error for Error {}
