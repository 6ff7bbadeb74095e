//! Lines of fields (RFC 4180, with any separator).

use std::borrow::Cow;

use crate::output::one_line;

/// A field as it is, or in quotes if it would not be one. It never ends the line: programs that
/// read one line after the other are many.
pub(crate) fn field<'t>(text: &'t str, separator: &str) -> Cow<'t, str> {
    let text = one_line(text);
    let is_split = !separator.is_empty() && text.contains(separator);
    match is_split || text.contains('"') {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_separators() {
        for (text, separator, expected) in [
            ("a b", ",", "a b"),
            ("", ",", ""),
            ("a,b", ",", "\"a,b\""),
            ("a,b", ";", "a,b"),
            ("a \"b\"", ",", "\"a \"\"b\"\"\""),
            ("a||b", "||", "\"a||b\""),
            ("ab", "", "ab"),
            ("a\nb\rc", ",", "a\\u000ab\\u000dc"),
            ("a,\n\"b\"", ",", "\"a,\\u000a\"\"b\"\"\""),
        ] {
            assert_eq!(field(text, separator), expected, "{text:?} {separator:?}");
        }
    }
}
