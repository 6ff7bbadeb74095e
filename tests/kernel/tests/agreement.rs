//! The metrics of `arch/` beside those of the kernel's trees with the same name:
//! under counts that fit each other, in four situations, both have the same value,
//! but for differences with a known reason.

use std::collections::BTreeMap;
use std::io::Write as _;

use pmu_events::expr::{EventValue, Identifier, Literal, Machine};
use pmu_events::topdown::Hierarchy;
use pmu_events::{Metric, Model, glob, pmu};
use pmu_events_kernel_comparison as comparison;

use comparison::compiled::compiled;
use comparison::{arch_dir_of, kernel_arch, own_arch_dir};

/// What the counts belong to.
#[derive(Clone, Copy, Debug)]
struct Situation {
    smt_is_on: bool,
    sibling_is_busy: bool,
    /// Whether the counts are those of all threads of the core.
    is_core_wide: bool,
}

const SITUATIONS: [Situation; 4] = [
    Situation { smt_is_on: false, sibling_is_busy: false, is_core_wide: false },
    Situation { smt_is_on: true, sibling_is_busy: false, is_core_wide: false },
    Situation { smt_is_on: true, sibling_is_busy: true, is_core_wide: false },
    Situation { smt_is_on: true, sibling_is_busy: true, is_core_wide: true },
];

/// How many sets of counts there are in each situation.
const SETS: u64 = 8;

/// One of the machines on which something is counted.
#[derive(Clone, Copy, Debug)]
struct Run {
    situation: Situation,
    seed: u64,
}

impl Machine for Run {
    fn literal(&self, literal: Literal) -> f64 {
        match literal {
            Literal::SmtOn => f64::from(self.situation.smt_is_on),
            Literal::CoreWide => f64::from(self.situation.is_core_wide),
            Literal::SystemTscFreq => 2.1e9,
            Literal::Slots => 8.0,
            Literal::NumPackages | Literal::NumDies => 2.0,
            Literal::NumCpus | Literal::NumCpusOnline => 32.0,
            Literal::NumCores => 16.0,
            Literal::HasPmem => 0.0,
            _ => 1.0,
        }
    }

    fn has_event(&self, _: Identifier<'_>) -> Option<bool> {
        Some(true)
    }

    fn cpuid_matches(&self, _: Identifier<'_>) -> Option<bool> {
        Some(false)
    }
}

impl Run {
    /// A count that depends on nothing but what is counted. Cycles and slots of the
    /// core exceed whatever happens in them; the slots of the top level add up.
    fn count(&self, event: &Counted) -> f64 {
        const SLOTS: f64 = 6.0;
        let share = |of: &str| (mixed(of, self.seed) >> 11) as f64 / (1u64 << 53) as f64;
        let cycles = 1e9 * (1.0 + share("cycles"));
        // A sibling that is busy runs half of the time alone.
        let alone = if self.situation.sibling_is_busy { 0.5 } else { 1.0 };
        let parts = ["retiring", "bad", "frontend", "backend"].map(share);
        let sum: f64 = parts.iter().sum();
        let slots = |part: usize| SLOTS * cycles * parts[part] / sum;
        let name = event.name.as_str();
        match name {
            "slots" | "topdown.slots" => SLOTS * cycles,
            "topdown-retiring" => slots(0),
            "topdown-bad-spec" => slots(1),
            "topdown-fe-bound" => slots(2),
            "topdown-be-bound" => slots(3),
            // Parts of a part.
            "topdown-heavy-ops" => slots(0) * share(name),
            "topdown-br-mispredict" => slots(1) * share(name),
            "topdown-fetch-lat" => slots(2) * share(name),
            "topdown-mem-bound" => slots(3) * share(name),
            "duration_time" => 1.0,
            "tsc" => 2.1e9,
            // Few, as long as the parts add up.
            _ if name.starts_with("int_misc.") => 1e4 * share(&event.identity),
            _ if name.contains("one_thread_active") => 2.5e7 * alone,
            _ if name.contains("ref_xclk") => 2.5e7,
            _ if event.has_no_terms && name.starts_with("cpu_clk_unhalted") => cycles,
            _ => cycles * (0.02 + 0.2 * share(&event.identity)),
        }
    }

    /// The value of a metric of one model whose events may be those of both.
    fn value(&self, metric: Metric, models: [Model; 2]) -> f64 {
        metric.evaluate_on(self, |event| EventValue {
            value: self.count(&Counted::of(event.as_str(), metric.pmu(), models)),
            sources: 8.0,
            aggregated: 4.0,
        })
    }

