//! Several patterns as one deterministic automaton.
//!
//! Layout, little-endian:
//!
//! ```text
//! classes        u16      number of byte classes
//! states         u16      number of states; 0 is the one that matches nothing
//! class_of       [u8; 256]
//! next           [u16; states * classes]
//! accepts        [u16; states]   where the state's list begins in `lists`
//! lists          u16 count, then that many pattern numbers, rising
//! ```
//!
//! The automaton starts in state 1. A text is matched by the patterns that the
//! list of its last state names.

use crate::wire::{read_u8, read_u16};

const CLASS_OF: usize = 4;
const NEXT: usize = CLASS_OF + 256;

/// A packed automaton over the patterns of a map file, or over the `Compat`
/// patterns of sys tables.
#[derive(Clone, Copy, Debug)]
pub struct Automaton<'a> {
    bytes: &'a [u8],
}

impl<'a> Automaton<'a> {
    /// Wraps packed bytes. Bytes that are no automaton match nothing.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Automaton { bytes }
    }

    /// The patterns that match the whole of `text`.
    #[must_use]
    pub const fn matches(self, text: &str) -> Matches<'a> {
        let classes = read_u16(self.bytes, 0) as usize;
        let states = read_u16(self.bytes, 2) as usize;
        let mut state = if states > 1 { 1 } else { 0 };
        let mut rest = text.as_bytes();
        while let Some((&byte, more)) = rest.split_first() {
            let class = read_u8(self.bytes, CLASS_OF + byte as usize) as usize;
            state = read_u16(self.bytes, NEXT + 2 * (state * classes + class)) as usize;
            if state == 0 {
                return Matches { numbers: &[] };
            }
            rest = more;
        }
        let accepts = NEXT + 2 * states * classes;
        let lists = accepts + 2 * states;
        let list = lists + 2 * read_u16(self.bytes, accepts + 2 * state) as usize;
        let count = read_u16(self.bytes, list) as usize;
        let numbers = match self.bytes.split_at_checked(list + 2) {
            Some((_, numbers)) => numbers,
            None => &[],
        };
        match numbers.split_at_checked(2 * count) {
            Some((numbers, _)) => Matches { numbers },
            None => Matches { numbers: &[] },
        }
    }
}

/// The numbers of the patterns that match, in the order of the map file.
#[derive(Clone, Copy, Debug)]
pub struct Matches<'a> {
    numbers: &'a [u8],
}

impl Matches<'_> {
    /// The first pattern that matches.
    #[must_use]
    pub const fn first(self) -> Option<u16> {
        match self.numbers.first_chunk::<2>() {
            Some(number) => Some(u16::from_le_bytes(*number)),
            None => None,
        }
    }

    /// Whether a pattern is among those that match.
    #[must_use]
    pub const fn contains(self, pattern: u16) -> bool {
        let mut rest = self.numbers;
        while let Some((number, more)) = rest.split_first_chunk::<2>() {
            if u16::from_le_bytes(*number) == pattern {
                return true;
            }
            rest = more;
        }
        false
    }
}

impl Iterator for Matches<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        let (number, rest) = self.numbers.split_first_chunk::<2>()?;
        self.numbers = rest;
        Some(u16::from_le_bytes(*number))
    }
}
