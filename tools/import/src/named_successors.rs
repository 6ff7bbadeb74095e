//! Successors that the source names although they count something else than the deprecated
//! event.

use std::collections::{HashMap, HashSet};

use crate::arch::Arch;
use crate::overlay::{Document, NamedSuccessor};
use crate::problem::Problems;
use crate::record::Encoding;

/// Adds to the descriptions of deprecated events which event the source names as their
/// successor. [`deprecated::note`](crate::deprecated::note) has said before which event
/// counts the same, if there is one.
pub fn state(arch: &mut Arch, overlay: &[Document], problems: &mut Problems) {
    let mut used: HashSet<*const NamedSuccessor> = HashSet::new();
    for (directory, files) in &mut arch.tables {
        let documents = overlay.iter().filter(|document| document.covers(directory));
        let named: Vec<&NamedSuccessor> =
            documents.flat_map(|document| &document.named_successors).collect();
        if named.is_empty() {
            continue;
        }
        let encodings: HashMap<String, Encoding> = files
            .values()
            .flatten()
            .filter_map(|record| Some((record.name()?.to_ascii_lowercase(), record.encoding())))
            .collect();
        for record in files.values_mut().flatten() {
            let Some(one) = named.iter().find(|one| record.is_named(&one.event)) else {
                continue;
            };
            used.insert(*one);
            let encoding = encodings.get(&one.successor.to_ascii_lowercase());
            let why = match encoding {
                _ if record.get("Deprecated").is_none() => "is not deprecated",
                None => "has no such event",
                Some(encoding) if *encoding == record.encoding() => "counts the same",
                Some(_) => {
                    let sentence = format!(
                        "The vendor's list names {} as its successor, which has another encoding \
                         and counts something else.",
                        one.successor
                    );
                    // A longer text begins with what the brief says of the event's age.
                    let text = match record.get("PublicDescription") {
                        Some(text) => format!("{text} {sentence}"),
                        None => sentence,
                    };
                    record.set("PublicDescription", text);
                    continue;
                }
            };
            let NamedSuccessor { event, successor, .. } = one;
            let message = format!("`{successor}` instead of `{event}` of {directory}: {why}");
            problems.error(one.place.clone(), message);
        }
    }
    for one in overlay.iter().flat_map(|document| &document.named_successors) {
        if !used.contains(&std::ptr::from_ref(one)) {
            let message = format!("no model that the file is about has an event `{}`", one.event);
            problems.error(one.place.clone(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::json::File;
    use crate::overlay;
    use crate::record::{Keep, Record};

    /// The long description of `OLD`, and the errors.
    fn stated(named: &str) -> (Option<String>, Vec<String>) {
        let events = r#"[
            {"EventName":"OLD","EventCode":"1","Deprecated":"1","BriefDescription":"Deprecated: use SAME."},
            {"EventName":"SAME","EventCode":"1","BriefDescription":"One."},
            {"EventName":"OTHER","EventCode":"2","BriefDescription":"Two."}]"#;
        let mut problems = Problems::default();
        let file = File::new("x.json", events);
        let items = file.value().array().unwrap();
        let records = items
            .iter()
            .map(|item| Record::read(&item.object().unwrap(), Keep::All, &mut problems).unwrap())
            .collect();
        let table = BTreeMap::from([("x.json".to_owned(), records)]);
        let tables = BTreeMap::from([("m".to_owned(), table)]);
        let mut arch = Arch { tables, ..Arch::default() };
        let text = format!(r#"{{"models":["m"],"named_successors":{named}}}"#);
        let document = overlay::document(&File::new("o.json", &text), &mut problems);
        state(&mut arch, &[document], &mut problems);
        let old = arch.records("m").find(|record| record.is_named("OLD")).unwrap();
        let errors = problems.errors.iter().map(ToString::to_string).collect();
        (old.get("PublicDescription").map(str::to_owned), errors)
    }

    #[test]
    fn both_are_told() {
        let (text, errors) = stated(r#"{"OLD":"OTHER"}"#);
        assert_eq!(errors, [""; 0]);
        let expected = "The vendor's list names OTHER as its successor, which has another encoding \
                        and counts something else.";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn what_needs_no_word_is_an_error() {
        for (named, expected) in [
            (r#"{"OLD":"SAME"}"#, "`SAME` instead of `OLD` of m: counts the same"),
            (r#"{"OLD":"NONE"}"#, "`NONE` instead of `OLD` of m: has no such event"),
            (r#"{"OTHER":"SAME"}"#, "`SAME` instead of `OTHER` of m: is not deprecated"),
            (r#"{"NONE":"SAME"}"#, "no model that the file is about has an event `NONE`"),
        ] {
            let (_, errors) = stated(named);
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(errors[0].ends_with(expected), "{errors:?}");
        }
    }
}
