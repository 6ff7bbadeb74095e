//! Formulas and units that all sources have wrong; `UPSTREAM.md` says why.

use pmu_events_compiler::with_unit_of_energy;
use pmu_events_core::__private::glob;

use crate::arch::Metrics;
use crate::formula::normal;
use crate::record::Record;

/// A part of a formula in our form, and what stands there instead. Models and metrics
/// are globs.
struct Correction {
    models: &'static str,
    metric: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const CORRECTIONS: &[Correction] = &[
    // These are values of the second filter register, which the kernel's driver has in
    // the upper half (`skx_cha_filter_mask` of `uncore_snbep.c`).
    filter(r"config1\=0x40431@", r"config1\=0x4043100000000@"),
    filter(r"config1\=0x40432@", r"config1\=0x4043200000000@"),
    filter(r"config1\=0x40433@", r"config1\=0x4043300000000@"),
    filter(r"config1\=0x12cc0233@", r"config1\=0x12cc023300000000@"),
    filter(r"config1\=0x12d40433@", r"config1\=0x12d4043300000000@"),
    // Only servers' drivers call it so (`uncore_snb.c`).
    Correction {
        models: "skylake",
        metric: "tma_info_system_mem_parallel_reads",
        wrong: r"arb@UNC_ARB_TRK_OCCUPANCY.DATA_READ\,thresh\=1@",
        right: r"arb@UNC_ARB_TRK_OCCUPANCY.DATA_READ\,cmask\=1@",
    },
    Correction {
        models: "meteorlake",
        metric: "tma_info_system_mem_parallel_reads",
        wrong: r"arb@UNC_ARB_DAT_OCCUPANCY.RD\,thresh\=1@",
        right: r"arb@UNC_ARB_DAT_OCCUPANCY.RD\,threshold\=1@",
    },
    // Only Sapphire Rapids has high-bandwidth memory; what it is replaced with is a
    // term of the formula already.
    Correction {
        models: "emeraldrapids",
        metric: "tma_bottleneck_data_cache_memory_*",
        wrong: " + tma_memory_bound * tma_l3_bound / (tma_l1_bound + tma_l2_bound + tma_l3_bound \
                + tma_l3_miss_bound + tma_store_bound) * tma_mem_bandwidth / (tma_mem_bandwidth \
                + tma_mem_latency)",
        right: "",
    },
    Correction {
        models: "emeraldrapids",
        metric: "tma_bottleneck_data_cache_memory_*",
        wrong: " + tma_memory_bound * tma_l3_bound / (tma_l1_bound + tma_l2_bound + tma_l3_bound \
                + tma_l3_miss_bound + tma_store_bound) * tma_mem_latency / (tma_mem_bandwidth \
                + tma_mem_latency)",
        right: "",
    },
    // `a / 2 if #smt_on else b / c` means `(a / 2 if #smt_on else b) / c`, or these are
    // counts where SMT is on.
    ports(
        r"cpu@UOPS_EXECUTED.CORE\,inv\,cmask\=1@ / 2 if #smt_on else (min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.CYCLES_NO_EXECUTE) - (RS_EVENTS.EMPTY_CYCLES if tma_fetch_latency > 0.1 else 0)) / tma_info_core_core_clks",
        r"(cpu@UOPS_EXECUTED.CORE\,inv\,cmask\=1@ / 2 if #smt_on else min(CPU_CLK_UNHALTED.THREAD, CYCLE_ACTIVITY.CYCLES_NO_EXECUTE) - (RS_EVENTS.EMPTY_CYCLES if tma_fetch_latency > 0.1 else 0)) / tma_info_core_core_clks",
    ),
    ports(
        r"cpu@UOPS_EXECUTED.CORE\,inv\,cmask\=1@ / 2 if #smt_on else (CYCLE_ACTIVITY.STALLS_TOTAL - (RS_EVENTS.EMPTY_CYCLES if tma_fetch_latency > 0.1 else 0)) / tma_info_core_core_clks",
        r"(cpu@UOPS_EXECUTED.CORE\,inv\,cmask\=1@ / 2 if #smt_on else CYCLE_ACTIVITY.STALLS_TOTAL - (RS_EVENTS.EMPTY_CYCLES if tma_fetch_latency > 0.1 else 0)) / tma_info_core_core_clks",
    ),
    ports(
        r"(cpu@UOPS_EXECUTED.CORE\,cmask\=1@ - cpu@UOPS_EXECUTED.CORE\,cmask\=2@) / 2 if #smt_on else (UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC - UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC) / tma_info_core_core_clks",
        r"((cpu@UOPS_EXECUTED.CORE\,cmask\=1@ - cpu@UOPS_EXECUTED.CORE\,cmask\=2@) / 2 if #smt_on else UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC - UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC) / tma_info_core_core_clks",
    ),
    ports(
        r"(cpu@UOPS_EXECUTED.CORE\,cmask\=2@ - cpu@UOPS_EXECUTED.CORE\,cmask\=3@) / 2 if #smt_on else (UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC - UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC) / tma_info_core_core_clks",
        r"((cpu@UOPS_EXECUTED.CORE\,cmask\=2@ - cpu@UOPS_EXECUTED.CORE\,cmask\=3@) / 2 if #smt_on else UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC - UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC) / tma_info_core_core_clks",
    ),
    // A share of the slots, as on all other models.
    Correction {
        models: "*",
        metric: "tma_x87_use",
        wrong: "UOPS_RETIRED.RETIRE_SLOTS * FP_COMP_OPS_EXE.X87",
        right: "tma_retiring * FP_COMP_OPS_EXE.X87",
    },
    // The clears are for memory ordering or not, and only the latter have a metric.
    Correction {
        models: "*",
        metric: "tma_bottleneck_irregular_overhead",
        wrong: "tma_machine_clears * tma_other_nukes / tma_other_nukes",
        right: "min(tma_other_nukes, tma_machine_clears)",
    },
    Correction {
        models: "*",
        metric: "tma_bottleneck_memory_synchronization",
        wrong: "tma_machine_clears * (1 - tma_other_nukes / tma_other_nukes)",
        right: "max(0, tma_machine_clears - tma_other_nukes)",
    },
    // The time-stamp counters of all CPUs, or that of a task while it runs, in one time.
    frequency("tma_info_system_turbo_utilization * msr@tsc@ / 1000000000 / tma_info_system_time"),
    frequency(
        r"tma_info_system_turbo_utilization * msr@tsc\,cpu\=cpu_core@ / 1000000000 / tma_info_system_time",
    ),
    frequency("tma_info_system_turbo_utilization * TSC / 1000000000 / tma_info_system_time"),
    Correction {
        models: "elkhartlake",
        metric: "Average_Frequency",
        wrong: "Turbo_Utilization * msr@tsc@ / 1000000000",
        right: "Turbo_Utilization * #system_tsc_freq / 1000000000",
    },
    // The same: this would be their share already.
    utilized(
        "CPU_CLK_UNHALTED.REF_TSC / msr@tsc@",
        "CPU_CLK_UNHALTED.REF_TSC / (#system_tsc_freq * tma_info_system_time)",
    ),
    utilized(
        "CPU_CLK_UNHALTED.REF_TSC / TSC",
        "CPU_CLK_UNHALTED.REF_TSC / (#system_tsc_freq * tma_info_system_time)",
    ),
    utilized(
        r"cpu_core@CPU_CLK_UNHALTED.REF_TSC@ / msr@tsc\,cpu\=cpu_core@",
        "cpu_core@CPU_CLK_UNHALTED.REF_TSC@ / (#system_tsc_freq * tma_info_system_time)",
    ),
    // One unit of each package is counted, and their cycles are taken for those of one.
    of_package(
        "tma_info_system_uncore_frequency",
        "cha_0@UNC_CHA_CLOCKTICKS@ / 1000000000",
        "cha_0@UNC_CHA_CLOCKTICKS@ / #num_packages / 1000000000",
    ),
    of_package(
        "tma_info_system_uncore_frequency",
        "cbox_0@UNC_C_CLOCKTICKS@ / 1000000000",
        "cbox_0@UNC_C_CLOCKTICKS@ / #num_packages / 1000000000",
    ),
    of_package(
        "tma_info_system_uncore_frequency",
        "tma_info_system_socket_clks / 1000000000",
        "tma_info_system_socket_clks / #num_packages / 1000000000",
    ),
    of_package(
        "tma_info_system_mem_read_latency",
        "cha_0@UNC_CHA_CLOCKTICKS@ / tma_info_system_time",
        "cha_0@UNC_CHA_CLOCKTICKS@ / #num_packages / tma_info_system_time",
    ),
    of_package(
        "tma_info_system_mem_read_latency",
        "cbox_0@UNC_C_CLOCKTICKS@ / tma_info_system_time",
        "cbox_0@UNC_C_CLOCKTICKS@ / #num_packages / tma_info_system_time",
    ),
    of_package(
        "tma_info_system_mem_read_latency",
        "tma_info_system_socket_clks / tma_info_system_time",
        "tma_info_system_socket_clks / #num_packages / tma_info_system_time",
    ),
    // Without the time, these are right only if it is a second.
    of_package(
        "tma_info_system_mem_dram_read_latency",
        "1000000000 * (UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_DDR / UNC_CHA_TOR_INSERTS.IA_MISS_DRD_DDR) / cha_0@UNC_CHA_CLOCKTICKS@",
        "1000000000 * (UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD_DDR / UNC_CHA_TOR_INSERTS.IA_MISS_DRD_DDR) / (cha_0@UNC_CHA_CLOCKTICKS@ / #num_packages / tma_info_system_time)",
    ),
    of_package(
        "tma_info_system_mem_dram_read_latency",
        "1000000000 * (UNC_M_RPQ_OCCUPANCY / UNC_M_RPQ_INSERTS) / imc_0@UNC_M_CLOCKTICKS@",
        "1000000000 * (UNC_M_RPQ_OCCUPANCY / UNC_M_RPQ_INSERTS) / (imc_0@UNC_M_CLOCKTICKS@ / #num_packages / tma_info_system_time)",
    ),
    of_package(
        "UNC_M_PMM_READ_LATENCY",
        "UNC_M_PMM_RPQ_OCCUPANCY.ALL / UNC_M_PMM_RPQ_INSERTS / UNC_M_CLOCKTICKS",
        "UNC_M_PMM_RPQ_OCCUPANCY.ALL / UNC_M_PMM_RPQ_INSERTS / (UNC_M_CLOCKTICKS / #num_packages / duration_time)",
    ),
    Correction {
        models: "cascadelakex",
        metric: "UNC_M_PMM_BANDWIDTH.TOTAL",
        wrong: "UNC_M_PMM_RPQ_INSERTS + UNC_M_PMM_WPQ_INSERTS",
        right: "(UNC_M_PMM_WPQ_INSERTS + UNC_M_PMM_RPQ_INSERTS) / duration_time",
    },
    // One count of each package or core, over the time of all CPUs.
    residency(
        "C*_Pkg_Residency",
        " / msr@tsc@",
        " / (msr@tsc@ * #num_packages / #num_cpus_online)",
    ),
    residency("C*_Pkg_Residency", " / TSC", " / (TSC * #num_packages / #num_cpus_online)"),
    residency("C*_Core_Residency", " / msr@tsc@", " / (msr@tsc@ * #num_cores / #num_cpus_online)"),
    // One node, for which perfmon and the kernel have two names: see `parts::prune`.
    same_node(
        "icelakex",
        "CYCLE_ACTIVITY.STALLS_L3_MISS / tma_info_thread_clks + (CYCLE_ACTIVITY.STALLS_L1D_MISS - CYCLE_ACTIVITY.STALLS_L2_MISS) / tma_info_thread_clks - tma_l2_bound",
    ),
    same_node("*rapids", "MEMORY_ACTIVITY.STALLS_L3_MISS / tma_info_thread_clks"),
    // All of them are parts of the stalls, and this is the rest.
    Correction {
        models: "power9",
        metric: "lsu_other_stall_cpi",
        wrong: "load_finish_stall_cpi + lsu_stall_dcache_miss_cpi - lrq_stall_cpi + emq_stall_cpi",
        right: "load_finish_stall_cpi - lsu_stall_dcache_miss_cpi - lrq_stall_cpi - emq_stall_cpi",
    },
];

/// Models, metrics, and what is wrong in their `ScaleUnit` and right instead.
const UNITS: &[(&str, &str, &str, &str)] = &[
    // They divide by operations.
    ("*ampereonex", "ase_*_mix", "cache acceses", "operations"),
    ("*ampereonex", "ase_*_mix", "cache accesses", "operations"),
    ("*ampereonex", "l1d_cache_*", "acceses", "accesses"),
];

/// Metrics that are always the same, as all sources divide something by itself, and
/// that cannot be corrected.
pub const WITHHELD: &[(&[&str], &str)] = &[
    // Which of the accesses or instructions are meant is not known.
    (&["power9"], "derat_miss_ratio"),
    // Slots of the thread are to be divided by those of its core, which no formula has.
    (
        &[
            "alderlake",
            "emeraldrapids",
            "graniterapids",
            "icelake",
            "icelakex",
            "meteorlake",
            "rocketlake",
            "sapphirerapids",
            "tigerlake",
        ],
        "tma_info_thread_slots_utilization",
    ),
];

const fn ports(wrong: &'static str, right: &'static str) -> Correction {
    Correction { models: "*", metric: "tma_ports_utilized_[012]", wrong, right }
}

const fn frequency(wrong: &'static str) -> Correction {
    let right = "tma_info_system_turbo_utilization * #system_tsc_freq / 1000000000";
    Correction { models: "*", metric: "tma_info_system_core_frequency", wrong, right }
}

const fn utilized(wrong: &'static str, right: &'static str) -> Correction {
    Correction { models: "*", metric: "tma_info_system_cpus_utilized", wrong, right }
}

const fn of_package(metric: &'static str, wrong: &'static str, right: &'static str) -> Correction {
    Correction { models: "*", metric, wrong, right }
}

const fn residency(metric: &'static str, wrong: &'static str, right: &'static str) -> Correction {
    Correction { models: "*", metric, wrong, right }
}

const fn same_node(models: &'static str, wrong: &'static str) -> Correction {
    Correction { models, metric: "tma_dram_bound", wrong, right: "tma_l3_miss_bound" }
}

const fn filter(wrong: &'static str, right: &'static str) -> Correction {
    Correction { models: "[cs]*lakex", metric: "*", wrong, right }
}

/// Corrects the formulas of an architecture's models, and leaves out those that cannot
/// be. What is corrected stays as it is.
pub fn correct(metrics: &mut Metrics) {
    for (table, metrics) in metrics {
        correct_table(table, metrics);
    }
}

/// The same for one model.
pub fn correct_table(table: &str, metrics: &mut Vec<Record>) {
    let of_model = |one: &&Correction| glob::matches(one.models, table);
    let corrections: Vec<&Correction> = CORRECTIONS.iter().filter(of_model).collect();
    let is_withheld =
        |name: &str| WITHHELD.iter().any(|(models, one)| *one == name && models.contains(&table));
    metrics.retain(|metric| !metric.get("MetricName").is_some_and(is_withheld));
    for metric in metrics {
        correct_unit(table, metric);
        let name = metric.get("MetricName").unwrap_or_default();
        let of_metric = |one: &&&Correction| glob::matches(one.metric, name);
        let formula = metric.get("MetricExpr").unwrap_or_default();
        let fold = |text: String, one: &&Correction| text.replace(one.wrong, one.right);
        // Only trees in the kernel's form still have the register's unit.
        let in_unit = with_unit_of_energy(formula).and_then(|text| normal(&text).ok());
        let right = in_unit.unwrap_or_else(|| formula.to_owned());
        let right = corrections.iter().filter(of_metric).fold(right, fold);
        if right != formula {
            metric.set("MetricExpr", right);
        }
    }
}

fn correct_unit(table: &str, metric: &mut Record) {
    let (Some(name), Some(unit)) = (metric.get("MetricName"), metric.get("ScaleUnit")) else {
        return;
    };
    let is_about = |(models, metrics, ..): &&(&str, &str, &str, &str)| {
        glob::matches(models, table) && glob::matches(metrics, name)
    };
    let fold =
        |unit: String, (.., wrong, right): &(&str, &str, &str, &str)| unit.replace(wrong, right);
    let right = UNITS.iter().filter(is_about).fold(unit.to_owned(), fold);
    metric.set("ScaleUnit", right);
}

#[cfg(test)]
mod tests {
    use super::{CORRECTIONS, UNITS, correct_unit};
    use crate::formula;
    use crate::json::File;
    use crate::problem::Problems;
    use crate::record::{Keep, Record};

