//! Nodes, their IDs and their locations.

extern crate std;

use std::collections::BTreeSet;
use std::vec::Vec;

use crate::error::Fault;
use crate::*;

#[test]
fn codes_of_nodes() {
    let codes: Vec<_> = NodeType::ALL.iter().map(|node| node.code()).collect();
    let expected = [1, 3, 4, 5, 6, 7, 0xa, 0x10, 0x11, 0x100, 0x101, 0x103, 0x104, 0x105, 0x200];
    assert_eq!(codes, expected);
    for code in 0..=u16::MAX {
        let node = NodeType::of_code(code);
        assert_eq!(node.map(NodeType::code), expected.contains(&code).then_some(code));
        let counted = NodeType::of_hardware(code);
        match code {
            0xd => assert_eq!(counted, [NodeType::RnI]),
            0x11 => assert_eq!(counted, [NodeType::HnP, NodeType::HnI]),
            0x106 => assert_eq!(counted, [NodeType::Ccla, NodeType::RnI]),
            _ => assert_eq!(counted.first().copied(), node),
        }
    }
}

/// The kernel's `fls`: the number of the highest set bit, from 1.
fn fls(value: u8) -> u32 {
    u8::BITS - value.leading_zeros()
}

#[test]
fn every_node_of_every_mesh() {
    let mut count = 0;
    for columns in 1..=MeshSize::MAX_DIMENSION {
        for rows in 1..=MeshSize::MAX_DIMENSION {
            let size = MeshSize::new(columns, rows).unwrap();
            let bits = fls((columns - 1) | (rows - 1)).max(2);
            assert_eq!(u32::from(size.coordinate_bits()), bits);
            let single = columns == 1 && rows == 1;
            let layouts: &[(PortLayout, u32, u32)] = if single {
                &[(PortLayout::Single, 3, 2)]
            } else {
                &[(PortLayout::Two, 1, 2), (PortLayout::Four, 2, 1)]
            };
            for &(layout, port_bits, device_bits) in layouts {
                let ports = u8::min(1 << port_bits, 6);
                let mut ids = BTreeSet::new();
                for x in 0..columns {
                    for y in 0..rows {
                        for port in 0..ports {
                            for device in 0..1 << device_bits {
                                let place = NodeLocation { x, y, port, device };
                                let id = size.node_id(layout, place).unwrap();
                                let crosspoint = u16::from(x) << bits | u16::from(y);
                                let expected = crosspoint << (port_bits + device_bits)
                                    | u16::from(port) << device_bits
                                    | u16::from(device);
                                assert_eq!(id.get(), expected, "{size:?} {place:?}");
                                assert_eq!(size.place(layout, id), Ok(place));
                                assert!(ids.insert(id));
                            }
                        }
                        let id = size.crosspoint(x, y).unwrap();
                        assert!(ids.contains(&id) && id.may_be_crosspoint());
                    }
                }
                count += ids.len();
                // All other IDs are outside this mesh.
                let others = (0..=u16::MAX).map(NodeId::new).filter(|id| !ids.contains(id));
                if columns == rows || (columns, rows) == (6, 3) {
                    for id in others {
                        assert!(size.place(layout, id).is_err(), "{size:?} {id}");
                    }
                }
            }
        }
    }
    assert_eq!(count, 2 * 8 * (105 * 105 - 1) + 6 * 4);
}

