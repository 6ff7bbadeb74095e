//! The fields of one JSON object, by key and of the right type.

use std::borrow::Cow;

use crate::fault::{Faults, Place, hint, quoted};
use crate::json::{Object, Raw};
use crate::keys::{self, Key};
use crate::number;

/// A string of the tree and its place.
#[derive(Clone, Debug)]
pub(crate) struct Value<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) place: Place,
}

/// The fields of one object, by key.
pub(crate) struct Fields<'o, 't> {
    by_key: [Option<&'o Raw<'t>>; Key::ALL.len()],
    faults: &'o mut Faults,
}

impl<'o, 't> Fields<'o, 't> {
    /// Sorts an object's fields by key; reports keys that are unknown or twice.
    pub(crate) fn new(object: &'o Object<'t>, faults: &'o mut Faults) -> Self {
        let mut by_key = [None; Key::ALL.len()];
        for (raw_key, value) in &object.fields {
            // Without its quotes; a key that needs escapes is none of ours.
            let text = &raw_key.text[1..raw_key.text.len() - 1];
            let Some(key) = Key::of(text) else {
                if !keys::IGNORED.contains(&text) {
                    let hint = hint(text, keys::known());
                    faults.warning(raw_key.place, format!("unknown key {}{hint}", quoted(text)));
                }
                continue;
            };
            if by_key[key as usize].replace(value).is_some() {
                faults.error(raw_key.place, format!("key {} stands twice", quoted(text)));
            }
        }
        Fields { by_key, faults }
    }

    pub(crate) fn raw(&self, key: Key) -> Option<&'o Raw<'t>> {
        self.by_key[key as usize]
    }

    /// A string; reports what is none. Empty ones are as good as missing.
    pub(crate) fn string(&mut self, key: Key) -> Option<Value<'t>> {
        self.written(key).filter(|value| !value.text.is_empty())
    }

    /// A string, empty or not: an empty number is a fault.
    pub(crate) fn written(&mut self, key: Key) -> Option<Value<'t>> {
        let raw = self.raw(key)?;
        match raw.string() {
            Some(text) => Some(Value { text, place: raw.place }),
            None => {
                self.error(raw.place, format!("{key:?} {}", raw.why_no_string()));
                None
            }
        }
    }

    pub(crate) fn error(&mut self, place: Place, message: impl Into<String>) {
        self.faults.error(place, message);
    }

    pub(crate) fn warn(&mut self, place: Place, message: impl Into<String>) {
        self.faults.warning(place, message);
    }

    /// Yes or no; `None` where nothing is said.
    pub(crate) fn flag(&mut self, key: Key) -> Option<bool> {
        let value = self.string(key)?;
        match &*value.text {
            "0" => Some(false),
            "1" => Some(true),
            other => {
                let message = format!("{key:?} must be \"0\" or \"1\", found {}", quoted(other));
                self.error(value.place, message);
                None
            }
        }
    }

    /// One of a few words, as its number.
    pub(crate) fn word(&mut self, key: Key, words: &[(&str, u8)]) -> Option<u8> {
        let value = self.string(key)?;
        if let Some(&(_, number)) = words.iter().find(|(word, _)| *word == value.text) {
            return Some(number);
        }
        let all: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
        self.error(
            value.place,
            format!(
                "{key:?} cannot be {}; it is one of {}{}",
                quoted(&value.text),
                all.join(", "),
                hint(&value.text, all.iter().copied())
            ),
        );
        None
    }

    /// A number in any notation that Python's `int(text, 0)` takes.
    pub(crate) fn number(&mut self, key: Key, value: &Value<'t>, text: &str) -> Option<u64> {
        let number = number::any_base(text);
        if number.is_none() {
            self.no_number(key, value, text);
        }
        number
    }

    pub(crate) fn no_number(&mut self, key: Key, value: &Value<'t>, text: &str) {
        let hint = match text.trim() {
            upper if upper.starts_with("0X") => "; write the prefix as 0x",
            octal if octal.len() > 1 && octal.starts_with('0') && octal.parse::<u64>().is_ok() => {
                "; write it without leading zeros, or as hexadecimal with 0x"
            }
            hex if hex.chars().all(|c| c.is_ascii_hexdigit()) && !hex.is_empty() => {
                "; write hexadecimal numbers with 0x"
            }
            _ => "",
        };
        if number::is_too_large(text) {
            let message = format!("{key:?} does not fit 64 bits: {}", quoted(text));
            return self.error(value.place, message);
        }
        let hint = if key == Key::ExtSel { "; write it in decimal" } else { hint };
        self.error(value.place, format!("{key:?} is no number: {}{hint}", quoted(text)));
    }
}
