extern crate std;

use std::collections::{BTreeMap, BTreeSet};
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::*;
use crate::builtin;
use crate::config;
use crate::format::Format;
use crate::term::Terms;

/// Numbers that look random and are the same each time (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn event(&mut self) -> Event {
        match self.below(5) {
            0 => Event::Cycles,
            1 | 2 => self.node_event().into(),
            _ => self.watchpoint().into(),
        }
    }

    fn node_event(&mut self) -> NodeEvent {
        let types: Vec<_> =
            NodeType::ALL.into_iter().filter(|&node| node != NodeType::Dtc).collect();
        let node = self.one_of(&types);
        let id = self.below(usize::from(NodeEvent::MAX_ID) + 1) as u16;
        let occupancy = self.below(usize::from(NodeEvent::MAX_OCCUPANCY) + 1) as u8;
        let event = NodeEvent::new(node, id).unwrap().with_occupancy(occupancy).unwrap();
        match self.below(2) {
            0 => event,
            _ if node == NodeType::Xp => event.at(self.crosspoint()).unwrap(),
            _ => event.at(NodeId::new(self.next() as u16)).unwrap(),
        }
    }

    fn crosspoint(&mut self) -> NodeId {
        NodeId::new(self.next() as u16 & !7)
    }

    fn watchpoint(&mut self) -> Watchpoint {
        let (channel, group) = (self.one_of(&Channel::ALL), self.one_of(&Group::ALL));
        let matching = Match::raw(channel, group, self.next(), self.next());
        let direction = self.one_of(&[Direction::Up, Direction::Down]);
        let port = self.below(usize::from(Watchpoint::MAX_PORT) + 1) as u8;
        let combine = self.below(usize::from(Watchpoint::MAX_COMBINE) + 1) as u8;
        let watchpoint = Watchpoint::new(direction, port, matching).unwrap();
        let watchpoint = watchpoint.with_exclusive(self.below(2) == 1);
        let watchpoint = watchpoint.with_combine(combine).unwrap();
        match self.below(2) {
            0 => watchpoint,
            _ => watchpoint.at(self.crosspoint()).unwrap(),
        }
    }
}

#[test]
fn an_event_is_read_back_from_its_string_and_its_words() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let event = random.event();
        let text = event.to_string();
        assert_eq!(Event::parse(&text), Ok(event), "{text}");
        assert_eq!(Event::decode(event.words()), Ok(event), "{text}");
        // What perf makes of the string.
        let encoded = config::encode(Terms::new(&text), builtin::ARM_CMN);
        assert_eq!(encoded.map(|encoded| encoded.words), Ok(event.words()), "{text}");
        let found = event.encode_with(|term| builtin::ARM_CMN.find(term));
        assert_eq!(found, Ok(event.words()), "{text}");
    }
}

#[test]
fn words_are_an_event_or_an_error() {
    let mut random = Random(2);
    let mut events = 0;
    for _ in 0..200_000 {
        let mut words = random.event().words();
        for _ in 0..random.below(3) {
            words[random.below(4)] ^= 1 << random.below(64);
        }
        let Ok(event) = Event::decode(words) else {
            continue;
        };
        events += 1;
        if event != Event::Cycles {
            assert_eq!(event.words(), words, "{event}");
        }
    }
    assert!(events > 50_000, "{events}");
}

#[test]
fn damaged_strings_do_no_harm() {
    let mut random = Random(3);
    let pieces = ["=", ",", "0x", "?", "type", "hnf_", "mxp_", "_", "\u{e4}", "wp_val", "period=1"];
    for _ in 0..20_000 {
        let mut text = random.event().to_string();
        for _ in 0..=random.below(3) {
            let boundaries: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
            let at = random.one_of(&boundaries);
            match random.below(3) {
                0 => text.insert_str(at, random.one_of(&pieces)),
                1 => text.truncate(at),
                _ => drop(text.remove(at)),
            }
            if text.is_empty() {
                break;
            }
        }
        if let Ok(event) = Event::parse(&text) {
            assert_eq!(Event::parse(&event.to_string()), Ok(event), "{text}");
        }
        let _ = named::find(&text);
    }
}

