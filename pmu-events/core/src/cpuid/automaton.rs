//! Several patterns as one deterministic automaton.
//!
//! Layout, little-endian:
//!
//! ```text
//! classes        u16      number of byte classes
//! states         u16      number of states; 0 is the one that matches nothing
//! class_of       [u8; 256]
//! next           [u16; states * classes]
//! accepts        [u32; states]   where the state's list begins in `lists`
//! lists          u32 count, then that many pattern numbers, rising
//! ```
//!
//! The automaton starts in state 1. A text matches the patterns in the list of
//! its last state.

use crate::wire::{read_u8, read_u16, read_u32};

const CLASS_OF: usize = 4;
const NEXT: usize = CLASS_OF + 256;

/// A packed automaton for those patterns of a map file, or of the `Compat`
/// patterns of sys tables, that are not plain text.
#[derive(Clone, Copy, Debug)]
pub struct Automaton<'a> {
    bytes: &'a [u8],
}

impl<'a> Automaton<'a> {
    /// Wraps packed bytes. Bytes that are not an automaton match nothing.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Automaton { bytes }
    }

    /// Returns the patterns that match the whole of `text`.
    #[must_use]
    pub const fn matches(self, text: &str) -> Matches<'a> {
        let mut state = if self.states() > 1 { 1 } else { 0 };
        let mut rest = text.as_bytes();
        while let Some((&byte, more)) = rest.split_first() {
            state = self.next(state, self.class(byte));
            if state == 0 {
                return Matches { numbers: &[] };
            }
            rest = more;
        }
        self.accepted(state)
    }

    /// Returns the number of states.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn states(self) -> usize {
        read_u16(self.bytes, 2) as usize
    }

    #[inline]
    const fn classes(self) -> usize {
        read_u16(self.bytes, 0) as usize
    }

    /// Returns the class of a byte.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn class(self, byte: u8) -> u8 {
        read_u8(self.bytes, CLASS_OF + byte as usize)
    }

    /// Returns the next state after a state and a class.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn next(self, state: u16, class: u8) -> u16 {
        // Both factors have two bytes, so the sum cannot overflow.
        let step = (state as u64) * (self.classes() as u64) + class as u64;
        match step * 2 {
            at if at < self.bytes.len() as u64 => read_u16(self.bytes, NEXT + at as usize),
            _ => 0,
        }
    }

    /// Returns the patterns that match a text ending in a state.
    #[doc(hidden)]
    #[must_use]
    pub const fn accepted(self, state: u16) -> Matches<'a> {
        // Saturating, because the numbers in damaged tables may have any value.
        let steps = self.states().saturating_mul(self.classes());
        let accepts = NEXT.saturating_add(steps.saturating_mul(2));
        let lists = accepts.saturating_add(4 * self.states());
        let list = read_u32(self.bytes, accepts.saturating_add(4 * state as usize)) as usize;
        let list = lists.saturating_add(list.saturating_mul(4));
        let count = read_u32(self.bytes, list) as usize;
        let numbers = match self.bytes.split_at_checked(list.saturating_add(4)) {
            Some((_, numbers)) => numbers,
            None => &[],
        };
        match numbers.split_at_checked(count.saturating_mul(4)) {
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
    /// Returns the first pattern that matches.
    #[must_use]
    pub const fn first(self) -> Option<u32> {
        match self.numbers.first_chunk() {
            Some(number) => Some(u32::from_le_bytes(*number)),
            None => None,
        }
    }

    /// Whether a pattern is among those that match.
    #[must_use]
    pub const fn contains(self, pattern: u32) -> bool {
        let mut rest = self.numbers;
        while let Some((number, more)) = rest.split_first_chunk() {
            if u32::from_le_bytes(*number) == pattern {
                return true;
            }
            rest = more;
        }
        false
    }

    /// Returns the patterns that match.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        self.numbers.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number))
    }
}
