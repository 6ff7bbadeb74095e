extern crate std;
use std::vec::Vec;

use crate::wire::made::Made;
use crate::wire::record::{
    EventRecord, Extras, GroupRecord, MetricRecord, MetricTraits, SuccessorRecord, Traits,
};
use crate::wire::{BRIEF, HEADER, PUBLIC, SECTIONS, Section, StrRef, VERSION, WIDE, Wire};

#[test]
fn header() {
    assert_eq!((SECTIONS, HEADER), (36, 152));
    let mut made = Made { flags: 0x0102, short_codes: 0x0304, ..Made::default() };
    made.strings.push_str("text");
    made.section(Section::Pmus).extend([1, 2]);
    made.section(Section::Compats).extend([3]);
    let tables = made.tables();
    let [version, _] = VERSION.to_le_bytes();
    assert_eq!(tables[..12], [version, 0, 2, 1, 4, 3, 36, 0, 154, 0, 0, 0]);
    let wire = Wire::read(&made.strings, &tables).expect("the header is whole");
    assert_eq!(wire.section(Section::Pmus), [1, 2]);
    assert!(wire.section(Section::Topics).is_empty());
    assert_eq!(wire.section(Section::Compats), [3]);
    assert_eq!(wire.short_codes(), 0x0304);
    assert_eq!(wire.size(), HEADER + 3 + 4);
    let flags: Vec<u16> = (0..16).map(|bit| 1 << bit).filter(|flag| wire.has(*flag)).collect();
    assert_eq!(flags, [0x0002, 0x0100]);
    assert!(wire.has(WIDE | BRIEF), "one of them is set");
}

/// Bytes of another version, or fewer than the header states, are not tables.
#[test]
fn refused_headers() {
    let mut made = Made::default();
    made.section(Section::Pmus).extend([1, 2]);
    made.section(Section::Topics).extend([3]);
    let whole = made.tables();
    let [version, _] = VERSION.to_le_bytes();
    let end_of = |section: Section| 8 + 4 * section as usize;
    let cases: &[(&str, usize, u8, bool)] = &[
        ("as it is", 0, version, true),
        ("an older version", 0, version - 1, false),
        ("a newer version", 0, version + 1, false),
        ("fewer sections", 6, 35, false),
        ("more sections", 6, 37, false),
        ("a first section of no byte", end_of(Section::Pmus), 152, true),
        ("a section within the header", end_of(Section::Pmus), 151, false),
        ("a section that ends before it begins", end_of(Section::Topics), 153, false),
        ("a section that ends behind all bytes", end_of(Section::Fallbacks), 156, false),
        ("bytes behind the last section", end_of(Section::Fallbacks), 155, true),
    ];
    for (what, at, byte, is_read) in cases {
        let mut tables = whole.clone();
        tables[*at] = *byte;
        assert_eq!(Wire::read("", &tables).is_some(), *is_read, "{what}");
    }
    for len in 0..whole.len() {
        assert!(Wire::read("", &whole[..len]).is_none(), "{len} bytes");
    }
}

#[test]
fn strings() {
    let mut made = Made::default();
    let (first, second) = (made.string("cpu"), made.string("\u{b5}s"));
    for word in [first.pack(), second.pack()] {
        made.section(Section::Pmus).extend(word.to_le_bytes());
    }
    let tables = made.tables();
    let wire = Wire::read(&made.strings, &tables).expect("the header is whole");
    assert_eq!((wire.str(first), wire.str(second)), ("cpu", "\u{b5}s"));
    assert_eq!(wire.long(crate::wire::LongRef { offset: 1, len: 2 }), "pu");
    let names = [0, 1, 2, usize::MAX].map(|n| wire.nth_str(Section::Pmus, n));
    assert_eq!(names, ["cpu", "\u{b5}s", "", ""]);
    assert_eq!(wire.optional(first), Some("cpu"));
    assert_eq!(wire.optional(StrRef { offset: 0, len: 0 }), Some(""));
    assert_eq!(wire.optional(StrRef::NONE), None);
    // Beyond the end, and within a character.
    for (offset, len) in [(0, 7), (4, 1), (3, 1), (7, 0), (7, 1)] {
        assert_eq!(wire.str(StrRef { offset, len }), "", "{offset}, {len}");
    }
}

/// Two bytes, or four in a wide tree.
#[test]
fn numbers() {
    let mut made = Made::default();
    made.section(Section::Lists).extend([1, 2, 3, 4, 5, 6, 7, 8]);
    for (flags, size, expected) in [
        (0, 2, [0x0201, 0x0403, 0x0605, 0x0807, 0]),
        (WIDE, 4, [0x0403_0201, 0x0807_0605, 0, 0, 0]),
    ] {
        made.flags = flags;
        let tables = made.tables();
        let wire = Wire::read("", &tables).expect("the header is whole");
        assert_eq!(wire.number_size(), size);
        let numbers = [0, 1, 2, 3, usize::MAX].map(|n| wire.number(Section::Lists, n));
        assert_eq!(numbers, expected);
    }
}

