//! Characters that a terminal obeys instead of showing them, in the texts of a tree.

/// Whether a terminal obeys a character instead of showing it: the control characters
/// of ASCII (but line feed and tab), of ISO 6429 (C1, of which U+009B begins a sequence
/// as ESC does), and those that change the order in which others are shown (Unicode
/// Standard Annex 9) or the line.
///
/// ```
/// use pmu_events_compiler::is_obeyed;
///
/// assert!(is_obeyed('\u{1b}') && is_obeyed('\u{9b}') && is_obeyed('\u{202e}'));
/// assert!(!is_obeyed('\n') && !is_obeyed('\u{b5}'));
/// ```
#[must_use]
pub fn is_obeyed(c: char) -> bool {
    let is_of_line = matches!(c, '\n' | '\t');
    (c.is_control() && !is_of_line)
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}')
}

/// What a text may have in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A name, a number or a formula: one line.
    Word,
    /// Sentences, which may be several lines.
    Prose,
}

/// The first character that a text must not have.
pub(crate) fn first(text: &str, form: Form) -> Option<char> {
    text.chars().find(|&c| match form {
        Form::Word => is_obeyed(c) || matches!(c, '\n' | '\t'),
        Form::Prose => is_obeyed(c) && c != '\r',
    })
}

/// Whether a text of JSON may have such a character: as an escape, or as it is. Few
/// files do, so that the others need no second look.
pub(crate) fn may_be_in(json: &str) -> bool {
    // The macro runs unoptimised but for the standard library, which counts characters
    // itself; `is_ascii` would be compiled with this crate.
    json.contains('\\') || json.contains('\u{7f}') || json.chars().count() != json.len()
}
