use std::string::String;

use super::*;
use crate::format::{Word, Words};

/// Any text has an answer, and positions of errors are within the text.
#[test]
fn any_text_has_an_answer() {
    let system = System::at("/nonexistent");
    let pieces = [
        "cycles",
        "cpu",
        "/",
        ",",
        "{",
        "}",
        ":",
        "u",
        "=",
        "event",
        "0x3c",
        "r1a",
        "name=x",
        "@d",
        "mem:0x10",
        "L1-dcache-loads",
        "duration_time",
        "sched:x",
        "\u{e4}",
        "?",
        "'",
        " ",
        "1:2",
        "period=5",
        "config=3",
        "*",
    ];
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let text: String = (0..next(8)).map(|_| pieces[next(pieces.len())]).collect();
        let missing = system.resolve(&text).map(|answers| answers.missing().to_vec());
        let errors = missing.unwrap_or_default().into_iter().map(|missing| missing.error().clone());
        for error in errors.chain(system.require(&text).err()) {
            assert!(text.get(error.span()).is_some(), "{text:?} {error:?}");
            assert!(!error.message().is_empty());
        }
    }
}

#[test]
fn generic_events() {
    let system = System::at("/nonexistent");
    let cases: &[(&str, u32, Words)] = &[
        ("cycles", 0, Words::NONE),
        ("cycles/config2/", 0, Words::NONE.with(Word::Config2, 1)),
        ("cycles/config=7/", 0, Words::new(7)),
        ("faults", 1, Words::new(2)),
        ("r1a8", 4, Words::new(0x1a8)),
        ("9:0x10/config1=2/", 9, Words::new(0x10).with(Word::Config1, 2)),
        ("mem:0x1000/2:w", 5, Words::NONE.with(Word::Config1, 0x1000).with(Word::Config2, 2)),
        ("duration_time", 1, Words::new(9)),
    ];
    for &(text, type_, words) in cases {
        let resolved = system.require(text).unwrap();
        assert_eq!(resolved.events().len(), 1, "{text}");
        assert_eq!((resolved[0].type_(), resolved[0].words()), (type_, words), "{text}");
        assert_eq!(resolved[0].name(), text);
    }
    let error = system.require("l1d").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoCorePmu);
    let error = system.require("sched:sched_switch").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Tracing);
    let error = system.require("cycles:x").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Syntax), "{error}");
}
