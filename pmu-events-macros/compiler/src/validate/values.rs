//! The requirements of any value.

use pmu_events_core::__private::wire::StrRef;

use crate::entry::Entry;
use crate::fault::{Faults, quoted};
use crate::fields::Value;

/// Reports a value that is too long for its record; `key` is its name.
pub(super) fn length(value: &Value<'_>, key: &str, faults: &mut Faults) {
    if value.text.len() > StrRef::MAX_LEN {
        faults
            .error(value.place, format!("{key} is longer than 255 bytes: {}", quoted(&value.text)));
    }
}

/// Reports faults of the values that events and metrics have in common.
pub(super) fn shared(entry: &Entry<'_>, faults: &mut Faults) {
    for (value, key) in [(&entry.scale_unit, "ScaleUnit"), (&entry.compat, "Compat")] {
        value.iter().for_each(|value| length(value, key, faults));
    }
    if let Some(scale) = &entry.scale_unit {
        scale_unit(scale, faults);
    }
}

/// Warns of scale units that perf displays unexpectedly: it reads the number as
/// `strtod` does, and treats the rest as the unit (`perf_pmu__convert_scale` in
/// `tools/perf/util/pmu.c`).
fn scale_unit(scale: &Value<'_>, faults: &mut Faults) {
    let text = scale.text.trim_start();
    let why = if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        "begins with no number"
    } else if text.contains(|c: char| c.is_ascii_digit()) && spaced(text) {
        "has a space after its number, which perf shows as part of the unit"
    } else {
        return;
    };
    faults.warning(scale.place, format!("ScaleUnit {} {why}", quoted(&scale.text)));
}

/// Whether a space is what ends the number.
fn spaced(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.eE".contains(c));
    unit.starts_with(char::is_whitespace)
}
