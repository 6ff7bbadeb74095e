//! What one object says, by cases.

use pmu_events_core::__private::flags::Flag;

use super::*;
use crate::faults::Faults;
use crate::files::json;
use crate::source::kernel_tree;
use crate::tests::random;

const CORRECT: Encoding = Encoding::Correct;

/// What is read of one object, and what is said of it.
fn with<R>(object: &str, read: impl FnOnce(&mut Fields<'_, '_>) -> R) -> (R, usize, usize) {
    let mut source = random::soc();
    source.files.all[0].text = format!("[{object}]");
    let mut faults = Faults::default();
    let objects = json::array(&source.files, 0, &mut faults).expect("it is one object");
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
        // What is false to Python says nothing; the text `0` is true.
        (r#"{"BriefDescription": "A.", "PEBS": ""}"#, "", ""),
        (r#"{"BriefDescription": "A.", "PEBS": null}"#, "", ""),
        (r#"{"BriefDescription": "A.", "PEBS": 0}"#, "", ""),
        (r#"{"BriefDescription": "A.", "PEBS": 2}"#, " (Precise event)", ""),
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

/// Reads an object that refers to another, which is a standard event.
fn inherited(standard: &str, own: &str, check: impl FnOnce(&Entry<'_>)) {
    let files = [("std.json", format!("[{{{standard}}}]")), ("a/x.json", format!("[{{{own}}}]"))];
    let made = kernel_tree::made_up("soc", &files.each_ref().map(|(path, text)| (*path, &**text)));
    let mut faults = Faults::default();
    let [standard, own] = [0, 1].map(|file| {
        let objects = json::array(&made, file, &mut faults).expect("it is one object");
        let [object] = <[_; 1]>::try_from(objects).expect("it is one object");
        object
    });
    let nothing = |_: &str| Standard::Unknown;
    let standard = read(&standard, &nothing, CORRECT, &mut faults);
    let entry = read(&own, &|_| Standard::Found(&standard), CORRECT, &mut faults);
    assert!(!faults.has_errors(), "{:?}", faults.errors);
    check(&entry);
}

/// Each attribute that the event itself leaves empty is the standard event's
/// (`JsonEvent.__init__` in jevents).
#[test]
fn what_is_inherited() {
    fn text(value: &Option<Value<'_>>) -> String {
        value.as_ref().map_or_else(String::new, |value| value.text.to_string())
    }
    type Read = fn(&Entry<'_>) -> String;
    // A key, what the standard event says, what the event itself says, and
    // what then is read: of the standard event, and of the event.
    let cases: &[(&str, &str, &str, Read, &str, &str)] = &[
        ("EventName", "S", "O", |e| text(&e.name), "S", "O"),
        ("BriefDescription", "S.", "O.", |e| text(&e.brief), "S.", "O."),
        ("PublicDescription", "S.", "O.", |e| text(&e.public), "S.", "O."),
        ("ScaleUnit", "1S", "1O", |e| text(&e.texts.scale_unit), "1S", "1O"),
        ("Compat", "S", "O", |e| text(&e.texts.compat), "S", "O"),
        ("Errata", "S", "O", |e| text(&e.texts.errata), "S", "O"),
        ("RetirementLatencyMean", "1", "2", |e| text(&e.texts.latency_mean), "1", "2"),
        ("RetirementLatencyMin", "1", "2", |e| text(&e.texts.latency_min), "1", "2"),
        ("RetirementLatencyMax", "1", "2", |e| text(&e.texts.latency_max), "1", "2"),
        ("PEBS", "2", "1", |e| format!("{:?}", e.precise), "Some(2)", "Some(1)"),
        ("Counter", "0,1", "2", |e| format!("{} {}", e.counter_kind, e.counters), "1 3", "1 4"),
        (
            "SampleAfterValue",
            "1000",
            "2000",
            |e| format!("{:?}", e.sample_after),
            "Some(1000)",
            "Some(2000)",
        ),
        ("MSRIndex", "0x3F6", "0x1A6,0x1A7", |e| format!("{:x?}", e.msr), "[3f6, 0]", "[1a6, 1a7]"),
        ("MetricName", "s", "o", |e| text(&e.metric.name), "s", "o"),
        ("MetricExpr", "1", "2", |e| text(&e.metric.expression), "1", "2"),
        ("MetricThreshold", "1", "2", |e| text(&e.metric.threshold), "1", "2"),
        ("MetricGroup", "S", "O", |e| text(&e.metric.groups), "S", "O"),
        ("MetricgroupNoGroup", "S", "O", |e| text(&e.metric.no_group), "S", "O"),
        ("DefaultMetricgroupName", "S", "O", |e| text(&e.metric.default_group), "S", "O"),
        ("SampleWith", "S", "O", |e| text(&e.metric.sample_with), "S", "O"),
        ("Difference", "S", "O", |e| text(&e.metric.difference), "S", "O"),
        (
            "AggregationMode",
            "PerChip",
            "PerCore",
            |e| format!("{:?}", e.metric.aggregation),
            "Some(1)",
            "Some(2)",
        ),
        (
            "MetricConstraint",
            "NO_GROUP_EVENTS",
            "NO_GROUP_EVENTS_SMT",
            |e| format!("{:?}", e.metric.constraint),
            "Some(1)",
            "Some(3)",
        ),
        (
            "DefaultShowEvents",
            "1",
            "0",
            |e| format!("{:?}", e.metric.show_events),
            "Some(true)",
            "Some(false)",
        ),
    ];
    // A metric has a formula.
    let metric = |key: &str| match key {
        "MetricName" => r#","MetricExpr":"0""#,
        _ => "",
    };
    for (key, standard, own, read, of_standard, of_own) in cases {
        let more = metric(key);
        let says = |value: &str| format!(r#""{key}":"{value}"{more}"#);
        let refers = r#""ArchStdEvent":"S""#;
        inherited(&says(standard), refers, |e| assert_eq!(read(e), *of_standard, "{key}"));
        let both = format!("{refers},{}", says(own));
        inherited(&says(standard), &both, |e| assert_eq!(read(e), *of_own, "{key}"));
        inherited("", &both, |e| assert_eq!(read(e), *of_own, "{key}"));
    }
}

/// A flag that the event itself denies is not inherited.
#[test]
fn what_flags_are_inherited() {
    let refers = r#""ArchStdEvent":"S""#;
    for &flag in Flag::ALL {
        let says = |value: &str| format!(r#""{}":"{value}""#, flag.key());
        let own = |value: &str| format!("{refers},{}", says(value));
        for (standard, own, expected) in [
            (String::new(), refers.to_owned(), None),
            (says("1"), refers.to_owned(), Some(true)),
            (says("0"), refers.to_owned(), Some(false)),
            (says("1"), own("0"), Some(false)),
            (says("0"), own("1"), Some(true)),
            (String::new(), own("1"), Some(true)),
        ] {
            inherited(&standard, &own, |entry| {
                let others = Flag::ALL.iter().filter(|&&other| other != flag);
                assert_eq!(entry.flags.get(flag), expected, "{standard} {own}");
                assert!(others.clone().all(|&other| entry.flags.get(other).is_none()), "{own}");
            });
        }
    }
}

/// The event string is the standard event's, whatever the event says; notes
/// come with their text; the value of a register comes with its number; the
/// PMU is never empty.
#[test]
fn what_is_inherited_together() {
    let refers = r#""ArchStdEvent":"S""#;
    inherited(r#""EventCode":"7","UMask":"1""#, refers, |entry| {
        assert_eq!(
            (&*entry.event, entry.has_code, entry.is_whole),
            ("event=7,umask=1", true, true)
        );
    });
    inherited(r#""UMask":"1""#, refers, |entry| {
        assert_eq!((&*entry.event, entry.has_code), ("event=0,umask=1", false));
    });
    let own = format!(r#"{refers},"EventCode":"8""#);
    inherited(r#""UMask":"1""#, &own, |entry| {
        assert_eq!((&*entry.event, entry.has_code), ("event=0,umask=1", true));
    });
    let own = format!(r#"{refers},"EventName":"inst_retired.any""#);
    inherited(r#""EventCode":"7""#, &own, |entry| {
        assert_eq!(entry.event, "event=0xc0,period=2000003");
    });

    let standard = r#""BriefDescription":"B.","PublicDescription":"P.","Errata":"X""#;
    for (own, brief, public) in [
        ("", "  Spec update: X", "  Spec update: X"),
        (r#","BriefDescription":"O.""#, "", "  Spec update: X"),
        (r#","PublicDescription":"O.""#, "  Spec update: X", ""),
    ] {
        inherited(standard, &format!("{refers}{own}"), |entry| {
            assert_eq!((&*entry.notes.brief, &*entry.notes.public), (brief, public), "{own}");
        });
    }

    let standard = r#""MSRIndex":"0x3F6","MSRValue":"0x10""#;
    for (own, msr, value) in [
        ("", [0x3f6, 0], Some(0x10)),
        (r#","MSRIndex":"0x3F7","MSRValue":"0x11""#, [0x3f7, 0], Some(0x11)),
        (r#","MSRIndex":"0x3F7""#, [0x3f7, 0], None),
    ] {
        inherited(standard, &format!("{refers}{own}"), |entry| {
            assert_eq!((entry.msr, entry.msr_value), (msr, value), "{own}");
        });
    }

    inherited(r#""Unit":"CHA","Data_LA":"1""#, refers, |entry| {
        assert_eq!((&*entry.pmu, entry.flags.get(Flag::DataAddress)), ("default_core", Some(true)));
    });
    inherited("", &format!(r#"{refers},"Unit":"CHA""#), |entry| {
        assert_eq!((&*entry.pmu, entry.flags.get(Flag::DataAddress)), ("uncore_cha", None));
    });
}

/// Whether all names are known: of the object and of the standard event.
#[test]
fn what_is_whole() {
    let cases = [
        (r#""EventName":"E","UMask":"none""#, true),
        (r#""EventName":7"#, false),
        (r#""MetricName":7"#, false),
        (r#""ArchStdEvent":7"#, false),
        (r#""EventName":"E","MetricName":7"#, false),
        (r#""EventName":7,"MetricName":"M","MetricExpr":"1""#, false),
    ];
    let whole = |object: &str, standard: &dyn Fn(&str) -> bool| {
        let object = format!("[{{{object}}}]");
        let made = kernel_tree::made_up("soc", &[("a/x.json", &object)]);
        let mut faults = Faults::default();
        let objects = json::array(&made, 0, &mut faults).expect("it is one object");
        let standard = |name: &str| {
            if standard(name) { Standard::Unknown } else { Standard::Missing(Default::default()) }
        };
        let entry = read(&objects[0], &standard, CORRECT, &mut faults);
        (entry.is_whole, faults.errors.kept.len())
    };
    for (object, is_whole) in cases {
        assert_eq!(whole(object, &|_| true), (is_whole, 1), "{object}");
    }
    // One that cannot be read may have any name, one that is missing has none.
    let refers = r#""ArchStdEvent":"S""#;
    assert_eq!(whole(refers, &|_| true), (false, 0));
    assert_eq!(whole(refers, &|_| false), (false, 1));

    let made = kernel_tree::made_up("soc", &[("s.json", r#"[{"EventName":7}]"#)]);
    let mut faults = Faults::default();
    let spoilt = json::array(&made, 0, &mut faults).expect("it is one object");
    let spoilt = read(&spoilt[0], &|_| Standard::Unknown, CORRECT, &mut faults);
    let made = kernel_tree::made_up("soc", &[("a/x.json", r#"[{"ArchStdEvent":"S"}]"#)]);
    let refers = json::array(&made, 0, &mut faults).expect("it is one object");
    assert!(!read(&refers[0], &|_| Standard::Found(&spoilt), CORRECT, &mut faults).is_whole);
}

#[test]
fn units_that_may_be_slips() {
    let slips = [
        ("CHB", "CHA", true),
        ("CHAA", "CHA", true),
        ("CA", "CHA", false),
        ("CHA", "CHA", false),
        ("CBX", "CHA", false),
        ("iMCC", "iMC", true),
    ];
    for (unit, known, is_one) in slips {
        assert_eq!(is_slip(unit, known), is_one, "{unit} for {known}");
    }
    let cases = [
        // Known, or new.
        ("CHA", None),
        ("cpu_core", None),
        ("XYZ", None),
        ("new_unit-1.2", None),
        // What jevents puts into lower case, in any.
        ("cha", None),
        ("Imc", None),
        // Others in another case, by a letter, with a character of no name.
        ("cbo", Some("unknown unit `cbo`; did you mean `CBO`?")),
        ("CHAA", Some("unknown unit `CHAA`; did you mean `CHA`?")),
        ("XYZ A", Some("unknown unit `XYZ A`: no PMU is named with ` `")),
        ("UPI L", Some("unknown unit `UPI L`: no PMU is named with ` `; did you mean `UPI LL`?")),
    ];
    for (unit, expected) in cases {
        let object = format!(r#"[{{"Unit": "{unit}"}}]"#);
        let made = kernel_tree::made_up("soc", &[("a/x.json", &object)]);
        let mut faults = Faults::default();
        let objects = json::array(&made, 0, &mut faults).expect("it is one object");
        let mut fields = Fields::new(&objects[0], &mut faults);
        let value = fields.string(Key::Unit).expect("it is there");
        pmu_of(&value, &mut fields);
        let warnings = made.report(&faults.warnings, crate::faults::report::Severity::Warning);
        let said = warnings.faults().iter().map(|fault| fault.message.as_str()).next();
        assert_eq!(said, expected, "{unit}");
        assert!(faults.errors.kept.is_empty(), "{unit}");
    }
}
