extern crate std;

use crate::wire::made::Made;
use crate::wire::text::Step;
use crate::wire::{Section, Wire};

/// The codes of a text, with three words of one byte.
#[test]
fn codes() {
    let mut made = Made { short_codes: 3, ..Made::default() };
    for number in 0..600u16 {
        let word = made.string(&std::format!("w{number}")).pack();
        made.section(Section::Words).extend(word.to_le_bytes());
    }
    let cases: &[(&[u8], Step<'_>)] = &[
        (&[0, 3], Step::End),
        (&[1, 3], Step::Stop(1)),
        (&[2, 0], Step::Piece("", 2)),
        (&[2, 2, b'a', b'b', b'c'], Step::Piece("ab", 4)),
        (&[2, 2, 0xc2, 0xb5], Step::Piece("\u{b5}", 4)),
        // Missing bytes, half a character, no length.
        (&[2, 3, b'a', b'b'], Step::End),
        (&[2, 1, 0xc2, 0xb5], Step::End),
        (&[2], Step::End),
        (&[3, 9], Step::Piece("w0", 1)),
        (&[5, 9], Step::Piece("w2", 1)),
        (&[6, 0], Step::Piece("w3", 2)),
        (&[6, 255], Step::Piece("w258", 2)),
        (&[7, 0], Step::Piece("w259", 2)),
        (&[8, 1], Step::Piece("w516", 2)),
        (&[255, 255], Step::Piece("", 2)),
        (&[], Step::End),
    ];
    for (codes, expected) in cases {
        for before in [0, 4] {
            let texts = made.section(Section::Texts);
            texts.clear();
            texts.resize(before, 0xff);
            texts.extend_from_slice(codes);
            let tables = made.tables();
            let wire = Wire::read(&made.strings, &tables).expect("the header is whole");
            // No section follows this one in which a code could continue.
            let expected = match *expected {
                Step::Piece(piece, next) => Step::Piece(piece, next + before),
                Step::Stop(next) => Step::Stop(next + before),
                Step::End => Step::End,
            };
            assert_eq!(wire.text_step(before), expected, "{codes:?}");
        }
    }
}
