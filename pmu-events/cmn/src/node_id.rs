//! Node IDs, which encode the location of a node in the mesh.

use core::fmt;

/// The ID of a node, which encodes its location: the term `nodeid`.
///
/// The meaning depends on the mesh: [`MeshSize`](super::MeshSize) encodes and
/// decodes IDs.
///
/// ```
/// use pmu_events::cmn::{MeshSize, NodeId, PortLayout};
///
/// let place = MeshSize::new(4, 4)?.place(PortLayout::Two, NodeId::new(0x48))?;
/// assert_eq!((place.x, place.y), (2, 1));
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u16);

impl NodeId {
    /// Makes an ID from its number in hardware (`node_info`, bits 16 to 31), or
    /// as shown by a tool.
    #[must_use]
    pub const fn new(id: u16) -> Self {
        NodeId(id)
    }

    /// Returns the ID as a number.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Whether it can be the ID of a crosspoint, whose port and device bits are
    /// zero: the lower three in any layout.
    #[must_use]
    pub const fn may_be_crosspoint(self) -> bool {
        self.0 & 7 == 0
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// The number of bits of a node ID for the port and for the device on it.
///
/// The layout may differ between crosspoints of one mesh (`arm_cmn_discover` in
/// `drivers/perf/arm-cmn.c`).
///
/// ```
/// use pmu_events::cmn::PortLayout;
///
/// assert_eq!((PortLayout::Two.max_port(), PortLayout::Four.max_port()), (1, 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortLayout {
    /// A crosspoint with one or two ports: one port bit, two device bits.
    Two,
    /// A crosspoint with more ports: two port bits, one device bit.
    Four,
    /// The only crosspoint of a mesh of 1 × 1: three port bits, two device
    /// bits.
    Single,
}

impl PortLayout {
    pub(super) const fn port_bits(self) -> u32 {
        match self {
            PortLayout::Two => 1,
            PortLayout::Four => 2,
            PortLayout::Single => 3,
        }
    }

    pub(super) const fn device_bits(self) -> u32 {
        match self {
            PortLayout::Four => 1,
            PortLayout::Two | PortLayout::Single => 2,
        }
    }

    /// Returns the largest port number: crosspoints have at most six ports
    /// (`CMN_MAX_PORTS`).
    #[must_use]
    pub const fn max_port(self) -> u8 {
        match self {
            PortLayout::Two => 1,
            PortLayout::Four => 3,
            PortLayout::Single => 5,
        }
    }

    /// Returns the largest number of a device on a port.
    #[must_use]
    pub const fn max_device(self) -> u8 {
        (1 << self.device_bits()) - 1
    }
}

/// The location of a node.
///
/// ```
/// use pmu_events::cmn::{MeshSize, NodeLocation, PortLayout};
///
/// let place = NodeLocation { x: 2, y: 1, port: 0, device: 0 };
/// assert_eq!(MeshSize::new(4, 4)?.node_id(PortLayout::Two, place)?.get(), 0x48);
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeLocation {
    /// The column of its crosspoint, from 0 at the left.
    pub x: u8,
    /// The row of its crosspoint, from 0 at the bottom.
    pub y: u8,
    /// The port of the crosspoint.
    pub port: u8,
    /// The device on the port.
    pub device: u8,
}

/// The nodes of its type that an event counts.
///
/// ```
/// use pmu_events::cmn::{NodeEvent, NodeId, NodeSelection, NodeType};
///
/// let event = NodeEvent::new(NodeType::HnF, 1)?;
/// assert_eq!(event.scope(), NodeSelection::Mesh);
/// assert_eq!(event.at(NodeId::new(0x48))?.scope(), NodeSelection::Node(NodeId::new(0x48)));
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeSelection {
    /// All nodes of the mesh, summed.
    #[default]
    Mesh,
    /// The node with this ID (`bynodeid=1` and `nodeid`).
    Node(NodeId),
}
