//! Characters that a terminal obeys.

/// Whether a terminal obeys a character instead of showing it: the control characters
/// of ASCII (but line feed and tab), of ISO 6429 (C1, of which U+009B begins a sequence
/// as ESC does), and those that change the order in which others are shown (Unicode
/// Standard Annex 9) or the line.
pub(crate) fn is_obeyed(c: char) -> bool {
    let is_of_line = matches!(c, '\n' | '\t');
    (c.is_control() && !is_of_line)
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}')
}
