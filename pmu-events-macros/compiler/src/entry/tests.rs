//! What one object says, by cases.

use super::*;
use crate::fault::Faults;
use crate::{json, random};

/// What is read of one object, and what is said of it.
fn with<R>(object: &str, read: impl FnOnce(&mut Fields<'_, '_>) -> R) -> (R, usize, usize) {
    let mut source = random::soc();
    source.files[0].text = format!("[{object}]");
    let mut faults = Faults::default();
    let objects = json::array(&source, 0, &mut faults).expect("it is one object");
    let found = read(&mut Fields::new(&objects[0], &mut faults));
    (found, faults.errors.kept.len(), faults.warnings.kept.len())
}

#[test]
fn counters() {
    let general = |set: u64| (counters::GENERAL, set);
    let cases = [
        ("0", general(1), 0),
        ("0,1,2,3", general(0xf), 0),
        ("0, 1 ,3", general(0xb), 0),
        ("0,", general(1), 0),
        ("0-3", general(0xf), 0),
        ("0-1,4-5", general(0x33), 0),
        ("3-3", general(8), 0),
        ("63", general(1 << 63), 0),
        ("Fixed", (counters::FIXED_UNNUMBERED, 0), 0),
        ("FIXED", (counters::FIXED_UNNUMBERED, 0), 0),
        ("Fixed counter 1", (counters::FIXED, 1), 0),
        ("fixed counter 63", (counters::FIXED, 63), 0),
        ("FREERUN", (counters::FREE_RUNNING, 0), 0),
        ("Free running counter", (counters::FREE_RUNNING, 0), 0),
        // Such that no counter is.
        ("64", (counters::UNSTATED, 0), 1),
        ("0-64", (counters::UNSTATED, 0), 1),
        ("3-0", (counters::UNSTATED, 0), 1),
        ("0,,1", (counters::UNSTATED, 0), 1),
        (",", (counters::UNSTATED, 0), 1),
        ("any", (counters::UNSTATED, 0), 1),
        ("Fixed counter 64", (counters::UNSTATED, 0), 1),
        ("Fixed counter", (counters::UNSTATED, 0), 1),
        ("-1", (counters::UNSTATED, 0), 1),
    ];
    for (text, expected, warnings) in cases {
        let object = format!(r#"{{"Counter": "{text}"}}"#);
        assert_eq!(with(&object, counters_of), (expected, 0, warnings), "{text}");
    }
    assert_eq!(with("{}", counters_of), ((counters::UNSTATED, 0), 0, 0));
}

#[test]
fn numbers_of_counters() {
    let cases = [
        (r#"{}"#, None, 0),
        (r#"{"CountersNumGeneric": "4"}"#, Some([Some(4), None]), 0),
        (r#"{"CountersNumFixed": " 3"}"#, Some([None, Some(3)]), 0),
        (r#"{"CountersNumFixed": "0", "CountersNumGeneric": "8"}"#, Some([Some(8), Some(0)]), 0),
        (r#"{"CountersNumFixed": "254"}"#, Some([None, Some(254)]), 0),
        (r#"{"CountersNumFixed": "255"}"#, Some([None, None]), 1),
        (r#"{"CountersNumGeneric": "many"}"#, Some([None, None]), 1),
    ];
    for (object, expected, warnings) in cases {
        assert_eq!(with(object, counter_numbers), (expected, 0, warnings), "{object}");
    }
}

#[test]
fn pmus_of_units() {
    let longest = "x".repeat(248);
    let cases = [
        ("CHA".to_owned(), "uncore_cha".to_owned(), 0),
        ("cpu_core".into(), "cpu_core".into(), 0),
        ("imc_free_running".into(), "uncore_imc_free_running".into(), 0),
        (longest.clone(), format!("uncore_{longest}"), 0),
        // One letter more is more than the tables hold.
        (longest + "x", pmu::DEFAULT_CORE.into(), 1),
    ];
    for (unit, expected, errors) in cases {
        let object = format!(r#"{{"Unit": "{unit}"}}"#);
        let read = |fields: &mut Fields<'_, '_>| {
            let unit = fields.string(Key::Unit).expect("it is there");
            pmu_of(&unit, fields).into_owned()
        };
        let (pmu, found, _) = with(&object, read);
        assert_eq!((pmu, found), (expected, errors), "{unit}");
    }
}

/// jevents' words (`fixdesc` and what follows it in `JsonEvent`), as the texts
/// that end with a note have them.
#[test]
fn notes_of_texts() {
    let cases = [
        (r#"{}"#, "", ""),
        (r#"{"BriefDescription": "A."}"#, "", ""),
        (r#"{"BriefDescription": "A.", "PEBS": "1"}"#, " (Precise event)", ""),
        (r#"{"BriefDescription": "A.", "PEBS": "2"}"#, " (Must be precise)", ""),
        (r#"{"BriefDescription": "A.", "PEBS": "0"}"#, " (Precise event)", ""),
        (r#"{"BriefDescription": "A (Precise Event)", "PEBS": "1"}"#, "", ""),
        (
            r#"{"BriefDescription": "A.", "PublicDescription": "B.", "Data_LA": "1"}"#,
            "  Supports address when precise",
            "  Supports address when precise",
        ),
        (
            r#"{"PublicDescription": "B.", "Errata": "X1", "Data_LA": "1"}"#,
            "",
            "  Supports address when precise.  Spec update: X1",
        ),
        (r#"{"PublicDescription": "B.", "Errata": "X1", "PEBS": "1"}"#, "", "  Spec update: X1"),
        (r#"{"BriefDescription": ".", "Errata": "X1", "PEBS": "1"}"#, "", ""),
    ];
    for (object, brief, public) in cases {
        let read = |fields: &mut Fields<'_, '_>| {
            let texts = [Key::BriefDescription, Key::PublicDescription];
            let [brief, public] = texts.map(|key| description(fields, key));
            Notes::read(fields, &brief, &public)
        };
        let (notes, ..) = with(object, read);
        assert_eq!((&*notes.brief, &*notes.public), (brief, public), "{object}");
    }
}
