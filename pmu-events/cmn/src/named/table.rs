//! The events named by the driver: facts of `arm_cmn_event_attrs` in
//! `drivers/perf/arm-cmn.c`. The events of crosspoints are not listed; their
//! names are composed of their parts ([`Crosspoint`](super::Crosspoint)).

use crate::node::NodeType;
use crate::parts::is;
use crate::product::Products;

/// The property by which some events are filtered (`enum cmn_filter_select`).
///
/// A node has one register for each: two events of a node with the same filter
/// cannot count at the same time with different numbers for it.
///
/// ```
/// use pmu_events::cmn::named::{self, NodeFilter};
///
/// let reads = named::all().find(|named| named.filter() == Some(NodeFilter::Occupancy)).unwrap();
/// println!("{}", reads.event_string());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NodeFilter {
    /// The kind of request or message (`pmu_occup1_id`).
    Occupancy,
    /// The class of the request (`pmu_class_occup_id`).
    Class,
    /// Which requests are throttled (`pmu_cbusy_snthrottle_sel`).
    Throttle,
    /// The home's tracker (`pmu_hbt_lbt_sel`).
    Tracker,
    /// Memory or another home (`pmu_sn_home_sel`).
    Home,
    /// The virtual channel of the snoop (`pmu_snp_vc_sel`).
    SnoopChannel,
    /// The home's tracker or the kind of requester (`pmu_enhanced_hbt_lbt_sel`).
    TrackerOrRequester,
    /// The state of the evicted line (`pmu_evict_state_sel`).
    EvictState,
}

/// An event, or several that differ in the occupancy ID.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) products: Products,
    pub(super) name: &'static str,
    pub(super) id: u16,
    pub(super) choices: Option<Choices>,
    /// Those of the second filter, whose suffix comes last.
    pub(super) choices2: Option<Choices>,
}

/// The variants of an event that is filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choices {
    pub(super) filter: NodeFilter,
    /// The suffixes of the name, by the filter's number; empty for a number without
    /// a name.
    pub(super) suffixes: &'static [&'static str],
}

impl Choices {
    /// The number that a suffix stands for.
    pub(super) const fn find(self, suffix: &[u8]) -> Option<usize> {
        let mut n = 0;
        while n < self.suffixes.len() {
            if !suffix.is_empty() && is(suffix, self.suffixes[n]) {
                return Some(n);
            }
            n += 1;
        }
        None
    }

    pub(super) fn suffix(self, number: usize) -> &'static str {
        self.suffixes.get(number).copied().unwrap_or_default()
    }
}

const fn row(products: Products, name: &'static str, id: u16, choices: Option<Choices>) -> Row {
    Row { products, name, id, choices, choices2: None }
}

/// An event with two filters.
const fn eviction(products: Products, name: &'static str, id: u16) -> Row {
    Row { products, name, id, choices: HALF, choices2: STATE }
}

const fn choices(filter: NodeFilter, suffixes: &'static [&'static str]) -> Option<Choices> {
    Some(Choices { filter, suffixes })
}

const NONE: Option<Choices> = None;
const DVM: Option<Choices> = choices(NodeFilter::Occupancy, &["all", "dvmop", "dvmsync"]);
const REQUEST: Option<Choices> =
    choices(NodeFilter::Occupancy, &["all", "read", "write", "atomic", "stash"]);
const REQUEST_OR_SNOOP: Option<Choices> = choices(
    NodeFilter::Occupancy,
    &["all", "read", "write", "atomic", "stash", "rxsnp", "lbt", "hbt"],
);
const CLASS: Option<Choices> =
    choices(NodeFilter::Class, &["class0", "class1", "class2", "class3"]);
const THROTTLE: Option<Choices> = choices(
    NodeFilter::Throttle,
    &["all", "group0_read", "group0_write", "group1_read", "group1_write", "read", "write"],
);
const HALF: Option<Choices> = choices(NodeFilter::Tracker, &["all", "hbt", "lbt"]);
const HOME: Option<Choices> = choices(NodeFilter::Home, &["all", "sn", "home"]);

// Those that CMN S3 r2 has in addition, or in place of others.
const MORE_OCCUPANTS: Option<Choices> = choices(
    NodeFilter::Occupancy,
    &["", "", "", "", "", "", "", "", "rnf", "rni", "ccglcn", "ccgrn"],
);
const OCCUPANTS: Option<Choices> = choices(
    NodeFilter::Occupancy,
    &[
        "", "read", "write", "atomic", "stash", "rxsnp", "lbt", "hbt", "rnf", "rni", "ccglcn",
        "ccgrn",
    ],
);
const MORE_THROTTLED: Option<Choices> = choices(
    NodeFilter::Throttle,
    &["", "", "", "", "", "", "", "", "", "ccg_read", "ccg_write", "lbt_read", "lbt_write", "lbt"],
);
const MORE_REQUESTERS: Option<Choices> =
    choices(NodeFilter::TrackerOrRequester, &["", "", "", "rnf", "rni", "ccglcn", "ccgrn"]);
