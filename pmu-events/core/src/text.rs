//! Descriptions, which are decompressed as they are displayed.
//!
//! Use it to write descriptions somewhere without a heap, piece by piece.

use core::fmt;

use crate::packed::Tree;
use crate::wire::text::Step;

/// A description.
///
/// It is compressed, so there is no `str` to borrow, but it implements `Display`
/// without heap or buffer and compares with `str`.
///
/// The text is the JSON's. perf leaves out the final full stop;
/// [`Text::trimmed`] returns the text as perf prints it.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let text = x86::SILVERMONT.event("br_misp_retired.all_branches").unwrap().description().unwrap();
/// assert!(text.to_string().ends_with('.'));
/// assert!(!text.trimmed().to_string().ends_with('.'));
/// ```
#[derive(Clone, Copy)]
pub struct Text {
    tree: &'static Tree,
    at: u32,
    trimmed: bool,
}

impl Text {
    #[inline]
    pub(crate) const fn new(tree: &'static Tree, at: u32) -> Option<Self> {
        if at == 0 { None } else { Some(Text { tree, at, trimmed: false }) }
    }

    /// Returns the text without its final full stop, as perf prints it
    /// (`fixdesc` in `tools/perf/pmu-events/jevents.py` removes `.  `, `. ` and
    /// `.` from the end, once each).
    #[must_use]
    #[inline]
    pub const fn trimmed(self) -> Self {
        Text { trimmed: true, ..self }
    }

    /// Returns the pieces of the text, in order.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let text = x86::SILVERMONT.require("INST_RETIRED.ANY").description().unwrap();
    /// let whole: String = text.pieces().collect();
    /// assert_eq!(whole, text.to_string());
    /// ```
    #[inline]
    pub const fn pieces(self) -> impl Iterator<Item = &'static str> + Clone + fmt::Debug {
        TextPieces { text: self, at: self.at as usize }
    }

    /// Returns the length in bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.pieces().map(str::len).sum()
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether the text contains `part`, ignoring ASCII case. Uses no heap; in
    /// the worst case, the time is proportional to the product of the two
    /// lengths.
    #[must_use]
    pub fn contains(self, part: &str) -> bool {
        let part = part.as_bytes();
        if part.is_empty() {
            return true;
        }
        let mut bytes = self.bytes();
        loop {
            let mut ahead = bytes.clone();
            if part.iter().all(|w| ahead.next().is_some_and(|b| b.eq_ignore_ascii_case(w))) {
                return true;
            }
            if bytes.next().is_none() {
                return false;
            }
        }
    }

    fn bytes(self) -> impl Iterator<Item = u8> + Clone {
        self.pieces().flat_map(str::bytes)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for piece in self.pieces() {
            write!(f, "{}", piece.escape_debug())?;
        }
        f.write_str("\"")
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.bytes().eq(other.bytes())
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.bytes().eq(other.bytes())
    }
}

impl Eq for Text {}

/// The pieces of a [`Text`].
#[derive(Clone)]
pub(crate) struct TextPieces {
    text: Text,
    at: usize,
}

impl Iterator for TextPieces {
    type Item = &'static str;

    #[inline]
    fn next(&mut self) -> Option<&'static str> {
        loop {
            match self.text.tree.wire.text_step(self.at) {
                Step::Piece(piece, next) => {
                    self.at = next;
                    return Some(piece);
                }
                Step::Stop(_) if self.text.trimmed => return None,
                Step::Stop(next) => self.at = next,
                Step::End => return None,
            }
        }
    }
}

impl fmt::Debug for TextPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
