//! Errors with their position in a text.
//!
//! Use it to point at the place of an error in what a user typed.

use core::fmt;
use core::ops::Range;

/// An error in a text: what is wrong, and which bytes are affected.
///
/// ```
/// use pmu_events::format::{ErrorKind, Format};
///
/// let error = Format::parse("config:9-3").unwrap_err();
/// assert_eq!((error.kind(), error.span()), (ErrorKind::Backwards, 7..10));
/// assert_eq!(error.to_string(), "byte 7: range ends before it starts");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Located<K> {
    kind: K,
    offset: usize,
    len: usize,
}

impl<K: Copy> Located<K> {
    pub(crate) const fn new(kind: K, offset: usize, len: usize) -> Self {
        Located { kind, offset, len }
    }

    /// Returns what is wrong.
    #[must_use]
    pub const fn kind(&self) -> K {
        self.kind
    }

    /// Returns the first wrong byte, or the length of the text if something is
    /// missing at its end.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the range of the wrong bytes, on character boundaries of the
    /// text; empty if something is missing.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.offset..self.offset + self.len
    }
}

impl<K: fmt::Display> fmt::Display for Located<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.kind)
    }
}

/// As [`Display`](fmt::Display), which is what a `main` should show that returns the
/// error.
impl<K: fmt::Display> fmt::Debug for Located<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: fmt::Display> core::error::Error for Located<K> {}
