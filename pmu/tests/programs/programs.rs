//! Programs, by what happens to their slots.

use pmu_events::__private::glob;

/// Which part of the slots, or of the cycles, does what. All but `microcode` and `icache` sum to 1.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub name: &'static str,
    retiring: f64,
    /// The part of the slots that retire from microcode.
    microcode: f64,
    mispredicted: f64,
    clears: f64,
    fetch_latency: f64,
    /// The part of the latency that is for the instruction cache.
    icache: f64,
    fetch_bandwidth: f64,
    l1: f64,
    l2: f64,
    l3: f64,
    dram: f64,
    stores: f64,
    divider: f64,
    ports: f64,
    /// Whether memory waits for bandwidth rather than for latency.
    has_full_queues: bool,
}

/// A little of everything.
const QUIET: Program = Program {
    name: "",
    retiring: 0.25,
    microcode: 0.01,
    mispredicted: 0.02,
    clears: 0.01,
    fetch_latency: 0.03,
    icache: 0.01,
    fetch_bandwidth: 0.03,
    l1: 0.01,
    l2: 0.01,
    l3: 0.01,
    dram: 0.01,
    stores: 0.01,
    divider: 0.01,
    ports: 0.03,
    has_full_queues: false,
};

/// What `QUIET` leaves of the slots.
const LEFT: f64 = 0.57;

pub const PROGRAMS: [Program; 13] = [
    Program { name: "memory latency", dram: 0.01 + LEFT, ..QUIET },
    Program { name: "memory bandwidth", dram: 0.01 + LEFT, has_full_queues: true, ..QUIET },
    Program { name: "L1", l1: 0.01 + LEFT, ..QUIET },
    Program { name: "L2", l2: 0.01 + LEFT, ..QUIET },
    Program { name: "divider", divider: 0.01 + LEFT, ..QUIET },
    Program { name: "ports", ports: 0.03 + LEFT, ..QUIET },
    Program { name: "instruction cache", fetch_latency: 0.03 + LEFT, icache: 0.55, ..QUIET },
    Program { name: "decoding", fetch_bandwidth: 0.03 + LEFT, ..QUIET },
    Program { name: "mispredictions", mispredicted: 0.02 + LEFT, ..QUIET },
    Program { name: "machine clears", clears: 0.01 + LEFT, ..QUIET },
    Program { name: "microcode", retiring: 0.25 + LEFT, microcode: 0.5, ..QUIET },
    Program { name: "stores", stores: 0.01 + LEFT, ..QUIET },
    Program {
        name: "balanced",
        retiring: 0.66,
        mispredicted: 0.06,
        clears: 0.02,
        fetch_latency: 0.04,
        fetch_bandwidth: 0.05,
        l1: 0.03,
        l2: 0.02,
        l3: 0.02,
        dram: 0.02,
        stores: 0.02,
        divider: 0.02,
        ports: 0.04,
        ..QUIET
    },
];

/// How many slots of a cycle a core has.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    pub big: f64,
    pub small: f64,
}

impl Program {
    fn bad(&self) -> f64 {
        self.mispredicted + self.clears
    }

    fn front(&self) -> f64 {
        self.fetch_latency + self.fetch_bandwidth
    }

    fn loads(&self) -> f64 {
        self.l1 + self.l2 + self.l3 + self.dram
    }

    fn memory(&self) -> f64 {
        self.loads() + self.stores
    }

    fn core(&self) -> f64 {
        self.divider + self.ports
    }

    fn back(&self) -> f64 {
        self.memory() + self.core()
    }

    /// The value of a quantity that has one name on every CPU: a share of the slots.
    pub fn quantity(&self, name: &str) -> Option<f64> {
        match name {
            "common.frontend_bound" => Some(self.front()),
            "common.bad_speculation" => Some(self.bad()),
            "common.retiring" => Some(self.retiring),
            "common.backend_bound" => Some(self.back()),
            _ => None,
        }
    }

    /// How often an event occurs in a cycle; `least` is the number that a cycle must have
    /// to count.
    pub fn in_a_cycle(&self, name: &str, least: Option<i32>, width: Width) -> Option<f64> {
        let rules = match least {
            Some(least) => self.of_cycles(least, width),
            None => self.of_events(width),
        };
        let rule = rules.into_iter().find(|(pattern, _)| glob::matches(pattern, name));
        rule.map(|(_, count)| count)
    }

