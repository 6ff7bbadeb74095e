//! Events from and to texts and words.

extern crate std;

use std::format;
use std::string::ToString;
use std::vec::Vec;

use super::random::Random;
use crate::error::Fault;
use crate::*;
use pmu_events_core::builtin;
use pmu_events_core::config;
use pmu_events_core::format::{Format, Word, Words};
use pmu_events_core::term::Terms;

#[test]
fn an_event_is_read_back_from_its_string_and_its_words() {
    let mut random = Random(1);
    for _ in 0..8_000 {
        let event = random.event();
        let text = event.to_string();
        assert_eq!(MeshEvent::parse(&text), Ok(event), "{text}");
        assert_eq!(MeshEvent::decode(event.words()), Ok(event), "{text}");
        // The words that perf encodes.
        let encoded = config::encode(Terms::new(&text), builtin::ARM_CMN);
        assert_eq!(encoded.map(|encoded| encoded.words()), Ok(event.words()), "{text}");
        let found = event.encode_with(|term| builtin::ARM_CMN.find(term));
        assert_eq!(found, Ok(event.words()), "{text}");
    }
}

#[test]
fn words_are_an_event_or_an_error() {
    let mut random = Random(2);
    let mut events = 0;
    for _ in 0..50_000 {
        let mut words = random.event().words();
        for _ in 0..random.below(3) {
            let word = Word::ALL[random.below(4)];
            words = words.with(word, words.get(word) ^ 1 << random.below(64));
        }
        let Ok(event) = MeshEvent::decode(words) else {
            continue;
        };
        events += 1;
        if event != MeshEvent::Cycles {
            assert_eq!(event.words(), words, "{event}");
        }
    }
    assert!(events > 12_000, "{events}");
}

