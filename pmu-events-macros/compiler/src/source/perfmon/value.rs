//! Values of perfmon's objects, all of which are strings.

use std::borrow::Cow;

use super::keys::{IGNORED, Key, known};
use crate::faults::{Faults, Message, Place, hint, quoted};
use crate::files::json::{Object, Raw};
pub(super) use crate::source::converted::Value;

/// Texts that are equivalent to no value.
const NOTHING: [&str; 7] = ["", "0", "0x0", "0x00", "na", "null", "tbd"];

/// The fields of one object, by key.
pub(super) struct Values<'o, 's> {
    by_key: [Option<&'o Raw<'s>>; Key::ALL.len()],
    pub(super) place: Place,
    faults: &'o mut Faults,
    /// Whether any part of it is an error.
    pub(super) is_refused: bool,
}

impl<'o, 's> Values<'o, 's> {
    /// Sorts an object's fields by key; reports unknown and duplicate keys.
    pub(super) fn new(object: &'o Object<'s>, faults: &'o mut Faults) -> Self {
        let mut values = Values {
            by_key: [None; Key::ALL.len()],
            place: object.place,
            faults,
            is_refused: false,
        };
        for (raw_key, value) in &object.fields {
            let text = &raw_key.text[1..raw_key.text.len() - 1];
            let Some(key) = Key::of(text) else {
                if !IGNORED.contains(&text) {
                    let hint = hint(text, known());
                    let message = format!("unknown key {}{hint}", quoted(text));
                    values.faults.warning(raw_key.place, message);
                }
                continue;
            };
            if values.by_key[key as usize].replace(value).is_some() {
                values.error(raw_key.place, format!("duplicate key {}", quoted(text)));
            }
        }
        values
    }

    /// A value as it is written, without white space around it.
    pub(super) fn written(&mut self, key: Key) -> Option<Value<'s>> {
        let raw = self.by_key[key as usize]?;
        match raw.string() {
            Some(Cow::Borrowed(text)) => Some(Value::new(text.trim(), raw.place)),
            Some(Cow::Owned(text)) => Some(Value::new(text.trim().to_owned(), raw.place)),
            None => {
                self.error(raw.place, format!("{key:?} {}", raw.why_no_string()));
                None
            }
        }
    }

    /// A value that is not empty. Characters that are not ASCII are replaced as
    /// in perf's files.
    pub(super) fn get(&mut self, key: Key) -> Option<Value<'s>> {
        let raw = self.by_key[key as usize]?;
        if raw.string().is_some_and(|text| NOTHING.contains(&&*text)) {
            return None;
        }
        let mut value = self.written(key)?;
        if !value.text.is_ascii() {
            let text = value.text.replace('\u{ae}', "(R)").replace('\u{2122}', "(TM)");
            value.text = text.replace('\u{feff}', "").into();
        }
        if value.text.contains("???") {
            value.text = value.text.replace("???", "?").into();
        }
        if value.text.contains("??") {
            let found = quoted(&value.text);
            self.error(value.place, format!("{key:?} has `??` in it: {found}"));
        }
        Some(value).filter(|value| !value.text.is_empty())
    }

    /// A number, which is hexadecimal with or without `0x`; 0 if there is none.
    pub(super) fn hexadecimal(&mut self, key: Key) -> u64 {
        let value = self.get(key);
        value.and_then(|value| self.parse_hexadecimal(key, &value, &value.text)).unwrap_or(0)
    }

    pub(super) fn parse_hexadecimal(
        &mut self,
        key: Key,
        value: &Value<'_>,
        text: &str,
    ) -> Option<u64> {
        let digits = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text);
        let is_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u64::from_str_radix(digits, 16).ok().filter(|_| is_digits);
        if number.is_none() {
            let message = format!(
                "invalid {key:?} {}: expected a hexadecimal number such as `0x01`",
                quoted(text)
            );
            self.error(value.place, message);
        }
        number
    }

    pub(super) fn error(&mut self, place: Place, message: impl Into<Message>) {
        self.faults.error(place, message);
        self.is_refused = true;
    }

    /// The items of a value that may be a list.
    pub(super) fn items(value: &Value<'_>) -> Vec<String> {
        value.text.split(',').map(|item| item.trim().to_owned()).collect()
    }
}
