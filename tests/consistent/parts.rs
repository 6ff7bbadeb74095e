//! Which event counts a part of what another one counts.

use pmu_events::__private::glob;
use pmu_events::Model;

/// Events by a shell pattern of their names, and how many there are of something: of
/// another event, or of a time (`@cycles`, `@core`, `@slots`, …). The first that matches
/// counts, unless the model lacks the other event.
pub struct Rule {
    events: &'static str,
    pub of: &'static str,
    pub least: f64,
    pub most: f64,
}

const fn rule(events: &'static str, of: &'static str, least: f64, most: f64) -> Rule {
    Rule { events, of, least, most }
}

impl Rule {
    /// The rule of an event of a model.
    pub fn of(name: &str, model: Model) -> Option<&'static Rule> {
        let is_known = |of: &str| has(model, of);
        let is_it = |rule: &&Rule| glob::matches(rule.events, name) && is_known(rule.of);
        RULES.iter().find(is_it)
    }
}

/// Whether a model has an event, or needs no table for it.
fn has(model: Model, name: &str) -> bool {
    name.starts_with('@')
        || model.event(name).is_some()
        // The kernel has these where the core counts slots.
        || (name == "slots" || name.starts_with("topdown-")) && model.event("TOPDOWN.SLOTS").is_some()
        || name == "topdown_fe_bound.itlb_miss" && model.event("TOPDOWN_FE_BOUND.ITLB").is_some()
}

/// The whole that an event is a part of, and all of its parts.
pub fn partition_of(name: &str, model: Model) -> Option<(&'static str, Vec<&'static str>)> {
    let is_of = |parts: &[&str]| parts.contains(&name);
    let (whole, parts) =
        PARTITIONS.iter().find(|(whole, parts)| is_of(parts) && has(model, whole))?;
    Some((whole, parts.iter().copied().filter(|part| has(model, part)).collect()))
}

