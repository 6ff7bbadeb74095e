//! An event and what is said of it.

use std::collections::{BTreeSet, HashMap};

use crate::record::{Encoding, Record};

/// An event and what is said of it.
pub(super) struct Said<'a> {
    pub(super) arch: &'a str,
    pub(super) record: &'a Record,
    pub(super) name: String,
    /// The brief description, without the note that the event is deprecated.
    pub(super) brief: &'a str,
    /// Both descriptions, in small letters.
    pub(super) text: String,
    /// The units of the model's uncore: a CHA is on a mesh, an EDC has MCDRAM.
    pub(super) units: &'a BTreeSet<&'a str>,
    /// The other events of the table that are not deprecated, by encoding.
    pub(super) others: &'a HashMap<Encoding, BTreeSet<&'a str>>,
}

impl Said<'_> {
    pub(super) fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }

    /// The parts of the name: `L1D`, `CACHE`, …
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        self.name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
    }

    pub(super) fn has_part(&self, wanted: &[&str]) -> bool {
        self.parts().any(|part| wanted.contains(&part))
    }

    pub(super) fn is_set(&self, key: &str) -> bool {
        self.record.get(key).is_some()
    }
}