    /// Cycles with at least so many of something.
    fn of_cycles(&self, least: i32, Width { big, .. }: Width) -> Vec<(&'static str, f64)> {
        // Queues that are full have many entries; others have one.
        let deep = if self.has_full_queues || least <= 1 { 0.95 } else { 0.02 };
        let is_all = f64::from(least) >= big;
        vec![
            ("offcore_requests_outstanding.*data_rd", self.dram * deep),
            // Formulas multiply it by the latency of a miss.
            ("l1d_pend_miss.fb_full*", self.dram * if self.has_full_queues { 0.1 } else { 0.001 }),
            (
                "de_no_dispatch_per_slot.no_ops_from_frontend",
                if is_all { self.fetch_latency } else { self.front() },
            ),
        ]
    }

    fn of_events(&self, width: Width) -> Vec<(&'static str, f64)> {
        let mut all = self.of_big_cores(width.big);
        all.extend(self.of_small_cores(width.small));
        all.extend(self.of_amd(width.big));
        all.extend(self.of_arm(width.big));
        all.extend(self.of_power());
        all
    }

    /// Intel's P-cores.
    fn of_big_cores(&self, width: f64) -> Vec<(&'static str, f64)> {
        let stalled = self.loads() + self.divider + 0.3 * self.ports;
        vec![
            ("slots", width),
            ("topdown.slots*", width),
            ("topdown-retiring", width * self.retiring),
            ("topdown-bad-spec", width * self.bad()),
            ("topdown-fe-bound", width * self.front()),
            ("topdown-be-bound", width * self.back()),
            ("topdown-heavy-ops", width * self.microcode),
            ("topdown-br-mispredict", width * self.mispredicted),
            ("topdown-fetch-lat", width * self.fetch_latency),
            ("topdown-mem-bound", width * self.memory()),
            ("topdown.backend_bound_slots", width * self.back()),
            ("topdown.br_mispredict_slots", width * self.mispredicted),
            ("topdown.memory_bound_slots", width * self.memory()),
            ("uops_issued.any", width * (self.retiring + 0.8 * self.bad())),
            ("uops_retired.retire_slots", width * self.retiring),
            ("uops_retired.slots", width * self.retiring),
            ("uops_retired.heavy", width * self.microcode),
            ("uops_retired.ms", width * self.microcode),
            ("idq.ms_uops", width * self.microcode),
            ("inst_retired.any*", width * (self.retiring - self.microcode)),
            ("uops_retired.macro_fused", 0.0),
            ("inst_retired.macro_fused", 0.0),
            ("int_misc.uop_dropping", 0.0),
            ("int_misc.recovery_cycles*", 0.2 * self.bad()),
            ("int_misc.clear_resteer_cycles", 0.03 * self.bad()),
            ("idq_uops_not_delivered.core", width * self.front()),
            ("idq_bubbles.core", width * self.front()),
            ("idq_uops_not_delivered.cycles_0_uops_deliv.core", self.fetch_latency),
            ("idq_bubbles.cycles_0_uops_deliv.core", self.fetch_latency),
            ("idq_bubbles.starvation_cycles", self.fetch_latency),
            ("idq_bubbles.fetch_latency", self.fetch_latency),
            ("icache_16b.ifdata_stall", self.icache),
            ("icache_data.stalls", self.icache),
            ("idq.ms_cycles_any", 0.01 + 0.5 * self.microcode),
            ("idq.*mite_cycles_any*", 0.05 + 1.5 * self.fetch_bandwidth),
            ("idq.*mite_cycles_4_uops", 0.04),
            ("idq.*mite_cycles_ok", 0.04),
            ("br_misp_retired.all_branches*", 0.02 * self.mispredicted),
            ("machine_clears.count", 0.02 * self.clears),
            ("machine_clears.memory_ordering", 0.018 * self.clears),
            ("machine_clears.*", 0.0005 * self.clears),
            ("cycle_activity.stalls_total", stalled),
            ("cycle_activity.stalls_mem_any", self.loads()),
            ("exe_activity.bound_on_loads", self.loads()),
            ("exe_activity.bound_on_stores", self.stores),
            ("exe_activity.1_ports_util", 0.4 * self.ports),
            ("exe_activity.2_ports_util", 0.3 * self.ports),
            ("exe_activity.exe_bound_0_ports", 0.3 * self.ports),
            ("uops_executed.core_cycles_none", 0.3 * self.ports),
            ("*_activity.stalls_l1d_miss", self.l2 + self.l3 + self.dram),
            ("*_activity.stalls_l2_miss", self.l3 + self.dram),
            ("*_activity.stalls_l3_miss", self.dram),
            ("memory_stalls.l1", self.l1),
            ("memory_stalls.l2", self.l2),
            ("memory_stalls.l3", self.l3),
            ("memory_stalls.mem", self.dram),
            ("offcore_requests_outstanding.cycles_with_*data_rd", self.dram + 0.2 * self.l3),
            ("offcore_requests_outstanding.cycles_with_demand_rfo", self.stores),
            ("mem_load_retired.l2_hit", 0.001 + 0.05 * self.l2),
            ("mem_load_retired.l1_miss", 0.004 + 0.05 * self.l2),
            ("mem_load_retired.fb_hit", 0.0002),
            ("arith.divider_active", self.divider),
            ("arith.div_active", self.divider),
            ("arith.fpdiv_active", 0.0),
            ("arith.fp_divider_active", 0.0),
            ("arith.idiv_active", self.divider),
            ("arith.int_divider_active", self.divider),
        ]
    }

