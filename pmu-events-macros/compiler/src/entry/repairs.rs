//! What perf's script gets wrong, and an entry therefore corrects.

use pmu_events_core::__private::wire::record::differs;

/// A set of reasons why perf counts something different under a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repairs(u8);

impl Repairs {
    /// `UMask` is 0, so that the script drops `UMaskExt` with it.
    pub(crate) const UMASK_EXTENSION: Self = Repairs(differs::UMASK_EXTENSION);
    /// The script drops `ExtSel`.
    pub(crate) const EXT_SEL: Self = Repairs(differs::EXT_SEL);
    /// The script drops `Precise`.
    pub(crate) const PRECISE: Self = Repairs(differs::PRECISE);
    /// The script takes the first of several umasks, which belongs to another
    /// register than the event's.
    pub(crate) const REGISTER: Self = Repairs(differs::REGISTER);

    /// The script writes the value of `Filter1`, a box's second filter register, as
    /// if it were the first's.
    pub(crate) const FILTER: Self = Repairs(differs::FILTER);

    pub(crate) fn insert(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(crate) fn only(self, other: Self) -> Self {
        Repairs(self.0 & other.0)
    }

    /// As the records have it.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// Whether the event string may differ.
    pub(crate) fn is_of_string(self) -> bool {
        self.0 & !Self::PRECISE.0 != 0
    }
}
