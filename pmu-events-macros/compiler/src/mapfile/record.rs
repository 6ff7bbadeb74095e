//! Records of a CSV file ([RFC 4180]), as Python's reader splits them, which perf uses.
//!
//! [RFC 4180]: https://www.rfc-editor.org/rfc/rfc4180

use std::borrow::Cow;

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record<'t> {
    /// Where it begins in the text.
    pub(super) start: usize,
    /// Where it ends, and the next may begin.
    pub(super) end: usize,
    pub(super) fields: Vec<Cow<'t, str>>,
}

/// The first record of a text that begins at a place or behind it; empty lines and those that
/// begin with `#` are none.
pub(super) fn next(text: &str, mut at: usize) -> Option<Record<'_>> {
    while let Some(first) = text.as_bytes().get(at) {
        match first {
            b'\n' | b'\r' => at += 1,
            b'#' => at = text[at..].find('\n').map_or(text.len(), |end| at + end + 1),
            _ => return Some(record(text, at)),
        }
    }
    None
}

fn record(text: &str, start: usize) -> Record<'_> {
    let (mut fields, mut end) = (Vec::new(), start);
    loop {
        let field = field(text, &mut end);
        fields.push(field);
        match text.as_bytes().get(end) {
            Some(b',') => end += 1,
            _ => return Record { start, end, fields },
        }
    }
}

/// Reads a field up to the comma or the line end behind it.
fn field<'t>(text: &'t str, at: &mut usize) -> Cow<'t, str> {
    let mut field = Cow::Borrowed("");
    if text[*at..].starts_with('"') {
        *at += 1;
        loop {
            let rest = &text[*at..];
            let Some(quote) = rest.find('"') else {
                *at = text.len();
                return joined(field, rest);
            };
            field = joined(field, &rest[..quote]);
            *at += quote + 1;
            if !rest[quote + 1..].starts_with('"') {
                break;
            }
            // Two of them stand for one.
            field = joined(field, "\"");
            *at += 1;
        }
    }
    let rest = &text[*at..];
    let length = rest.find([',', '\n', '\r']).unwrap_or(rest.len());
    *at += length;
    joined(field, &rest[..length])
}

fn joined<'t>(field: Cow<'t, str>, more: &'t str) -> Cow<'t, str> {
    if more.is_empty() { field } else { field + more }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random::Random;

    /// Another reader splits them alike.
    #[test]
    fn beside_another_reader() {
        const PARTS: [&str; 12] =
            ["a", ",", "\"", "\"\"", "\n", "\r\n", "\r", "#", " ", "\u{e4}", "x,y", ",\""];
        let mut random = Random::of(5);
        for _ in 0..20_000 {
            let mut text: String =
                (0..random.below(16)).map(|_| PARTS[random.below(PARTS.len())]).collect();
            // It takes the end of a comment without line end for a record.
            text.push('\n');
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .comment(Some(b'#'))
                .from_reader(text.as_bytes());
            let theirs: Vec<Vec<String>> = reader
                .records()
                .map(|record| record.unwrap().iter().map(str::to_owned).collect())
                .collect();
            let (mut ours, mut at) = (Vec::new(), 0);
            while let Some(record) = next(&text, at) {
                assert!(record.start >= at && record.end > record.start, "{text:?}");
                at = record.end;
                ours.push(record.fields.into_iter().map(Cow::into_owned).collect::<Vec<_>>());
            }
            assert_eq!(ours, theirs, "{text:?}");
        }
    }
}
