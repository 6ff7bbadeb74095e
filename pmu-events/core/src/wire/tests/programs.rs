extern crate std;
use std::vec::Vec;

use crate::expr::item::LITERALS;
use crate::expr::{Function, Identifier, Operator, Query};
use crate::wire::made::Made;
use crate::wire::program::{Name, Program, Step};
use crate::wire::record::{FormulaRecord, ReferenceRecord};
use crate::wire::{Section, Wire};

fn written(step: Step) -> Vec<u8> {
    let mut bytes = Vec::new();
    step.write(&mut |written| bytes.extend_from_slice(written));
    bytes
}

/// The table in the documentation of `program`.
#[test]
fn steps() {
    let mut cases: Vec<(Step, Vec<u8>)> = [
        (Step::Identifier(0), &[0x00][..]),
        (Step::Identifier(0x5f), &[0x5f]),
        (Step::Identifier(0x60), &[0xe0, 0x60]),
        (Step::Identifier(255), &[0xe0, 255]),
        (Step::Constant(0), &[0x60]),
        (Step::Constant(0x7f), &[0xdf]),
        (Step::Constant(0x80), &[0xe1, 0x80, 0]),
        (Step::Constant(0x1234), &[0xe1, 0x34, 0x12]),
        (Step::Negate, &[0xe4]),
        (Step::IfElse, &[0xe5]),
    ]
    .map(|(step, bytes)| (step, bytes.to_vec()))
    .to_vec();
    cases.extend(
        (0..)
            .zip(LITERALS.iter().copied())
            .map(|(n, one)| (Step::Literal(one), [0xe2, n].to_vec())),
    );
    cases.extend(
        (0..)
            .zip(Query::ALL.iter().copied())
            .map(|(n, one)| (Step::Query(one, 7), [0xe3, n, 7].to_vec())),
    );
    cases.extend(
        (0xe6..)
            .zip(Operator::ALL.iter().copied())
            .map(|(n, one)| (Step::Binary(one), [n].to_vec())),
    );
    cases.extend(
        (0xf0..)
            .zip(Function::ALL.iter().copied())
            .map(|(n, one)| (Step::Function(one), [n].to_vec())),
    );
    for (step, bytes) in cases {
        assert_eq!(written(step), bytes, "{step:?}");
        let whole = [&bytes[..], &[0xaa]].concat();
        assert_eq!(Step::read(&whole), Some((step, &[0xaa][..])));
        for len in 0..bytes.len() {
            assert_eq!(Step::read(&bytes[..len]), None, "{len} bytes of {step:?}");
        }
        // The shortcuts agree.
        let [first] = bytes[..] else {
            continue;
        };
        let (mut identifier, mut constant, mut operator) = (None, None, None);
        match step {
            Step::Identifier(number) => identifier = Some(number),
            Step::Constant(number) => constant = Some(number),
            Step::Binary(one) => operator = Some(one),
            _ => {}
        }
        assert_eq!(Step::short_identifier(first), identifier, "{step:?}");
        assert_eq!(Step::short_constant(first), constant, "{step:?}");
        assert_eq!(Step::operator(first), operator, "{step:?}");
    }
}

/// Bytes that are not a step, and incomplete steps.
#[test]
fn bytes_that_are_no_step() {
    let functions = 0xf0 + u8::try_from(Function::ALL.len()).expect("few");
    for first in functions..=0xff {
        assert_eq!(Step::read(&[first, 0, 0]), None, "{first:#x}");
    }
    let literals = u8::try_from(LITERALS.len()).expect("few");
    let queries = u8::try_from(Query::ALL.len()).expect("few");
    for code in [[0xe2, literals, 0], [0xe3, queries, 0]] {
        assert_eq!(Step::read(&code), None, "{code:?}");
    }
    for first in 0xe0..=0xe5 {
        assert_eq!(Step::short_identifier(first), None);
        assert_eq!(Step::short_constant(first), None);
        assert_eq!(Step::operator(first), None);
    }
}

#[test]
fn programs() {
    let mut made = Made::default();
    let event = made.string("CYCLES").pack();
    let reference = ReferenceRecord { first: 3, count: 2 };
    made.put(Section::References, |put| {
        ReferenceRecord { first: 1, count: 1 }.write(put);
        reference.write(put);
    });
    for number in [0.5f64, 100.0] {
        made.section(Section::Constants).extend(number.to_le_bytes());
    }
    let code = [0x00, 0x61, 0xed];
    made.section(Section::Programs).push(0xee);
    made.put(Section::Programs, |put| {
        Program::write(2, &[event, 1], &code, put).expect("there are few");
    });
    assert_eq!(made.section(Section::Programs)[1..5], [2, 2, 3, 0]);
    let formula = FormulaRecord { program: 1 };
    made.put(Section::Formulas, |put| formula.write(put));
    let tables = made.tables();
    let wire = Wire::read(&made.strings, &tables).expect("the header is whole");

    let numbers = [0, 1, 2, u16::MAX];
    assert_eq!(numbers.map(|number| wire.formula(number)), [None, Some(formula), None, None]);
    let program = wire.program(&formula);
    let packed = program.code();
    assert_eq!((packed.depth, program.identifier_count(), packed.steps), (2, 2, &code[..]));
    assert_eq!([0, 1, 2, 255].map(|n| program.identifier(n)), [event, 1, 0, 0]);
    assert_eq!([0, 1, 2, u16::MAX].map(|n| packed.constant(n)), [0.5, 100.0, 0.0, 0.0]);
    assert_eq!(wire.name(event), Name::Event(Identifier::new("CYCLES")));
    assert_eq!(wire.name(1), Name::Metric(reference));
    assert_eq!(wire.name(2), Name::Metric(ReferenceRecord { first: 0, count: 0 }));

    // Truncated bytes are no program; the constants remain.
    for program in [2, 14, 15, 16, 17, 18, u32::MAX] {
        let program = wire.program(&FormulaRecord { program });
        let code = program.code();
        assert_eq!((code.depth, program.identifier_count(), code.steps), (0, 0, &[][..]));
        assert_eq!(code.constant(1), 100.0);
    }
}

/// The numbers of identifiers and code have one and two bytes.
#[test]
fn programs_without_room() {
    let bytes = |identifiers: usize, code: usize| {
        let mut bytes = 0;
        let (identifiers, code) = (std::vec![0; identifiers], std::vec![0; code]);
        let written = Program::write(1, &identifiers, &code, &mut |written| bytes += written.len());
        (written.is_ok(), bytes)
    };
    assert_eq!(bytes(255, 65_535), (true, 4 + 4 * 255 + 65_535));
    assert_eq!(bytes(256, 1), (false, 0));
    assert_eq!(bytes(1, 65_536), (false, 0));
}
