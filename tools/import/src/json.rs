//! JSON whose every key and value knows its place.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::problem::Place;

/// A file, read.
#[derive(Debug)]
pub struct File {
    path: String,
    text: String,
    /// Where its lines begin.
    line_starts: Vec<usize>,
}

/// A value of a [`File`].
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    file: &'t File,
    raw: &'t str,
}

/// Keys and values in the order of the file; a key may be there twice.
#[derive(Clone, Debug)]
pub struct Object<'t> {
    /// Where its first key is, or the file.
    pub place: Place,
    /// Key, where it stands, and value.
    pub fields: Vec<(Cow<'t, str>, Place, Value<'t>)>,
}

/// What is wrong with a text, and where.
pub type Fault = (Place, String);

impl File {
    /// `path` is as the user would name it.
    #[must_use]
    pub fn new(path: &str, text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').to_owned();
        let behind = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(behind).collect();
        File { path: path.to_owned(), text, line_starts }
    }

    /// As the user would name it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is in it.
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
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let before = &self.text[self.line_starts[line - 1]..offset];
        Place { path: self.path.clone(), line, column: before.chars().count() + 1 }
    }

    fn fault(&self, value: &str, error: &serde_json::Error) -> Fault {
        let message = error.to_string();
        let plain = message.split(" at line ").next().unwrap_or_default();
        let start = value.as_ptr() as usize - self.text.as_ptr() as usize;
        let lines = value.split_inclusive('\n').take(error.line().saturating_sub(1));
        let at = start + lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        (self.place_at(at), plain.to_owned())
    }
}

impl<'t> Value<'t> {
    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        self.file.place_at(self.raw.as_ptr() as usize - self.file.text.as_ptr() as usize)
    }

    /// As it is written.
    #[must_use]
    pub fn raw(&self) -> &'t str {
        self.raw
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.raw.starts_with('{')
    }

    /// A string.
    ///
    /// # Errors
    ///
    /// When it is something else.
    pub fn string(&self) -> Result<Cow<'t, str>, Fault> {
        match self.raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(inner) if !inner.contains('\\') => Ok(Cow::Borrowed(inner)),
            Some(_) => {
                serde_json::from_str(self.raw).map(Cow::Owned).map_err(|error| self.fault(&error))
            }
            None => Err((self.place(), format!("expected a string, found {}", self.shortened()))),
        }
    }

    /// An array.
    ///
    /// # Errors
    ///
    /// When it is something else, or no JSON.
    pub fn array(&self) -> Result<Vec<Value<'t>>, Fault> {
        let items: Vec<&RawValue> =
            serde_json::from_str(self.raw).map_err(|error| self.fault(&error))?;
        Ok(items.into_iter().map(|item| self.within(item)).collect())
    }

    /// An object.
    ///
    /// # Errors
    ///
    /// When it is something else, or no JSON.
    pub fn object(&self) -> Result<Object<'t>, Fault> {
        let Fields(fields) = serde_json::from_str(self.raw).map_err(|error| self.fault(&error))?;
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

    fn within(&self, raw: &'t RawValue) -> Value<'t> {
        Value { raw: raw.get(), ..*self }
    }

    fn fault(&self, error: &serde_json::Error) -> Fault {
        self.file.fault(self.raw, error)
    }

    fn shortened(&self) -> String {
        let first: String = self.raw.chars().take(20).collect();
        format!("`{first}`")
    }
}

struct Fields<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    fields.push(pair);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}

/// Writes a string as Python's `json.dumps` does.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
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
