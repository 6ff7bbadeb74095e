//! Node ids made and taken apart.

use super::error::{Error, ErrorKind};
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
/// assert_eq!(error.to_string(), "0x6 is too large for 'x': at most 0x5 fits");
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
///
/// # Which bits
///
/// From the top x, y, port and device. x and y have as many bits as the larger
/// of the two dimensions needs, two at least (`arm_cmn_xyidbits` in
/// `drivers/perf/arm-cmn.c`; “Node ID Mapping” in the technical reference
/// manuals); how the lower bits are shared out is a matter of the crosspoint,
/// its [`PortLayout`].
///
/// Linux 6.12's driver reckons with one bit where no dimension is above two.
/// Arm's own tools (`id_coord_bits` in cmn-tools) and the driver before “perf/arm-cmn:
/// Refactor node ID handling. Again.” have two. What `nodeid` is compared with
/// is the hardware's id; [`MeshSize::with_coordinate_bits`] is for a mesh that
/// has fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MeshSize {
    columns: u8,
    rows: u8,
    coordinate_bits: u8,
}

impl MeshSize {
    /// The most columns, and the most rows (`CMN_MAX_DIMENSION`).
    pub const MAX_DIMENSION: u8 = 12;

    /// A mesh of so many columns (its x dimension) and rows (y).
    ///
    /// # Errors
    ///
    /// When one of them is 0 or above 12.
    pub const fn new(columns: u8, rows: u8) -> Result<Self, Error> {
        let max = Self::MAX_DIMENSION;
        if columns == 0 || rows == 0 || columns > max || rows > max {
            return Err(Error::new(ErrorKind::MeshSize { columns, rows }));
        }
        let needed = needed_bits(columns, rows);
        let coordinate_bits = if needed < 2 { 2 } else { needed };
        Ok(MeshSize { columns, rows, coordinate_bits })
    }

    /// The same mesh with so many bits for x, and as many for y.
    ///
    /// # Errors
    ///
    /// When they are too few for the mesh, or the id would not have 16 bits'
    /// room.
    pub const fn with_coordinate_bits(self, bits: u8) -> Result<Self, Error> {
        if bits < needed_bits(self.columns, self.rows) {
            return Err(Error::new(ErrorKind::MeshSize { columns: self.columns, rows: self.rows }));
        }
        if bits > 5 {
            return Err(Error::new(ErrorKind::TooLarge {
                what: "coordinate bits",
                value: bits as u64,
                max: 5,
            }));
        }
        Ok(MeshSize { coordinate_bits: bits, ..self })
    }

    /// How many columns it has.
    #[must_use]
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// How many rows it has.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// How many bits of an id are x, and how many y.
    #[must_use]
    pub const fn coordinate_bits(self) -> u8 {
        self.coordinate_bits
    }

    /// The layout of a crosspoint with so many ports. What counts is the
    /// highest that is connected: ports 0 and 2 are three.
    ///
    /// # Errors
    ///
    /// When there are more than six, or more than four on one crosspoint of
    /// several, whose ids have no room for them.
    pub const fn port_layout(self, ports: u8) -> Result<PortLayout, Error> {
        let layout = match ports {
            _ if self.is_single() => PortLayout::Single,
            0..=2 => PortLayout::Two,
            _ => PortLayout::Four,
        };
        let max = layout.max_port() + 1;
        if ports > max {
            return Err(Error::new(ErrorKind::TooLarge {
                what: "ports",
                value: ports as u64,
                max: max as u64,
            }));
        }
        Ok(layout)
    }

    /// The id of the node at a place.
    ///
    /// # Errors
    ///
    /// When the place is not in the mesh, or the layout not one of this mesh.
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

    /// The id of a crosspoint: what events of type [`Xp`](super::NodeType::Xp)
    /// and watchpoints are aimed at.
    ///
    /// # Errors
    ///
    /// When the mesh has no such column or row.
    pub const fn crosspoint(self, x: u8, y: u8) -> Result<NodeId, Error> {
        let layout = if self.is_single() { PortLayout::Single } else { PortLayout::Two };
        self.node_id(layout, NodeLocation { x, y, port: 0, device: 0 })
    }

    /// Where the node of an id is.
    ///
    /// # Errors
    ///
    /// When that is not in the mesh, or the layout not one of this mesh.
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
            return Err(Error::new(ErrorKind::OutsideMesh(id)));
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
            return Err(Error::new(ErrorKind::PortLayout));
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
                return Err(Error::new(ErrorKind::TooLarge {
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
