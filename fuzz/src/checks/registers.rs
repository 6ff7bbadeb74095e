//! Registers: any config words.

use pmu_events::builtin;
use pmu_events::format::{Formats, Word, Words};
use pmu_events::register::arm::{self, ExceptionLevels};
use pmu_events::register::{Control, Error, Write, amd, intel};

use super::numbers::Numbers;

/// User, kernel, interrupt and enable, which belong to no event.
const CONTROL: u64 = 1 << 16 | 1 << 17 | 1 << 20 | 1 << 22;

pub fn check(data: &[u8]) {
    let mut numbers = Numbers(data);
    let flags = numbers.byte();
    let flag = |n: u8| flags >> n & 1 == 1;
    let flags = [0, 1, 2, 3].map(flag);
    let [user, kernel, interrupt, enable] = flags;
    let control = Control::COUNT
        .with_user(user)
        .with_kernel(kernel)
        .with_interrupt(interrupt)
        .with_enable(enable);
    let config = numbers.word();
    is_event_and_control(intel::selector(config, control), config, flags);
    is_event_and_control(amd::selector(config, control), config, flags);
    // What the formats can set, the register can hold.
    is_event_and_control(amd::selector(config & bits(builtin::AMD), control), config, flags);
    assert!(amd::selector(config & bits(builtin::AMD), control).is_ok());
    for formats in [builtin::INTEL, builtin::INTEL_V6] {
        assert!(intel::selector(config & bits(formats), control).is_ok());
    }

    let filter = ExceptionLevels::ALL.with_el0(flag(0)).with_el1(flag(1)).with_el2(flag(2));
    let word = |words: Words, &word: &Word| words.with(word, numbers.word());
    let words = Word::ALL.iter().skip(1).fold(Words::new(config), word);
    if let Ok(value) = arm::event_type_of(words, filter) {
        assert_eq!(value & 0xffff, config & 0xffff);
        let levels = 1 << 31 | 1 << 30 | 1 << 27;
        assert_eq!(value & levels, arm::cycle_filter(filter) & levels);
    }
    let old = words.get(Word::Config3);
    let (value, mask) = (words.get(Word::Config1), words.get(Word::Config2));
    let write = Write::new(0, value, mask);
    let written = write.over(old);
    assert_eq!(written & write.mask(), write.value() & write.mask());
    assert_eq!(written & !write.mask(), old & !write.mask());
}

/// The bits of `config` that formats set.
fn bits(formats: Formats<'_>) -> u64 {
    let of_config = formats.as_slice().iter().filter(|(_, format)| format.word() == Word::Config);
    of_config.fold(0, |bits, (_, format)| bits | format.mask())
}

fn is_event_and_control(selector: Result<u64, Error>, config: u64, flags: [bool; 4]) {
    match selector {
        Ok(selector) => {
            for (bit, set) in [16, 17, 20, 22].into_iter().zip(flags) {
                assert_eq!(selector >> bit & 1 == 1, set, "{bit}");
            }
            assert_eq!(selector & !CONTROL & !config, 0, "no bits but the event's");
        }
        Err(error) => {
            let bits = error.reserved().unwrap_or_else(|| panic!("{error:?}"));
            assert!(bits != 0 && bits & !config == 0, "{bits:#x} {config:#x}");
        }
    }
}
