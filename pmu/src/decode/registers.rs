//! Events with a register of their own that exists twice: the second has another code.

use pmu_events::format::{Format, Formats, Words};

use super::coded::Coded;

/// The codes of the second and the first offcore register, where the unit mask does not tell them
/// apart (`intel_fixup_er` in `arch/x86/events/intel/core.c`; perfmon's lists of codes).
const SECOND: [(u64, u64); 2] = [(0xbb, 0xb7), (0x2b, 0x2a)];

/// The words with the code of the first register, which tables have, if they have that of the
/// second.
pub(crate) fn first(words: Words, events: &[Coded], formats: Formats<'_>) -> Words {
    let [Some(event), Some(umask)] = ["event", "umask"].map(|term| formats.find(term)) else {
        return words;
    };
    // Without a value for the register, there is no second code.
    if words.iter().skip(1).all(|(_, bits)| bits == 0) {
        return words;
    }
    let is_second = |own: &&Coded| {
        let codes = (event.value_in(words), event.value_in(own.words));
        let masks = (umask.value_in(words), umask.value_in(own.words));
        let mut of_registers = own.of.event.msr_umasks().map(|(_, umask)| umask);
        let registers = (of_registers.next(), of_registers.next());
        SECOND.contains(&codes) && is_all_but(event, own.words, words)
            || registers == (Some(masks.1), Some(masks.0)) && is_all_but(umask, own.words, words)
    };
    let has_two = |own: &&Coded| own.of.event.msr().is_some_and(|msr| msr.other().is_some());
    events.iter().filter(has_two).find(is_second).map_or(words, |own| own.words)
}

/// Whether words differ in one term at most.
fn is_all_but(term: Format, one: Words, other: Words) -> bool {
    let left = one.difference(other);
    left.with(term.word(), left.get(term.word()) & !term.mask()).is_empty()
}
