//! Hand-made tables for tests.

extern crate std;
use std::string::String;
use std::vec::Vec;

use super::{HEADER, LongRef, SECTIONS, Section, StrRef, VERSION};

/// The `strings` and `tables` of a tree under construction.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) flags: u16,
    pub(crate) short_codes: u16,
    pub(crate) strings: String,
    pub(crate) sections: [Vec<u8>; SECTIONS],
}

impl Default for Made {
    fn default() -> Self {
        let sections = core::array::from_fn(|_| Vec::new());
        Made { flags: 0, short_codes: 0, strings: String::new(), sections }
    }
}

impl Made {
    /// The bytes of a section so far.
    pub(crate) fn section(&mut self, section: Section) -> &mut Vec<u8> {
        &mut self.sections[section as usize]
    }

    /// Appends a string.
    pub(crate) fn string(&mut self, text: &str) -> StrRef {
        let LongRef { offset, .. } = self.long(text);
        StrRef { offset, len: text.len().try_into().expect("it is short") }
    }

    /// Appends a long string.
    pub(crate) fn long(&mut self, text: &str) -> LongRef {
        let [offset, len] = [self.strings.len(), text.len()].map(|n| n.try_into().expect("few"));
        self.strings.push_str(text);
        LongRef { offset, len }
    }

    /// Appends the bytes of a record, and more, to a section.
    pub(crate) fn put(&mut self, section: Section, write: impl FnOnce(&mut dyn FnMut(&[u8]))) {
        let bytes = self.section(section);
        write(&mut |written| bytes.extend_from_slice(written));
    }

    /// Returns the bytes of the tables.
    pub(crate) fn tables(&self) -> Vec<u8> {
        let count = u16::try_from(SECTIONS).expect("there are few");
        let mut tables = Vec::new();
        for number in [VERSION, self.flags, self.short_codes, count] {
            tables.extend_from_slice(&number.to_le_bytes());
        }
        let mut end = u32::try_from(HEADER).expect("it is short");
        for section in &self.sections {
            end += u32::try_from(section.len()).expect("it is short");
            tables.extend_from_slice(&end.to_le_bytes());
        }
        self.sections.iter().for_each(|section| tables.extend_from_slice(section));
        tables
    }
}
