//! JSON into objects whose every key and value knows its place.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::fault::{Faults, Place, quoted};
use crate::source::Source;
use crate::steps;

/// A key or value as it stands in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'t> {
    /// With its quotes, if it is a string.
    pub(crate) text: &'t str,
    pub(crate) place: Place,
}

impl<'t> Raw<'t> {
    /// The string that a JSON text stands for; `None` if it is no string.
    pub(crate) fn string(&self) -> Option<Cow<'t, str>> {
        let inner = self.text.strip_prefix('"')?.strip_suffix('"')?;
        if inner.contains('\\') {
            return serde_json::from_str(self.text).ok().map(Cow::Owned);
        }
        Some(Cow::Borrowed(inner))
    }

    pub(crate) fn is_null(&self) -> bool {
        self.text == "null"
    }

    /// The text of a JSON number.
    pub(crate) fn number(&self) -> Option<&'t str> {
        self.text.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then_some(self.text)
    }

    /// Why it is not the string that it should be.
    pub(crate) fn why_no_string(&self) -> String {
        if self.text.starts_with('"') {
            return "has an escape that is no character".to_owned();
        }
        format!("must be a string, found {}", self.kind())
    }

    /// What kind of value it is, for a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self.text.as_bytes().first() {
            Some(b'"') => "a string",
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }
}

/// One object of a file.
#[derive(Debug)]
pub(crate) struct Object<'t> {
    pub(crate) place: Place,
    pub(crate) fields: Vec<(Raw<'t>, Raw<'t>)>,
}

/// The objects of a file that must be an array of such; `None` if it is none,
/// which is reported.
pub(crate) fn array<'t>(
    source: &'t Source,
    file: u32,
    faults: &mut Faults,
) -> Option<Vec<Object<'t>>> {
    let text = source.files[file as usize].text.as_str();
    let items: Vec<Fields<'t>> = match serde_json::from_str(text) {
        Ok(items) => items,
        Err(error) if error.is_data() => {
            not_objects(text, file, faults);
            return None;
        }
        Err(error) => {
            syntax(text, file, "an array of objects", &error, faults);
            return None;
        }
    };
    let mut objects = Vec::with_capacity(items.len());
    let mut starts = None;
    for (number, Fields(fields)) in items.into_iter().enumerate() {
        // The brace before the first key is where the object is; empty objects
        // have nothing that knows its place.
        let brace = match fields.first() {
            Some((key, _)) => text[..offset(text, key.get())].rfind('{').unwrap_or(0),
            None => {
                let starts = starts.get_or_insert_with(|| item_offsets(text));
                starts.get(number).copied().unwrap_or(0)
            }
        };
        let place = Place { file, offset: brace as u32 };
        objects.push(Object { place, fields: places(text, file, fields) });
    }
    Some(objects)
}

/// Where each item of the array begins.
fn item_offsets(text: &str) -> Vec<usize> {
    steps::count(text.len());
    let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
    items.into_iter().map(|item| offset(text, item.get())).collect()
}

/// Reports every item that is no object, or that the whole is no array.
fn not_objects(text: &str, file: u32, faults: &mut Faults) {
    let start = text.len() - text.trim_start().len();
    let mut report = |offset: usize, wanted: &str| {
        let place = Place { file, offset: offset as u32 };
        let found = Raw { text: &text[offset..], place }.kind();
        faults.unread(place, format!("expected {wanted}, found {found}"));
    };
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(items) => {
            let wrong = items.iter().filter(|item| !item.get().starts_with('{'));
            wrong.for_each(|item| report(offset(text, item.get()), "an object"));
        }
        Err(_) if text[start..].starts_with('[') => {
            let first = start + 1 + text[start + 1..].len() - text[start + 1..].trim_start().len();
            report(first, "an object");
        }
        Err(_) => report(start, "an array of objects"),
    }
}

/// The keys and values of a file that must be one object.
pub(crate) fn object<'t>(
    source: &'t Source,
    file: u32,
    faults: &mut Faults,
) -> Vec<(Raw<'t>, Raw<'t>)> {
    let text = source.files[file as usize].text.as_str();
    match serde_json::from_str::<Fields<'t>>(text) {
        Ok(fields) => places(text, file, fields.0),
        Err(error) => {
            syntax(text, file, "an object", &error, faults);
            Vec::new()
        }
    }
}

fn places<'t>(text: &str, file: u32, fields: RawFields<'t>) -> Vec<(Raw<'t>, Raw<'t>)> {
    let raw = |value: &'t RawValue| {
        let value = value.get();
        Raw { text: value, place: Place { file, offset: offset(text, value) as u32 } }
    };
    fields.into_iter().map(|(key, value)| (raw(key), raw(value))).collect()
}

/// Where a slice of a text lies in it.
fn offset(text: &str, slice: &str) -> usize {
    slice.as_ptr() as usize - text.as_ptr() as usize
}

/// Reports what serde_json says of a text, at its place and in plain words.
fn syntax(text: &str, file: u32, wanted: &str, error: &serde_json::Error, faults: &mut Faults) {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let in_string = message.starts_with("control character");
    let line_start = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    // This one is reported at the character before it.
    let column = error.column().saturating_sub(1) + usize::from(in_string);
    let mut offset = (line_start + column).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let plain = match message {
        "EOF while parsing a list" => "the text ends within an array",
        "EOF while parsing an object" => "the text ends within an object",
        "EOF while parsing a string" => "the text ends within a string",
        "EOF while parsing a value" => "the text ends where a value should be",
        "expected ident" => "expected `true`, `false` or `null`",
        "trailing characters" => "trailing characters",
        "trailing comma" => "trailing comma",
        "lone leading surrogate in hex escape" => "an escape is half a character",
        _ if in_string => "line end or control character in a string",
        other => other,
    };
    let message = if text.trim().is_empty() {
        format!("expected {wanted}, found an empty file")
    } else if error.is_data() {
        let place = Place { file, offset: 0 };
        let found = Raw { text: text.trim_start(), place }.kind();
        offset = text.len() - text.trim_start().len();
        format!("expected {wanted}, found {found}")
    } else {
        let near = text[offset..].lines().next().unwrap_or_default();
        let near = if near.is_empty() { String::new() } else { format!(" at {}", quoted(near)) };
        format!("invalid JSON: {plain}{near}")
    };
    faults.unread(Place { file, offset: offset as u32 }, message);
}

type RawFields<'t> = Vec<(&'t RawValue, &'t RawValue)>;

struct Fields<'t>(RawFields<'t>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(12);
                while let Some(key) = map.next_key::<&'de RawValue>()? {
                    fields.push((key, map.next_value()?));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Object)
    }
}
