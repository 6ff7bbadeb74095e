//! Which loop judges an event, and what it should count.

use core::ops::RangeInclusive;

use super::loops::{Loop, Loops};
use crate::event_list::{Cache, CacheOperation, CacheResult, CacheUnit, Hardware, Software};
use crate::perf_type;
use crate::resolve::Resolved;
use pmu_events_core::__private::event_list::{EventKind, generic_named};
use pmu_events_core::__private::name;

/// The loop of an event, and its count there.
pub(super) struct Expected {
    pub(super) of: Loop,
    pub(super) count: Count,
}

pub(super) enum Count {
    Within(RangeInclusive<u64>),
    /// Nanoseconds: no more than elapsed.
    Elapsed,
    /// Nothing is known, or the loop does not cause it for certain.
    Unknown,
}

/// Names of tables and drivers that mean what a generic event of the cores does.
const SYNONYMS: [(&str, &str); 24] = [
    ("inst_retired.any", "instructions"),
    ("inst_retired.any_p", "instructions"),
    ("inst_retired", "instructions"),
    ("ex_ret_instr", "instructions"),
    ("pm_inst_cmpl", "instructions"),
    ("pm_run_inst_cmpl", "instructions"),
    ("cpu_clk_unhalted.thread", "cycles"),
    ("cpu_clk_unhalted.thread_p", "cycles"),
    ("ls_not_halted_cyc", "cycles"),
    ("cpu_cycles", "cycles"),
    ("pm_cyc", "cycles"),
    ("br_inst_retired.all_branches", "branches"),
    ("ex_ret_brn", "branches"),
    ("br_retired", "branches"),
    ("br_misp_retired.all_branches", "branch-misses"),
    ("ex_ret_brn_misp", "branch-misses"),
    ("br_mis_pred_retired", "branch-misses"),
    ("br_mis_pred", "branch-misses"),
    ("longest_lat_cache.reference", "cache-references"),
    ("longest_lat_cache.miss", "cache-misses"),
    ("mem_inst_retired.all_loads", "L1-dcache-loads"),
    ("mem_inst_retired.all_stores", "L1-dcache-stores"),
    ("l1d_cache_rd", "L1-dcache-loads"),
    ("l1d_cache_refill", "L1-dcache-load-misses"),
];

pub(super) fn expected(event: &Resolved, loops: &Loops) -> Expected {
    // What a driver names like a generic event is that event: `cpu/instructions/`.
    let own = crate::planner::event_name(event.name());
    let synonym = SYNONYMS.iter().find(|(known, _)| name::eq(known, own));
    let has_terms = event.name().contains('=');
    let generic = synonym.map_or(own, |&(_, generic)| generic);
    let is_generic =
        event.type_() == perf_type::SOFTWARE || event.pmu().is_none_or(|pmu| pmu.is_core());
    match generic_named(generic).filter(|_| !has_terms && is_generic) {
        Some(EventKind::Hardware(hardware)) => of_hardware(hardware, loops),
        Some(EventKind::Cache { event, .. }) => of_cache(event, loops),
        Some(EventKind::Software(software)) => of_software(software),
        _ => Expected { of: Loop::All, count: Count::Unknown },
    }
}

fn within(of: Loop, count: RangeInclusive<u64>) -> Expected {
    Expected { of, count: Count::Within(count) }
}

fn of_hardware(event: Hardware, loops: &Loops) -> Expected {
    match event {
        Hardware::Instructions => within(Loop::Spin, Loops::instructions()),
        Hardware::BranchInstructions => within(Loop::Spin, Loops::branches()),
        Hardware::CpuCycles => within(Loop::Spin, Loops::cycles()),
        // Clocks that run slower or faster than the core.
        Hardware::RefCpuCycles | Hardware::BusCycles => {
            within(Loop::Spin, 1..=*Loops::cycles().end())
        }
        Hardware::BranchMisses => within(Loop::Guess, Loops::mispredictions()),
        // What leaves the second level; on Arm, all that reaches the first.
        Hardware::CacheReferences => within(Loop::LoadFar, loops.misses(Some(2))),
        Hardware::CacheMisses => within(Loop::LoadFar, loops.misses(None)),
        _ => Expected { of: Loop::LoadFar, count: Count::Unknown },
    }
}

fn of_cache(event: Cache, loops: &Loops) -> Expected {
    use {CacheOperation as Operation, CacheResult as Result, CacheUnit as Unit};
    match (event.unit(), event.operation(), event.result()) {
        (Unit::L1Data | Unit::DataTlb, Operation::Load, Result::Access) => {
            within(Loop::LoadNear, Loops::accesses())
        }
        (Unit::L1Data | Unit::DataTlb, Operation::Store, Result::Access) => {
            within(Loop::Store, Loops::accesses())
        }
        (Unit::L1Data, Operation::Load, Result::Miss) => {
            within(Loop::LoadFar, loops.misses(Some(1)))
        }
        (Unit::LastLevel, Operation::Load, Result::Access) => {
            within(Loop::LoadFar, loops.misses(Some(2)))
        }
        (Unit::LastLevel, Operation::Load, Result::Miss) => {
            within(Loop::LoadFar, loops.misses(None))
        }
        (Unit::Branch, Operation::Load, Result::Access) => within(Loop::Spin, Loops::branches()),
        (Unit::Branch, Operation::Load, Result::Miss) => {
            within(Loop::Guess, Loops::mispredictions())
        }
        _ => Expected { of: Loop::LoadFar, count: Count::Unknown },
    }
}

fn of_software(event: Software) -> Expected {
    match event {
        Software::CpuClock | Software::TaskClock => {
            Expected { of: Loop::Spin, count: Count::Elapsed }
        }
        Software::PageFaults | Software::MinorFaults => within(Loop::Touch, Loops::faults()),
        Software::ContextSwitches => within(Loop::Sleep, Loops::switches()),
        _ => Expected { of: Loop::Touch, count: Count::Unknown },
    }
}
