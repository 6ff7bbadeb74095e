//! JSON into objects in which every key and value knows its place.

use std::borrow::Cow;

use super::json_text::{self, Fields, Syntax, offset};
use super::scanner::Problem;
use super::{Files, Role};
use crate::cost::steps;
use crate::faults::obeyed::{self, Form};
use crate::faults::{Faults, Place, quoted};

/// A key or value as it appears in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'t> {
    /// With its quotes, if it is a string.
    pub(crate) text: &'t str,
    pub(crate) place: Place,
    form: Written,
}

/// How the text of a [`Raw`] is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Json,
    /// A string without its quotes.
    String,
}

impl<'t> Raw<'t> {
    /// A value as JSON writes it.
    pub(crate) fn json(text: &'t str, place: Place) -> Self {
        Raw { text, place, form: Written::Json }
    }

    /// A string that is made from a value of the file.
    pub(crate) fn converted(text: &'t str, place: Place) -> Self {
        Raw { text, place, form: Written::String }
    }

    /// The string that a JSON text represents; `None` if it is not a string.
    pub(crate) fn string(&self) -> Option<Cow<'t, str>> {
        match self.form {
            Written::Json => json_text::string(self.text),
            Written::String => Some(Cow::Borrowed(self.text)),
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.form == Written::Json && self.text == "null"
    }

    /// The text of a JSON number.
    pub(crate) fn number(&self) -> Option<&'t str> {
        let is_number = self.text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        (self.form == Written::Json && is_number).then_some(self.text)
    }

    /// Why it is not the expected string.
    pub(crate) fn why_no_string(&self) -> String {
        if self.text.starts_with('"') {
            return "has an escape that is not a character".to_owned();
        }
        format!("must be a string, found {}", self.kind())
    }

    /// What kind of value it is, for a message.
    pub(crate) fn kind(&self) -> &'static str {
        json_text::kind(self.text)
    }
}

/// One object of a file.
#[derive(Debug)]
pub(crate) struct Object<'t> {
    pub(crate) place: Place,
    pub(crate) fields: Vec<(Raw<'t>, Raw<'t>)>,
}

/// The objects of a file that must be an array of objects; `None` if it is not,
/// which is reported.
pub(crate) fn array<'t>(
    files: &'t Files,
    file: u32,
    faults: &mut Faults,
) -> Option<Vec<Object<'t>>> {
    let text = files[file].text.as_str();
    array_within(files, text, file, faults)
}

/// The same for a value of the file.
#[cfg(any(feature = "perfmon", feature = "telemetry"))]
pub(crate) fn array_of<'t>(
    files: &'t Files,
    value: &Raw<'t>,
    faults: &mut Faults,
) -> Option<Vec<Object<'t>>> {
    array_within(files, value.text, value.place.file, faults)
}

/// The objects of an array that is a part of a file's text.
fn array_within<'t>(
    files: &'t Files,
    part: &'t str,
    file: u32,
    faults: &mut Faults,
) -> Option<Vec<Object<'t>>> {
    let text = files[file].text.as_str();
    let items = match json_text::objects(part) {
        Ok(items) => items,
        Err(Problem { what: None, .. }) => {
            not_objects(text, part, file, faults);
            return None;
        }
        Err(problem) => {
            syntax(part, file, "an array of objects", problem, faults);
            return None;
        }
    };
    let mut objects = Vec::with_capacity(items.len());
    let mut starts = None;
    // Few files have such characters; the others need no look at each text.
    let is_suspect = obeyed::may_be_in(part);
    for (number, fields) in items.into_iter().enumerate() {
        // The brace before the first key is where the object is; empty objects
        // have nothing that knows its place.
        let brace = match fields.first() {
            Some((key, _)) => brace_before(text, offset(text, key)),
            None => {
                let starts = starts.get_or_insert_with(|| item_offsets(text, part));
                starts.get(number).copied().unwrap_or(0)
            }
        };
        let place = Place::new(file, brace);
        objects.push(Object { place, fields: places(files, file, fields, is_suspect, faults) });
    }
    Some(objects)
}

/// Where the last brace before an offset is. It is near, and the macro runs unoptimised,
/// where a search in large steps costs more than these few bytes.
fn brace_before(text: &str, offset: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = offset;
    while at > 0 {
        at -= 1;
        if bytes[at] == b'{' {
            return at;
        }
    }
    0
}

