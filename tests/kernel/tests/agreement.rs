//! The metrics of `arch/` beside those of the kernel's trees with the same name:
//! under counts that fit each other, in four situations, both have the same value,
//! but for differences with a known reason.

use std::collections::BTreeMap;
use std::io::Write as _;

use pmu_events::__private::glob;
use pmu_events::{Metric, Model};
use pmu_events_kernel_comparison as comparison;

use comparison::compiled::compiled;
use comparison::situations::{Run, are_equal};
use comparison::{arch_dir_of, kernel_arch, own_arch_dir};

/// Metrics whose value differs, or that are not in `arch/`, and why: the source,
/// the models and the names are shell patterns. Each must be needed.
#[derive(Debug)]
#[allow(dead_code, reason = "a reason is for the reader")]
struct Reason {
    source: &'static str,
    model: &'static str,
    metric: &'static str,
    why: &'static str,
}

const fn because(
    source: &'static str,
    model: &'static str,
    metric: &'static str,
    why: &'static str,
) -> Reason {
    Reason { source, model, metric, why }
}

const REASONS: &[Reason] = &[
    because(
        "* x86",
        "*",
        "tma_bottleneck_memory_synchronization",
        "the kernel's divides tma_other_nukes by itself (error 18 of UPSTREAM.md)",
    ),
    because(
        "* x86",
        "*",
        "tma_info_thread_slots_utilization",
        "the kernel's divides slots by themselves (error 16 of UPSTREAM.md)",
    ),
    because(
        "* x86",
        "*",
        "tma_info_system_uncore_frequency",
        "the kernel's takes the cycles of all packages for those of one (error 19 of UPSTREAM.md)",
    ),
    because(
        "* x86",
        "*",
        "tma_info_system_mem_read_latency",
        "the kernel's takes the cycles of all packages for those of one (error 19 of UPSTREAM.md)",
    ),
    because(
        "* x86",
        "*",
        "tma_info_system_mem_dram_read_latency",
        "the kernel's is right only for one second (error 19 of UPSTREAM.md)",
    ),
    because(
        "* x86",
        "*",
        "UNC_M_PMM_READ_LATENCY",
        "the kernel's is right only for one second (error 19 of UPSTREAM.md)",
    ),
    because(
        "* x86",
        "*",
        "UNC_M_PMM_BANDWIDTH.TOTAL",
        "the kernel's is right only for one second (error 19 of UPSTREAM.md)",
    ),
    because(
        "* x86",
        "elkhartlake",
        "Average_Frequency",
        "the kernel's has the ticks of the time-stamp counter for a frequency (error 22 of UPSTREAM.md)",
    ),
    because(
        "* powerpc",
        "power9",
        "derat_miss_ratio",
        "the kernel's divides an event by itself (error 24 of UPSTREAM.md)",
    ),
    because(
        "6.17 arm64",
        "ampere/ampereonex",
        "l1d_cache_access_prefetces",
        "Linux 7.3 spells it l1d_cache_access_prefetches",
    ),
    because(
        "6.12 x86",
        "*",
        "tma_info_bottleneck_*",
        "renamed to tma_bottleneck_*, and 6.12 multiplies Atom's percentages by 100 once more",
    ),
    because("6.12 x86", "*", "tma_info_botlnk_core*", "newer sources have it under another name"),
    because("6.12 x86", "*", "tma_info_botlnk_dsb*", "newer sources have it under another name"),
    because("6.12 x86", "*", "tma_info_botlnk_ic*", "newer sources have it under another name"),
    because("6.12 x86", "*", "tma_info_memory_*", "newer sources have it under another name"),
    because("6.12 x86", "*", "tma_l1_hit_latency", "newer sources have it under another name"),
    because(
        "6.12 x86",
        "*",
        "tma_info_serialization _%_tpause_cycles",
        "newer sources have it under another name",
    ),
    because("6.12 x86", "*", "C6_Module_Residency", "newer sources do not have it"),
    because("6.12 x86", "*", "C7_Pkg_Residency", "newer sources do not have it"),
    because("6.12 x86", "*", "C9_Pkg_Residency", "newer sources do not have it"),
    because(
        "* x86",
        "*",
        "C*_Residency",
        "the kernel's divides by the time of all CPUs (error 22 of UPSTREAM.md)",
    ),
    because("6.12 x86", "*", "llc_demand_data_read_miss*", "newer sources do not have it"),
    because("6.12 x86", "*", "pmem_memory_bandwidth_*", "newer sources do not have it"),
    because("6.12 x86", "*", "*_pmm_*", "newer sources do not have it"),
    because("6.12 x86", "*", "tsx_*", "newer sources do not have it"),
    because(
        "6.12 x86",
        "grandridge",
        "tma_info_buffer_stalls_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "6.12 x86",
        "sierraforest",
        "tma_info_buffer_stalls_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "6.12 x86",
        "grandridge",
        "tma_info_*_miss_bound_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "6.12 x86",
        "sierraforest",
        "tma_info_*_miss_bound_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "6.12 x86",
        "grandridge",
        "tma_info_mem_exec_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "6.12 x86",
        "sierraforest",
        "tma_info_mem_exec_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "6.12 x86",
        "grandridge",
        "tma_info_serialization_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "6.12 x86",
        "sierraforest",
        "tma_info_serialization_*",
        "6.12 multiplies by 100 what its unit multiplies, too",
    ),
    because(
        "* x86",
        "[cs]*lakex",
        "llc_*_read_*",
        "the kernel has the values of the second filter register in the half of the first; ours \
         are right",
    ),
    because(
        "* x86",
        "[cs]*lakex",
        "numa_reads_*",
        "the kernel has the values of the second filter register in the half of the first; ours \
         are right",
    ),
    because(
        "6.17 x86",
        "*",
        "tma_info_system_power",
        "the kernel's formula has the unit of the register, not of its own event; ours is right",
    ),
    because(
        "6.12 x86",
        "*",
        "tma_info_bad_spec_branch_misprediction_cost",
        "6.12 does not divide the slots by the width",
    ),
    because(
        "6.12 arm64",
        "arm/neoverse-n2-v2",
        "*_ratio",
        "6.12 shows a ratio, newer sources per cent",
    ),
    because(
        "* arm64",
        "freescale/imx95/sys",
        "imx95_ddr_read.jpeg_dec",
        "the kernel has two formulas under this name",
    ),
    because(
        "* x86",
        "haswell*",
        "tma_ports_utilized_[012]",
        "the kernel's parentheses end within one of two branches; perfmon's are right",
    ),
    because(
        "* x86",
        "broadwell*",
        "tma_ports_utilized_[012]",
        "the kernel's parentheses end within one of two branches; perfmon's are right",
    ),
    because(
        "* x86",
        "haswell*",
        "tma_ports_utilization",
        "the kernel's parentheses end within one of two branches; perfmon's are right",
    ),
    because(
        "* x86",
        "haswell*",
        "tma_memory_bound",
        "the kernel's parentheses end within one of two branches; perfmon's are right",
    ),
    because(
        "* x86",
        "haswell*",
        "tma_core_bound",
        "the kernel's parentheses end within one of two branches; perfmon's are right",
    ),
    because(
        "* x86",
        "iv[by]*",
        "tma_ports_utilized_[012]",
        "the kernel's division is within one of two branches",
    ),
    because("* x86", "*", "tma_x87_use", "the kernel's is slots, not a share of them"),
    because("* x86", "*", "tma_fp_arith", "it refers to tma_x87_use, which differs"),
    because(
        "* powerpc",
        "power9",
        "lsu_other_stall_cpi",
        "the kernel adds two of the parts of which this is the rest",
    ),
    because(
        "6.12 x86",
        "meteorlake",
        "tma_info_botlnk_l0_core_bound_likely",
        "perfmon of 2026 has a newer formula",
    ),
    because("6.12 x86", "meteorlake", "tma_ports_utiliz*", "perfmon of 2026 has a newer formula"),
    because("* x86", "*", "tma_info_botlnk_l2_dsb_*", "perfmon of 2026 has a newer formula"),
    because(
        "* x86",
        "*",
        "tma_info_frontend_dsb_coverage",
        "perfmon of 2026 has another denominator",
    ),
    because("6.17 x86", "*", "tma_ms", "perfmon of 2026 has another factor"),
    because(
        "6.17 x86",
        "*",
        "tma_bottleneck_instruction_fetch_bw",
        "it refers to tma_ms, which differs",
    ),
    because(
        "6.17 x86",
        "*",
        "tma_bottleneck_irregular_overhead",
        "it refers to tma_ms, which differs",
    ),
    because("* x86", "sapphirerapids", "tma_mem_bandwidth", "perfmon of 2026 has a newer formula"),
    because("* x86", "sapphirerapids", "tma_mem_latency", "perfmon of 2026 has a newer formula"),
    because("* x86", "sapphirerapids", "tma_lock_latency", "perfmon of 2026 has a newer formula"),
    because("* x86", "sapphirerapids", "tma_split_loads", "perfmon of 2026 has a newer formula"),
    because(
        "6.17 x86",
        "sapphirerapids",
        "tma_bottleneck_*",
        "it refers to metrics with newer formulas",
    ),
    because("* x86", "emeraldrapids", "tma_mem_bandwidth", "perfmon of 2026 has a newer formula"),
    because("* x86", "emeraldrapids", "tma_mem_latency", "perfmon of 2026 has a newer formula"),
    because("* x86", "emeraldrapids", "tma_lock_latency", "perfmon of 2026 has a newer formula"),
    because("* x86", "emeraldrapids", "tma_split_loads", "perfmon of 2026 has a newer formula"),
    because(
        "6.17 x86",
        "emeraldrapids",
        "tma_bottleneck_*",
        "it refers to metrics with newer formulas",
    ),
    because("* x86", "graniterapids", "tma_mem_bandwidth", "perfmon of 2026 has a newer formula"),
    because("* x86", "graniterapids", "tma_mem_latency", "perfmon of 2026 has a newer formula"),
    because(
        "6.17 x86",
        "graniterapids",
        "tma_bottleneck_*",
        "it refers to metrics with newer formulas",
    ),
    because(
        "6.12 x86",
        "sapphirerapids",
        "tma_false_sharing",
        "perfmon of 2026 has a newer formula",
    ),
    because(
        "6.12 x86",
        "emeraldrapids",
        "tma_false_sharing",
        "perfmon of 2026 has a newer formula",
    ),
    because("6.12 x86", "icelakex", "tma_false_sharing", "perfmon of 2026 has a newer formula"),
    because(
        "6.17 x86",
        "graniterapids",
        "*_mispredicts",
        "the kernel has retirement latencies, perfmon's JSON the shares of counts",
    ),
    because("6.17 x86", "arrowlake", "tma_dsb", "the kernel's tree lacks the term `eq`"),
    because("6.17 x86", "arrowlake", "tma_lsd", "the kernel's tree lacks the term `eq`"),
    because("6.17 x86", "arrowlake", "tma_mite", "the kernel's tree lacks the term `eq`"),
    because(
        "6.17 x86",
        "arrowlake",
        "tma_l1_latency_dependency",
        "perfmon of 2026 has a newer formula",
    ),
    because(
        "6.17 x86",
        "arrowlake",
        "tma_info_memory_l1d_cache_fill_bw",
        "L1D.L1_REPLACEMENT counts the level that the name means",
    ),
    because("6.17 x86", "lunarlake", "tma_dsb", "the kernel's tree lacks the term `eq`"),
    because("6.17 x86", "lunarlake", "tma_lsd", "the kernel's tree lacks the term `eq`"),
    because("6.17 x86", "lunarlake", "tma_mite", "the kernel's tree lacks the term `eq`"),
    because(
        "6.17 x86",
        "lunarlake",
        "tma_l1_latency_dependency",
        "perfmon of 2026 has a newer formula",
    ),
    because(
        "6.17 x86",
        "lunarlake",
        "tma_info_memory_l1d_cache_fill_bw",
        "L1D.L1_REPLACEMENT counts the level that the name means",
    ),
];

