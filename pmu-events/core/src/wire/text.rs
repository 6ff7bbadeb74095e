//! How descriptions are packed.
//!
//! A text is a run of codes. Each stands for one piece of the dictionary: a
//! word with the space before it, a number, a run of punctuation. The most
//! frequent pieces have codes of one byte.
//!
//! ```text
//! 0                  end of the text
//! 1                  what follows is the full stop that perf leaves out
//! 2 n …              n bytes as they are
//! 3 … 2+S            piece 0 … S-1            (S: the tree's short codes)
//! 3+S … 255, then c  piece S + 256·(b−3−S) + c
//! ```
//!
//! Decoding needs no buffer: it yields pieces that lie in `strings`. On the
//! x86 tree's descriptions this is 3.2 times smaller than the text.

use super::bytes::read_u8;
use super::layout::Section;
use super::sections::Wire;

/// End of a text.
pub const END: u8 = 0;
/// Before the full stop that perf does not print.
pub const STOP: u8 = 1;
/// Before a length and that many bytes.
pub const RAW: u8 = 2;
/// The first code of a piece.
pub const FIRST: u8 = 3;

/// One step of reading a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A piece, and where the next code is.
    Piece(&'a str, usize),
    /// The full stop follows at this place.
    Stop(usize),
    /// The text is over.
    End,
}

impl<'a> Wire<'a> {
    /// Reads the code at a place of `texts`.
    #[must_use]
    #[inline]
    pub const fn text_step(&self, at: usize) -> Step<'a> {
        let texts = self.section(Section::Texts);
        let code = read_u8(texts, at);
        let short = self.short_codes();
        match code {
            END => Step::End,
            STOP => Step::Stop(at + 1),
            RAW => self.raw_step(at),
            _ => {
                let code = (code - FIRST) as usize;
                if code < short {
                    return Step::Piece(self.nth_str(Section::Words, code), at + 1);
                }
                let low = read_u8(texts, at + 1) as usize;
                let word = short + 256 * (code - short) + low;
                Step::Piece(self.nth_str(Section::Words, word), at + 2)
            }
        }
    }

    /// Bytes as they are: rare, and too long to stand in each caller.
    #[cold]
    const fn raw_step(&self, at: usize) -> Step<'a> {
        let texts = self.section(Section::Texts);
        let len = read_u8(texts, at + 1) as usize;
        let Some((_, rest)) = texts.split_at_checked(at + 2) else {
            return Step::End;
        };
        let Some((raw, _)) = rest.split_at_checked(len) else {
            return Step::End;
        };
        match core::str::from_utf8(raw) {
            Ok(piece) => Step::Piece(piece, at + 2 + len),
            Err(_) => Step::End,
        }
    }
}

/// The pieces into which a description is cut before it is packed: a word with
/// the space before it, or a run of other characters, or of spaces.
///
/// Every piece is within one text; joined they are the text.
///
/// ```
/// use pmu_events::__private::wire::text::Pieces;
/// let pieces: Vec<&str> = Pieces::new("Counts L2 misses (all).").collect();
/// assert_eq!(pieces, ["Counts", " L2", " misses", " (", "all", ")."]);
/// ```
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    /// Pieces are cut so that none is longer than this.
    pub const LONGEST: usize = 200;

    /// Cuts a text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Pieces { rest: text }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.rest.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let mut end = 0;
        if bytes[0] == b' ' {
            end = 1;
        }
        let word = end < bytes.len() && is_word(bytes[end]);
        while end < bytes.len()
            && end < Self::LONGEST
            && is_word(bytes[end]) == word
            && (bytes[end] != b' ')
        {
            end += 1;
        }
        if end == 1 && bytes[0] == b' ' {
            // A run of spaces: all but the one that belongs to what follows.
            while end + 1 < bytes.len()
                && end < Self::LONGEST
                && bytes[end] == b' '
                && bytes[end + 1] == b' '
            {
                end += 1;
            }
        }
        while !self.rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(piece)
    }
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn pieces() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("a", &["a"]),
            (" a", &[" a"]),
            ("a b_1 C", &["a", " b_1", " C"]),
            ("a, b (c)", &["a", ",", " b", " (", "c", ")"]),
            ("a -- b", &["a", " --", " b"]),
            ("a  b", &["a", " ", " b"]),
            ("a   b", &["a", "  ", " b"]),
            ("a    (b", &["a", "   ", " (", "b"]),
            ("a ", &["a", " "]),
            ("a   ", &["a", "  ", " "]),
            (" ", &[" "]),
            ("a\u{b5}s", &["a", "\u{b5}", "s"]),
        ];
        for (text, expected) in cases {
            assert_eq!(Pieces::new(text).collect::<Vec<_>>(), *expected, "{text:?}");
        }
    }

    #[test]
    fn long_pieces() {
        let cases: &[(&str, usize, &[usize])] = &[
            ("x", 200, &[200]),
            ("x", 201, &[200, 1]),
            ("(", 450, &[200, 200, 50]),
            (" ", 450, &[200, 200, 49, 1]),
            // A character stays whole.
            ("\u{2014}", 100, &[201, 99]),
        ];
        for (piece, times, expected) in cases {
            let text = piece.repeat(*times);
            let found: Vec<&str> = Pieces::new(&text).collect();
            assert_eq!(found.concat(), text);
            let lengths: Vec<usize> = found.iter().map(|piece| piece.len()).collect();
            assert_eq!(lengths, *expected, "{piece:?}, {times} times");
        }
    }
}
