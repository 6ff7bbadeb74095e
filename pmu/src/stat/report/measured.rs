//! Words for values and metrics, in all outputs.

use pmu_events::measure::Value;

use crate::stat::rows::Row;

/// What a value lacks.
pub(super) fn lacks(row: &Row<'_>, and: &str) -> Option<String> {
    let names: Vec<String> = row.lacking.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| format!("lacks {}", names.join(and)))
}

/// The unit and the name, as perf joins them.
pub(super) fn what(metric: &Value<'_>) -> String {
    let name = metric.request().name();
    if metric.unit().is_empty() { name } else { format!("{}  {name}", metric.unit()) }
}

/// The word for a value that takes retirement latencies from the tables.
pub(super) fn estimate(metric: &Value<'_>) -> Option<&'static str> {
    metric.is_estimate().then_some("estimate")
}

/// Words for a value that is combined from counts of several groups.
pub(super) fn combined(metric: &Value<'_>) -> Option<String> {
    (metric.parts() > 1).then(|| format!("combined from {} groups", metric.parts()))
}

/// The result of the threshold, in perf's words (`metric_threshold_classify`
/// since Linux 6.13).
pub(super) fn verdict(metric: &Value<'_>) -> Option<&'static str> {
    metric.is_crossed().map(|is_crossed| if is_crossed { "bad" } else { "good" })
}
