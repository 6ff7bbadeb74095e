//! The requirements of any value.

use pmu_events_core::__private::scale;
use pmu_events_core::__private::wire::StrRef;

use crate::entry::Entry;
use crate::entry::fields::Value;
use crate::faults::{Faults, quoted};

/// Reports a value that is too long for its record; `key` is its name.
pub(super) fn length(value: &Value<'_>, key: &str, faults: &mut Faults) {
    if value.text.len() > StrRef::MAX_LEN {
        let message = format!("{key} is longer than 255 bytes: {}", quoted(&value.text));
        faults.error(value.place, message);
    }
}

/// Reports faults of the values that events and metrics have in common.
pub(super) fn shared(entry: &Entry<'_>, faults: &mut Faults) {
    entry.texts.texts().for_each(|(key, text)| length(text, key.text(), faults));
    if let Some(scale) = &entry.texts.scale_unit {
        scale_unit(scale, faults);
    }
}

/// Reports scale units whose number nobody means: perf reads it as `strtod` does, and
/// takes the rest for the unit (`perf_pmu__convert_scale` in `tools/perf/util/pmu.c`).
/// What `strtod` reads and `scale::split` does not would have another factor than perf's.
fn scale_unit(scale: &Value<'_>, faults: &mut Faults) {
    let text = scale.text.trim_start();
    let (factor, unit) = scale::split(text);
    let number = &text[..text.len() - unit.len()];
    let digits = number.trim_start_matches(['+', '-']);
    let has_digit = |text: &str| text.contains(|c: char| matches!(c, '1'..='9'));
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let error = match () {
        () if text.len() < scale.text.len() => Some("begins with a space"),
        () if factor.is_infinite() => Some("has a number that is too large"),
        () if !number.is_empty() && factor == 0.0 && has_digit(mantissa) => {
            Some("has a number that is too small")
        }
        () if digits == "0" && unit.starts_with(['x', 'X']) => {
            Some("has a hexadecimal number, which is a 0 here; write it in decimal")
        }
        () if !number.is_empty() && factor == 0.0 => Some("makes every value 0"),
        () if !number.is_empty() && unit.starts_with([',', '.']) => {
            Some("has a number with another point than `.`")
        }
        () => None,
    };
    if let Some(why) = error {
        return faults.error(scale.place, format!("ScaleUnit {} {why}", quoted(&scale.text)));
    }
    let why = if number.is_empty() {
        "begins with no number"
    } else if unit.starts_with(char::is_whitespace) {
        "has a space after its number, which perf shows as part of the unit"
    } else {
        return;
    };
    faults.warning(scale.place, format!("ScaleUnit {} {why}", quoted(&scale.text)));
}
