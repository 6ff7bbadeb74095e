//! Metrics of a unit that is a share of something, over the bundled trees: the value
//! fits the unit, whether it is a percentage or a fraction.

use pmu_events::{Metric, Model, arch};

/// Whether a unit is per cent of something.
fn is_percentage(unit: &str) -> bool {
    unit.starts_with('%') || unit.starts_with("percent")
}

/// Whether a unit is a share of the accesses or branches that it names.
fn is_fraction(unit: &str) -> bool {
    ["per cache", "per TLB access", "per branch", "per_branch"]
        .iter()
        .any(|start| unit.starts_with(start))
}

/// The events of `PART / WHOLE`, with or without a factor of 100.
fn part_and_whole(metric: Metric) -> Option<(String, String)> {
    let text = metric.expression().to_string();
    let text = text.strip_prefix("100 * ").unwrap_or(&text);
    let text = text.strip_suffix(" * 100").unwrap_or(text);
    let quotient = text.strip_prefix("d_ratio(").and_then(|rest| rest.strip_suffix(')'));
    let (part, whole) =
        quotient.and_then(|both| both.split_once(", ")).or_else(|| text.split_once(" / "))?;
    let is_name =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-\\".contains(c));
    (is_name(part) && is_name(whole)).then(|| (part.to_lowercase(), whole.to_lowercase()))
}

/// What counts all that happens; nothing is more.
const ALL: &[&str] = &[
    "cpu_cycles",
    "bus_cycles",
    "inst_spec",
    "op_spec",
    "cpu_clk_unhalted.thread",
    "cpu_clk_unhalted.core",
    "tsc",
    "slots",
    "uops_issued.any",
    "uops_retired.retire_slots",
    "l2_lines_in.all",
    "pm_cyc",
    "pm_run_inst_cmpl",
    "instructions",
];

/// Parts whose names do not say what they are a part of.
const PARTS: &[(&str, &[&str])] = &[
    ("l1d_tlb", &["dtlb_walk"]),
    ("l1i_tlb", &["itlb_walk"]),
    ("l1d_cache_rd", &["l1d_cache_lmiss_rd"]),
    ("l2d_cache_rd", &["l2d_cache_lmiss_rd"]),
    ("br_pred", &["br_mis_pred"]),
    (
        "br_retired",
        &["br_mis_pred_retired", "br_immed_retired", "br_ind_retired", "br_return_retired"],
    ),
    ("op_spec", &["op_retired"]),
    ("sve_pred_spec", &["sve_pred_empty_spec", "sve_pred_full_spec", "sve_pred_partial_spec"]),
    ("stall_backend_cpubound", &["stall_backend_rename"]),
    ("stall_backend_membound", &["stall_backend_st", "stall_backend_tlb"]),
    ("stall_frontend_cpubound", &["stall_frontend_flow", "stall_frontend_flush"]),
    ("stall_frontend_membound", &["stall_frontend_tlb"]),
    ("hnf_pocq_reqs_recvd", &["hnf_pocq_retry"]),
    ("hnf_mc_reqs", &["hnf_mc_retries"]),
    ("hnf_slc_sf_cache_access", &["hnf_sf_hit", "hnf_cache_miss"]),
    ("rnid_txreq_flits_total", &["rnid_txreq_flits_retried"]),
    ("pm_run_cyc", &["pm_1plus_ppc_disp"]),
    ("pm_derat_miss", &["pm_dtlb_miss"]),
    ("pm_ld_ref_l1", &["pm_ld_miss_l1"]),
    ("pm_ld_miss_l1", &["pm_ld_demand_miss_l1"]),
    ("pm_ld_demand_miss_l1", &["pm_data_from_l2miss", "pm_data_from_l3miss"]),
    ("pm_l1_icache_miss", &["pm_inst_from_l3miss"]),
    ("pm_br_fin", &["pm_br_taken_cmpl"]),
    ("br_inst_retired.all_branches", &["br_misp_retired.all_branches"]),
    ("br_inst_exec.any", &["br_misp_exec.any"]),
    ("l3_accesses", &["l3_misses"]),
    ("l3_cache_accesses", &["l3_misses"]),
    (
        "ld_head.any_at_ret",
        &[
            "ld_head.l1_miss_at_ret",
            "ld_head.other_at_ret",
            "ld_head.pgwalk_at_ret",
            "ld_head.dtlb_miss_at_ret",
            "ld_head.st_addr_at_ret",
        ],
    ),
    ("mem_uops_retired.all_loads", &["ld_blocks.address_alias", "ld_blocks.data_unknown"]),
];