    fn all() -> impl Iterator<Item = Run> {
        let seeds = |situation| (0..SETS).map(move |seed| Run { situation, seed });
        SITUATIONS.into_iter().flat_map(seeds)
    }
}

/// What an identifier counts, however it is spelt.
struct Counted {
    /// The name of the event, or of nothing that has one.
    name: String,
    /// Whether the identifier is the name alone.
    has_no_terms: bool,
    /// The PMU and the terms, those of the tables' events among them.
    identity: String,
}

impl Counted {
    fn of(identifier: &str, own_pmu: &str, models: [Model; 2]) -> Self {
        let text = identifier.to_ascii_lowercase();
        let find = |name: &str| models.iter().find_map(|model| model.event(name));
        let (pmu, rest) = match text.split_once('/') {
            // `event/terms/`
            Some((event, rest)) if find(event).is_some() => ("", format!("{event},{rest}")),
            Some((pmu, rest)) => (pmu, rest.to_owned()),
            // `event:modifiers`
            None => ("", text.clone()),
        };
        let (terms, modifiers) = match rest.rsplit_once('/') {
            Some(both) => both,
            None => rest.split_once(':').unwrap_or((&rest, "")),
        };
        let mut name = String::new();
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        let mut own_terms = 0;
        for one in terms.split(',').filter(|one| !one.is_empty()) {
            // An event of either table: ours has the same encoding for all spellings.
            if let Some(event) = find(one) {
                name = one.to_owned();
                let terms = event.terms().map(|term| term.to_string());
                let terms = terms.filter(|term| !term.starts_with("period="));
                all.extend(terms.map(|term| key_and_value(&term)));
            } else if one.contains('=') || !name.is_empty() {
                own_terms += 1;
                let (key, value) = key_and_value(one);
                // Perf's terms for one field.
                let key = if key == "thresh" { "cmask".to_owned() } else { key };
                if key != "cpu" {
                    all.insert(key, value);
                }
            } else {
                name = one.to_owned();
                all.insert(one.to_owned(), String::new());
            }
        }
        // One box of many, the core PMU by its name or without, and what the kernel
        // calls by two names.
        let pmu = match find(&name) {
            Some(event) if pmu.is_empty() && !pmu::is_core(event.pmu()) => event.pmu(),
            _ => pmu,
        };
        let pmu = pmu.trim_start_matches("uncore_").trim_end_matches(|c: char| c.is_ascii_digit());
        let pmu = match pmu.trim_end_matches('_') {
            "cpu" | "msr" => "",
            "cpu_core" | "cpu_atom" if pmu == own_pmu => "",
            pmu => pmu,
        };
        let identity = format!("{pmu}/{all:?}/{modifiers}");
        Counted { name, has_no_terms: own_terms == 0 && modifiers.is_empty(), identity }
    }
}

/// A term with its number in decimal; a flag has the number 1.
fn key_and_value(term: &str) -> (String, String) {
    let (key, number) = term.split_once('=').unwrap_or((term, "1"));
    let digits = number.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
    let number = digits.unwrap_or_else(|| number.parse());
    (key.to_owned(), number.map_or_else(|_| term.to_owned(), |number| number.to_string()))
}

