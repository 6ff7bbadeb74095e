//! Encoding and decoding node IDs.

use super::error::{Error, Fault};
use super::node_id::{NodeId, NodeLocation, PortLayout};

/// The size of a mesh, in crosspoints.
///
/// ```
/// use pmu_events::cmn::{MeshSize, NodeId, NodeLocation, PortLayout};
/// let size = MeshSize::new(6, 4)?;
/// let place = NodeLocation { x: 3, y: 2, port: 1, device: 0 };
/// let id = size.node_id(PortLayout::Two, place)?;
/// assert_eq!(id, NodeId::new(0xd4)); // 011 010 1 00
/// assert_eq!(size.place(PortLayout::Two, id)?, place);
/// assert_eq!(size.crosspoint(3, 2)?, NodeId::new(0xd0));
///
/// let error = size.crosspoint(6, 0).unwrap_err();
/// assert_eq!(error.to_string(), "0x6 is too large for `x`: at most 0x5 fits");
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
///
/// # Bit layout
///
/// The fields are, from the top, x, y, port and device. x and y each have as
/// many bits as the larger of the two dimensions needs, and at least two
/// (`arm_cmn_xyidbits` in `drivers/perf/arm-cmn.c`; “Node ID Mapping” in the
/// technical reference manuals). The use of the lower bits depends on the
/// crosspoint's [`PortLayout`].
///
/// Linux 6.12's driver assumes one bit if no dimension is above two. Arm's own
/// tools (`id_coord_bits` in cmn-tools) and the driver before “perf/arm-cmn:
/// Refactor node ID handling. Again.” assume two. `nodeid` is compared with the
/// hardware's ID; use [`MeshSize::with_coordinate_bits`] for a mesh that has
/// fewer bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MeshSize {
    columns: u8,
    rows: u8,
    coordinate_bits: u8,
}

impl MeshSize {
    /// The maximum number of columns and of rows (`CMN_MAX_DIMENSION`): Arm's
    /// limit is 12, but there are larger meshes.
    pub const MAX_DIMENSION: u8 = 14;

    /// Makes the size of a mesh from its number of columns (x) and rows (y).
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is 0 or above 14.
    pub const fn new(columns: u8, rows: u8) -> Result<Self, Error> {
        let max = Self::MAX_DIMENSION;
        if columns == 0 || rows == 0 || columns > max || rows > max {
            return Err(Error::new(Fault::MeshSize { columns, rows }));
        }
        let needed = needed_bits(columns, rows);
        let coordinate_bits = if needed < 2 { 2 } else { needed };
        Ok(MeshSize { columns, rows, coordinate_bits })
    }

    /// Returns the mesh size with this number of bits for x, and the same for
    /// y.
    ///
    /// # Errors
    ///
    /// Returns an error if they are too few for the mesh, or if the ID would
    /// not fit in 16 bits.
    pub const fn with_coordinate_bits(self, bits: u8) -> Result<Self, Error> {
        if bits < needed_bits(self.columns, self.rows) {
            return Err(Error::new(Fault::MeshSize { columns: self.columns, rows: self.rows }));
        }
        if bits > 5 {
            return Err(Error::new(Fault::TooLarge {
                what: "coordinate bits",
                value: bits as u64,
                max: 5,
            }));
        }
        Ok(MeshSize { coordinate_bits: bits, ..self })
    }

    /// Returns the number of columns.
    #[must_use]
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Returns the number of bits of an ID for x, which is the same for y.
    #[must_use]
    pub const fn coordinate_bits(self) -> u8 {
        self.coordinate_bits
    }

    /// Returns the layout of a crosspoint with this number of ports, which is
    /// determined by the highest connected one: ports 0 and 2 mean three.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than six, or more than four in a mesh
    /// with several crosspoints, whose IDs have no room for them.
    pub const fn port_layout(self, ports: u8) -> Result<PortLayout, Error> {
        let layout = match ports {
            _ if self.is_single() => PortLayout::Single,
            0..=2 => PortLayout::Two,
            _ => PortLayout::Four,
        };
        let max = layout.max_port() + 1;
        if ports > max {
            return Err(Error::new(Fault::TooLarge {
                what: "ports",
                value: ports as u64,
                max: max as u64,
            }));
        }
        Ok(layout)
    }

    /// Returns the ID of the node at a location.
    ///
    /// # Errors
    ///
    /// Returns an error if the location is outside the mesh, or the layout is
    /// not one of this mesh.
    pub const fn node_id(self, layout: PortLayout, place: NodeLocation) -> Result<NodeId, Error> {
        if let Err(error) = self.check(layout, place) {
            return Err(error);
        }
        let bits = self.coordinate_bits as u32;
        let id = (place.x as u32) << bits | place.y as u32;
        let id = id << layout.port_bits() | place.port as u32;
        let id = id << layout.device_bits() | place.device as u32;
        Ok(NodeId::new(id as u16))
    }

    /// Returns the ID of a crosspoint, for events of type
    /// [`Xp`](super::NodeType::Xp) and watchpoints.
    ///
    /// # Errors
    ///
    /// Returns an error if the mesh has no such column or row.
    pub const fn crosspoint(self, x: u8, y: u8) -> Result<NodeId, Error> {
        let layout = if self.is_single() { PortLayout::Single } else { PortLayout::Two };
        self.node_id(layout, NodeLocation { x, y, port: 0, device: 0 })
    }

    /// Returns the location of the node with an ID.
    ///
    /// # Errors
    ///
    /// Returns an error if the location is outside the mesh, or the layout is
    /// not one of this mesh.
    pub const fn place(self, layout: PortLayout, id: NodeId) -> Result<NodeLocation, Error> {
        let (device_bits, port_bits) = (layout.device_bits(), layout.port_bits());
        let coordinate_bits = self.coordinate_bits as u32;
        let mut rest = id.get() as u32;
        let device = low(rest, device_bits);
        rest >>= device_bits;
        let port = low(rest, port_bits);
        rest >>= port_bits;
        let y = low(rest, coordinate_bits);
        rest >>= coordinate_bits;
        if rest >> coordinate_bits != 0 {
            return Err(Error::new(Fault::OutsideMesh(id)));
        }
        let place = NodeLocation { x: rest as u8, y, port, device };
        match self.check(layout, place) {
            Ok(()) => Ok(place),
            Err(error) => Err(error),
        }
    }

    const fn is_single(self) -> bool {
        self.columns == 1 && self.rows == 1
    }

    const fn check(self, layout: PortLayout, place: NodeLocation) -> Result<(), Error> {
        if matches!(layout, PortLayout::Single) != self.is_single() {
            return Err(Error::new(Fault::PortLayout));
        }
        let limits = [
            ("x", place.x, self.columns - 1),
            ("y", place.y, self.rows - 1),
            ("port", place.port, layout.max_port()),
            ("device", place.device, layout.max_device()),
        ];
        let mut n = 0;
        while n < limits.len() {
            let (what, value, max) = limits[n];
            if value > max {
                return Err(Error::new(Fault::TooLarge {
                    what,
                    value: value as u64,
                    max: max as u64,
                }));
            }
            n += 1;
        }
        Ok(())
    }
}

const fn needed_bits(columns: u8, rows: u8) -> u8 {
    (u8::BITS - ((columns - 1) | (rows - 1)).leading_zeros()) as u8
}

const fn low(value: u32, bits: u32) -> u8 {
    (value & ((1 << bits) - 1)) as u8
}
