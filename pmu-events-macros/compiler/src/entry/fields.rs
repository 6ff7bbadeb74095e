//! The fields of one JSON object, by key and of the right type.

use std::borrow::Cow;

use super::keys::{self, Key};
use super::number;
use crate::faults::{Faults, Message, Place, hint, quoted};
use crate::files::json::{Object, Raw};

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
    /// Sorts an object's fields by key; reports unknown and duplicate keys.
    pub(crate) fn new(object: &'o Object<'t>, faults: &'o mut Faults) -> Self {
        let mut by_key = [None; Key::ALL.len()];
        for (raw_key, value) in &object.fields {
            // Without its quotes; no known key needs escapes.
            let text = &raw_key.text[1..raw_key.text.len() - 1];
            let Some(key) = Key::of(text) else {
                if !keys::IGNORED.contains(&text) {
                    let hint = hint(text, keys::known());
                    faults.warning(raw_key.place, format!("unknown key {}{hint}", quoted(text)));
                }
                continue;
            };
            if by_key[key as usize].replace(value).is_some() {
                faults.error(raw_key.place, format!("duplicate key {}", quoted(text)));
            }
        }
        Fields { by_key, faults }
    }

    /// The fields of an object whose keys are known. No key occurs twice.
    pub(crate) fn known(values: &'o [(Key, Raw<'t>)], faults: &'o mut Faults) -> Self {
        let mut by_key = [None; Key::ALL.len()];
        for (key, value) in values {
            by_key[*key as usize] = Some(value);
        }
        Fields { by_key, faults }
    }

    pub(crate) fn raw(&self, key: Key) -> Option<&'o Raw<'t>> {
        self.by_key[key as usize]
    }

    /// Takes a key for missing.
    pub(crate) fn forget(&mut self, key: Key) {
        self.by_key[key as usize] = None;
    }

    /// Whether a key has a value that is not a string.
    pub(crate) fn is_spoilt(&self, key: Key) -> bool {
        self.raw(key).is_some_and(|raw| !raw.is_null() && raw.string().is_none())
    }

    /// A string; reports any other value. An empty string counts as missing,
    /// and so does null, as in jevents.
    pub(crate) fn string(&mut self, key: Key) -> Option<Value<'t>> {
        if self.raw(key)?.is_null() {
            return None;
        }
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

    /// A string or a number, as its text, for a key that jevents does not read
    /// or does not check; any other value is ignored, with a warning.
    pub(crate) fn loose(&mut self, key: Key) -> Option<Value<'t>> {
        let raw = self.raw(key)?;
        if raw.is_null() {
            return None;
        }
        let text = raw.string().or_else(|| raw.number().map(Cow::Borrowed));
        if text.is_none() {
            self.warn(raw.place, format!("{key:?} {}; it is ignored", raw.why_no_string()));
        }
        text.filter(|text| !text.is_empty()).map(|text| Value { text, place: raw.place })
    }

    pub(crate) fn error(&mut self, place: Place, message: impl Into<Message>) {
        self.faults.error(place, message);
    }

    pub(crate) fn warn(&mut self, place: Place, message: impl Into<Message>) {
        self.faults.warning(place, message);
    }

    /// Yes or no; `None` if the key is missing.
    pub(crate) fn flag(&mut self, key: Key) -> Option<bool> {
        let value = self.string(key)?;
        let flag = switch(&value.text);
        if flag.is_none() {
            let message = format!("{key:?} must be \"0\" or \"1\", found {}", quoted(&value.text));
            self.error(value.place, message);
        }
        flag
    }

    /// The same for a key that jevents does not read. `otherwise` is what any
    /// other text means.
    pub(crate) fn loose_flag(&mut self, key: Key, otherwise: Option<bool>) -> Option<bool> {
        let value = self.loose(key)?;
        let flag = switch(&value.text);
        if flag.is_none() {
            let taken = if otherwise.is_some() { "perf takes it for 1" } else { "it is ignored" };
            let found = quoted(&value.text);
            let message = format!("{key:?} should be \"0\" or \"1\", found {found}; {taken}");
            self.warn(value.place, message);
        }
        flag.or(otherwise)
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
        let message = format!("invalid {key:?} {}: expected a number{hint}", quoted(text));
        self.error(value.place, message);
    }
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}
