//! Names and units of what rules record: `instance:common_ipc:rate1m`.

use pmu_events::Metric;

/// What is recorded of a metric.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recorded {
    /// The name of the metric in Prometheus's characters, with its unit at the end.
    pub(crate) name: String,
    /// What the value before its scale is multiplied by.
    pub(super) factor: f64,
}

/// Units of metrics in Prometheus's base units: the factor, and the end of the name. Counts are
/// those of one second, so that an amount of joules is recorded as joules in a second.
const UNITS: [(&[&str], f64, &str); 11] = [
    (&["J", "Joules"], 1.0, "_joules"),
    (&["GHz"], 1e9, "_hertz"),
    (&["MHz"], 1e6, "_hertz"),
    (&["ns"], 1e-9, "_seconds"),
    (&["MB/s", "MB/sec"], 1e6, "_bytes_per_second"),
    (&["Bytes/sec", "B/s"], 1.0, "_bytes_per_second"),
    (&["MB"], 1e6, "_bytes"),
    (&["MiB"], 1_048_576.0, "_bytes"),
    (&["KiB"], 1024.0, "_bytes"),
    (&["Bytes"], 1.0, "_bytes"),
    (&["M/sec"], 1e6, "_per_second"),
];

impl Recorded {
    pub(crate) fn of(metric: Metric) -> Self {
        let (scale, unit) = metric.scale();
        let of_table = || {
            let known = UNITS.iter().find(|(units, ..)| units.contains(&unit));
            known.map_or((1.0, ""), |&(_, factor, suffix)| (factor, suffix))
        };
        // `%`, `%slots`, `percent of cycles`
        let is_share = unit.starts_with('%') || unit.starts_with("percent");
        let (factor, suffix) = if is_share { (0.01, "_ratio") } else { of_table() };
        // Of several names of one metric, the first.
        let name = metric.name().split(';').next().unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let plain = |c: char| if is_plain(c) { c.to_ascii_lowercase() } else { '_' };
        let mut name: String = name.chars().map(plain).collect();
        if !name.ends_with(suffix) {
            name.push_str(suffix);
        }
        // 100 and 0.01 are 1 together, which the product of both as numbers is not.
        let factor = if factor < 1.0 { scale / (1.0 / factor).round() } else { scale * factor };
        Recorded { name, factor }
    }
}

#[cfg(test)]
mod tests {
    use pmu_events::Model;
    use pmu_events::arch::{arm64, x86};

    use super::*;

    #[test]
    fn units_are_base_units() {
        let cases: [(Model, &str, &str, f64); 9] = [
            (x86::SAPPHIRERAPIDS, "common.ipc", "common_ipc", 1.0),
            (x86::SAPPHIRERAPIDS, "tma_retiring", "tma_retiring_ratio", 1.0),
            (x86::SAPPHIRERAPIDS, "common.energy", "common_energy_joules", 1.0),
            (x86::SAPPHIRERAPIDS, "common.frequency", "common_frequency_hertz", 1e9),
            (x86::SAPPHIRERAPIDS, "common.memory_latency", "common_memory_latency_seconds", 1e-9),
            (
                x86::SAPPHIRERAPIDS,
                "common.memory_read_bandwidth",
                "common_memory_read_bandwidth_bytes_per_second",
                1e6,
            ),
            (x86::SAPPHIRERAPIDS, "common.branch_miss_ratio", "common_branch_miss_ratio", 1.0),
            (
                x86::SAPPHIRERAPIDS,
                "common.l2_misses_per_kilo_instruction",
                "common_l2_misses_per_kilo_instruction",
                1.0,
            ),
            (
                arm64::ARM_NEOVERSE_N1,
                "branch_misprediction_ratio",
                "branch_misprediction_ratio",
                1.0,
            ),
        ];
        for (model, metric, name, factor) in cases {
            let metric = model.metric(metric).unwrap_or_else(|| panic!("no {metric}"));
            let recorded = Recorded::of(metric);
            assert_eq!((recorded.name.as_str(), recorded.factor), (name, factor), "{metric}");
        }
    }
}
