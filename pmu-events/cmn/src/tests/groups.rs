//! Which events count together.

extern crate std;

use std::vec::Vec;

use crate::GroupRule::{
    Combine, CrosspointCounters, GlobalCounters, OneCycleCounter, OneOccupancy,
};
use crate::*;

fn events(texts: &[&str]) -> Vec<MeshEvent> {
    let parse = |text: &&str| match MeshEvent::parse(text) {
        Ok(event) => event,
        Err(error) => panic!("{text}: {error}"),
    };
    texts.iter().map(parse).collect()
}

/// Events of crosspoints, enough to fill their counters.
const STALLS: [&str; 4] = [
    "mxp_e_req_txflit_stall",
    "mxp_w_req_txflit_stall",
    "mxp_n_req_txflit_stall",
    "mxp_s_req_txflit_stall",
];

const UP: &str = "type=0x7770,eventid=0,wp_mask=1";
const UP_1: &str = "type=0x7770,eventid=0,wp_combine=1";
const UP_2: &str = "type=0x7770,eventid=0,wp_combine=2";
const UP_AT_8: &str = "type=0x7770,eventid=0,bynodeid,nodeid=8";
const UP_AT_16: &str = "type=0x7770,eventid=0,bynodeid,nodeid=16";
const DOWN: &str = "type=0x7770,eventid=2";
const ALL: &str = "hnf_qos_pocq_occupancy_all";
const READ: &str = "hnf_qos_pocq_occupancy_read";
const WRITE: &str = "hnf_qos_pocq_occupancy_write";

