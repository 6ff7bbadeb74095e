//! JSON as slices of its text: a slice knows its place.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use pmu_events_core::__private::debug_as_display;

use super::scanner::{Problem, Scanner};
use crate::faults::quoted;

/// The items of an array.
///
/// # Errors
///
/// When the text is something else, or not JSON.
pub fn array(text: &str) -> Result<Vec<&str>, Syntax> {
    items(text).map_err(|problem| Syntax::new(text, "an array", problem))
}

/// The same, without a sentence about what is wrong.
pub(crate) fn items(text: &str) -> Result<Vec<&str>, Problem> {
    let (mut scanner, mut items) = (Scanner::of(text), Vec::new());
    scanner.array(|scanner| {
        items.push(scanner.value()?);
        Ok(())
    })?;
    scanner.end()?;
    Ok(items)
}

/// The keys, with their quotes, and values of an object, in the order of the
/// text; a key may occur twice.
///
/// # Errors
///
/// When the text is something else, or not JSON.
pub fn object(text: &str) -> Result<Vec<(&str, &str)>, Syntax> {
    fields(text).map_err(|problem| Syntax::new(text, "an object", problem))
}

/// The same, without a sentence about what is wrong.
pub(crate) fn fields(text: &str) -> Result<Fields<'_>, Problem> {
    let mut scanner = Scanner::of(text);
    let fields = scanner.object()?;
    scanner.end()?;
    Ok(fields)
}

/// The fields of each object of an array.
pub(crate) fn objects(text: &str) -> Result<Vec<Fields<'_>>, Problem> {
    let (mut scanner, mut objects) = (Scanner::of(text), Vec::new());
    scanner.array(|scanner| {
        objects.push(scanner.object()?);
        Ok(())
    })?;
    scanner.end()?;
    Ok(objects)
}

/// Keys, with their quotes, and values.
pub(crate) type Fields<'t> = Vec<(&'t str, &'t str)>;

/// The string that a JSON text represents; `None` if it is not a string.
#[must_use]
pub fn string(text: &str) -> Option<Cow<'_, str>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return unescaped(inner).map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

/// The text that a string with escapes represents; `None` if an escape is no character.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = *rest.as_bytes().get(at + 1)?;
        rest = rest.get(at + 2..)?;
        let simple = match escape {
            b'u' => {
                let (c, length) = code_point(rest)?;
                out.push(c);
                rest = &rest[length..];
                continue;
            }
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'"' | b'\\' | b'/' => char::from(escape),
            _ => return None,
        };
        out.push(simple);
    }
    let is_whole = !rest.contains(|c: char| c == '"' || c < ' ');
    out.push_str(rest);
    is_whole.then_some(out)
}

/// The character of the digits after `\u`, and how many bytes they are: one beyond the
/// first plane is two escapes, a pair of surrogates.
fn code_point(text: &str) -> Option<(char, usize)> {
    let number = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 4)?;
        let are_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        are_digits.then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let first = number(0)?;
    if !(0xd800..0xdc00).contains(&first) {
        return Some((char::from_u32(first)?, 4));
    }
    let second = number(6).filter(|_| text[4..].starts_with("\\u"))?;
    let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    Some((char::from_u32(0x10000 + ((first - 0xd800) << 10) + low)?, 10))
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
    /// The sentence about a problem of a text.
    pub(crate) fn new(text: &str, wanted: &str, problem: Problem) -> Self {
        if text.trim().is_empty() {
            let message = format!("expected {wanted}, found an empty file");
            return Syntax { offset: problem.offset, message };
        }
        let Some(what) = problem.what else {
            let found = kind(text.trim_start());
            let offset = text.len() - text.trim_start().len();
            return Syntax { offset, message: format!("expected {wanted}, found {found}") };
        };
        let mut offset = problem.offset;
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let near = text[offset..].lines().next().unwrap_or_default();
        let near = if near.is_empty() { String::new() } else { format!(" at {}", quoted(near)) };
        Syntax { offset, message: format!("invalid JSON: {what}{near}") }
    }
}

#[cfg(test)]
mod tests;
