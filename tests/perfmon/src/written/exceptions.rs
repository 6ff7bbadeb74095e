//! Metrics whose formulas differ, why, and who is right.

use std::fmt;

use crate::except::Exception;

/// Which two are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pair {
    /// `arch/x86` and `Formula`.
    Formula,
    /// `arch/x86` and `BaseFormula`.
    Base,
    /// `Formula` and `BaseFormula`.
    Both,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pair::Formula => "arch/x86 and Formula",
            Pair::Base => "arch/x86 and BaseFormula",
            Pair::Both => "Formula and BaseFormula",
        })
    }
}

/// Where the two may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Where {
    /// In all situations, or `arch/x86` lacks the metric.
    Everywhere,
    /// Only in counts of one of two threads of a core.
    OneOfTwoThreads,
    /// The second of the two is this many times as much.
    Times(f64),
}

/// What of a metric differs.
#[derive(Debug)]
pub(super) struct Limit {
    pub(super) pairs: &'static [Pair],
    pub(super) place: Where,
}

/// The number of the exception of two formulas, if there is one.
pub(super) fn find(pair: Pair, model: &str, metric: &str) -> Option<usize> {
    Exception::find(EXCEPTIONS, model, metric, |limit| limit.pairs.contains(&pair))
}

use Pair::{Base, Both, Formula};
use Where::{Everywhere, OneOfTwoThreads, Times};

const PERCENT: &str = "BaseFormula of percentages has the factor 100 only there; Formula is right";

const fn percent(metric: &'static str) -> Exception<Limit> {
    let limit = Limit { pairs: &[Base, Both], place: Times(100.0) };
    Exception { models: "[gs][ri]*r*", metric, limit, why: PERCENT }
}

const fn of_ours(
    models: &'static str,
    metric: &'static str,
    why: &'static str,
) -> Exception<Limit> {
    Exception { models, metric, limit: Limit { pairs: &[Formula, Base], place: Everywhere }, why }
}

pub(super) const EXCEPTIONS: &[Exception<Limit>] = &[
    Exception {
        models: "*",
        metric: "tma_info_core_core_clks",
        limit: Limit { pairs: &[Formula, Base], place: OneOfTwoThreads },
        why: "perfmon's is that of a whole core and halves the cycles of a thread whose sibling \
              is idle; ours is right",
    },
    Exception {
        models: "*",
        metric: "tma_info_system_power",
        limit: Limit { pairs: &[Formula, Base], place: Everywhere },
        why: "perfmon's unit of energy is not that of the kernel's event; ours is right",
    },
    Exception {
        models: "*",
        metric: "tma_l3_hit_latency",
        limit: Limit { pairs: &[Formula, Base], place: Everywhere },
        why: LEVEL_ABOVE,
    },
    Exception {
        models: "*",
        metric: "tma_contested_accesses",
        limit: Limit { pairs: &[Formula, Base], place: Everywhere },
        why: LEVEL_ABOVE,
    },
    Exception {
        models: "*",
        metric: "tma_data_sharing",
        limit: Limit { pairs: &[Formula, Base], place: Everywhere },
        why: LEVEL_ABOVE,
    },
    Exception {
        models: "emeraldrapids",
        metric: "tma_info_botlnk_l0_core_bound_likely",
        limit: Limit { pairs: &[Base, Both], place: Everywhere },
        why: "BaseFormula has a name in two parts; Formula is right",
    },
    Exception {
        models: "emeraldrapids",
        metric: "tma_bottleneck_data_cache_memory_*",
        limit: Limit { pairs: &[Formula, Base, Both], place: Everywhere },
        why: HBM,
    },
    Exception {
        models: "emeraldrapids",
        metric: "tma_bottleneck_other_bottlenecks",
        limit: Limit { pairs: &[Formula, Both], place: Everywhere },
        why: HBM,
    },
    of_ours("*", "tma_bottleneck_irregular_overhead", NUKES),
    of_ours("*", "tma_bottleneck_memory_synchronization", NUKES),
    of_ours(
        "*",
        "tma_info_thread_slots_utilization",
        "it is left out: perf has no slots of a core",
    ),
    of_ours("*", "tma_info_system_mem_dram_read_latency", "perfmon's is right for one second"),
    of_ours("*x", "tma_info_system_mem_read_latency", PACKAGES),
    of_ours("*rapids", "tma_info_system_mem_read_latency", PACKAGES),
    of_ours("*x", "tma_info_system_uncore_frequency", PACKAGES),
    percent("tma_info_bottleneck_*_bound_cycles"),
    percent("tma_info_buffer_stalls_*"),
    percent("tma_info_ifetch_miss_bound_*"),
    percent("tma_info_load_miss_bound_*"),
    percent("tma_info_mem_exec_*"),
    percent("tma_info_serialization_*"),
];

const NUKES: &str = "perfmon divides the other nukes by themselves; ours shares out the clears";

const PACKAGES: &str =
    "perfmon takes the cycles of all packages for those of one; ours divides by their number";

const LEVEL_ABOVE: &str =
    "perfmon subtracts the level above once, not for each load; ours, as the kernel's, is right";

const HBM: &str = "BaseFormula has memory that the model lacks, and Formula the L3 in its place a \
                   second time; ours, as that of Granite Rapids, is right";
