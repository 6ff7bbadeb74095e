//! From the fields of an object to the terms that select the event
//! (`JsonEvent.__init__` in `tools/perf/pmu-events/jevents.py`).

use pmu_events_core::event::msr_term;

use crate::entry::{Fields, Value};
use crate::fault::quoted;
use crate::keys::Key;

/// The event string, and what of the JSON it may not show.
pub(crate) struct EventString {
    pub(crate) text: String,
    pub(crate) sample_after: Option<u64>,
}

/// `MSRIndex` and `MSRValue`.
#[derive(Default)]
pub(crate) struct MsrFields {
    pub(crate) indices: [u32; 2],
    pub(crate) value: Option<u64>,
}

/// The fields that follow the code, in jevents' order, with their terms.
const FIELDS: &[(Key, &str)] = &[
    (Key::AnyThread, "any"),
    (Key::PortMask, "ch_mask"),
    (Key::CounterMask, "cmask"),
    (Key::EdgeDetect, "edge"),
    (Key::FCMask, "fc_mask"),
    (Key::Invert, "inv"),
    (Key::SampleAfterValue, "period"),
    (Key::UMask, "umask"),
    (Key::NodeType, "type"),
    (Key::RdWrMask, "rdwrmask"),
    (Key::EnAllCores, "enallcores"),
    (Key::EnAllSlices, "enallslices"),
    (Key::SliceId, "sliceid"),
    (Key::ThreadMask, "threadmask"),
];

/// The keys that may hold the code, the first that is there wins, and the term
/// of each.
const CODES: &[(Key, &str)] = &[
    (Key::ConfigCode, "config"),
    (Key::EventidCode, "eventid"),
    (Key::LegacyConfigCode, "legacy-hardware-config"),
    (Key::LegacyCacheCode, "legacy-cache-config"),
];

/// Six names have the same string on every CPU (`real_event` of jevents).
pub(crate) fn fixed(name: &str) -> Option<&'static str> {
    const FIXED: &[(&str, &str)] = &[
        ("inst_retired.any", "event=0xc0,period=2000003"),
        ("inst_retired.any_p", "event=0xc0,period=2000003"),
        ("cpu_clk_unhalted.ref", "event=0x0,umask=0x03,period=2000003"),
        ("cpu_clk_unhalted.thread", "event=0x3c,period=2000003"),
        ("cpu_clk_unhalted.core", "event=0x3c,period=2000003"),
        ("cpu_clk_unhalted.thread_any", "event=0x3c,any=1,period=2000003"),
    ];
    if name.len() < 16 {
        return None;
    }
    FIXED.iter().find(|(fixed, _)| name.eq_ignore_ascii_case(fixed)).map(|&(_, string)| string)
}

/// Builds the event string of an object.
pub(crate) fn build(fields: &mut Fields<'_, '_>) -> (EventString, MsrFields) {
    let mut text = String::with_capacity(48);
    let mut sample_after = None;
    let mut coded = false;
    for &(key, term) in CODES {
        if let Some(value) = fields.string(key)
            && let Some(code) = fields.number(key, &value, &value.text)
            && !coded
        {
            push_term(&mut text, term, code, true);
            coded = true;
        }
    }
    let code = event_code(fields);
    if !coded {
        push_term(&mut text, "event", code, true);
    }
    for &(key, term) in FIELDS {
        let Some(value) = fields.string(key) else {
            continue;
        };
        let Some((number, hexadecimal)) = field_number(&value.text) else {
            fields.no_number(key, &value, &value.text);
            continue;
        };
        if key == Key::SampleAfterValue && number != 0 {
            sample_after = Some(number);
        }
        if number != 0 {
            text.push(',');
            push_term(&mut text, term, number, hexadecimal);
        }
    }
    if let Some(filter) = fields.string(Key::Filter) {
        text.push(',');
        text.push_str(&filter.text);
    }
    let msr = msr(fields, &mut text);
    (EventString { text, sample_after }, msr)
}

/// `EventCode`, the first of a list, with `ExtSel` above it.
fn event_code(fields: &mut Fields<'_, '_>) -> u64 {
    let mut code = 0;
    if let Some(value) = fields.string(Key::EventCode) {
        let first = value.text.split(',').next().unwrap_or_default();
        code = fields.number(Key::EventCode, &value, first).unwrap_or(0);
    }
    if let Some(value) = fields.string(Key::ExtSel) {
        match value.text.trim().parse::<u64>() {
            Ok(select) if select <= u64::MAX >> 8 => code |= select << 8,
            _ => fields.no_number(Key::ExtSel, &value, &value.text),
        }
    }
    code
}

