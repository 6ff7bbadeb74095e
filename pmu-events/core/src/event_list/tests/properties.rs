//! Properties of every text.

extern crate std;

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::super::*;
use super::{recorded, rows};

/// A generator that returns the same numbers in every run.
struct Random(u64);

impl Random {
    /// A number below a limit.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of<'a>(&mut self, pieces: &[&'a str]) -> &'a str {
        pieces[self.below(pieces.len())]
    }
}

const PIECES: &[&str] = &[
    "cycles",
    "branches",
    "L1-dcache-load-misses",
    "l1d-store",
    "iTLB-store",
    "node",
    "read",
    "r1a",
    "r0x1a",
    "faults",
    "dummy",
    "duration_time",
    "mem:0",
    "mem:",
    "/4",
    ":rw",
    "cpu",
    "imc_*",
    "foo.bar-baz",
    "9p",
    "sched",
    "u",
    "kp",
    "ppp",
    "GH",
    "W",
    "D",
    "x",
    "/",
    "//",
    ",",
    ":",
    "{",
    "}",
    "=",
    "'",
    "'a,b'",
    "name",
    "config",
    "period",
    "time",
    "nr",
    "@",
    "@a=b",
    "?",
    "[1]",
    "!",
    "-",
    ".",
    "_",
    "0",
    "1",
    "0x1f",
    "18446744073709551616",
    "4:0x3c",
    "config:1",
    "event=1",
    " ",
    "\t",
    "\n",
    "+",
    "é",
    "\u{10ffff}",
    "\0",
    "{a,b}",
    "g{",
    "}:p",
];

/// What a list means, without the byte ranges.
fn meaning(list: EventList<'_>) -> String {
    let mut meaning = format!("{list:?}");
    for event in list.events() {
        meaning.push_str(&format!("{:?}", event.settings()));
    }
    meaning
}

/// Checks everything that can be queried of a text; returns whether it is a
/// list.
fn check(text: &str) -> bool {
    match EventList::parse(text) {
        Ok(list) => {
            let printed = list.to_string();
            let again = EventList::parse(&printed);
            let again = again.unwrap_or_else(|error| panic!("{text:?} as {printed:?}: {error}"));
            assert_eq!(again.to_string(), printed, "{text:?}");
            assert_eq!(meaning(again), meaning(list), "{text:?}");
            let mut end = 0;
            for event in list.events() {
                assert!(event.span().start >= end && event.span().end <= text.len(), "{text:?}");
                end = event.span().end;
                assert_eq!(event.text(), &text[event.span()]);
                assert!(text[event.span()].starts_with(&text[event.head_span()]), "{text:?}");
                let modifiers = text[event.modifiers_span()].parse::<Modifiers>();
                assert_eq!(modifiers, Ok(event.modifiers()), "{text:?}");
                for term in event.terms() {
                    let span = term.span();
                    assert!(event.span().start < span.start && span.end < end, "{text:?}");
                    assert!(text[span].contains(term.name()), "{text:?}");
                    let alone = TermList::parse(&text[term.span()]).unwrap();
                    assert_eq!(alone.iter().next().unwrap().value(), term.value(), "{text:?}");
                }
            }
            let items = list.items().map(|item| match item {
                ListItem::Event(_) => 1,
                ListItem::Group(group) => group.members().count(),
            });
            assert_eq!(items.sum::<usize>(), list.events().count(), "{text:?}");
            true
        }
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{text:?}: {error:?}");
            assert_eq!(
                error.span().is_empty(),
                error.span().start == text.len(),
                "{text:?}: {error:?}"
            );
            let _ = error.suggestion(text);
            false
        }
    }
}

#[test]
fn any_text() {
    let mut random = Random(1);
    let mut lists = 0;
    for _ in 0..60_000 {
        let len = 1 + random.below(9);
        let text: String = (0..len).map(|_| random.one_of(PIECES)).collect();
        lists += usize::from(check(&text));
        if let Err(error) = TermList::parse(&text) {
            assert!(text.get(error.span()).is_some(), "{text:?}: {error:?}");
        }
    }
    assert!(lists > 2_000, "{lists}");
}

#[test]
fn near_what_people_write() {
    let texts: Vec<&str> = rows(recorded::EVENTS).map(|(text, _)| text).collect();
    let mut random = Random(2);
    let mut lists = 0;
    for _ in 0..60_000 {
        let mut text: Vec<char> = random.one_of(&texts).chars().collect();
        for _ in 0..=random.below(3) {
            let from = random.below(text.len() + 1);
            let to = (from + random.below(4)).min(text.len());
            let piece = if random.below(3) == 0 { "" } else { random.one_of(PIECES) };
            text.splice(from..to, piece.chars());
        }
        lists += usize::from(check(&text.into_iter().collect::<String>()));
    }
    assert!(lists > 10_000, "{lists}");
}

#[test]
fn recorded_texts() {
    for (text, expected) in rows(recorded::EVENTS) {
        assert_eq!(check(text), expected != "!syntax", "{text}");
        // Truncated texts must not panic either.
        for (end, _) in text.char_indices() {
            check(&text[..end]);
            check(&text[end..]);
        }
    }
}

/// A megabyte of any text takes milliseconds; if the time grew with the square
/// of the length, this would take hours.
#[test]
fn long_texts() {
    const LEN: usize = 1 << 20;
    let repeated = |head: &str, piece: &str, tail: &str| {
        let mut text = head.to_string();
        while text.len() < LEN {
            text.push_str(piece);
        }
        text.push_str(tail);
        text
    };
    let cases: &[(&str, &str, &str, bool)] = &[
        ("", "{", "", false),
        ("", "{a", "", false),
        ("", "{a,", "", false),
        ("", "a{", "", false),
        ("", "}", "", false),
        ("", "{a},", "a", true),
        ("{a", ",a", "", false),
        ("{a", ",a:p", "}:pp", true),
        ("a", ",a", "", true),
        ("", "a", "", true),
        ("", "0", "", false),
        ("0:", "0", "1", true),
        ("mem:", "0", "", true),
        ("mem:0:", "r", "", false),
        ("r", "0", "", true),
        ("a:", "p", "", true),
        ("cycles:", "p", "", false),
        ("", "a:", "", false),
        ("", "mem:", "", false),
        ("", "/", "", false),
        ("", "cpu/", "", false),
        ("", "cpu//,", "cpu//", true),
        ("cpu/a", ",a=1", "/", true),
        ("cpu/a", ",a=1", "", false),
        ("cpu/a=", "1", "x/", true),
        ("cpu/", "@a,", "a/", true),
        ("cpu/", "@", "", false),
        ("cpu/name=", "'", "", false),
        ("cpu/name='", "a", "'/", true),
        ("cpu/", "'a=", "/", false),
        ("a", " ", "", true),
        ("", " ", "{ a }", true),
        ("", "L1-dcache-", "", true),
        ("", "é", "", false),
    ];
    for &(head, piece, tail, is_list) in cases {
        let text = repeated(head, piece, tail);
        let parsed = EventList::parse(&text);
        assert_eq!(parsed.is_ok(), is_list, "{head}{piece}{piece}…{tail}: {:?}", parsed.err());
        match parsed {
            Ok(list) => {
                let read: usize = list.events().map(|event| 1 + event.terms().iter().count()).sum();
                assert!(read > 0);
            }
            Err(error) => {
                let _ = error.suggestion(&text);
            }
        }
    }
}
