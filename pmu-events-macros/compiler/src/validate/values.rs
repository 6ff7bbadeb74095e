//! What any value must be.

use pmu_events_core::wire::StrRef;

use crate::entry::Entry;
use crate::fault::{Faults, quoted};
use crate::fields::Value;

/// Reports a value that is too long for its record; `key` is what it is called.
pub(super) fn length(value: &Value<'_>, key: &str, faults: &mut Faults) {
    if value.text.len() > StrRef::MAX_LEN {
        faults
            .error(value.place, format!("{key} is longer than 255 bytes: {}", quoted(&value.text)));
    }
}

/// Reports what is wrong with the values that events and metrics both have.
pub(super) fn shared(entry: &Entry<'_>, faults: &mut Faults) {
    for (value, key) in [(&entry.scale_unit, "ScaleUnit"), (&entry.compat, "Compat")] {
        value.iter().for_each(|value| length(value, key, faults));
    }
    if let Some(scale) = &entry.scale_unit
        && !scale.text.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
    {
        let message = format!("ScaleUnit {} begins with no number", quoted(&scale.text));
        faults.warning(scale.place, message);
    }
}
