//! What a value says of a program does not depend on how long it is counted, on how many
//! CPUs do the same, or on how long it pauses.

use std::collections::BTreeMap;

use pmu_events::metric::LatencyOf;
use pmu_events::{Metric, arch};

use crate::counts::{Counts, Events};
use crate::except::{Exception, Exceptions};
use crate::scales::Scales;
use crate::situations::{Run, are_equal};

/// How a second run differs from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Second {
    /// Three times the time.
    Longer,
    /// Eight times the packages, cores and CPUs.
    Wider,
    /// Eight times the cores and CPUs of each package.
    MoreCores,
    /// Twice the CPUs of each core, which do what it did.
    MoreThreads,
    /// The same work with pauses as long as it, in which the events of a task do not count.
    TaskWithPauses,
    /// The same, in which the events of a CPU do.
    CpuWithPauses,
}

use Second::{CpuWithPauses, Longer, MoreCores, MoreThreads, TaskWithPauses, Wider};

impl Second {
    const ALL: [Second; 6] = [Longer, Wider, MoreCores, MoreThreads, TaskWithPauses, CpuWithPauses];

    fn scales(self) -> Scales {
        let same = Scales::default();
        match self {
            Longer => Scales { work: 3.0, clocks: 3.0, tsc: 3.0, seconds: 3.0, ..same },
            Wider => Scales {
                work: 8.0,
                clocks: 8.0,
                tsc: 8.0,
                cpus: 8.0,
                cores: 8.0,
                packages: 8.0,
                ..same
            },
            MoreCores => Scales { work: 8.0, tsc: 8.0, cpus: 8.0, cores: 8.0, ..same },
            MoreThreads => Scales { tsc: 2.0, cpus: 2.0, ..same },
            TaskWithPauses => Scales { clocks: 2.0, seconds: 2.0, ..same },
            CpuWithPauses => Scales { clocks: 2.0, tsc: 2.0, seconds: 2.0, ..same },
        }
    }
}

/// A value that changes: in which second runs.
type Change = Exception<&'static [Second]>;

const fn amount(models: &'static str, metric: &'static str) -> Change {
    Change { models, metric, limit: &Second::ALL, why: "an amount" }
}

const fn rate(metric: &'static str) -> Change {
    let why = "an amount in a time: more CPUs do more in it, and it includes pauses";
    let limit: &[Second] = &[Wider, MoreCores, TaskWithPauses, CpuWithPauses];
    Change { models: "*", metric, limit, why }
}

const fn of_time(metric: &'static str) -> Change {
    let why = "a share of the time, which includes pauses";
    Change { models: "*", metric, limit: &[TaskWithPauses, CpuWithPauses], why }
}

const fn of_time_of_cpus(metric: &'static str) -> Change {
    let why = "a share of the time of all CPUs, which includes pauses and threads without work";
    Change { models: "*", metric, limit: &[MoreThreads, TaskWithPauses, CpuWithPauses], why }
}

const fn of_time_of_memory(metric: &'static str) -> Change {
    let why = "a share of the time of the memory, which more cores use more";
    Change { models: "*", metric, limit: &[MoreCores, TaskWithPauses, CpuWithPauses], why }
}

const fn of_slices(metric: &'static str) -> Change {
    let why = "with more cores, there are more slices of the L3, which here have the same cycles";
    Change { models: "*", metric, limit: &[MoreCores], why }
}

const fn number(metric: &'static str) -> Change {
    let why = "how many CPUs or cores run, on average";
    let limit: &[Second] = &[Wider, MoreCores, TaskWithPauses, CpuWithPauses];
    Change { models: "*", metric, limit, why }
}

const fn of_one_package(metric: &'static str) -> Change {
    Change { models: "*lake", metric, limit: &[Wider], why: "clients have one package" }
}

