//! Where a formula stands in its file.

use crate::fault::Place;
use crate::fields::Value;
use crate::source::Source;

/// The place of a byte of a value, past the escapes of its JSON string.
pub(super) fn within(value: &Value<'_>, offset: usize, source: &Source) -> Place {
    let text = &source.files[value.place.file as usize].text[value.place.offset as usize..];
    let mut raw = text.char_indices().skip(1).peekable();
    let mut decoded = 0;
    while decoded < offset {
        match raw.next() {
            Some((_, '\\')) => match raw.next() {
                Some((_, 'u')) => {
                    // A code point, or half of one: its length in UTF-8 is not
                    // worth a decoder here; expressions are ASCII.
                    raw.nth(3);
                    decoded += 1;
                }
                Some(_) => decoded += 1,
                None => break,
            },
            Some((_, c)) => decoded += c.len_utf8(),
            None => break,
        }
    }
    let at = raw.peek().map_or(0, |&(at, _)| at);
    Place { offset: value.place.offset + at as u32, ..value.place }
}
