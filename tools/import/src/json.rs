//! JSON in which every key and value knows its place.

use std::borrow::Cow;

use pmu_events_compiler::tree_json::{self, Lines, Syntax};

use crate::problem::Place;

/// A parsed file.
#[derive(Debug)]
pub struct File {
    path: String,
    text: String,
    lines: Lines,
}

/// A value of a [`File`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    file: &'t File,
    raw: &'t str,
}

/// Keys and values in the order of the file; a key may occur twice.
#[derive(Clone, Debug)]
pub struct Object<'t> {
    /// The place of its first key, or the file.
    pub place: Place,
    /// Key, its place, and value.
    pub fields: Vec<(Cow<'t, str>, Place, Value<'t>)>,
}

/// An error in a text, and its place.
pub type Fault = (Place, String);

impl File {
    /// `path` is the path as the user wrote it.
    #[must_use]
    pub fn new(path: &str, text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').to_owned();
        let lines = Lines::of(&text);
        File { path: path.to_owned(), text, lines }
    }

    /// The path as the user wrote it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The contents.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole of the text as one value.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        Value { file: self, raw: &self.text }
    }

    fn place_at(&self, offset: usize) -> Place {
        let (line, column) = self.lines.position(&self.text, offset);
        Place { path: self.path.clone(), line, column }
    }
}

impl<'t> Value<'t> {
    /// The place of the value.
    #[must_use]
    pub fn place(&self) -> Place {
        self.file.place_at(self.offset())
    }

    /// The text as it is written.
    #[must_use]
    pub fn raw(&self) -> &'t str {
        self.raw
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.raw.starts_with('{')
    }

    /// Whether it is a list.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.raw.starts_with('[')
    }

    /// A number, as it is written.
    #[must_use]
    pub fn number(&self) -> Option<&'t str> {
        (tree_json::kind(self.raw) == "a number").then_some(self.raw)
    }

    /// A string.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn string(&self) -> Result<Cow<'t, str>, Fault> {
        tree_json::string(self.raw).ok_or_else(|| {
            let why = if self.raw.starts_with('"') {
                "has an escape that does not denote a character".to_owned()
            } else {
                format!("expected a string, found {}", self.shortened())
            };
            (self.place(), why)
        })
    }

    /// An array.
    ///
    /// # Errors
    ///
    /// When it is something else, or not JSON.
    pub fn array(&self) -> Result<Vec<Value<'t>>, Fault> {
        let items = tree_json::array(self.raw).map_err(|syntax| self.fault(syntax))?;
        Ok(items.into_iter().map(|item| self.within(item)).collect())
    }

    /// An object.
    ///
    /// # Errors
    ///
    /// When it is something else, or not JSON.
    pub fn object(&self) -> Result<Object<'t>, Fault> {
        let fields = tree_json::object(self.raw).map_err(|syntax| self.fault(syntax))?;
        let mut object = Object { place: Place::file(self.file.path()), fields: Vec::new() };
        for (key, value) in fields {
            let key = self.within(key);
            object.fields.push((key.string()?, key.place(), self.within(value)));
        }
        if let Some((_, place, _)) = object.fields.first() {
            object.place = place.clone();
        }
        Ok(object)
    }

    fn within(&self, raw: &'t str) -> Value<'t> {
        Value { raw, ..*self }
    }

    fn offset(&self) -> usize {
        tree_json::offset(&self.file.text, self.raw)
    }

    fn fault(&self, Syntax { offset, message }: Syntax) -> Fault {
        (self.file.place_at(self.offset() + offset), message)
    }

    fn shortened(&self) -> String {
        let first: String = self.raw.chars().take(20).collect();
        format!("`{first}`")
    }
}

/// Whether a string is the same in JSON, between quotes.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\')
}

/// How many bytes [`push_string`] writes.
pub(crate) fn length_of_string(text: &str) -> usize {
    if is_plain(text) {
        return text.len() + 2;
    }
    let mut out = String::new();
    push_string(&mut out, text);
    out.len()
}

/// Writes a string as Python's `json.dumps` does.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    if is_plain(text) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_written_as_python_does() {
        for (text, expected) in [
            ("a", r#""a""#),
            ("a\"b\\-c", r#""a\"b\\-c""#),
            ("\u{1}\n\u{e9}\u{1d11e}", r#""\u0001\n\u00e9\ud834\udd1e""#),
        ] {
            let mut out = String::new();
            push_string(&mut out, text);
            assert_eq!(out, expected);
            assert_eq!(length_of_string(text), expected.len());
            let file = File::new("x.json", &out);
            assert_eq!(file.value().string().unwrap(), text);
        }
    }

    #[test]
    fn places() {
        let file = File::new("x.json", "[\n  {\"\u{e9}\": 1, \"b\": \"c\"}\n]");
        let items = file.value().array().unwrap();
        let object = items[0].object().unwrap();
        assert_eq!(object.place.to_string(), "x.json:2:4");
        assert_eq!(object.fields[1].1.to_string(), "x.json:2:12");
        assert_eq!(object.fields[1].2.place().to_string(), "x.json:2:17");
        let (place, message) = object.fields[0].2.string().unwrap_err();
        assert_eq!(
            (place.to_string().as_str(), &*message),
            ("x.json:2:9", "expected a string, found `1`")
        );
        let broken = File::new("x.json", "[\n  {]\n");
        let (place, _) = broken.value().array().unwrap_err();
        assert_eq!((place.line, place.column), (2, 4));
    }
}
