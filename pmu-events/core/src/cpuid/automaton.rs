//! Several patterns as one deterministic automaton.
//!
//! Layout, little-endian:
//!
//! ```text
//! classes        u16      number of byte classes
//! states         u16      number of states; 0 is the one that matches nothing
//! class_of       [u8; 256]
//! next           [u16; classes * states]   for each class, what follows each state
//! accepts        [u32; states]   where the state's list begins in `lists`
//! lists          u32 count, then that many pattern numbers, rising
//! ```
//!
//! The automaton starts in state 1. A text matches the patterns in the list of
//! its last state. Steps are sorted by class, so that a look-up knows where
//! those of a byte begin before it knows the state that the byte meets.

/// A packed automaton for those patterns of a map file, or of the `Compat`
/// patterns of sys tables, that are not plain text.
#[derive(Clone, Copy, Debug)]
pub struct Automaton<'a> {
    class_of: &'a [u8; 256],
    next: &'a [[u8; 2]],
    accepts: &'a [[u8; 4]],
    lists: &'a [[u8; 4]],
}

impl<'a> Automaton<'a> {
    const NOTHING: Self = Automaton { class_of: &[0; 256], next: &[], accepts: &[], lists: &[] };

    /// Wraps packed bytes. Bytes that are not an automaton match nothing.
    #[must_use]
    #[inline]
    pub const fn new(bytes: &'a [u8]) -> Self {
        match Self::parse(bytes) {
            Some(automaton) => automaton,
            None => Self::NOTHING,
        }
    }

    #[inline]
    const fn parse(bytes: &'a [u8]) -> Option<Self> {
        let Some((&[a, b, c, d], rest)) = bytes.split_first_chunk() else { return None };
        let classes = u16::from_le_bytes([a, b]) as usize;
        let states = u16::from_le_bytes([c, d]) as usize;
        let Some((class_of, rest)) = rest.split_first_chunk() else { return None };
        // Saturating, because the numbers in damaged tables may have any value.
        let steps = states.saturating_mul(classes).saturating_mul(2);
        let Some((next, rest)) = rest.split_at_checked(steps) else { return None };
        let Some((accepts, lists)) = rest.split_at_checked(4 * states) else { return None };
        Some(Automaton {
            class_of,
            next: next.as_chunks().0,
            accepts: accepts.as_chunks().0,
            lists: lists.as_chunks().0,
        })
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
        self.accepts.len()
    }

    /// Returns the class of a byte.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn class(self, byte: u8) -> u8 {
        self.class_of[byte as usize]
    }

    /// Returns the next state after a state and a class.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn next(self, state: u16, class: u8) -> u16 {
        // Both factors have two bytes, so that the sum fits 32 bits.
        let step = class as usize * self.states() + state as usize;
        if step < self.next.len() { u16::from_le_bytes(self.next[step]) } else { 0 }
    }

    /// Returns the patterns that match a text ending in a state.
    #[doc(hidden)]
    #[must_use]
    pub const fn accepted(self, state: u16) -> Matches<'a> {
        match self.list(state as usize) {
            Some(numbers) => Matches { numbers },
            None => Matches { numbers: &[] },
        }
    }

    const fn list(self, state: usize) -> Option<&'a [[u8; 4]]> {
        if state >= self.accepts.len() {
            return None;
        }
        let begin = u32::from_le_bytes(self.accepts[state]) as usize;
        let Some((_, list)) = self.lists.split_at_checked(begin) else { return None };
        let Some((count, numbers)) = list.split_first() else { return None };
        match numbers.split_at_checked(u32::from_le_bytes(*count) as usize) {
            Some((numbers, _)) => Some(numbers),
            None => None,
        }
    }
}

/// The numbers of the patterns that match, in the order of the map file.
#[derive(Clone, Copy, Debug)]
pub struct Matches<'a> {
    numbers: &'a [[u8; 4]],
}

impl Matches<'_> {
    /// Returns the first pattern that matches.
    #[must_use]
    pub const fn first(self) -> Option<u32> {
        match self.numbers {
            [number, ..] => Some(u32::from_le_bytes(*number)),
            [] => None,
        }
    }

    /// Whether a pattern is among those that match.
    #[must_use]
    pub const fn contains(self, pattern: u32) -> bool {
        let mut rest = self.numbers;
        while let [number, more @ ..] = rest {
            if u32::from_le_bytes(*number) == pattern {
                return true;
            }
            rest = more;
        }
        false
    }

    /// Returns the patterns that match.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        self.numbers.iter().map(|number| u32::from_le_bytes(*number))
    }
}