    #[test]
    fn units() {
        for (table, name, unit, right) in [
            (
                "a/ampereonex",
                "ase_vector_mix",
                "100percent of cache acceses",
                "100percent of operations",
            ),
            (
                "a/ampereonex",
                "ase_scalar_mix",
                "100percent of cache accesses",
                "100percent of operations",
            ),
            (
                "a/ampereonex",
                "l1d_cache_demand_misses",
                "100percent of cache acceses",
                "100percent of cache accesses",
            ),
            (
                "a/ampereone",
                "ase_vector_mix",
                "100percent of cache acceses",
                "100percent of cache acceses",
            ),
        ] {
            let text = format!(
                r#"{{"MetricName": "{name}", "MetricExpr": "A / B", "ScaleUnit": "{unit}"}}"#
            );
            let file = File::new("x.json", &text);
            let object = file.value().object().expect("it is an object");
            let record = Record::read(&object, Keep::Metrics, &mut Problems::default());
            let mut record = record.expect("it is a metric");
            correct_unit(table, &mut record);
            assert_eq!(record.get("ScaleUnit"), Some(right), "{table} {name}");
        }
        for (.., wrong, right) in UNITS {
            assert!(!right.contains(wrong), "{right}");
        }
    }

    /// Or the next import would correct it again.
    #[test]
    fn what_is_corrected_stays() {
        for one in CORRECTIONS {
            assert!(!one.right.contains(one.wrong), "{}", one.right);
        }
    }

    /// A formula is in our form before and after, or the next import changes it again,
    /// or finds nothing to correct.
    #[test]
    fn corrections_are_in_our_form() {
        for one in CORRECTIONS {
            for text in [one.wrong, one.right] {
                let whole = match text.strip_prefix("config1") {
                    Some(rest) => format!("cha@A\\,config1{rest}"),
                    None if text.is_empty() => continue,
                    None if text.starts_with(" / ") => format!("A{text}"),
                    None => text.strip_prefix(" + ").unwrap_or(text).to_owned(),
                };
                assert_eq!(formula::normal(&whole).as_deref(), Ok(&*whole));
            }
        }
    }
}
