//! What the first finding is of each program, by the kind of core.

use pmu_events::__private::glob;

/// Models, kinds of cores and programs by shell patterns, and the node that the first finding is or lies
/// beneath; an empty one if there is no finding. The first row that fits counts.
#[derive(Debug)]
#[allow(dead_code, reason = "a reason is for the reader")]
pub struct Expected {
    models: &'static str,
    pmu: &'static str,
    program: &'static str,
    pub node: &'static str,
    why: &'static str,
}

const fn row(
    models: &'static str,
    pmu: &'static str,
    program: &'static str,
    node: &'static str,
) -> Expected {
    because(models, pmu, program, node, "")
}

/// A node that is not what the program is, and the reason.
const fn because(
    models: &'static str,
    pmu: &'static str,
    program: &'static str,
    node: &'static str,
    why: &'static str,
) -> Expected {
    Expected { models, pmu, program, node, why }
}

pub fn number(model: &str, pmu: &str, program: &str) -> Option<usize> {
    let fits = |one: &Expected| {
        glob::matches(one.models, model)
            && glob::matches(one.pmu, pmu)
            && glob::matches(one.program, program)
    };
    ALL.iter().position(fits)
}

const QUEUES: &str = "the tree has no node for what loads and stores wait for";
const SLOTS: &str = "the tree has the four kinds of slots only";
const STALLS: &str = "the tree has stalled cycles only";
const NO_SLOTS: &str = "cycles in which operations are in vain do not stall";
const ALL_IS_WORK: &str = "microcode retires, and has no node";
const ONE_UNIT: &str = "divisions and other arithmetic are one stall";
const NO_QUEUES: &str = "the tree does not tell latency from bandwidth";

const LITTLE: &str = "a tenth of the slots is over the threshold of E-cores";