#[test]
fn places_that_are_none() {
    let size = MeshSize::new(6, 4).unwrap();
    let place = |x, y, port, device| NodeLocation { x, y, port, device };
    let cases = [
        (PortLayout::Two, place(6, 0, 0, 0), "x", 6, 5),
        (PortLayout::Two, place(0, 4, 0, 0), "y", 4, 3),
        (PortLayout::Two, place(0, 0, 2, 0), "port", 2, 1),
        (PortLayout::Two, place(0, 0, 0, 4), "device", 4, 3),
        (PortLayout::Four, place(0, 0, 4, 0), "port", 4, 3),
        (PortLayout::Four, place(0, 0, 0, 2), "device", 2, 1),
    ];
    for (layout, place, what, value, max) in cases {
        let error = Error::new(Fault::TooLarge { what, value, max });
        assert_eq!(size.node_id(layout, place), Err(error), "{place:?}");
    }
    let origin = NodeLocation::default();
    assert_eq!(size.node_id(PortLayout::Single, origin), Err(Error::new(Fault::PortLayout)));
    let single = MeshSize::new(1, 1).unwrap();
    assert_eq!(single.node_id(PortLayout::Two, origin), Err(Error::new(Fault::PortLayout)));
    assert_eq!(
        size.place(PortLayout::Two, NodeId::new(0x200)).err(),
        Some(Error::new(Fault::OutsideMesh(NodeId::new(0x200))))
    );
    for (columns, rows) in [(0, 1), (1, 0), (15, 1), (1, 15), (255, 255)] {
        assert_eq!(
            MeshSize::new(columns, rows),
            Err(Error::new(Fault::MeshSize { columns, rows }))
        );
    }
}

#[test]
fn layouts_of_ports() {
    let (single, several) = (MeshSize::new(1, 1).unwrap(), MeshSize::new(2, 1).unwrap());
    let cases = [
        (several, 0, Ok(PortLayout::Two)),
        (several, 2, Ok(PortLayout::Two)),
        (several, 3, Ok(PortLayout::Four)),
        (several, 4, Ok(PortLayout::Four)),
        (several, 5, Err(Error::new(Fault::TooLarge { what: "ports", value: 5, max: 4 }))),
        (single, 1, Ok(PortLayout::Single)),
        (single, 6, Ok(PortLayout::Single)),
        (single, 7, Err(Error::new(Fault::TooLarge { what: "ports", value: 7, max: 6 }))),
    ];
    for (size, ports, expected) in cases {
        assert_eq!(size.port_layout(ports), expected, "{size:?} {ports}");
    }
}

#[test]
fn other_widths_of_coordinates() {
    let size = MeshSize::new(2, 2).unwrap();
    let narrow = size.with_coordinate_bits(1).unwrap();
    let id = |size: MeshSize| size.crosspoint(1, 1).unwrap().get();
    assert_eq!((id(size), id(narrow)), (0x28, 0x18));
    assert!(size.with_coordinate_bits(0).is_err());
    assert!(size.with_coordinate_bits(6).is_err());
    let large = MeshSize::new(14, 14).unwrap();
    assert!(large.with_coordinate_bits(3).is_err());
    assert_eq!(large.with_coordinate_bits(4), Ok(large));
}

#[test]
fn crosspoints_by_their_parts() {
    let mut ids = BTreeSet::new();
    for &signal in Signal::ALL {
        for &interface in Interface::ALL {
            for &channel in LinkChannel::ALL {
                let is_data = matches!(channel, LinkChannel::Dat | LinkChannel::Dat2);
                let is_refused =
                    signal == Signal::PartialData && !(is_data && interface.port().is_some());
                match Crosspoint::new(signal, interface, channel) {
                    Ok(crosspoint) => {
                        assert!(!is_refused);
                        let id = crosspoint.event_id();
                        assert_eq!(id & 3, signal as u16);
                        assert_eq!(id >> 2 & 7, interface as u16);
                        assert_eq!(id >> 5, channel as u16);
                        assert_eq!(Crosspoint::of_event_id(id), Some(crosspoint));
                        let event = NodeEvent::of_crosspoint(crosspoint);
                        assert_eq!(NodeEvent::new(NodeType::Xp, id), Ok(event));
                        assert_eq!(event.crosspoint(), Some(crosspoint));
                        assert!(ids.insert(id));
                    }
                    Err(error) => {
                        assert!(is_refused && error == Error::new(Fault::PartialData))
                    }
                }
            }
        }
    }
    assert_eq!(ids.len(), 2 * 8 * 9 + 2 * 4);
    for id in 0..=u16::MAX {
        assert_eq!(Crosspoint::of_event_id(id).is_some(), ids.contains(&id), "{id:#x}");
    }
}