/// Parts that together are the whole, each of which is counted.
const PARTITIONS: &[(&str, &[&str])] = &[
    // Intel's slots.
    ("slots", &["topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound"]),
    (
        "@atom",
        &[
            "topdown_retiring.all",
            "topdown_bad_speculation.all",
            "topdown_fe_bound.all",
            "topdown_be_bound.all",
        ],
    ),
    (
        "topdown_fe_bound.all",
        &["topdown_fe_bound.frontend_latency", "topdown_fe_bound.frontend_bandwidth"],
    ),
    (
        "topdown_fe_bound.frontend_latency",
        &[
            "topdown_fe_bound.branch_detect",
            "topdown_fe_bound.branch_resteer",
            "topdown_fe_bound.icache",
            "topdown_fe_bound.itlb_miss",
        ],
    ),
    (
        "topdown_fe_bound.frontend_bandwidth",
        &[
            "topdown_fe_bound.cisc",
            "topdown_fe_bound.decode",
            "topdown_fe_bound.other",
            "topdown_fe_bound.predecode",
        ],
    ),
    (
        "topdown_bad_speculation.all",
        &["topdown_bad_speculation.mispredict", "topdown_bad_speculation.machine_clears"],
    ),
    (
        "topdown_bad_speculation.machine_clears",
        &["topdown_bad_speculation.nuke", "topdown_bad_speculation.fastnuke"],
    ),
    (
        "topdown_be_bound.all",
        &[
            "topdown_be_bound.alloc_restrictions",
            "topdown_be_bound.mem_scheduler",
            "topdown_be_bound.non_mem_scheduler",
            "topdown_be_bound.register",
            "topdown_be_bound.reorder_buffer",
            "topdown_be_bound.serialization",
        ],
    ),
    // AMD's slots.
    (
        "@dispatch",
        &[
            "de_src_op_disp.all",
            "de_no_dispatch_per_slot.no_ops_from_frontend",
            "de_no_dispatch_per_slot.backend_stalls",
            "de_no_dispatch_per_slot.smt_contention",
        ],
    ),
    (
        "mem_bound_stalls_load.all",
        &[
            "mem_bound_stalls_load.l2_hit",
            "mem_bound_stalls_load.llc_hit",
            "mem_bound_stalls_load.llc_miss",
        ],
    ),
    (
        "mem_bound_stalls_ifetch.all",
        &[
            "mem_bound_stalls_ifetch.l2_hit",
            "mem_bound_stalls_ifetch.llc_hit",
            "mem_bound_stalls_ifetch.llc_miss",
        ],
    ),
    ("umc_cas_cmd.all", &["umc_cas_cmd.rd", "umc_cas_cmd.wr"]),
    // Arm's.
    ("@slots", &["op_spec", "stall_slot_frontend", "stall_slot_backend"]),
    ("stall_backend", &["stall_backend_cpubound", "stall_backend_membound"]),
    ("stall_frontend", &["stall_frontend_cpubound", "stall_frontend_membound"]),
    (
        "stall_backend_membound",
        &["stall_backend_l1d", "stall_backend_mem", "stall_backend_st", "stall_backend_tlb"],
    ),
    (
        "stall_frontend_membound",
        &["stall_frontend_l1i", "stall_frontend_mem", "stall_frontend_tlb"],
    ),
    (
        "stall_frontend_cpubound",
        &["stall_frontend_flow", "stall_frontend_flush", "imp_stall_frontend_spec_throt"],
    ),
    (
        "stall_frontend_flush",
        &["imp_stall_frontend_flush_clear", "imp_stall_frontend_flush_resteer"],
    ),
    (
        "stall_backend_busy_cme",
        &[
            "stall_backend_busy_cmebound",
            "stall_backend_busy_cme_arb",
            "stall_backend_busy_cme_cpubound",
        ],
    ),
    // POWER's stalls.
    ("pm_cmplu_stall_dcache_miss", &["pm_cmplu_stall_dmiss_l2l3", "pm_cmplu_stall_dmiss_l3miss"]),
    ("sve_pred_spec", &["sve_pred_empty_spec", "sve_pred_full_spec", "sve_pred_partial_spec"]),
];