/// Appends the term that carries the MSR's value.
fn msr(fields: &mut Fields<'_, '_>, text: &mut String) -> MsrFields {
    let value = fields.string(Key::MSRValue);
    let Some(index) = fields.string(Key::MSRIndex) else {
        return MsrFields { indices: [0, 0], value: number_of(fields, value.as_ref()) };
    };
    let mut indices = [0, 0];
    for (n, part) in index.text.split(',').take(2).enumerate() {
        let Some(number) = fields.number(Key::MSRIndex, &index, part) else {
            return MsrFields::default();
        };
        indices[n] = u32::try_from(number).unwrap_or(u32::MAX);
    }
    let term = msr_term(indices[0]);
    if term.is_empty() {
        fields.error(
            index.place,
            format!(
                "MSRIndex {} selects nothing that perf knows; it knows 0x3F6 (load latency), \
                 0x1A6 and 0x1A7 (offcore response), 0x3F7 (frontend), 0x3E0 to 0x3E3 (offmodule)",
                quoted(&index.text)
            ),
        );
        return MsrFields::default();
    }
    text.push(',');
    text.push_str(term);
    text.push('=');
    // jevents writes what Python prints for a value that is not there; perf
    // then refuses the event. The same string here keeps both tables equal,
    // and a warning says what is wrong.
    text.push_str(value.as_ref().map_or("None", |value| &value.text));
    if value.is_none() {
        fields.warn(index.place, "MSRIndex without MSRValue: the event selects nothing");
    }
    MsrFields { indices, value: number_of(fields, value.as_ref()) }
}

fn number_of<'t>(fields: &mut Fields<'_, 't>, value: Option<&Value<'t>>) -> Option<u64> {
    let value = value?;
    fields.number(Key::MSRValue, value, &value.text)
}

/// Codes below ten are written in decimal, others as hexadecimal; a field that
/// is not written as hexadecimal stays decimal.
fn push_term(text: &mut String, term: &str, number: u64, hexadecimal: bool) {
    text.push_str(term);
    text.push('=');
    push_number(text, number, hexadecimal && number >= 10);
}

fn push_number(text: &mut String, number: u64, hexadecimal: bool) {
    let (radix, mut rest) = (if hexadecimal { 16 } else { 10 }, number);
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b"0123456789abcdef"[(rest % radix) as usize];
        rest /= radix;
        if rest == 0 {
            break;
        }
    }
    if hexadecimal {
        text.push_str("0x");
    }
    for &digit in &digits[at..] {
        text.push(digit as char);
    }
}

/// A number as Python's `int(text, 0)` takes it, as far as trees use that:
/// decimal without leading zeros, or with the prefix `0x`, `0o` or `0b`.
pub(crate) fn any_base(text: &str) -> Option<u64> {
    let text = text.trim();
    let bytes = text.as_bytes();
    if bytes.len() > 2 && bytes[0] == b'0' {
        let radix = match bytes[1] | 0x20 {
            b'x' => 16,
            b'o' => 8,
            b'b' => 2,
            _ => 0,
        };
        if radix != 0 {
            return digits(&text[2..], radix);
        }
    }
    if bytes.len() > 1 && bytes[0] == b'0' && bytes.iter().any(|&b| b != b'0') {
        return None;
    }
    digits(text, 10)
}

/// A field's number, and whether it is written as hexadecimal: with a small
/// `0x`, else it is decimal, leading zeros or not.
fn field_number(text: &str) -> Option<(u64, bool)> {
    match text.strip_prefix("0x") {
        Some(hexadecimal) => Some((digits(hexadecimal.trim_end(), 16)?, true)),
        None => Some((digits(text.trim(), 10)?, false)),
    }
}

fn digits(text: &str, radix: u32) -> Option<u64> {
    if text.starts_with('+') {
        return None;
    }
    u64::from_str_radix(text, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let cases: &[(&str, Option<u64>, Option<(u64, bool)>)] = &[
            ("0", Some(0), Some((0, false))),
            ("10", Some(10), Some((10, false))),
            ("010", None, Some((10, false))),
            ("00", Some(0), Some((0, false))),
            ("0x1F", Some(31), Some((31, true))),
            ("0XB0", Some(0xb0), None),
            ("0b11", Some(3), None),
            (" 5 ", Some(5), Some((5, false))),
            ("", None, None),
            ("-1", None, None),
            ("1f", None, None),
            ("0xfffffffffffffffff", None, None),
        ];
        for &(text, any, field) in cases {
            assert_eq!(any_base(text), any, "{text:?}");
            assert_eq!(field_number(text), field, "{text:?}");
        }
    }

    #[test]
    fn small_codes_are_decimal() {
        for (number, hexadecimal, expected) in
            [(9, true, "x=9"), (10, true, "x=0xa"), (10, false, "x=10"), (0, true, "x=0")]
        {
            let mut text = String::new();
            push_term(&mut text, "x", number, hexadecimal);
            assert_eq!(text, expected);
        }
        let mut text = String::new();
        push_term(&mut text, "x", u64::MAX, true);
        assert_eq!(text, "x=0xffffffffffffffff");
    }
}
