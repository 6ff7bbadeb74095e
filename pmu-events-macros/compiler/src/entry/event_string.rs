//! From the fields of an object to the terms that select the event
//! (`JsonEvent.__init__` in `tools/perf/pmu-events/jevents.py`).

use pmu_events_core::event::msr_term;
use pmu_events_core::term::Terms;

use super::fields::{Fields, Value};
use super::keys::{CODES, EVENT, FIELDS, Key};
use super::number::{self, field_number};
use crate::faults::quoted;
use crate::files::json::Raw;

/// The event string, and the parts of the JSON that it may not show.
pub(crate) struct EventString {
    pub(crate) text: String,
    /// Whether the object has any code; without one it is 0.
    pub(crate) has_code: bool,
    pub(crate) sample_after: Option<u64>,
}

/// `MSRIndex` and `MSRValue`.
#[derive(Default)]
pub(crate) struct MsrFields {
    pub(crate) indices: [u32; 2],
    pub(crate) value: Option<u64>,
}

/// Builds the event string of an object.
pub(crate) fn build(fields: &mut Fields<'_, '_>) -> (EventString, MsrFields) {
    let mut text = String::with_capacity(48);
    let mut sample_after = None;
    let mut coded = false;
    for &(key, term) in CODES {
        if let Some(value) = fields.written(key)
            && let Some(code) = fields.number(key, &value, &value.text)
            && !coded
        {
            push_term(&mut text, term, code, true);
            coded = true;
        }
    }
    let code = event_code(fields);
    if !coded {
        push_term(&mut text, EVENT, code, true);
    }
    let has_code = only_code(fields);
    for &(key, term) in FIELDS {
        let Some(value) = fields.written(key) else {
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
    (EventString { text, has_code, sample_after }, msr)
}

/// Whether there is a code; warns of those that another one hides.
fn only_code(fields: &mut Fields<'_, '_>) -> bool {
    let mut keys = code_keys().filter_map(|key| Some((key, fields.raw(key)?)));
    let Some((first, _)) = keys.next() else {
        return false;
    };
    if first != Key::EventCode {
        let hidden: Vec<_> = keys.collect();
        for (key, raw) in hidden {
            let message = format!("{key:?} is ignored: {first:?} says what is counted");
            fields.warn(raw.place, message);
        }
    }
    true
}

fn code_keys() -> impl Iterator<Item = Key> {
    CODES.iter().map(|&(key, _)| key).chain([Key::EventCode, Key::ExtSel])
}

/// The first field that selects what is counted.
pub(crate) fn selecting<'o, 't>(fields: &Fields<'o, 't>) -> Option<(Key, &'o Raw<'t>)> {
    let others = FIELDS.iter().map(|&(key, _)| key).filter(|&key| key != Key::SampleAfterValue);
    let mut keys = code_keys().chain(others).chain([Key::Filter, Key::MSRIndex]);
    keys.find_map(|key| Some((key, fields.raw(key)?)))
}

/// `EventCode`, the first of a list, with `ExtSel` above it.
fn event_code(fields: &mut Fields<'_, '_>) -> u64 {
    let mut code = 0;
    if let Some(value) = fields.written(Key::EventCode) {
        let first = value.text.split(',').next().unwrap_or_default();
        code = fields.number(Key::EventCode, &value, first).unwrap_or(0);
    }
    if let Some(value) = fields.written(Key::ExtSel) {
        match value.text.trim().parse::<u64>() {
            Ok(select) if select <= u64::MAX >> 8 => code |= select << 8,
            Ok(_) => {
                let message = format!("ExtSel is too large: {}", quoted(&value.text));
                fields.error(value.place, message);
            }
            Err(_) => fields.no_number(Key::ExtSel, &value, &value.text),
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
    let mut parts = index.text.split(',');
    let first = parts.next().unwrap_or_default();
    let Some(first) = fields.number(Key::MSRIndex, &index, first) else {
        return MsrFields::default();
    };
    let known = u32::try_from(first).ok().filter(|&first| !msr_term(first).is_empty());
    let Some(first) = known else {
        fields.error(
            index.place,
            format!(
                "MSRIndex {} selects nothing that perf knows; it knows 0x3F6 (load latency), \
                 0x1A6 and 0x1A7 (offcore response), 0x3F7 (frontend), 0x3E0 to 0x3E3 (offmodule)",
                quoted(&index.text)
            ),
        );
        return MsrFields::default();
    };
    text.push(',');
    text.push_str(msr_term(first));
    text.push('=');
    // jevents writes what Python prints for a missing value; perf then refuses
    // the event. The same string here keeps both tables equal, and a warning
    // says what is wrong.
    text.push_str(value.as_ref().map_or("None", |value| &value.text));
    if value.is_none() {
        fields.warn(index.place, "MSRIndex without MSRValue: the event selects nothing");
    }
    let second = parts.next().map_or(0, |second| second_msr(fields, &index, second));
    MsrFields { indices: [first, second], value: number_of(fields, value.as_ref()) }
}

/// The other register that the event can use, which jevents does not read: an
/// invalid one spoils no event, and is not a register either.
fn second_msr<'t>(fields: &mut Fields<'_, 't>, index: &Value<'t>, written: &str) -> u32 {
    match number::any_base(written).and_then(|number| u32::try_from(number).ok()) {
        Some(register) => register,
        None => {
            let message = format!(
                "ignored the second register of MSRIndex {}: expected a number of 32 bits",
                quoted(&index.text)
            );
            fields.warn(index.place, message);
            0
        }
    }
}

/// jevents copies the text into the event string, where perf reads it as a
/// term's value: decimal, even with leading zeros, or hexadecimal.
fn number_of<'t>(fields: &mut Fields<'_, 't>, value: Option<&Value<'t>>) -> Option<u64> {
    let value = value?;
    let number = value_of_term(&value.text);
    if number.is_none() {
        let message = format!("invalid MSRValue {}: perf refuses the event", quoted(&value.text));
        fields.warn(value.place, message);
    }
    number
}

fn value_of_term(text: &str) -> Option<u64> {
    let string = format!("x={text}");
    let mut terms = Terms::new(&string);
    let number = terms.next()?.number();
    if terms.next().is_some() { None } else { number }
}

/// Codes below ten are written in decimal, others as hexadecimal; a field that
/// is not written as hexadecimal stays decimal.
fn push_term(text: &mut String, term: &str, number: u64, hexadecimal: bool) {
    text.push_str(term);
    text.push('=');
    push_number(text, number, hexadecimal && number >= 10);
}

fn push_number(text: &mut String, number: u64, hexadecimal: bool) {
    let mut rest = number;
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        let digit = if hexadecimal { (rest & 0xf) as usize } else { (rest % 10) as usize };
        digits[at] = b"0123456789abcdef"[digit];
        rest = if hexadecimal { rest >> 4 } else { rest / 10 };
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

/// Values that look-ups read from an event string.
pub(crate) struct Shown {
    pub(crate) sample_after: Option<u64>,
    pub(crate) msr_value: Option<u64>,
}

impl Shown {
    pub(crate) fn of(event: &str, msr: u32) -> Self {
        // Most events have neither, and the macro runs unoptimised.
        let number = |name: &str| Terms::new(event).last_named(name).and_then(|term| term.number());
        Shown {
            sample_after: event.contains("period=").then(|| number("period")).flatten(),
            msr_value: if msr == 0 { None } else { number(msr_term(msr)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Faults;
    use crate::files::json;
    use crate::tests::random;

    /// The event string of an object, its registers, and how many warnings it
    /// takes.
    fn built(object: &str) -> (String, [u32; 2], usize) {
        let mut source = random::soc();
        source.files.all[0].text = format!("[{object}]");
        let mut faults = Faults::default();
        let objects = json::array(&source.files, 0, &mut faults).expect("it is one object");
        let (event, msr) = build(&mut Fields::new(&objects[0], &mut faults));
        assert!(!faults.has_errors(), "{object}: {faults:?}");
        (event.text, msr.indices, faults.warnings.kept.len())
    }

    #[test]
    fn the_first_of_several_codes_counts() {
        let cases = [
            (r#"{"EventName": "A"}"#, "event=0", 0),
            (r#"{"ExtSel": "1"}"#, "event=0x100", 0),
            (r#"{"EventCode": "0x24", "ExtSel": "3"}"#, "event=0x324", 0),
            (r#"{"EventCode": "0x99", "ConfigCode": "0x2c"}"#, "config=0x2c", 1),
            (r#"{"EventidCode": "0x3", "ConfigCode": "0"}"#, "config=0", 1),
            (
                r#"{"EventCode": "0x99", "EventidCode": "0x1", "NodeType": "5"}"#,
                "eventid=1,type=5",
                1,
            ),
            (r#"{"EventidCode": "0x1F", "ExtSel": "2"}"#, "eventid=0x1f", 1),
            (
                r#"{"EventCode": "1", "LegacyConfigCode": "9", "LegacyCacheCode": "2"}"#,
                "legacy-hardware-config=9",
                2,
            ),
        ];
        for (object, expected, warnings) in cases {
            assert_eq!(built(object), (expected.to_owned(), [0, 0], warnings), "{object}");
        }
    }

    #[test]
    fn fields_follow_the_code() {
        let cases = [
            // As jevents (`llx`): below ten without `0x`.
            (r#"{"EventCode": "0xc0", "UMask": "0x01"}"#, "event=0xc0,umask=1"),
            (r#"{"EventCode": "0xc0", "UMask": "0x41"}"#, "event=0xc0,umask=0x41"),
            (r#"{"EventCode": "0xc0", "UMask": "0x0"}"#, "event=0xc0"),
            (r#"{"EventCode": "0xc0", "UMask": "16"}"#, "event=0xc0,umask=16"),
            (r#"{"EventCode": "0xc0,0xc1"}"#, "event=0xc0"),
            (r#"{"EventCode": "1", "SampleAfterValue": "200003"}"#, "event=1,period=200003"),
            (r#"{"EventCode": "1", "SampleAfterValue": "0"}"#, "event=1"),
            (r#"{"EventCode": "1", "Filter": "config1=0x2"}"#, "event=1,config1=0x2"),
            (r#"{"EventCode": "0xff", "ExtSel": "72057594037927935"}"#, "event=0xffffffffffffffff"),
        ];
        for (object, expected) in cases {
            assert_eq!(built(object), (expected.to_owned(), [0, 0], 0), "{object}");
        }
    }

    #[test]
    fn periods_and_selections() {
        let read = |object: &str| {
            let mut source = random::soc();
            source.files.all[0].text = format!("[{object}]");
            let mut faults = Faults::default();
            let objects = json::array(&source.files, 0, &mut faults).expect("it is one object");
            let (event, _) = build(&mut Fields::new(&objects[0], &mut faults));
            (event.sample_after, event.has_code, faults.has_errors())
        };
        let cases = [
            (r#"{"UMask": "1"}"#, (None, false, false)),
            (r#"{"EventCode": "1"}"#, (None, true, false)),
            (r#"{"EventCode": "1", "UMask": "7"}"#, (None, true, false)),
            (r#"{"SampleAfterValue": "200003"}"#, (Some(200_003), false, false)),
            (r#"{"SampleAfterValue": "0"}"#, (None, false, false)),
            // Eight bits lie below it.
            (r#"{"ExtSel": "72057594037927935"}"#, (None, true, false)),
            (r#"{"ExtSel": "72057594037927936"}"#, (None, true, true)),
            (r#"{"ExtSel": "x"}"#, (None, true, true)),
        ];
        for (object, expected) in cases {
            assert_eq!(read(object), expected, "{object}");
        }
    }

    #[test]
    fn values_of_registers() {
        let cases = [
            ("0x3F6", "0x7", "ldlat=0x7", [0x3f6, 0], 0),
            ("0x3F6", "007", "ldlat=007", [0x3f6, 0], 0),
            ("0x3F6", "7,umask=1", "ldlat=7,umask=1", [0x3f6, 0], 1),
            ("0x3F6", "many", "ldlat=many", [0x3f6, 0], 1),
            ("0x3F6", "", "ldlat=None", [0x3f6, 0], 1),
            ("0x1A6,0x1A7", "1", "offcore_rsp=1", [0x1a6, 0x1a7], 0),
            // A value that jevents does not read spoils no event, and is not
            // another register.
            ("0x1A6,0x1000001A7", "1", "offcore_rsp=1", [0x1a6, 0], 1),
            ("0x1A6,x", "1", "offcore_rsp=1", [0x1a6, 0], 1),
        ];
        for (index, value, expected, registers, warnings) in cases {
            let object =
                format!(r#"{{"EventCode": "1", "MSRIndex": "{index}", "MSRValue": "{value}"}}"#);
            let expected = (format!("event=1,{expected}"), registers, warnings);
            assert_eq!(built(&object), expected, "{object}");
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