const CHANGES: &[Change] = &[
    amount("*", "smi_num"),
    amount("*", "tma_info_system_time"),
    amount("*", "tma_info_system_socket_clks"),
    amount("*", "tma_info_core_core_clks"),
    amount("*", "tma_info_thread_clks"),
    amount("*", "tma_info_thread_slots"),
    amount("*", "tma_info_inst_mix_instructions"),
    amount("*", "tma_info_system_upi_data_transmit_bw"),
    amount("*", "LLC_MISSES.PCIE_*"),
    amount("elkhartlake", "CLKS"),
    amount("elkhartlake", "Instructions"),
    amount("elkhartlake", "L3_Cache_Fill_BW"),
    amount("amdzen*", "all_*"),
    amount("amdzen4", "dram_*_data_*"),
    amount("amdzen*", "nps1_die_to_dram"),
    amount("amdzen4", "*_socket_*_data_*"),
    amount("amdzen4", "*_socket_*_data"),
    amount("amdzen4", "l1_*_fills_from_*"),
    amount("amdzen*", "l2_cache_*_from_*"),
    amount("amdzen*", "l?_?tlb_misses"),
    amount("amdzen*", "l3_cache_accesses"),
    amount("amdzen*", "l3_misses"),
    amount("amdzen*", "macro_ops_*"),
    amount("amdzen*", "sse_avx_stalls"),
    amount("amdzen*", "total_dispatch_slots"),
    amount("*", "common.instructions"),
    amount("*", "common.cycles"),
    amount("*", "common.branches"),
    amount("*", "common.*_misses"),
    amount("*", "common.*_walks"),
    amount("*", "common.*_memory_reads"),
    amount("*", "common.context_switches"),
    amount("*", "common.cpu_migrations"),
    amount("*", "common.page_faults"),
    amount("*", "common.energy"),
    rate("common.memory_*_bandwidth"),
    rate("*memory_bandwidth_read"),
    rate("*memory_bandwidth_write"),
    rate("*memory_bandwidth_total"),
    rate("memory_bandwidth"),
    rate("memory_read_bandwidth"),
    rate("memory_write_bandwidth"),
    rate("memory_extra_write_bw_due_to_directory_updates"),
    rate("mcdram_bandwidth_*"),
    rate("iio_bandwidth_*"),
    rate("io_*"),
    rate("umc_mem*_bandwidth"),
    rate("*_bandwidth_for_*_socket"),
    rate("[qu]pi_data_*_bw"),
    rate("tma_info_memory_*_bw"),
    rate("tma_info_memory_core_*_bw_2t"),
    rate("tma_info_system_*_bw"),
    rate("tma_info_system_dram_bw_use"),
    rate("tma_info_system_gflops"),
    rate("tma_info_system_power"),
    rate("UNC_M_PMM_BANDWIDTH.TOTAL"),
    of_time("C*_Residency"),
    of_time_of_cpus("*cpu_utilization"),
    of_time_of_cpus("common.utilization"),
    of_time_of_memory("power_channel_ppd"),
    of_time_of_memory("power_self_refresh"),
    of_time_of_memory("umc_*_rate"),
    of_time_of_memory("umc_data_bus_utilization"),
    of_time_of_memory("tma_info_system_mem_irq_duplicate_address"),
    of_slices("llc_data_read_demand_plus_prefetch_miss_latency*"),
    of_slices("uncore_frequency"),
    number("tma_info_system_cpus_utilized"),
    number("common.cpus_used"),
    number("cpu_cstate_c?"),
    of_one_package("tma_info_system_uncore_frequency"),
    of_one_package("tma_info_system_mem_read_latency"),
];

/// The value of a metric, with a count for each event that the metric needs: were a retirement
/// latency such an event, it would be counted as any other.
fn value(counts: &Counts<'_>, metric: Metric) -> f64 {
    metric.evaluate_on(counts, |operand| {
        let is_counted =
            || metric.events_on(counts).any(|event| event.as_str() == operand.as_str());
        let event = match LatencyOf::parse(operand.as_str()) {
            Some(of) if is_counted() => of.event(),
            _ => operand.as_str(),
        };
        counts.operand(event, metric.pmu())
    })
}

/// All metrics of x86.
#[test]
fn values_do_not_depend_on_time_and_number() {
    let (mut compared, mut changes) = (0, Exceptions::new(CHANGES));
    let mut wrong: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let (_, tree) = arch::TREES.iter().find(|(name, _)| *name == "x86").expect("it is bundled");
    for model in tree.models() {
        let events = Events::of(model);
        let runs = Run::all().filter(|run| run.seed < 2);
        let runs: Vec<Counts<'_>> = runs.map(|run| Counts::of(&events, run)).collect();
        let others = Second::ALL.map(|second| {
            let scaled = runs.iter().map(|first| first.scaled(second.scales()));
            (second, scaled.collect::<Vec<_>>())
        });
        for metric in model.metrics() {
            compared += 1;
            let values: Vec<f64> = runs.iter().map(|counts| value(counts, metric)).collect();
            let is_other = |others: &[Counts<'_>]| {
                let pairs = values.iter().zip(others);
                pairs.into_iter().any(|(first, other)| !are_equal(*first, value(other, metric)))
            };
            let changed = others.iter().filter(|(_, others)| is_other(others));
            let changed: Vec<Second> = changed.map(|(second, _)| *second).collect();
            if changed.is_empty() {
                continue;
            }
            let permits = |seconds: &&[Second]| changed.iter().all(|one| seconds.contains(one));
            if !changes.take(model.name(), metric.name(), permits) {
                let row = format!("{} {changed:?}", metric.name());
                wrong.entry(row).or_default().push(model.name());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let idle = changes.idle();
    assert!(idle.is_empty(), "changes that nothing needs: {idle:#?}");
    assert!(compared > 5_000, "{compared}");
}
