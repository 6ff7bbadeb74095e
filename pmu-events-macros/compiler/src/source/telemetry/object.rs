//! The parts of a specification, with their places.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::faults::{Faults, Place, hint, quoted};
use crate::files::Files;
use crate::files::json::{self, Object, Raw};
use crate::files::json_text;

/// The keys and values of an object, each of which occurs once.
pub(super) struct Fields<'t> {
    pub(super) place: Place,
    pub(super) fields: Vec<(Raw<'t>, Raw<'t>)>,
    /// Whether what it lacks is missing: something that is not an object has been
    /// reported.
    is_object: bool,
}

impl<'t> Fields<'t> {
    /// The object that a file is.
    pub(super) fn of_file(files: &'t Files, file: u32, faults: &mut Faults) -> Self {
        let fields = json::object(files, file, faults);
        Self::unique(Place::new(file, 0), Some(fields), faults)
    }

    /// An object of an array.
    pub(super) fn of_object(object: Object<'t>, faults: &mut Faults) -> Self {
        Self::unique(object.place, Some(object.fields), faults)
    }

    /// An object that is a value; empty if it is something else, which is reported.
    pub(super) fn of(files: &'t Files, value: &Raw<'t>, faults: &mut Faults) -> Self {
        let fields = json::object_of(files, value, faults);
        Self::unique(value.place, fields, faults)
    }

    fn unique(place: Place, fields: Option<Vec<(Raw<'t>, Raw<'t>)>>, faults: &mut Faults) -> Self {
        let is_object = fields.is_some();
        let mut fields = fields.unwrap_or_default();
        let mut seen = HashSet::new();
        fields.retain(|(key, _)| {
            let is_new = seen.insert(key.text);
            if !is_new {
                let name = key.string().unwrap_or_default();
                faults.error(key.place, format!("duplicate key {}", quoted(&name)));
            }
            is_new
        });
        Fields { place, fields, is_object }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Raw<'t>> {
        let is_key = |(known, _): &&(Raw<'t>, Raw<'t>)| known.string().as_deref() == Some(key);
        self.fields.iter().find(is_key).map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// The object of a key; `None` without the key.
    pub(super) fn below(&self, key: &str, files: &'t Files, faults: &mut Faults) -> Option<Self> {
        self.get(key).map(|value| Fields::of(files, value, faults))
    }

    /// A value that must be there.
    pub(super) fn required(&self, key: &str, faults: &mut Faults) -> Option<&Raw<'t>> {
        let value = self.get(key);
        if value.is_none() && self.is_object {
            faults.error(self.place, format!("missing `{key}`"));
        }
        value
    }

    /// A string that must be there.
    pub(super) fn string(&self, key: &str, faults: &mut Faults) -> Option<Text<'t>> {
        string(key, self.required(key, faults)?, faults)
    }

    /// A string that need not be there; empty ones are not.
    pub(super) fn optional(&self, key: &str, faults: &mut Faults) -> Option<Text<'t>> {
        string(key, self.get(key)?, faults).filter(|text| !text.text.trim().is_empty())
    }

    /// A list of strings; empty without the key.
    pub(super) fn list(&self, key: &str, files: &'t Files, faults: &mut Faults) -> Vec<Text<'t>> {
        let Some(value) = self.get(key) else {
            return Vec::new();
        };
        let Ok(items) = json_text::array(value.text) else {
            let found = value.kind();
            faults.error(value.place, format!("`{key}` must be an array, found {found}"));
            return Vec::new();
        };
        let text = files[value.place.file].text.as_str();
        let place = |item| Place::new(value.place.file, json_text::offset(text, item));
        let item = |item| string(key, &Raw::json(item, place(item)), faults);
        items.into_iter().filter_map(item).collect()
    }

    /// Reports keys that no rule covers.
    pub(super) fn only(&self, known: &[&str], faults: &mut Faults) {
        for (key, _) in &self.fields {
            let name = key.string().unwrap_or_default();
            if !known.contains(&&*name) {
                let hint = hint(&name, known.iter().copied());
                faults.warning(key.place, format!("unknown key {}{hint}", quoted(&name)));
            }
        }
    }
}

/// A string, and its place.
#[derive(Clone, Debug)]
pub(super) struct Text<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) place: Place,
}

fn string<'t>(key: &str, value: &Raw<'t>, faults: &mut Faults) -> Option<Text<'t>> {
    let text = value.string();
    if text.is_none() {
        faults.error(value.place, format!("`{key}` {}", value.why_no_string()));
    }
    Some(Text { text: text?, place: value.place })
}

/// A number in hexadecimal digits after `0x`.
pub(super) fn hexadecimal(
    what: &str,
    text: &Text<'_>,
    most: u32,
    faults: &mut Faults,
) -> Option<u32> {
    let digits = text.text.strip_prefix("0x").or(text.text.strip_prefix("0X"));
    let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let number = number.filter(|&number| number <= most);
    if number.is_none() {
        let found = quoted(&text.text);
        let message =
            format!("invalid {what} {found}: expected a hexadecimal number up to {most:#x}");
        faults.error(text.place, message);
    }
    number
}