#[test]
fn texts_that_are_no_event() {
    let watchpoint = "type=0x7770,eventid=0";
    let cases: &[(&str, &str)] = &[
        ("", "0x0: the node type has no events"),
        ("type=0x2", "0x2: the node type has no events"),
        ("type=0xd,eventid=1", "RN-D nodes (type 0xd) are counted as RN-I: write type=0xa"),
        ("type=0x10000", "0x10000 is too large for 'type': at most 0xffff fits"),
        ("type=5,eventid=0x800", "0x800 is too large for 'eventid': at most 0x7ff fits"),
        ("type=5,occupid=16", "0x10 is too large for 'occupid': at most 0xf fits"),
        ("type=5,bynodeid=2", "0x2 is too large for 'bynodeid': at most 0x1 fits"),
        ("type=5,nodeid=8", "'nodeid': the event does not have this term"),
        ("type=5,wp_val=1", "'wp_val': the event does not have this term"),
        ("type=5,wp_combine=0", "'wp_combine': the event does not have this term"),
        ("type=5,event=1", "unknown term 'event'"),
        ("type=5,period=1000", "the mesh counts and takes no samples"),
        ("type=5,config3=1", "the config words have bits that no term has"),
        ("type=5,config=0x800000000000000", "the config words have bits that no term has"),
        ("hnf_cache_mis", "unknown term 'hnf_cache_mis'"),
        ("hnf_cache_miss,hnf_cache_fill", "two events in one event string"),
        ("mxp_e_dat_partial_dat_flit", "unknown term 'mxp_e_dat_partial_dat_flit'"),
        ("type=6,eventid=1,bynodeid,nodeid=4", "0x4: the node id is not that of a crosspoint"),
        ("watchpoint_down", "'wp_dev_sel': a term of the watchpoint is missing"),
    ];
    for (text, expected) in cases {
        let error = Event::parse(text).expect_err(text);
        assert_eq!(error.to_string(), *expected, "{text}");
    }
    let cases: &[(&str, Error)] = &[
        ("eventid=1", Error::Direction(1)),
        ("eventid=4", Error::Direction(4)),
        ("wp_chn_sel=4", Error::Channel(4)),
        ("wp_grp=3", Error::Group(3)),
        ("wp_dev_sel=6", Error::TooLarge { what: "wp_dev_sel", value: 6, max: 5 }),
        ("occupid=1", Error::Stray("occupid")),
        ("bynodeid,nodeid=1", Error::NotACrosspoint(NodeId::new(1))),
        ("nodeid=8", Error::Stray("nodeid")),
    ];
    for &(terms, expected) in cases {
        let text = format!("{watchpoint},{terms}");
        assert_eq!(Event::parse(&text), Err(ParseError::Event(expected)), "{text}");
    }
}

#[test]
fn other_ways_to_write_an_event() {
    let event = NodeEvent::new(NodeType::HnF, 0xf).unwrap().with_occupancy(2).unwrap();
    let on_node = event.at(NodeId::new(0x24)).unwrap();
    let matching = Match::raw(Channel::Snp, Group::Secondary, 0x12, !0xff);
    let watchpoint = Watchpoint::new(Direction::Down, 1, matching).unwrap();
    let cases: &[(&str, Event)] = &[
        ("dtc_cycles", Event::Cycles),
        ("type=3", Event::Cycles),
        // The kernel looks at nothing but the type.
        ("type=0x3,eventid=0x2a,bynodeid=1,nodeid=7", Event::Cycles),
        ("occupid=2,eventid=15,type=5", event.into()),
        ("HNF_QOS_POCQ_OCCUPANCY_WRITE", event.into()),
        ("hnf_qos_pocq_occupancy_all,occupid=2", event.into()),
        ("config=0x100f0005", event.into()),
        ("bynodeid,nodeid=0x24,hnf_qos_pocq_occupancy_write\n", on_node.into()),
        ("type=0x5,eventid=0xf,occupid=0x2,name=writes", event.into()),
        (
            "watchpoint_down,wp_dev_sel=1,wp_chn_sel=2,wp_grp=1,wp_val=0x12,\
             wp_mask=0xffffffffffffff00",
            watchpoint.into(),
        ),
        (
            "type=0x7770,eventid=2,wp_dev_sel=1,wp_chn_sel=2,wp_grp=1,config1=0x12,\
             config2=0xffffffffffffff00",
            watchpoint.into(),
        ),
    ];
    for &(text, event) in cases {
        assert_eq!(Event::parse(text), Ok(event), "{text}");
    }
}