const RULES: &[Rule] = &[
    // Time.
    rule("cycles-ct", "@cycles", 0.1, 0.2),
    rule("cycles-t", "@cycles", 0.3, 0.9),
    rule("aperf", "@cycles", 1.01, 1.2),
    rule("mperf", "@cycles", 0.7, 1.0),
    rule("cpu_clk_unhalted.ref_tsc", "@cycles", 0.7, 1.0),
    rule("cpu_clk_unhalted.c0*", "@cycles", 0.01, 0.1),
    rule("cpu_clk_unhalted.pause*", "@cycles", 0.0001, 0.0005),
    rule("cpu_clk_unhalted*", "@cycles", 1.0, 1.0),
    rule("cycles", "@cycles", 1.0, 1.0),
    rule("cpu-cycles", "@cycles", 1.0, 1.0),
    rule("cpu_cycles", "@cycles", 1.0, 1.0),
    rule("ls_not_halted_cyc*", "@cycles", 1.0, 1.0),
    rule("bus_cycles", "@cycles", 0.3, 0.5),
    rule("pm_cyc", "@cycles", 1.0, 1.0),
    rule("instructions", "@cycles", 0.5, 1.5),
    rule("slots", "@cycles", 6.0, 6.0),
    rule("topdown.slots", "@cycles", 6.0, 6.0),
    rule("topdown-heavy-ops", "topdown-retiring", 0.1, 0.5),
    rule("topdown-br-mispredict", "topdown-bad-spec", 0.1, 0.9),
    rule("topdown-fetch-lat", "topdown-fe-bound", 0.1, 0.9),
    rule("topdown-mem-bound", "topdown-be-bound", 0.1, 0.9),
    rule("int_misc.uop_dropping", "slots", 0.0001, 0.001),
    rule("int_misc.uop_dropping", "topdown.slots", 0.0001, 0.001),
    rule("int_misc.clears_count", "@cycles", 0.0011, 0.0015),
    rule("machine_clears.count", "@cycles", 0.0002, 0.0005),
    // Slots of Intel's four-wide cores.
    rule("idq_uops_not_delivered.cycles_0*", "topdown-fe-bound", 0.05, 0.1),
    rule("idq_uops_not_delivered.cycles_0*", "idq_uops_not_delivered.core", 0.1, 0.2),
    rule("idq_uops_not_delivered.core", "@wide", 0.1, 0.3),
    rule("uops_not_delivered.any", "@narrow", 0.1, 0.3),
    rule("issue_slots_not_consumed.recovery", "@narrow", 0.01, 0.05),
    rule("uops_issued.any", "@narrow", 0.4, 0.5),
    rule("uops_retired.retire_slots", "uops_issued.any", 0.7, 0.95),
    rule("uops_retired.any", "uops_issued.any", 0.7, 0.95),
    rule("uops_retired.slots", "uops_issued.any", 0.7, 0.95),
    rule("*.macro_fused", "inst_retired.any", 0.05, 0.1),
    rule("inst_retired.br_fused", "inst_retired.any", 0.05, 0.1),
    rule("inst_retired.nop", "inst_retired.any", 0.01, 0.1),
    rule("inst_retired.any*", "uops_retired.retire_slots", 0.8, 0.95),
    rule("inst_retired.any*", "@cycles", 0.5, 1.0),
    rule("br_inst_retired.all_branches", "inst_retired.any", 0.12, 0.15),
    rule("br_misp_retired.all_branches*", "@cycles", 0.0002, 0.0005),
    rule("int_misc.recovery_cycles*", "@core", 0.001, 0.01),
    rule("int_misc.clear_resteer_cycles", "@cycles", 0.01, 0.1),
    rule("int_misc.unknown_branch_cycles", "@cycles", 0.01, 0.1),
    rule("inst_retired.rep_iteration", "@cycles", 0.0001, 0.0005),
    rule("uops_retired.all", "@cycles", 0.5, 1.0),
    rule("idq.dsb_uops", "uops_issued.any", 0.2, 0.5),
    rule("idq.mite_uops", "uops_issued.any", 0.2, 0.3),
    rule("idq.ms_uops", "uops_issued.any", 0.02, 0.1),
    rule("lsd.uops", "uops_issued.any", 0.02, 0.1),
    rule("uops_retired.ms*", "@cycles", 0.02, 0.1),
    rule("uops_executed.x87", "uops_executed.thread", 0.01, 0.05),
    rule("fp_comp_ops_exe.x87", "uops_executed.thread", 0.01, 0.05),
    rule("uops_executed.core", "@narrow", 0.4, 0.5),
    rule("uops_executed.thread", "@narrow", 0.4, 0.5),
    rule("uops_dispatched.thread", "@narrow", 0.4, 0.5),
    rule("fp_arith*", "@cycles", 0.001, 0.02),
    rule("fp_comp*", "@cycles", 0.001, 0.02),
    rule("simd_fp_256*", "@cycles", 0.001, 0.02),
    rule("int_vec_retired.*", "@cycles", 0.001, 0.02),
    rule("assists.*", "@cycles", 0.00001, 0.0001),
    rule("*_assist*", "@cycles", 0.00001, 0.0001),
    rule("mem_uop_retired.any", "@cycles", 0.1, 0.4),
    rule("mem_inst_retired.any", "inst_retired.any", 0.3, 0.5),
    rule("mem_inst_retired.all_loads", "inst_retired.any", 0.2, 0.3),
    rule("mem_inst_retired.all_stores", "inst_retired.any", 0.1, 0.2),
    rule("mem_uops_retired.all_*", "inst_retired.any", 0.1, 0.3),
    // Cycles with something, in cycles with less of it.
    rule("*cycles_ge_1*", "@core", 0.5, 0.6),
    rule("*cycles_ge_2*", "@core", 0.3, 0.4),
    rule("*cycles_ge_3*", "@core", 0.1, 0.2),
    rule("*cycles_ge_4*", "@core", 0.05, 0.1),
    rule("idq*cycles_any*", "@core", 0.2, 0.3),
    rule("idq*cycles_ok", "@core", 0.1, 0.2),
    rule("idq*cycles_4_uops", "@core", 0.1, 0.2),
    rule("lsd.cycles_active", "@core", 0.1, 0.2),
    rule("lsd.cycles_ok", "@core", 0.05, 0.1),
    rule("lsd.cycles_4_uops", "@core", 0.05, 0.1),
    rule("arith.fpdiv_active", "@cycles", 0.01, 0.04),
    rule("arith.fp_divider_active", "@cycles", 0.01, 0.04),
    rule("arith.div*active", "@cycles", 0.05, 0.1),
    rule("arith.divider_uops", "@cycles", 0.001, 0.005),
    rule("exe_activity.bound_on_stores", "@cycles", 0.01, 0.1),
    rule("exe_activity.*ports*", "@cycles", 0.01, 0.08),
    rule("resource_stalls.sb", "@cycles", 0.01, 0.1),
    rule("rs_events.empty_cycles", "@cycles", 0.001, 0.01),
    rule("uops_dispatched*.port_[47]*", "@core", 0.05, 0.1),
    rule("uops_dispatched*", "@core", 0.1, 0.5),
    rule("idq_bubbles.starvation_cycles", "@cycles", 0.1, 0.2),
    rule("idq_bubbles.fetch_latency", "@cycles", 0.05, 0.1),
    // Waiting for memory, level by level.
    rule("cycle_activity.cycles_mem_any", "@cycles", 0.7, 0.9),
    rule("*.cycles_l1d_miss", "@cycles", 0.3, 0.6),
    rule("cycle_activity.stalls_total", "@cycles", 0.4, 0.6),
    rule("cycle_activity.cycles_no_*", "@cycles", 0.4, 0.6),
    rule("cycle_activity.stalls_mem_any", "cycle_activity.stalls_total", 0.5, 0.9),
    rule("cycle_activity.stalls_ldm_pending", "cycle_activity.cycles_no_execute", 0.5, 0.9),
    rule("exe_activity.bound_on_loads", "cycle_activity.stalls_total", 0.5, 0.9),
    rule("cycle_activity.stalls_l1d_pending", "cycle_activity.stalls_ldm_pending", 0.5, 0.9),
    rule("cycle_activity.stalls_l1d_pending", "cycle_activity.cycles_no_dispatch", 0.5, 0.9),
    rule("cycle_activity.stalls_l2_pending", "cycle_activity.stalls_l1d_pending", 0.5, 0.9),
    rule("*_activity.stalls_l1d_miss", "cycle_activity.stalls_mem_any", 0.5, 0.9),
    rule("*_activity.stalls_l1d_miss", "exe_activity.bound_on_loads", 0.5, 0.9),
    rule("cycle_activity.stalls_l2_miss", "cycle_activity.stalls_l1d_miss", 0.5, 0.9),
    rule("cycle_activity.stalls_l3_miss", "cycle_activity.stalls_l2_miss", 0.5, 0.9),
    rule("memory_activity.stalls_l2_miss", "memory_activity.stalls_l1d_miss", 0.5, 0.9),
    rule("memory_activity.stalls_l3_miss", "memory_activity.stalls_l2_miss", 0.5, 0.9),
    rule("memory_stalls.*", "@cycles", 0.01, 0.1),
    rule("offcore_requests_outstanding.cycles_with_data_rd", "@cycles", 0.6, 0.9),
    rule("offcore_requests_outstanding.cycles_*code_rd", "@cycles", 0.01, 0.05),
    rule("offcore_requests_outstanding.cycles_*", "@cycles", 0.1, 0.3),
    rule("offcore_requests_outstanding.*data_rd", "@cycles", 0.5, 1.0),
    rule("*.stlb_hit*", "@cycles", 0.0001, 0.001),
    rule("*.walk_active*", "@cycles", 0.01, 0.05),
    rule("*.walk_duration*", "@cycles", 0.01, 0.05),
    rule("icache*.*stall*", "@cycles", 0.05, 0.2),
    rule("mem_load*l3_miss_retired.*", "@cycles", 0.00002, 0.0001),
    rule("mem_load*l3_hit_retired.*", "@cycles", 0.00002, 0.0002),
    rule("mem_load*llc*_retired.*", "@cycles", 0.00002, 0.0002),
    rule("mem_load*.l1_miss", "@cycles", 0.002, 0.003),
    rule("mem_load*lfb*", "@cycles", 0.001, 0.002),
    rule("mem_load*.fb_hit", "@cycles", 0.001, 0.002),
    rule("mem_load*.l*_hit", "@cycles", 0.0002, 0.001),
    rule("mem_load*.l*_miss", "@cycles", 0.0002, 0.001),
    rule("*.lock_loads", "@cycles", 0.0001, 0.001),
    rule("*.split_*", "@cycles", 0.0001, 0.001),
    rule("l1d_pend_miss.pending*", "@cycles", 0.05, 0.2),
    rule("unc_cha_tor_inserts.ia_miss_drd_cxl_acc", "unc_cha_tor_inserts.ia_miss_drd", 0.05, 0.3),
    rule("ocr.reads_to_core.*", "l2_lines_in.all", 0.01, 0.1),
    rule("ocr.*", "@cycles", 0.00001, 0.0001),
    rule("offcore_response.*", "@cycles", 0.00001, 0.0001),
    rule("br_misp_retired.*cost*", "@cycles", 0.0002, 0.0005),
    rule("mem_bound_stalls_load.l2_miss", "mem_bound_stalls_load.all", 0.8, 0.9),
    rule("mem_bound_stalls_ifetch.l2_miss", "mem_bound_stalls_ifetch.all", 0.8, 0.9),
    rule("mem_bound_stalls*.all", "@cycles", 0.2, 0.4),
    rule("mem_bound_stalls.load", "@cycles", 0.2, 0.4),
    rule("mem_bound_stalls.ifetch", "@cycles", 0.2, 0.4),
    rule("mem_bound_stalls.load_*", "mem_bound_stalls.load", 0.1, 0.3),
    rule("mem_bound_stalls.ifetch_*", "mem_bound_stalls.ifetch", 0.1, 0.3),
    rule("ld_head.any_at_ret", "@cycles", 0.2, 0.4),
    rule("ld_head.*", "ld_head.any_at_ret", 0.05, 0.15),
    rule("mem_scheduler_block.*", "@cycles", 0.01, 0.1),
    rule("serialization.*", "@cycles", 0.01, 0.1),
    rule("ld_blocks.*", "@cycles", 0.0001, 0.001),
    rule("br_misp_exec.any", "br_inst_exec.any", 0.01, 0.1),
    // Apple's cores, and OpenHW's.
    rule("inst_branch", "@cycles", 0.05, 0.2),
    rule("branch_mispred_nonspec", "inst_branch", 0.01, 0.1),
    rule("core_active_cycle", "@cycles", 1.0, 1.0),
    rule("arm_stall_*end", "@cycles", 0.1, 0.3),
    rule("branch_instructions_retired", "@cycles", 0.05, 0.2),
    rule("branch_mispredicts", "branch_instructions_retired", 0.01, 0.1),
    // The generic events.
    rule("branch-misses", "branches", 0.01, 0.1),
    rule("l1-dcache-load-misses", "l1-dcache-loads", 0.01, 0.1),
    rule("l1-icache-load-misses", "l1-icache-loads", 0.01, 0.1),
    rule("llc-load-misses", "llc-loads", 0.1, 0.9),
    rule("dtlb-load-misses", "dtlb-loads", 0.01, 0.1),
    rule("itlb-load-misses", "itlb-loads", 0.01, 0.1),
    rule("l1-dcache-prefetch-misses", "l1-dcache-prefetches", 0.1, 0.9),
    // AMD.
    rule("ex_ret_ops", "de_src_op_disp.all", 0.7, 0.95),
    rule("ex_ret_ucode_ops", "ex_ret_ops", 0.01, 0.1),
    rule("ex_no_retire.not_complete", "@cycles", 0.3, 0.5),
    rule("ex_no_retire.load_not_complete", "ex_no_retire.not_complete", 0.1, 0.9),
    rule("ex_ret_brn_misp", "ex_ret_brn", 0.01, 0.1),
    rule("umc_data_slot_clks.all", "umc_mem_clk", 0.2, 1.5),
    rule("l3_misses", "l3_accesses", 0.1, 0.5),
    rule("l3_misses", "l3_cache_accesses", 0.1, 0.5),
    rule("ic_fw32_miss", "ic_fw32", 0.1, 0.5),
    // Arm.
    rule("cpu_slot", "@slots", 1.0, 1.0),
    rule("stall_slot_frontend_without_mispred", "stall_slot_frontend", 0.7, 0.95),
    // Prefetches, and those of them that were used.
    rule("l1d_cache_hit_rw_fprf", "l1d_cache_refill_hwprf", 0.2, 0.8),
    rule("l1i_cache_hit_rd_fprf", "l1i_cache_refill_hwprf", 0.2, 0.8),
    rule("l1i_cache_refill_rd", "l1i_cache_rd", 0.01, 0.1),
    rule("l2d_cache_refill_l1prf", "l2d_cache_refill_prf", 0.2, 0.4),
    rule("l2d_cache_hit_rwl1prf_fprf", "l2d_cache_refill_prf", 0.1, 0.5),
    rule("l3d_cache_refill_l[12]prf", "l3d_cache_refill_hwprf", 0.1, 0.3),
    rule("l3d_cache_hit_rwl1prfl2prf_fprf", "l3d_cache_refill_hwprf", 0.1, 0.3),
    rule("inst_spec", "op_spec", 0.8, 0.95),
    rule("inst_spec", "@cycles", 0.8, 1.5),
    rule("op_retired", "op_spec", 0.7, 0.9),
    rule("inst_retired", "inst_spec", 0.7, 0.9),
    rule("[di][ms]b_spec", "inst_spec", 0.001, 0.01),
    rule("ld_spec", "ldst_spec", 0.5, 0.7),
    rule("st_spec", "ldst_spec", 0.2, 0.4),
    rule("*_spec", "inst_spec", 0.02, 0.12),
    rule("stall_frontend_flush", "@cycles", 0.001, 0.01),
    // A cycle in which all slots are lost.
    rule("stall_backend", "stall_slot_backend", 0.05, 0.1),
    rule("stall_frontend", "stall_slot_frontend", 0.05, 0.1),
    rule("stall_backend", "@cycles", 0.1, 0.4),
    rule("stall_frontend", "@cycles", 0.1, 0.4),
    // The clock of a core that waits runs while it handles snoops.
    rule("imp_wfx_clock_cycles", "imp_stall_frontend_flush_clear", 0.1, 0.3),
    rule("stall_backend_rename", "stall_backend_cpubound", 0.1, 0.5),
    rule("stall_backend_busy_cme", "stall_backend_cpubound", 0.1, 0.3),
    rule("stall_backend_ilock_from_cme_*", "stall_backend_ilock_from_cme", 0.1, 0.9),
    rule("stall_backend_ilock_to_cme_*", "stall_backend_ilock_to_cme", 0.1, 0.9),
    rule("stall_backend_ilock_*_cme", "stall_backend_ilock", 0.1, 0.5),
    rule("stall_backend_mem_cme_*", "stall_backend_mem_cme", 0.1, 0.9),
    rule("stall_backend_mem_cpu_hz_on_cme", "stall_backend_mem_cme", 0.1, 0.9),
    rule("stall_backend_mem_cme", "stall_backend_membound", 0.1, 0.5),
    rule("stall_backend_*", "stall_backend", 0.05, 0.3),
    rule("stall_frontend_*", "stall_frontend", 0.05, 0.3),
    rule("br_mis_pred", "@cycles", 0.001, 0.01),
    rule("br_pred", "@cycles", 0.05, 0.2),
    rule("br_mis_pred_retired", "br_retired", 0.01, 0.1),
    rule("br_*_retired", "br_retired", 0.01, 0.2),
    rule("dtlb_walk", "l1d_tlb", 0.01, 0.1),
    rule("itlb_walk", "l1i_tlb", 0.01, 0.1),
    rule("l1d_cache_refill_[rw]?", "l1d_cache_rw", 0.01, 0.1),
    rule("l2d_cache_refill_[rw]?", "l2d_cache_rw", 0.01, 0.2),
    rule("l3d_cache_refill_rd", "l3d_cache_rd", 0.01, 0.2),
    rule("l1d_cache_lmiss_rd", "l1d_cache_rd", 0.01, 0.2),
    rule("l2d_cache_lmiss_rd", "l2d_cache_rd", 0.01, 0.2),
    rule("hnf_pocq_retry", "hnf_pocq_reqs_recvd", 0.01, 0.2),
    rule("hnf_mc_retries", "hnf_mc_reqs", 0.01, 0.2),
    rule("hnf_sf_hit", "hnf_slc_sf_cache_access", 0.1, 0.9),
    rule("hnf_cache_miss", "hnf_slc_sf_cache_access", 0.1, 0.9),
    rule("rnid_txreq_flits_retried", "rnid_txreq_flits_total", 0.01, 0.2),
    rule("mem_stall_anyload", "exe_stall_cycle", 0.5, 0.8),
    rule("exe_stall_cycle", "@cycles", 0.3, 0.5),
    rule("fetch_bubble", "@slots", 0.1, 0.3),
    rule("ddrc_pm_[2468]", "@cycles", 0.0001, 0.0004),
    // POWER.
    rule("pm_run_cyc_*_mode", "pm_run_cyc", 0.1, 0.3),
    rule("pm_run_cyc", "@cycles", 0.9, 1.0),
    rule("pm_?link*_avlbl_cycles", "@cycles", 0.5, 0.9),
    rule("pm_?link*", "@cycles", 0.05, 0.4),
    rule("pm_pb_rty_*", "@cycles", 0.00001, 0.0001),
    rule("pm_l1_dcache_reload_valid", "pm_ld_miss_l1", 0.5, 0.9),
    rule("pm_inst_from_*", "pm_l1_icache_miss", 0.01, 0.2),
    rule("pm_dpteg_from_*", "pm_dtlb_miss", 0.01, 0.2),
    rule("pm_dtlb_miss", "pm_lsu_derat_miss", 0.1, 0.5),
    rule("pm_data_from_l3_mepf", "pm_data_from_l3", 0.1, 0.5),
    rule("pm_data_from_*", "pm_l1_dcache_reload_valid", 0.01, 0.2),
    rule("pm_data_from_*", "pm_ld_demand_miss_l1", 0.01, 0.2),
    rule("pm_mrk_data_from_*_cyc", "@cycles", 0.01, 0.02),
    rule("pm_mrk_data_from_*", "@cycles", 0.001, 0.002),
    rule("pm_derat_miss_*", "pm_lsu_derat_miss", 0.05, 0.2),
    rule("pm_cmplu_stall", "@cycles", 0.4, 0.5),
    rule("pm_cmplu_stall_lsu", "pm_cmplu_stall", 0.4, 0.5),
    rule("pm_cmplu_stall_dcache_miss", "pm_cmplu_stall_lsu", 0.3, 0.5),
    rule("pm_cmplu_stall_dmiss_l2l3_conflict", "pm_cmplu_stall_dmiss_l2l3", 0.1, 0.5),
    rule("pm_cmplu_stall_dmiss_*", "pm_cmplu_stall_dmiss_l3miss", 0.05, 0.2),
    rule("pm_cmplu_stall_*long", "@cycles", 0.0001, 0.0004),
    rule("pm_cmplu_stall_exec_unit", "@cycles", 0.1, 0.15),
    rule("pm_cmplu_stall_bru_cru", "@cycles", 0.005, 0.01),
    rule("pm_cmplu_stall_[fv][xs]u", "@cycles", 0.02, 0.04),
    rule("pm_cmplu_stall_thrd", "@cycles", 0.02, 0.04),
    rule("pm_cmplu_stall_reject", "@cycles", 0.01, 0.02),
    rule("pm_cmplu_stall_*", "@cycles", 0.0005, 0.002),
    rule("pm_?ct_noslot_cyc", "@cycles", 0.1, 0.2),
    rule("pm_?ct_noslot_ic_miss", "@cycles", 0.01, 0.02),
    rule("pm_?ct_noslot_disp_held", "@cycles", 0.01, 0.02),
    rule("pm_?ct_noslot_*", "@cycles", 0.0005, 0.002),
    rule("pm_1plus_ppc_cmpl", "@cycles", 0.1, 0.2),
    rule("pm_chip_pump_cpred", "pm_l2_chip_pump", 0.1, 0.9),
    rule("pm_*_pump_cpred", "pm_l2_group_pump", 0.1, 0.9),
    rule("pm_br_bc_8*", "pm_bru_fin", 0.1, 0.5),
    rule("pm_br_mpred_ccache", "pm_br_mpred_ta", 0.1, 0.5),
    rule("pm_br_mpred_*", "@cycles", 0.00001, 0.0001),
    rule("pm_br_taken_cmpl", "pm_br_fin", 0.1, 0.8),
    rule("pm_br_taken_cmpl", "pm_br_cmpl", 0.1, 0.9),
    rule("pm_br_cmpl", "pm_bru_fin", 0.8, 0.9),
    rule("pm_bru_fin", "@cycles", 0.05, 0.1),
    rule("pm_ic_pref_write", "pm_l1_icache_miss", 0.1, 0.9),
    rule("pm_l3_co_mepf", "pm_l3_pref_all", 0.1, 0.9),
    rule("pm_st_miss_l1", "pm_st_fin", 0.1, 0.5),
    rule("pm_lsu_fin", "@cycles", 0.2, 0.3),
    rule("pm_lsu_fx_fin", "pm_lsu_fin", 0.1, 0.2),
    rule("pm_lsu_reject*", "@cycles", 0.0001, 0.0003),
    rule("pm_lsu?_srq_stfwd", "pm_ld_ref_l1", 0.05, 0.2),
    rule("pm_ld_ref_l1", "@cycles", 0.1, 0.3),
    rule("pm_l2_ld", "@cycles", 0.1, 0.3),
    rule("pm_run_inst_cmpl", "@cycles", 0.5, 1.0),
    rule("pm_inst_cmpl", "@cycles", 0.5, 1.0),
    rule("pm_1plus_ppc_disp", "pm_run_cyc", 0.1, 0.5),
    rule("pm_dtlb_miss", "pm_derat_miss", 0.1, 0.5),
    rule("pm_ld_miss_l1", "pm_ld_ref_l1", 0.01, 0.2),
    rule("pm_ld_demand_miss_l1", "pm_ld_miss_l1", 0.3, 0.9),
];

/// What an event is a part of: refills of accesses, walks of TLB look-ups, kinds of
/// stalls of all stalls.
pub fn whole_of(name: &str, model: Model) -> Option<String> {
    let known = |whole: &String| whole != name && model.event(whole).is_some();
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
