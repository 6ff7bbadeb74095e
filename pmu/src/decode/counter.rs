//! The counter in codes of POWER: a field of `config`, which may be 0 (`arch/powerpc/perf/isa207-common.h`).

use pmu_events::format::{Format, Formats, Words};

const TERM: &str = "pmc";

#[derive(Clone, Copy)]
pub(crate) struct Counter(Format);

impl Counter {
    /// `None` if codes of these formats name no counter.
    pub(crate) fn of(formats: Formats<'_>) -> Option<Self> {
        formats.find(TERM).map(Counter)
    }

    /// Whether a code leaves the counter to the kernel.
    pub(crate) fn is_none_in(self, words: Words) -> bool {
        self.0.value_in(words) == 0
    }

    /// Whether codes select the same, if the kernel puts them into one counter.
    pub(crate) fn may_be_same(self, one: Words, other: Words) -> bool {
        let is_free = self.is_none_in(one) || self.is_none_in(other);
        one == other || is_free && self.is_same_without(one, other)
    }

    /// Whether codes differ only in the counter, if at all.
    pub(crate) fn is_same_without(self, one: Words, other: Words) -> bool {
        let rest = one.difference(other);
        rest.with(self.0.word(), rest.get(self.0.word()) & !self.0.mask()).is_empty()
    }

    /// The term, and its value in each of two codes.
    pub(crate) fn difference(self, one: Words, other: Words) -> (String, u64, u64) {
        (TERM.into(), self.0.value_in(one), self.0.value_in(other))
    }
}

#[cfg(test)]
mod tests {
    use pmu_events::builtin;

    use super::*;

    #[test]
    fn codes_of_power() {
        let counter = Counter::of(builtin::POWER9).expect("codes name it");
        for (one, other, may_be_same, is_same_without) in [
            (0x200f4, 0x200f4, true, true),
            (0x200f4, 0x600f4, false, true),
            (0x200f4, 0xf4, true, true),
            (0xd8a8, 0x1d8a8, true, true),
            (0x200f4, 0x200f6, false, false),
            (0xf4, 0xf6, false, false),
        ] {
            let [one, other] = [one, other].map(Words::new);
            let found = (counter.may_be_same(one, other), counter.is_same_without(one, other));
            assert_eq!(found, (may_be_same, is_same_without), "{one:?} {other:?}");
        }
        let [one, other] = [0x200f4, 0x600f4].map(Words::new);
        assert_eq!(counter.difference(one, other), ("pmc".into(), 2, 6));
        assert!(Counter::of(builtin::INTEL).is_none());
    }
}
