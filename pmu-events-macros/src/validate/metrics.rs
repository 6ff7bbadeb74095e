//! What a metric's values must be; its formulas are understood elsewhere.

use crate::assemble::Item;
use crate::fault::Faults;

/// Reports values that are too long.
pub(super) fn check(item: &Item<'_>, faults: &mut Faults) {
    let metric = &item.entry.metric;
    if let Some(name) = &metric.name {
        super::length(name, "MetricName", faults);
    }
    super::shared_lengths(&item.entry, faults);
    for (value, key) in [
        (&metric.no_group, "MetricgroupNoGroup"),
        (&metric.default_group, "DefaultMetricgroupName"),
    ] {
        value.iter().for_each(|value| super::length(value, key, faults));
    }
}
