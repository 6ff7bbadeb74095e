extern crate std;

use crate::format::Word;
use std::string::ToString;

use super::*;
use crate::located;

/// Format files and the bits that perf reads from them
/// (`reference/cases/pmu_format.json`).
#[test]
fn files_as_perf_reads_them() {
    let cases: &[(&str, Word, u64)] = &[
        ("config:10-17", Word::Config, 0x3fc00),
        ("config:5", Word::Config, 0x20),
        ("config1:0,2,4,6,8,20-28", Word::Config1, 0x1ff0_0155),
        ("config1:63", Word::Config1, 1 << 63),
        ("config2:28-29,38", Word::Config2, 0x40_3000_0000),
        ("config:0", Word::Config, 1),
        ("config:0-7", Word::Config, 0xff),
        ("config:0-7 ", Word::Config, 0xff),
        ("config2:16,8-11", Word::Config2, 0x10f00),
        ("config:0-1,62-63", Word::Config, 0xc000_0000_0000_0003),
        ("config1:45-47", Word::Config1, 0xe000_0000_0000),
        ("config:0-63", Word::Config, u64::MAX),
        ("config3:0-0\n", Word::Config3, 1),
        // `inv_data_src_filter` of Arm's SPE, since Linux 6.19.
        ("config4:0-63", Word::Config4, u64::MAX),
        ("config:0-7,4-9,5", Word::Config, 0x3ff),
    ];
    for &(text, word, mask) in cases {
        assert_eq!(Format::parse(text), Ok(Format::new(word, mask)), "{text:?}");
    }
}

#[test]
fn broken_files() {
    use Fault::*;
    let cases: &[(&str, Fault, core::ops::Range<usize>)] = &[
        ("", UnknownWord, 0..0),
        ("foo:1", UnknownWord, 0..3),
        ("config", UnknownWord, 0..6),
        ("config:", ExpectedBit, 7..7),
        ("config:0x10", ExpectedSeparator, 8..9),
        ("config:1-2-3", ExpectedSeparator, 10..11),
        ("config:,1", ExpectedBit, 7..8),
        ("config:1,", ExpectedBit, 9..9),
        ("config:1-", ExpectedBit, 9..9),
        ("config:64", NoSuchBit, 7..9),
        ("config:0-18446744073709551616", NoSuchBit, 9..29),
        ("config:0\u{e4}", ExpectedSeparator, 8..10),
        ("\u{e4}", UnknownWord, 0..2),
        // Deliberate differences, which perf accepts: a range that ends before
        // it starts is a typo in the file, not bit 3 or none;
        ("config:3-0", Backwards, 7..10),
        ("config:9-3", Backwards, 7..10),
        // perf reads it and then rejects every term of that format;
        ("config5:0-7", UnknownWord, 0..7),
        // the documentation of sysfs does not define such a word;
        ("config0:0-7", UnknownWord, 0..7),
        // a dropped character could have been significant;
        ("config: 0-7", ExpectedBit, 7..8),
        (" config:0-7", UnknownWord, 0..7),
        // it is unclear which of the two words is meant.
        ("config:0-7config1:0-3", ExpectedSeparator, 10..11),
        ("config:0-7\nconfig1:0-3", ExpectedSeparator, 10..11),
    ];
    for (text, kind, span) in cases {
        let error = Format::parse(text).unwrap_err();
        assert_eq!(
            (error.fault(), error.span()),
            (located::Fault::Format(*kind), span.clone()),
            "{text:?}"
        );
        assert!(text.get(error.span()).is_some(), "{text:?}");
        assert!(error.to_string().starts_with(&std::format!("byte {}: ", span.start)));
    }
}

