extern crate std;

use super::*;
use pmu_events_core::builtin;
use pmu_events_core::format::{Word, Words};

const SAMPLE: Control = Control::KERNEL.with_interrupt(true).with_enable(false);

/// Every bit of a selector belongs to an event or a control, or is rejected.
#[test]
fn selectors_take_what_formats_give() {
    let all = |formats: Formats<'_>| {
        let words = formats.as_slice().iter().filter(|(_, f)| f.word() == Word::Config);
        words.fold(0, |bits, (_, format)| bits | format.mask())
    };
    let control = 1 << 17 | 1 << 20;
    let intel = all(builtin::INTEL) | all(builtin::INTEL_V6);
    assert_eq!(intel::selector(intel, SAMPLE), Ok(intel | control));
    assert_eq!(intel::selector(!0, SAMPLE), Err(Error::new(Fault::Reserved(!intel))));
    assert_eq!(amd::selector(all(builtin::AMD), SAMPLE), Ok(all(builtin::AMD) | control));
    assert_eq!(amd::selector(!0, SAMPLE), Err(Error::new(Fault::Reserved(!all(builtin::AMD)))));
    for formats in [builtin::INTEL, builtin::INTEL_V6, builtin::AMD] {
        assert_eq!(all(formats) & (1 << 16 | 1 << 17 | 1 << 20 | 1 << 22), 0);
    }
}

#[test]
fn a_write_keeps_what_is_not_its_own() {
    for bit in 0..64 {
        let write = Write::new(0x38d, 1 << bit, 1 << bit);
        assert_eq!(write.over(0), 1 << bit);
        assert_eq!(Write::new(0x38d, 0, write.mask()).over(!0), !(1 << bit));
    }
    assert_eq!(Write::whole(0x186, 5).over(!0), 5);
}

#[test]
fn levels_of_arm() {
    use arm::{ExceptionLevels, cycle_filter, event_type_of};
    let cases = [
        (ExceptionLevels::ALL, 1 << 27),
        (ExceptionLevels::EL0, 1 << 31),
        (ExceptionLevels::EL0.with_el0(false).with_el1(true), 1 << 30),
        (ExceptionLevels::EL0.with_el0(false).with_el2(true), 1 << 31 | 1 << 30 | 1 << 27),
    ];
    for (filter, bits) in cases {
        assert_eq!(cycle_filter(filter), bits);
        assert_eq!(event_type_of(Words::new(0x11), filter), Ok(bits | 0x11));
        assert_eq!(
            event_type_of(Words::new(0x1_0011), filter),
            Err(Error::new(Fault::Reserved(0x1_0000)))
        );
    }
    // A comparison without a threshold has no effect.
    assert_eq!(
        event_type_of(Words::new(1).with(Word::Config1, 0b11100), ExceptionLevels::EL0),
        Ok(1 << 31 | 1)
    );
    assert_eq!(
        event_type_of(Words::new(1).with(Word::Config1, 0x1_fffc), ExceptionLevels::EL0),
        Ok(0xe000_0fff_8000_0001)
    );
}

/// Printing an error and its sources repeats no sentence.
#[test]
fn no_sentence_comes_twice() {
    use core::error::Error as _;
    use std::string::ToString;
    let terms = Terms::new("event=x");
    let refused = config::encode(terms, builtin::INTEL).unwrap_err();
    let error = Error::new(Fault::Terms(refused));
    assert_eq!((error.kind(), error.terms()), (ErrorKind::Terms, Some(refused)));
    assert_eq!(error.to_string(), refused.to_string());
    let source = error.source().map(ToString::to_string);
    assert!(source.is_none_or(|source| !error.to_string().contains(&source)));
}
