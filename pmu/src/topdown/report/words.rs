//! What all outputs say.

use pmu_events::Metric;
use pmu_events::topdown::Finding;

use crate::decimals;
use crate::topdown::utilization::Utilization;

/// `12.3%`, or three digits after the point for units that are not percentages.
pub(super) fn number(value: f64, unit: &str) -> String {
    let is_percentage = unit.starts_with('%') || unit.starts_with("percent");
    let (decimals, sign) = if is_percentage { (1, "%") } else { (3, "") };
    format!("{}{sign}", decimals::shown(value, decimals))
}

/// The mark of a value that takes retirement latencies from the tables.
pub(super) fn estimate(finding: &Finding) -> &'static str {
    if finding.is_estimate() { "  (estimate)" } else { "" }
}

/// The mark of a value whose events were not all counted at the same time.
pub(super) fn combined(parts: usize) -> String {
    if parts > 1 { format!("  (combined from {parts} groups)") } else { String::new() }
}

/// How much of the time the tree is of.
pub(super) fn utilization(of: Utilization) -> String {
    let idle = format!("{:.1}%", 100.0 * of.idle());
    let used = format!("{:.2}", of.cpus_used);
    match of.cpus {
        Some(cpus) => format!("Busy: {used} of {cpus} CPUs; idle: {idle} of their time"),
        None if of.idle() > 0.0 => format!("CPUs used: {used}; idle: {idle} of the time"),
        None => format!("CPUs used: {used}"),
    }
}

/// What the metric means, without the lists that some trees append.
pub(super) fn advice(metric: &Metric) -> String {
    const LISTS: [&str; 3] = ["Sample with:", "Related metrics:", "#Link:"];
    let text = metric.long_description().or(metric.description());
    let text = text.map(|text| text.to_string()).unwrap_or_default();
    let end = LISTS.iter().filter_map(|list| text.find(list)).min().unwrap_or(text.len());
    text[..end].trim_end().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let cases = [
            (0.0, "", "0.000"),
            (1.23456, "", "1.235"),
            (1.0e-7, "GB/s", "0.00000010"),
            (12.345, "%", "12.3%"),
            (0.0, "%", "0.0%"),
            (0.0412, "%", "0.041%"),
            (-3.0, "percent of slots", "-3.0%"),
        ];
        for (value, unit, expected) in cases {
            assert_eq!(number(value, unit), expected, "{value} {unit}");
        }
    }

    #[test]
    fn utilizations() {
        let of = |cpus_used, cpus| utilization(Utilization { cpus_used, cpus });
        assert_eq!(of(0.5, None), "CPUs used: 0.50; idle: 50.0% of the time");
        assert_eq!(of(3.2, None), "CPUs used: 3.20");
        assert_eq!(of(1.0, Some(4)), "Busy: 1.00 of 4 CPUs; idle: 75.0% of their time");
    }
}
