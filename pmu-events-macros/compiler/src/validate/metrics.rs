//! The requirements of a metric's values; `formula` checks its formulas.

use pmu_events_core::__private::wire::StrRef;

use super::values;
use crate::assemble::tree::Item;
use crate::faults::{Faults, quoted};

/// Reports values that are too long.
pub(super) fn check(item: &Item<'_>, faults: &mut Faults) {
    let metric = &item.entry.metric;
    if let Some(name) = &metric.name {
        values::length(name, "MetricName", faults);
    }
    values::shared(&item.entry, faults);
    for (value, key) in [
        (&metric.no_group, "MetricgroupNoGroup"),
        (&metric.default_group, "DefaultMetricgroupName"),
        (&metric.sample_with, "SampleWith"),
    ] {
        value.iter().for_each(|value| values::length(value, key, faults));
    }
    if let Some(groups) = &metric.groups
        && let Some(long) = groups.text.split(';').find(|name| name.len() > StrRef::MAX_LEN)
    {
        let message = format!("MetricGroup: a name is longer than 255 bytes: {}", quoted(long));
        faults.error(groups.place, message);
    }
}