const REQUESTER: Option<Choices> = choices(
    NodeFilter::TrackerOrRequester,
    &["all", "hbt", "lbt", "rnf", "rni", "ccglcn", "ccgrn"],
);
const CHANNEL: Option<Choices> = choices(NodeFilter::SnoopChannel, &["vc0", "vc1", "vc2"]);
const STATE: Option<Choices> =
    choices(NodeFilter::EvictState, &["all", "eu", "en", "su", "sn", "mu", "mn"]);
// Of one filter on older products and another on CMN S3 r2, which have the first
// number in common.
const BOTH_HALVES: Option<Choices> = choices(NodeFilter::Tracker, &["all"]);
const ONE_HALF: Option<Choices> = choices(NodeFilter::Tracker, &["", "hbt", "lbt"]);

const ANY: Products = Products::ANY;
const CMN600: Products = Products::CMN600;
const CMN700: Products = Products::CMN700;
const CMNS3: Products = Products::CMNS3;
const S3R2: Products = Products::CMNS3R2;
const NOT_600: Products = ANY.without(CMN600);
/// The driver's `CMN_650ON`, which does not include CI-700.
const SINCE_650: Products = NOT_600.without(Products::CI700);
const SINCE_700: Products = SINCE_650.without(Products::CMN650);
const UNTIL_S3R1: Products = SINCE_700.without(S3R2);