#[test]
fn the_largest_values_have_room_and_larger_ones_are_refused() {
    let max = |term| builtin::ARM_CMN.find(term).unwrap().max();
    assert_eq!(u64::from(NodeEvent::MAX_ID), max("eventid"));
    assert_eq!(u64::from(NodeEvent::MAX_OCCUPANCY), max("occupid"));
    assert_eq!(u64::from(Watchpoint::MAX_COMBINE), max("wp_combine"));
    assert!(u64::from(Watchpoint::MAX_PORT) <= max("wp_dev_sel"));

    let too_large = |what, value, max| Some(Error::TooLarge { what, value, max });
    let event = NodeEvent::new(NodeType::HnF, 1).unwrap();
    assert_eq!(NodeEvent::new(NodeType::HnF, 0x800).err(), too_large("eventid", 0x800, 0x7ff));
    assert_eq!(event.with_occupancy(16).err(), too_large("occupid", 16, 15));
    assert_eq!(NodeEvent::new(NodeType::Dtc, 0).err(), Some(Error::OnlyCycles));
    let all = Match::all(Channel::Req, Group::Primary);
    assert_eq!(Watchpoint::new(Direction::Up, 6, all).err(), too_large("wp_dev_sel", 6, 5));
    let watchpoint = Watchpoint::new(Direction::Up, 0, all).unwrap();
    assert_eq!(watchpoint.with_combine(16).err(), too_large("wp_combine", 16, 15));
    let device = NodeId::new(0x24);
    assert_eq!(watchpoint.at(device).err(), Some(Error::NotACrosspoint(device)));
}

#[test]
fn other_formats_are_followed() {
    let event: Event = NodeEvent::new(NodeType::HnF, 0x81).unwrap().into();
    let kind = ("type", Format::parse("config:8-23").unwrap());
    let narrow = ("eventid", Format::parse("config2:0-6").unwrap());
    let wide = ("eventid", Format::parse("config2:0,8-15").unwrap());
    let encode = |terms: &[_]| event.encode(crate::format::Formats::new(terms));
    assert_eq!(encode(&[kind, wide]), Ok([0x500, 0, 0x4001, 0]));
    assert_eq!(encode(&[kind]), Err(Error::NoFormat("eventid")));
    let error = Error::TooLarge { what: "eventid", value: 0x81, max: 0x7f };
    assert_eq!(encode(&[kind, narrow]), Err(error));
}

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

/// `fls` of the kernel: the number of the highest bit, from 1.
fn fls(value: u8) -> u32 {
    u8::BITS - value.leading_zeros()
}

#[test]
fn every_node_of_every_mesh() {
    let mut count = 0;
    for columns in 1..=12 {
        for rows in 1..=12 {
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
                                let place = Place { x, y, port, device };
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
                // All others are none of this mesh.
                let others = (0..=u16::MAX).map(NodeId::new).filter(|id| !ids.contains(id));
                if columns == rows || (columns, rows) == (6, 3) {
                    for id in others {
                        assert!(size.place(layout, id).is_err(), "{size:?} {id}");
                    }
                }
            }
        }
    }
    assert_eq!(count, 2 * 8 * (78 * 78 - 1) + 6 * 4);
}