pub const ALL: &[Expected] = &[
    because("*", "cpu_atom", "balanced", "tma_backend_bound", LITTLE),
    because("sierraforest", "*", "balanced", "tma_backend_bound", LITTLE),
    row("*", "*", "balanced", ""),
    // E-cores.
    because("*", "cpu_atom", "microcode", "tma_retiring", ALL_IS_WORK),
    because("sierraforest", "*", "microcode", "tma_retiring", ALL_IS_WORK),
    row("*", "cpu_atom", "instruction cache", "tma_icache_misses"),
    row("*", "cpu_atom", "decoding", "tma_decode"),
    because("*", "cpu_atom", "memory*", "tma_mem_scheduler", QUEUES),
    because("*", "cpu_atom", "L[12]", "tma_mem_scheduler", QUEUES),
    because("*", "cpu_atom", "stores", "tma_mem_scheduler", QUEUES),
    because("*", "cpu_atom", "divider", "tma_reorder_buffer", ONE_UNIT),
    row("*", "cpu_atom", "ports", "tma_non_mem_scheduler"),
    row("sierraforest", "*", "decoding", "tma_decode"),
    because("sierraforest", "*", "memory*", "tma_mem_scheduler", QUEUES),
    because("sierraforest", "*", "L[12]", "tma_mem_scheduler", QUEUES),
    because("sierraforest", "*", "stores", "tma_mem_scheduler", QUEUES),
    because("sierraforest", "*", "divider", "tma_reorder_buffer", ONE_UNIT),
    row("sierraforest", "*", "ports", "tma_non_mem_scheduler"),
    // AMD.
    because("amdzen*", "*", "memory*", "backend_bound*memory", QUEUES),
    because("amdzen*", "*", "L[12]", "backend_bound*memory", QUEUES),
    because("amdzen*", "*", "stores", "backend_bound*memory", QUEUES),
    because("amdzen*", "*", "divider", "backend_bound*cpu", ONE_UNIT),
    row("amdzen*", "*", "ports", "backend_bound*cpu"),
    row("amdzen*", "*", "instruction cache", "frontend_bound*latency"),
    row("amdzen*", "*", "decoding", "frontend_bound*bandwidth"),
    row("amdzen*", "*", "mispredictions", "bad_speculation*mispredicts"),
    row("amdzen*", "*", "machine clears", "bad_speculation*pipeline_restarts"),
    row("amdzen*", "*", "microcode", "retiring*microcode"),
    // Arm.
    because("arm/neoverse-n1", "*", "mispredictions", "", NO_SLOTS),
    because("arm/neoverse-n1", "*", "machine clears", "", NO_SLOTS),
    because("arm/neoverse-n1", "*", "microcode", "", NO_SLOTS),
    because("arm/neoverse-n1", "*", "instruction cache", "frontend_stalled_cycles", STALLS),
    because("arm/neoverse-n1", "*", "decoding", "frontend_stalled_cycles", STALLS),
    because("arm/neoverse-n1", "*", "*", "backend_stalled_cycles", STALLS),
    because("arm/*", "*", "mispredictions", "bad_speculation", SLOTS),
    because("arm/*", "*", "machine clears", "bad_speculation", SLOTS),
    because("arm/*", "*", "microcode", "retiring", ALL_IS_WORK),
    because("arm/neoverse-n2*", "*", "instruction cache", "frontend_bound", SLOTS),
    because("arm/neoverse-n2*", "*", "decoding", "frontend_bound", SLOTS),
    because("arm/neoverse-n2*", "*", "*", "backend_bound", SLOTS),
    row("arm/*", "*", "instruction cache", "frontend_mem_bound"),
    row("arm/*", "*", "decoding", "frontend_core_bound"),
    because("arm/*", "*", "memory*", "backend_cache_l2d_bound", NO_QUEUES),
    row("arm/*", "*", "L[12]", "backend_cache_l1d_bound"),
    row("arm/*", "*", "stores", "backend_mem_store_bound"),
    because("arm/*", "*", "divider", "backend_core_bound", ONE_UNIT),
    row("arm/*", "*", "ports", "backend_core_bound"),
    // POWER.
    because("power9", "*", "memory*", "dmiss_l3miss_stall_cpi", NO_QUEUES),
    row("power9", "*", "L1", "load_finish_stall_cpi"),
    row("power9", "*", "L2", "dmiss_l2l3_stall_cpi"),
    row("power9", "*", "divider", "dplong_stall_cpi"),
    row("power9", "*", "ports", "fxu_stall_cpi"),
    row("power9", "*", "instruction cache", "ict_noslot_ic_miss_cpi"),
    row("power9", "*", "decoding", "nothing_dispatched_cpi"),
    row("power9", "*", "mispredictions", "ict_noslot_br_mpred_cpi"),
    row("power9", "*", "machine clears", "ntc_flush_stall_cpi"),
    because("power9", "*", "microcode", "completion_cpi", ALL_IS_WORK),
    row("power9", "*", "stores", "store_finish_stall_cpi"),
    because("power10", "*", "memory*", "dcache_stall_cpi", NO_QUEUES),
    row("power10", "*", "L1", "LOAD_STALL_CPI"),
    row("power10", "*", "L2", "DMISS_L2L3_STALL_CPI"),
    because("power10", "*", "divider", "VSU_STALL_CPI", ONE_UNIT),
    row("power10", "*", "ports", "VSU_STALL_CPI"),
    row("power10", "*", "instruction cache", "DISPATCH_STALL_IC_MISS_CPI"),
    row("power10", "*", "decoding", "DISPATCH_STALL_FETCH_CPI"),
    row("power10", "*", "mispredictions", "DISPATCH_STALL_BR_MPRED_CPI"),
    row("power10", "*", "machine clears", "NTC_FLUSH_STALL_CPI"),
    because("power10", "*", "microcode", "", ALL_IS_WORK),
    row("power10", "*", "stores", "STORE_STALL_CPI"),
    // Intel's P-cores.
    row("*", "*", "memory latency", "tma_mem_latency"),
    row("*", "*", "memory bandwidth", "tma_mem_bandwidth"),
    row("*", "*", "L1", "tma_l1_bound"),
    row("*", "*", "L2", "tma_l2_bound"),
    row("*", "*", "divider", "tma_divider"),
    because(
        "*",
        "*",
        "ports",
        "tma_core_bound",
        "ports are estimated with other events than the node: some tables leave a rest",
    ),
    row("*", "*", "instruction cache", "tma_icache_misses"),
    row("*", "*", "decoding", "tma_fetch_bandwidth"),
    row("*", "*", "mispredictions", "tma_branch_mispredicts"),
    row("*", "*", "machine clears", "tma_machine_clears"),
    row("*", "*", "microcode", "tma_microcode_sequencer"),
    row("*", "*", "stores", "tma_store_bound"),
];