    /// Intel's E-cores.
    fn of_small_cores(&self, width: f64) -> Vec<(&'static str, f64)> {
        vec![
            ("topdown_retiring.all*", width * self.retiring),
            ("topdown_bad_speculation.all*", width * self.bad()),
            ("topdown_bad_speculation.mispredict", width * self.mispredicted),
            ("topdown_bad_speculation.machine_clears", width * self.clears),
            ("topdown_bad_speculation.nuke", width * 0.7 * self.clears),
            ("topdown_bad_speculation.fastnuke", width * 0.3 * self.clears),
            ("topdown_fe_bound.all*", width * self.front()),
            ("topdown_fe_bound.frontend_latency", width * self.fetch_latency),
            ("topdown_fe_bound.frontend_bandwidth", width * self.fetch_bandwidth),
            ("topdown_fe_bound.icache", width * self.icache),
            ("topdown_fe_bound.itlb*", width * 0.3 * (self.fetch_latency - self.icache)),
            ("topdown_fe_bound.branch_*", width * 0.35 * (self.fetch_latency - self.icache)),
            ("topdown_fe_bound.decode", width * 0.7 * self.fetch_bandwidth),
            ("topdown_fe_bound.*", width * 0.1 * self.fetch_bandwidth),
            ("topdown_be_bound.all", width * self.back()),
            ("topdown_be_bound.all_p", width * self.back()),
            ("topdown_be_bound.mem_scheduler", width * self.memory()),
            ("topdown_be_bound.non_mem_scheduler", width * self.ports),
            ("topdown_be_bound.serialization", width * 0.2 * self.divider),
            ("topdown_be_bound.reorder_buffer", width * 0.8 * self.divider),
            ("topdown_be_bound.*", 0.0),
        ]
    }

    fn of_amd(&self, width: f64) -> Vec<(&'static str, f64)> {
        vec![
            ("de_src_op_disp.all", width * (self.retiring + self.bad())),
            ("ex_ret_ops", width * self.retiring),
            ("ex_ret_ucode_ops", width * self.microcode),
            ("de_no_dispatch_per_slot.no_ops_from_frontend", width * self.front()),
            ("de_no_dispatch_per_slot.backend_stalls", width * self.back()),
            ("de_no_dispatch_per_slot.smt_contention", 0.0),
            ("ex_no_retire.not_complete", self.back()),
            ("ex_no_retire.load_not_complete", self.memory()),
            ("ex_ret_brn_misp", 0.02 * self.mispredicted),
            ("bp_redirects.resync", 0.02 * self.clears),
            ("resyncs_or_nc_redirects", 0.02 * self.clears),
        ]
    }

