//! Descriptions of deprecated events.

use std::collections::HashMap;

use pmu_events_compiler::nearest_successor;

use crate::arch::Arch;
use crate::record::{Encoding, Record};

/// The keys that contain descriptions.
const WORDS: [&str; 2] = ["BriefDescription", "PublicDescription"];

/// An event that is not deprecated.
struct Other {
    name: String,
    words: [Option<String>; 2],
}

/// Says of each deprecated event that it is deprecated, and which event of the
/// same table counts the same. The description of that event then applies to
/// this one, too, and is not repeated: a long name before it leaves no room in
/// a line. Without such a description the event keeps its own, after the note.
pub fn note(arch: &mut Arch) {
    let standard: HashMap<String, [Option<String>; 2]> = arch
        .records("")
        .filter_map(|record| Some((record.name()?.to_ascii_lowercase(), own_words(record))))
        .collect();
    let words = |record: &Record| {
        let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
        let [brief, public] = own_words(record);
        match reference.and_then(|reference| standard.get(&reference)) {
            Some([other, more]) => [brief.or(other.clone()), public.or(more.clone())],
            None => [brief, public],
        }
    };
    for files in arch.tables.values_mut() {
        let mut others: HashMap<Encoding, Vec<Other>> = HashMap::new();
        for record in files.values().flatten().filter(|record| !is_deprecated(record)) {
            if let Some(name) = record.name() {
                let other = Other { name: name.to_owned(), words: words(record) };
                others.entry(record.encoding()).or_default().push(other);
            }
        }
        for record in files.values_mut().flatten().filter(|record| is_deprecated(record)) {
            let Some(old) = record.name() else {
                continue;
            };
            let successor = others.get(&record.encoding()).and_then(|all| nearest(old, all));
            let note = match successor {
                Some(other) => format!("Deprecated: use {}.", other.name),
                None => format!("Deprecated{ALONE}"),
            };
            if successor.is_some_and(|other| other.words[0].is_some()) {
                record.remove(WORDS[1]);
                record.drop_carried(WORDS[0]);
                record.set(WORDS[0], note);
                continue;
            }
            let [brief, public] = words(record);
            let brief = brief.map_or_else(|| note.clone(), |brief| format!("{note} {brief}"));
            record.set(WORDS[0], brief);
            match public {
                Some(public) => record.set(WORDS[1], format!("{note} {public}")),
                None => record.remove(WORDS[1]),
            }
        }
    }
}

/// The sentence for an event without a successor.
const ALONE: &str = ", without successor.";

/// Whether a description says only that an event is deprecated, and not what it
/// counts.
#[must_use]
pub fn is_bare(text: &str) -> bool {
    text.strip_prefix("Deprecated") == Some(ALONE) || successor(text).is_some()
}

/// The event that a description names instead of saying what is counted.
#[must_use]
pub fn successor(text: &str) -> Option<&str> {
    let name = text.strip_prefix("Deprecated: use ")?.strip_suffix('.')?;
    // Names contain no spaces.
    (!name.contains(' ')).then_some(name)
}

/// What a description says of what is counted, without the note that the event
/// is deprecated.
#[must_use]
pub fn without_note(text: &str) -> &str {
    if is_bare(text) {
        return "";
    }
    let rest = match text.strip_prefix("Deprecated") {
        Some(rest) => rest.strip_prefix(ALONE).or_else(|| {
            let (name, words) = rest.strip_prefix(": use ")?.split_once(' ')?;
            name.ends_with('.').then_some(words)
        }),
        None => None,
    };
    rest.unwrap_or(text).trim_start()
}

fn is_deprecated(record: &Record) -> bool {
    record.get("Deprecated").is_some()
}

fn own_words(record: &Record) -> [Option<String>; 2] {
    WORDS.map(|key| record.get(key).map(str::to_owned))
}

