//! `Filter`: registers by which an uncore event may or must be filtered.

use super::keys::Key;
use super::value::{Value, Values};
use crate::fault::quoted;

/// Registers that count everything by default, or whose fields have keys of
/// their own.
const OPTIONAL: [&str; 8] =
    ["cbofilter", "chafilter", "pcufilter", "qpimask", "uboxfilter", "fc, chnl", "chnl", "ctrctrl"];

/// Registers that the kernel's drivers lack: the event cannot be counted.
const UNSUPPORTED: [&str; 3] = ["ha_addrmatch", "ha_opcodematch", "irpfilter"];

pub(super) enum Filter<'s> {
    None,
    Term(Value<'s>),
    /// perf has no such event.
    Dropped,
}

pub(super) fn filter<'s>(values: &mut Values<'_, 's>) -> Filter<'s> {
    let Some(filter) = values.get(Key::Filter) else {
        return Filter::None;
    };
    let lower = filter.text.to_ascii_lowercase();
    let begins = |with: &[&str]| with.iter().any(|start| lower.starts_with(start));
    if begins(&UNSUPPORTED) {
        return Filter::Dropped;
    }
    if begins(&OPTIONAL) {
        return Filter::None;
    }
    if lower != "filter1" {
        let found = quoted(&filter.text);
        values.error(filter.place, format!("unknown Filter {found}: no rule covers it"));
        return Filter::None;
    }
    let Some(value) = values.get(Key::FILTER_VALUE) else {
        let message = "Filter1 without FILTER_VALUE: expected the value of the register";
        values.error(filter.place, message);
        return Filter::None;
    };
    if values.parse_hexadecimal(Key::FILTER_VALUE, &value, &value.text).is_none() {
        return Filter::None;
    }
    Filter::Term(Value::new(format!("config1={}", value.text), value.place))
}
