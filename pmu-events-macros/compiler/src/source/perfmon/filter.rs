//! `Filter`: registers by which an uncore event may or must be filtered.

use super::keys::Key;
use super::value::{Value, Values};
use crate::entry::repairs::Repairs;
use crate::faults::quoted;
use crate::options::Encoding;

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

pub(super) fn filter<'s>(
    values: &mut Values<'_, 's>,
    encoding: Encoding,
    repairs: &mut Repairs,
) -> Filter<'s> {
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
    let Some(number) = values.parse_hexadecimal(Key::FILTER_VALUE, &value, &value.text) else {
        return Filter::None;
    };
    if number >> 32 != 0 {
        let message = "expected 32 bits, as the register has";
        values.error(value.place, format!("FILTER_VALUE {}: {message}", quoted(&value.text)));
        return Filter::None;
    }
    repairs.insert(Repairs::FILTER);
    let term = match encoding {
        Encoding::Perf => format!("config1={}", value.text),
        Encoding::Correct => term(number),
    };
    Filter::Term(Value::new(term, value.place))
}

/// The term of the second filter register: the kernel's drivers have it in the upper
/// half of `config1` (`skx_cha_filter_mask` of `uncore_snbep.c`). The lower half is
/// the first register, and no filter of these events.
pub(super) fn term(second_register: u64) -> String {
    format!("config1={:#x}", second_register << 32)
}