#[test]
fn places_that_are_none() {
    let size = MeshSize::new(6, 4).unwrap();
    let place = |x, y, port, device| Place { x, y, port, device };
    let cases = [
        (PortLayout::Two, place(6, 0, 0, 0), "x", 6, 5),
        (PortLayout::Two, place(0, 4, 0, 0), "y", 4, 3),
        (PortLayout::Two, place(0, 0, 2, 0), "port", 2, 1),
        (PortLayout::Two, place(0, 0, 0, 4), "device", 4, 3),
        (PortLayout::Four, place(0, 0, 4, 0), "port", 4, 3),
        (PortLayout::Four, place(0, 0, 0, 2), "device", 2, 1),
    ];
    for (layout, place, what, value, max) in cases {
        let error = Error::TooLarge { what, value, max };
        assert_eq!(size.node_id(layout, place), Err(error), "{place:?}");
    }
    let origin = Place::default();
    assert_eq!(size.node_id(PortLayout::Single, origin), Err(Error::PortLayout));
    let single = MeshSize::new(1, 1).unwrap();
    assert_eq!(single.node_id(PortLayout::Two, origin), Err(Error::PortLayout));
    assert_eq!(
        size.place(PortLayout::Two, NodeId::new(0x200)).err(),
        Some(Error::OutsideMesh(NodeId::new(0x200)))
    );
    for (columns, rows) in [(0, 1), (1, 0), (13, 1), (1, 13), (255, 255)] {
        assert_eq!(MeshSize::new(columns, rows), Err(Error::MeshSize { columns, rows }));
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
        (several, 5, Err(Error::TooLarge { what: "ports", value: 5, max: 4 })),
        (single, 1, Ok(PortLayout::Single)),
        (single, 6, Ok(PortLayout::Single)),
        (single, 7, Err(Error::TooLarge { what: "ports", value: 7, max: 6 })),
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
    let large = MeshSize::new(12, 12).unwrap();
    assert!(large.with_coordinate_bits(3).is_err());
    assert_eq!(large.with_coordinate_bits(4), Ok(large));
}

#[test]
fn crosspoints_by_their_parts() {
    let mut ids = BTreeSet::new();
    for signal in Signal::ALL {
        for interface in Interface::ALL {
            for channel in LinkChannel::ALL {
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
                    Err(error) => assert!(is_refused && error == Error::PartialData),
                }
            }
        }
    }
    assert_eq!(ids.len(), 2 * 8 * 9 + 2 * 4);
    for id in 0..=u16::MAX {
        assert_eq!(Crosspoint::of_event_id(id).is_some(), ids.contains(&id), "{id:#x}");
    }
}

#[test]
fn pairs() {
    use Group::{Primary, Secondary, Tertiary};
    let all = |channel, group| Match::all(channel, group);
    let req = |group| all(Channel::Req, group);
    let cases = [
        ([req(Primary), req(Secondary)], 1, None),
        ([req(Secondary), req(Primary)], 15, None),
        ([req(Tertiary), req(Primary)], 2, None),
        ([all(Channel::Snp, Primary), all(Channel::Snp, Secondary)], 1, None),
        ([req(Primary), req(Secondary)], 0, Some(Error::CombineZero)),
        ([req(Primary), req(Primary)], 1, Some(Error::SameGroup)),
        ([req(Primary), all(Channel::Snp, Secondary)], 1, Some(Error::DifferentChannels)),
        ([all(Channel::Rsp, Primary), all(Channel::Rsp, Secondary)], 1, Some(Error::NotCombined)),
        ([all(Channel::Dat, Primary), all(Channel::Dat, Secondary)], 1, Some(Error::NotCombined)),
        (
            [req(Primary), req(Secondary)],
            16,
            Some(Error::TooLarge { what: "wp_combine", value: 16, max: 15 }),
        ),
    ];
    for (matches, combine, expected) in cases {
        let pair = Watchpoint::pair(Direction::Down, 1, matches, combine);
        assert_eq!(pair.err(), expected, "{matches:?} {combine}");
        let Ok([first, second]) = pair else {
            continue;
        };
        assert!(first.matching().group() < second.matching().group());
        for watchpoint in [first, second] {
            assert_eq!((watchpoint.combine(), watchpoint.port()), (combine, 1));
            let text = Event::from(watchpoint).to_string();
            assert!(text.contains(&format!("wp_combine={combine:#x}")), "{text}");
        }
    }
}

#[test]
fn what_a_product_cannot_count() {
    let event = |node, id| Event::from(NodeEvent::new(node, id).unwrap());
    let watchpoint = |port, group| {
        Event::from(Watchpoint::new(Direction::Up, port, Match::all(Channel::Req, group)).unwrap())
    };
    use Product::{Ci700, Cmn600, Cmn650, Cmn700, CmnS3};
    let cases: &[(Event, &[Product])] = &[
        (Event::Cycles, &[]),
        (event(NodeType::HnF, 0xff), &[]),
        (event(NodeType::HnF, 0x100), &Product::ALL),
        // The second channel of snoops.
        (event(NodeType::Xp, 0x101), &[Cmn600, Cmn650, Ci700]),
        (watchpoint(0, Group::Secondary), &[]),
        (watchpoint(0, Group::Tertiary), &[Cmn600]),
        (watchpoint(2, Group::Primary), &[Cmn600, Cmn650]),
        (watchpoint(5, Group::Primary), &[Cmn600, Cmn650]),
    ];
    for (event, refused) in cases {
        for product in [Cmn600, Cmn650, Ci700, Cmn700, CmnS3] {
            let found = event.check(product).is_err();
            assert_eq!(found, refused.contains(&product), "{event} on {product}");
        }
    }
}

