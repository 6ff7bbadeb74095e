//! The place of a formula in its file.

use std::iter::Peekable;
use std::str::CharIndices;

use crate::entry::fields::Value;
use crate::faults::{Place, narrow};
use crate::files::Files;

/// The place of a byte of a value, past the escapes of its JSON string.
pub(super) fn within(value: &Value<'_>, offset: usize, files: &Files) -> Place {
    Within::new(value, files).at(offset)
}

/// The places of a value's bytes, from its head to its end: a value with many
/// faults is walked along once.
pub(super) struct Within<'s> {
    value: Place,
    raw: Peekable<CharIndices<'s>>,
    decoded: usize,
}

impl<'s> Within<'s> {
    pub(super) fn new(value: &Value<'_>, files: &'s Files) -> Self {
        let file = &files[value.place.file];
        let mut raw = file.text[value.place.offset as usize..].char_indices().peekable();
        // The quotation mark.
        raw.next();
        Within { value: value.place, raw, decoded: 0 }
    }

    /// The place of a byte that is not before the last one.
    pub(super) fn at(&mut self, offset: usize) -> Place {
        while self.decoded < offset {
            match self.raw.next() {
                Some((_, '\\')) => match self.raw.next() {
                    Some((_, 'u')) => {
                        // A code point, or half of one: its length in UTF-8 is
                        // not worth a decoder here; expressions are ASCII.
                        self.raw.nth(3);
                        self.decoded += 1;
                    }
                    Some(_) => self.decoded += 1,
                    None => break,
                },
                Some((_, c)) => self.decoded += c.len_utf8(),
                None => break,
            }
        }
        let at = self.raw.peek().map_or(0, |&(at, _)| at);
        Place { offset: self.value.offset + narrow(at), ..self.value }
    }
}
