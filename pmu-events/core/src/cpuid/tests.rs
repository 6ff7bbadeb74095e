extern crate std;

use std::string::String;
use std::vec::Vec;
use std::{assert_eq, format};

use super::automaton::Automaton;
use super::rule::MatchRule;
use crate::wire::record::LiteralRecord;
use crate::wire::{HEADER, SECTIONS, STEPPINGS, Section, StrRef, VERSION, Wire};

#[test]
fn rules() {
    let cases = [
        ("x86", MatchRule::X86),
        ("arm64", MatchRule::Arm64),
        ("s390", MatchRule::Whole),
        ("powerpc", MatchRule::Whole),
        ("x86_64", MatchRule::Whole),
        ("", MatchRule::Whole),
    ];
    for (arch, rule) in cases {
        assert_eq!(MatchRule::of_arch(arch), rule, "{arch}");
    }
}

/// An automaton, packed in the layout documented in `automaton.rs`: the class
/// of each letter, the next states of each state, and the patterns of each.
fn packed(classes: &[(u8, u8)], next: &[&[u16]], patterns: &[&[u32]]) -> Vec<u8> {
    let mut class_of = [0; 256];
    for &(byte, class) in classes {
        class_of[byte as usize] = class;
    }
    let mut bytes = Vec::new();
    bytes.extend((next[0].len() as u16).to_le_bytes());
    bytes.extend((next.len() as u16).to_le_bytes());
    bytes.extend(class_of);
    for class in 0..next[0].len() {
        next.iter().for_each(|row| bytes.extend(row[class].to_le_bytes()));
    }
    let mut lists: Vec<u32> = Vec::new();
    for patterns in patterns {
        bytes.extend((lists.len() as u32).to_le_bytes());
        lists.push(patterns.len() as u32);
        lists.extend(*patterns);
    }
    lists.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

/// 0: `ab*c`, 3: `a[abc]*`, 70 000: `ab|ab*c`.
fn automaton() -> Vec<u8> {
    let next: [&[u16]; 7] = [
        &[0, 0, 0, 0],
        &[0, 2, 0, 0], // nothing yet
        &[0, 5, 3, 4], // a
        &[0, 5, 6, 4], // ab
        &[0, 5, 5, 5], // ab*c
        &[0, 5, 5, 5], // a and then what only the second matches
        &[0, 5, 6, 4], // abb*
    ];
    let patterns: [&[u32]; 7] = [&[], &[], &[3], &[3, 70_000], &[0, 3, 70_000], &[3], &[3]];
    packed(&[(b'a', 1), (b'b', 2), (b'c', 3), (0xff, 3)], &next, &patterns)
}

#[test]
fn texts_walk_through_the_automaton() {
    let bytes = automaton();
    let automaton = Automaton::new(&bytes);
    assert_eq!(automaton.states(), 7);
    let cases: &[(&str, &[u32])] = &[
        ("", &[]),
        ("a", &[3]),
        ("b", &[]),
        ("ab", &[3, 70_000]),
        ("ac", &[0, 3, 70_000]),
        ("abb", &[3]),
        ("abbc", &[0, 3, 70_000]),
        ("aa", &[3]),
        ("abca", &[3]),
        ("acc", &[3]),
        // A byte without a class leads to no match, and nothing leads back.
        ("ad", &[]),
        ("da", &[]),
        ("adac", &[]),
        ("\u{e4}", &[]),
    ];
    for &(text, expected) in cases {
        let found = automaton.matches(text);
        assert_eq!(found.iter().collect::<Vec<u32>>(), expected, "{text}");
        assert_eq!(found.first(), expected.first().copied(), "{text}");
        for pattern in [0, 1, 3, 4, 4464, 70_000, 70_001] {
            assert_eq!(found.contains(pattern), expected.contains(&pattern), "{text} {pattern}");
        }
    }
    assert_eq!([b'a', b'b', b'c', b'd', 0, 0xff].map(|c| automaton.class(c)), [1, 2, 3, 0, 0, 3]);
    assert_eq!((automaton.next(2, 2), automaton.next(6, 3), automaton.next(0, 1)), (3, 4, 0));
}

#[test]
fn an_automaton_that_is_cut_off_matches_less() {
    let bytes = automaton();
    for len in 0..bytes.len() {
        let cut = Automaton::new(&bytes[..len]);
        for text in ["", "a", "ac", "abbc", "abca"] {
            let found: Vec<u32> = cut.matches(text).iter().collect();
            let all: Vec<u32> = Automaton::new(&bytes).matches(text).iter().collect();
            assert!(found.is_empty() || found == all, "{len} {text}");
        }
    }
    // An empty automaton, and one whose only state matches nothing.
    assert_eq!(Automaton::new(&[]).matches("").first(), None);
    let nothing = packed(&[], &[&[0]], &[&[7]]);
    assert_eq!(Automaton::new(&nothing).matches("").first(), Some(7));
    assert_eq!(Automaton::new(&nothing).matches("a").first(), None);
}

/// The tables of a tree whose map file and `Compat` patterns consist of these
/// plain texts, sorted, and that automaton.
fn tables(literals: &[(&str, u32)], flags: u16) -> (String, Vec<u8>) {
    let (mut strings, mut records) = (String::new(), Vec::new());
    for &(text, number) in literals {
        let text_at = StrRef { offset: strings.len() as u32, len: text.len() as u8 };
        LiteralRecord { text: text_at, number }.write(&mut |bytes| records.extend(bytes));
        strings += text;
    }
    let mut tables = Vec::new();
    for number in [VERSION, flags, 0, SECTIONS as u16] {
        tables.extend(number.to_le_bytes());
    }
    let (mut end, mut contents) = (HEADER, Vec::new());
    for section in 0..SECTIONS {
        let content = match section {
            _ if section == Section::CpuidLiterals as usize => records.clone(),
            _ if section == Section::CompatLiterals as usize => records.clone(),
            _ if section == Section::Cpuids as usize => automaton(),
            _ => Vec::new(),
        };
        end += content.len();
        tables.extend((end as u32).to_le_bytes());
        contents.extend(content);
    }
    tables.extend(contents);
    (strings, tables)
}

#[test]
fn plain_texts_are_found_among_many() {
    let mut texts: Vec<String> = (0..100).map(|n| format!("V-6-{n:X}")).collect();
    texts.extend(["", "a", "ab", "V", "V-6-1-2", "W"].map(String::from));
    texts.sort();
    for count in 0..texts.len() {
        let literals: Vec<(&str, u32)> =
            texts[..count].iter().zip(10..).map(|(text, number)| (text.as_str(), number)).collect();
        let (strings, tables) = tables(&literals, 0);
        let wire = Wire::read(&strings, &tables).unwrap();
        for (text, number) in texts.iter().zip(10..) {
            let expected = (number < 10 + count as u32).then_some(number);
            assert_eq!(wire.compats().matching(text).first(), expected, "{text} of {count}");
        }
        for text in ["V-", "V-6-", "V-6-0A", "V-6-1-", "V-7", "Va", "b", "~", "\u{e4}"] {
            assert_eq!(wire.compats().matching(text).first(), None, "{text} of {count}");
        }
    }
}

/// The first row among the plain text, the one before the stepping and the
/// automaton takes effect, and all are returned.
#[test]
fn the_first_of_all_rows() {
    let literals =
        [("V-6-5", 9), ("V-6-5-4", 5), ("V-6-6", 1), ("V-6-6-4", 2), ("ab", 2), ("ac", 2)];
    let cases: &[(u16, &str, &[u32])] = &[
        (STEPPINGS, "V-6-5", &[9]),
        (STEPPINGS, "V-6-5-4", &[5, 9]),
        (STEPPINGS, "V-6-6-4", &[1, 2]),
        (STEPPINGS, "V-6-5-3", &[9]),
        (STEPPINGS, "V-6-5-", &[9]),
        // Not exactly three dashes.
        (STEPPINGS, "V-6-5-4-1", &[]),
        (STEPPINGS, "V-6", &[]),
        (STEPPINGS, "V-6-7-4", &[]),
        (0, "V-6-5-4", &[5]),
        (0, "V-6-5-3", &[]),
        // The automaton contributes 3 and 70 000 to `ab`, and 0 as well to
        // `ac`.
        (0, "ab", &[2, 3, 70_000]),
        (0, "ac", &[0, 2, 3, 70_000]),
        (0, "a", &[3]),
    ];
    for &(flags, text, expected) in cases {
        let (strings, tables) = tables(&literals, flags);
        let wire = Wire::read(&strings, &tables).unwrap();
        let matching = wire.cpuids().matching(text);
        assert_eq!(matching.first(), expected.first().copied(), "{text}");
        for pattern in [0, 1, 2, 3, 5, 9, 70_000] {
            assert_eq!(matching.contains(pattern), expected.contains(&pattern), "{text} {pattern}");
        }
        // `Compat` patterns have no steppings, and no automaton here.
        let compat = literals.iter().find(|(literal, _)| *literal == text);
        assert_eq!(wire.compats().matching(text).first(), compat.map(|&(_, number)| number));
    }
}
