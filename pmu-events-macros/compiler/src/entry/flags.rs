//! The flags of an object, by the list that the core has of them.

use pmu_events_core::__private::flags::{Flag, InPerf};

use super::fields::Fields;
use super::keys::{Key, Kind};
use crate::options::Encoding;

/// The key of each flag.
const KEYS: [(Flag, Key); Flag::ALL.len()] = {
    let mut keys = [(Flag::ALL[0], Key::ArchStdEvent); Flag::ALL.len()];
    let mut number = 0;
    while number < keys.len() {
        let flag = Flag::ALL[number];
        let key = Key::spelt(flag.key());
        assert!(matches!(key.kind(), Kind::Flag));
        keys[number] = (flag, key);
        number += 1;
    }
    let (mut number, mut flags) = (0, 0);
    while number < Key::ALL.len() {
        flags += matches!(Key::ALL[number].1.kind(), Kind::Flag) as usize;
        number += 1;
    }
    assert!(flags == keys.len(), "`flags!` lacks a flag of `keys!`");
    keys
};

/// What an object says of each flag: yes, no or nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    said: u16,
    set: u16,
}

impl Flags {
    pub(crate) fn read(fields: &mut Fields<'_, '_>, encoding: Encoding) -> Self {
        let mut flags = Flags::default();
        for &(flag, key) in &KEYS {
            // Most objects have one flag or none, and the macro runs unoptimised.
            if fields.raw(key).is_none() {
                continue;
            }
            let value = match flag.in_perf() {
                InPerf::Value => fields.flag(key),
                InPerf::Presence => fields.loose_flag(key, Some(true)),
                InPerf::Lost if encoding == Encoding::Perf => None,
                InPerf::Ignored | InPerf::Lost => fields.loose_flag(key, None),
            };
            if let Some(is_set) = value {
                flags = flags.with(flag, is_set);
            }
        }
        flags
    }

    /// The same, but with this said of one flag.
    pub(crate) fn with(self, flag: Flag, is_set: bool) -> Self {
        let set = if is_set { self.set | flag.bit() } else { self.set & !flag.bit() };
        Flags { said: self.said | flag.bit(), set }
    }

    /// Takes what is said of flags of which this says nothing.
    pub(crate) fn inherit(&mut self, standard: Flags) {
        self.set |= standard.set & !self.said;
        self.said |= standard.said;
    }

    pub(crate) fn has(self, flag: Flag) -> bool {
        self.set & flag.bit() != 0
    }

    /// As the records have them.
    pub(crate) fn bits(self) -> u16 {
        self.set
    }

    #[cfg(test)]
    pub(crate) fn get(self, flag: Flag) -> Option<bool> {
        (self.said & flag.bit() != 0).then(|| self.has(flag))
    }
}
