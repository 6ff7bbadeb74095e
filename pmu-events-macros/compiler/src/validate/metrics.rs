//! The requirements of a metric's values; `formula` checks its formulas.

use pmu_events_core::__private::wire::StrRef;

use super::values;
use crate::assemble::tree::Item;
use crate::entry::keys::Key;
use crate::faults::{Faults, quoted};

/// Reports values that are too long.
pub(super) fn check(item: &Item<'_>, faults: &mut Faults) {
    let metric = &item.entry.metric;
    values::shared(&item.entry, faults);
    // Programs and long references have no such limit.
    let is_long = |key| matches!(key, Key::MetricExpr | Key::MetricThreshold | Key::MetricGroup);
    let texts = metric.texts().filter(|&(key, _)| !is_long(key));
    texts.for_each(|(key, text)| values::length(text, key.text(), faults));
    if let Some(groups) = &metric.groups
        && let Some(long) = groups.text.split(';').find(|name| name.len() > StrRef::MAX_LEN)
    {
        let message = format!("MetricGroup: a name is longer than 255 bytes: {}", quoted(long));
        faults.error(groups.place, message);
    }
}
