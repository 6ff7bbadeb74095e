//! What selects an event, as text: the event string in a normal form.

use pmu_events_compiler::tree_json::Key;
use pmu_events_core::event::msr_term;
use pmu_events_core::term::Terms;

use crate::record::{Record, number, selecting};

/// Keys of codes that take the place of `EventCode`, in jevents' order.
const CODES: [Key; 4] =
    [Key::ConfigCode, Key::EventidCode, Key::LegacyConfigCode, Key::LegacyCacheCode];

/// The terms of an event as its source has them: the code, then the others by name. Where
/// the event string repeats a term, its last value counts.
///
/// perf knows a few names that have a fixed event string. Their sources' numbers are here
/// all the same: what a source means by a name is in them.
#[must_use]
pub fn terms(record: &Record) -> Vec<(String, String)> {
    let mut terms: Vec<(String, String)> = Vec::with_capacity(6);
    let mut put = |name: &str, value: String| match terms.iter_mut().find(|(own, _)| own == name) {
        Some((_, own)) => *own = value,
        None => terms.push((name.to_owned(), value)),
    };
    let value_of = |key: Key| record.get(key.text());
    let code = CODES.into_iter().find_map(|key| Some((key, value_of(key)?)));
    match code {
        Some((key, code)) => put(key.term().unwrap_or_default(), value(code)),
        None => put("event", value_of_event(record)),
    }
    for (key, term) in selecting() {
        if key != Key::EventCode
            && !CODES.contains(&key)
            && let Some(text) = value_of(key)
        {
            put(term, value(text));
        }
    }
    for term in value_of(Key::Filter).map(Terms::new).into_iter().flatten() {
        put(term.name(), term.value().map_or_else(|| "1".to_owned(), value));
    }
    if let Some(index) = value_of(Key::MSRIndex) {
        let register = index.split(',').next().and_then(number);
        let register = register.and_then(|register| u32::try_from(register).ok());
        put(
            match register {
                Some(register) => msr_term(register),
                None => index,
            },
            value_of(Key::MSRValue).map_or_else(String::new, value),
        );
    }
    terms[1..].sort();
    terms
}

/// The PMU's unit and the terms: `CHA/event=0x35,umask=3/`, or only the terms of a core
/// without a unit. An event that refers to a standard event has the terms of that one.
#[must_use]
pub fn text(record: &Record, standard: Option<&Record>) -> String {
    let terms = terms(standard.unwrap_or(record));
    let terms: Vec<String> = terms.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut text = terms.join(",");
    for key in ["Compat", "Unit"] {
        if let Some(name) = record.get(key) {
            text = format!("{name}/{}/", text.trim_end_matches('/'));
        }
    }
    text
}

fn value_of_event(record: &Record) -> String {
    let code = record.get("EventCode").unwrap_or("0");
    let select = record.get("ExtSel").and_then(number).unwrap_or_default();
    match code.split(',').next().and_then(number) {
        Some(code) if select <= u64::MAX >> 8 => shown(code | select << 8),
        _ => code.to_owned(),
    }
}

/// The first of several numbers, in one notation.
fn value(text: &str) -> String {
    match text.split(',').next().and_then(number) {
        Some(number) => shown(number),
        None => text.to_owned(),
    }
}

/// As event strings have it.
fn shown(number: u64) -> String {
    if number < 10 { number.to_string() } else { format!("{number:#x}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::File;
    use crate::problem::Problems;
    use crate::record::Keep;

    #[test]
    fn normal_forms() {
        let record = |fields: &str| {
            let text = format!(r#"{{"EventName":"A",{fields}}}"#);
            let file = File::new("x.json", &text);
            let object = file.value().object().unwrap();
            Record::read(&object, Keep::Facts, &mut Problems::default()).unwrap()
        };
        for (fields, expected) in [
            (r#""EventCode":"0xC0""#, "event=0xc0"),
            (r#""EventCode":"0xb7,0xbb","UMask":"1""#, "event=0xb7,umask=1"),
            (r#""EventCode":"2","ExtSel":"1","Unit":"QPI""#, "QPI/event=0x102/"),
            (r#""ConfigCode":"0x2c","EventCode":"1""#, "config=0x2c"),
            (r#""EventCode":"1","UMask":"16","SampleAfterValue":"7""#, "event=1,umask=0x10"),
            (
                r#""EventCode":"1","PortMask":"1","FCMask":"7","Filter":"ch_mask=0x1f""#,
                "event=1,ch_mask=0x1f,fc_mask=7",
            ),
            (
                r#""EventCode":"1","MSRIndex":"0x1a6,0x1a7","MSRValue":"0x010""#,
                "event=1,offcore_rsp=0x10",
            ),
            (r#""EventCode":"1","Invert":"1","CounterMask":"1""#, "event=1,cmask=1,inv=1"),
            (r#""EventCode":"1","Compat":"v8","Unit":"ddr""#, "ddr/v8/event=1/"),
        ] {
            assert_eq!(text(&record(fields), None), expected);
        }
        let standard = record(r#""EventCode":"8""#);
        let own = record(r#""ArchStdEvent":"A","Unit":"cpu""#);
        assert_eq!(text(&own, Some(&standard)), "cpu/event=8/");
        let fixed = Record::read(
            &File::new("x.json", r#"{"EventName":"INST_RETIRED.ANY","EventCode":"0x77"}"#)
                .value()
                .object()
                .unwrap(),
            Keep::Facts,
            &mut Problems::default(),
        );
        assert_eq!(text(&fixed.unwrap(), None), "event=0x77");
    }
}
