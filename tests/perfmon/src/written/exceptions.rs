//! Metrics whose formulas differ, why, and who is right.

use std::fmt;

use pmu_events_core::__private::glob;

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

/// Models and names are shell patterns; each exception must be needed.
pub(super) struct Exception {
    pairs: &'static [Pair],
    model: &'static str,
    metric: &'static str,
    pub(super) place: Where,
    pub(super) why: &'static str,
}

impl Exception {
    pub(super) fn is_about(&self, pair: Pair, model: &str, metric: &str) -> bool {
        self.pairs.contains(&pair)
            && glob::matches(self.model, model)
            && glob::matches(self.metric, metric)
    }

    /// The exception of two formulas, if there is one, and its number.
    pub(super) fn of(pair: Pair, model: &str, metric: &str) -> Option<(usize, &'static Self)> {
        EXCEPTIONS.iter().enumerate().find(|(_, one)| one.is_about(pair, model, metric))
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} {}: {}", self.pairs, self.model, self.metric, self.why)
    }
}

use Pair::{Base, Both, Formula};
use Where::{Everywhere, OneOfTwoThreads, Times};

const PERCENT: &str = "BaseFormula of percentages has the factor 100 only there; Formula is right";

const fn percent(metric: &'static str) -> Exception {
    let (pairs, model) = (&[Base, Both], "[gs][ri]*r*");
    Exception { pairs, model, metric, place: Times(100.0), why: PERCENT }
}

const fn of_ours(model: &'static str, metric: &'static str, why: &'static str) -> Exception {
    Exception { pairs: &[Formula, Base], model, metric, place: Everywhere, why }
}

pub(super) const EXCEPTIONS: &[Exception] = &[
    Exception {
        pairs: &[Formula, Base],
        model: "*",
        metric: "tma_info_core_core_clks",
        place: OneOfTwoThreads,
        why: "perfmon's is that of a whole core and halves the cycles of a thread whose sibling \
              is idle; ours is right",
    },
    Exception {
        pairs: &[Formula, Base],
        model: "*",
        metric: "tma_info_system_power",
        place: Everywhere,
        why: "perfmon's unit of energy is not that of the kernel's event; ours is right",
    },
    Exception {
        pairs: &[Formula, Base],
        model: "*",
        metric: "tma_l3_hit_latency",
        place: Everywhere,
        why: LEVEL_ABOVE,
    },
    Exception {
        pairs: &[Formula, Base],
        model: "*",
        metric: "tma_contested_accesses",
        place: Everywhere,
        why: LEVEL_ABOVE,
    },
    Exception {
        pairs: &[Formula, Base],
        model: "*",
        metric: "tma_data_sharing",
        place: Everywhere,
        why: LEVEL_ABOVE,
    },
    Exception {
        pairs: &[Base, Both],
        model: "emeraldrapids",
        metric: "tma_info_botlnk_l0_core_bound_likely",
        place: Everywhere,
        why: "BaseFormula has a name in two parts; Formula is right",
    },
    Exception {
        pairs: &[Formula, Base, Both],
        model: "emeraldrapids",
        metric: "tma_bottleneck_data_cache_memory_*",
        place: Everywhere,
        why: HBM,
    },
    Exception {
        pairs: &[Formula, Both],
        model: "emeraldrapids",
        metric: "tma_bottleneck_other_bottlenecks",
        place: Everywhere,
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