#[test]
fn identities() {
    let cases: &[(&str, Option<(Product, u8, Option<&str>)>)] = &[
        ("43400", Some((Product::Cmn600, 0, Some("r1p0")))),
        ("43406\n", Some((Product::Cmn600, 6, Some("r3p1")))),
        ("43800", Some((Product::Cmn600, 0, Some("r1p0")))),
        ("43604", Some((Product::Cmn650, 4, Some("r1p2")))),
        ("43a02", Some((Product::Ci700, 2, Some("r2p0")))),
        ("43c03", Some((Product::Cmn700, 3, Some("r3p0")))),
        ("43C0f", Some((Product::Cmn700, 15, None))),
        ("43e02", Some((Product::CmnS3, 2, Some("r1p0")))),
        ("43500", None),
        ("43c3", None),
        ("43c033", None),
        ("0x43c03", None),
        ("", None),
        ("\u{e4}\u{e4}\u{e4}", None),
    ];
    for &(text, expected) in cases {
        let found = Identity::parse(text);
        let parts = found.map(|found| (found.product, found.revision, found.release()));
        assert_eq!(parts, expected, "{text:?}");
        if let Some(identity) = found {
            assert_eq!(Identity::parse(&identity.to_string()), Some(identity));
        }
    }
    for product in Product::ALL {
        assert_eq!(Product::of_part(product.part()), Some(product));
    }
}

#[test]
fn names_of_the_driver() {
    let mut names = BTreeMap::new();
    for named in named::all() {
        let name = named.to_string();
        assert_eq!(named::find(&name), Some(named), "{name}");
        assert_eq!(named::find(&name.to_uppercase()), Some(named), "{name}");
        assert_eq!(named::find(&format!("{name}_")), None, "{name}");
        assert!(named.products().iter().count() > 0, "{name}");
        let text = named.event_string().to_string();
        match named.event() {
            Some(event) => {
                assert_eq!(Event::parse(&text), Ok(event), "{name}");
                assert_eq!(Event::parse(&name), Ok(event), "{name}");
                for product in named.products().iter() {
                    assert_eq!(event.check(product).is_ok(), is_wide_enough(&event, product));
                    assert_eq!(named::of(&event, product), Some(named), "{name} on {product}");
                }
            }
            None => assert!(named.watchpoint().is_some() && text.ends_with("wp_mask=?")),
        }
        assert_eq!(names.insert(name, text), None);
    }
    let nothing = ["", "_", "hnf", "hnf_", "dn_", "mxp_", "mxp_e_", "mxp_e_req", "\u{e4}_x"];
    for name in nothing {
        assert_eq!(named::find(name), None, "{name:?}");
    }
}

/// The names of the second snoop channel are there on all products; it is not.
fn is_wide_enough(event: &Event, product: Product) -> bool {
    let Event::Node(node) = event else {
        return true;
    };
    node.id() < 0x100 || matches!(product, Product::Cmn700 | Product::CmnS3)
}

#[test]
fn fields_of_flits() {
    for product in Product::ALL {
        for channel in Channel::ALL {
            for group in Group::ALL {
                let all = Match::all(channel, group);
                for &field in Field::ALL {
                    let Some(width) = field.width(product, channel, group) else {
                        let error = Error::NoField(field.name());
                        assert_eq!(all.with(product, field, 0), Err(error));
                        assert_eq!(all.field(product, field), None);
                        continue;
                    };
                    assert!(u32::from(product.match_groups()) > group as u32);
                    let max = u64::MAX >> (64 - width);
                    for value in [0, 1, max] {
                        let one = all.with(product, field, value).unwrap();
                        assert_eq!(one.field(product, field), Some((value, max)));
                        assert_eq!(one.mask().count_zeros(), width);
                        assert_eq!(one.value() & one.mask(), 0);
                        // The last word counts.
                        let other = one.with(product, field, max).unwrap();
                        assert_eq!(other, all.with(product, field, max).unwrap());
                        // No bit that matters: what it was before.
                        assert_eq!(one.with_bits(product, field, value, 0), Ok(all));
                    }
                    let error = all.with(product, field, max + 1);
                    let what = field.name();
                    assert_eq!(error, Err(Error::TooLarge { what, value: max + 1, max }));
                }
            }
        }
    }
}

