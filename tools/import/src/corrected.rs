//! Formulas that all sources have wrong; `UPSTREAM.md` says why.

use pmu_events_core::glob;

use crate::sources::Metrics;

/// A part of a formula in our form, and what stands there instead. Models and metrics
/// are globs.
struct Correction {
    models: &'static str,
    metric: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const CORRECTIONS: &[Correction] = &[
    // The kernel counts energy in units of 2^-32 J, whatever the unit of the register
    // (`arch/x86/events/rapl.c`).
    power(
        r"power@energy\-pkg@ * 61 / (tma_info_system_time * 1000000)",
        r"power@energy\-pkg@ / 4294967296 / tma_info_system_time",
    ),
    power(
        r"power@energy\-pkg@ * 15.6 / (tma_info_system_time * 1000000)",
        r"power@energy\-pkg@ / 4294967296 / tma_info_system_time",
    ),
    power(
        r"(power@energy\-pkg@ * 61 + 15.6 * power@energy\-ram@) / (tma_info_system_time * 1000000)",
        r"(power@energy\-pkg@ + power@energy\-ram@) / 4294967296 / tma_info_system_time",
    ),
    power(
        r"(power@energy\-pkg@ + power@energy\-ram@) * 15.6 / (duration_time * 1000000)",
        r"(power@energy\-pkg@ + power@energy\-ram@) / 4294967296 / duration_time",
    ),
    // These are values of the second filter register, which the kernel's driver has in
    // the upper half (`skx_cha_filter_mask` of `uncore_snbep.c`).
    filter(r"config1\=0x40431@", r"config1\=0x4043100000000@"),
    filter(r"config1\=0x40432@", r"config1\=0x4043200000000@"),
    filter(r"config1\=0x40433@", r"config1\=0x4043300000000@"),
    filter(r"config1\=0x12cc0233@", r"config1\=0x12cc023300000000@"),
    filter(r"config1\=0x12d40433@", r"config1\=0x12d4043300000000@"),
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
];

const fn power(wrong: &'static str, right: &'static str) -> Correction {
    Correction { models: "*", metric: "tma_info_system_power", wrong, right }
}

const fn filter(wrong: &'static str, right: &'static str) -> Correction {
    Correction { models: "[cs]*lakex", metric: "*", wrong, right }
}

/// Corrects the formulas of Intel's models. What is corrected stays as it is.
pub fn correct(metrics: &mut Metrics) {
    for (table, metrics) in metrics {
        let of_model = |one: &&Correction| glob::matches(one.models, table);
        let corrections: Vec<&Correction> = CORRECTIONS.iter().filter(of_model).collect();
        for metric in metrics {
            let name = metric.get("MetricName").unwrap_or_default();
            let of_metric = |one: &&&Correction| glob::matches(one.metric, name);
            let formula = metric.get("MetricExpr").unwrap_or_default();
            let fold = |text: String, one: &&Correction| text.replace(one.wrong, one.right);
            let right = corrections.iter().filter(of_metric).fold(formula.to_owned(), fold);
            if right != formula {
                metric.set("MetricExpr", right);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CORRECTIONS;
    use crate::formula;

    /// A formula is in our form before and after, or the next import changes it again,
    /// or finds nothing to correct.
    #[test]
    fn corrections_are_in_our_form() {
        for one in CORRECTIONS {
            for text in [one.wrong, one.right] {
                let whole = match text.strip_prefix("config1") {
                    Some(rest) => format!("cha@A\\,config1{rest}"),
                    None if text.is_empty() => continue,
                    None => text.strip_prefix(" + ").unwrap_or(text).to_owned(),
                };
                assert_eq!(formula::normal(&whole).as_deref(), Ok(&*whole));
            }
        }
    }
}