/// The events of each node type, in the driver's order. The rows of one event stand
/// together; the last one of a product has the filter that its newest driver applies.
pub(super) const FAMILIES: &[(NodeType, &[Row])] = &[
    (
        NodeType::Dn,
        &[
            row(CMN600, "rxreq_dvmop", 0x01, NONE),
            row(CMN600, "rxreq_dvmsync", 0x02, NONE),
            row(CMN600, "rxreq_dvmop_vmid_filtered", 0x03, NONE),
            row(CMN600, "rxreq_retried", 0x04, NONE),
            row(CMN600, "rxreq_trk_occupancy", 0x05, DVM),
            row(NOT_600, "dvmop_tlbi", 0x01, NONE),
            row(NOT_600, "dvmop_bpi", 0x02, NONE),
            row(NOT_600, "dvmop_pici", 0x03, NONE),
            row(NOT_600, "dvmop_vici", 0x04, NONE),
            row(NOT_600, "dvmsync", 0x05, NONE),
            row(NOT_600, "vmid_filtered", 0x06, NONE),
            row(NOT_600, "rndop_filtered", 0x07, NONE),
            row(NOT_600, "retry", 0x08, NONE),
            row(NOT_600, "txsnp_flitv", 0x09, NONE),
            row(NOT_600, "txsnp_stall", 0x0a, NONE),
            row(NOT_600, "trkfull", 0x0b, NONE),
            row(NOT_600, "trk_occupancy", 0x0c, DVM),
            row(SINCE_700, "trk_occupancy_cxha", 0x0d, DVM),
            row(SINCE_700, "trk_occupancy_pdn", 0x0e, DVM),
            row(SINCE_700, "trk_alloc", 0x0f, NONE),
            row(SINCE_700, "trk_cxha_alloc", 0x10, NONE),
            row(SINCE_700, "trk_pdn_alloc", 0x11, NONE),
            row(SINCE_700, "txsnp_stall_limit", 0x12, NONE),
            row(SINCE_700, "rxsnp_stall_starv", 0x13, NONE),
            row(SINCE_700, "txsnp_sync_stall_op", 0x14, NONE),
        ],
    ),
    (
        NodeType::HnF,
        &[
            row(ANY, "cache_miss", 0x01, NONE),
            row(ANY, "slc_sf_cache_access", 0x02, NONE),
            row(ANY, "cache_fill", 0x03, NONE),
            row(ANY, "pocq_retry", 0x04, NONE),
            row(ANY, "pocq_reqs_recvd", 0x05, NONE),
            row(ANY, "sf_hit", 0x06, NONE),
            row(ANY, "sf_evictions", 0x07, NONE),
            row(ANY, "dir_snoops_sent", 0x08, NONE),
            row(ANY, "brd_snoops_sent", 0x09, NONE),
            row(ANY, "slc_eviction", 0x0a, NONE),
            row(ANY, "slc_fill_invalid_way", 0x0b, NONE),
            row(ANY, "mc_retries", 0x0c, NONE),
            row(ANY, "mc_reqs", 0x0d, NONE),
            row(ANY, "qos_hh_retry", 0x0e, NONE),
            row(ANY, "qos_pocq_occupancy", 0x0f, REQUEST),
            row(ANY, "pocq_addrhaz", 0x10, NONE),
            row(ANY, "pocq_atomic_addrhaz", 0x11, NONE),
            row(ANY, "ld_st_swp_adq_full", 0x12, NONE),
            row(ANY, "cmp_adq_full", 0x13, NONE),
            row(ANY, "txdat_stall", 0x14, NONE),
            row(ANY, "txrsp_stall", 0x15, NONE),
            row(ANY, "seq_full", 0x16, NONE),
            row(ANY, "seq_hit", 0x17, NONE),
            row(ANY, "snp_sent", 0x18, NONE),
            row(ANY, "sfbi_dir_snp_sent", 0x19, NONE),
            row(ANY, "sfbi_brd_snp_sent", 0x1a, NONE),
            row(ANY, "snp_sent_untrk", 0x1b, NONE),
            row(ANY, "intv_dirty", 0x1c, NONE),
            row(ANY, "stash_snp_sent", 0x1d, NONE),
            row(ANY, "stash_data_pull", 0x1e, NONE),
            row(ANY, "snp_fwded", 0x1f, NONE),
            row(NOT_600, "atomic_fwd", 0x20, NONE),
            row(NOT_600, "mpam_hardlim", 0x21, NONE),
            row(NOT_600, "mpam_softlim", 0x22, NONE),
            row(SINCE_650, "snp_sent_cluster", 0x23, NONE),
            row(SINCE_650, "sf_imprecise_evict", 0x24, NONE),
            row(SINCE_650, "sf_evict_shared_line", 0x25, NONE),
            row(CMN700, "pocq_class_occup", 0x26, CLASS),
            row(CMN700, "pocq_class_retry", 0x27, CLASS),
            row(CMN700, "class_mc_reqs", 0x28, CLASS),
            row(CMN700, "class_cgnt_cmin", 0x29, CLASS),
            row(CMN700, "sn_throttle", 0x2a, THROTTLE),
            // The driver's macro for both kinds of nodes has these for HN-F, too.
            row(S3R2, "sn_throttle", 0x2a, MORE_THROTTLED),
            row(CMN700, "sn_throttle_min", 0x2b, THROTTLE),
            row(S3R2, "sn_throttle_min", 0x2b, MORE_THROTTLED),
            row(CMN700, "sf_precise_to_imprecise", 0x2c, NONE),
            row(CMN700, "snp_intv_cln", 0x2d, NONE),
            row(CMN700, "nc_excl", 0x2e, NONE),
            row(CMN700, "excl_mon_ovfl", 0x2f, NONE),
        ],
    ),
    (
        NodeType::HnI,
        &[
            row(ANY, "rrt_rd_occ_cnt_ovfl", 0x20, NONE),
            row(ANY, "rrt_wr_occ_cnt_ovfl", 0x21, NONE),
            row(ANY, "rdt_rd_occ_cnt_ovfl", 0x22, NONE),
            row(ANY, "rdt_wr_occ_cnt_ovfl", 0x23, NONE),
            row(ANY, "wdb_occ_cnt_ovfl", 0x24, NONE),
            row(ANY, "rrt_rd_alloc", 0x25, NONE),
            row(ANY, "rrt_wr_alloc", 0x26, NONE),
            row(ANY, "rdt_rd_alloc", 0x27, NONE),
            row(ANY, "rdt_wr_alloc", 0x28, NONE),
            row(ANY, "wdb_alloc", 0x29, NONE),
            row(ANY, "txrsp_retryack", 0x2a, NONE),
            row(ANY, "arvalid_no_arready", 0x2b, NONE),
            row(ANY, "arready_no_arvalid", 0x2c, NONE),
            row(ANY, "awvalid_no_awready", 0x2d, NONE),
            row(ANY, "awready_no_awvalid", 0x2e, NONE),
            row(ANY, "wvalid_no_wready", 0x2f, NONE),
            row(ANY, "txdat_stall", 0x30, NONE),
            row(ANY, "nonpcie_serialization", 0x31, NONE),
            row(ANY, "pcie_serialization", 0x32, NONE),
        ],
    ),
    (
        NodeType::HnP,
        &[
            row(ANY, "rrt_wr_occ_cnt_ovfl", 0x01, NONE),
            row(ANY, "rdt_wr_occ_cnt_ovfl", 0x02, NONE),
            row(ANY, "wdb_occ_cnt_ovfl", 0x03, NONE),
            row(ANY, "rrt_wr_alloc", 0x04, NONE),
            row(ANY, "rdt_wr_alloc", 0x05, NONE),
            row(ANY, "wdb_alloc", 0x06, NONE),
            row(ANY, "awvalid_no_awready", 0x07, NONE),
            row(ANY, "awready_no_awvalid", 0x08, NONE),
            row(ANY, "wvalid_no_wready", 0x09, NONE),
            row(ANY, "rrt_rd_occ_cnt_ovfl", 0x11, NONE),
            row(ANY, "rdt_rd_occ_cnt_ovfl", 0x12, NONE),
            row(ANY, "rrt_rd_alloc", 0x13, NONE),
            row(ANY, "rdt_rd_alloc", 0x14, NONE),
            row(ANY, "arvalid_no_arready", 0x15, NONE),
            row(ANY, "arready_no_arvalid", 0x16, NONE),
        ],
    ),
    (
        NodeType::Sbsx,
        &[
            row(ANY, "rd_req", 0x01, NONE),
            row(ANY, "wr_req", 0x02, NONE),
            row(ANY, "cmo_req", 0x03, NONE),
            row(ANY, "txrsp_retryack", 0x04, NONE),
            row(ANY, "txdat_flitv", 0x05, NONE),
            row(ANY, "txrsp_flitv", 0x06, NONE),
            row(ANY, "rd_req_trkr_occ_cnt_ovfl", 0x11, NONE),
            row(ANY, "wr_req_trkr_occ_cnt_ovfl", 0x12, NONE),
            row(ANY, "cmo_req_trkr_occ_cnt_ovfl", 0x13, NONE),
            row(ANY, "wdb_occ_cnt_ovfl", 0x14, NONE),
            row(ANY, "rd_axi_trkr_occ_cnt_ovfl", 0x15, NONE),
            row(ANY, "cmo_axi_trkr_occ_cnt_ovfl", 0x16, NONE),
            row(NOT_600, "rdb_occ_cnt_ovfl", 0x17, NONE),
            row(ANY, "arvalid_no_arready", 0x21, NONE),
            row(ANY, "awvalid_no_awready", 0x22, NONE),
            row(ANY, "wvalid_no_wready", 0x23, NONE),
            row(ANY, "txdat_stall", 0x24, NONE),
            row(ANY, "txrsp_stall", 0x25, NONE),
        ],
    ),
    (
        NodeType::RnI,
        &[
            row(ANY, "s0_rdata_beats", 0x01, NONE),
            row(ANY, "s1_rdata_beats", 0x02, NONE),
            row(ANY, "s2_rdata_beats", 0x03, NONE),
            row(ANY, "rxdat_flits", 0x04, NONE),
            row(ANY, "txdat_flits", 0x05, NONE),
            row(ANY, "txreq_flits_total", 0x06, NONE),
            row(ANY, "txreq_flits_retried", 0x07, NONE),
            row(ANY, "rrt_occ_ovfl", 0x08, NONE),
            row(ANY, "wrt_occ_ovfl", 0x09, NONE),
            row(ANY, "txreq_flits_replayed", 0x0a, NONE),
            row(ANY, "wrcancel_sent", 0x0b, NONE),
            row(ANY, "s0_wdata_beats", 0x0c, NONE),
            row(ANY, "s1_wdata_beats", 0x0d, NONE),
            row(ANY, "s2_wdata_beats", 0x0e, NONE),
            row(ANY, "rrt_alloc", 0x0f, NONE),
            row(ANY, "wrt_alloc", 0x10, NONE),
            row(CMN600, "rdb_unord", 0x11, NONE),
            row(CMN600, "rdb_replay", 0x12, NONE),
            row(CMN600, "rdb_hybrid", 0x13, NONE),
            row(CMN600, "rdb_ord", 0x14, NONE),
            row(NOT_600, "padb_occ_ovfl", 0x11, NONE),
            row(NOT_600, "rpdb_occ_ovfl", 0x12, NONE),
            row(NOT_600, "rrt_occup_ovfl_slice1", 0x13, NONE),
            row(NOT_600, "rrt_occup_ovfl_slice2", 0x14, NONE),
            row(NOT_600, "rrt_occup_ovfl_slice3", 0x15, NONE),
            row(NOT_600, "wrt_throttled", 0x16, NONE),
            row(CMN700, "ldb_full", 0x17, NONE),
            row(CMN700, "rrt_rd_req_occup_ovfl_slice0", 0x18, NONE),
            row(CMN700, "rrt_rd_req_occup_ovfl_slice1", 0x19, NONE),
            row(CMN700, "rrt_rd_req_occup_ovfl_slice2", 0x1a, NONE),
            row(CMN700, "rrt_rd_req_occup_ovfl_slice3", 0x1b, NONE),
            row(CMN700, "rrt_burst_occup_ovfl_slice0", 0x1c, NONE),
            row(CMN700, "rrt_burst_occup_ovfl_slice1", 0x1d, NONE),
            row(CMN700, "rrt_burst_occup_ovfl_slice2", 0x1e, NONE),
            row(CMN700, "rrt_burst_occup_ovfl_slice3", 0x1f, NONE),
            row(CMN700, "rrt_burst_alloc", 0x20, NONE),
            row(CMN700, "awid_hash", 0x21, NONE),
            row(CMN700, "atomic_alloc", 0x22, NONE),
            row(CMN700, "atomic_occ_ovfl", 0x23, NONE),
        ],
    ),
    (
        NodeType::Mtsx,
        &[
            row(ANY, "tc_lookup", 0x01, NONE),
            row(ANY, "tc_fill", 0x02, NONE),
            row(ANY, "tc_miss", 0x03, NONE),
            row(ANY, "tdb_forward", 0x04, NONE),
            row(ANY, "tcq_hazard", 0x05, NONE),
            row(ANY, "tcq_rd_alloc", 0x06, NONE),
            row(ANY, "tcq_wr_alloc", 0x07, NONE),
            row(ANY, "tcq_cmo_alloc", 0x08, NONE),
            row(ANY, "axi_rd_req", 0x09, NONE),
            row(ANY, "axi_wr_req", 0x0a, NONE),
            row(ANY, "tcq_occ_cnt_ovfl", 0x0b, NONE),
            row(ANY, "tdb_occ_cnt_ovfl", 0x0c, NONE),
        ],
    ),
    (
        NodeType::Cxra,
        &[
            row(ANY, "rht_occ", 0x01, NONE),
            row(ANY, "sht_occ", 0x02, NONE),
            row(ANY, "rdb_occ", 0x03, NONE),
            row(ANY, "wdb_occ", 0x04, NONE),
            row(ANY, "ssb_occ", 0x05, NONE),
            row(ANY, "snp_bcasts", 0x06, NONE),
            row(ANY, "req_chains", 0x07, NONE),
            row(ANY, "req_chain_avglen", 0x08, NONE),
            row(ANY, "chirsp_stalls", 0x09, NONE),
            row(ANY, "chidat_stalls", 0x0a, NONE),
            row(ANY, "cxreq_pcrd_stalls_link0", 0x0b, NONE),
            row(ANY, "cxreq_pcrd_stalls_link1", 0x0c, NONE),
            row(ANY, "cxreq_pcrd_stalls_link2", 0x0d, NONE),
            row(ANY, "cxdat_pcrd_stalls_link0", 0x0e, NONE),
            row(ANY, "cxdat_pcrd_stalls_link1", 0x0f, NONE),
            row(ANY, "cxdat_pcrd_stalls_link2", 0x10, NONE),
            row(ANY, "external_chirsp_stalls", 0x11, NONE),
            row(ANY, "external_chidat_stalls", 0x12, NONE),
            row(NOT_600, "cxmisc_pcrd_stalls_link0", 0x13, NONE),
            row(NOT_600, "cxmisc_pcrd_stalls_link1", 0x14, NONE),
            row(NOT_600, "cxmisc_pcrd_stalls_link2", 0x15, NONE),
        ],
    ),
    (
        NodeType::Cxha,
        &[
            row(ANY, "rddatbyp", 0x21, NONE),
            row(ANY, "chirsp_up_stall", 0x22, NONE),
            row(ANY, "chidat_up_stall", 0x23, NONE),
            row(ANY, "snppcrd_link0_stall", 0x24, NONE),
            row(ANY, "snppcrd_link1_stall", 0x25, NONE),
            row(ANY, "snppcrd_link2_stall", 0x26, NONE),
            row(ANY, "reqtrk_occ", 0x27, NONE),
            row(ANY, "rdb_occ", 0x28, NONE),
            row(ANY, "rdbyp_occ", 0x29, NONE),
            row(ANY, "wdb_occ", 0x2a, NONE),
            row(ANY, "snptrk_occ", 0x2b, NONE),
            row(ANY, "sdb_occ", 0x2c, NONE),
            row(ANY, "snphaz_occ", 0x2d, NONE),
        ],
    ),
    (
        NodeType::Ccra,
        &[
            row(ANY, "rht_occ", 0x41, NONE),
            row(ANY, "sht_occ", 0x42, NONE),
            row(ANY, "rdb_occ", 0x43, NONE),
            row(ANY, "wdb_occ", 0x44, NONE),
            row(ANY, "ssb_occ", 0x45, NONE),
            row(ANY, "snp_bcasts", 0x46, NONE),
            row(ANY, "req_chains", 0x47, NONE),
            row(ANY, "req_chain_avglen", 0x48, NONE),
            row(ANY, "chirsp_stalls", 0x49, NONE),
            row(ANY, "chidat_stalls", 0x4a, NONE),
            row(ANY, "cxreq_pcrd_stalls_link0", 0x4b, NONE),
            row(ANY, "cxreq_pcrd_stalls_link1", 0x4c, NONE),
            row(ANY, "cxreq_pcrd_stalls_link2", 0x4d, NONE),
            row(ANY, "cxdat_pcrd_stalls_link0", 0x4e, NONE),
            row(ANY, "cxdat_pcrd_stalls_link1", 0x4f, NONE),
            row(ANY, "cxdat_pcrd_stalls_link2", 0x50, NONE),
            row(ANY, "external_chirsp_stalls", 0x51, NONE),
            row(ANY, "external_chidat_stalls", 0x52, NONE),
            row(ANY, "cxmisc_pcrd_stalls_link0", 0x53, NONE),
            row(ANY, "cxmisc_pcrd_stalls_link1", 0x54, NONE),
            row(ANY, "cxmisc_pcrd_stalls_link2", 0x55, NONE),
            row(ANY, "rht_alloc", 0x56, NONE),
            row(ANY, "sht_alloc", 0x57, NONE),
            row(ANY, "rdb_alloc", 0x58, NONE),
            row(ANY, "wdb_alloc", 0x59, NONE),
            row(ANY, "ssb_alloc", 0x5a, NONE),
        ],
    ),
    (
        NodeType::Ccha,
        &[
            row(ANY, "rddatbyp", 0x61, NONE),
            row(ANY, "chirsp_up_stall", 0x62, NONE),
            row(ANY, "chidat_up_stall", 0x63, NONE),
            row(ANY, "snppcrd_link0_stall", 0x64, NONE),
            row(ANY, "snppcrd_link1_stall", 0x65, NONE),
            row(ANY, "snppcrd_link2_stall", 0x66, NONE),
            row(ANY, "reqtrk_occ", 0x67, NONE),
            row(ANY, "rdb_occ", 0x68, NONE),
            row(ANY, "rdbyp_occ", 0x69, NONE),
            row(ANY, "wdb_occ", 0x6a, NONE),
            row(ANY, "snptrk_occ", 0x6b, NONE),
            row(ANY, "sdb_occ", 0x6c, NONE),
            row(ANY, "snphaz_occ", 0x6d, NONE),
            row(ANY, "reqtrk_alloc", 0x6e, NONE),
            row(ANY, "rdb_alloc", 0x6f, NONE),
            row(ANY, "rdbyp_alloc", 0x70, NONE),
            row(ANY, "wdb_alloc", 0x71, NONE),
            row(ANY, "snptrk_alloc", 0x72, NONE),
            row(ANY, "db_alloc", 0x73, NONE),
            row(ANY, "snphaz_alloc", 0x74, NONE),
            row(ANY, "pb_rhu_req_occ", 0x75, NONE),
            row(ANY, "pb_rhu_req_alloc", 0x76, NONE),
            row(ANY, "pb_rhu_pcie_req_occ", 0x77, NONE),
            row(ANY, "pb_rhu_pcie_req_alloc", 0x78, NONE),
            row(ANY, "pb_pcie_wr_req_occ", 0x79, NONE),
            row(ANY, "pb_pcie_wr_req_alloc", 0x7a, NONE),
            row(ANY, "pb_pcie_reg_req_occ", 0x7b, NONE),
            row(ANY, "pb_pcie_reg_req_alloc", 0x7c, NONE),
            row(ANY, "pb_pcie_rsvd_req_occ", 0x7d, NONE),
            row(ANY, "pb_pcie_rsvd_req_alloc", 0x7e, NONE),
            row(ANY, "pb_rhu_dat_occ", 0x7f, NONE),
            row(ANY, "pb_rhu_dat_alloc", 0x80, NONE),
            row(ANY, "pb_rhu_pcie_dat_occ", 0x81, NONE),
            row(ANY, "pb_rhu_pcie_dat_alloc", 0x82, NONE),
            row(ANY, "pb_pcie_wr_dat_occ", 0x83, NONE),
            row(ANY, "pb_pcie_wr_dat_alloc", 0x84, NONE),
            row(CMNS3, "chirsp1_up_stall", 0x85, NONE),
        ],
    ),
    (
        NodeType::Ccla,
        &[
            row(ANY, "rx_cxs", 0x21, NONE),
            row(ANY, "tx_cxs", 0x22, NONE),
            row(ANY, "rx_cxs_avg_size", 0x23, NONE),
            row(ANY, "tx_cxs_avg_size", 0x24, NONE),
            row(ANY, "tx_cxs_lcrd_backpressure", 0x25, NONE),
            row(ANY, "link_crdbuf_occ", 0x26, NONE),
            row(ANY, "link_crdbuf_alloc", 0x27, NONE),
            row(ANY, "pfwd_rcvr_cxs", 0x28, NONE),
            row(ANY, "pfwd_sndr_num_flits", 0x29, NONE),
            row(ANY, "pfwd_sndr_stalls_static_crd", 0x2a, NONE),
            row(ANY, "pfwd_sndr_stalls_dynmaic_crd", 0x2b, NONE),
        ],
    ),
    (
        NodeType::HnS,
        &[
            row(SINCE_700, "cache_miss", 0x01, HALF),
            row(S3R2, "cache_miss", 0x01, MORE_REQUESTERS),
            row(SINCE_700, "slc_sf_cache_access", 0x02, HALF),
            row(S3R2, "slc_sf_cache_access", 0x02, MORE_REQUESTERS),
            row(SINCE_700, "cache_fill", 0x03, HALF),
            row(S3R2, "cache_fill", 0x03, MORE_REQUESTERS),
            row(SINCE_700, "pocq_retry", 0x04, BOTH_HALVES),
            row(UNTIL_S3R1, "pocq_retry", 0x04, ONE_HALF),
            row(S3R2, "pocq_retry", 0x04, OCCUPANTS),
            row(SINCE_700, "pocq_reqs_recvd", 0x05, BOTH_HALVES),
            row(UNTIL_S3R1, "pocq_reqs_recvd", 0x05, ONE_HALF),
            row(S3R2, "pocq_reqs_recvd", 0x05, OCCUPANTS),
            row(SINCE_700, "sf_hit", 0x06, HALF),
            row(S3R2, "sf_hit", 0x06, MORE_REQUESTERS),
            row(UNTIL_S3R1, "sf_evictions", 0x07, HALF),
            eviction(S3R2, "sf_evictions", 0x07),
            row(UNTIL_S3R1, "dir_snoops_sent", 0x08, NONE),
            row(S3R2, "dir_snoops_sent", 0x08, CHANNEL),
            row(UNTIL_S3R1, "brd_snoops_sent", 0x09, NONE),
            row(S3R2, "brd_snoops_sent", 0x09, CHANNEL),
            row(UNTIL_S3R1, "slc_eviction", 0x0a, HALF),
            eviction(S3R2, "slc_eviction", 0x0a),
            row(SINCE_700, "slc_fill_invalid_way", 0x0b, HALF),
            row(S3R2, "slc_fill_invalid_way", 0x0b, MORE_REQUESTERS),
            row(UNTIL_S3R1, "mc_retries_local", 0x0c, NONE),
            row(S3R2, "mc_retries_local", 0x0c, HOME),
            row(SINCE_700, "mc_reqs_local", 0x0d, HOME),
            row(SINCE_700, "qos_hh_retry", 0x0e, NONE),
            row(SINCE_700, "qos_pocq_occupancy", 0x0f, REQUEST_OR_SNOOP),
            row(S3R2, "qos_pocq_occupancy", 0x0f, MORE_OCCUPANTS),
            row(UNTIL_S3R1, "pocq_addrhaz", 0x10, NONE),
            row(SINCE_700, "pocq_addrhaz", 0x10, HALF),
            row(S3R2, "pocq_addrhaz", 0x10, MORE_REQUESTERS),
            row(UNTIL_S3R1, "pocq_atomic_addrhaz", 0x11, NONE),
            row(SINCE_700, "pocq_atomic_addrhaz", 0x11, HALF),
            row(S3R2, "pocq_atomic_addrhaz", 0x11, MORE_REQUESTERS),
            row(UNTIL_S3R1, "ld_st_swp_adq_full", 0x12, NONE),
            row(UNTIL_S3R1, "cmp_adq_full", 0x13, NONE),
            row(SINCE_700, "txdat_stall", 0x14, NONE),
            row(SINCE_700, "txrsp_stall", 0x15, NONE),
            row(UNTIL_S3R1, "seq_full", 0x16, NONE),
            row(SINCE_700, "seq_hit", 0x17, NONE),
            row(UNTIL_S3R1, "snp_sent", 0x18, NONE),
            row(S3R2, "snp_sent", 0x18, CHANNEL),
            row(UNTIL_S3R1, "sfbi_dir_snp_sent", 0x19, NONE),
            row(S3R2, "sfbi_dir_snp_sent", 0x19, CHANNEL),
            row(UNTIL_S3R1, "sfbi_brd_snp_sent", 0x1a, NONE),
            row(S3R2, "sfbi_brd_snp_sent", 0x1a, CHANNEL),
            row(SINCE_700, "intv_dirty", 0x1c, NONE),
            row(UNTIL_S3R1, "stash_snp_sent", 0x1d, NONE),
            row(UNTIL_S3R1, "stash_data_pull", 0x1e, NONE),
            row(UNTIL_S3R1, "snp_fwded", 0x1f, NONE),
            row(S3R2, "snp_fwded", 0x1f, CHANNEL),
            row(UNTIL_S3R1, "atomic_fwd", 0x20, NONE),
            row(SINCE_700, "mpam_hardlim", 0x21, NONE),
            row(SINCE_700, "mpam_softlim", 0x22, NONE),
            row(UNTIL_S3R1, "snp_sent_cluster", 0x23, NONE),
            row(S3R2, "snp_sent_cluster", 0x23, CHANNEL),
            row(UNTIL_S3R1, "sf_imprecise_evict", 0x24, NONE),
            row(S3R2, "sf_imprecise_evict", 0x24, HALF),
            row(SINCE_700, "sf_evict_shared_line", 0x25, NONE),
            row(SINCE_700, "pocq_class_occup", 0x26, CLASS),
            row(SINCE_700, "pocq_class_retry", 0x27, CLASS),
            row(SINCE_700, "class_mc_reqs_local", 0x28, CLASS),
            row(UNTIL_S3R1, "class_cgnt_cmin", 0x29, CLASS),
            row(SINCE_700, "sn_throttle", 0x2a, THROTTLE),
            row(S3R2, "sn_throttle", 0x2a, MORE_THROTTLED),
            row(SINCE_700, "sn_throttle_min", 0x2b, THROTTLE),
            row(S3R2, "sn_throttle_min", 0x2b, MORE_THROTTLED),
            row(SINCE_700, "sf_precise_to_imprecise", 0x2c, NONE),
            row(SINCE_700, "snp_intv_cln", 0x2d, NONE),
            row(SINCE_700, "nc_excl", 0x2e, NONE),
            row(UNTIL_S3R1, "excl_mon_ovfl", 0x2f, NONE),
            row(SINCE_700, "snp_req_recvd", 0x30, NONE),
            row(SINCE_700, "snp_req_byp_pocq", 0x31, NONE),
            row(SINCE_700, "dir_ccgha_snp_sent", 0x32, NONE),
            row(SINCE_700, "brd_ccgha_snp_sent", 0x33, NONE),
            row(UNTIL_S3R1, "ccgha_snp_stall", 0x34, NONE),
            row(SINCE_700, "lbt_req_hardlim", 0x35, NONE),
            row(SINCE_700, "hbt_req_hardlim", 0x36, NONE),
            row(SINCE_700, "sf_reupdate", 0x37, NONE),
            row(UNTIL_S3R1, "excl_sf_imprecise", 0x38, NONE),
            row(S3R2, "excl_sf_imprecise", 0x38, HALF),
            row(SINCE_700, "snp_pocq_addrhaz", 0x39, NONE),
            row(UNTIL_S3R1, "mc_retries_remote", 0x3a, NONE),
            row(S3R2, "mc_retries_remote", 0x3a, HOME),
            row(SINCE_700, "mc_reqs_remote", 0x3b, HOME),
            row(SINCE_700, "class_mc_reqs_remote", 0x3c, CLASS),
            row(S3R2, "readonce_hazard_detected", 0x3d, REQUESTER),
            row(S3R2, "readonce_fwd_data_completed", 0x3e, REQUESTER),
            row(S3R2, "cbusy00", 0x40, THROTTLE),
            row(S3R2, "cbusy00", 0x40, MORE_THROTTLED),
            row(S3R2, "cbusy01", 0x41, THROTTLE),
            row(S3R2, "cbusy01", 0x41, MORE_THROTTLED),
            row(S3R2, "cbusy10", 0x42, THROTTLE),
            row(S3R2, "cbusy10", 0x42, MORE_THROTTLED),
            row(S3R2, "cbusy11", 0x43, THROTTLE),
            row(S3R2, "cbusy11", 0x43, MORE_THROTTLED),
            row(S3R2, "ro_rnsd_new_alloc_hint", 0x44, REQUESTER),
        ],
    ),
];
