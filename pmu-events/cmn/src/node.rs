//! Types of nodes.

use core::fmt;

/// A type of node that counts events, with its code as discriminant: the term
/// `type` (`enum cmn_node_type` in `drivers/perf/arm-cmn.c`).
///
/// RN-D nodes have the events of RN-I nodes and are counted with them, as type
/// 0xa.
///
/// ```
/// use pmu_events::cmn::NodeType;
/// assert_eq!(NodeType::RnI.code(), 0xa);
/// assert_eq!(NodeType::of_code(0x5), Some(NodeType::HnF));
/// // The hardware's code for RN-D is not a type of events.
/// assert_eq!(NodeType::of_code(0xd), None);
/// assert_eq!(NodeType::of_hardware(0xd), [NodeType::RnI]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u16)]
pub enum NodeType {
    /// DN: distributes virtual memory messages (DVM).
    Dn = 0x1,
    /// DTC: the debug and trace controller, whose only event is its cycle
    /// counter.
    Dtc = 0x3,
    /// HN-I: home of I/O.
    HnI = 0x4,
    /// HN-F: home of coherent memory, with its slice of the system-level cache.
    HnF = 0x5,
    /// XP: a crosspoint, also called MXP.
    Xp = 0x6,
    /// SBSX: bridge to memory on AXI.
    Sbsx = 0x7,
    /// RN-I and RN-D: requesters for devices, the latter with DVM.
    RnI = 0xa,
    /// MTSX: storage of memory tags.
    Mtsx = 0x10,
    /// HN-P: home of PCIe, part of an HN-I.
    HnP = 0x11,
    /// CXRA: requests to another chip (CML, by CCIX).
    Cxra = 0x100,
    /// CXHA: requests from another chip.
    Cxha = 0x101,
    /// CCRA: requests to another chip through a gateway (CCG).
    Ccra = 0x103,
    /// CCHA: requests from another chip through a gateway.
    Ccha = 0x104,
    /// CCLA: the gateway's link.
    Ccla = 0x105,
    /// HN-S: home of coherent memory, which later meshes have instead of HN-F.
    HnS = 0x200,
}

impl NodeType {
    /// All types, by code.
    pub const ALL: &'static [NodeType] = &[
        NodeType::Dn,
        NodeType::Dtc,
        NodeType::HnI,
        NodeType::HnF,
        NodeType::Xp,
        NodeType::Sbsx,
        NodeType::RnI,
        NodeType::Mtsx,
        NodeType::HnP,
        NodeType::Cxra,
        NodeType::Cxha,
        NodeType::Ccra,
        NodeType::Ccha,
        NodeType::Ccla,
        NodeType::HnS,
    ];

    /// Returns the code: the term `type`.
    #[must_use]
    #[inline]
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// Finds the node type of a code in an event.
    #[must_use]
    pub const fn of_code(code: u16) -> Option<NodeType> {
        let mut n = 0;
        while n < Self::ALL.len() {
            if Self::ALL[n].code() == code {
                return Some(Self::ALL[n]);
            }
            n += 1;
        }
        None
    }

    /// Returns the node types as which the driver counts a node with this code
    /// in the register `node_info`: RN-D (0xd) as RN-I; HN-P and CCLA with RN-I
    /// (0x106), each of which is two nodes in one, as both types
    /// (`arm_cmn_discover`, `arm_cmn_init_dtcs`); nodes without events as none.
    #[must_use]
    pub const fn of_hardware(code: u16) -> &'static [NodeType] {
        match code {
            0xd => &[NodeType::RnI],
            0x11 => &[NodeType::HnP, NodeType::HnI],
            0x106 => &[NodeType::Ccla, NodeType::RnI],
            _ => {
                let mut n = 0;
                while n < Self::ALL.len() {
                    if Self::ALL[n].code() == code {
                        return Self::ALL.split_at(n).1.split_at(1).0;
                    }
                    n += 1;
                }
                &[]
            }
        }
    }

    /// Returns the prefix of its events' names, without the underscore.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            NodeType::Dn => "dn",
            NodeType::Dtc => "dtc",
            NodeType::HnI => "hni",
            NodeType::HnF => "hnf",
            NodeType::Xp => "mxp",
            NodeType::Sbsx => "sbsx",
            NodeType::RnI => "rnid",
            NodeType::Mtsx => "mtsx",
            NodeType::HnP => "hnp",
            NodeType::Cxra => "cxra",
            NodeType::Cxha => "cxha",
            NodeType::Ccra => "ccra",
            NodeType::Ccha => "ccha",
            NodeType::Ccla => "ccla",
            NodeType::HnS => "hns",
        }
    }

    /// Whether some of its events have a second filter (`SEL_EVICT_STATE_SEL`).
    pub(super) const fn has_filter2(self) -> bool {
        matches!(self, NodeType::HnS)
    }

    /// Returns the name as Arm's manuals write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            NodeType::Dn => "DN",
            NodeType::Dtc => "DTC",
            NodeType::HnI => "HN-I",
            NodeType::HnF => "HN-F",
            NodeType::Xp => "XP",
            NodeType::Sbsx => "SBSX",
            NodeType::RnI => "RN-I",
            NodeType::Mtsx => "MTSX",
            NodeType::HnP => "HN-P",
            NodeType::Cxra => "CXRA",
            NodeType::Cxha => "CXHA",
            NodeType::Ccra => "CCRA",
            NodeType::Ccha => "CCHA",
            NodeType::Ccla => "CCLA",
            NodeType::HnS => "HN-S",
        }
    }
}

impl fmt::Display for NodeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
