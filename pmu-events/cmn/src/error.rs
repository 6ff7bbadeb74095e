use core::fmt;

use super::node_id::NodeId;

/// The error for something that cannot be counted on a mesh.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    fault: Fault,
}

/// The reason why something cannot be counted on a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
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
    pub(super) const fn new(fault: Fault) -> Self {
        Error { fault }
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
        panic!("{}", self.fault.text())
    }
}

impl Fault {
    /// The message without values, for a `const`, where nothing can be
    /// formatted.
    const fn text(self) -> &'static str {
        match self {
            Fault::TooLarge { .. } => "the value is too large for its term or field",
            Fault::MeshSize { .. } => "a mesh has 1 to 14 columns and 1 to 14 rows",
            Fault::PortLayout => "the port layout does not belong to the size of the mesh",
            Fault::OutsideMesh(_) => "the node id is outside this mesh",
            Fault::NodeType(_) => "the node type has no events",
            Fault::OnlyCycles => "the DTC counts only cycles",
            Fault::PartialData => {
                "partial data flits are counted only on the data channels of device ports"
            }
            Fault::NotACrosspoint(_) => "the node id is not that of a crosspoint",
            Fault::Direction(_) => "a watchpoint's event id is 0 (up) or 2 (down)",
            Fault::Channel(_) => "a watchpoint's channel is 0 (REQ), 1 (RSP), 2 (SNP) or 3 (DAT)",
            Fault::MatchGroup(_) => "a watchpoint's match group is 0, 1 or 2",
            Fault::CombineZero => "watchpoints are combined by a number that is not 0",
            Fault::SameGroup => "a pair of watchpoints matches two groups",
            Fault::DifferentChannels => "a pair of watchpoints looks at one channel",
            Fault::NotCombined => "match groups are combined only on the REQ and SNP channels",
            Fault::NoField(_) => "the flit field is not in this match group",
            Fault::NotOnProduct(_) => "the product does not have this",
            Fault::Stray(_) => "the event does not have this term",
            Fault::Missing(_) => "a term of the watchpoint is missing",
            Fault::NoFormat(_) => "the PMU has no such term",
            Fault::UnknownBits => "the config words set bits that belong to no term",
            Fault::Sampling => "the mesh counts and takes no samples",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::TooLarge { what, value, max } => {
                write!(f, "{value:#x} is too large for `{what}`: at most {max:#x} fits")
            }
            Fault::MeshSize { columns, rows } => {
                write!(f, "{columns} × {rows}: {}", self.text())
            }
            Fault::OutsideMesh(id) | Fault::NotACrosspoint(id) => {
                write!(f, "{id}: {}", self.text())
            }
            Fault::NodeType(0xd) => {
                write!(f, "RN-D nodes (type 0xd) are counted as RN-I: write type=0xa")
            }
            Fault::NodeType(code) | Fault::Direction(code) => {
                write!(f, "{code:#x}: {}", self.text())
            }
            Fault::Channel(code) | Fault::MatchGroup(code) => {
                write!(f, "{code}: {}", self.text())
            }
            Fault::NoField(what)
            | Fault::NotOnProduct(what)
            | Fault::Stray(what)
            | Fault::Missing(what)
            | Fault::NoFormat(what) => write!(f, "`{what}`: {}", self.text()),
            _ => f.write_str(self.text()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

pmu_events_core::__private::debug_as_display!(Error);

impl core::error::Error for Error {}
