//! How much of a description jevents strips from its end.

/// How many bytes perf omits at the end: `.  `, then `. `, then `.`, once each
/// (`fixdesc` of jevents).
pub(crate) fn full_stop(text: &str) -> usize {
    let mut rest = text;
    for stop in [".  ", ". ", "."] {
        rest = rest.strip_suffix(stop).unwrap_or(rest);
    }
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops() {
        let cases = [
            ("a", 0),
            ("a.", 1),
            ("a. ", 2),
            ("a.  ", 3),
            ("a.. ", 3),
            ("a...", 1),
            (".", 1),
            ("a.   ", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(full_stop(text), expected, "{text:?}");
        }
    }
}