/// What an event is a part of: refills of accesses, walks of TLB look-ups, kinds of
/// stalls of all stalls.
fn whole_of(name: &str, model: Model) -> Option<String> {
    let known = |whole: &String| whole != name && model.event(whole).is_some();
    if ALL.contains(&name) {
        return None;
    }
    if let Some((whole, _)) =
        PARTS.iter().find(|(whole, parts)| parts.contains(&name) && model.event(whole).is_some())
    {
        return Some((*whole).to_owned());
    }
    // `UNC_CHA_TOR_INSERTS.IO_MISS_ITOM` of `.IO_ITOM`, `LL_CACHE_MISS_RD` of `LL_CACHE_RD`.
    let without = Some(name.replace("miss_", "")).filter(known);
    if without.is_some() {
        return without;
    }
    // `MEM_BOUND_STALLS_LOAD.L2_HIT` of `.ALL`, `L3_LOOKUP_STATE.L3_MISS` of `.ALL_COHERENT…`.
    if let Some((stem, _)) = name.rsplit_once('.') {
        let all = model.events().map(|event| event.name().to_ascii_lowercase());
        let is_all = |other: &String| {
            let rest = other.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(|rest| {
                ["all", "any"].iter().any(|word| rest.split('_').next() == Some(word))
            })
        };
        let mut wholes: Vec<String> = all.filter(is_all).collect();
        wholes.sort_by_key(String::len);
        return wholes.into_iter().next().filter(known);
    }
    // `L1D_CACHE_REFILL_RD` of `L1D_CACHE_REFILL`.
    let ends = name.match_indices('_').map(|(end, _)| name[..end].to_owned());
    ends.rev().find(known)
}

/// A count that is at most that of what the event is a part of.
fn count(name: &str, model: Model, seed: u64) -> f64 {
    if ALL.contains(&name) {
        return 1e9;
    }
    let mut bits = name.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, |bits: u64, byte| {
        (bits ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    bits ^= bits >> 32;
    let part = 0.2 + 0.7 * (bits % 1000) as f64 / 1000.0;
    part * whole_of(name, model).map_or(1e9, |whole| count(&whole, model, seed))
}

fn every_metric() -> impl Iterator<Item = (Model, Metric)> {
    let models = arch::TREES.iter().flat_map(|(_, tree)| tree.models().chain(tree.sys_tables()));
    models.flat_map(|model| model.metrics().map(move |metric| (model, metric)))
}

/// What is counted as a part of something is at most that.
#[test]
fn quotients_are_shares() {
    let mut compared = 0;
    for (model, metric) in every_metric() {
        let (_, unit) = metric.scale();
        let most = match is_percentage(unit) {
            true => 100.0,
            false if is_fraction(unit) => 1.0,
            false => continue,
        };
        let Some((part, whole)) = part_and_whole(metric) else { continue };
        if [&part, &whole].iter().any(|name| model.metric(name).is_some()) {
            continue;
        }
        for seed in 0..3 {
            let of = |name: &str| count(&name.to_ascii_lowercase(), model, seed);
            let value = metric.evaluate(|event| of(event.as_str()));
            let (model, name) = (model.name(), metric.name());
            assert!(
                (0.0..=most).contains(&value),
                "{model}: {name}: {value} {unit} of {part} / {whole}"
            );
        }
        compared += 1;
    }
    assert!(compared > 600, "{compared}");
}

/// A percentage is multiplied by 100 once: in its formula, by its scale, or where it
/// is the value of another percentage.
#[test]
fn percentages_have_one_factor() {
    let mut compared = 0;
    for (model, metric) in every_metric() {
        let (scale, unit) = metric.scale();
        if !is_percentage(unit) {
            continue;
        }
        let text = metric.expression().to_string();
        let has_factor = text.contains("100");
        let refers_to_percentages = metric.expression().names().any(|name| {
            let other =
                model.metrics().find(|other| other.name().eq_ignore_ascii_case(name.as_str()));
            other.is_some_and(|other| is_percentage(other.scale().1) && other.scale().0 == 1.0)
        });
        let is_right = match scale {
            100.0 => !text.starts_with("100 *") && !text.ends_with("* 100"),
            1.0 => has_factor || refers_to_percentages,
            _ => true,
        };
        assert!(is_right, "{}: {}: {scale}{unit} of {text}", model.name(), metric.name());
        compared += 1;
    }
    assert!(compared > 3000, "{compared}");
}
