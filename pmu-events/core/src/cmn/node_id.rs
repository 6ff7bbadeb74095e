//! Node ids: where in the mesh a node is.

use core::fmt;

/// The id of a node, which says where it is: the term `nodeid`.
///
/// What an id means depends on the mesh: [`MeshSize`](super::MeshSize) makes
/// ids and takes them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u16);

impl NodeId {
    /// An id as the hardware has it (`node_info`, bits 16 to 31), or a tool
    /// shows it.
    #[must_use]
    pub const fn new(id: u16) -> Self {
        NodeId(id)
    }

    /// The id as a number.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// Whether it can be that of a crosspoint, whose port and device bits are
    /// zero: the lower three of any layout.
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

/// How many bits of a node id are the port, and how many the device on it.
///
/// Crosspoints of one mesh may differ in it (`arm_cmn_discover` in
/// `drivers/perf/arm-cmn.c`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortLayout {
    /// A crosspoint with one or two ports: one bit of port, two of device.
    Two,
    /// A crosspoint with more ports: two bits of port, one of device.
    Four,
    /// The only crosspoint of a mesh of 1 × 1: three bits of port, two of
    /// device.
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

    /// The largest number of a port: no crosspoint has more than six
    /// (`CMN_MAX_PORTS`).
    #[must_use]
    pub const fn max_port(self) -> u8 {
        match self {
            PortLayout::Two => 1,
            PortLayout::Four => 3,
            PortLayout::Single => 5,
        }
    }

    /// The largest number of a device on a port.
    #[must_use]
    pub const fn max_device(self) -> u8 {
        (1 << self.device_bits()) - 1
    }
}

/// Where a node is.
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
