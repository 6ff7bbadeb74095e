//! Sentences for the long descriptions of many events, which the overlay states once: what a
//! unit, a queue or a kind of event is, and caveats.

use std::collections::{HashMap, HashSet};

use pmu_events_core::__private::glob;

use crate::arch::Arch;
use crate::overlay::{self, Document, Note};
use crate::problem::Problems;

/// Gives long descriptions to the described events that have none, and appends each note to
/// those of the events that it is about, in the order of files and lines. What a model says of
/// a standard event replaces what the standard says, so that text is repeated before the note.
pub fn append(arch: &mut Arch, overlay: &[Document], problems: &mut Problems) {
    let standard: HashMap<String, String> = arch
        .records("")
        .filter_map(|record| {
            let text = record.get("PublicDescription")?;
            Some((record.name()?.to_ascii_lowercase(), text.to_owned()))
        })
        .collect();
    let mut used: HashSet<*const Note> = HashSet::new();
    for (directory, files) in &mut arch.tables {
        let covers = |document: &&Document| {
            !(document.long.is_empty() && document.notes.is_empty()) && document.covers(directory)
        };
        let documents: Vec<&Document> = overlay.iter().filter(covers).collect();
        if documents.is_empty() {
            continue;
        }
        for record in files.values_mut().flatten() {
            let Some(name) = record.name().map(str::to_owned) else {
                continue;
            };
            let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
            if record.get("BriefDescription").is_none() && reference.is_none() {
                continue;
            }
            let inherited = reference.and_then(|reference| standard.get(&reference));
            let own = record.get("PublicDescription").or(inherited.map(String::as_str));
            let is_of_unit = |document: &&&Document| {
                document.unit.is_none() || document.unit.as_deref() == record.get("Unit")
            };
            let documents: Vec<&&Document> = documents.iter().filter(is_of_unit).collect();
            let is_about = |note: &&Note| {
                note.events.split(' ').any(|events| glob::matches(events, &name))
                    && (note.models.is_empty() || overlay::covers(&note.models, &[], directory))
            };
            let long = documents.iter().flat_map(|document| &document.long).filter(is_about);
            let notes = documents.iter().flat_map(|document| &document.notes).filter(is_about);
            let mut added: Vec<&Note> = Vec::new();
            if own.is_none() {
                added.extend(long);
            }
            added.extend(notes);
            if added.is_empty() {
                continue;
            }
            let texts = own.into_iter().chain(added.iter().map(|note| note.text.text()));
            let text = texts.collect::<Vec<&str>>().join(" ");
            record.set("PublicDescription", text);
            added.iter().for_each(|note| record.carry("PublicDescription", &note.text));
            used.extend(added.into_iter().map(std::ptr::from_ref));
        }
    }
    for note in overlay.iter().flat_map(|document| document.long.iter().chain(&document.notes)) {
        if !used.contains(&std::ptr::from_ref(note)) {
            let message = format!("no described event of these models matches `{}`", note.events);
            problems.error(note.place.clone(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::json::File;
    use crate::record::{Keep, Record};

    /// The long descriptions of a model's events under these notes, and the errors.
    fn long(notes: &str) -> (Vec<String>, Vec<String>) {
        let standard = r#"[{"EventName":"STD","EventCode":"1","BriefDescription":"One.",
            "PublicDescription":"Every core has it."}]"#;
        let events = r#"[{"ArchStdEvent":"STD"},
            {"EventName":"RING.IN","EventCode":"2","BriefDescription":"Two.",
             "PublicDescription":"Long."},
            {"EventName":"RING.OUT","EventCode":"3","BriefDescription":"Three."},
            {"EventName":"RING.X","EventCode":"4"}]"#;
        let mut problems = Problems::default();
        let mut read = |text: &str| {
            let file = File::new("x.json", text);
            let items = file.value().array().unwrap();
            let records: Vec<Record> = items
                .iter()
                .map(|item| {
                    Record::read(&item.object().unwrap(), Keep::All, &mut problems).unwrap()
                })
                .collect();
            BTreeMap::from([("x.json".to_owned(), records)])
        };
        let tables = [(String::new(), read(standard)), ("m".to_owned(), read(events))];
        let mut arch = Arch { tables: BTreeMap::from(tables), ..Arch::default() };
        let text = format!(r#"{{"models":["m"],"notes":{notes}}}"#);
        let document = overlay::document(&File::new("o.json", &text), &mut problems);
        append(&mut arch, &[document], &mut problems);
        let text = |record: &Record| record.get("PublicDescription").unwrap_or_default().to_owned();
        let errors = problems.errors.iter().map(ToString::to_string).collect();
        (arch.records("m").map(text).collect(), errors)
    }

    #[test]
    fn notes_follow_what_else_is_said() {
        let (texts, errors) = long(r#"{"RING.*":"A note.","*.IN":"Another.","STD":"Here, too."}"#);
        assert!(errors.is_empty(), "{errors:?}");
        let expected = ["Every core has it. Here, too.", "Long. A note. Another.", "A note.", ""];
        assert_eq!(texts, expected);
    }

    #[test]
    fn long_descriptions_are_for_events_without_one() {
        let (texts, errors) =
            long(r#"{"*.OUT":"A note."},"long":{"RING.* STD":"A ring.","*.OUT *.X":"Its end."}"#);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(texts, ["", "Long.", "A ring. Its end. A note.", ""]);
        let (_, errors) = long(r#"{"*.OUT":"A note."},"long":{"*.IN":"A ring."}"#);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].ends_with("no described event of these models matches `*.IN`"));
    }

    #[test]
    fn notes_about_some_models() {
        let (texts, errors) = long(r#"{"*.OUT":{"models":["m*"],"note":"A note."}}"#);
        assert_eq!((texts[2].as_str(), errors), ("A note.", Vec::new()));
        let (texts, errors) = long(r#"{"*.OUT":{"models":["n"],"note":"A note."}}"#);
        assert_eq!((texts[2].as_str(), errors.len()), ("", 1));
        let (_, errors) = long(r#"{"*.OUT":{"modles":["m"],"note":"A note."}}"#);
        assert!(errors[0].ends_with("unknown key `modles`; did you mean `models`?"), "{errors:?}");
    }

    #[test]
    fn notes_about_nothing_are_errors() {
        let (_, errors) = long(r#"{"RING.X":"Not described.","*.IN":"no sentence"}"#);
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors[0].contains("ends with a full stop"), "{errors:?}");
        assert!(errors[1].ends_with("no described event of these models matches `RING.X`"));
    }
}