fn mixed(name: &str, seed: u64) -> u64 {
    let mut bits = name.bytes().fold(0xcbf2_9ce4_8422_2325, |bits: u64, byte| {
        (bits ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    bits = bits.wrapping_add((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

fn are_equal(ours: f64, theirs: f64) -> bool {
    ours == theirs
        || ours.is_nan() && theirs.is_nan()
        || (ours - theirs).abs() <= 1e-9 * ours.abs().max(theirs.abs())
}

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
    because("6.12 x86", "*", "llc_demand_data_read_miss*", "newer sources do not have it"),
    because("6.12 x86", "*", "pmem_memory_bandwidth_*", "newer sources do not have it"),
    because("6.12 x86", "*", "*_pmm_*", "newer sources do not have it"),
    because("6.12 x86", "*", "tsx_*", "newer sources do not have it"),
    because(
        "6.12 arm64",
        "ampere/ampereonex",
        "l1d_cache_access_prefetches",
        "newer sources do not have it",
    ),
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

/// The first level of Intel's trees sums to the whole, where it is counted in slots.
#[test]
fn first_levels_sum_to_one() {
    let arch = compiled(&own_arch_dir(), "x86").unwrap_or_else(|report| panic!("{report}"));
    let mut summed = Vec::new();
    for tree in arch.tree.models().flat_map(Hierarchy::of) {
        let roots = tree.roots().iter().map(|&root| tree.nodes()[root].metric());
        let roots: Vec<Metric> = roots.collect();
        let model = tree.model();
        let is_of_slots = roots.iter().any(|root| root.name() == "tma_retiring")
            && roots.iter().all(|root| {
                root.events().all(|event| !event.as_str().to_ascii_lowercase().contains("topdown_"))
            });
        if !is_of_slots {
            continue;
        }
        for run in Run::all() {
            let values: Vec<f64> =
                roots.iter().map(|&root| run.value(root, [model, model])).collect();
            let sum: f64 = values.iter().sum();
            let whole = roots[0].scale().0;
            assert!(
                (sum - whole).abs() < 1e-9 * whole,
                "{} {:?}: {values:?}",
                model.name(),
                run.situation
            );
        }
        summed.push(model.name());
    }
    let _ = writeln!(std::io::stderr(), "first levels that sum to one: {}", summed.len());
    assert!(summed.len() >= 20, "{summed:?}");
}

/// Trees by shell patterns of their models, and the nodes whose parts are all of them:
/// a part is what the others leave, or the node is their sum. (Atom cores count each
/// part by itself, and from level 3 on most of Intel's parts overlap.)
const SUMS: &[(&str, &str)] = &[
    ("*", "tma_frontend_bound"),
    ("*", "tma_bad_speculation"),
    ("*", "tma_backend_bound"),
    ("*", "tma_retiring"),
    ("*", "tma_heavy_operations"),
    ("*", "tma_branch_resteers"),
    ("*", "tma_fp_arith"),
    ("*", "tma_int_operations"),
    ("*", "tma_divider"),
    ("amdzen[45]", "frontend_bound"),
    ("amdzen[45]", "bad_speculation"),
    ("amdzen[45]", "backend_bound"),
    ("amdzen[45]", "retiring"),
    ("ampere/*", "frontend_bound"),
    ("ampere/*", "backend_bound"),
    ("ampere/*", "slots_lost_misspeculation_fraction"),
    ("hisilicon/hip08", "frontend_bound"),
    ("hisilicon/hip08", "bad_speculation"),
    ("power8", "run_cpi"),
    ("power8", "fxu_stall_cpi"),
    ("power8", "lsu_stall_cpi"),
    ("power9", "nothing_dispatched_cpi"),
    ("power9", "exec_unit_stall_cpi"),
    ("power9", "dmiss_l2l3_stall_cpi"),
    ("power9", "dmiss_l3miss_stall_cpi"),
    ("power9", "ict_noslot_disp_held_cpi"),
    ("power9", "ict_noslot_ic_miss_cpi"),
];

/// Parts sum to their whole. A part that would be negative is 0, so that the others
/// may be more; the counts of some situation must be without that.
#[test]
fn parts_sum_to_their_whole() {
    let mut found = vec![0; SUMS.len()];
    for name in ["x86", "arm64", "powerpc"] {
        let arch = compiled(&own_arch_dir(), name).unwrap_or_else(|report| panic!("{report}"));
        for tree in arch.tree.models().flat_map(Hierarchy::of) {
            let model = tree.model();
            let is_atom = tree.find("tma_ifetch_bandwidth").is_some();
            for (number, (models, whole)) in SUMS.iter().enumerate() {
                let node = tree.find(whole).map(|place| &tree.nodes()[place]);
                let Some(node) = node.filter(|_| glob::matches(models, model.name()) && !is_atom)
                else {
                    continue;
                };
                let children = node.children().iter().map(|&child| &tree.nodes()[child]);
                let parts: Vec<Metric> = children
                    .filter(|child| !child.is_indicator())
                    .map(|child| child.metric())
                    .collect();
                if parts.len() < 2 {
                    continue;
                }
                let mut exact = 0;
                for run in Run::all() {
                    let value = |metric: Metric| run.value(metric, [model, model]);
                    let all = value(node.metric());
                    let values: Vec<f64> = parts.iter().map(|&part| value(part)).collect();
                    let sum: f64 = values.iter().sum();
                    let is_exact = (sum - all).abs() <= 1e-9 * all.abs().max(1e-3);
                    exact += usize::from(is_exact);
                    let is_cut = values.contains(&0.0) && sum > all;
                    assert!(
                        is_exact || is_cut,
                        "{}: {whole} is {all}, its parts {values:?}; {run:?}",
                        model.name()
                    );
                }
                assert!(exact > 0, "{}: {whole}", model.name());
                found[number] += 1;
            }
        }
    }
    let missing: Vec<_> = SUMS.iter().zip(&found).filter(|(_, found)| **found == 0).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let sums: usize = found.iter().sum();
    let _ = writeln!(std::io::stderr(), "wholes that are the sum of their parts: {sums}");
}