/// A generator that returns the same numbers in every run (splitmix64).
fn numbers(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// Bit by bit, as the rule is stated.
fn scattered(mask: u64, value: u64) -> u64 {
    let places = (0..64).filter(|bit| mask >> bit & 1 == 1);
    places.enumerate().map(|(n, bit)| (value >> n & 1) << bit).sum()
}

#[test]
fn scatter_and_gather() {
    let mut next = numbers(1);
    let edges = [0, 1, 1 << 63, u64::MAX, u64::MAX - 1, u64::MAX >> 1, 0x5555_5555_5555_5555];
    let random = (0..2000).map(|n| match n % 3 {
        0 => next(),
        1 => next() & next() & next(),
        _ => next() | next() | next(),
    });
    let masks: std::vec::Vec<_> = edges.into_iter().chain(random).collect();
    for mask in masks {
        let format = Format::new(Word::Config1, mask);
        assert_eq!(format.max().count_ones(), mask.count_ones());
        for value in [0, 1, format.max(), next() & format.max()] {
            if value > format.max() {
                continue;
            }
            let word = format.scatter(value).unwrap();
            assert_eq!(word, scattered(mask, value), "{mask:#x} {value:#x}");
            assert_eq!(word & !mask, 0);
            assert_eq!(format.gather(word | !mask), value, "{mask:#x}");
        }
        if let Some(beyond) = format.max().checked_add(1) {
            assert_eq!(format.scatter(beyond), Err(TooLarge { value: beyond, max: format.max() }));
        }
        if mask != 0 {
            assert_eq!(Format::parse(&format.to_string()), Ok(format));
        }
    }
}

#[test]
fn random_texts_do_not_panic() {
    let mut next = numbers(2);
    let pieces = ["config", "1", "3", ":", "-", ",", "0", "63", "64", " ", "\n", "x", "\u{e4}"];
    for _ in 0..20_000 {
        let text: std::string::String =
            (0..next() % 9).map(|_| pieces[next() as usize % pieces.len()]).collect();
        match Format::parse(&text) {
            Ok(format) => assert_ne!(format.mask(), 0, "{text:?}"),
            Err(error) => assert!(text.get(error.span()).is_some(), "{text:?}"),
        }
    }
}

#[test]
fn the_nearest_name() {
    const ANY: Format = match Format::parse("config:0-7") {
        Ok(format) => format,
        Err(_) => panic!(),
    };
    let formats =
        Formats::new(&[("umask", ANY), ("filter_op", ANY), ("filter_tid", ANY), ("inv", ANY)]);
    let cases = [
        ("unask", Some("umask")),
        // At most a third of the letters may differ.
        ("unaks", None),
        ("in", None),
        ("inx", Some("inv")),
        ("inv", Some("inv")),
        // The first of two equally similar names, and the more similar one in
        // any position.
        ("filter_xp", Some("filter_op")),
        ("filter_id", Some("filter_tid")),
        ("filter_td", Some("filter_tid")),
        ("filter_oid", Some("filter_tid")),
        ("filter_p", Some("filter_op")),
        ("filter_t", Some("filter_op")),
        ("filter_tid", Some("filter_tid")),
        ("", None),
    ];
    for (name, nearest) in cases {
        assert_eq!(formats.nearest(name), nearest, "{name}");
    }
}

#[test]
fn what_is_shown() {
    let bits = Format::parse("config1:0-3").unwrap();
    let named = [("umask", bits), ("inv", bits)];
    let formats = Formats::new(&named);
    assert_eq!(formats.to_string(), "umask, inv");
    assert_eq!(Formats::new(&[]).to_string(), "");
    for &word in Word::ALL {
        let format = std::format!("{word}:1-2");
        assert_eq!(Format::parse(&format).map(Format::word), Ok(word), "{format}");
        assert_eq!(word.name().parse(), Ok(word));
    }
    for other in ["config5", "Config", "", "umask"] {
        assert!(other.parse::<Word>().is_err(), "{other}");
    }
    for shown in ["config:5", "config1:0,2,4-6", "config2:0-63", "config3:63", "config:0-7,32-35"] {
        assert_eq!(Format::parse(shown).map(|format| format.to_string()).as_deref(), Ok(shown));
    }
    assert_eq!(bits.word().to_string(), "config1");
    let error = Format::parse("config:9-3").unwrap_err();
    assert_eq!(error.to_string(), "byte 7: range ends before it starts");
    let error = TooLarge { value: 0x1f, max: 0xf };
    assert_eq!(error.to_string(), "0x1f is too large: at most 0xf fits");
}