#[test]
fn groups() {
    let hnf = ["hnf_cache_miss", "hnf_sf_hit", "hnf_mc_reqs", "hnf_seq_hit"];
    let rni = ["rnid_rrt_alloc", "rnid_wrt_alloc", "rnid_rxdat_flits", "rnid_txdat_flits"];
    let rest = ["hni_wdb_alloc", "dn_dvmsync", "sbsx_rd_req"];
    let cases: &[(&[&[&str]], Option<(usize, GroupRule)>)] = &[
        (&[], None),
        (&[&["dtc_cycles"], &hnf], None),
        (&[&["dtc_cycles", "hnf_sf_hit", "dtc_cycles"]], Some((2, OneCycleCounter))),
        // Four at each node, whichever events use them.
        (&[&hnf, &["hnf_seq_full"]], Some((4, CrosspointCounters))),
        (&[&hnf, &["hnf_seq_full,bynodeid,nodeid=36"]], Some((4, CrosspointCounters))),
        (&[&["hnf_seq_full,bynodeid,nodeid=36"], &hnf], Some((4, CrosspointCounters))),
        (&[&hnf, &rni], None),
        (
            &[&[
                "hnf_sf_hit,bynodeid,nodeid=36",
                "hnf_sf_hit,bynodeid,nodeid=40",
                "hnf_seq_hit,bynodeid,nodeid=36",
                "hnf_seq_hit,bynodeid,nodeid=40",
                "hnf_seq_full,bynodeid,nodeid=36",
                "hnf_seq_full,bynodeid,nodeid=40",
            ]],
            None,
        ),
        // Two types in one device share its counters.
        (
            &[&[
                "hni_wdb_alloc,bynodeid,nodeid=4",
                "hnp_wdb_alloc,bynodeid,nodeid=4",
                "hni_rrt_rd_alloc",
                "hnp_rrt_rd_alloc",
                "hnp_rdt_rd_alloc",
            ]],
            Some((4, CrosspointCounters)),
        ),
        (&[&STALLS, &["mxp_p0_req_txflit_stall"]], Some((4, CrosspointCounters))),
        (&[&STALLS, &[UP]], Some((4, CrosspointCounters))),
        (&[&STALLS, &[UP_AT_8]], Some((4, CrosspointCounters))),
        // A DTC that counts the crosspoints' and the nodes' events is full.
        (&[&STALLS, &hnf, &["rnid_rrt_alloc"]], Some((8, GlobalCounters))),
        (&[&STALLS, &hnf, &["dtc_cycles"]], None),
        // Nodes of different types may belong to different DTCs.
        (&[&hnf, &rni, &rest], None),
        (&[&[UP, UP, DOWN, DOWN]], None),
        (&[&[UP, DOWN, UP, UP]], Some((3, GroupRule::Watchpoints))),
        (&[&[UP_AT_8, UP_AT_16, UP, UP_AT_16]], Some((3, GroupRule::Watchpoints))),
        (&[&[UP_AT_8, UP_AT_8, UP_AT_16, UP_AT_16]], None),
        (&[&[UP_AT_8, UP_AT_8, UP]], Some((2, GroupRule::Watchpoints))),
        (&[&[UP_1, UP_1]], None),
        (&[&[UP_1, DOWN, UP]], Some((2, Combine))),
        (&[&[UP_1, UP_2]], Some((1, Combine))),
        (&[&[UP_1, UP_AT_8]], Some((1, Combine))),
        (&[&[ALL, ALL, READ]], Some((2, OneOccupancy))),
        (&[&[READ, "hnf_sf_hit", WRITE]], Some((2, OneOccupancy))),
        // Another filter, and another node.
        (&[&[READ, "hnf_pocq_class_occup_class2"]], None),
        (
            &[&[
                "hnf_qos_pocq_occupancy_read,bynodeid,nodeid=36",
                "hnf_qos_pocq_occupancy_write,bynodeid,nodeid=40",
            ]],
            None,
        ),
    ];
    for (texts, expected) in cases {
        let events = events(&texts.concat());
        let found = check_group(&events, Some(Product::Cmn700)).err();
        let found = found.map(|error| (error.event(), error.kind()));
        assert_eq!(found, *expected, "{texts:?}");
    }
    // Events of CMN S3 r2 with two filters, each of which is one register.
    let r2: &[(&[&str], Option<(usize, GroupRule)>)] = &[
        (&["hns_sf_evictions_hbt_eu", "hns_slc_eviction_hbt_eu"], None),
        (&["hns_sf_evictions_hbt_eu", "hns_slc_eviction_hbt_en"], Some((1, OneOccupancy))),
        (&["hns_sf_evictions_hbt_eu", "hns_slc_eviction_lbt_eu"], Some((1, OneOccupancy))),
        (&["hns_sf_evictions_hbt_eu", "hns_excl_sf_imprecise_lbt"], Some((1, OneOccupancy))),
        (&["hns_sf_evictions_hbt_eu", "hns_excl_sf_imprecise_hbt"], None),
        // The tracker of these is another register there.
        (&["hns_sf_evictions_hbt_eu", "hns_cache_miss_lbt"], None),
        (&["hns_cache_miss_rnf", "hns_cache_fill_rni"], Some((1, OneOccupancy))),
        (&["hns_snp_sent_vc0", "hns_snp_fwded_vc1"], Some((1, OneOccupancy))),
    ];
    for &(texts, expected) in r2 {
        let found = check_group(&events(texts), Some(Product::CmnS3R2)).err();
        assert_eq!(found.map(|error| (error.event(), error.kind())), expected, "{texts:?}");
    }
    let halves = events(&["hns_excl_sf_imprecise_hbt", "hns_cache_miss_lbt"]);
    assert_eq!(check_group(&halves, Some(Product::CmnS3)), Ok(()));
    let halves = events(&["hns_sf_hit_hbt", "hns_cache_miss_lbt"]);
    assert!(check_group(&halves, Some(Product::CmnS3)).is_err());
    // The product determines which events are filtered.
    let events = events(&[READ, WRITE]);
    assert_eq!(check_group(&events, None), Ok(()));
}

#[test]
fn a_pair_is_a_group() {
    let all = |group| Match::all(Channel::Snp, group);
    let matches = [all(MatchGroup::Primary), all(MatchGroup::Secondary)];
    let pair = Watchpoint::pair(Direction::Down, 0, matches, 3).unwrap();
    assert_eq!(check_group(&pair.map(MeshEvent::from), Some(Product::Cmn600)), Ok(()));
}