/// Records are followed by the texts that the flags name.
#[test]
fn texts_behind_records() {
    let sections = [(Section::Events, EventRecord::SIZE), (Section::Metrics, MetricRecord::SIZE)];
    let cases = [
        (0, 0u8, [0, 0]),
        (BRIEF, 3, [0x1, 0]),
        (PUBLIC, 3, [0, 0x1]),
        (BRIEF | PUBLIC, 6, [0x1, 0x2]),
    ];
    for (flags, texts, [brief, public]) in cases {
        let mut made = Made { flags, ..Made::default() };
        // Each text reference has the number of its record above its own.
        for (section, size) in sections {
            for record in 0..3u8 {
                made.section(section).extend(std::vec![0xee; size]);
                for text in 1..=texts / 3 {
                    made.section(section).extend([text, 0, record]);
                }
            }
        }
        let tables = made.tables();
        let wire = Wire::read("", &tables).expect("the header is whole");
        assert_eq!(wire.event_size(), EventRecord::SIZE + usize::from(texts), "{flags}");
        assert_eq!(wire.metric_size(), MetricRecord::SIZE + usize::from(texts), "{flags}");
        assert_eq!(wire.event_count(), 3);
        for (record, number) in [0u32, 1, 2].into_iter().zip(0..) {
            let own = |text: u32| if text == 0 { 0 } else { record << 16 | text };
            let found = [BRIEF, PUBLIC].map(|which| wire.event_text(number, which));
            assert_eq!(found, [brief, public].map(own), "event {number}, {flags}");
            let found = [BRIEF, PUBLIC].map(|which| wire.metric_text(number, which));
            assert_eq!(found, [brief, public].map(own), "metric {number}, {flags}");
            assert_eq!(wire.event_record(number).traits, 0xeeee);
            assert_eq!(wire.metric_record(number).traits, 0xeeee_eeee);
        }
        for number in [3, usize::MAX] {
            assert_eq!(wire.event_text(number, BRIEF), 0);
            assert_eq!(wire.metric_text(number, PUBLIC), 0);
            assert_eq!(wire.event_record(number).traits, 0);
            assert_eq!(wire.metric_record(number).pmu, 0);
        }
    }
}

#[test]
fn records_by_their_number() {
    let mut made = Made::default();
    for number in 0..3u8 {
        made.section(Section::Traits).extend([number + 1; Traits::SIZE]);
        made.section(Section::Extras).extend([number + 1; Extras::SIZE]);
        made.section(Section::MetricTraits).extend([number + 1; MetricTraits::SIZE]);
        made.section(Section::Groups).extend([number + 1; GroupRecord::SIZE]);
    }
    made.section(Section::Metrics).resize(17 * MetricRecord::SIZE, 0);
    let tables = made.tables();
    let wire = Wire::read("", &tables).expect("the header is whole");
    assert_eq!([0, 1, 2, 3].map(|number| wire.traits(number).pmu), [0x0101, 0x0202, 0x0303, 0]);
    let topics = [0, 1, 2, 3].map(|number| wire.metric_traits(number).topic);
    assert_eq!(topics, [0x0101, 0x0202, 0x0303, 0]);
    // Number 0 means none.
    let masks = [0, 1, 3, 4].map(|number| wire.extras(number).map(|e| e.sample_after & 0xff));
    assert_eq!(masks, [None, Some(1), Some(3), Some(0)]);
    // 17 metrics: three bytes of bits.
    assert_eq!(wire.member_numbers(), 2);
}

/// They are found by the event's number, wherever they stand.
#[test]
fn successors() {
    let mut made = Made::default();
    let name = made.string("NEW");
    for event in [2, 5, 70_000] {
        made.put(Section::Successors, |put| SuccessorRecord { event, name }.write(put));
    }
    let tables = made.tables();
    let wire = Wire::read(&made.strings, &tables).expect("the header is whole");
    for (event, expected) in [
        (0, None),
        (2, Some("NEW")),
        (3, None),
        (5, Some("NEW")),
        (70_000, Some("NEW")),
        (70_001, None),
        (usize::MAX, None),
    ] {
        assert_eq!(wire.optional(wire.successor(event)), expected, "{event}");
    }
    let none = Made::default();
    let tables = none.tables();
    assert!(Wire::read("", &tables).expect("the header is whole").successor(0).is_none());
}