/// The compiler's choice among several events that count the same.
fn nearest<'o>(old: &str, others: &'o [Other]) -> Option<&'o Other> {
    let name = nearest_successor(old, others.iter().map(|other| other.name.as_str()))?;
    others.iter().find(|other| other.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::json::File;
    use crate::problem::Problems;
    use crate::record::Keep;

    /// Names and descriptions of a table, and of the standard events next to
    /// it.
    fn noted(standard: &str, events: &str) -> Vec<(String, String, String)> {
        let read = |text: &str| {
            let file = File::new("x.json", text);
            let items = file.value().array().unwrap();
            let record = |item: &crate::json::Value<'_>| {
                Record::read(&item.object().unwrap(), Keep::All, &mut Problems::default()).unwrap()
            };
            let records: Vec<Record> = items.iter().map(record).collect();
            BTreeMap::from([("x.json".to_owned(), records)])
        };
        let tables = [(String::new(), read(standard)), ("m".to_owned(), read(events))];
        let mut arch = Arch { tables: BTreeMap::from(tables), ..Arch::default() };
        note(&mut arch);
        let text = |record: &Record, key| record.get(key).unwrap_or_default().to_owned();
        let all = arch.records("m").map(|record| {
            let name = record.name().unwrap().to_owned();
            (name, text(record, "BriefDescription"), text(record, "PublicDescription"))
        });
        all.collect()
    }

    #[test]
    fn what_is_said_of_each() {
        const NEW: &str = r#"{"EventName":"NEW.X","Unit":"CHA","EventCode":"0x10","UMask":"1","BriefDescription":"Of the new.","PublicDescription":"Of the new. More."},
            {"EventName":"MUTE","EventCode":"0x20"}"#;
        let alone = "Deprecated, without successor.";
        let cases: &[(&str, &str, &str, &str)] = &[
            (
                "its successor has words",
                r#""Unit":"CHA","EventCode":"0x10","UMask":"0x01","SampleAfterValue":"7""#,
                "Deprecated: use NEW.X.",
                "",
            ),
            (
                "instead of its own",
                r#""Unit":"CHA","EventCode":"0x10","UMask":"1","BriefDescription":"Own.""#,
                "Deprecated: use NEW.X.",
                "",
            ),
            (
                "its own where there are no others",
                r#""EventCode":"0x20","BriefDescription":"Own.","PublicDescription":"Own. More.""#,
                "Deprecated: use MUTE. Own.",
                "Deprecated: use MUTE. Own. More.",
            ),
            ("none at all", r#""EventCode":"0x20""#, "Deprecated: use MUTE.", ""),
            ("another unit", r#""EventCode":"0x10","UMask":"1""#, alone, ""),
            ("another code", r#""Unit":"CHA","EventCode":"0x10","UMask":"2""#, alone, ""),
            (
                "a filter",
                r#""Unit":"CHA","EventCode":"0x10","UMask":"1","Filter":"f=1""#,
                alone,
                "",
            ),
            (
                "words without successor",
                r#""EventCode":"3","BriefDescription":"Own.""#,
                "Deprecated, without successor. Own.",
                "",
            ),
        ];
        for &(name, fields, brief, public) in cases {
            let old = format!(r#"{{"EventName":"OLD.X","Deprecated":"1",{fields}}}"#);
            let other = r#"{"EventName":"OLDER","Unit":"CHA","EventCode":"0x10","UMask":"1","Deprecated":"1"}"#;
            let found = noted("[]", &format!("[{NEW},{old},{other}]"));
            let expected = ("OLD.X".to_owned(), brief.to_owned(), public.to_owned());
            assert_eq!(found[2], expected, "{name}");
            assert_eq!(found[0].1, "Of the new.", "{name}");
        }
    }

    #[test]
    fn of_several_the_most_alike() {
        let event =
            |name: &str, more: &str| format!(r#"{{"EventName":"{name}","EventCode":"1"{more}}}"#);
        let old = r#","Deprecated":"1""#;
        let events = ["LONG_A", "LONG_B"].map(|name| event(name, "")).join(",");
        let events = format!("[{events},{},{}]", event("LNG_B", old), event("X", old));
        let briefs: Vec<String> = noted("[]", &events).into_iter().map(|(_, b, _)| b).collect();
        assert_eq!(briefs[2], "Deprecated: use LONG_B.");
        assert_eq!(briefs[3], "Deprecated: use LONG_A.", "equally far: the first by name");
    }

    #[test]
    fn standard_events_keep_their_words() {
        let standard = r#"[{"EventName":"STD","EventCode":"1","BriefDescription":"Standard."}]"#;
        let events = r#"[{"ArchStdEvent":"std","Deprecated":"1"},
            {"EventName":"N","ArchStdEvent":"STD","EventCode":"2"},
            {"EventName":"O","EventCode":"2","ArchStdEvent":"STD","Deprecated":"1"}]"#;
        let found = noted(standard, events);
        assert_eq!(found[0].1, "Deprecated, without successor. Standard.");
        assert_eq!(found[2].1, "Deprecated: use N.");
    }

    #[test]
    fn a_bare_note() {
        for (text, bare, rest) in [
            ("Deprecated: use A.B.", true, ""),
            // No sentence, hence no note.
            ("Deprecated: use A.B", false, "Deprecated: use A.B"),
            ("Deprecated, without successor.", true, ""),
            ("Deprecated: use A.B. Cycles.", false, "Cycles."),
            ("Deprecated, without successor. Cycles.", false, "Cycles."),
            ("Cycles.", false, "Cycles."),
        ] {
            assert_eq!(is_bare(text), bare, "{text}");
            assert_eq!(without_note(text), rest, "{text}");
        }
    }
}