/// Watchpoints as Arm's tools document them, and as they are in use.
#[test]
fn known_watchpoints() {
    let cases: &[(Product, Channel, Group, &[(Field, u64)], u64, u64)] = &[
        // cmn-tools' documentation: ReadNoSnp.
        (
            Product::Cmn700,
            Channel::Req,
            Group::Primary,
            &[(Field::Opcode, 0x4)],
            0x8000_0000,
            0xffff_fff0_1fff_ffff,
        ),
        // Tertiary group: the same opcode lies elsewhere.
        (Product::Cmn650, Channel::Req, Group::Tertiary, &[(Field::Opcode, 0x4)], 0x2000, !0x3f800),
        (
            Product::Cmn600,
            Channel::Req,
            Group::Primary,
            &[(Field::Opcode, 0x4), (Field::SrcId, 0x24)],
            0x2_0000_0024,
            !0x1f_8000_07ff,
        ),
        (
            Product::Ci700,
            Channel::Dat,
            Group::Secondary,
            &[(Field::TagOp, 2)],
            0x20_0000,
            !0x30_0000,
        ),
        (Product::CmnS3, Channel::Req, Group::Secondary, &[(Field::Qos, 0xf)], 0xf, !0xf),
    ];
    for &(product, channel, group, fields, value, mask) in cases {
        let mut matching = Match::all(channel, group);
        for &(field, value) in fields {
            matching = matching.with(product, field, value).unwrap();
        }
        let label: String = format!("{product} {channel:?} {fields:x?}");
        assert_eq!((matching.value(), matching.mask()), (value, mask), "{label}");
        assert_eq!(matching, Match::raw(channel, group, value, mask));
    }
}

/// All of it while the program is compiled.
#[test]
fn in_const() {
    const SIZE: MeshSize = match MeshSize::new(8, 8) {
        Ok(size) => size,
        Err(error) => error.panic(),
    };
    const PLACE: Place = Place { x: 5, y: 3, port: 1, device: 0 };
    const HOME: NodeId = match SIZE.node_id(PortLayout::Two, PLACE) {
        Ok(id) => id,
        Err(error) => error.panic(),
    };
    const EVENT: Event = match NodeEvent::new(NodeType::HnF, 1) {
        Ok(event) => match event.at(HOME) {
            Ok(event) => Event::Node(event),
            Err(error) => error.panic(),
        },
        Err(error) => error.panic(),
    };
    const WORDS: [u64; 4] = EVENT.words();
    assert_eq!(WORDS, [0x015c_8001_0005, 0, 0, 0]);
    const BACK: Result<Event, Error> = Event::decode(WORDS);
    assert_eq!(BACK, Ok(EVENT));

    const PAIR: Result<[Watchpoint; 2], Error> = {
        let product = Product::Cmn700;
        let opcode = Match::all(Channel::Req, Group::Primary).with(product, Field::Opcode, 0x4);
        let address = Match::all(Channel::Req, Group::Secondary).with(product, Field::Addr, 0x40);
        match (opcode, address) {
            (Ok(opcode), Ok(address)) => Watchpoint::pair(Direction::Up, 0, [opcode, address], 1),
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    };
    const WATCHPOINTS: [[u64; 4]; 2] = match PAIR {
        Ok([first, second]) => {
            [Event::Watchpoint(first).words(), Event::Watchpoint(second).words()]
        }
        Err(error) => error.panic(),
    };
    assert_eq!(WATCHPOINTS[0], [0x0800_7770, 0x8000_0000, 0xffff_fff0_1fff_ffff, 0]);
    assert_eq!(WATCHPOINTS[1], [0x0100_0000_0800_7770, 0x400, 0xff00_0000_0000_000f, 0]);
}
