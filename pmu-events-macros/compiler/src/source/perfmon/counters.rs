//! The number of counters of a model's units, derived from its events.

use std::collections::BTreeMap;

use pmu_events_core::__private::pmu;

/// Models for which perf's script writes no numbers.
pub(super) const WITHOUT: [&str; 7] = ["ADL", "ADLN", "ARL", "LNL", "MTL", "SRF", "GRR"];

/// General and fixed counters of each PMU.
pub(super) type Numbers = BTreeMap<String, [u8; 2]>;

/// The PMU of an event that has been converted.
pub(super) fn pmu_of(unit: Option<&str>) -> String {
    match unit {
        None => pmu::DEFAULT_CORE.to_owned(),
        Some(unit) => pmu::of_unit(unit)
            .map_or_else(|| format!("uncore_{}", unit.to_ascii_lowercase()), str::to_owned),
    }
}

/// Adds the counters of one event.
pub(super) fn count(unit: Option<&str>, counter: &str, numbers: &mut Numbers) {
    let pmu = pmu_of(unit);
    let mut parts = counter.split(',');
    let (first, last) = (parts.next().unwrap_or_default(), parts.next_back());
    let is_fixed = first.to_ascii_lowercase().contains("fixed");
    let number = match is_fixed {
        true => first.rsplit(' ').next().unwrap_or_default().parse::<u8>().unwrap_or(0),
        false => match last.unwrap_or(first).trim().parse::<u8>() {
            Ok(number) => number,
            Err(_) => return,
        },
    };
    let most = &mut numbers.entry(pmu).or_default()[usize::from(is_fixed)];
    *most = (*most).max(number.saturating_add(1));
}
