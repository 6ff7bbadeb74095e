//! JSON as slices of its text: a slice knows its place.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use pmu_events_core::__private::debug_as_display;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::faults::quoted;

/// The items of an array.
///
/// # Errors
///
/// When the text is something else, or not JSON.
pub fn array(text: &str) -> Result<Vec<&str>, Syntax> {
    let items: Result<Vec<&RawValue>, _> = serde_json::from_str(text);
    let items = items.map_err(|error| Syntax::new(text, "an array", &error))?;
    Ok(items.into_iter().map(RawValue::get).collect())
}

/// The keys, with their quotes, and values of an object, in the order of the
/// text; a key may occur twice.
///
/// # Errors
///
/// When the text is something else, or not JSON.
pub fn object(text: &str) -> Result<Vec<(&str, &str)>, Syntax> {
    let fields: Result<Fields<'_>, _> = serde_json::from_str(text);
    let Fields(fields) = fields.map_err(|error| Syntax::new(text, "an object", &error))?;
    Ok(fields.into_iter().map(|(key, value)| (key.get(), value.get())).collect())
}

/// The string that a JSON text represents; `None` if it is not a string.
#[must_use]
pub fn string(text: &str) -> Option<Cow<'_, str>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str(text).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

/// What kind of value a JSON text is, for a message.
#[must_use]
pub fn kind(text: &str) -> &'static str {
    match text.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// Where a slice of a text lies in it.
#[must_use]
pub fn offset(text: &str, slice: &str) -> usize {
    slice.as_ptr() as usize - text.as_ptr() as usize
}

/// Why a text is not the expected JSON.
#[derive(Clone, PartialEq, Eq)]
pub struct Syntax {
    /// The position in the text.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

/// `byte 12: …`
impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

debug_as_display!(Syntax);

impl Error for Syntax {}

impl Syntax {
    /// serde_json's message about a text, in plain words.
    pub(crate) fn new(text: &str, wanted: &str, error: &serde_json::Error) -> Self {
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
            let found = kind(text.trim_start());
            offset = text.len() - text.trim_start().len();
            format!("expected {wanted}, found {found}")
        } else {
            let near = text[offset..].lines().next().unwrap_or_default();
            let near =
                if near.is_empty() { String::new() } else { format!(" at {}", quoted(near)) };
            format!("invalid JSON: {plain}{near}")
        };
        Syntax { offset, message }
    }
}

pub(crate) type RawFields<'t> = Vec<(&'t RawValue, &'t RawValue)>;

pub(crate) struct Fields<'t>(pub(crate) RawFields<'t>);

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