/// Where each item of the array begins.
fn item_offsets(text: &str, part: &str) -> Vec<usize> {
    steps::count(part.len());
    let items = json_text::items(part).unwrap_or_default();
    items.into_iter().map(|item| offset(text, item)).collect()
}

/// Reports every item that is not an object, or that the whole is not an array.
fn not_objects(text: &str, part: &str, file: u32, faults: &mut Faults) {
    let start = offset(text, part.trim_start());
    let mut report = |offset: usize, wanted: &str| {
        let place = Place::new(file, offset);
        let found = json_text::kind(&text[offset..]);
        faults.unread(place, format!("expected {wanted}, found {found}"));
    };
    match json_text::items(part) {
        Ok(items) => {
            let wrong = items.iter().filter(|item| !item.starts_with('{'));
            wrong.for_each(|item| report(offset(text, item), "an object"));
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
    files: &'t Files,
    file: u32,
    faults: &mut Faults,
) -> Vec<(Raw<'t>, Raw<'t>)> {
    let text = files[file].text.as_str();
    match json_text::fields(text) {
        Ok(fields) => places(files, file, fields, obeyed::may_be_in(text), faults),
        Err(problem) => {
            syntax(text, file, "an object", problem, faults);
            Vec::new()
        }
    }
}

/// The fields with their places. In those of a suspect text, looks for characters that a
/// terminal obeys.
fn places<'t>(
    files: &Files,
    file: u32,
    fields: Fields<'t>,
    is_suspect: bool,
    faults: &mut Faults,
) -> Vec<(Raw<'t>, Raw<'t>)> {
    let (text, is_of_groups) = (&files[file].text, files[file].role == Role::Groups);
    let raw = |value: &'t str| Raw::json(value, Place::new(file, offset(text, value)));
    let mut all = Vec::with_capacity(fields.len());
    for (key, value) in fields {
        let (key, value) = (raw(key), raw(value));
        if is_suspect && (obeyed::may_be_in(key.text) || obeyed::may_be_in(value.text)) {
            let name = key.string().unwrap_or_default();
            control("the key", &name, Form::Word, key.place, faults);
            let is_prose = is_of_groups || is_prose(&name);
            let form = if is_prose { Form::Prose } else { Form::Word };
            let what = if is_of_groups { "the description" } else { &*name };
            let strings = match json_text::kind(value.text) {
                "an array" => json_text::array(value.text).unwrap_or_default(),
                _ => vec![value.text],
            };
            for string in strings.into_iter().map(raw) {
                let text = string.string().unwrap_or_default();
                control(what, &text, form, string.place, faults);
            }
        }
        all.push((key, value));
    }
    all
}

/// Reports a text that has a character that a terminal obeys.
fn control(what: &str, text: &str, form: Form, place: Place, faults: &mut Faults) {
    if let Some(c) = obeyed::first(text, form) {
        let (code, shown) = (u32::from(c), quoted(text));
        faults.error(place, format!("{what} has the control character U+{code:04X}: {shown}"));
    }
}

/// Whether a key has sentences, by the names that all sources give it; metric groups are
/// keys themselves, whose value is a sentence.
fn is_prose(key: &str) -> bool {
    key.ends_with("escription") || key == "title"
}

/// The keys and values of an object that is a value of a file; `None` if it is
/// something else, which is reported.
#[cfg(any(feature = "perfmon", feature = "telemetry"))]
pub(crate) fn object_of<'t>(
    files: &'t Files,
    value: &Raw<'t>,
    faults: &mut Faults,
) -> Option<Vec<(Raw<'t>, Raw<'t>)>> {
    let Place { file, .. } = value.place;
    let fields = json_text::fields(value.text).ok();
    if fields.is_none() {
        let found = value.kind();
        faults.error(value.place, format!("expected an object, found {found}"));
    }
    let is_suspect = obeyed::may_be_in(value.text);
    fields.map(|fields| places(files, file, fields, is_suspect, faults))
}

/// Reports what is wrong with a text, at its place.
fn syntax(text: &str, file: u32, wanted: &str, problem: Problem, faults: &mut Faults) {
    let Syntax { offset, message } = Syntax::new(text, wanted, problem);
    faults.unread(Place::new(file, offset), message);
}