    fn of_arm(&self, width: f64) -> Vec<(&'static str, f64)> {
        let stalled = self.front() + self.back();
        let (front, core) = (self.front(), self.core());
        vec![
            ("stall_slot", width * stalled),
            ("stall_slot_frontend", width * front),
            ("stall_slot_backend", width * self.back()),
            ("op_spec", width * (self.retiring + self.bad())),
            ("op_retired", width * self.retiring),
            ("br_mis_pred", 0.001 * self.mispredicted),
            ("stall_frontend", front),
            ("stall_frontend_flush", 0.0),
            ("stall_frontend_membound", self.fetch_latency),
            ("stall_frontend_l1i", 0.3 * self.icache),
            ("stall_frontend_mem", 0.6 * self.icache),
            ("stall_frontend_tlb", 0.1 * self.fetch_latency),
            ("stall_frontend_cpubound", self.fetch_bandwidth),
            ("stall_frontend_flow", 0.9 * self.fetch_bandwidth),
            ("stall_backend", self.back()),
            ("stall_backend_membound", self.memory()),
            ("stall_backend_l1d", self.l1 + self.l2),
            ("stall_backend_mem", self.l3 + self.dram),
            ("stall_backend_st", self.stores),
            ("stall_backend_tlb", 0.01 * self.memory()),
            ("stall_backend_cpubound", core),
            ("stall_backend_busy", 0.5 * core),
            ("stall_backend_rename", 0.1 * core),
            ("stall_backend_ilock", 0.1 * core),
        ]
    }

    fn of_power(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("pm_cyc", 1.0),
            ("pm_run_cyc", 1.0),
            ("pm_inst_cmpl", 3.0 * self.retiring),
            ("pm_run_inst_cmpl", 3.0 * self.retiring),
            // POWER8 and 9.
            ("pm_1plus_ppc_cmpl", self.retiring),
            ("pm_cmplu_stall", self.back() + self.clears),
            ("pm_cmplu_stall_ntc_flush", self.clears),
            ("pm_cmplu_stall_lsu", self.memory()),
            ("pm_cmplu_stall_dcache_miss", self.l2 + self.l3 + self.dram),
            ("pm_cmplu_stall_dmiss_l2l3", self.l2 + self.l3),
            ("pm_cmplu_stall_dmiss_l3miss", self.dram),
            ("pm_cmplu_stall_dmiss_lmem", 0.9 * self.dram),
            ("pm_cmplu_stall_dmiss_l21_l31", 0.0),
            ("pm_cmplu_stall_dmiss_remote", 0.05 * self.dram),
            ("pm_cmplu_stall_load_finish", self.l1),
            ("pm_cmplu_stall_store_finish", self.stores),
            ("pm_cmplu_stall_exec_unit", self.core()),
            ("pm_cmplu_stall_dp", 0.9 * self.divider),
            ("pm_cmplu_stall_dplong", 0.8 * self.divider),
            ("pm_cmplu_stall_fxu", 0.8 * self.ports),
            ("pm_ict_noslot_cyc", self.front() + self.mispredicted),
            ("pm_ict_noslot_br_mpred", self.mispredicted),
            ("pm_ict_noslot_ic_miss", self.fetch_latency),
            ("pm_ict_noslot_disp_held", 0.3 * self.fetch_bandwidth),
            // POWER10.
            ("pm_disp_stall_cyc", self.front() + self.mispredicted),
            ("pm_disp_stall_br_mpred", self.mispredicted),
            ("pm_disp_stall_ic_miss", self.fetch_latency),
            ("pm_disp_stall_fetch", 0.8 * self.fetch_bandwidth),
            ("pm_exec_stall", self.back() + self.clears),
            ("pm_exec_stall_ntc_flush", self.clears),
            ("pm_exec_stall_dmiss_l2l3", self.l2 + self.l3),
            ("pm_exec_stall_dmiss_l3miss", self.dram),
            ("pm_exec_stall_dmiss_lmem", 0.9 * self.dram),
            ("pm_exec_stall_load", self.l1),
            ("pm_exec_stall_load_finish", 0.9 * self.l1),
            ("pm_exec_stall_store", self.stores),
            ("pm_exec_stall_vsu", self.core()),
            ("pm_exec_stall_*", 0.001),
            ("pm_disp_stall_*", 0.001),
        ]
    }
}