fn compare(source: &str, theirs: &[Model], ours: &[Model], needed: &mut [bool]) -> String {
    let mut unexplained: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let (mut compared, mut equal) = (0, 0);
    for theirs in theirs {
        let Some(ours) = ours.iter().find(|ours| ours.name() == theirs.name()) else {
            continue;
        };
        for their in theirs.metrics() {
            // Names without per cent signs, which jevents takes for those of a PMU's terms.
            let plain = their.name().replace("%_", "").replace(" _", "_");
            let named = |name: &str| {
                let is_it = |our: &Metric| {
                    our.name().eq_ignore_ascii_case(name) && our.pmu() == their.pmu()
                };
                ours.metrics().find(is_it)
            };
            let our = named(their.name()).or_else(|| named(&plain));
            let what = match our {
                None => "missing",
                Some(our) => {
                    compared += 1;
                    let models = [*ours, *theirs];
                    let agrees =
                        |run: &Run| are_equal(run.value(our, models), run.value(their, models));
                    if Run::all().all(|run| agrees(&run)) {
                        equal += 1;
                        continue;
                    }
                    "differs"
                }
            };
            let explains = |reason: &Reason| {
                glob::matches(reason.source, source)
                    && glob::matches(reason.model, theirs.name())
                    && glob::matches(reason.metric, their.name())
            };
            match REASONS.iter().position(explains) {
                Some(number) => needed[number] = true,
                None => {
                    let line = format!("{what}: {}", their.name());
                    unexplained.entry(line).or_default().push(theirs.name());
                }
            }
        }
    }
    let line = format!("{source}: {compared} metrics of the same name, {equal} equal");
    // Not by `eprintln!`, which the test harness keeps to itself.
    let _ = writeln!(std::io::stderr(), "{line}");
    assert!(compared > 0, "{source}: nothing to compare");
    let lines = unexplained.iter().map(|(what, models)| format!("{source}: {what} {models:?}\n"));
    lines.collect()
}

#[test]
fn values_agree_with_the_kernels() {
    let newer = arch_dir_of("PMU_EVENTS_NEWER");
    let mut needed = vec![false; REASONS.len()];
    let mut unexplained = String::new();
    for name in ["x86", "arm64", "powerpc", "s390"] {
        let models = |arch: &comparison::Arch| {
            let all = arch.tree.models().chain(arch.tree.sys_tables());
            all.collect::<Vec<Model>>()
        };
        let read = |directory: &std::path::Path| {
            compiled(directory, name).unwrap_or_else(|report| panic!("{name}: {report}"))
        };
        let ours = models(&read(&own_arch_dir()));
        let of_6_12 = models(kernel_arch(name));
        unexplained += &compare(&format!("6.12 {name}"), &of_6_12, &ours, &mut needed);
        let of_6_17 = models(&read(&newer));
        unexplained += &compare(&format!("6.17 {name}"), &of_6_17, &ours, &mut needed);
    }
    assert!(unexplained.is_empty(), "{unexplained}");
    let idle: Vec<&Reason> =
        REASONS.iter().zip(needed).filter(|(_, needed)| !needed).map(|(r, _)| r).collect();
    assert!(idle.is_empty(), "reasons that nothing needs: {idle:?}");
}