#[test]
fn damaged_strings_do_no_harm() {
    let mut random = Random(3);
    let pieces = ["=", ",", "0x", "?", "type", "hnf_", "mxp_", "_", "\u{e4}", "wp_val", "period=1"];
    for _ in 0..8_000 {
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
        if let Ok(event) = MeshEvent::parse(&text) {
            assert_eq!(MeshEvent::parse(&event.to_string()), Ok(event), "{text}");
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
        ("type=0x10000", "0x10000 is too large for `type`: at most 0xffff fits"),
        ("type=5,eventid=0x800", "0x800 is too large for `eventid`: at most 0x7ff fits"),
        ("type=5,occupid=16", "0x10 is too large for `occupid`: at most 0xf fits"),
        ("type=5,filter=16", "0x10 is too large for `filter`: at most 0xf fits"),
        ("type=0x200,filter2=16", "0x10 is too large for `filter2`: at most 0xf fits"),
        ("type=5,filter2=1", "`filter2`: the event does not have this term"),
        ("type=5,filter2=0", "`filter2`: the event does not have this term"),
        ("type=5,config=0x1000000000000", "`wp_dev_sel`: the event does not have this term"),
        ("type=0x200,wp_dev_sel=1", "`wp_dev_sel`: the event does not have this term"),
        ("type=5,bynodeid=2", "0x2 is too large for `bynodeid`: at most 0x1 fits"),
        ("type=5,nodeid=8", "`nodeid`: the event does not have this term"),
        ("type=5,wp_val=1", "`wp_val`: the event does not have this term"),
        ("type=5,wp_combine=0", "`wp_combine`: the event does not have this term"),
        ("type=5,event=1", "unknown term `event`"),
        ("type=5,period=1000", "the mesh counts and takes no samples"),
        ("type=5,config3=1", "the config words set bits that belong to no term"),
        ("type=5,config=0x800000000000000", "the config words set bits that belong to no term"),
        ("hnf_cache_mis", "unknown term `hnf_cache_mis`"),
        ("hnf_cache_miss,hnf_cache_fill", "two events in one event string"),
        ("mxp_e_dat_partial_dat_flit", "unknown term `mxp_e_dat_partial_dat_flit`"),
        ("type=6,eventid=1,bynodeid,nodeid=4", "0x4: the node id is not that of a crosspoint"),
        ("watchpoint_down", "`wp_dev_sel`: a term of the watchpoint is missing"),
    ];
    for (text, expected) in cases {
        let error = MeshEvent::parse(text).expect_err(text);
        assert_eq!(error.to_string(), *expected, "{text}");
    }
    let cases: &[(&str, Error)] = &[
        ("eventid=1", Error::new(Fault::Direction(1))),
        ("eventid=4", Error::new(Fault::Direction(4))),
        ("wp_chn_sel=4", Error::new(Fault::Channel(4))),
        ("wp_grp=3", Error::new(Fault::MatchGroup(3))),
        ("wp_dev_sel=6", Error::new(Fault::TooLarge { what: "wp_dev_sel", value: 6, max: 5 })),
        ("occupid=1", Error::new(Fault::Stray("occupid"))),
        ("filter=1", Error::new(Fault::Stray("filter"))),
        ("filter2=0", Error::new(Fault::Stray("filter2"))),
        ("bynodeid,nodeid=1", Error::new(Fault::NotACrosspoint(NodeId::new(1)))),
        ("nodeid=8", Error::new(Fault::Stray("nodeid"))),
    ];
    for &(terms, expected) in cases {
        let text = format!("{watchpoint},{terms}");
        assert_eq!(MeshEvent::parse(&text), Err(expected.into()), "{text}");
    }
}

#[test]
fn other_ways_to_write_an_event() {
    let event = NodeEvent::new(NodeType::HnF, 0xf).unwrap().with_occupancy(2).unwrap();
    let on_node = event.at(NodeId::new(0x24)).unwrap();
    let matching = Match::raw(Channel::Snp, MatchGroup::Secondary, 0x12, !0xff);
    let watchpoint = Watchpoint::new(Direction::Down, 1, matching).unwrap();
    let evictions = NodeEvent::new(NodeType::HnS, 0x7).unwrap().with_filter2(2).unwrap();
    let of_hbt = evictions.with_occupancy(1).unwrap();
    let cases: &[(&str, MeshEvent)] = &[
        ("dtc_cycles", MeshEvent::Cycles),
        ("type=0x5,eventid=0xf,filter=0x2", event.into()),
        ("hnf_qos_pocq_occupancy_all,filter=2", event.into()),
        ("type=0x200,eventid=0x7,filter2=0x2", evictions.into()),
        ("type=0x200,eventid=0x7,filter=0x1,filter2=0x2", of_hbt.into()),
        ("type=0x200,eventid=0x7,occupid=1,filter2=2", of_hbt.into()),
        ("hns_sf_evictions_hbt_en", of_hbt.into()),
        ("hns_sf_evictions_hbt_all,filter2=2", of_hbt.into()),
        ("config=0x2000008070200", of_hbt.into()),
        ("type=3", MeshEvent::Cycles),
        // The kernel only checks the type.
        ("type=0x3,eventid=0x2a,bynodeid=1,nodeid=7", MeshEvent::Cycles),
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
        assert_eq!(MeshEvent::parse(text), Ok(event), "{text}");
    }
}

#[test]
fn the_largest_values_have_room_and_larger_ones_are_refused() {
    let max = |term| builtin::ARM_CMN.find(term).unwrap().max();
    assert_eq!(u64::from(NodeEvent::MAX_ID), max("eventid"));
    assert_eq!(u64::from(NodeEvent::MAX_OCCUPANCY), max("occupid"));
    assert_eq!(max("filter"), max("occupid"));
    assert_eq!(u64::from(NodeEvent::MAX_FILTER2), max("filter2"));
    assert_eq!(u64::from(Watchpoint::MAX_COMBINE), max("wp_combine"));
    assert!(u64::from(Watchpoint::MAX_PORT) <= max("wp_dev_sel"));

    let too_large = |what, value, max| Some(Error::new(Fault::TooLarge { what, value, max }));
    let event = NodeEvent::new(NodeType::HnF, 1).unwrap();
    assert_eq!(NodeEvent::new(NodeType::HnF, 0x800).err(), too_large("eventid", 0x800, 0x7ff));
    assert_eq!(event.with_occupancy(16).err(), too_large("occupid", 16, 15));
    assert_eq!(event.with_filter2(16).err(), too_large("filter2", 16, 15));
    let stray = Error::new(Fault::Stray("filter2"));
    assert_eq!((event.with_filter2(1).err(), event.with_filter2(0)), (Some(stray), Ok(event)));
    assert_eq!(NodeEvent::new(NodeType::Dtc, 0).err(), Some(Error::new(Fault::OnlyCycles)));
    let all = Match::all(Channel::Req, MatchGroup::Primary);
    assert_eq!(Watchpoint::new(Direction::Up, 6, all).err(), too_large("wp_dev_sel", 6, 5));
    let watchpoint = Watchpoint::new(Direction::Up, 0, all).unwrap();
    assert_eq!(watchpoint.with_combine(16).err(), too_large("wp_combine", 16, 15));
    let device = NodeId::new(0x24);
    assert_eq!(watchpoint.at(device).err(), Some(Error::new(Fault::NotACrosspoint(device))));
}

#[test]
fn other_formats_are_followed() {
    let event: MeshEvent = NodeEvent::new(NodeType::HnF, 0x81).unwrap().into();
    let kind = ("type", Format::parse("config:8-23").unwrap());
    let narrow = ("eventid", Format::parse("config2:0-6").unwrap());
    let wide = ("eventid", Format::parse("config2:0,8-15").unwrap());
    let encode = |terms: &[_]| event.encode(pmu_events_core::format::Formats::new(terms));
    assert_eq!(encode(&[kind, wide]), Ok(Words::new(0x500).with(Word::Config2, 0x4001)));
    assert_eq!(encode(&[kind]), Err(Error::new(Fault::NoFormat("eventid"))));
    let error = Error::new(Fault::TooLarge { what: "eventid", value: 0x81, max: 0x7f });
    assert_eq!(encode(&[kind, narrow]), Err(error));
}

/// Everything works at compile time.
#[test]
fn in_const() {
    const SIZE: MeshSize = match MeshSize::new(8, 8) {
        Ok(size) => size,
        Err(error) => error.panic(),
    };
    const PLACE: NodeLocation = NodeLocation { x: 5, y: 3, port: 1, device: 0 };
    const HOME: NodeId = match SIZE.node_id(PortLayout::Two, PLACE) {
        Ok(id) => id,
        Err(error) => error.panic(),
    };
    const EVENT: MeshEvent = match NodeEvent::new(NodeType::HnF, 1) {
        Ok(event) => match event.at(HOME) {
            Ok(event) => MeshEvent::Node(event),
            Err(error) => error.panic(),
        },
        Err(error) => error.panic(),
    };
    const WORDS: Words = EVENT.words();
    assert_eq!(WORDS, Words::new(0x015c_8001_0005));
    const BACK: Result<MeshEvent, Error> = MeshEvent::decode(WORDS);
    assert_eq!(BACK, Ok(EVENT));

    const PAIR: Result<[Watchpoint; 2], Error> = {
        let product = Product::Cmn700;
        let opcode =
            Match::all(Channel::Req, MatchGroup::Primary).with(product, Field::Opcode, 0x4);
        let address =
            Match::all(Channel::Req, MatchGroup::Secondary).with(product, Field::Addr, 0x40);
        match (opcode, address) {
            (Ok(opcode), Ok(address)) => Watchpoint::pair(Direction::Up, 0, [opcode, address], 1),
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    };
    const WATCHPOINTS: [Words; 2] = match PAIR {
        Ok([first, second]) => {
            [MeshEvent::Watchpoint(first).words(), MeshEvent::Watchpoint(second).words()]
        }
        Err(error) => error.panic(),
    };
    assert_eq!(
        WATCHPOINTS[0],
        Words::new(0x0800_7770)
            .with(Word::Config1, 0x8000_0000)
            .with(Word::Config2, 0xffff_fff0_1fff_ffff)
    );
    assert_eq!(
        WATCHPOINTS[1],
        Words::new(0x0100_0000_0800_7770)
            .with(Word::Config1, 0x400)
            .with(Word::Config2, 0xff00_0000_0000_000f)
    );
}
