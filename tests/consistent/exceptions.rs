//! Values that may leave their range, and wholes that are not the sum of their parts.

use crate::except::{Exception, except};

/// Metrics that look like a share by name or unit.
pub const RANGES: &[Exception] = &[
    except("*", "*turbo_utilization", "cycles for each one of the base frequency: turbo is more"),
    except("*", "tma_info_bad_spec_spec_clears_ratio", "clears for each that retires"),
    except("*", "tma_info_mem_mix_memload_ratio", "loads for 1,000 uops"),
    except(
        "*",
        "tma_info_system_smt_2t_utilization",
        "the formula is that of a whole core: the reference cycles of one thread are half as many",
    ),
    except(
        "*",
        "tma_bottleneck_other_bottlenecks",
        "what the others leave of 100: they are estimates, and may be more than that",
    ),
    except(
        "arm/cortex-a75",
        "common.branch_miss_ratio",
        "mispredictions on wrong paths count, and branches on them do not, as the difference says",
    ),
    except(
        "*",
        "tma_bottleneck_instruction_fetch_bw",
        "what estimates in cycles leave of the front end's slots",
    ),
];

const BY_THEMSELVES: &str =
    "the whole is counted in slots, and its parts, each by itself, in cycles that overlap";
const ESTIMATES: &str = "the parts are estimated from counts and latencies, and overlap";
const PORTS: &str = "several ports are busy in a cycle";
const SOME: &str = "only some kinds have a metric";
const RETIRED: &str = "the parts are measured at instructions that retire, the whole in stalls";
const OF_NODE: &str = "the parts are shares of the stalls, the whole of all slots or stalls above";
const NO_REST: &str = "no metric has the rest";

/// Wholes whose parts do not sum to them; an empty name is that of the first level.
pub const SUMS: &[Exception] = &[
    // Intel's cores.
    except("*", "tma_memory_bound", BY_THEMSELVES),
    except("*", "tma_core_bound", BY_THEMSELVES),
    except("*", "tma_fetch_latency", BY_THEMSELVES),
    except("*", "tma_fetch_bandwidth", BY_THEMSELVES),
    except("[aglm]*", "tma_branch_mispredicts", BY_THEMSELVES),
    except("*", "tma_l1_bound", ESTIMATES),
    except("*", "tma_l3_bound", ESTIMATES),
    except("*", "tma_l3_miss_bound", ESTIMATES),
    except("*", "tma_dram_bound", ESTIMATES),
    except("*", "tma_mem_latency", ESTIMATES),
    except("*", "tma_store_bound", ESTIMATES),
    except("*", "tma_ports_utilization", ESTIMATES),
    except("*", "tma_ports_utilized_3m", PORTS),
    except("*", "tma_alu_op_utilization", PORTS),
    except("*", "tma_load_op_utilization", PORTS),
    except("*", "tma_store_op_utilization", PORTS),
    except("*", "tma_ports_utilized_0", SOME),
    except("*", "tma_serializing_operation", SOME),
    except("*", "tma_assists", SOME),
    except("*", "tma_other_light_ops", SOME),
    except("*", "tma_mite", SOME),
    except(
        "*",
        "tma_fp_vector",
        "one event counts the whole, and a packed instruction once, but each width by itself",
    ),
    except(
        "[crs]*",
        "tma_light_operations",
        "sources have NOPs beside the other operations, which include them",
    ),
    except(
        "[al]*lake",
        "tma_light_operations",
        "the rest is worked out with other events than the parts are",
    ),
    except("[aglm]*", "tma_icache_misses", RETIRED),
    except("[aglm]*", "tma_itlb_misses", RETIRED),
    except(
        "[aglm]*",
        "tma_code_stlb_miss",
        "the whole is measured at instructions that retire, its parts in walks",
    ),
    // Arm's cores.
    except("*", "", "cycles in which one side stalls: without slots, nothing has the rest"),
    except("arm/neoverse-?3", "*_bound", OF_NODE),
    except("nvidia/t410", "*_bound", OF_NODE),
    except("arm/c1-*", "*_bound", OF_NODE),
    // POWER.
    except(
        "power9",
        "run_cpi",
        "two more of the parts are another account, of which the formula of the rest knows nothing",
    ),
    except("power10", "*", NO_REST),
];
