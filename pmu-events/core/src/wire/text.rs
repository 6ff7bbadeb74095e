//! The packed form of descriptions.
//!
//! A text is a sequence of codes. Each represents one piece in the dictionary:
//! a word with the space before it, a number, or a sequence of punctuation. The
//! most frequent pieces have codes of one byte.
//!
//! ```text
//! 0                  end of the text
//! 1                  the full stop that perf leaves out follows
//! 2 n …              n literal bytes
//! 3 … 2+S            piece 0 … S-1            (S: the tree's short codes)
//! 3+S … 255, then c  piece S + 256·(b−3−S) + c
//! ```
//!
//! Decoding needs no buffer: it yields pieces that are in `strings`. For the
//! x86 tree's descriptions, this is 3.2 times smaller than the text.

use super::bytes::read_u8;
use super::layout::Section;
use super::sections::Wire;

/// The end of a text.
pub const END: u8 = 0;
/// Precedes the full stop that perf does not print.
pub const STOP: u8 = 1;
/// Precedes a length and that number of bytes.
pub const RAW: u8 = 2;
/// The first code of a piece.
pub const FIRST: u8 = 3;

/// A step of reading a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// A piece, and the position of the next code.
    Piece(&'a str, usize),
    /// The full stop follows at this position.
    Stop(usize),
    /// The end of the text.
    End,
}

impl<'a> Wire<'a> {
    /// Reads the code at a position of `texts`.
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

    /// Literal bytes: rare, and too much code to inline into each caller.
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

/// The pieces into which a description is split before it is packed: a word
/// with the space before it, or a sequence of other characters, or of spaces.
///
/// Every piece is part of one text; joined together, the pieces are the text.
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
    /// The maximum length of a piece, at which longer ones are split.
    pub const LONGEST: usize = 200;

    /// Splits a text.
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
            // A sequence of spaces: all except the one that belongs to the next
            // piece.
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
            // A character is not split.
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
